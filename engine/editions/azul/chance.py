"""What chance may have done at a table of Azul, and what of a state may have been otherwise all the time."""

from __future__ import annotations

from collections.abc import Iterator

from engine.editions.azul.moves import Move, Take
from engine.editions.azul.state import COLOURS, State
from engine.editions.drafting import (
    bag_that_gave,
    heaps_otherwise,
    heaps_without,
    refill_order,
    seen_fillings,
    seen_misfillings,
)
from engine.glimpse import Drawn, Glimpse
from engine.moves import Correct, Fill
from engine.state import FILL, OVER


def draws(state: State, glimpse: Glimpse) -> Iterator[Drawn]:
    """Every filling that may be seen on the discs."""
    for discs, taken in seen_fillings(state.setup.players, state.bag, state.lid, glimpse, COLOURS):
        yield Drawn(Fill(discs), taken)


def seen_breaches(state: State, glimpse: Glimpse) -> Iterator[Move]:
    """A filling with too many or too few tiles on a disc, or one after the end of the game."""
    if state.phase == FILL:
        yield from map(Fill, seen_misfillings(state.setup.players, state.bag, state.lid, glimpse))
    elif state.phase == OVER:
        yield from (drawn.move for drawn in draws(state, glimpse) if not drawn.taken)


def disc_order(state: State, glimpse: Glimpse) -> tuple[int, ...] | None:
    """The order in which the discs that are seen can have been filled, where the bag runs out in between."""
    return refill_order(state.setup.players, state.bag, state.lid, glimpse)


def otherwise(state: State, move: Move | Correct) -> Iterator[Correct]:
    """What bag or heaps may have held, if a move happened that the state holds impossible."""
    if isinstance(move, Fill):
        yield Correct(0, (("bag", bag_that_gave("".join(move.factories), state.bag, state.lid)),))
    elif isinstance(move, Correct):
        tiles = "".join(letter for _, value in move.cells for letter in str(value) if letter in COLOURS)
        yield from heaps_without(state.centre, state.factories, tiles)
    elif isinstance(move, Take):
        yield from heaps_otherwise(state.centre, state.factories, move.source, move.colour)
