"""The steps that a story can go on by, as far as what is seen does not rule them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.story import Story, is_at_work
from engine import OVER, Edition, EngineError, Table
from engine.table import ALL, Kinds

# Priors, as natural logarithms, beside nothing having happened.
LEGAL = -3.0
"""One legal move of the thirty or so that there are."""
BREACH = -10.5
"""One move that breaks a rule, of the thousands that there are."""
MISSED = -2.0
"""Another move without a look in between."""
SILENT = -1.5
"""Somebody gave up a turn without a mark."""

MOST_TRIED = 1_500
"""So many steps are tried in all for one kind of explanation: where thousands are legal, a bridge takes over."""


def legal_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by each legal move that what is seen does not rule out."""
    return _steps(story, evidence.effort.on(_moves(story, evidence)))


def next_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by what comes next: chance, or a legal move."""
    return drawn_steps(story, evidence) if awaits_chance(story) else legal_steps(story, evidence)


def missed_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by one step that leaves a mark; turns may be given up without a mark before it."""
    for _ in story.state.setup.seats:
        if awaits_chance(story):
            yield from drawn_steps(story, evidence)
            return
        silent: Story | None = None
        moves = _moves(story, evidence)
        for move in evidence.effort.on(moves):
            after = story.then(move, LEGAL, breaks=False)
            if not story.edition.is_pass(move) or not is_unmarked(after.table, story.table):
                yield after
            elif silent is None:
                # Who can do nothing else gives up the turn.
                silent = after.weighing(after.weight - LEGAL + (SILENT + MISSED if len(moves) > 1 else 0.0))
        if silent is None:
            return
        story = silent


def silent_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by turns that are given up without a mark, one after the other: only what follows tells."""
    for _ in range(story.state.setup.players):
        moves = story.edition.moves_seen(story.state, EvidenceGlimpse(evidence, story.edition))
        passes = (move for move in moves if story.edition.is_pass(move))
        unmarked = (story.then(move, SILENT, breaks=False) for move in evidence.effort.on(passes))
        after = next((each for each in unmarked if is_unmarked(each.table, story.table)), None)
        if after is None:
            return
        yield after
        if awaits_chance(after) or after.state.phase == OVER:
            return
        story = after


def unmarked_end(story: Story) -> Story:
    """The story gone on by what leaves no mark, as far as nothing else can follow."""
    return _ended(story) or _forced(story)


def _forced(story: Story) -> Story:
    """The story gone on by moves that leave no mark, as long as nothing else is legal: no look will tell of them."""
    while not awaits_chance(story) and story.state.phase != OVER and not is_at_work(story):
        moves = story.edition.choices(story.state)
        if len(moves) != 1 or len(story.edition.legal_moves(story.state)) != 1:
            break
        after = story.then(moves[0], 0.0, breaks=False)
        if not is_unmarked(after.table, story.table):
            break
        story = after
    return story


def _ended(story: Story) -> Story | None:
    """The story gone on to the end of the game by sweeps that leave no mark: no next filling will tell of them."""
    while is_at_work(story):
        steps = list(_steps(story, story.edition.legal_moves(story.state)))
        if not steps or any(after.table != story.table for after in steps):
            return None
        story = steps[0]
        if story.state.phase == OVER:
            return story
    return None


def drawn_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """Chance as it is observed; where somebody has taken of it since, that take too."""
    for drawn in evidence.effort.on(story.edition.draws(story.state, EvidenceGlimpse(evidence, story.edition))):
        for after in after_move(story, drawn.move, legal=True):
            filled = replace(after, unsettled=None)
            if not drawn.taken:
                yield filled
                continue
            steps = (step for step in legal_steps(filled, evidence) if changes_heap(step, filled, drawn.taken))
            yield from (step.weighing(step.weight + MISSED) for step in steps)


def changes_heap(after: Story, before: Story, heap: str) -> bool:
    """Whether a heap of the table holds other pieces than before."""
    return after.table.common.heaps.get(heap) != before.table.common.heaps.get(heap)


def after_move(story: Story, move: Any, legal: bool) -> Iterator[Story]:
    """The story gone on by a move, unless no hand can make it or it leaves no mark."""
    try:
        after = story.then(move, LEGAL if legal else BREACH, not legal)
    except EngineError:
        # What no hand can do explains nothing.
        return
    # Nor does a turn that is given up without a mark.
    if not story.edition.is_pass(move) or not is_unmarked(after.table, story.table):
        yield after


def _steps(story: Story, moves: Iterable[Any]) -> Iterator[Story]:
    return (after for move in moves for after in after_move(story, move, legal=True))


def _moves(story: Story, evidence: Evidence) -> Sequence[Any]:
    """The legal moves that what is seen does not rule out."""
    return story.edition.moves_seen(story.state, EvidenceGlimpse(evidence, story.edition))


def is_unmarked(after: Table, before: Table) -> bool:
    """Whether what happened changed no cell and no heap; marks on tracks are moved late."""
    pairs = zip(after.parts, before.parts, strict=False)
    return all(new.cells == old.cells and new.heaps == old.heaps for new, old in pairs)


def awaits_chance(story: Story) -> bool:
    """Whether something is drawn next."""
    return story.edition.awaits_chance(story.state)


class EvidenceGlimpse:
    """What a sighting says of heaps, and of cells that belong to all, as an edition asks for it."""

    def __init__(self, evidence: Evidence, edition: Edition[Any, Any]) -> None:
        self._evidence, self._kinds = evidence, (*edition.letters, *edition.cards)

    def heap(self, name: str, size: int, most: int = 1, emptied: str = "", seat: int = ALL) -> list[Kinds]:
        """The likeliest contents of a heap."""
        number = int(emptied.rpartition(".")[2]) if emptied else 0
        return [kinds for kinds, _ in self._evidence.guesses(name, size, most, self._kinds, number, seat)]

    def heaps(self) -> list[Kinds]:
        """The likeliest contents of each of the heaps of which there are several."""
        return self._evidence.laid_out(self._kinds)

    def cell(self, name: str, most: int = 1) -> list[str]:
        """The likeliest kinds in a cell."""
        return [kind for kind, _ in self._evidence.kinds_in(ALL, name)[:most]]


def refill_order(state: Any, evidence: Evidence, edition: Edition[Any, Any]) -> tuple[int, ...] | None:
    """The order in which the discs that are seen must be numbered to be told as a filling, where it is another one."""
    return edition.disc_order(state, EvidenceGlimpse(evidence, edition))
