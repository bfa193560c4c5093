"""What may have happened between a story and a sighting: every step that hands can take, weighed by what is seen.

A take leaves its marks in three places that hardly overlap: the disc that lost its tiles, the board that got them, and
the centre. So plain moves are tried first; only those that explain discs and boards well are tried with something done
wrong in them, or with another move after them. That keeps a look at hundreds of moves, not at hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from companion.reconcile.live.likelihood import HARDLY, Evidence
from companion.reconcile.live.marks import CONTRADICTS, right_scores
from companion.reconcile.live.outcome import SEEN_OTHERWISE
from companion.reconcile.live.steps import (
    LEGAL,
    MOST_TRIED,
    EvidenceGlimpse,
    after_move,
    awaits_chance,
    changes_heap,
    drawn_steps,
    legal_steps,
    next_steps,
    silent_steps,
)
from companion.reconcile.live.story import Story, boards_fit, centre_fit, discs_fit, fit
from engine import OVER, EngineError
from engine.moves import Correct, plain
from engine.table import MARKER, Kinds, kinds_of

# Priors, as natural logarithms, beside nothing having happened.
LATE_MARK = -4.0
"""What giving up a turn costs is not shown by the mark yet."""
IN_PROGRESS = -8.0
"""Hands have begun a move and not ended it: tiles taken and not yet laid, the rest not yet pushed."""
FILLING = -1.0
"""Discs are being filled."""
MISDRAWN = LEGAL + HARDLY
"""Chance did what it should, and a piece of that was misread: so one misread piece is no accusation."""
MIXED_UP = -12.5
"""A loose tile was taken for another kind all the time."""

QUIET = -2.5
"""What explains a sighting as well as this needs no other explanation: any move changes more."""
POOR = -7.5
"""Where no single move explains a sighting better than this, two in a row are tried."""
BASES = 40
"""So many plain moves, the best by discs and then by boards, are tried with something done wrong."""
BASES_BY_BOARDS = 12
"""So many more, the best by boards: a disc whose rest was not pushed looks as if nobody had touched it."""
GONE = -9.0
"""A disc that is seen like this has lost its tiles."""

Blurred = Mapping[tuple[str, str], float]
"""For loose pieces that were not surely told: the kind told, another kind, and the logarithm of how much less likely
the other is."""


def explain(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by one legal step or none, in every way, each with the weight that the sighting gives it."""
    stay = fit(story, evidence)
    if stay > QUIET or story.state.phase == OVER:
        yield weighed(story, stay, scale)
    elif awaits_chance(story):
        fills = [(after, fit(after, evidence)) for after in drawn_steps(story, evidence)]
        yield weighed(story, stay if fills else max(stay, boards_fit(story, evidence) + FILLING), scale)
        yield from (weighed(after, rest, scale) for after, rest in fills)
    else:
        yield from explain_simply(story, evidence, scale)


def explain_wrong(
    story: Story, evidence: Evidence, scale: float = 1.0, most_tried: int | None = None
) -> Iterator[Story]:
    """The story gone on by a step that breaks a rule, or by one that is not over yet; no more than `most_tried`."""
    tried = one_wrong_move(story, evidence, most_tried)
    unfinished = [_unfinished(each, evidence) for each in tried if _may_go_on(each.story)]
    if unfinished:
        yield weighed(story, max(unfinished) + IN_PROGRESS, scale)
    if tried:
        yield from _misdrawn(story, evidence, scale)
    yield from (weighed(each.story, each.rest, scale) for each in tried)


def _misdrawn(story: Story, evidence: Evidence, scale: float) -> Iterator[Story]:
    """The story as it is where chance is awaited, as likely as that what it brought was misread."""
    if awaits_chance(story):
        yield story.weighing(story.weight + scale * MISDRAWN, fit(story, evidence))


def stand(story: Story, evidence: Evidence, scale: float = 1.0) -> Story:
    """The story as it is."""
    return weighed(story, fit(story, evidence), scale)


def explain_simply(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by one legal step or none."""
    yield stand(story, evidence, scale)
    for after in legal_steps(story, evidence):
        yield weighed(after, fit(after, evidence), scale)
    for silent in silent_steps(story, evidence):
        marks = _marks_fit(silent, story, evidence)
        for after in next_steps(silent, evidence):
            yield weighed(after, fit(after, evidence) + marks, scale)


def over_by_scores(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on to the end of the game by turns given up without a mark, where marks show the end's scores."""
    seats = story.state.setup.seats
    now = sum(evidence.score(seat, score) for seat, score in zip(seats, story.state.scores, strict=True))
    if now > CONTRADICTS or awaits_chance(story) or story.state.phase == OVER:
        return
    for after in silent_steps(story, evidence):
        if after.state.phase == OVER:
            rights = zip(*(right_scores(story.edition, after.state, seat) for seat in seats), strict=True)
            shown = max(sum(map(evidence.score, seats, scores)) for scores in rights)
            rest = fit(after, evidence)
            yield after.weighing(after.weight + scale * (rest + shown - now), rest)


def mixed_up(story: Story, evidence: Evidence, blurred: Blurred, scale: float = 1.0) -> Iterator[Story]:
    """The story with loose tiles of other kinds, then taken: only what lies on a board tells what they really were."""
    numbered, middle = story.edition.layout.numbered_heap, story.edition.layout.free_heap
    discs = evidence.discs_of(story.table)
    # Cards that come and go are told by what lies on them, not by their numbers.
    heaps = {f"{numbered.name}.{n}": kinds for n, kinds in discs.items()} if numbered and numbered.counts else {}
    gone = {name: kinds for name, kinds in heaps.items() if kinds and evidence.disc(_number(name), kinds) < GONE}
    if middle and (blurred or not gone):
        gone[middle.name] = tuple(kind for kind in evidence.middle_of(story.table) or () if kind != MARKER)
    for name, kinds in gone.items():
        others = _otherwise(kinds, tuple(story.edition.letters), blurred)
        each = MOST_TRIED // (len(gone) * max(len(others), 1))
        for other, prior in others.items():
            for before in _corrected(story, name, other, prior):
                tried = islice(legal_steps(before, evidence), each)
                steps = (after for after in tried if changes_heap(after, before, name))
                yield from (weighed(after, fit(after, evidence), scale) for after in steps)


def weighed(story: Story, rest: float, scale: float) -> Story:
    """The story with how well it explains a sighting added to its weight."""
    return story.weighing(story.weight + scale * rest, rest)


def _marks_fit(after: Story, before: Story, evidence: Evidence) -> float:
    """How well marks show what was paid for turns that left no other mark; after a round all may be moved late."""
    if awaits_chance(after) or after.state.phase == OVER:
        return 0.0
    changed = zip(after.state.setup.seats, after.state.scores, before.state.scores, strict=True)
    return sum(max(evidence.score(seat, now), LATE_MARK) for seat, now, was in changed if now != was)


def _unfinished(tried: _Tried, evidence: Evidence) -> float:
    """How well a move that is not over explains a sighting: walls are not tiled before it is."""
    before = tried.story.unsettled
    return tried.rest if before is None else fit(replace(tried.story, state=before, unsettled=None), evidence)


def _may_go_on(story: Story) -> bool:
    return any(slip.kind in story.edition.in_hand for slip in getattr(story.moves[-1], "slips", ()))


def one_wrong_move(story: Story, evidence: Evidence, most_tried: int | None = None) -> list[_Tried]:
    """Every move that breaks a rule, and the best moves of all with one thing done wrong in them.

    Of each kind no more than `most_tried` are tried, if that is given.
    """
    if not evidence.effort.left:
        return []
    seen = list(story.edition.seen_breaches(story.state, EvidenceGlimpse(evidence, story.edition)))
    if awaits_chance(story) or story.state.phase == OVER:
        steps = (after for move in evidence.effort.on(seen) for after in after_move(story, move, legal=False))
        wrong = (replace(after, unsettled=None) for after in steps)
        return [_Tried.of(after, evidence) for after in wrong]
    legal = [_Tried.of(after, evidence) for after in islice(legal_steps(story, evidence), most_tried)]
    known = {*story.edition.legal_moves(story.state)}
    moves = [move for move in (*seen, *story.edition.pseudo_moves(story.state)) if move not in known]
    plainly = (move for move in moves if not _slips(move))
    wrong = (after for move in evidence.effort.on(plainly) for after in after_move(story, move, legal=False))
    tried = [_Tried.of(after, evidence) for after in islice(wrong, most_tried)]
    best = _bases([*legal, *tried])
    # Where a move is nothing without what was done wrong in it, that is all that shows.
    shown = {each.story.moves[-1] for each in (*legal, *tried)}
    slipped = (move for move in moves if _slips(move) and (plain(move) in best or plain(move) not in shown))
    wrong = (after for move in evidence.effort.on(slipped) for after in after_move(story, move, legal=False))
    return tried + [_Tried.of(after, evidence) for after in islice(wrong, most_tried)]


class _Tried(NamedTuple):
    """A story with how well it explains a sighting, part by part."""

    story: Story
    discs: float
    boards: float
    rest: float

    @classmethod
    def of(cls, story: Story, evidence: Evidence) -> _Tried:
        discs, boards = discs_fit(story, evidence), boards_fit(story, evidence)
        return cls(story, discs, boards, discs + boards + centre_fit(story, evidence))


def _bases(tried: Iterable[_Tried]) -> set[Any]:
    """The plain moves to try with something done wrong: those whose disc is right, then those whose board is."""
    by_discs = sorted(tried, key=lambda each: (-each.discs, -each.boards))
    by_boards = sorted(by_discs, key=lambda each: -each.boards)
    return {each.story.moves[-1] for each in (*by_discs[:BASES], *by_boards[:BASES_BY_BOARDS])}


def _slips(move: Any) -> tuple[Any, ...]:
    return getattr(move, "slips", ())


def _otherwise(kinds: Kinds, known: Kinds, blurred: Blurred) -> dict[Kinds, float]:
    """The heaps that differ in one piece, or in several that were seen badly, with how likely each is."""
    found: dict[Kinds, float] = {kinds: 0.0}
    for i, kind in enumerate(kinds):
        swaps = [(*kinds[:i], other, *kinds[i + 1 :]) for other in known]
        found |= {kinds_of(swap): MIXED_UP for swap in swaps if kinds_of(swap) not in found}
        for (told, other), chance in blurred.items():
            if told == kind:
                for held, prior in list(found.items()):
                    if prior > MIXED_UP and kind in held:
                        swap = kinds_of(_swapped(held, kind, other))
                        found[swap] = max(found.get(swap, MIXED_UP), prior + chance)
    del found[kinds]
    return found


def _swapped(kinds: Kinds, old: str, new: str) -> Kinds:
    at = kinds.index(old)
    return (*kinds[:at], new, *kinds[at + 1 :])


def _number(heap: str) -> int:
    return int(heap.rpartition(".")[2])


def _corrected(story: Story, heap: str, kinds: Kinds, prior: float) -> Iterator[Story]:
    try:
        yield story.then(Correct(0, ((heap, story.edition.written(kinds)),), SEEN_OTHERWISE), prior, breaks=False)
    except EngineError:
        # There are not so many tiles of that kind.
        return
