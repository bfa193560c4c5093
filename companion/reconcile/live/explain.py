"""What may have happened between a story and a sighting: every step that hands can take, weighed by what is seen.

A take leaves its marks in three places that hardly overlap: the disc that lost its tiles, the board that got them, and
the centre. So plain moves are tried first; only those that explain discs and boards well are tried with something done
wrong in them, or with another move after them. That keeps a look at hundreds of moves, not at hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import inf
from typing import Any, NamedTuple

from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.marks import CONTRADICTS, right_scores
from companion.reconcile.live.outcome import SEEN_OTHERWISE
from companion.reconcile.live.story import Story, boards_fit, centre_fit, discs_fit, enact, fit, is_at_work
from engine import OVER, Edition, EngineError, Table
from engine.moves import Correct, plain
from engine.table import ALL, MARKER, Kinds, kinds_of

# Priors, as natural logarithms, beside nothing having happened.
LEGAL = -3.0
"""One legal move of the thirty or so that there are."""
BREACH = -10.5
"""One move that breaks a rule, of the thousands that there are."""
OUT_OF_TURN = -3.0
"""A move that breaks another rule was made out of turn as well."""
MISSED = -2.0
"""Another move without a look in between."""
SILENT = -1.5
"""Somebody gave up a turn without a mark."""
LATE_MARK = -4.0
"""What giving up a turn costs is not shown by the mark yet."""
TAKEN_BACK = -5.0
IN_PROGRESS = -8.0
"""Hands have begun a move and not ended it: tiles taken and not yet laid, the rest not yet pushed."""
FILLING = -1.0
"""Discs are being filled."""
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
FIRSTS = 9
"""So many stories, the best by discs and boards, are gone on with by another move that nobody saw."""
PASSES = 6
"""So many more that end with a pass: tiles kept have moved on once discs are filled, so several look alike."""
MOST_MISSED = 12
"""No more moves than this are tried in a row."""
MOST_TRIED = 6_000
"""So many further moves are tried in all, the best first: where thousands are legal, a bridge takes over."""
MOST_IN_VAIN = 1
"""So many moves in a row may bring a story no nearer to what is seen."""
UNSEEN = 4
"""So many first moves are tried where one of two breaks a rule."""
GONE = -9.0
"""A disc that is seen like this has lost its tiles."""


Blurred = Mapping[tuple[str, str], float]
"""For loose pieces that were not surely told: the kind told, another kind, and the logarithm of how much less likely
the other is."""


def explain(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by one legal step or none, in every way, each with the weight that the sighting gives it."""
    stay = fit(story, evidence)
    if stay > QUIET or story.state.phase == OVER:
        yield _weighed(story, stay, scale)
    elif _awaits_chance(story):
        fills = [(after, fit(after, evidence)) for after in _drawn(story, evidence)]
        yield _weighed(story, stay if fills else max(stay, boards_fit(story, evidence) + FILLING), scale)
        yield from (_weighed(after, rest, scale) for after, rest in fills)
    else:
        yield from explain_simply(story, evidence, scale)


def explain_wrong(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by a step that breaks a rule, or by one that is not over yet."""
    if _awaits_chance(story) or story.state.phase == OVER:
        return
    tried = _one_move(story, evidence)
    unfinished = [_unfinished(each, evidence) for each in tried if _may_go_on(each.story)]
    if unfinished:
        yield _weighed(story, max(unfinished) + IN_PROGRESS, scale)
    yield from (_weighed(each.story, each.rest, scale) for each in tried)


def stand(story: Story, evidence: Evidence, scale: float = 1.0) -> Story:
    """The story as it is."""
    return _weighed(story, fit(story, evidence), scale)


def explain_simply(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by one legal step or none."""
    yield stand(story, evidence, scale)
    for after in _legal_steps(story, evidence):
        yield _weighed(after, fit(after, evidence), scale)
    for silent in _silent(story, evidence):
        marks = _marks_fit(silent, story, evidence)
        for after in _next_steps(silent, evidence):
            yield _weighed(after, fit(after, evidence) + marks, scale)


def explain_several(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by legal steps one after the other, and by all that hands did to walls and discs.

    The best stories so far are gone on with until one explains the sighting, or none comes nearer to it.
    """
    firsts = islice(_missed_steps(story, evidence), MOST_TRIED)
    best, nearest, vain, left = _firsts(firsts, evidence), -inf, 0, MOST_TRIED
    for _ in range(MOST_MISSED):
        further = (after for first in best for after in _missed_steps(first, evidence))
        steps = [after.weighing(after.weight + MISSED) for after in islice(further, left)]
        left -= len(steps)
        told = [_weighed(after, fit(after, evidence), scale) for after in steps]
        yield from told
        best = _firsts(steps, evidence)
        now = max((_nearness(after, evidence) for after in best), default=-inf)
        vain = 0 if now > nearest - QUIET else vain + 1
        nearest = max(nearest, now)
        if vain > MOST_IN_VAIN or not best or not left or any(after.rest > QUIET for after in told):
            break
    if tiled := _tiled(story, evidence):
        yield _weighed(tiled, fit(tiled, evidence), scale)


def explain_unseen_wrong(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on by a legal step and one that breaks a rule, in either order, without a look in between."""
    if _awaits_chance(story) or story.state.phase == OVER:
        return
    for first in _best(_legal_steps(story, evidence), evidence, UNSEEN):
        yield from (after.weighing(after.weight + MISSED) for after in explain_wrong(first, evidence, scale))
    wrong = sorted(_one_move(story, evidence), key=lambda each: -each.boards - each.discs)[:UNSEEN]
    for after in (after for each in wrong for after in _next_steps(each.story, evidence)):
        yield _weighed(after.weighing(after.weight + MISSED), fit(after, evidence), scale)


def _next_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    return _drawn(story, evidence) if _awaits_chance(story) else _legal_steps(story, evidence)


def _missed_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by one step that leaves a mark; turns may be given up without a mark before it."""
    for _ in story.state.setup.seats:
        if _awaits_chance(story):
            yield from _drawn(story, evidence)
            return
        silent: Story | None = None
        moves = _moves(story, evidence)
        for move in moves:
            after = story.then(move, LEGAL, breaks=False)
            if not story.edition.is_pass(move) or not is_unmarked(after.table, story.table):
                yield after
            elif silent is None:
                # Who can do nothing else gives up the turn.
                silent = after.weighing(after.weight - LEGAL + (SILENT + MISSED if len(moves) > 1 else 0.0))
        if silent is None:
            return
        story = silent


def _legal_steps(story: Story, evidence: Evidence) -> Iterator[Story]:
    return _steps(story, _moves(story, evidence))


def _moves(story: Story, evidence: Evidence) -> Sequence[Any]:
    """The legal moves that what is seen does not rule out."""
    return story.edition.moves_seen(story.state, EvidenceGlimpse(evidence, story.edition))


def _steps(story: Story, moves: Iterable[Any]) -> Iterator[Story]:
    return (after for move in moves for after in _after(story, move, legal=True))


def _silent(story: Story, evidence: Evidence) -> Iterator[Story]:
    """The story gone on by turns that are given up without a mark, one after the other: only what follows tells."""
    for _ in range(story.state.setup.players):
        moves = story.edition.moves_seen(story.state, EvidenceGlimpse(evidence, story.edition))
        passes = (move for move in moves if story.edition.is_pass(move))
        unmarked = (story.then(move, SILENT, breaks=False) for move in passes)
        after = next((each for each in unmarked if is_unmarked(each.table, story.table)), None)
        if after is None:
            return
        yield after
        if _awaits_chance(after) or after.state.phase == OVER:
            return
        story = after


def _marks_fit(after: Story, before: Story, evidence: Evidence) -> float:
    """How well marks show what was paid for turns that left no other mark; after a round all may be moved late."""
    if _awaits_chance(after) or after.state.phase == OVER:
        return 0.0
    changed = zip(after.state.setup.seats, after.state.scores, before.state.scores, strict=True)
    return sum(max(evidence.score(seat, now), LATE_MARK) for seat, now, was in changed if now != was)


def is_unmarked(after: Table, before: Table) -> bool:
    """Whether what happened changed no cell and no heap; marks on tracks are moved late."""
    pairs = zip(after.parts, before.parts, strict=False)
    return all(new.cells == old.cells and new.heaps == old.heaps for new, old in pairs)


def _weighed(story: Story, rest: float, scale: float) -> Story:
    return story.weighing(story.weight + scale * rest, rest)


def _unfinished(tried: _Tried, evidence: Evidence) -> float:
    """How well a move that is not over explains a sighting: walls are not tiled before it is."""
    before = tried.story.unsettled
    return tried.rest if before is None else fit(replace(tried.story, state=before, unsettled=None), evidence)


def _may_go_on(story: Story) -> bool:
    return any(slip.kind in story.edition.in_hand for slip in getattr(story.moves[-1], "slips", ()))


def _one_move(story: Story, evidence: Evidence) -> list[_Tried]:
    """Every move that breaks a rule, and the best moves of all with one thing done wrong in them."""
    legal = [_Tried.of(after, evidence) for after in _legal_steps(story, evidence)]
    known = {*story.edition.legal_moves(story.state)}
    moves = [move for move in story.edition.pseudo_moves(story.state) if move not in known]
    wrong = (after for move in moves if not _slips(move) for after in _after(story, move, legal=False))
    tried = [_Tried.of(after, evidence) for after in wrong]
    best = _bases([*legal, *tried])
    # Where a move is nothing without what was done wrong in it, that is all that shows.
    shown = {each.story.moves[-1] for each in (*legal, *tried)}
    slipped = (move for move in moves if _slips(move) and (plain(move) in best or plain(move) not in shown))
    wrong = (after for move in slipped for after in _after(story, move, legal=False))
    return tried + [_Tried.of(after, evidence) for after in wrong]


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


def _after(story: Story, move: Any, legal: bool) -> Iterator[Story]:
    try:
        after = story.then(move, LEGAL if legal else BREACH, not legal)
    except EngineError:
        # What no hand can do explains nothing.
        return
    # Nor does a turn that is given up without a mark.
    if not story.edition.is_pass(move) or not is_unmarked(after.table, story.table):
        yield after


def _slips(move: Any) -> tuple[Any, ...]:
    return getattr(move, "slips", ())


def _best(stories: Iterable[Story], evidence: Evidence, most: int) -> list[Story]:
    """The best by discs and boards, and the best by boards alone: the centre only comes right with the last move."""
    told = list({story.key: story for story in sorted(stories, key=lambda story: story.weight)}.values())
    near = sorted(told, key=lambda story: -_nearness(story, evidence))
    boards = sorted(near[most:], key=lambda story: -boards_fit(story, evidence))
    return near[:most] + boards[:most]


def _firsts(stories: Iterable[Story], evidence: Evidence) -> list[Story]:
    """The best to go on with; those that end with a pass are chosen apart, since no more is done after it."""
    told = list(stories)
    passed = [story for story in told if story.edition.is_pass(story.moves[-1])]
    others = [story for story in told if not story.edition.is_pass(story.moves[-1])]
    return _best(others, evidence, FIRSTS) + _best(passed, evidence, PASSES)


def _nearness(story: Story, evidence: Evidence) -> float:
    return boards_fit(story, evidence) + discs_fit(story, evidence)


def _tiled(story: Story, evidence: Evidence) -> Story | None:
    """While walls are tiled, every legal step that brings a board nearer to what is seen, one after the other.

    Boards and rows do not depend on each other, so the best step now is never wrong later.
    """
    now, best = story, boards_fit(story, evidence)
    while is_at_work(now):
        nearer = max(_legal_steps(now, evidence), key=lambda after: boards_fit(after, evidence), default=None)
        if nearer is None or boards_fit(nearer, evidence) <= best - QUIET:
            break
        now, best = nearer.weighing(nearer.weight - LEGAL), boards_fit(nearer, evidence)
    return now.weighing(now.weight + LEGAL + MISSED) if len(now.moves) > len(story.moves) + 1 else None


def forced(story: Story) -> Story:
    """The story gone on by moves that leave no mark, as long as nothing else is legal: no look will tell of them."""
    while not _awaits_chance(story) and story.state.phase != OVER and not is_at_work(story):
        moves = story.edition.choices(story.state)
        if len(moves) != 1 or len(story.edition.legal_moves(story.state)) != 1:
            break
        after = story.then(moves[0], 0.0, breaks=False)
        if not is_unmarked(after.table, story.table):
            break
        story = after
    return story


def over_by_scores(story: Story, evidence: Evidence, scale: float = 1.0) -> Iterator[Story]:
    """The story gone on to the end of the game by turns given up without a mark, where marks show the end's scores."""
    seats = story.state.setup.seats
    now = sum(evidence.score(seat, score) for seat, score in zip(seats, story.state.scores, strict=True))
    if now > CONTRADICTS or _awaits_chance(story) or story.state.phase == OVER:
        return
    for after in _silent(story, evidence):
        if after.state.phase == OVER:
            rights = zip(*(right_scores(story.edition, after.state, seat) for seat in seats), strict=True)
            shown = max(sum(map(evidence.score, seats, scores)) for scores in rights)
            rest = fit(after, evidence)
            yield after.weighing(after.weight + scale * (rest + shown - now), rest)


def ended(story: Story) -> Story | None:
    """The story gone on to the end of the game by sweeps that leave no mark: no next filling will tell of them."""
    while is_at_work(story):
        steps = list(_steps(story, story.edition.legal_moves(story.state)))
        if not steps or any(after.table != story.table for after in steps):
            return None
        story = steps[0]
        if story.state.phase == OVER:
            return story
    return None


def _awaits_chance(story: Story) -> bool:
    return story.edition.awaits_chance(story.state)


def _drawn(story: Story, evidence: Evidence) -> Iterator[Story]:
    """Chance as it is observed; where somebody has taken of it since, that take too."""
    for drawn in story.edition.draws(story.state, EvidenceGlimpse(evidence, story.edition)):
        for after in _after(story, drawn.move, legal=True):
            filled = replace(after, unsettled=None)
            if not drawn.taken:
                yield filled
                continue
            steps = (step for step in _legal_steps(filled, evidence) if _changes(step, filled, drawn.taken))
            yield from (step.weighing(step.weight + MISSED) for step in steps)


def _changes(after: Story, before: Story, heap: str) -> bool:
    return after.table.common.heaps.get(heap) != before.table.common.heaps.get(heap)


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
        each = MOST_TRIED // max(len(others), 1)
        for other, prior in others.items():
            for before in _corrected(story, name, other, prior):
                tried = islice(_legal_steps(before, evidence), each)
                steps = (after for after in tried if _changes(after, before, name))
                yield from (_weighed(after, fit(after, evidence), scale) for after in steps)


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


def taken_back(story: Story, past: Iterable[Any]) -> Iterator[Story]:
    """The agreed states before the last events, the latest first, as where the game may stand again."""
    for undone, state in enumerate(past, 1):
        yield Story(story.edition, state, weight=story.weight + undone * TAKEN_BACK, undone=undone)


def likeliest(stories: Iterable[Story]) -> Story:
    """The best of them; of two that are as likely, the one with less done wrong."""
    return min(stories, key=_by_weight)


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


def _by_weight(story: Story) -> tuple[float, int]:
    return -story.weight, len(story.slips)
