"""Passes of Queen's Garden that a look allows: what is left in a storage tells what was discarded.

A full storage can be discarded in thousands of ways. Nobody weighs them one by one: what is seen there is taken away
from what lay there, and the rest is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.editions.queens_garden.hexes import BIT, EXPANSION
from engine.editions.queens_garden.moves import Move, Pass
from engine.editions.queens_garden.rules import actions, legal_moves
from engine.editions.queens_garden.state import ACT, Board, State
from engine.editions.queens_garden.storage import Pay
from engine.glimpse import Glimpse
from engine.table import CARD, Kinds

GUESSES = 3
"""So many ways to read a storage are looked at."""


def likely_moves(state: State, glimpse: Glimpse) -> Sequence[Move]:
    """The legal moves, but of the thousands of passes those that what lies in the storage does not rule out."""
    if state.phase != ACT:
        return legal_moves(state)
    gone = _gone(state.boards[state.turn - 1], state.turn, glimpse)
    return [*actions(state), *(Pass(state.turn, items) for items in dict.fromkeys(gone))]


def _gone(board: Board, seat: int, glimpse: Glimpse) -> Iterator[Pay]:
    """What may have been discarded: nothing, all, and what is not seen any more, one more or less of it."""
    items = (*board.tiles, *(EXPANSION + card for card in board.cards))
    yield ()
    yield items
    tiles = glimpse.heap("storage", len(board.tiles) + board.jokers, GUESSES, seat=seat) or [board.tiles]
    cards = glimpse.heap("expansion", len(board.cards), GUESSES, seat=seat) or [_as_cards(board.cards)]
    for left in ((*hexes, *_items(shown)) for hexes in tiles for shown in cards):
        gone = _without(items, [item for item in left if item in BIT or item[0] == EXPANSION])
        yield gone
        yield from (_without(gone, [item]) for item in dict.fromkeys(gone))
        yield from (_without(items, _without(_without(items, gone), [item])) for item in dict.fromkeys(items))


def _without(items: Pay, others: Sequence[str]) -> Pay:
    """Some items without those of them that are among others, in their order."""
    left = list(items)
    for item in others:
        if item in left:
            left.remove(item)
    return tuple(left)


def _as_cards(cards: Kinds) -> Kinds:
    return tuple(f"{CARD}:{card}" for card in cards)


def _items(cards: Kinds) -> list[str]:
    """The expansions that cards show, as items."""
    return [EXPANSION + card.partition(":")[2] for card in cards]
