"""What the table's page shows, made from a game's snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.dashboard.drawing.boards import BoardDrawing, beside, own_drawings, shared_drawings
from companion.dashboard.snapshot import Snapshot
from companion.scores import Score, Standing
from engine import Edition, Outlook, ScoreLine, Table
from engine.score import total
from engine.table import MARKER


@dataclass(frozen=True)
class PlayerView:
    """A player's place: board, score and what the board would bring."""

    seat: int
    drawings: tuple[BoardDrawing, ...]
    """Its boards."""
    beside: tuple[tuple[str, tuple[str, ...]], ...]
    """The heaps that lie beside them."""
    score: Score
    """What counts: with the bonuses once the game is over."""
    track: Score
    """Without them."""
    outlook: Outlook
    is_turn: bool
    has_marker: bool
    """Whether this player holds the first player's marker, and no board shows it."""
    is_winner: bool
    bonus: int | None = None
    """What the end of the game brought, once it is over."""


@dataclass(frozen=True)
class Heaps:
    """Heaps of one kind."""

    name: str
    on_discs: bool
    is_row: bool
    """Whether there are several, told apart by numbers."""
    heaps: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class TableView:
    """A table for everybody to see."""

    snapshot: Snapshot

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.snapshot.folded.state

    @property
    def edition(self) -> Edition[Any, Any]:
        """What is played."""
        return self.snapshot.folded.edition

    @cached_property
    def table(self) -> Table:
        """What lies there."""
        return self.edition.table(self.state)

    @property
    def standing(self) -> Standing:
        """The scores, and the result once the game is over."""
        return self.snapshot.ledger.last

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.standing.over

    @cached_property
    def stands_still(self) -> bool:
        """Whether play can never bring the game to its end any more."""
        return self.edition.standstill(self.state) is not None

    @cached_property
    def may_end(self) -> bool:
        """Whether people may end a game that stands still now."""
        return self.edition.ending(self.state) is not None

    @cached_property
    def places(self) -> list[PlayerView]:
        """Every player's place, in seat order."""
        outlooks = {outlook.seat: outlook for outlook in self.edition.outlook(self.table)}
        bonuses = self.edition.bonuses(self.state) if self.standing.over else []
        return [self._place(seat, outlooks[seat], bonuses) for seat in self.state.setup.seats]

    def _place(self, seat: int, outlook: Outlook, bonuses: list[ScoreLine]) -> PlayerView:
        state, now, part = self.state, self.standing, self.table.part(seat)
        drawings = tuple(own_drawings(self.edition, state.setup, part))
        shown = any(spot.kind == MARKER for drawing in drawings for spot in drawing.spots)
        return PlayerView(
            seat,
            drawings,
            tuple(beside(self.edition.layout, part)),
            now.scores[seat - 1],
            now.track[seat - 1],
            outlook,
            state.seat == seat and not now.over,
            self.edition.holder(state) == seat and not shown,
            seat in now.winners,
            total(line for line in bonuses if line.seat == seat) if now.over else None,
        )

    @cached_property
    def shared(self) -> list[BoardDrawing]:
        """The boards that belong to all."""
        return shared_drawings(self.edition, self.state.setup, self.table)

    @cached_property
    def heaps(self) -> list[Heaps]:
        """The heaps in the middle of the table, those of one kind together."""
        found, lying = [], self.table.common.heaps
        for heap in self.edition.layout.heaps:
            names = [name for name in lying if name.startswith(f"{heap.name}.")] if heap.numbered else [heap.name]
            there = tuple((name, lying[name]) for name in names if name in lying)
            if not heap.each:
                found.append(Heaps(heap.name, bool(heap.on), heap.numbered, there))
        return found

    @property
    def numbers(self) -> list[tuple[str, int]]:
        """The numbers that are known of the table though no track tells them; whose the marker is stands elsewhere."""
        edition, tracks = self.edition, self.table.common.tracks
        told = ((edition.corrected_as.get(name, name), tracks.get(name)) for name in edition.layout.numbers)
        return [(name, number) for name, number in told if number is not None and name not in ("round", "marker")]


def rounds(snapshot: Snapshot, seat: int) -> list[tuple[int, list[ScoreLine]]]:
    """The points that a seat has made, by the round in which they came."""
    found: dict[int, list[ScoreLine]] = {}
    for round_, line in _lines(snapshot):
        if line.seat == seat:
            found.setdefault(round_, []).append(line)
    return list(found.items())


def _lines(snapshot: Snapshot) -> Iterator[tuple[int, ScoreLine]]:
    before = snapshot.folded.start
    for step in snapshot.folded.steps:
        for line in step.lines:
            yield max(before.round, 1), line
        before = step.state
