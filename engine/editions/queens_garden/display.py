"""The display of Queen's Garden: the stack with its top card, the cards laid out, and the hidden heaps behind them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, product, starmap
from typing import NamedTuple

from engine.editions.queens_garden.hands import need
from engine.editions.queens_garden.hexes import COLOUR, EXPANSION, PATTERN, Heap, heap, take_out
from engine.editions.queens_garden.moves import (
    FACE_DOWN_CARD,
    STACK_SIZE,
    TURNED,
    UNMOVED,
    UNTURNED,
    Acquire,
    Pick,
    Stack,
    slip_of,
)
from engine.editions.queens_garden.state import (
    ACT,
    STACK_CARDS,
    TOP,
    TOP_TILES,
    Card,
    State,
    empty_cards,
    following,
)
from engine.editions.queens_garden.storage import with_items
from engine.errors import ImpossibleMoveError
from engine.state import FILL
from engine.text import say


def sources(state: State) -> Mapping[str, list[Pick]]:
    """Every hex that can be acquired, in the order of its name, with all the places where it lies."""
    return _sources(state.top, state.display)


def full_selections(state: State) -> list[tuple[tuple[Pick, ...], int]]:
    """One of each hex of every colour and pattern, for every choice among equal ones; and how many are expansions."""
    return _selections(state.top, state.display)


# Many turns leave the display as it is, so what it offers is kept.
@lru_cache(maxsize=1 << 10)
def _selections(top: Heap, display: tuple[Card, ...]) -> list[tuple[tuple[Pick, ...], int]]:
    by_attribute: dict[str, list[list[Pick]]] = {}
    for hex_, picks in _sources(top, display).items():
        by_attribute.setdefault(COLOUR[hex_], []).append(picks)
        by_attribute.setdefault(PATTERN[hex_], []).append(picks)
    found = dict.fromkeys(chain.from_iterable(starmap(product, by_attribute.values())))
    return [(picks, len([item for item, _ in picks if item[0] == EXPANSION])) for picks in found]


@lru_cache(maxsize=1 << 10)
def _sources(top: Heap, display: tuple[Card, ...]) -> Mapping[str, list[Pick]]:
    found: dict[str, list[Pick]] = {}
    for tile in dict.fromkeys(top):
        found.setdefault(tile, []).append(Pick(tile, TOP))
    for number, card in enumerate(display, 1):
        for tile in dict.fromkeys(card.tiles):
            found.setdefault(tile, []).append(Pick(tile, number))
        if card.hex and not card.tiles:
            found.setdefault(card.hex, []).append(Pick(EXPANSION + card.hex, number))
    return {hex_: found[hex_] for hex_ in sorted(found)}


def drawable(state: State) -> int:
    """How many tiles the new top card gets by the rules."""
    return min(TOP_TILES, len(state.bag) + len(state.tower)) if state.due else 0


class Drawing(NamedTuple):
    """What is left of bag and tower after tiles were drawn, and what contradicts the draw."""

    bag: Heap
    tower: Heap
    missing: Heap = ()
    """What neither bag nor tower can have given."""
    skipped: Heap = ()
    """What was left in the bag although it comes first: the tower was poured in too early."""


def draw(bag: Heap, tower: Heap, tiles: Heap) -> Drawing:
    """Draw these tiles out of the bag, and once it is empty out of the tower, which is then poured into it."""
    left, beyond = take_out(bag, tiles)
    if not beyond:
        return Drawing(left, tower)
    poured, missing = take_out(tower, beyond)
    return Drawing(heap((*left, *poured)), (), missing, left)


def turning(state: State) -> int:
    """How many cards are to be turned face up by the rules once the tiles are drawn."""
    return len(empty_cards(state.display)) + (_stack_size(state) if _runs_dry(state) else 0)


def _runs_dry(state: State) -> bool:
    # Without any tile for its top card, the whole stack is laid out face up.
    return state.due and not state.bag and not state.tower


def _stack_size(state: State) -> int:
    return state.stack if state.turn else STACK_CARDS[state.setup.players]


def acquired(state: State, move: Acquire) -> State:
    """The state after things were taken from the display."""
    seat, board = move.seat, state.boards[move.seat - 1]
    top, display, gone = list(state.top), list(state.display), set()
    for item, source in move.picks:
        if source != TOP and 0 < source <= len(display) and display[source - 1].hex == item[1:]:
            need(item[0] == EXPANSION and source not in gone, move)
            gone.add(source)
            continue
        if item not in (top if source == TOP else display[source - 1].tiles if source <= len(display) else ()):
            raise ImpossibleMoveError(say("no {item} lies there", item=item))
        if source == TOP:
            top.remove(item)
        else:
            hex_, tiles = display[source - 1]
            display[source - 1] = Card(hex_, take_out(tiles, (item,))[0])
    items, unseen = [item for item, _ in move.picks], state.unseen
    if slip := slip_of(move, FACE_DOWN_CARD):
        need(0 < slip.at <= len(display) and not display[slip.at - 1].tiles and not display[slip.at - 1].hex, move)
        need(slip.tiles in unseen, move)
        gone.add(slip.at)
        items.append(EXPANSION + slip.tiles)
        unseen = tuple(hex_ for hex_ in unseen if hex_ != slip.tiles)
    if gone:
        display = [card for number, card in enumerate(display, 1) if number not in gone]
    stack, due, unmoved = state.stack, False, slip_of(move, UNMOVED)
    takes_top = len(top) < len(state.top)
    need(takes_top or not unmoved, move)
    if takes_top and not unmoved:
        display.append(Card("", tuple(top)))
        top, stack = [], stack - 1
        due = stack > 0
    laid_out = tuple(display)
    return state._replace(
        boards=(*state.boards[: seat - 1], with_items(board, items), *state.boards[seat:]),
        top=tuple(top),
        stack=stack,
        display=laid_out,
        unseen=unseen,
        phase=FILL if due or empty_cards(laid_out) else ACT,
        turn=following(state.setup.players, state.passed, seat),
        due=due,
    )


def stacked(state: State, move: Stack) -> State:
    """The state after tiles were drawn onto the top card and empty cards were turned face up."""
    if state.phase != FILL:
        raise ImpossibleMoveError(say("nothing is to be drawn now"))
    drawn = draw(state.bag, state.tower, move.tiles)
    if drawn.missing:
        raise ImpossibleMoveError(say("bag and tower cannot have given these tiles: {tiles}", tiles=drawn.missing))
    opens, usual = state.turn == 0, _stack_size(state)
    size = slip_of(move, STACK_SIZE)
    need(size is None or (opens and size.at != usual and size.at - usual <= state.supply and size.at > 0), move)
    stack = size.at if size else usual
    supply = state.supply - (stack - usual)
    display = list(state.display)
    if _runs_dry(state):
        display += [Card("", ())] * stack
        stack = 0
    display, unseen = _turned(display, state.unseen, move)
    return state._replace(
        top=heap((*state.top, *move.tiles)),
        stack=stack,
        display=tuple(display),
        bag=drawn.bag,
        tower=drawn.tower,
        unseen=unseen,
        supply=supply,
        phase=ACT,
        turn=state.starter if opens else state.turn,
        round=state.round + opens,
        due=False,
    )


def _turned(display: list[Card], unseen: Heap, move: Stack) -> tuple[list[Card], Heap]:
    empty, hexes = empty_cards(tuple(display)), list(move.turned)
    if slip := slip_of(move, UNTURNED):
        need(slip.at in empty, move)
        empty.remove(slip.at)
    if slip := slip_of(move, TURNED):
        need(0 < slip.at <= len(display) and bool(display[slip.at - 1].tiles) and not display[slip.at - 1].hex, move)
        empty.append(slip.at)
        hexes = [*hexes[: len(empty) - 1], slip.tiles]
        need(len(hexes) == len(empty), move)
    need(len(hexes) <= len(empty), move)
    left = list(unseen)
    for number, hex_ in zip(empty, hexes, strict=False):
        if hex_ not in left:
            raise ImpossibleMoveError(say("the expansion {hex} was seen elsewhere before", hex=hex_))
        left.remove(hex_)
        display[number - 1] = Card(hex_, display[number - 1].tiles)
    return display, tuple(left)


def cleared(state: State) -> State:
    """The state with the display cleared and the marker put back, before the next round."""
    tiles = (*state.top, *(tile for card in state.display for tile in card.tiles))
    return state._replace(
        top=(),
        stack=0,
        display=(),
        tower=heap((*state.tower, *tiles)),
        supply=state.supply + state.stack + len(state.display),
        phase=FILL,
        starter=state.marker or state.starter,
        marker=0,
        passed=(),
        due=True,
    )
