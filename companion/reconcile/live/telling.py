"""The stories of a game after another sighting: the likeliest are tried first, the others only if all else is poor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.reconcile.live.agreed import Agreed
from companion.reconcile.live.counted import PASSED
from companion.reconcile.live.explain import POOR, explain_simply, mixed_up, over_by_scores
from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.outcome import SEEN_OTHERWISE
from companion.reconcile.live.several import explain_several, explain_unseen_wrong
from companion.reconcile.live.steps import MOST_TRIED
from companion.reconcile.live.stories import (
    best_first,
    grown_by,
    in_turn,
    is_poor,
    is_set_right,
    likeliest,
    normal,
    taken_back,
)
from companion.reconcile.live.story import Story
from engine.moves import Correct
from engine.table import ALL

STORIES = 12
SEVERAL = 2
"""So many of the best stories are gone on with by several moves at once."""
BAD_SCORE = -5.0
"""No score that stands otherwise on its track weighs more than this."""
MISCOUNTED = -4.6
"""Somebody else's turn, after several moves without a look in between."""


def grown(agreed: Agreed, stories: Sequence[Story], evidence: Evidence, scale: float) -> list[Story]:
    """Every story gone on in every way that is tried; what is less and less likely only if all else is poor."""
    found = grown_by(stories, evidence, scale)
    if is_poor(found) or any(likeliest(found).breaks):
        # Two legal moves that nobody saw are likelier than one that breaks a rule.
        likely = [*stories[:SEVERAL], *filter(is_set_right, stories[SEVERAL:])]
        each = MOST_TRIED // len(likely)
        found += [after for story in likely for after in explain_several(story, evidence, scale, each)]
    if is_poor(found):
        roots = taken_back(Story(agreed.edition, agreed.state), agreed.past)
        found += [after for story in roots for after in explain_simply(story, evidence, scale)]
    if is_poor(found) or any(likeliest(found).breaks):
        # Nobody is accused of what may be a tile that was misread on its disc.
        found += mixed_up(stories[0], evidence, agreed.blur.swaps, scale)
    if any(likeliest(found).breaks):
        # Nor of acting after a pass that nobody saw.
        for story in _miscounted(agreed):
            found += explain_simply(story, evidence, scale)
    if max(story.rest for story in found) < POOR:
        # A breach that explains all weighs more than one with a move beside it.
        found += explain_unseen_wrong(stories[0], evidence, scale)
    found += over_by_scores(stories[0], evidence, scale)
    return found


def kept(agreed: Agreed, found: Sequence[Story], evidence: Evidence, scale: float) -> list[Story]:
    """The likeliest of the stories that were found, with weights that sum to one."""
    told = (_scored(story, agreed.state, evidence, scale) for story in best_first(found, STORIES))
    return normal(best_first([in_turn(story, agreed.roots[story.undone]) for story in told], STORIES))


def _miscounted(agreed: Agreed) -> Iterator[Story]:
    """Where the game stands if others have passed than it seemed while nobody looked, which leaves no mark."""
    edition, state = agreed.edition, agreed.state
    if not agreed.missed or not (passed := getattr(state, PASSED, ())):
        return
    for way in edition.resumes(state, edition.table(state), 0):
        told = way.numbers.get(PASSED)
        if told is None or str(told).replace(" ", "") == "".join(map(str, passed)):
            continue
        right = Correct(ALL, tuple(way.numbers.items()), SEEN_OTHERWISE)
        yield Story(edition, state).then(right, MISCOUNTED, breaks=False)


def _scored(story: Story, root: Any, evidence: Evidence, scale: float) -> Story:
    """The story weighed by the score tracks as well, where moves were missed in which points were counted.

    Marks are moved late, so one that stands where it stood before says nothing.
    """
    if len(story.moves) < 2:
        return story
    pairs = enumerate(zip(root.scores, story.state.scores, strict=True), 1)
    told = sum(max(evidence.score(seat, old), evidence.score(seat, new), BAD_SCORE) for seat, (old, new) in pairs)
    return story.weighing(story.weight + scale * told)
