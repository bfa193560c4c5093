"""What chance may have done at a table of Queen's Garden: the tiles on the new top card, the cards turned face up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.editions.queens_garden.display import drawable, turning
from engine.editions.queens_garden.hexes import BIT, heap
from engine.editions.queens_garden.moves import Stack
from engine.editions.queens_garden.state import State
from engine.glimpse import Drawn, Glimpse
from engine.table import CARD

GUESSES = 3


def draws(state: State, glimpse: Glimpse) -> Iterator[Drawn]:
    """Every drawing that may be seen on the stack and on the cards laid out."""
    count, turned = drawable(state), turning(state)
    tops = [heap(kinds) for kinds in glimpse.heap("stack", count, GUESSES) if len(kinds) == count] if count else [()]
    known = {card.hex for card in state.display if card.hex}
    shown = {kind.partition(":")[2] for kinds in glimpse.heaps() for kind in kinds if kind.startswith(f"{CARD}:")}
    new = sorted(hex_ for hex_ in shown - known if hex_ in BIT and hex_ in state.unseen)
    # Nobody sees in which order cards were turned, and it changes nothing.
    yield from (Drawn(Stack(top, hexes)) for top in tops for hexes in combinations(new, turned))
