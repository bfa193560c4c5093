"""The game log on disk: append-only events in SQLite, photos as files beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from sqlalchemy import Connection, Row, delete, func, insert, literal_column, select, text

from companion.files import OTHERS, keep_private, make_folder, sync
from companion.gamelog import schema
from companion.gamelog.chain import Anchor, Anchors, first_link, next_link
from companion.gamelog.errors import GameLogError, telling
from companion.gamelog.events import Entry, check_time, dump_json, now
from companion.gamelog.game import Game, insert_events, writer
from companion.gamelog.photos import PhotoFolder, digest
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
    events: tuple[str, ...] = ()
    """Events that are gone, or not as they were logged."""
    orphans: tuple[str, ...] = ()
    """Photos that no event speaks of: a program ended before it could log them."""

    @property
    def lost(self) -> bool:
        """Whether anything that was logged is gone."""
        return bool(self.database or self.missing or self.damaged or self.events)


Listener = Callable[[str, int], None]
"""Called with the id of a game and the number of its last event."""


class GameLog:
    """All games of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = PhotoFolder(folder / PHOTOS)
        self.anchors = Anchors(folder)
        self.newest: dict[str, Anchor] = {}
        """How far games have come in the transaction that is under way; anchored once that is on the disk."""
        self._listeners: tuple[Listener, ...] = ()
        with telling(say("opening the game log in {folder}", folder=folder)):
            make_folder(folder)
            if (folder / DATABASE).exists() or not any(folder.iterdir()):
                keep_private(folder, OTHERS)
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
            return self._insert_game(connection, start, now(), [], _edge(connection, func.max) + 1)

    def games(self) -> list[Game]:
        """Every game, the one written last first, whatever the clock said; none is folded yet."""
        in_order = select(schema.games).order_by(schema.games.c.number.desc())
        with self.reading(say("reading the games")) as connection:
            return [self._game(row) for row in connection.execute(in_order)]

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

    def last_written(self) -> str | None:
        """When the event that was written last was written, or the newest game begun, by the clock of that moment."""
        events, games = schema.events, schema.games
        last = select(events.c.at).order_by(literal_column("rowid").desc()).limit(1)
        begun = select(games.c.created_at).order_by(games.c.number.desc()).limit(1)
        with self.reading(say("reading the games")) as connection:
            found: str | None = connection.execute(last).scalar() or connection.execute(begun).scalar()
        return found

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
            self.anchors.forget(game.id)
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
            events = tuple(_broken_chains(connection, self.anchors.read()))
        with telling(say("checking the photos in {folder}", folder=self.folder)):
            there = set(self.photos.names())
            known = sorted(there & sizes.keys())
            damaged = [name for name in known if self.photos.path(name).stat().st_size != sizes[name]]
            if thorough:
                damaged = [name for name in watch(known) if digest(self.photos.path(name).read_bytes()) != name]
        missing, orphans = sorted(sizes.keys() - there), sorted(there - sizes.keys())
        return Findings(tuple(said), tuple(missing), tuple(damaged), events, tuple(orphans))

    @contextmanager
    def reading(self, doing: Words) -> Iterator[Connection]:
        """A connection that sees one moment of the log."""
        with telling(say("{doing} in {folder}", doing=doing, folder=self.folder)), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, doing: Words) -> Iterator[Connection]:
        """A connection that alone may write; all of it is on the disk at the end, or nothing is."""
        with writer, self.reading(doing) as connection:
            transaction = connection.execution_options(**{schema.WRITES: True}).begin()
            self.photos.begin()
            self.newest = {}
            try:
                yield connection
                transaction.commit()
            except BaseException:
                # Before others may write again, who may send the same photo.
                self.photos.take_back()
                transaction.rollback()
                raise
            for game, anchor in self.newest.items():
                self.anchors.add(game, anchor)

    def take_in(self, connection: Connection, start: Start, created_at: str, entries: Iterable[Entry]) -> Game:
        """Write a game that was played elsewhere, before all that are here; its photos must be known."""
        return self._insert_game(connection, start, created_at, entries, _edge(connection, func.min) - 1)

    def _insert_game(
        self, connection: Connection, start: Start, created_at: str, entries: Iterable[Entry], number: int
    ) -> Game:
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
            "number": number,
        }
        connection.execute(insert(schema.games), row)
        self.newest[row["id"]] = insert_events(connection, row["id"], entries)
        return Game(self, row["id"], start, created_at)

    def _prepare(self) -> None:
        with self.reading(say("opening the games")) as connection:
            before = schema.version_of(connection)
        if before != schema.HEAD:
            with self.writing(say("bringing the games up to date")) as connection:
                schema.upgrade(connection, self.folder / DATABASE)
                if before is not None:
                    self.newest = dict(_newest(connection))
            sync(self.folder)
        self.anchors.tidy()
        if self.photos.leftovers():
            with self.writing(say("clearing away half-written photos")):
                for path in self.photos.leftovers():
                    path.unlink(missing_ok=True)

    def _game(self, row: Row[Any]) -> Game:
        start: dict[str, Any] = {"event": "start", "edition": row.edition, "side": row.side, "first": row.first}
        try:
            start |= {"players": json.loads(row.players), "options": json.loads(row.options)}
            check_time(row.created_at)
            return Game(self, row.id, parse_start(dump_json(start)), row.created_at)
        except (ValueError, TypeError, RecursionError) as error:
            raise GameLogError(say("the game {game} is damaged: {error}", game=str(row.id), error=error)) from error


def _edge(connection: Connection, which: Callable[[Any], Any]) -> int:
    """The lowest or the highest number of a game; 0 where there is none."""
    return connection.execute(select(which(schema.games.c.number))).scalar() or 0


def _chains(connection: Connection) -> Iterator[tuple[str, list[tuple[int, str, str]]]]:
    """Each game; and of its start and every event the number, the link that is kept, and the one that should be."""
    events = schema.events
    for game in connection.execute(select(schema.games)).mappings().all():
        link = first_link(game)
        links = [(0, link, link)]
        rows = connection.execute(select(events).where(events.c.game == game["id"]).order_by(events.c.n))
        for row in rows.mappings():
            link = next_link(link, row)
            links.append((row["n"], row["link"], link))
        yield game["id"], links


def _newest(connection: Connection) -> Iterator[tuple[str, Anchor]]:
    for game, links in _chains(connection):
        n, _kept, link = links[-1]
        yield game, Anchor(n, link)


def _broken_chains(connection: Connection, anchors: dict[str, Anchor]) -> Iterator[str]:
    """What is not as it was logged, or gone; for each game the first of it."""
    for game, links in _chains(connection):
        anchor = anchors.pop(game, None)
        changed = next((n for n, kept, link in links if kept != link), None)
        if changed is not None:
            yield f"game {game}: event {changed}, or the one before, is not as it was logged"
        elif anchor is None:
            # The power went between the game and its first anchor.
            continue
        elif anchor.n > links[-1][0]:
            yield f"game {game}: events {links[-1][0] + 1} to {anchor.n} are gone"
        elif links[anchor.n][1] != anchor.link:
            yield f"game {game}: not as it was logged up to event {anchor.n}"
    yield from (f"game {game}: gone, with its {anchor.n} events" for game, anchor in anchors.items())
