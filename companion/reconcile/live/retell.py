"""A round told once more from its filling on, where a piece of the filling turns out to have been another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from companion.reconcile.live.heap import HeapEvidence
from companion.reconcile.live.story import enact
from engine import Edition, EngineError
from engine.moves import Correct, Fill
from vision.sighting import LooseTile

MOST_TRIED = 500
"""So many other fillings are tried at the most."""


def retold(
    edition: Edition[Any, Any],
    history: Sequence[tuple[Any, Any]],
    state: Any,
    right: Correct,
    filled: Mapping[int, Sequence[LooseTile]],
) -> tuple[Any, ...] | None:
    """The moves since the last filling as they were if a heap held other pieces from the start.

    `history` holds these moves, each with the state before it; `state` is where they led. `filled` are the pieces that
    were seen on each disc when it was filled: of several other fillings the one that fits these best is told. None
    where no other filling leads to what is put right.
    """
    if not history or not isinstance(history[0][1], Fill) or any(isinstance(move, Correct) for _, move in history):
        return None
    (start, fill), *later = history
    target = edition.table(edition.correct(state, dict(right.cells), right.seat))
    gone, came = _exchanged(edition, state, right)
    seen = {number: HeapEvidence(tiles) for number, tiles in filled.items()}

    def likelihood(other: Fill) -> float:
        discs = enumerate(other.factories, 1)
        return sum(seen[number].likelihood(tuple(sorted(disc))) for number, disc in discs if number in seen)

    for other in sorted(islice(_refilled(fill, gone, came), MOST_TRIED), key=likelihood, reverse=True):
        moves = (other, *(move for _, move in later))
        if _leads_to(edition, start, moves, target):
            return moves
    return None


def _exchanged(edition: Edition[Any, Any], state: Any, right: Correct) -> tuple[str, str]:
    """The pieces that a heap does not hold, and those that it holds instead."""
    heaps = edition.table(state).common.heaps
    old = Counter(kind for name, _ in right.cells for kind in heaps.get(name, ()) if kind in edition.letters)
    new = Counter(letter for _, value in right.cells for letter in str(value))
    return "".join((old - new).elements()), "".join((new - old).elements())


def _refilled(fill: Fill, gone: str, came: str) -> Iterator[Fill]:
    """The filling with these pieces exchanged, on every choice of discs."""
    if not gone or len(gone) != len(came):
        return
    for places in product(range(len(fill.factories)), repeat=len(gone)):
        discs = list(fill.factories)
        for place, old, new in zip(places, gone, came, strict=True):
            discs[place] = "".join(sorted(discs[place].replace(old, new, 1))) if old in discs[place] else "?"
        if "?" not in discs:
            yield Fill(tuple(discs), fill.supply)


def _leads_to(edition: Edition[Any, Any], state: Any, moves: Sequence[Any], target: Any) -> bool:
    try:
        for move in moves:
            state = edition.settle(enact(edition, state, move))
    except EngineError:
        return False
    return bool(edition.table(state) == target)
