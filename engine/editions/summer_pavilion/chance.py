"""What chance may have done at a table of Summer Pavilion, and what of a state may have been otherwise all the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.editions.drafting import (
    bag_that_gave,
    heaps_otherwise,
    heaps_without,
    refill_order,
    seen_fillings,
    seen_misfillings,
)
from engine.editions.summer_pavilion.moves import Move, Refill, Take
from engine.editions.summer_pavilion.rules import hasty_moves
from engine.editions.summer_pavilion.state import COLOURS, EMPTY, ROUNDS, SUPPLY_CELLS, State
from engine.glimpse import Drawn, Glimpse
from engine.moves import Correct, Fill
from engine.state import FILL

GUESSES = 2
"""So many guesses at what lies in one supply cell are tried."""


def draws(state: State, glimpse: Glimpse) -> Iterator[Drawn]:
    """Every filling of discs and supply that may be seen."""
    if state.phase != FILL or state.seat:
        empty = [i for i, tile in enumerate(state.supply, 1) if tile == EMPTY]
        yield from (Drawn(Refill(tiles)) for tiles in _in_cells(empty, glimpse))
        return
    supplies = [""] if state.round else list(_in_cells(range(1, SUPPLY_CELLS + 1), glimpse))
    for supply in supplies:
        joker = state.setup.options.joker_order[min(state.round, ROUNDS - 1)]
        for discs, taken in seen_fillings(state.setup.players, state.bag, state.tower, glimpse, COLOURS, joker):
            yield Drawn(Fill(discs, supply), taken)


def seen_breaches(state: State, glimpse: Glimpse) -> Iterator[Move]:
    """Discs with too many or too few tiles, or a turn that came before the supply was filled."""
    if state.phase != FILL:
        return
    if state.seat:
        yield from hasty_moves(state)
        return
    supplies = [""] if state.round else list(_in_cells(range(1, SUPPLY_CELLS + 1), glimpse))[:1]
    for discs in seen_misfillings(state.setup.players, state.bag, state.tower, glimpse):
        yield from (Fill(discs, supply) for supply in supplies)


def disc_order(state: State, glimpse: Glimpse) -> tuple[int, ...] | None:
    """The order in which the discs that are seen can have been filled, where the bag runs out in between."""
    if state.phase != FILL or state.seat:
        return None
    return refill_order(state.setup.players, state.bag, state.tower, glimpse)


def otherwise(state: State, move: Move | Correct) -> Iterator[Correct]:
    """What bag or heaps may have held, if a move happened that the state holds impossible."""
    if isinstance(move, Fill):
        drawn = "".join((*move.factories, move.supply))
        yield Correct(0, (("bag", bag_that_gave(drawn, state.bag, state.tower)),))
    elif isinstance(move, Refill):
        yield Correct(0, (("bag", bag_that_gave(move.tiles, state.bag, state.tower)),))
    elif isinstance(move, Correct):
        tiles = "".join(letter for _, value in move.cells for letter in str(value) if letter in COLOURS)
        yield from heaps_without(state.centre, state.factories, tiles)
    elif isinstance(move, Take):
        yield from heaps_otherwise(state.centre, state.factories, move.source, move.colour)


def _in_cells(cells: Sequence[int], glimpse: Glimpse) -> Iterator[str]:
    """What may lie in supply cells: the likeliest of all, then one of them otherwise; nothing where one is hidden."""
    guesses = [[kind for kind in glimpse.cell(f"supply.{cell}", GUESSES) if kind in COLOURS] for cell in cells]
    if not guesses or not all(guesses):
        return
    first = "".join(guess[0] for guess in guesses)
    yield first
    for i, guess in enumerate(guesses):
        yield from (first[:i] + other + first[i + 1 :] for other in guess[1:])
