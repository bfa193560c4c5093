"""What a game of Queen's Garden consists of: storages, gardens, the display, the hidden things.

A card that lies face down is nobody's secret that the engine keeps: its hex is unknown until it is turned, so a state
counts such cards and remembers which hexes have never been seen. Cards go from the stacks to the display and back into
the supply, and nothing is ever turned up out of the supply, so a hex once seen is never turned up again.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.editions.queens_garden.garden import (
    AT_UNSEEN,
    BARE_GARDEN,
    BARE_SLOTS,
    NO_CARD,
    SIX,
    Garden,
    ring_cell,
)
from engine.editions.queens_garden.hexes import BIT, HEXES, JOKER, Heap, heap
from engine.editions.queens_garden.options import Options
from engine.editions.queens_garden.wheel import ROUNDS
from engine.state import FILL, Setup

TILES_OF_EACH = 3
CARDS = 36
STACK_CARDS = {2: 5, 3: 7, 4: 8}
TOP_TILES = 4
STORAGE_CELLS = 12
STORAGE_CARDS = 2
START_SCORE = 15
START_JOKERS = 3
CARD_PRICE = 6
FIRST_PASS_COST = 1

ACT = "act"
COUNT = "count"
"""The phase in which everybody has passed and the round is to be scored."""

TOP = 0
"""The source of a pick that is the top card of the stack; cards of the display are numbered from 1."""


class Card(NamedTuple):
    """A card of the display: its hex once it lies face up, else nothing, and the tiles on it."""

    hex: str
    tiles: Heap


class Board(NamedTuple):
    """What belongs to one player."""

    garden: Garden
    slots: tuple[int, ...]
    """How a card lies in each of the six slots; see `garden`."""
    tiles: Heap
    jokers: int
    cards: Heap
    """The expansions in the storage, by their hexes."""
    score: int


class State(NamedTuple):
    """A whole game at one moment."""

    setup: Setup[Options]
    boards: tuple[Board, ...]
    top: Heap
    """The tiles on the top card of the stack."""
    stack: int
    """How many cards the round's stack has, the top card among them."""
    display: tuple[Card, ...]
    bag: Heap
    tower: Heap
    unseen: Heap
    """The hexes of cards that never lay face up."""
    supply: int
    phase: str
    turn: int
    """Who acts next; 0 before a round and after it."""
    starter: int
    marker: int
    """The seat that passed first and holds the marker; 0 while it lies in the display."""
    passed: tuple[int, ...]
    round: int
    due: bool
    """Whether tiles are to be drawn onto the top card."""

    @property
    def seat(self) -> int:
        """Whose turn it is; 0 while chance is awaited and while a round is scored."""
        return self.turn if self.phase == ACT else 0

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, without the final scoring."""
        return tuple(board.score for board in self.boards)


START_BOARD = Board(BARE_GARDEN, BARE_SLOTS, (), START_JOKERS, (), START_SCORE)


def start(setup: Setup[Options]) -> State:
    """A table set up, before the first tiles are drawn."""
    return State(
        setup=setup,
        boards=(START_BOARD,) * setup.players,
        top=(),
        stack=0,
        display=(),
        bag=heap(HEXES * TILES_OF_EACH),
        tower=(),
        unseen=heap(HEXES),
        supply=CARDS - ROUNDS * STACK_CARDS[setup.players],
        phase=FILL,
        turn=0,
        starter=setup.first,
        marker=0,
        passed=(),
        round=0,
        due=True,
    )


def heaps(state: State) -> dict[str, Heap]:
    """Where every tile of the game is."""
    places = {
        "bag": state.bag,
        "tower": state.tower,
        "stack": state.top,
        "display": tuple(tile for card in state.display for tile in card.tiles),
    }
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        places[f"seat {seat}"] = (*board.tiles, *tiles_in(board.garden, board.slots))
    return places


def tiles_in(garden: Garden, slots: tuple[int, ...]) -> Heap:
    """The tiles that lie in a garden, without what is printed on its cards."""
    printed = {ring_cell(slot, at) for slot, at in enumerate(slots) if at in SIX}
    return tuple(hex_ for cell, hex_ in enumerate(garden) if hex_ in BIT and cell not in printed)


def printed_in(garden: Garden, slots: tuple[int, ...]) -> Heap:
    """The hexes printed on the cards that lie face up in a garden."""
    return tuple(garden[ring_cell(slot, at)] for slot, at in enumerate(slots) if at in SIX)


def faces_seen(state: State) -> Heap:
    """The hexes of all cards that lie face up somewhere now."""
    found = [card.hex for card in state.display if card.hex]
    for board in state.boards:
        found += (*board.cards, *printed_in(board.garden, board.slots))
    return tuple(found)


def cards_out(state: State) -> dict[str, int]:
    """How many expansions are where: together they are always all of them."""
    places = {
        "supply": state.supply,
        "stack": state.stack,
        "later stacks": (ROUNDS - state.round) * STACK_CARDS[state.setup.players],
        "display": len(state.display),
    }
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        places[f"seat {seat}"] = len(board.cards) + sum(at != NO_CARD for at in board.slots)
    return places


def storage(board: Board) -> tuple[str, ...]:
    """Everything in a storage as items."""
    return (*board.tiles, *(f"x{hex_}" for hex_ in board.cards), *(JOKER,) * board.jokers)


def empty_cards(display: tuple[Card, ...]) -> list[int]:
    """The cards of the display that lie face down without tiles, by their numbers."""
    return [number for number, card in enumerate(display, 1) if not card.hex and not card.tiles]


def room(board: Board) -> int:
    """How many tiles or jokers still go into the storage."""
    return max(0, STORAGE_CELLS - len(board.tiles) - board.jokers)


def pavilions(slots: tuple[int, ...]) -> list[int]:
    """The slots with a card that lies face up, and so with a pavilion."""
    return [slot for slot, at in enumerate(slots) if at in SIX or at == AT_UNSEEN]


def following(players: int, passed: tuple[int, ...], seat: int) -> int:
    """Who acts after a seat: clockwise, leaving out who has passed; 0 where everybody has."""
    for step in range(1, players + 1):
        after = (seat + step - 1) % players + 1
        if after not in passed:
            return after
    return 0
