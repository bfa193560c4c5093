"""What hands did besides a move of Queen's Garden: what came from a wrong place, what was disturbed.

Slips that bend a step of the move itself are read where that step is done. A slip that changes nothing, or needs things
that are not there, is impossible.
"""

from __future__ import annotations

from engine.editions.queens_garden.garden import (
    FREE,
    HEX_CELLS,
    SIX,
    print_of,
    ring_cell,
    with_cell,
)
from engine.editions.queens_garden.hexes import BIT, EXPANSION, JOKER, heap
from engine.editions.queens_garden.moves import (
    BORROWED,
    DISCARDED,
    FROM_DISPLAY,
    MOVED,
    REMOVED,
    ROTATED,
    Expand,
    Move,
    Plant,
)
from engine.editions.queens_garden.state import TOP, Board, Card, State
from engine.editions.queens_garden.storage import with_items, without_items
from engine.errors import ImpossibleMoveError
from engine.moves import Slip
from engine.text import say


def before_hands(state: State, move: Move) -> State:
    """The state with what came from a wrong place laid into the storage first."""
    for slip in move.slips:
        if slip.kind == BORROWED:
            need(slip.at in state.setup.seats and slip.at != move.seat, move)
            need(isinstance(move, (Plant, Expand)) and slip.tiles in move.pay, move)
            lender, missing = without_items(state.boards[slip.at - 1], (slip.tiles,))
            need(not missing, move)
            state = _with_board(state, slip.at, lender)
            state = _with_board(state, move.seat, with_items(state.boards[move.seat - 1], [slip.tiles]))
        elif slip.kind == FROM_DISPLAY:
            state = _from_display(state, move, slip)
    return state


def after_hands(state: State, move: Move) -> State:
    """The state with what was disturbed besides the move."""
    for slip in move.slips:
        if slip.kind == DISCARDED:
            board, missing = without_items(state.boards[move.seat - 1], (slip.tiles,))
            need(not missing, move)
            state = _with_board(state, move.seat, board)
            if slip.tiles in BIT:
                state = state._replace(tower=heap((*state.tower, slip.tiles)))
            else:
                state = state._replace(supply=state.supply + (slip.tiles[0] == EXPANSION))
        elif slip.kind in (MOVED, REMOVED):
            state = _disturbed(state, move, slip)
        elif slip.kind == ROTATED:
            state = _with_board(state, move.seat, _rotated(state.boards[move.seat - 1], move, slip))
    return state


def _from_display(state: State, move: Move, slip: Slip) -> State:
    item = move.tile if isinstance(move, Plant) else EXPANSION + move.hex if isinstance(move, Expand) else ""
    display = list(state.display)
    if slip.at == TOP:
        need(item in state.top, move)
        top = list(state.top)
        top.remove(item)
        state = state._replace(top=tuple(top))
    else:
        need(0 < slip.at <= len(display), move)
        card = display[slip.at - 1]
        if card.hex and EXPANSION + card.hex == item:
            del display[slip.at - 1]
        else:
            need(item in card.tiles, move)
            tiles = list(card.tiles)
            tiles.remove(item)
            display[slip.at - 1] = Card(card.hex, tuple(tiles))
        state = state._replace(display=tuple(display))
    return _with_board(state, move.seat, with_items(state.boards[move.seat - 1], [item]))


def _disturbed(state: State, move: Move, slip: Slip) -> State:
    board = state.boards[move.seat - 1]
    need(slip.at in range(len(board.garden)), move)
    hex_ = board.garden[slip.at]
    need((hex_ in BIT or hex_ == JOKER) and slip.at not in _printed(board), move)
    garden = with_cell(board.garden, slip.at, print_of(slip.at, board.slots))
    if slip.kind == REMOVED:
        state = state._replace(tower=heap((*state.tower, hex_)) if hex_ in BIT else state.tower)
    else:
        need(slip.to in HEX_CELLS and slip.to != slip.at and garden[slip.to] == FREE, move)
        garden = with_cell(garden, slip.to, hex_)
    return _with_board(state, move.seat, board._replace(garden=garden))


def _rotated(board: Board, move: Move, slip: Slip) -> Board:
    """A card turned in its slot together with all that lies on it."""
    need(slip.at in SIX and board.slots[slip.at] in SIX and slip.to in SIX, move)
    turn = slip.to - board.slots[slip.at]
    need(turn != 0, move)
    first = ring_cell(slip.at, 0)
    ring = [board.garden[ring_cell(slip.at, (k - turn) % 6)] for k in SIX]
    garden = (*board.garden[:first], *ring, *board.garden[first + 6 :])
    slots = (*board.slots[: slip.at], slip.to, *board.slots[slip.at + 1 :])
    return board._replace(garden=garden, slots=slots)


def _printed(board: Board) -> set[int]:
    return {ring_cell(slot, at) for slot, at in enumerate(board.slots) if at in SIX}


def _with_board(state: State, seat: int, board: Board) -> State:
    return state._replace(boards=(*state.boards[: seat - 1], board, *state.boards[seat:]))


def need(possible: bool, move: Move) -> None:
    """Refuse what cannot have happened."""
    if not possible:
        slips = ", ".join(slip.kind for slip in move.slips) or "-"
        raise ImpossibleMoveError(say("what lies on the table does not allow what was done ({slips})", slips=slips))
