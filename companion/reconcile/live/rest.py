"""The rest of a bridge: corrections that lead on to its position from where the moves lead that people remember."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.photolog.corrections import ROUND
from companion.reconcile.live.choices import Spot, lying
from companion.reconcile.live.corrections import PHASE, Numbers, corrections_to
from companion.reconcile.live.story import enact
from engine import Edition, EngineError
from engine.moves import Correct
from engine.table import ALL
from engine.text import Text

TURN = "turn"
COUNTED = (PHASE, ROUND, "marker", TURN)
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
    table = edition.table(wanted)
    for numbers in ({**_counts(edition, wanted), **told}, told, {}):
        found = corrections_to(edition, state, table, scores, numbers, why)
        if found is not None and _leads(edition, state, found, wanted):
            return found
    return None


def numbers_of(edition: Edition[Any, Any], wanted: Any, corrections: Iterable[Correct]) -> dict[str, str | int]:
    """What corrections to a wanted state have set besides the pieces that lie there then."""
    common, numbered = edition.table(wanted).common, edition.layout.numbered_heap
    pieces = {*common.heaps, *common.cells}
    # Of a heap that is gone there is nothing to tell.
    passing = f"{numbered.name}." if numbered else None
    told = (each for correct in corrections if correct.seat == ALL for each in correct.cells)
    return {name: value for name, value in told if name not in pieces and not (passing and name.startswith(passing))}


def _leads(edition: Edition[Any, Any], state: Any, corrections: Iterable[Correct], wanted: Any) -> bool:
    """Whether corrections lead from a state to a wanted one."""
    try:
        for correct in corrections:
            state = edition.settle(enact(edition, state, correct))
    except EngineError:
        return False
    return not still_differs(edition, state, wanted) and _counts(edition, state) == _counts(edition, wanted)


def _counts(edition: Edition[Any, Any], state: Any) -> dict[str, str | int]:
    """What every game counts, as corrections name it."""
    # While heaps are filled it is nobody's turn; a state may remember whose it is then.
    values = (state.phase, state.round, edition.holder(state), getattr(state, TURN, state.seat))
    return dict(zip(COUNTED, values, strict=True))
