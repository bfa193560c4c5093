"""What hands really did: moves of Azul with slips in them.

Each function does a move step by step, as `rules` does it in one go, and bends the step that a slip names. A slip that
changes nothing, or needs tiles that are not there, is impossible.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.editions.azul.board import lay_on_floor, lay_on_line, tile_row, with_line, with_wall_tile
from engine.editions.azul.moves import (
    CLEARED,
    FLOOR_GAP,
    GAP,
    HIDDEN,
    KEPT,
    LEFT,
    MARKER_CELL,
    MARKER_LID,
    MARKER_SLIP,
    OTHER_ROW,
    REMOVED,
    REST,
    RETURNED,
    SHIFTED,
    SPLIT,
    STACKED,
    SWEEP_SLIPS,
    TAKE_SLIPS,
    TILE_SLIPS,
    UNCLEARED,
    UNPUSHED,
    Sweep,
    Take,
    Tile,
)
from engine.editions.azul.state import (
    CENTRE,
    EMPTY,
    FLOOR,
    FLOOR_CELLS,
    MARKER,
    ROWS,
    Board,
    Options,
    State,
    sources,
)
from engine.editions.drafting import EXTRA
from engine.errors import ImpossibleMoveError
from engine.moves import Slip
from engine.text import say
from engine.tiles import heap, lacking, without

AfterTake = Callable[[State, int, tuple[Board, ...], tuple[str, ...], str, int, str], State]


def slipped_take(state: State, move: Take, after_take: AfterTake) -> State:
    """The state after a take in which something was done wrong."""
    slips = _by_kind(move, TAKE_SLIPS)
    table = list(sources(state))
    held = _pick_up(table, move, slips)
    marker_due = move.source == CENTRE and not state.marker
    takes_marker = marker_due is not (MARKER_SLIP in slips)
    _need(not takes_marker or not state.marker, move)
    _need(takes_marker or MARKER_CELL not in slips, move)
    board, lid = state.boards[move.seat - 1], state.lid
    if takes_marker:
        board = board._replace(floor=_floor_with_marker(board.floor, slips.get(MARKER_CELL), move))
    if shifted := slips.get(SHIFTED):
        board = _shift(board, shifted, move)
    _need(HIDDEN not in slips or len(board.floor) < FLOOR_CELLS or EMPTY in board.floor, move)
    for kind in (KEPT, HIDDEN, RETURNED):
        if slip := slips.get(kind):
            held = _less(held, slip.tiles, move)
            if kind == RETURNED:
                table[CENTRE] = heap(table[CENTRE] + slip.tiles)
            else:
                # What stays in a hand is out of sight, as what lies in the lid is.
                lid = heap(lid + slip.tiles)
    board, spilled = _lay(board, move, held, slips)
    boards = (*state.boards[: move.seat - 1], board, *state.boards[move.seat :])
    marker = move.seat if takes_marker else state.marker
    centre, *factories = table
    return after_take(state, move.seat, boards, tuple(factories), centre, marker, heap(lid + spilled))


def slipped_tile(board: Board, move: Tile, options: Options) -> tuple[Board, str]:
    """A wall tile laid with something done wrong: the board, and what goes into the lid."""
    slips = _by_kind(move, TILE_SLIPS)
    wall_row = slips[OTHER_ROW].at if OTHER_ROW in slips else move.row
    _need(move.column in ROWS and wall_row in ROWS and (OTHER_ROW not in slips or wall_row != move.row), move)
    _need(
        board.wall[wall_row - 1][move.column - 1] == EMPTY and board.lines[move.row - 1] != EMPTY * move.row,
        move,
    )
    board, discarded = tile_row(board, move.row, move.column, options, wall_row=wall_row)
    if rest := slips.get(REST):
        discarded = _less(discarded, rest.tiles, move)
        line, piled = lay_on_line(board.lines[move.row - 1], rest.tiles)
        board = with_line(board, move.row, piled + line)
    return board, discarded


def slipped_sweep(state: State, move: Sweep, swept_board: Board, swept: str) -> tuple[Board, str, int]:
    """A floor line swept with something done wrong: the board, what goes into the lid, and who has the marker."""
    _by_kind(move, SWEEP_SLIPS)
    board, marker = swept_board, state.marker
    floor = state.boards[move.seat - 1].floor
    for slip in move.slips:
        if slip.kind == UNCLEARED:
            _need(bool(floor), move)
            board, swept = board._replace(floor=floor), ""
        elif slip.kind == MARKER_LID:
            _need(marker == move.seat, move)
            marker = 0
        elif slip.kind == CLEARED:
            line = board.lines[slip.at - 1] if slip.at in ROWS else ""
            _need(EMPTY in line and line != EMPTY * slip.at, move)
            board, swept = with_line(board, slip.at, EMPTY * slip.at), swept + line.replace(EMPTY, "")
        elif slip.kind == REMOVED:
            tile = board.wall[slip.at - 1][slip.to - 1] if slip.at in ROWS and slip.to in ROWS else EMPTY
            _need(tile != EMPTY, move)
            board = board._replace(wall=with_wall_tile(board.wall, slip.at, slip.to, EMPTY))
            swept += tile
    return board, swept, marker


def misfit(state: State, move: Take | Tile | Sweep) -> ImpossibleMoveError | None:
    """Why the slips of a move cannot have happened, if so."""
    board, options = state.boards[move.seat - 1], state.setup.options
    try:
        match move:
            case Take():
                slipped_take(state, move, lambda *_: state)
            case Tile():
                slipped_tile(board, move, options)
            case Sweep():
                slipped_sweep(state, move, board._replace(floor=""), "")
    except ImpossibleMoveError as error:
        return error
    return None


def _pick_up(table: list[str], move: Take, slips: dict[str, Slip]) -> str:
    """Take tiles off the sources and push the rest: what is then held."""
    _need(move.source < len(table), move)
    held = move.colour * table[move.source].count(move.colour)
    if left := slips.get(LEFT):
        held = _less(held, left.tiles, move)
    _need(bool(held), move)
    table[move.source] = without(table[move.source], held)
    if extra := slips.get(EXTRA):
        _need(0 <= extra.at < len(table), move)
        table[extra.at] = _less(table[extra.at], extra.tiles, move)
        held += extra.tiles
    rest = table[move.source]
    if UNPUSHED in slips:
        _need(move.source != CENTRE and bool(rest), move)
    elif move.source != CENTRE:
        table[CENTRE], table[move.source] = heap(table[CENTRE] + rest), ""
    return held


def _lay(board: Board, move: Take, held: str, slips: dict[str, Slip]) -> tuple[Board, str]:
    """Lay what is held: the board, and what goes into the lid."""
    spilled = ""
    _need(move.line != FLOOR or not slips.keys() & {GAP, STACKED}, move)
    if split := slips.get(SPLIT):
        _need(split.at in ROWS and split.at != move.line, move)
        held = _less(held, split.tiles, move)
        line, spilled = lay_on_line(board.lines[split.at - 1], split.tiles)
        board = with_line(board, split.at, line)
    if move.line != FLOOR:
        line, over = lay_on_line(board.lines[move.line - 1], held)
        if GAP in slips:
            line = _from_left(board.lines[move.line - 1], held, line, move)
        if stacked := slips.get(STACKED):
            over = _less(over, stacked.tiles, move)
            line = stacked.tiles + line
        board = with_line(board, move.line, line)
        held = over
    spilled = held + spilled
    floor = board.floor
    if gap := slips.get(FLOOR_GAP):
        _need(bool(spilled) and len(floor) + 1 < gap.at <= FLOOR_CELLS, move)
        room = FLOOR_CELLS - gap.at + 1
        floor, spilled = floor.ljust(gap.at - 1, EMPTY) + spilled[:room], spilled[room:]
    else:
        floor, spilled = lay_on_floor(floor, spilled)
    return board._replace(floor=floor), spilled


def _from_left(line: str, tiles: str, proper: str, move: Take) -> str:
    cells = list(line)
    for tile in tiles[: line.count(EMPTY)]:
        cells[cells.index(EMPTY)] = tile
    _need("".join(cells) != proper, move)
    return "".join(cells)


def _floor_with_marker(floor: str, slip: Slip | None, move: Take) -> str:
    if slip is None:
        return lay_on_floor(floor, MARKER)[0]
    _need(len(floor) + 1 < slip.at <= FLOOR_CELLS, move)
    return floor.ljust(slip.at - 1, EMPTY) + MARKER


def _shift(board: Board, slip: Slip, move: Take) -> Board:
    _need(slip.at in ROWS and slip.to in (FLOOR, *ROWS) and slip.at != slip.to, move)
    line = board.lines[slip.at - 1]
    _need(len(slip.tiles) == 1 and slip.tiles in line and slip.tiles != EMPTY, move)
    # Off a pile a tile leaves no hole: the line below it stays full.
    hole = "" if len(line) > slip.at else EMPTY
    board = with_line(board, slip.at, line.replace(slip.tiles, hole, 1))
    if slip.to == FLOOR:
        floor, over = lay_on_floor(board.floor, slip.tiles)
        board = board._replace(floor=floor)
    else:
        line, over = lay_on_line(board.lines[slip.to - 1], slip.tiles)
        board = with_line(board, slip.to, line)
    _need(not over, move)
    return board


def _less(tiles: str, gone: str, move: Take | Tile) -> str:
    _need(bool(gone) and not lacking(gone, tiles), move)
    return without(tiles, gone)


def _by_kind(move: Take | Tile | Sweep, known: frozenset[str]) -> dict[str, Slip]:
    slips = {slip.kind: slip for slip in move.slips}
    _need(len(slips) == len(move.slips) and slips.keys() <= known, move)
    return slips


def _need(possible: bool, move: Take | Tile | Sweep) -> None:
    if not possible:
        slips = ", ".join(slip.kind for slip in move.slips)
        raise ImpossibleMoveError(say("the tiles on the table do not allow what was done ({slips})", slips=slips))
