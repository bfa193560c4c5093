"""What people answer, as the log can play it: where it contradicts what the log holds possible, their word wins.

The log may have misread tiles that nobody can see any more. An answer that it cannot play shows that, so what it
believed is corrected first: what the bag held, what a heap held that was taken from, a tile too many in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.story import Story, enact, fit
from engine import Edition, EngineError
from engine.moves import Correct
from engine.text import say

ANSWERED = say("as answered")
"""Why the log is corrected."""


def playable(
    edition: Edition[Any, Any], state: Any, moves: Sequence[Any], evidence: Evidence | None = None
) -> tuple[Any, ...]:
    """The moves of an answer, after each correction that they need; of several the one that fits best what is seen."""
    ways = list(_ways(edition, state, tuple(moves)))
    if not ways:
        return tuple(moves)
    return max(ways, key=lambda way: fit(Story(edition, way[1]), evidence) if evidence else 0.0)[0]


def _ways(edition: Edition[Any, Any], state: Any, moves: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The moves with what was corrected before them, and where they lead."""
    for i, move in enumerate(moves):
        after = _after(edition, state, move)
        if after is None:
            for right in map(_answered, edition.otherwise(state, move)):
                corrected = _after(edition, state, right)
                if corrected is not None and _after(edition, corrected, move) is not None:
                    rest = _ways(edition, corrected, moves[i:])
                    yield from (((*moves[:i], right, *told), end) for told, end in rest)
            return
        state = after
    yield moves, state


def _after(edition: Edition[Any, Any], state: Any, move: Any) -> Any:
    """The state after a move; None where the log holds it impossible."""
    try:
        return edition.settle(enact(edition, state, move))
    except EngineError:
        return None


def _answered(right: Correct) -> Correct:
    return replace(right, why=ANSWERED)
