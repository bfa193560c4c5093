"""One game of the log, folded as it grows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, insert, select
from sqlalchemy.dialects.sqlite import insert as insert_or

from companion.gamelog import schema
from companion.gamelog.chain import Anchor, first_link, next_link
from companion.gamelog.errors import GameLogError
from companion.gamelog.events import (
    Entry,
    Event,
    Redo,
    Undo,
    check_entry,
    check_time,
    dump_json,
    format_body,
    load_json,
    now,
    parse_body,
)
from companion.gamelog.fold import Folded, advance, fold
from companion.gamelog.photos import Photo, digest
from engine import Start
from engine.text import say

if TYPE_CHECKING:
    from companion.gamelog.store import GameLog

writer = threading.RLock()
"""One writer in this process; BEGIN IMMEDIATE keeps other processes out."""
MAX_SOURCE = 400
"""Letters of where a photo comes from."""


@dataclass(frozen=True, slots=True)
class PhotoRow:
    """What the log knows of a photo."""

    sha256: str
    bytes: int
    taken_at: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Logged:
    """An event that is to be logged together with others; its photo is known by its sha256."""

    event: Event
    who: str = ""
    photo: str | None = None


class Game:
    """One game of a log: what it has come to, and how it goes on."""

    def __init__(self, log: GameLog, id_: str, start: Start, created_at: str) -> None:
        self.log = log
        self.id = id_
        self.start = start
        self.created_at = created_at
        self._folded = fold(start.edition, start.setup, [])

    @property
    def folded(self) -> Folded:
        """The game as far as it was read or written here."""
        return self._folded

    def refresh(self) -> Folded:
        """The game as it is now, with what others logged."""
        with writer:
            with self.log.reading(say("reading a game")) as connection:
                self._folded = advance(self._folded, self._later(connection))
            return self._folded

    def append(self, event: Event, who: str = "", photo: Photo | str | None = None) -> Entry:
        """Log an event, with a new photo or one that is known by its sha256; on the disk when this returns.

        What cannot be, as far as the game is known, is refused: a move that nobody could make, an answer to nothing.
        """
        with writer:
            with self.log.writing(say("logging an event")) as connection:
                before = advance(self._folded, self._later(connection))
                entry, after = self._write(connection, before, event, who, photo)
            self._folded = after
        self.log.announce(self.id, entry.n)
        return entry

    def append_all(self, make: Callable[[Folded], Sequence[Logged]]) -> list[Entry]:
        """Log events that belong together, as `make` tells them of the game as it stands: all of them or none."""
        with writer:
            with self.log.writing(say("logging an event")) as connection:
                after = advance(self._folded, self._later(connection))
                entries = []
                for each in make(after):
                    entry, after = self._write(connection, after, each.event, each.who, each.photo)
                    entries.append(entry)
            self._folded = after
        for entry in entries[-1:]:
            self.log.announce(self.id, entry.n)
        return entries

    def _write(
        self, connection: Connection, before: Folded, event: Event, who: str, photo: Photo | str | None
    ) -> tuple[Entry, Folded]:
        """Write one event; its entry, and the game after it."""
        sha256 = digest(photo.data) if isinstance(photo, Photo) else photo
        entry = check_entry(Entry(before.last + 1, event, now(), who, sha256))
        after = advance(before, [entry])
        _refuse_stranded(after, entry)
        self._keep(connection, photo)
        self.log.newest[self.id] = insert_events(connection, self.id, [entry])
        return entry, after

    def undo(self, n: int | None = None, who: str = "") -> Entry:
        """Undo an event, or the last one that counts."""
        with writer:
            return self.append(Undo(self.refresh().undoable() if n is None else n), who)

    def redo(self, n: int | None = None, who: str = "") -> Entry:
        """Redo an event, or the one that was undone last."""
        with writer:
            return self.append(Redo(self.refresh().redoable() if n is None else n), who)

    def entries(self, after: int = 0) -> list[Entry]:
        """All that was logged, or what came after an event."""
        with self.log.reading(say("reading a game")) as connection:
            return self._rows(connection, after)

    def entry(self, n: int) -> Entry:
        """One event as it was logged."""
        events = schema.events
        query = select(events).where(events.c.game == self.id, events.c.n == n)
        with self.log.reading(say("reading a game")) as connection:
            row = connection.execute(query).first()
        if row is None:
            raise GameLogError(say("the game {game} has no event {n}", game=self.id, n=n))
        return _entry(row)

    def photo_rows(self) -> list[PhotoRow]:
        """The photos that events of this game speak of, in the order in which they came."""
        photos, events = schema.photos, schema.events
        query = select(photos).join(events).where(events.c.game == self.id).order_by(events.c.n)
        with self.log.reading(say("reading the photos of a game")) as connection:
            rows = [PhotoRow(row.sha256, row.bytes, row.taken_at, row.source) for row in connection.execute(query)]
        return list(dict.fromkeys(rows))

    def _keep(self, connection: Connection, photo: Photo | str | None) -> None:
        """See a new photo onto the disk, then write its row; a known one must have its row."""
        if isinstance(photo, Photo):
            row = check_photo_row(PhotoRow(digest(photo.data), len(photo.data), photo.taken_at, photo.source))
            self.log.photos.keep(photo.data)
            insert_photo(connection, row)
        elif photo is not None and connection.execute(_known(photo)).first() is None:
            raise GameLogError(f"no photo with the sha256 {photo[:64]} was logged, so no event can speak of it")

    def _later(self, connection: Connection) -> list[Entry]:
        return self._rows(connection, self._folded.last)

    def _rows(self, connection: Connection, after: int) -> list[Entry]:
        events = schema.events
        query = select(events).where(events.c.game == self.id, events.c.n > after).order_by(events.c.n)
        return [_entry(row) for row in connection.execute(query)]


def check_photo_row(row: PhotoRow) -> PhotoRow:
    """The row itself, if it can be written."""
    if row.taken_at is not None:
        check_time(row.taken_at)
    if len(row.source) > MAX_SOURCE:
        raise GameLogError(f"where a photo comes from is told in at most {MAX_SOURCE} letters, not {len(row.source)}")
    dump_json(row.source)
    return row


def insert_photo(connection: Connection, row: PhotoRow) -> None:
    """Write down what is known of a photo; what was known of it before stays."""
    connection.execute(insert_or(schema.photos).on_conflict_do_nothing(), asdict(row))


def insert_events(connection: Connection, game: str, entries: Iterable[Entry]) -> Anchor:
    """Write events of a game, chained to those before; how far the game has come."""
    events = schema.events
    last = select(events.c.n, events.c.link).where(events.c.game == game).order_by(events.c.n.desc()).limit(1)
    found = connection.execute(last).first()
    newest = Anchor(*found) if found else Anchor(0, _first_link(connection, game))
    rows = []
    for entry in entries:
        row = event_row(game, entry)
        newest = Anchor(entry.n, next_link(newest.link, row))
        rows.append(row | {"link": newest.link})
    if rows:
        connection.execute(insert(events), rows)
    return newest


def _first_link(connection: Connection, game: str) -> str:
    start = connection.execute(select(schema.games).where(schema.games.c.id == game)).mappings().first()
    if start is None:
        raise GameLogError(say("the game {game} was deleted", game=game))
    return first_link(start)


def event_row(game: str, entry: Entry) -> dict[str, Any]:
    return {
        "game": game,
        "n": entry.n,
        "kind": entry.event.kind,
        "body": dump_json(format_body(entry.event)),
        "photo": entry.photo,
        "at": entry.at,
        "who": entry.who,
    }


def _known(sha256: str) -> Select[Any]:
    return select(schema.photos).where(schema.photos.c.sha256 == sha256)


def _entry(row: Row[Any]) -> Entry:
    return Entry(row.n, parse_body(row.kind, load_json(row.body)), row.at, row.who, row.photo)


def _refuse_stranded(folded: Folded, entry: Entry) -> None:
    if folded.stranded and folded.stranded[-1].n == entry.n:
        why = tuple(violation.text for violation in folded.stranded[-1].violations)
        raise GameLogError(say("this event cannot have happened, so it was not logged: {why}", why=why))
