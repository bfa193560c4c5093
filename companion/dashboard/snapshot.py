"""A game as the pages need it, read on as it grows."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from companion.gamelog import Entry, Folded, Game, PhotoRead, advance, fold
from companion.ledger import Ledger, ledger
from engine import Start, Step


@dataclass(frozen=True)
class Snapshot:
    """A game at one moment of its log."""

    game: Game
    folded: Folded
    entries: Mapping[int, Entry] = field(default_factory=dict)
    """Every entry by its number; photos without their readings."""
    shown: Entry | None = None
    """The last photo that was read, with its reading."""

    @cached_property
    def ledger(self) -> Ledger:
        """The scores at every moment, exact or open."""
        return ledger(self.folded)

    @property
    def start(self) -> Start:
        """What was agreed before the game."""
        return self.game.start

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.folded.last

    def step(self, n: int) -> Step | None:
        """A record event that counts, played."""
        return next((step for step in self.folded.steps if step.n == n), None)

    def before(self, n: int) -> object:
        """The state in which event n found the game."""
        earlier = [step for step in self.folded.steps if step.n < n]
        return earlier[-1].state if earlier else self.folded.start

    def photo_entry(self, photo: str | None) -> Entry | None:
        """The entry with which a photo came, by its sha256."""
        came = (entry for entry in self.entries.values() if isinstance(entry.event, PhotoRead))
        return next((entry for entry in came if photo and entry.photo == photo), None)

    def photo_of(self, n: int) -> Entry | None:
        """The entry of the photo that an event was read from, or of the last one before it."""
        sha256 = self.entries[n].photo
        photos = [
            e for e in self.entries.values() if isinstance(e.event, PhotoRead) and (e.n <= n or e.photo == sha256)
        ]
        same = [entry for entry in photos if entry.photo == sha256]
        return next(reversed(same or photos), None)


class Book:
    """One game, kept up to date for all who look at it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lock = threading.Lock()
        self._snapshot = Snapshot(game, fold(game.start.edition, game.start.setup, []))

    def read(self, known: int | None = None) -> Snapshot:
        """The game as it is now; one who knows the number of its last event spares the log another question."""
        with self._lock:
            before = self._snapshot
            if known is not None and before.last >= known:
                return before
            if later := self.game.entries(before.last):
                entries = dict(before.entries) | {entry.n: _light(entry) for entry in later}
                read = [entry for entry in later if isinstance(entry.event, PhotoRead) and entry.event.reading]
                shown = read[-1] if read else before.shown
                self._snapshot = Snapshot(self.game, advance(before.folded, later), entries, shown)
            return self._snapshot


def _light(entry: Entry) -> Entry:
    event = entry.event
    return replace(entry, event=replace(event, reading=None)) if isinstance(event, PhotoRead) else entry
