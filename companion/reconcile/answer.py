"""What people answer, as the log can play it: where it contradicts what the log holds possible, their word wins.

The log may have misread tiles that nobody can see any more. An answer that it cannot play shows that, so what it
believed is corrected first: what the bag held, what a heap held that was taken from, a tile too many in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.reconcile.likelihood import Evidence
from companion.reconcile.story import Story, enact, fit
from engine import Edition, EngineError
from engine.drafting import source_cell
from engine.moves import Correct, Fill
from engine.tiles import heap, lacking, without

ANSWERED = "as answered"
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
            for right in _corrections(edition, state, move):
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


def _corrections(edition: Edition[Any, Any], state: Any, move: Any) -> Iterator[Correct]:
    """What may have been otherwise in the log all the time, if this move happened."""
    heaps = {"centre": state.centre} | {f"factory.{n}": tiles for n, tiles in enumerate(state.factories, 1)}
    if isinstance(move, Fill):
        yield _correct("bag", _bag_that_gave("".join(move.factories), state.bag, state.lid))
    elif isinstance(move, Correct):
        tiles = "".join(letter for _, value in move.cells for letter in str(value) if letter in edition.letters)
        for cell, held in heaps.items():
            yield from (_correct(cell, without(held, tile)) for tile in sorted(set(tiles)) if tile in held)
    elif (cell := source_cell(getattr(move, "source", -1))) in heaps:
        held = heaps[cell]
        yield from (_correct(cell, heap(held.replace(tile, move.colour, 1))) for tile in sorted(set(held)))


def _correct(cell: str, tiles: str) -> Correct:
    return Correct(0, ((cell, tiles),), ANSWERED)


def _bag_that_gave(drawn: str, bag: str, lid: str) -> str:
    """What the bag must have held: as much as it did, or all of the lid too where it ran out.

    A record pours the lid only when a disc wants a tile of the empty bag, and takes discs in their order. People fill
    them in any order. Once all are full it comes to the same that the lid was poured before the first of them.
    """
    if len(drawn) > len(bag):
        return heap(bag + lid)
    missing = lacking(drawn, bag)
    spare = without(bag, without(drawn, missing))
    return heap(without(bag, spare[: len(missing)]) + missing)
