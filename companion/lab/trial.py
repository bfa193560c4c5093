"""Games whose truth is known, followed by looking and then judged: what `azul bench live` counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import chain, groupby
from typing import Any
from zlib import crc32

from companion.reconcile.live.steps import is_unmarked
from companion.reconcile.live.story import enact
from engine import Edition, EngineError, Table
from engine.moves import Correct, plain
from engine.record import final
from engine.table import Kinds
from engine.violations import RECORD

MOST_UNSEEN = 4
"""So many moves in a row may be told in another order that comes to the same."""


@dataclass(frozen=True)
class ToldMove:
    """A move as it is compared: by what it does, and the rules that it breaks."""

    text: str
    rules: frozenset[str] = frozenset()
    before: Any = field(default=None, repr=False)
    after: Any = field(default=None, repr=False)


@dataclass
class TrialVerdict:
    """What following one game came to."""

    moves: int = 0
    right: int = 0
    alike: int = 0
    """Moves told otherwise that lead from the same state to the same state: nobody could tell by looking."""
    breaches: int = 0
    named: int = 0
    false: int = 0
    """Rules said to be broken in moves that broke none."""
    false_scores: int = 0
    """Scores said to be wrong that were right."""
    doubts: int = 0
    returned: int = 0
    """Questions after whose answer the game was the true one."""
    mended: int = 0
    """Wrong moves that nobody had noticed until a person, asked about something else, set them right."""
    final_right: bool = False
    looks: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Mispaid:
    """A mark that was moved wrongly with a move: whose it is, and the rules that this broke."""

    seat: int
    rules: frozenset[str]


def as_seen(edition: Edition[Any, Any], state: Any, move: Any) -> tuple[Any, Mispaid | None]:
    """A move as a look can tell it, without slips that leave no mark but one that is moved otherwise.

    Such a mark is told as one that shows a wrong score; a slip that leaves no mark at all is not told.
    """
    fair = plain(move)
    if fair == move:
        return move, None
    try:
        kept, right = edition.enact(state, move), edition.enact(state, fair)
    except EngineError:
        return move, None
    if not is_unmarked(edition.table(kept), edition.table(right)) or kept.phase != right.phase:
        return move, None
    rules = {violation.rule for violation in edition.violations(state, move)} - {RECORD}
    rules -= {violation.rule for violation in edition.violations(state, fair)}
    is_shown = kept.scores[move.seat - 1] != right.scores[move.seat - 1]
    return fair, Mispaid(move.seat, frozenset(rules)) if is_shown and rules else None


def tell(edition: Edition[Any, Any], start: Any, moves: Iterable[Any]) -> tuple[list[ToldMove], Any]:
    """A game's moves as they are compared, and where they lead.

    Discs that were set right later are told as they were set right: that is what the log says of them in the end.
    """
    state, told, carried, filled = start, list[ToldMove](), set[str](), 0
    for move in moves:
        after = edition.settle(enact(edition, state, move))
        if isinstance(move, Correct):
            told[filled:] = [_set_right(edition, told[filled], move), *told[filled + 1 :]] if told else []
            state = after
            continue
        rules = {violation.rule for violation in edition.violations(state, move)} - {RECORD}
        now, before = edition.table(after), edition.table(state)
        if is_unmarked(now, before) or edition.is_clearing(move):
            # What it broke is named with the next move that leaves a mark; it may look as if nobody had moved at all.
            carried |= rules | ({edition.out_of_turn} if now == before and not edition.is_pass(move) else set())
        else:
            text = _text(edition, state, after, move)
            filled = len(told) if text.startswith(FILLED) else filled
            told.append(ToldMove(text, frozenset(rules | carried), state, after))
            carried = set()
        state = after
    return list(_in_order(edition, told)), state


def _set_right(edition: Edition[Any, Any], told: ToldMove, right: Correct) -> ToldMove:
    numbered = edition.layout.numbered_heap
    heaps = tuple((name, held) for name, held in right.cells if numbered and name.startswith(f"{numbered.name}."))
    if not told.text.startswith(FILLED) or not heaps or right.seat:
        return told
    try:
        after = edition.correct(told.after, dict(heaps), right.seat)
    except EngineError:
        # There are not so many pieces of that kind: what was told of the filling stays.
        return told
    return replace(told, text=_fill_text(edition, told.before, after), after=after)


def _text(edition: Edition[Any, Any], state: Any, after: Any, move: Any) -> str:
    """The move's notation, with a disc named by what lies on it: discs have no numbers of their own, nor have cards."""
    numbered = edition.layout.numbered_heap
    if numbered is None or not numbered.counts:
        return _without_numbers(str(edition.format_move(move)))
    discs = _discs(edition, state)
    if edition.awaits_chance(state) and _discs(edition, after) != discs:
        return _fill_text(edition, state, after)
    named = {number: crc32(" ".join(kinds).encode()) for number, kinds in discs.items()}
    return str(edition.format_move(edition.renumbered(move, named)))


def _without_numbers(text: str) -> str:
    """A move of cards that lie in no order, without their numbers; the first card is always the same."""
    if ">" in text:
        return text
    tiles, plus, turned = re.sub(r"@[1-9]\d*", "@", text).partition("+")
    return tiles + plus + ".".join(sorted(turned.split(".")))


def by_what_lies(edition: Edition[Any, Any], state: Any, truly: Any, moves: Iterable[Any]) -> Iterator[Any]:
    """True moves as a game tells them that looks alike but numbers its cards otherwise."""
    numbered = edition.layout.numbered_heap
    if numbered is None or numbered.counts:
        yield from moves
        return
    for move in moves:
        truly = edition.settle(enact(edition, truly, move))
        move, state = next(_same_move(edition, state, truly, move), (move, state))
        yield move


def _same_move(edition: Edition[Any, Any], state: Any, truly: Any, move: Any) -> Iterator[tuple[Any, Any]]:
    """The moves that are the same but for numbers of cards and lead to what truly lies there, with where they lead."""
    text = _without_numbers(edition.format_move(move))
    moves = edition.pseudo_moves(state)
    alike = (other for other in moves if _without_numbers(edition.format_move(other)) == text)
    for other in chain([move], alike):
        try:
            after = edition.settle(enact(edition, state, other))
        except EngineError:
            continue
        if looks_alike(edition, after, truly):
            yield other, after


FILLED = "fill:"


def _discs(edition: Edition[Any, Any], state: Any) -> dict[int, Kinds]:
    """What lies on each disc."""
    numbered = edition.layout.numbered_heap
    return edition.table(state).common.numbered.get(numbered.name, {}) if numbered else {}


def _fill_text(edition: Edition[Any, Any], before: Any, after: Any) -> str:
    """A filling by what came onto discs and into cells of all, in no order."""
    discs = "/".join(sorted(" ".join(kinds) for kinds in _discs(edition, after).values()))
    old, new = (edition.table(state).common.cells for state in (before, after))
    came = sorted(kind for cell, kind in new.items() if old.get(cell) != kind)
    return f"{FILLED}{discs}; {' '.join(came)}"


def _in_order(edition: Edition[Any, Any], told: Sequence[ToldMove]) -> Iterator[ToldMove]:
    """The moves in their order; those of people who act at once in one of their own."""
    for at_once, run in groupby(told, key=lambda each: bool(edition.at_work(each.before, None))):
        moves = list(run)
        yield from sorted(moves, key=lambda each: each.text) if at_once else moves


def judge(
    edition: Edition[Any, Any], start: Any, truth: Sequence[Any], followed: Sequence[Any], verdict: TrialVerdict
) -> TrialVerdict:
    """Count what of the true game was followed."""
    true, true_end = tell(edition, start, truth)
    seen, seen_end = tell(edition, start, followed)
    matcher = SequenceMatcher(None, [each.text for each in true], [each.text for each in seen], autojunk=False)
    partner = {b.a + i: b.b + i for b in matcher.get_matching_blocks() for i in range(b.size)}
    verdict.moves, verdict.right = len(true), len(partner)
    alike = dict(_alike(true, seen, partner))
    verdict.alike = len(alike)
    partner |= alike
    for i, each in enumerate(true):
        if each.rules:
            verdict.breaches += 1
            named = seen[partner[i]].rules if i in partner else frozenset()
            verdict.named += bool(named & each.rules)
            if not named & each.rules:
                verdict.notes.append(f"not named: {each.text} {sorted(each.rules)}")
    accused = Counter(b for b, each in enumerate(seen) if each.rules)
    guilty = {partner[i] for i, each in enumerate(true) if each.rules and i in partner}
    verdict.false = sum(b not in guilty for b in accused)
    for op, a, b, c, d in matcher.get_opcodes():
        if op != "equal":
            verdict.notes.append(f"{op}: true {[t.text for t in true[a:b]]}, followed {[t.text for t in seen[c:d]]}")
    verdict.final_right = final_of(edition, true_end) == final_of(edition, seen_end)
    return verdict


def _alike(true: Sequence[ToldMove], seen: Sequence[ToldMove], partner: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Moves in another order, or told in another way, that come to the same: the true ones and the followed ones."""
    for i in range(len(true)):
        windows = ((a, a + width) for width in range(1, MOST_UNSEEN + 1) for a in range(i - width + 1, i + 1))
        for a, b in windows if i not in partner else ():
            off = partner[a - 1] - (a - 1) if a - 1 in partner else 0
            if min(a, a + off) >= 0 and b <= len(true) and b + off <= len(seen):
                is_same = true[a].before == seen[a + off].before and true[b - 1].after == seen[b + off - 1].after
                if is_same:
                    yield i, i + off
                    break


def meeting(edition: Edition[Any, Any], start: Any, truth: Sequence[Any], followed: Sequence[Any]) -> tuple[int, int]:
    """The last point at which the true game and the followed one looked alike: so many moves of each."""
    true, seen = ([start, *_states(edition, start, moves)] for moves in (truth, followed))
    return next(
        (i, j)
        for j in range(len(followed), -1, -1)
        for i in range(len(truth), -1, -1)
        if looks_alike(edition, true[i], seen[j])
    )


def _states(edition: Edition[Any, Any], state: Any, moves: Iterable[Any]) -> Iterator[Any]:
    for move in moves:
        state = edition.settle(enact(edition, state, move))
        yield state


def played(edition: Edition[Any, Any], start: Any, moves: Iterable[Any]) -> Any:
    """Where moves lead."""
    return [start, *_states(edition, start, moves)][-1]


def lying(edition: Edition[Any, Any], state: Any, seat: int) -> Mapping[str, str]:
    """What lies in the cells of a seat."""
    return edition.table(state).part(seat).cells


def looks_alike(edition: Edition[Any, Any], state: Any, other: Any) -> bool:
    """Whether two states look the same on the table, with the same scores and the same player's turn."""
    one, two = edition.table(state), edition.table(other)
    return (
        (state.phase, state.seat, tuple(state.scores)) == (other.phase, other.seat, tuple(other.scores))
        and [(part.cells, part.tracks) for part in one.parts] == [(part.cells, part.tracks) for part in two.parts]
        # Discs and cards have no numbers of their own; what is stacked on a line lies in no cell.
        and _heaps(edition, one) == _heaps(edition, two)
    )


def _heaps(edition: Edition[Any, Any], table: Table) -> list[tuple[int, str, Kinds]]:
    known = {*(heap.name for heap in edition.layout.heaps), *(zone.name for zone in edition.layout.zones if zone.heap)}
    heaps = ((part.seat, name.partition(".")[0], kinds) for part in table.parts for name, kinds in part.heaps.items())
    return sorted(each for each in heaps if each[1] in known)


def final_of(edition: Edition[Any, Any], state: Any) -> dict[int, int] | None:
    """The final scores by seat; None for a game that is not over."""
    ended = final(edition, state)
    return None if ended is None else {seat: points for seat, (points, _) in ended.items()}
