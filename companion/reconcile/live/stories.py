"""Lists of stories: how each goes on, what nearly all their weight agrees on, and whether anybody may be accused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import exp, inf, log
from typing import Any

from companion.reconcile.live.explain import IN_PROGRESS, POOR, QUIET, Blurred, explain, explain_wrong, stand
from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.steps import BREACH, MOST_TRIED, is_unmarked
from companion.reconcile.live.story import Story, enact
from companion.reconcile.live.unknown import NOT_MADE_UP
from engine import OVER
from engine.moves import Correct, Fill

CERTAIN = 0.985
"""So likely must a legal explanation be to be written down; set by `azul bench live`."""
CERTAIN_BREACH = 0.995
"""The same for one that breaks a rule: nobody is accused lightly."""
LEAST_WEIGHT = -14.0
"""A story that weighs less than this beside the best is forgotten."""
HOPELESS = -9.0
"""A story that weighs so much less than one that explains all is not gone on with."""
NEGLIGIBLE = -6.0
"""A story that weighs so much less than the best does not make it doubtful."""
BLURRED = -2.3
"""A piece that may be another with no less weight than this was seen badly."""
RATHER = 0.5
"""So likely must a filling be that is believed until later looks tell more."""
IN_ORDER = 2
"""Of no more than so many moves without a look in between the order is told: players take turns."""

OUT_OF_TURN = -3.0
"""A move that breaks another rule was made out of turn as well."""
TAKEN_BACK = -5.0

Roots = Mapping[int, Any]
"""By how many of the last events were taken back, the state in which a story then begins."""


def agreed(stories: Sequence[Story], roots: Roots) -> tuple[tuple[Any, ...], float]:
    """As many of the first moves of the best story as nearly all the weight agrees on, and that weight.

    All of them where nearly all the weight leads to the same, in whichever order, or tells the same but for which
    kinds loose pieces were; else its first moves only as far as their order is told.
    """
    best = stories[0]
    accused = rules_broken(best, roots) if any(best.breaks) else frozenset()

    def tells(story: Story, count: int) -> bool:
        if story.undone != best.undone or story.moves[:count] == best.moves[:count]:
            return story.undone == best.undone
        is_all = count == len(best.moves)
        return is_all and is_same(story, best) and (not accused or accused <= rules_broken(story, roots))

    for count in range(len(best.moves), -1, -1):
        moves = best.moves[:count]
        if count < len(best.moves) and best.unseen > IN_ORDER and any(move.seat for move in moves):
            continue
        chance = sum(exp(story.weight) for story in stories if tells(story, count))
        if chance >= (CERTAIN_BREACH if any(best.breaks[:count]) else CERTAIN) and (count or best.undone):
            return moves, chance
    return (), 0.0


def is_filled(stories: Sequence[Story]) -> bool:
    """Whether discs were surely filled, and only which pieces lie there is open: later looks will tell."""
    legal = (story for story in stories if not any(story.breaks))
    fills = [story for story in legal if len(story.moves) == 1 and isinstance(story.moves[0], Fill)]
    chance = sum(exp(story.weight) for story in fills)
    best = exp(stories[0].weight)
    return chance >= CERTAIN and best >= RATHER and len({story.moves[0].supply for story in fills}) == 1


def is_broken(stories: Sequence[Story]) -> bool:
    """Whether some rule was broken, whatever happened of all that is likely: then people are asked."""
    least = stories[0].weight + NEGLIGIBLE
    return all(any(story.breaks) for story in stories if story.weight > least)


def is_over(stories: Sequence[Story]) -> bool:
    """Whether the game has ended, whatever happened of all that is likely."""
    least = stories[0].weight + NEGLIGIBLE
    return all(story.state.phase == OVER for story in stories if story.weight > least)


def rests_on_blur(story: Story, roots: Roots, blurred: Blurred) -> bool:
    """Whether a story breaks a rule by what lies in heaps of which pieces were seen badly: nobody is accused."""
    if max(blurred.values(), default=-inf) < BLURRED:
        return False
    state = roots[story.undone]
    for move, breaks in zip(story.moves, story.breaks, strict=True):
        found = story.edition.violations(state, move) if breaks else []
        if any(story.edition.layout.has_heap(each.cell) for each in found):
            return True
        state = story.edition.settle(enact(story.edition, state, move))
    return False


def legal_by_blur(stories: Sequence[Story]) -> Story | None:
    """The story by which a piece was seen badly, where only a broken rule speaks against it: nobody is accused."""
    legal = [story for story in stories if not any(story.breaks)]
    best = legal[0] if legal else None
    if best is None or not any(isinstance(move, Correct) for move in best.moves) or exp(best.weight) < NOT_MADE_UP:
        return None
    likely = (story for story in legal if story.weight > best.weight + NEGLIGIBLE)
    return best if all(is_same(story, best) for story in likely) else None


def rules_broken(story: Story, roots: Roots) -> frozenset[str]:
    """The rules that a story's moves break."""
    found: set[str] = set()
    root = roots[story.undone]
    for move, breaks in zip(story.moves, story.breaks, strict=True):
        found |= {each.rule for each in story.edition.violations(root, move)} if breaks else set()
        root = story.edition.settle(enact(story.edition, root, move))
    return frozenset(found)


def is_same(story: Story, other: Story) -> bool:
    """Whether stories lead to the same, or tell the same but for their order, or which kinds loose pieces were.

    Also where they differ only in turns that were given up without a mark.
    """
    if story.look == other.look or (story.moves and Counter(story.moves) == Counter(other.moves)):
        return True
    moves, others = ([move for move in each.moves if not isinstance(move, Correct)] for each in (story, other))
    if any((*story.breaks, *other.breaks)) or not moves:
        return False
    made, made_too = ([move for move in told if not story.edition.is_pass(move)] for told in (moves, others))
    return moves == others or (bool(made) and made == made_too and is_unmarked(story.table, other.table))


def lies_alike(story: Story, best: Story) -> bool:
    """Whether a story that is not negligible leads to what lies on the table by the best one, or tells the same.

    They may then differ in what is only counted, such as a turn that was given up or made out of turn.
    """
    if is_same(story, best):
        return True
    is_likely = story.undone == best.undone and story.weight > best.weight + NEGLIGIBLE
    return is_likely and story.state.phase == best.state.phase and is_unmarked(story.table, best.table)


def shortened(story: Story, count: int) -> Story:
    """A story without its first moves, which were written down."""
    return replace(
        story,
        moves=story.moves[count:],
        undone=0,
        breaks=story.breaks[count:],
        judged=max(0, story.judged - count),
        seen=max(0, story.seen - count),
        leap=0,
    )


def is_set_right(story: Story) -> bool:
    """Whether nothing happened in a story but that the game stood otherwise all the time."""
    return not story.undone and all(isinstance(move, Correct) for move in story.moves)


def is_poor(stories: Sequence[Story]) -> bool:
    return likeliest(stories).rest < POOR


def grown_by(stories: Sequence[Story], evidence: Evidence, scale: float) -> list[Story]:
    """Stories gone on; where one explains all as it is, those less likely stay as they are.

    Breaches are many, so they are tried only for stories that no legal step explains, and that are likely enough to
    make what is likeliest doubtful.
    """
    grown: list[Story] = []
    unexplained: list[Story] = []
    most = quiet = -inf
    for story in sorted(stories, key=lambda story: -story.weight):
        if story.weight <= most + HOPELESS:
            break
        stay = stand(story, evidence, scale)
        if stay.rest > QUIET:
            quiet = max(quiet, story.weight)
        # The best story is gone on with in every way.
        left = max(MOST_TRIED - len(grown), 1) if grown else None
        steps = [stay] if story.weight <= quiet else list(islice(explain(story, evidence, scale), left))
        if story.weight > quiet and all(after.rest <= QUIET for after in steps):
            unexplained.append(story)
        grown += steps
        most = max(after.weight for after in grown)
    tried = 0
    for story in unexplained:
        if story.weight + max(IN_PROGRESS, BREACH) > most + NEGLIGIBLE and tried < MOST_TRIED:
            left = MOST_TRIED - tried if tried else None
            wrong = list(explain_wrong(story, evidence, scale, left))
            grown, tried = grown + wrong, tried + len(wrong)
            most = max(after.weight for after in grown)
    return grown


def normal(stories: Sequence[Story]) -> list[Story]:
    """The stories with weights that sum to one, without those that weigh next to nothing."""
    most = max(story.weight for story in stories)
    shift = most + log(sum(exp(story.weight - most) for story in stories))
    return [story.weighing(story.weight - shift) for story in stories if story.weight > most + LEAST_WEIGHT]


def likeliest(stories: Iterable[Story]) -> Story:
    """The best of them; of two that are as likely, the one with less done wrong."""
    return min(stories, key=_by_weight)


def best_first(stories: Iterable[Story], most: int) -> list[Story]:
    """The likeliest stories, each once; what leads to the same is told with as little done wrong as can be."""
    told: dict[Any, Story] = {}
    fewest: dict[Any, int] = {}
    for story in sorted(stories, key=_by_weight):
        ending = story.undone, story.look, len(story.moves)
        if len(story.slips) <= fewest.setdefault(ending, len(story.slips)):
            told.setdefault(story.key, story)
            if len(told) == most:
                break
    return list(told.values())


def in_turn(story: Story, root: Any) -> Story:
    """The story, less likely for each move that breaks a rule and was out of turn too: one thing at a time goes wrong.

    `root` is the state in which it begins. Moves that were weighed so before are not weighed again.
    """
    if not any(story.breaks[story.judged :]):
        return story
    state, extra = root, 0
    for i, (move, breaks) in enumerate(zip(story.moves, story.breaks, strict=True)):
        if breaks and i >= story.judged:
            rules = {each.rule for each in story.edition.violations(state, move)}
            extra += len(rules) > 1 and story.edition.out_of_turn in rules
        state = story.edition.settle(enact(story.edition, state, move))
    return replace(story.weighing(story.weight + extra * OUT_OF_TURN), judged=len(story.moves))


def taken_back(story: Story, past: Iterable[Any]) -> Iterator[Story]:
    """The agreed states before the last events, the latest first, as where the game may stand again."""
    for undone, state in enumerate(past, 1):
        yield Story(story.edition, state, weight=story.weight + undone * TAKEN_BACK, undone=undone)


def _by_weight(story: Story) -> tuple[float, int]:
    return -story.weight, len(story.slips)
