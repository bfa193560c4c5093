"""Marks that stay wrong from look to look: scores that are not what was earned, and why; numbers that belong to all."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.reconcile.live.likelihood import SCORE, Evidence
from companion.reconcile.live.outcome import Finding, box_of
from companion.reconcile.live.places import Seen
from companion.reconcile.live.story import enact
from companion.reconcile.tracks import told_numbers
from engine import Edition, EngineError, Table, Violation
from engine.moves import Correct, plain
from engine.record import final
from engine.table import ALL, UNSEEN, tracks_telling

CONTRADICTS = -5.0
"""A mark that speaks against a score as plainly as this contradicts it."""
LASTING = 3
"""What is wrong by as much in so many looks on end is lasting: a mark that is moved late comes right before."""
CERTAIN_SCORE = 0.97
REMEMBERED = 12
"""So many of a seat's last moves may be what a mark was moved wrongly for."""


@dataclass
class _Mark:
    """What is known of a seat's mark."""

    off: int = 0
    """By how much it was wrong in the last looks."""
    looks: int = 0
    """In how many looks on end."""
    right: int = 0
    """The round in which it was last seen to be right; 0 for never."""
    since: int = 0
    """The round since which it is said to be wrong."""
    told: int = 0
    """As much of `off` as was looked into."""
    why: tuple[Violation, ...] = ()
    """The rules that were broken when it was moved wrongly, as far as known."""


class Marks:
    """Marks that tell scores, followed from look to look."""

    def __init__(self, edition: Edition[Any, Any]) -> None:
        self._edition = edition
        self._marks: dict[int, _Mark] = {}
        self._moves: dict[int, list[tuple[Any, Any]]] = {}
        """By seat what it did since its mark was last right, each move with the state before it."""
        self._shared: dict[str, tuple[int, int]] = {}
        """By number of all what its mark wrongly shows, and in how many looks on end."""

    def remember(self, state: Any, move: Any) -> None:
        """A move was played from this state."""
        if not isinstance(move, Correct):
            moves = self._moves.setdefault(move.seat, [])
            moves.append((state, move))
            del moves[:-REMEMBERED]

    def forget(self) -> None:
        """What was played may be otherwise than it was told."""
        self._moves.clear()

    @property
    def are_settled(self) -> bool:
        """Whether no mark is wrong, or has been for long."""
        counted = [mark.looks for mark in self._marks.values() if mark.off]
        counted += [looks for _, looks in self._shared.values()]
        return all(looks >= LASTING for looks in counted)

    @property
    def off(self) -> dict[int, int]:
        """By seat by how much its mark is wrong, where that lasts."""
        return {seat: mark.off for seat, mark in self._marks.items() if mark.looks >= LASTING}

    def wrong(self, state: Any, seen: Seen, evidence: Evidence, open_: Container[int] = ()) -> tuple[Finding, ...]:
        """Scores and numbers of all that have been wrong for several looks, while nobody may just be counting.

        Scores of `open_` seats are open, so nothing is said of them.
        """
        if self._edition.awaits_chance(state) or self._edition.at_work(state, None):
            return ()
        seats = [seat for seat in state.setup.seats if seat not in open_]
        scores = (finding for seat in seats for finding in self._wrong(state, seat, evidence, seen))
        names = dict.fromkeys(track.tells for track in self._edition.layout.tracks if not track.each)
        return *scores, *(finding for name in names for finding in self._wrong_for_all(state, name, seen))

    def _wrong_for_all(self, state: Any, name: str, seen: Seen) -> list[Finding]:
        """What the rules say of a number that belongs to all, whose mark goes on to show another."""
        layout, table = self._edition.layout, self._edition.table(state)
        marks = {mark: reads for surface in seen.surfaces for mark, reads in surface.tracks.items()}
        told = told_numbers(marks, ALL, name, layout)
        shown = max(told, key=told.__getitem__)
        if shown == UNSEEN or told[shown] < CERTAIN_SCORE:
            return []
        if int(shown) == table.common.tracks.get(name):
            self._shared.pop(name, None)
            return []
        before, looks = self._shared.get(name, (int(shown), 0))
        looks = looks + 1 if before == int(shown) else 1
        self._shared[name] = int(shown), looks
        if looks < LASTING:
            return []
        found = self._edition.table_violations(showing(self._edition, table, {ALL: int(shown)}, name), state)
        box = box_of(seen, layout, ALL, name)
        return [Finding(each, box) for each in found if each.seat == ALL and each.cell == name]

    def _wrong(self, state: Any, seat: int, evidence: Evidence, seen: Seen) -> list[Finding]:
        shown = evidence.shown_score(seat)
        if shown is None or shown[1] < CERTAIN_SCORE:
            return []
        mark, score = self._marks.setdefault(seat, _Mark()), state.scores[seat - 1]
        if any(evidence.score(seat, each) > CONTRADICTS for each in right_scores(self._edition, state, seat)):
            self._marks[seat] = _Mark(right=state.round)
            self._moves.pop(seat, None)
            return []
        off = evidence.off_by(seat, score)
        mark.off, mark.looks = off, mark.looks + 1 if off == mark.off else 1
        if mark.looks < LASTING:
            return []
        mark.since = mark.since or mark.right or max(state.round - 1, 1)
        if mark.told != off:
            mark.why, mark.told = (*mark.why, *self._mispaid(seat, off - mark.told)), off
        box = box_of(seen, self._edition.layout, seat, SCORE)
        found = mark.why or self._otherwise(state, seat, score + off)
        return [Finding(violation, box, since=mark.since) for violation in found]

    def _otherwise(self, state: Any, seat: int, shown: int) -> list[Violation]:
        """What the rules say of a mark that shows another score."""
        table = showing(self._edition, self._edition.table(state), {seat: shown})
        found = self._edition.table_violations(table, state)
        return [violation for violation in found if violation.seat == seat and violation.cell == SCORE]

    def _mispaid(self, seat: int, off: int) -> list[Violation]:
        """The rules that were broken if one of the seat's last moves was paid otherwise than the rules say."""
        for state, move in reversed(self._moves.get(seat, ())):
            for other, points in mispaid(self._edition, state, move):
                if points == off:
                    return self._edition.violations(state, other)
        return []


def right_scores(edition: Edition[Any, Any], state: Any, seat: int) -> tuple[int, ...]:
    """What a seat's mark may rightly show: its score, and after the end also what that brings."""
    ended = final(edition, state)
    return (state.scores[seat - 1],) if ended is None else (state.scores[seat - 1], ended[seat][0])


def showing(edition: Edition[Any, Any], table: Table, numbers: dict[int, int], name: str = SCORE) -> Table:
    """A table with the marks of some seats at other scores, or at another number of this name."""
    layout = edition.layout
    parts = (
        replace(part, tracks=type(part.tracks)({**part.tracks, **tracks_telling(layout, name, numbers[part.seat])}))
        if part.seat in numbers
        else part
        for part in table.parts
    )
    return replace(table, parts=tuple(parts))


def mispaid(edition: Edition[Any, Any], state: Any, move: Any) -> Iterator[tuple[Any, int]]:
    """The same move with its mark moved otherwise, which nothing but the mark shows, and by how much it is off."""
    after = _after(edition, state, plain(move))
    for other in edition.pseudo_moves(state) if after is not None else ():
        if other.seat == move.seat and getattr(other, "slips", ()) and plain(other) == plain(move):
            slipped = _after(edition, state, other)
            if slipped is not None and only_marks_differ(edition, after, slipped):
                yield other, slipped.scores[move.seat - 1] - after.scores[move.seat - 1]


def only_marks_differ(edition: Edition[Any, Any], state: Any, other: Any) -> bool:
    """Whether two states differ in what marks show and in nothing that lies in a cell or a heap."""
    one, two = edition.table(state), edition.table(other)
    pairs = zip(one.parts, two.parts, strict=True)
    alike = all(each.cells == same.cells and each.heaps == same.heaps for each, same in pairs)
    return alike and tuple(state.scores) != tuple(other.scores) and _turn(state) == _turn(other)


def _turn(state: Any) -> tuple[Any, ...]:
    return state.phase, state.seat, state.round


def _after(edition: Edition[Any, Any], state: Any, move: Any) -> Any:
    try:
        return enact(edition, state, move)
    except EngineError:
        # A move that hands cannot make without the slip.
        return None
