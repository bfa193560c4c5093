"""How a game of Azul goes on: legal moves, and what each does.

`enact` does what hands did, `apply` only what is allowed. A round is `fill` (chance), `draft` (takes in turn), `tile`
(walls, seats in any order), then `fill` again or `over`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from engine.editions.azul.board import (
    complete_lines,
    lay,
    legal_columns,
    open_colours,
    sweep,
    tile_row,
)
from engine.editions.azul.hands import slipped_sweep, slipped_take, slipped_tile
from engine.editions.azul.moves import End, Move, Pass, Sweep, Take, Tile
from engine.editions.azul.scoring import complete_rows, marker_beside
from engine.editions.azul.state import (
    CENTRE,
    COLOURS,
    DRAFT,
    EMPTY,
    FLOOR,
    LETTERS,
    NO_COLUMN,
    ROWS,
    TILE,
    Board,
    State,
)
from engine.editions.azul.violations import may_sweep, order_matters, violations
from engine.editions.drafting import DISC_TILES, DISCS
from engine.errors import IllegalMoveError, ImpossibleMoveError
from engine.moves import Fill
from engine.state import FILL, OVER
from engine.text import say
from engine.tiles import Sample, colours_in, disc, draw_discs, heap, put_in, split_refill, take_out


def legal_moves(state: State) -> list[Move]:
    """Every move that the rules allow now."""
    if state.phase == DRAFT:
        return _legal_takes(state)
    if state.phase == TILE:
        return [move for seat in state.unswept for move in _legal_tilings(state, seat)]
    return []


def choices(state: State) -> Sequence[Move]:
    """The legal moves of whoever's work comes first: in turn while drafting, then seat by seat and row by row."""
    if state.phase == DRAFT:
        return _legal_takes(state)
    for seat in state.unswept:
        rows = complete_lines(state.boards[seat - 1])
        if rows:
            return _legal_tiles(state, seat, rows[0])
        if may_sweep(state):
            return [Sweep(seat)]
    return []


def apply(state: State, move: Move) -> State:
    """The state after a legal move."""
    if type(move) is Take and _may_take(state, move):
        return _take(state, move)
    if type(move) is Fill and (filled := _plainly_filled(state, move)):
        return filled
    if broken := violations(state, move):
        reasons = "; ".join(f"{v.rule}: {v.text}" for v in broken)
        raise IllegalMoveError(f"{move} is not allowed: {reasons}", broken)
    return enact(state, move)


def enact(state: State, move: Move) -> State:
    """The state after a move as hands made it, legal or not."""
    if move.seat > state.setup.players:
        raise ImpossibleMoveError(say("there is no seat {seat}", seat=move.seat))
    match move:
        case Take():
            return slipped_take(state, move, _after_take) if move.slips else _take(state, move)
        case Pass():
            if state.phase != DRAFT:
                raise ImpossibleMoveError(say("nobody has a turn to skip now"))
            return state._replace(seat=move.seat % state.setup.players + 1)
        case Tile():
            return _tile(state, move)
        case Sweep():
            return _sweep(state, move)
        case Fill():
            return _fill(state, move)
        case End():
            return _end(state)


def implied(state: State) -> Move | None:
    """The move that a record leaves unsaid here: a forced wall tile, or a floor line swept when all walls are done."""
    return choices(state)[0] if _is_forced(state) else None


def settle(state: State) -> State:
    """The state after all implied moves, made in one go."""
    if not _is_forced(state):
        return state
    options, unswept, lid, boards = state.setup.options, state.unswept, state.lid, []
    for seat, board in enumerate(state.boards, 1):
        if seat in unswept:
            for row in complete_lines(board):
                columns = legal_columns(board.wall, row, board.lines[row - 1][-1], options.wall_pattern)
                board, discarded = tile_row(board, row, columns[0] if columns else NO_COLUMN, options)
                lid += discarded
            board, discarded = sweep(board, marker_beside(state, seat), options)
            lid += discarded
        boards.append(board)
    return _round_end(state, tuple(boards), heap(lid))


def _is_forced(state: State) -> bool:
    options = state.setup.options
    if state.phase != TILE or options.explicit_tiling:
        return False
    return options.wall_pattern is not None or not any(map(complete_lines, state.boards))


def deal(state: State, sample: Sample) -> Fill:
    """Fill the factories by chance."""
    return Fill(draw_discs(state.bag, state.lid, len(state.factories), DISC_TILES, sample))


def _legal_takes(state: State) -> list[Move]:
    seat = state.seat
    lines, wall, _, _ = state.boards[seat - 1]
    open_lines = (
        _openings(0, lines[0], wall[0])
        | _openings(1, lines[1], wall[1])
        | _openings(2, lines[2], wall[2])
        | _openings(3, lines[3], wall[3])
        | _openings(4, lines[4], wall[4])
    )
    moves: list[Move] = []
    for source, tiles in enumerate(state.factories, 1):
        if tiles:
            for shift, takes in _takes(seat, source, tiles):
                moves += takes[open_lines >> shift & 0b11111]
    for shift, takes in _takes(seat, CENTRE, colours_in(state.centre)):
        moves += takes[open_lines >> shift & 0b11111]
    return moves


@cache
def _openings(index: int, line: str, wall_row: str) -> int:
    """The colours that may be laid on a line as bits five apart: so five lines fit beside each other in one number."""
    return sum(1 << 5 * COLOURS.index(colour) + index for colour in open_colours(line, wall_row))


@lru_cache(maxsize=1 << 14)
def _takes(seat: int, source: int, tiles: str) -> list[tuple[int, list[tuple[Take, ...]]]]:
    """Per colour of a source: where its bits are in the open lines, and the takes for every set of open lines."""
    return [(5 * COLOURS.index(colour), _takes_of(seat, source, colour)) for colour in dict.fromkeys(tiles)]


@cache
def _takes_of(seat: int, source: int, colour: str) -> list[tuple[Take, ...]]:
    """The takes of a colour for every set of open lines; made once, since the same ones come again in every game."""
    sets = [[row for row in ROWS if bits >> row - 1 & 1] for bits in range(1 << len(ROWS))]
    return [tuple(Take(seat, source, colour, line) for line in (*rows, FLOOR)) for rows in sets]


def _may_take(state: State, move: Take) -> bool:
    if state.phase != DRAFT or move.seat != state.seat or move.slips:
        return False
    source, line = move.source, move.line
    if not 0 <= source <= len(state.factories) or not FLOOR <= line <= len(ROWS):
        return False
    if move.colour not in COLOURS or move.colour not in (state.factories[source - 1] if source else state.centre):
        return False
    board = state.boards[move.seat - 1]
    return line == FLOOR or move.colour in open_colours(board.lines[line - 1], board.wall[line - 1])


def _plainly_filled(state: State, move: Fill) -> State | None:
    """The state after a fill with nothing remarkable; None where the discs must be looked at one by one."""
    drawn, discs = "".join(move.factories), DISCS[state.setup.players]
    if state.phase != FILL or len(move.factories) != discs or set(map(len, move.factories)) != {DISC_TILES}:
        return None
    bag, missing = take_out(state.bag, drawn)
    if missing:
        return None
    return _after_fill(state, tuple(map(disc, move.factories)), bag, state.lid)


def _after_fill(state: State, discs: tuple[str, ...], bag: str, lid: str) -> State:
    starter = state.starter
    return State(state.setup, state.boards, discs, "", 0, bag, lid, DRAFT, starter, starter, state.round + 1)


def _legal_tilings(state: State, seat: int) -> list[Move]:
    board, options = state.boards[seat - 1], state.setup.options
    rows = complete_lines(board)
    if not rows:
        return [Sweep(seat)] if may_sweep(state) else []
    return [
        tile
        for row in rows
        for tile in _legal_tiles(state, seat, row)
        if not order_matters(board, row, tile.column, options)
    ]


def _legal_tiles(state: State, seat: int, row: int) -> list[Tile]:
    board = state.boards[seat - 1]
    columns = legal_columns(board.wall, row, board.lines[row - 1][-1], state.setup.options.wall_pattern)
    return [Tile(seat, row, column) for column in columns or [NO_COLUMN]]


def _take(state: State, move: Take) -> State:
    source, colour, seat = move.source, move.colour, move.seat
    _, boards, factories, centre, marker, _, lid, _, _, _, _, _ = state
    with_marker = False
    if source == CENTRE:
        count = centre.count(colour)
        centre = centre.replace(colour, "")
        if not marker:
            marker, with_marker = seat, True
    elif source > len(factories):
        raise ImpossibleMoveError(say("there is no factory {factory}", factory=source))
    else:
        disc = factories[source - 1]
        count = disc.count(colour)
        rest = disc.replace(colour, "")
        if rest:
            centre = heap(centre + rest) if centre else rest
        factories = factories[: source - 1] + ("",) + factories[source:]
    if not count:
        raise ImpossibleMoveError(say("no {colour} tile lies there", colour=LETTERS[colour]))
    board, spilled = lay(boards[seat - 1], move.line, colour * count, with_marker)
    boards = boards[: seat - 1] + (board,) + boards[seat:]
    return _after_take(state, seat, boards, factories, centre, marker, put_in(lid, spilled))


def _after_take(
    state: State,
    seat: int,
    boards: tuple[Board, ...],
    factories: tuple[str, ...],
    centre: str,
    marker: int,
    lid: str,
) -> State:
    setup = state.setup
    unswept: tuple[int, ...]
    phase, next_seat, unswept = DRAFT, seat % setup.players + 1, ()
    if not centre and not any(factories):
        phase, next_seat, unswept = TILE, 0, tuple(setup.seats)
    return State(
        setup,
        boards,
        factories,
        centre,
        marker,
        state.bag,
        lid,
        phase,
        next_seat,
        state.starter,
        state.round,
        unswept,
    )


def _tile(state: State, move: Tile) -> State:
    board = state.boards[move.seat - 1]
    if move.slips:
        board, discarded = slipped_tile(board, move, state.setup.options)
    else:
        if not board.lines[move.row - 1].strip(EMPTY):
            raise ImpossibleMoveError(say("line {row} is empty", row=move.row))
        if move.column != NO_COLUMN and board.wall[move.row - 1][move.column - 1] != EMPTY:
            raise ImpossibleMoveError(say("a tile already lies there"))
        board, discarded = tile_row(board, move.row, move.column, state.setup.options)
    boards = (*state.boards[: move.seat - 1], board, *state.boards[move.seat :])
    return state._replace(boards=boards, lid=heap(state.lid + discarded))


def _sweep(state: State, move: Sweep) -> State:
    seat = move.seat
    if seat not in state.unswept:
        raise ImpossibleMoveError(say("this board was done with already"))
    board, swept = sweep(state.boards[seat - 1], marker_beside(state, seat), state.setup.options)
    marker = state.marker
    if move.slips:
        board, swept, marker = slipped_sweep(state, move, board, swept)
    boards = (*state.boards[: seat - 1], board, *state.boards[seat:])
    lid, unswept = heap(state.lid + swept), tuple(s for s in state.unswept if s != seat)
    if unswept:
        return state._replace(boards=boards, lid=lid, marker=marker, unswept=unswept)
    return _round_end(state._replace(marker=marker), boards, lid)


def _round_end(state: State, boards: tuple[Board, ...], lid: str) -> State:
    # With neither a bag nor a lid nothing can be laid out: that ends the game as a complete row does.
    over = any(complete_rows(board.wall) for board in boards) or not (state.bag or lid)
    phase, starter = OVER if over else FILL, state.marker or state.starter
    return State(
        state.setup,
        boards,
        state.factories,
        state.centre,
        state.marker,
        state.bag,
        lid,
        phase,
        0,
        starter,
        state.round,
    )


def _end(state: State) -> State:
    if state.phase != FILL:
        raise ImpossibleMoveError(say("a game is ended after a round"))
    return state._replace(phase=OVER)


def _fill(state: State, move: Fill) -> State:
    if state.phase == DRAFT:
        raise ImpossibleMoveError(say("the factories were filled while tiles of this round still lie on the table"))
    for seat in state.unswept:
        state = _sweep(state, Sweep(seat))
    discs = tuple(map(disc, move.factories))
    bag, lid, impossible = split_refill(state.bag, state.lid, discs)
    if impossible or not any(discs):
        raise ImpossibleMoveError(say("bag and lid cannot have given these tiles: {tiles}", tiles=impossible or "-"))
    return _after_fill(state, discs, bag, lid)
