"""What may have happened between a story and a sighting in several steps, of which nobody saw the first ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from math import inf
from typing import NamedTuple

from companion.reconcile.live.explain import QUIET, explain_wrong, one_wrong_move, weighed
from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.steps import (
    LEGAL,
    MISSED,
    MOST_TRIED,
    awaits_chance,
    legal_steps,
    missed_steps,
    next_steps,
)
from companion.reconcile.live.story import Story, boards_fit, centre_fit, discs_fit, fit, is_at_work

FIRSTS = 9
"""So many stories, the best by discs and boards, are gone on with by another move that nobody saw."""
PASSES = 6
"""So many more that end with a pass: tiles kept have moved on once discs are filled, so several look alike."""
MOST_MISSED = 12
"""No more moves than this are tried in a row."""
MOST_IN_VAIN = 1
"""So many moves in a row may bring a story no nearer to what is seen."""
UNSEEN = 4
"""So many first moves are tried where one of two breaks a rule."""
MOST_TRIED_WRONG = 800
"""So many moves of each kind are tried at the most where one of two breaks a rule."""
MOST_AFTER_LEGAL = 3_000
"""So many that break a rule are tried in all after a legal one."""


def explain_several(
    story: Story, evidence: Evidence, scale: float = 1.0, most_tried: int = MOST_TRIED
) -> Iterator[Story]:
    """The story gone on by legal steps one after the other, and by all that hands did to walls and discs.

    The best stories so far are gone on with until one explains the sighting, or none comes nearer to it, or
    `most_tried` steps were tried.
    """
    firsts = [_Near.of(after, evidence) for after in islice(missed_steps(story, evidence), most_tried)]
    best, nearest, vain, left = _firsts(firsts), -inf, 0, most_tried - len(firsts) // FIRSTS
    for _ in range(MOST_MISSED):
        each = left // max(len(best), 1)
        further = (after for first in best for after in islice(missed_steps(first.story, evidence), each))
        steps = [_Near.of(after.weighing(after.weight + MISSED), evidence) for after in further]
        left -= len(steps)
        told = [weighed(after.story, after.fit + centre_fit(after.story, evidence), scale) for after in steps]
        yield from told
        best = _firsts(steps)
        now = max((after.fit for after in best), default=-inf)
        vain = 0 if now > nearest - QUIET else vain + 1
        nearest = max(nearest, now)
        if vain > MOST_IN_VAIN or not best or left < len(best) or any(after.rest > QUIET for after in told):
            break
    if tiled := _tiled(story, evidence):
        yield weighed(tiled, fit(tiled, evidence), scale)


def explain_unseen_wrong(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by a legal step and one that breaks a rule, in either order, without a look in between."""
    left = MOST_AFTER_LEGAL
    legal = () if awaits_chance(story) else islice(legal_steps(story, evidence), MOST_TRIED_WRONG)
    for first in _best((_Near.of(after, evidence) for after in legal), UNSEEN):
        after_first = list(explain_wrong(first.story, evidence, scale, min(left, MOST_TRIED_WRONG)))
        yield from (after.weighing(after.weight + MISSED) for after in after_first)
        left = max(left - len(after_first), 0)
    tried = one_wrong_move(story, evidence, MOST_TRIED_WRONG)
    wrong = sorted(tried, key=lambda each: -each.boards - each.discs)[:UNSEEN]
    steps = (islice(next_steps(each.story, evidence), MOST_TRIED_WRONG // UNSEEN) for each in wrong)
    for after in chain.from_iterable(steps):
        yield weighed(after.weighing(after.weight + MISSED), fit(after, evidence), scale)


class _Near(NamedTuple):
    """A story with how near its boards come to what is seen, and its boards and discs together."""

    story: Story
    boards: float
    fit: float

    @classmethod
    def of(cls, story: Story, evidence: Evidence) -> _Near:
        boards = boards_fit(story, evidence)
        return cls(story, boards, boards + discs_fit(story, evidence))

    @property
    def is_passed(self) -> bool:
        """Whether it ends with a turn that was given up."""
        return self.story.edition.is_pass(self.story.moves[-1])


def _best(stories: Iterable[_Near], most: int) -> list[_Near]:
    """The best by discs and boards, and the best by boards alone: the centre only comes right with the last move."""
    told = list({each.story.key: each for each in sorted(stories, key=lambda each: each.story.weight)}.values())
    near = sorted(told, key=lambda each: -each.fit)
    boards = sorted(near[most:], key=lambda each: -each.boards)
    return near[:most] + boards[:most]


def _firsts(stories: Sequence[_Near]) -> list[_Near]:
    """The best to go on with; those that end with a pass are chosen apart, since no more is done after it."""
    others = [each for each in stories if not each.is_passed]
    return _best(others, FIRSTS) + _best([each for each in stories if each.is_passed], PASSES)


def _tiled(story: Story, evidence: Evidence) -> Story | None:
    """While walls are tiled, every legal step that brings a board nearer to what is seen, one after the other.

    Boards and rows do not depend on each other, so the best step now is never wrong later.
    """
    now, best = story, boards_fit(story, evidence)
    while is_at_work(now):
        nearer = max(legal_steps(now, evidence), key=lambda after: boards_fit(after, evidence), default=None)
        if nearer is None or boards_fit(nearer, evidence) <= best - QUIET:
            break
        now, best = nearer.weighing(nearer.weight - LEGAL), boards_fit(nearer, evidence)
    return now.weighing(now.weight + LEGAL + MISSED) if len(now.moves) > len(story.moves) + 1 else None
