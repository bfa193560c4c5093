"""What may have happened since the game was last agreed on, and how well that explains what is seen now."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.reconcile.live.likelihood import Evidence
from engine import FILL, OVER, Edition, Part, Table, Way
from engine.moves import Correct

CROWDED = -8.0
"""Tiles lie on and under each other in the centre, so all of it never weighs more than one clear cell."""
AHEAD = -4.0
"""While columns are chosen, hands may have emptied a line or swept a floor before the record says so."""


@dataclass(frozen=True)
class Story:
    """Moves from the last agreed state, where they lead, and the logarithm of how likely that is."""

    edition: Edition[Any, Any]
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
    judged: int = 0
    """How many of its moves were weighed by whose turn it was."""
    seen: int = 0
    """How many of its moves there were at the moment before."""
    leap: int = 0
    """The most moves that it tells between two moments before."""

    @property
    def is_news(self) -> bool:
        """Whether anything happened in it."""
        return bool(self.moves or self.undone)

    @property
    def unseen(self) -> int:
        """The most moves that it tells without a look in between; those of chance and passes leave other marks."""
        return max(self.leap, self._made(self.seen))

    def _made(self, first: int) -> int:
        moves = (move for move in self.moves[first:] if move.seat and not isinstance(move, Correct))
        return sum(not self.edition.is_pass(move) for move in moves)

    def at_next_moment(self) -> Story:
        """The story as it is when the table is looked at again after something may have happened."""
        other = copy(self)
        vars(other).update(seen=len(self.moves), leap=self.unseen)
        return other

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other stories: where it leads, and what went wrong on the way; not in which order."""
        return self.undone, self.look, len(self.moves), *self.slips

    @cached_property
    def table(self) -> Table:
        """What lies on the table in the end."""
        return self.edition.table(self.state)

    @cached_property
    def look(self) -> Any:
        """What tells where it leads from elsewhere: the state, or what lies out where cards lie in no order."""
        numbered = self.edition.layout.numbered_heap
        if numbered is None or numbered.counts:
            return self.state
        common = self.table.common
        cards = tuple(sorted(common.numbered.get(numbered.name, {}).values()))
        rest = tuple((name, kinds) for name, kinds in common.heaps.items() if name.partition(".")[0] != numbered.name)
        return self.state.phase, self.state.seat, self.table.boards, cards, rest

    @cached_property
    def before(self) -> Table | None:
        """What lay there before walls were tiled; None where nothing is being tiled in one go."""
        return None if self.unsettled is None else self.edition.table(self.unsettled)

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
            judged=self.judged,
            seen=self.seen,
            leap=self.leap,
        )

    def weighing(self, weight: float, rest: float | None = None) -> Story:
        """The same story with another weight; it keeps what is known of where it leads, which thousands are asked."""
        other = copy(self)
        vars(other).update(weight=weight, rest=self.rest if rest is None else rest)
        return other


def enact(edition: Edition[Any, Any], state: Any, move: Any) -> Any:
    """The state after a move, or after a correction."""
    if isinstance(move, Correct):
        return edition.correct(state, dict(move.cells), move.seat)
    return edition.enact(state, move)


def boards_fit(story: Story, evidence: Evidence) -> float:
    """How well a story's boards explain a sighting; while several people work, each thing may or may not be done."""
    at_work = story.edition.at_work(story.state, story.unsettled)
    if not at_work:
        return sum(map(evidence.board, story.table.parts))
    return sum(_at_work_fit(evidence, part, at_work.get(part.seat, ())) for part in story.table.parts)


def discs_fit(story: Story, evidence: Evidence) -> float:
    """How well a story's discs do."""
    return evidence.discs(story.table)


def centre_fit(story: Story, evidence: Evidence) -> float:
    """How well its middle does; between two rounds the marker may lie there already or not yet."""
    told = evidence.middle(story.table)
    if story.state.phase in (FILL, OVER):
        told = max(told, evidence.middle(story.table, flipped=True))
    return max(told, CROWDED)


def fit(story: Story, evidence: Evidence) -> float:
    """How well all of it does."""
    return boards_fit(story, evidence) + discs_fit(story, evidence) + centre_fit(story, evidence)


def is_at_work(story: Story) -> bool:
    """Whether several people act at once, in an order that a record does not tell."""
    return bool(story.edition.at_work(story.state, None))


def _at_work_fit(evidence: Evidence, part: Part, groups: Sequence[Sequence[Way]]) -> float:
    """A board with the likeliest way for each group of cells that somebody may be at work on."""
    known = evidence.known.get((part, groups))
    if known is None:
        open_ = {cell for group in groups for cell in group[0].cells}
        known = evidence.cells(part.seat, {cell: kind for cell, kind in part.cells.items() if cell not in open_})
        for group in groups:
            known += max(evidence.cells(part.seat, way.cells) + (AHEAD if way.ahead else 0.0) for way in group)
        evidence.known[part, groups] = known
    return known
