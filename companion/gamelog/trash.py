"""Deleted games, kept for a while as exported zips, so that a slip or a wrong clock loses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.files import make_folder
from companion.gamelog.bundle import export_game, import_game
from companion.gamelog.errors import GameLogError, telling
from companion.gamelog.game import Game
from companion.gamelog.store import GameLog
from engine.text import say

FOLDER = "deleted"
KEPT = timedelta(days=7)
STAMP = "%Y%m%dT%H%M%S"
NAME = re.compile(r"(\d{8}T\d{6})_([a-z-]{1,40})_(\d{4}-\d\d-\d\d)_[0-9a-f]{8}\.zip")


@dataclass(frozen=True, slots=True)
class DeletedGame:
    """A deleted game that can be brought back."""

    name: str
    deleted_at: datetime
    edition: str
    begun: str
    """The day, as ISO 8601."""


def put_away(game: Game, at: datetime) -> None:
    """Delete a game, and keep it as a zip."""
    stamp, setup = at.astimezone(UTC).strftime(STAMP), game.start.setup
    folder = game.log.folder / FOLDER
    with telling(say("deleting a game")):
        make_folder(folder)
    export_game(game, folder / f"{stamp}_{setup.edition}_{game.created_at[:10]}_{game.id[:8]}.zip")
    game.log.delete(game)


def deleted_games(log: GameLog) -> list[DeletedGame]:
    """What can be brought back, the last deleted first."""
    return sorted(_kept(log), key=lambda game: game.name, reverse=True)


def bring_back(log: GameLog, name: str) -> Game:
    """Take a deleted game into the log again."""
    path = _path(log, name)
    game, _missing = import_game(log, path)
    path.unlink()
    return game


def purge(log: GameLog, name: str) -> None:
    """Delete a deleted game for good."""
    _path(log, name).unlink()


def purge_old(log: GameLog, now: datetime) -> None:
    """Delete for good what was deleted long enough ago."""
    for game in deleted_games(log):
        if now - game.deleted_at > KEPT:
            purge(log, game.name)


def _kept(log: GameLog) -> Iterator[DeletedGame]:
    for path in (log.folder / FOLDER).glob("*.zip"):
        if found := NAME.fullmatch(path.name):
            deleted_at = datetime.strptime(found[1], STAMP).replace(tzinfo=UTC)
            yield DeletedGame(path.name, deleted_at, found[2], found[3])


def _path(log: GameLog, name: str) -> Path:
    if all(game.name != name for game in deleted_games(log)):
        raise GameLogError(say("this game is not among the deleted ones"))
    return log.folder / FOLDER / name
