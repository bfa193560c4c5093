"""The rest of a bridge: corrections that lead on to its position from where the moves lead that people remember."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.photolog.corrections import differing
from companion.reconcile.live.choices import Spot, lying
from companion.reconcile.live.story import enact
from engine import FILL, Edition, EngineError
from engine.moves import Correct
from engine.table import EMPTY
from engine.text import Text

Numbers = Mapping[str, str | int]
COUNTED = ("phase", "round", "marker", "turn")
"""What every game counts, in the order in which corrections set it."""


def still_differs(edition: Edition[Any, Any], state: Any, wanted: Any) -> dict[Spot, str]:
    """What lies otherwise in a wanted state, and what lies there then."""
    now, then = lying(edition, state), lying(edition, wanted)
    return {spot: kind for spot, kind in then.items() if now.get(spot, "") != kind}


def rest_of(
    edition: Edition[Any, Any], state: Any, wanted: Any, scores: Mapping[int, int], told: Numbers, why: Text
) -> tuple[Correct, ...] | None:
    """Corrections from a state to a wanted one; None where none lead there.

    `scores` are those to be set, by seat; `told` are the numbers that corrections to the wanted state have set before.
    """
    for clear in (False, True):
        for numbers in ({**_counts(edition, wanted), **told}, told, {}):
            try:
                found = tuple(_correcting(edition, state, wanted, scores, numbers, why, clear))
                after = state
                for correct in found:
                    after = edition.settle(enact(edition, after, correct))
            except EngineError:
                continue
            if not still_differs(edition, after, wanted) and _counts(edition, after) == _counts(edition, wanted):
                return found
    return None


def _counts(edition: Edition[Any, Any], state: Any) -> dict[str, str | int]:
    values = (state.phase, state.round, edition.holder(state), state.seat)
    return dict(zip(COUNTED, values, strict=True))


def _correcting(
    edition: Edition[Any, Any],
    state: Any,
    wanted: Any,
    scores: Mapping[int, int],
    numbers: Numbers,
    why: Text,
    clear: bool,
) -> Iterator[Correct]:
    """Between rounds pieces can be set one board after the other; then how far the game is.

    `clear` first takes away what changes, since else more pieces of a kind than there are would lie there.
    """

    def corrected(seat: int, cells: Mapping[str, str | int]) -> Iterator[Correct]:
        nonlocal state
        if cells:
            correct = Correct(seat, tuple(cells.items()), why)
            state = enact(edition, state, correct)
            yield correct

    then = edition.table(wanted)
    if "phase" in numbers and state.phase != FILL:
        yield from corrected(0, {"phase": FILL})
    for part in then.parts if clear else ():
        gone = differing(edition.table(state).part(part.seat), part, edition)
        held = {name: EMPTY if name in part.cells else "" for name in gone if name in {*part.cells, *part.heaps}}
        yield from corrected(part.seat, held)
    for part in (*then.boards, then.common):
        cells = differing(edition.table(state).part(part.seat), part, edition)
        if part.seat in scores and state.scores[part.seat - 1] != scores[part.seat]:
            cells["score"] = scores[part.seat]
        yield from corrected(part.seat, cells)
    now = _counts(edition, state)
    yield from corrected(0, {name: value for name, value in numbers.items() if now.get(name) != value})
