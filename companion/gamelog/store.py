"""The game log on disk: append-only events in SQLite, photos as files beside them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import platformdirs
from sqlalchemy import Connection, Row, delete, func, insert, select, text

from companion.gamelog import schema
from companion.gamelog.errors import GameLogError, telling
from companion.gamelog.events import Entry, check_time, dump_json, now
from companion.gamelog.game import Game, event_row, writer
from companion.gamelog.photos import PhotoFolder, digest, make_folder, sync
from engine import Start, parse_start
from engine.record import format_start
from engine.text import Words, say

DATABASE = "games.sqlite3"
PHOTOS = "photos"


@dataclass(frozen=True, slots=True)
class Findings:
    """What is not as it should be in a game log."""

    database: tuple[str, ...] = ()
    """What SQLite says of its own files."""
    missing: tuple[str, ...] = ()
    """Photos that events speak of and that are not there."""
    damaged: tuple[str, ...] = ()
    """Photos that are not what their names say."""
    orphans: tuple[str, ...] = ()
    """Photos that no event speaks of: a program ended before it could log them."""

    @property
    def lost(self) -> bool:
        """Whether anything that was logged is gone."""
        return bool(self.database or self.missing or self.damaged)


def data_dir(named: Path | None = None) -> Path:
    """The folder of the game log: the one named, or AZUL_DATA, or the user's."""
    told = named or os.environ.get("AZUL_DATA")
    return Path(told) if told else platformdirs.user_data_path("azul-companion")


Listener = Callable[[str, int], None]
"""Called with the id of a game and the number of its last event."""


class GameLog:
    """All games of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = PhotoFolder(folder / PHOTOS)
        self._listeners: tuple[Listener, ...] = ()
        with telling(say("opening the game log in {folder}", folder=folder)):
            make_folder(folder)
            self._engine = schema.open_database(folder / DATABASE)
            try:
                self._prepare()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._engine.dispose()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a function with a game's id and the number of its last event whenever this program logs something.

        Returns a function that ends this.
        """
        self._listeners = (*self._listeners, listener)

        def stop() -> None:
            self._listeners = tuple(each for each in self._listeners if each is not listener)

        return stop

    def announce(self, game: str, n: int) -> None:
        """Tell all listeners that event `n` of a game was logged."""
        for listener in self._listeners:
            listener(game, n)

    def create(self, start: Start) -> Game:
        """A new game."""
        with self.writing(say("logging a new game")) as connection:
            return self.insert_game(connection, start, now(), [])

    def games(self) -> list[Game]:
        """Every game, the newest first; none is folded yet."""
        by_date = select(schema.games).order_by(schema.games.c.created_at.desc(), schema.games.c.id)
        with self.reading(say("reading the games")) as connection:
            return [self._game(row) for row in connection.execute(by_date)]

    def game(self, name: str) -> Game:
        """The game whose id begins like that."""
        found = [game for game in self.games() if name and game.id.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            games = tuple(game.id for game in found)
            raise GameLogError(say("several games begin with {name}: {games}; say more of it", name=name, games=games))
        raise GameLogError(
            say("no game in {folder} is called {name}; `azul games` lists them", folder=self.folder, name=repr(name))
        )

    def latest(self) -> dict[str, int]:
        """The number of the last event of every game; cheap enough to be asked all the time."""
        last = select(func.max(schema.events.c.n)).where(schema.events.c.game == schema.games.c.id).scalar_subquery()
        with self.reading(say("looking for new events")) as connection:
            return {id_: n or 0 for id_, n in connection.execute(select(schema.games.c.id, last))}

    def read_photo(self, sha256: str) -> bytes:
        """The photo of that sha256, just as it came."""
        with telling(say("reading the photo {photo} in {folder}", photo=sha256, folder=self.folder)):
            data = self.photos.path(sha256).read_bytes()
        if digest(data) != sha256:
            path = self.photos.path(sha256)
            raise GameLogError(say("the photo {file} is damaged: put it back from a copy or an export", file=path))
        return data

    def delete(self, game: Game) -> None:
        """Delete a game for good, and the photos that no other game speaks of: a person has the right to that."""
        with self.writing(say("deleting a game")) as connection:
            connection.execute(text("PRAGMA secure_delete = ON"))
            guard = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'events_last'")).scalar_one()
            connection.execute(text("DROP TRIGGER events_last"))
            connection.execute(delete(schema.events).where(schema.events.c.game == game.id))
            connection.execute(text(guard))
            connection.execute(delete(schema.games).where(schema.games.c.id == game.id))
            spoken = select(schema.events.c.photo).where(schema.events.c.photo.is_not(None))
            alone = schema.photos.c.sha256.not_in(spoken)
            photos = [row.sha256 for row in connection.execute(select(schema.photos).where(alone))]
            connection.execute(delete(schema.photos).where(alone))
        with telling(say("deleting photos in {folder}", folder=self.folder)):
            for sha256 in photos:
                self.photos.path(sha256).unlink(missing_ok=True)
        with self.reading(say("clearing what was deleted")) as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def check(self, thorough: bool = True, watch: Callable[[Sequence[str]], Iterable[str]] = iter) -> Findings:
        """Look for what is lost or left over; thoroughly means that every photo is read, and `watch` sees each."""
        with self.reading(say("checking the games")) as connection:
            said = [row[0] for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
            said += [
                f"{row[0]} {row[1]} refers to nothing" for row in connection.execute(text("PRAGMA foreign_key_check"))
            ]
            sizes = {row.sha256: row.bytes for row in connection.execute(select(schema.photos))}
        with telling(say("checking the photos in {folder}", folder=self.folder)):
            there = set(self.photos.names())
            known = sorted(there & sizes.keys())
            damaged = [name for name in known if self.photos.path(name).stat().st_size != sizes[name]]
            if thorough:
                damaged = [name for name in watch(known) if digest(self.photos.path(name).read_bytes()) != name]
        missing, orphans = sorted(sizes.keys() - there), sorted(there - sizes.keys())
        return Findings(tuple(said), tuple(missing), tuple(damaged), tuple(orphans))

    @contextmanager
    def reading(self, doing: Words) -> Iterator[Connection]:
        """A connection that sees one moment of the log."""
        with telling(say("{doing} in {folder}", doing=doing, folder=self.folder)), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, doing: Words) -> Iterator[Connection]:
        """A connection that alone may write; all of it is on the disk at the end, or nothing is."""
        with writer, self.reading(doing) as connection, connection.execution_options(**{schema.WRITES: True}).begin():
            yield connection

    def insert_game(self, connection: Connection, start: Start, created_at: str, entries: Iterable[Entry]) -> Game:
        """Write a game with what it holds already; its photos must be known."""
        check_time(created_at)
        written = format_start(start)
        row = {
            "id": str(uuid4()),
            "edition": written["edition"],
            "side": written["side"],
            "players": dump_json(written["players"]),
            "first": written["first"],
            "options": dump_json(written.get("options", {})),
            "created_at": created_at,
        }
        connection.execute(insert(schema.games), row)
        if rows := [event_row(row["id"], entry) for entry in entries]:
            connection.execute(insert(schema.events), rows)
        return Game(self, row["id"], start, created_at)

    def _prepare(self) -> None:
        with self.reading(say("opening the games")) as connection:
            current = schema.version_of(connection) == schema.HEAD
        if not current:
            with self.writing(say("bringing the games up to date")) as connection:
                schema.upgrade(connection, self.folder / DATABASE)
            sync(self.folder)
        if self.photos.leftovers():
            with self.writing(say("clearing away half-written photos")):
                for path in self.photos.leftovers():
                    path.unlink(missing_ok=True)

    def _game(self, row: Row[Any]) -> Game:
        start: dict[str, Any] = {"event": "start", "edition": row.edition, "side": row.side, "first": row.first}
        start |= {"players": json.loads(row.players), "options": json.loads(row.options)}
        return Game(self, row.id, parse_start(dump_json(start)), row.created_at)
