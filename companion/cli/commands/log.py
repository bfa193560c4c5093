"""`azul log`: a game from a folder of photos."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from companion.cli.inputs import PLAYERS, Players, data_option
from companion.errors import CompanionError
from companion.gamelog import Game, GameLog, data_dir
from companion.ledger import standing
from companion.photolog.reading import Done, Work, fitting, photos_in, read_all
from companion.photolog.report import account_json, told_account
from companion.photolog.scribe import log_photos
from companion.pipeline import refuse_unreadable
from engine import Start, load, slugs

UNREAD = 1
"""The exit status where a photo cannot be used."""


@click.command()
@click.argument("folder", metavar="DIR_OF_PHOTOS", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--game", "named", metavar="GAME", help="Go on with this game.  [default: the one that has such photos]")
@click.option("--players", type=PLAYERS, help="How many, or names, clockwise from the bottom of the first photo.")
@click.option("--first", type=click.IntRange(1), default=1, show_default=True, help="The seat that began.")
@click.option("--edition", type=click.Choice(slugs()), help="The edition; otherwise it is told by the print.")
@click.option("--options", "options", metavar="JSON", default="{}", help="House rules, as in a record's start.")
@click.option("--round-ends", is_flag=True, help="Where the middle is not in view, all tiles of it had been taken.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per photo, then one for the game.")
@data_option
def command(
    folder: Path,
    named: str | None,
    players: Players | None,
    first: int,
    edition: str | None,
    options: str,
    round_ends: bool,
    as_json: bool,
    data: Path | None,
) -> None:
    """Make a game of photos taken now and then, or go on with one: exact scores, or how far they are open and why.

    Photos are ordered by their times, or by what they show. A photo of one board alone may lie in a folder that is
    named like the player or the seat. Run it again when there are more photos.

    Exit status: 0 all photos were used, 1 a photo cannot be (the others are), 2 there is nothing to log.
    """
    if edition:
        refuse_unreadable(edition)
    with GameLog(data_dir(data)) as log:
        works = [Work(str(path.relative_to(folder)), path, edition) for path in photos_in(folder)]
        if not works:
            raise CompanionError(f"no photos lie in {folder}: it should hold files that end with .jpg, .png or .webp")
        game = log.game(named) if named else _game_of(log, works)
        if game:
            refuse_unreadable(game.start.setup.edition)
            _check_players(game, players)
        known = {row.sha256 for row in game.photo_rows()} if game else set()
        done = _read([work for work in works if work.sha256 not in known])
        if game is None:
            game = log.create(_start(done, players, first, options))
        done = [fitting(each, game.start.setup) for each in done]
        errors = {each.work.name: str(each.error) for each in done if each.error}
        for name, error in errors.items():
            click.echo(f"azul: {name}: {error}", err=True)
        account = log_photos(game, done, round_ends, _hints(works, game.start))
    if as_json:
        lines = [json.dumps(told, ensure_ascii=False) for told in account_json(game.id, account)]
        lines += [json.dumps({"photo": name, "error": error}, ensure_ascii=False) for name, error in errors.items()]
    else:
        lines = [
            *told_account(game.start, account, standing(game.folded)),
            f"\nlogged as {game.id[:8]}; `azul export` writes it out",
        ]
    click.echo("\n".join(lines))
    sys.exit(UNREAD if errors else 0)


def _game_of(log: GameLog, works: Sequence[Work]) -> Game | None:
    """The newest game that has one of these photos."""
    names = {work.sha256 for work in works}
    return next((game for game in log.games() if names & {row.sha256 for row in game.photo_rows()}), None)


def _read(works: Sequence[Work]) -> list[Done]:
    with click.progressbar(read_all(works), length=len(works), label="reading", file=sys.stderr) as reading:
        return list(reading)


def _check_players(game: Game, players: Players | None) -> None:
    """Refuse other players than the game has."""
    start = game.start
    is_same = players is None or (players.count == start.setup.players and players.names in ((), start.names))
    if not is_same:
        has = ", ".join(start.names) or str(start.setup.players)
        raise CompanionError(
            f"these photos belong to game {game.id[:8]}, which has other players ({has}): leave out --players to go on"
            " with it, or put photos of another game into a folder of their own"
        )


def _start(done: Sequence[Done], players: Players | None, first: int, options: str) -> Start:
    """What is agreed before the game, as far as photos and the caller tell."""
    readings = [each.reading for each in done if each.reading is not None]
    if not readings:
        why = "; ".join(f"{each.work.name}: {each.error}" for each in done[:3])
        raise CompanionError(f"none of the photos can be read, so there is no game to log ({why})")
    widest: Mapping[str, Any] = max(readings, key=lambda reading: len(reading["boards"]))
    edition = load(widest["edition"])
    players = players or Players(max(len(widest["boards"]), min(edition.players)))
    try:
        agreed = json.loads(options)
    except ValueError:
        raise CompanionError(f"--options must be a JSON object, not {options!r}") from None
    return Start(edition, edition.setup(widest["side"], players.count, first, agreed), players.names)


def _hints(works: Sequence[Work], start: Start) -> dict[str, int]:
    """Whose board a photo shows, where the folder that it lies in is named like a player or a seat."""
    seats = {str(seat): seat for seat in start.setup.seats}
    seats |= {name.casefold(): seat for seat, name in enumerate(start.names, 1)}
    folders = ((work.sha256, Path(work.name).parent.name.casefold()) for work in works)
    return {sha256: seats[folder] for sha256, folder in folders if folder in seats}
