"""What may have happened since the game was last agreed on, and how well that explains what is seen now."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.reconcile.likelihood import Evidence, Table, rows
from engine import FILL, OVER, Edition
from engine.moves import Correct
from vision.cells import EMPTY

CROWDED = -8.0
"""Tiles lie on and under each other in the centre, so all of it never weighs more than one clear cell."""
Pair = tuple[tuple[str, str], tuple[str, str]]

AHEAD = -4.0
"""While columns are chosen, hands may have emptied a line or swept a floor before the record says so."""


@dataclass(frozen=True)
class Story:
    """Moves from the last agreed state, where they lead, and the logarithm of how likely that is."""

    edition: Edition[Any, Any, Any]
    state: Any
    moves: tuple[Any, ...] = ()
    weight: float = 0.0
    unsettled: Any = None
    """The state before walls were tiled, where the rules do that in one go and hands do it one by one."""
    undone: int = 0
    """How many of the last events were taken back first."""
    breaks: tuple[bool, ...] = ()
    """For each move whether it breaks a rule."""
    rest: float = 0.0
    """How well it explains the last sighting, apart from how likely it is by itself."""
    slips: tuple[str, ...] = ()
    """What hands did wrong in it."""

    @property
    def is_news(self) -> bool:
        """Whether anything happened in it."""
        return bool(self.moves or self.undone)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other stories: where it leads, and what went wrong on the way; not in which order."""
        return self.undone, self.state, len(self.moves), *self.slips

    @cached_property
    def position(self) -> Any:
        """What lies on the table in the end."""
        return self.edition.position(self.state)

    @cached_property
    def table(self) -> Table:
        """The same as a Table."""
        return self._table_of(self.position)

    @cached_property
    def before(self) -> Any:
        """What lay there before walls were tiled; None where nothing is being tiled in one go."""
        return None if self.unsettled is None else self.edition.position(self.unsettled)

    @cached_property
    def table_before(self) -> Table:
        """The same as a Table."""
        return self._table_of(self.before)

    def _table_of(self, position: Any) -> Table:
        table: Table = self.edition.format_table(position)
        return table

    def then(self, move: Any, prior: float, breaks: bool) -> Story:
        """The story with one more move; a move that no hand can make raises."""
        after = enact(self.edition, self.state, move)
        settled = self.edition.settle(after)
        return Story(
            self.edition,
            settled,
            (*self.moves, move),
            self.weight + prior,
            None if settled is after else after,
            self.undone,
            (*self.breaks, breaks),
            slips=(*self.slips, *(slip.kind for slip in getattr(move, "slips", ()))),
        )

    def weighing(self, weight: float, rest: float | None = None) -> Story:
        """The same story with another weight; it keeps what is known of where it leads, which thousands are asked."""
        other = copy(self)
        vars(other).update(weight=weight, rest=self.rest if rest is None else rest)
        return other


def enact(edition: Edition[Any, Any, Any], state: Any, move: Any) -> Any:
    """The state after a move, or after a correction."""
    if isinstance(move, Correct):
        return edition.correct(state, dict(move.cells), move.seat)
    return edition.enact(state, move)


def boards_fit(story: Story, evidence: Evidence) -> float:
    """How well a story's boards explain a sighting; while walls are tiled each row may or may not be done with."""
    before = story.before.boards if story.before else (is_tiling(story.state),) * len(story.position.boards)
    told = 0.0
    for index, key in enumerate(zip(story.position.boards, before, strict=True)):
        known = evidence.known.get(key)
        if known is None:
            known = evidence.known[key] = _board_fit(story, index, evidence)
        told += known
    return told


def _board_fit(story: Story, index: int, evidence: Evidence) -> float:
    board = story.table["boards"][index]
    if story.before:
        return _tiling_fit(evidence, board, story.table_before["boards"][index], 0.0)
    if is_tiling(story.state):
        return _tiling_fit(evidence, board, _cleared(board), AHEAD)
    return evidence.board(board["seat"], board)


def discs_fit(story: Story, evidence: Evidence) -> float:
    """How well a story's discs do."""
    return sum(evidence.disc(number, tiles) for number, tiles in enumerate(story.position.factories or (), 1))


def centre_fit(story: Story, evidence: Evidence) -> float:
    """How well its centre does; between two rounds the marker may lie there already or not yet."""
    position = story.position
    marker = bool(position.marker_in_centre)
    discs = position.factories or ()
    told = evidence.centre(position.centre or "", marker, discs)
    if story.state.phase in (FILL, OVER):
        told = max(told, evidence.centre(position.centre or "", not marker, discs))
    return max(told, CROWDED)


def fit(story: Story, evidence: Evidence) -> float:
    """How well all of it does."""
    return boards_fit(story, evidence) + discs_fit(story, evidence) + centre_fit(story, evidence)


def is_tiling(state: Any) -> bool:
    """Whether walls are being tiled, by all players at once."""
    return bool(getattr(state, "unswept", ()))


def _cleared(board: Table) -> Table:
    """The board with every full line emptied and its floor swept, as hands may have done ahead of the record."""
    lines = [EMPTY * row if EMPTY not in line else line for row, line in enumerate(board["lines"], 1)]
    return {**board, "lines": lines, "floor": ""}


def _tiling_fit(evidence: Evidence, board: Table, other: Table, prior: float) -> float:
    """The better of two for each row and the floor: hands tile in any order, and a look may fall in between."""
    seat, told = board["seat"], 0.0
    one, two = dict(rows(board)), dict(rows(other))
    for name in one:
        if name.startswith("wall."):
            line = name.replace("wall", "line")
            told += _row_fit(
                evidence, seat, ((name, one[name]), (line, one[line])), ((name, two[name]), (line, two[line])), prior
            )
        elif name == "floor":
            told += max(evidence.row(seat, name, one[name]), evidence.row(seat, name, two[name]) + prior)
    return told


def _row_fit(evidence: Evidence, seat: int, one: Pair, two: Pair, prior: float) -> float:
    """A line and its wall row are done with together; a tile that has left the one for the other is in a hand."""
    (wall, line), (wall_two, line_two) = one, two
    ways = [(wall, line, 0.0)]
    if one != two:
        ways += [(wall_two, line_two, prior), (wall_two, line, AHEAD), (wall, line_two, AHEAD)]
    return max(evidence.row(seat, *a) + evidence.row(seat, *b) + weight for a, b, weight in ways)
