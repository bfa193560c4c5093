"""What the table's page shows, made from a game's snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.dashboard.boards import Drawing, draw_board
from companion.dashboard.book import Snapshot
from companion.scores import Score, Standing
from engine import Outlook, ScoreLine
from engine.score import total


@dataclass(frozen=True)
class Place:
    """A player's place: board, score and what the board would bring."""

    seat: int
    drawing: Drawing
    score: Score
    """What counts: with the bonuses once the game is over."""
    track: Score
    """Without them."""
    outlook: Outlook
    is_turn: bool
    has_marker: bool
    is_winner: bool
    bonus: int | None = None
    """What the end of the game brought, once it is over."""


@dataclass(frozen=True)
class TableView:
    """A table for everybody to see."""

    snapshot: Snapshot

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.snapshot.folded.state

    @cached_property
    def table(self) -> dict[str, Any]:
        """What lies there."""
        edition = self.snapshot.folded.edition
        return edition.format_table(edition.table(self.state))

    @property
    def standing(self) -> Standing:
        """The scores, and the result once the game is over."""
        return self.snapshot.ledger.last

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.standing.over

    @cached_property
    def places(self) -> list[Place]:
        """Every player's place, in seat order."""
        edition, state = self.snapshot.folded.edition, self.state
        outlooks = {outlook.seat: outlook for outlook in edition.outlook(edition.table(state))}
        now = self.standing
        bonuses = edition.bonuses(state) if now.over else []
        boards = {board["seat"]: board for board in self.table["boards"]}
        return [
            Place(
                seat,
                draw_board(boards[seat], state.setup),
                now.scores[seat - 1],
                now.track[seat - 1],
                outlooks[seat],
                state.seat == seat and not now.over,
                getattr(state, "marker", 0) == seat,
                seat in now.winners,
                total(line for line in bonuses if line.seat == seat) if now.over else None,
            )
            for seat in state.setup.seats
        ]

    @property
    def discs(self) -> list[str]:
        """The tiles of each factory."""
        return [disc["tiles"] for disc in self.table.get("factories", [])]

    @property
    def centre(self) -> list[str]:
        """The tiles in the middle, with the marker."""
        centre = self.table.get("centre", {})
        return [*(["1"] if centre.get("first_player") else []), *centre.get("tiles", "")]

    @property
    def middle(self) -> list[str]:
        """Tiles that lie in a supply or a display, where an edition has one."""
        display = self.table.get("display", [])
        shown = [tile for stack in display for tile in (stack.get("tiles") or [stack.get("hex", "")]) if tile]
        return [tile for tile in [*self.table.get("supply", ""), *shown] if tile != "."]


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
