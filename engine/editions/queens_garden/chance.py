"""What chance may have done at a table of Queen's Garden: the tiles on the new top card, the cards turned face up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from engine.editions.queens_garden.display import draw, drawable, full_selections, turning
from engine.editions.queens_garden.hexes import BIT, heap
from engine.editions.queens_garden.moves import FACE_DOWN_CARD, TURNED, Acquire, Move, Stack
from engine.editions.queens_garden.state import ACT, STORAGE_CARDS, State, empty_cards
from engine.glimpse import Drawn, Glimpse
from engine.moves import Slip
from engine.state import FILL
from engine.table import CARD, Kinds

GUESSES = 3
MOST_EXTRA = 2
"""So many tiles more than it gets are told of a top card."""


def draws(state: State, glimpse: Glimpse) -> Iterator[Drawn]:
    """Every drawing that may be seen on the stack and on the cards laid out."""
    count, turned = drawable(state), turning(state)
    shown = map(heap, glimpse.heap("stack", count, GUESSES) if count else [()])
    tops = [top for top in shown if _may_be_drawn(state, top)]
    new = _new_hexes(state, glimpse.heaps())
    # Nobody sees in which order cards were turned, and it changes nothing.
    yield from (Drawn(Stack(top, hexes)) for top in tops for hexes in combinations(new, turned))


def seen_breaches(state: State, glimpse: Glimpse) -> Iterator[Move]:
    """A top card with too many or too few tiles or with some drawn out of the tower too early, cards turned too early
    or not at all, a card taken face down."""
    if state.phase == ACT:
        yield from _taken_face_down(state, glimpse)
    elif state.phase == FILL:
        count, turned = drawable(state), turning(state)
        shown = glimpse.heaps()
        new = _new_hexes(state, shown)
        for top in map(heap, glimpse.heap("stack", count + MOST_EXTRA) if count else [()]):
            # One thing at a time goes wrong.
            may_be = _may_be_drawn(state, top)
            numbers = range(turned) if may_be else [turned]
            yield from (Stack(top, hexes) for number in numbers for hexes in combinations(new, number))
            if may_be:
                yield from _turned_early(state, top, new, shown)


def _may_be_drawn(state: State, top: Kinds) -> bool:
    """Whether so many tiles are drawn, and those left in the bag first."""
    return len(top) == drawable(state) and not draw(state.bag, state.tower, top).skipped


def _turned_early(state: State, top: Kinds, new: list[str], shown: Iterable[Kinds]) -> Iterator[Stack]:
    """Drawings with which a card was turned although tiles lie on it."""
    for kinds in shown:
        tiles = heap(kind for kind in kinds if kind in BIT)
        for hex_ in set(new) & _hexes((kinds,)) if tiles else ():
            at = next((n for n, card in enumerate(state.display, 1) if not card.hex and card.tiles == tiles), 0)
            others = [other for other in new if other != hex_]
            slips = (Slip(TURNED, hex_, at),)
            yield from (Stack(top, hexes, slips) for hexes in combinations(others, turning(state)) if at)


def _taken_face_down(state: State, glimpse: Glimpse) -> Iterator[Acquire]:
    """Everything taken with a card that had not been turned, whose hex is seen in the storage now."""
    for at in empty_cards(state.display)[:1]:
        known = state.boards[state.turn - 1].cards
        kept = _hexes(glimpse.heap("expansion", STORAGE_CARDS + 1, seat=state.turn))
        for hex_ in sorted(kept & set(state.unseen) - set(known)):
            slips = (Slip(FACE_DOWN_CARD, hex_, at),)
            yield from (Acquire(state.turn, picks, slips) for picks, _ in full_selections(state))


def _new_hexes(state: State, shown: Iterable[Kinds]) -> list[str]:
    """The hexes of cards that lie face up now and were not known before."""
    known = {card.hex for card in state.display if card.hex}
    return sorted(hex_ for hex_ in _hexes(shown) - known if hex_ in BIT and hex_ in state.unseen)


def _hexes(shown: Iterable[Kinds]) -> set[str]:
    """The hexes that cards print."""
    return {kind.partition(":")[2] for kinds in shown for kind in kinds if kind.startswith(f"{CARD}:")}
