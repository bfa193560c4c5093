"""Corrections that lead from a state to what lies on a table: one board after the other, then how far the game is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.photolog.corrections import ROUND, differing
from companion.reconcile.live.story import enact
from companion.reconcile.tracks import SCORE
from engine import FILL, Edition, EngineError, Part, Table
from engine.moves import Correct
from engine.table import ALL, EMPTY
from engine.text import Text

Numbers = Mapping[str, str | int]
"""What corrections set besides pieces: phase, round, turn and the like."""
PHASE = "phase"
"""The name by which corrections know the phase of the game."""


def corrections_to(
    edition: Edition[Any, Any], state: Any, table: Table, scores: Mapping[int, int], numbers: Numbers, why: Text
) -> tuple[Correct, ...] | None:
    """Corrections from a state to a table, with these scores by seat; None where some piece cannot lie there."""
    for clear in (False, True):
        try:
            return tuple(_Correcting(edition, state, why).to(table, scores, numbers, clear))
        except EngineError:
            continue
    return None


class _Correcting:
    """A state that is corrected step by step."""

    def __init__(self, edition: Edition[Any, Any], state: Any, why: Text) -> None:
        self._edition, self._state, self._why = edition, state, why

    def to(self, table: Table, scores: Mapping[int, int], numbers: Numbers, clear: bool) -> Iterator[Correct]:
        """Between rounds pieces can be set one board after the other, so that comes first where the phase is told.

        `clear` first takes away what changes, since else more pieces of a kind than there are would lie there.
        """
        first = self._between_rounds(numbers)
        cleared = dict(self._taken_away(table)) if clear else {}
        yield from self._corrected(ALL, {**first, **cleared.pop(ALL, {})})
        for seat, gone in cleared.items():
            yield from self._corrected(seat, gone)
        for part in (*table.boards, table.common):
            now = self._edition.table(self._state).part(part.seat)
            cells = differing(now, part, self._edition)
            if part.seat in scores and self._state.scores[part.seat - 1] != scores[part.seat]:
                cells[SCORE] = scores[part.seat]
            yield from self._corrected(part.seat, cells)
        told = {name: value for name, value in numbers.items() if not _stands(self._state, name, value)}
        yield from self._corrected(ALL, told)

    def _corrected(self, seat: int, cells: Numbers) -> Iterator[Correct]:
        if cells:
            correct = Correct(seat, tuple(cells.items()), self._why)
            self._state = enact(self._edition, self._state, correct)
            yield correct

    def _between_rounds(self, numbers: Numbers) -> dict[str, str | int]:
        """What is kept for later rounds depends on the round, so that is told before any piece."""
        if PHASE not in numbers:
            return {}
        first = {PHASE: FILL, **{name: value for name, value in numbers.items() if name == ROUND}}
        stands = {PHASE: self._state.phase, ROUND: self._state.round}
        return {name: value for name, value in first.items() if stands[name] != value}

    def _taken_away(self, table: Table) -> Iterator[tuple[int, dict[str, str]]]:
        """By seat what changes, taken away; of what belongs to all also every heap."""
        now = self._edition.table(self._state)
        for part in table.parts:
            lying = now.part(part.seat)
            changed = differing(lying, part, self._edition)
            if part.seat == ALL:
                cells = sorted(changed.keys() & lying.cells.keys())
                yield ALL, {**_emptied(lying, self._edition), **dict.fromkeys(cells, EMPTY)}
            else:
                yield part.seat, {name: EMPTY if name in part.cells else "" for name in changed}


def _emptied(common: Part, edition: Edition[Any, Any]) -> dict[str, str]:
    """What takes all pieces off the heaps of the table; of heaps that come and go none stays."""
    numbered = edition.layout.numbered_heap
    passing = numbered.name if numbered and not numbered.counts else None
    names = [name for name, kinds in reversed([*common.heaps.items()]) if kinds]
    return {name: EMPTY if name.partition(".")[0] == passing else "" for name in names}


def _stands(state: Any, name: str, value: str | int) -> bool:
    """Whether a state has a number already; one phase may have several names, so that is always said."""
    return name != PHASE and bool(getattr(state, name, None) == value)
