"""A person's corrections of what lies on a table of Queen's Garden.

Cells of a seat: garden cells (`F0`, `X0.2`), slots (`X0`: `LG1@4`, `down` or `.`), `storage` (tiles and jokers, and
expansions if any is named: `LB1 J xDP6`), `expansion` (these alone) and `score`. Of the table: `stack` (the tiles on
its top card), `left` (cards in the stack), `display.2` (its tiles, `xLG1` face up, `.` gone), `display` (empty: no
card), `phase`, `round`, `starter`, `marker`, `passed` (seats: `1 3`), `turn`, `tower` (its tiles; the bag has the
rest). Cards may also be spelled as on Tables: `card`, `card:LG1`, `card:LG1@4`. Tower and bag make up for tiles, the
supply for cards and, if it has not so many, the stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from engine.editions.queens_garden.garden import (
    BARE_GARDEN,
    FACE_DOWN,
    FREE,
    HEX_CELLS,
    INDEX,
    NO_CARD,
    SIX,
    UNSEEN,
    print_of,
    ring_cell,
    with_card,
    with_cell,
)
from engine.editions.queens_garden.hexes import BIT, EXPANSION, EXPANSIONS, HEXES, ITEMS, JOKER, Heap, heap, take_out
from engine.editions.queens_garden.state import (
    ACT,
    CARDS,
    COUNT,
    TILES_OF_EACH,
    Board,
    Card,
    State,
    cards_out,
    faces_seen,
    heaps,
)
from engine.editions.queens_garden.wheel import ROUNDS
from engine.errors import ImpossibleMoveError, RecordError
from engine.state import FILL, OVER
from engine.table import CARD
from engine.text import say

NO_FACE = (CARD, EXPANSION + UNSEEN)
"""A card that lies face down, or is just being turned."""


def correct(state: State, cells: Mapping[str, str | int], seat: int) -> State:
    """The state with cells as a person says they are."""
    for cell, value in cells.items():
        if seat:
            board = _with_cell(state.boards[seat - 1], cell, value)
            state = state._replace(boards=(*state.boards[: seat - 1], board, *state.boards[seat:]))
        else:
            state = _with_table_cell(state, cell, value)
    state = _balanced(state, "left" in cells)
    if not seat and cells.keys() & {"phase", "left"}:
        return state._replace(due=state.phase == FILL and not state.top and bool(state.stack or not state.turn))
    return state


def _balanced(state: State, told: bool) -> State:
    """The state with what is hidden made up for; `told` says that somebody counted the cards of the stack."""
    lying = [tile for place, tiles in heaps(state).items() if place not in ("bag", "tower") for tile in tiles]
    hidden, impossible = take_out(heap(HEXES * TILES_OF_EACH), lying)
    seen = faces_seen(state)
    twice = [hex_ for hex_, count in Counter(seen).items() if count > 1]
    if impossible or twice:
        raise ImpossibleMoveError(say("there are not so many of these: {hexes}", hexes=(*impossible, *twice)))
    bag = take_out(state.bag, take_out(hidden, state.bag)[1])[0]
    elsewhere = sum(cards_out(state).values()) - state.supply
    more = max(0, elsewhere - CARDS)
    if more > (0 if told else state.stack):
        raise ImpossibleMoveError(say("there are only {count} expansions", count=CARDS))
    unseen = tuple(hex_ for hex_ in state.unseen if hex_ not in seen)
    supply, stack = CARDS - elsewhere + more, state.stack - more
    return state._replace(bag=bag, tower=take_out(hidden, bag)[0], supply=supply, stack=stack, unseen=unseen)


def _with_cell(board: Board, cell: str, value: str | int) -> Board:
    if cell == "score" and type(value) is int:
        return board._replace(score=value)
    if cell == "storage" and (items := _items(value, ITEMS)) is not None:
        tiles = heap(item for item in items if item in BIT)
        cards = heap(item[1:] for item in items if item[0] == EXPANSION) or board.cards
        return board._replace(tiles=tiles, cards=cards, jokers=items.count(JOKER))
    if cell == "expansion" and (items := _items(value, EXPANSIONS)) is not None:
        return board._replace(cards=heap(item[1:] for item in items))
    if len(cell) == 2 and cell[0] == "X" and cell[1] in "012345" and isinstance(value, str):
        return _with_slot(board, int(cell[1]), value)
    index = INDEX.get(cell)
    if index is None or value not in (*HEXES, JOKER, FREE) or index in _printed(board):
        raise RecordError(f"a correction cannot set {cell} to {value!r}")
    content = print_of(index, board.slots) if value == FREE else str(value)
    return board._replace(garden=with_cell(board.garden, index, content))


def _with_slot(board: Board, slot: int, value: str) -> Board:
    value = "down" if value == CARD else value.removeprefix(f"{CARD}:")
    hex_, _, at = value.partition("@")
    bare = list(board.garden)
    first = ring_cell(slot, 0)
    # A card is lifted together with its print; tiles on the other cells stay where they are.
    for cell in range(first, first + 7):
        if cell in _printed(board) or bare[cell] not in (*BIT, JOKER):
            bare[cell] = BARE_GARDEN[cell]
    lies = FACE_DOWN if value == "down" else NO_CARD if value == FREE else int(at) if at in tuple("012345") else None
    if lies is None or (lies in SIX and (hex_ not in BIT or bare[ring_cell(slot, lies)] in BIT)):
        raise RecordError(f"a correction cannot set X{slot} to {value!r}")
    slots = (*board.slots[:slot], lies, *board.slots[slot + 1 :])
    garden = tuple(bare) if lies == NO_CARD else with_card(tuple(bare), slot, lies, hex_)
    return board._replace(garden=garden, slots=slots)


def _printed(board: Board) -> set[int]:
    return {
        ring_cell(slot, at) for slot, at in enumerate(board.slots) if at in SIX and ring_cell(slot, at) in HEX_CELLS
    }


def _with_table_cell(state: State, cell: str, value: str | int) -> State:
    if isinstance(value, int) and type(value) is int and value in _numbers(state, cell):
        return _with_number(state, cell, value)
    if cell == "phase" and value in (FILL, ACT, COUNT, OVER):
        return state._replace(phase=str(value))
    if cell == "passed" and isinstance(value, str) and {*value.split()} <= {*map(str, state.setup.seats)}:
        return state._replace(passed=tuple(sorted({*map(int, value.split())})))
    if cell == "tower" and (tiles := _items(value, HEXES)) is not None:
        return state._replace(bag=take_out(heap(HEXES * TILES_OF_EACH), tiles)[0])
    if cell == "stack" and (tiles := _items(value, HEXES)) is not None:
        return state._replace(top=heap(tiles))
    if cell == "display" and value == "":
        return state._replace(display=())
    name, _, text = cell.partition(".")
    number = int(text) if text.isdecimal() else 0
    if name == "display" and 0 < number <= len(state.display) + 1:
        display = list(state.display)
        if value == FREE:
            del display[number - 1 : number]
            return state._replace(display=tuple(display))
        if (items := _items(value, (*HEXES, *EXPANSIONS, *NO_FACE))) is not None:
            faces = [item[1:] for item in items if item in EXPANSIONS]
            tiles = heap(item for item in items if item in BIT)
            if len(items) - len(tiles) <= 1 and not (faces and tiles):
                display[number - 1 : number] = [Card(faces[0] if faces else "", tiles)]
                return state._replace(display=tuple(display))
    raise RecordError(f"a correction cannot set {cell} to {value!r}")


def _numbers(state: State, cell: str) -> Collection[int]:
    """What a number of the table can be."""
    seats = state.setup.seats
    known: dict[str, Collection[int]] = {
        "round": range(1, ROUNDS + 1),
        "left": range(CARDS + 1),
        "starter": seats,
        "marker": (0, *seats),
        "turn": (0, *seats),
    }
    return known.get(cell, ())


def _with_number(state: State, cell: str, value: int) -> State:
    match cell:
        case "round":
            return state._replace(round=value)
        case "left":
            return state._replace(stack=value)
        case "starter":
            return state._replace(starter=value)
        case "marker":
            return state._replace(marker=value)
    return state._replace(turn=value)


def _items(value: str | int, allowed: Collection[str]) -> Heap | None:
    """The items of a text, None where it is none."""
    if not isinstance(value, str):
        return None
    items = tuple(item.replace(f"{CARD}:", EXPANSION) for item in value.split())
    return items if all(item in allowed for item in items) else None
