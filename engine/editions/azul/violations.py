"""Which rules a move of Azul breaks."""

from __future__ import annotations

from collections.abc import Iterator

from engine.editions.azul.board import complete_lines, legal_columns, moved_tile, tile_row
from engine.editions.azul.hands import misfit
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
    UNCLEARED,
    UNPUSHED,
    End,
    Move,
    Pass,
    Sweep,
    Take,
    Tile,
)
from engine.editions.azul.scoring import Wall, column_of, complete_rows, placement_points
from engine.editions.azul.standstill import standstill
from engine.editions.azul.state import (
    DRAFT,
    EMPTY,
    FLOOR,
    LETTERS,
    NO_COLUMN,
    TILE,
    TILES_OF_EACH,
    Board,
    Options,
    State,
    heaps,
    sources,
)
from engine.editions.drafting import EXTRA, disc_count_violations, disc_size_violations, draw_violations, source_cell
from engine.moves import Fill, Slip
from engine.state import FILL, OVER
from engine.text import Seat, Text, say, say_n
from engine.violations import RECORD, Violation


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that the move breaks in this state; none for a legal one."""
    if move.seat not in (0, *state.setup.seats):
        return [Violation(RECORD, say("there is no seat {seat}", seat=move.seat), move.seat)]
    match move:
        case Fill():
            return list(_fill(state, move))
        case Take():
            return list(_take(state, move))
        case Pass():
            return [*_out_of_phase(state, DRAFT, move.seat), *_skipped(state, move)]
        case Tile():
            return list(_tile(state, move))
        case Sweep():
            return list(_sweep(state, move))
        case End():
            return list(_end(state))


def _out_of_phase(state: State, phase: str, seat: int) -> Iterator[Violation]:
    if state.phase == phase:
        return
    if state.phase == OVER:
        yield from _played_on(state)
    yield Violation(RECORD, say("this cannot be done now: the game is in the phase {now}", now=state.phase), seat)


def _played_on(state: State) -> Iterator[Violation]:
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        for row in complete_rows(board.wall):
            text = say("play went on although row {row} is complete", row=row)
            yield Violation("AZ-EN-01", text, seat, f"wall.{row}")


def _fill(state: State, move: Fill) -> Iterator[Violation]:
    if state.phase == TILE:
        for seat in state.unswept:
            yield from left_standing(state.boards[seat - 1], seat, state.setup.options)
            if state.setup.options.explicit_tiling and state.boards[seat - 1].floor:
                yield Violation("AZ-WT-06", say("the floor line was not cleared"), seat, "floor")
    elif state.phase == DRAFT:
        yield Violation("AZ-DR-07", say("{player} has not had a turn", player=Seat(state.seat)), state.seat)
        yield Violation(RECORD, say("the factories were filled while tiles of this round still lie on the table"))
    elif state.phase == OVER:
        yield from _out_of_phase(state, "fill", 0)
    yield from disc_count_violations("AZ-SU-01", state.setup.players, len(move.factories))
    yield from disc_size_violations("AZ-SU-02", move.factories, len(state.bag) + len(state.lid))

    def lying() -> str:
        return "".join(tiles for place, tiles in heaps(state).items() if place not in ("bag", "lid"))

    yield from draw_violations("AZ-INV-01", state.bag, state.lid, move.factories, lying, LETTERS, TILES_OF_EACH)


def _end(state: State) -> Iterator[Violation]:
    if state.phase != FILL:
        yield Violation(RECORD, say("a game is ended after a round"))
    elif not standstill(state):
        yield Violation("AZ-EN-01", say("a row of a wall can still be completed"))


def _skipped(state: State, move: Pass) -> Iterator[Violation]:
    if state.phase == DRAFT:
        yield Violation("AZ-DR-07", say("a turn cannot be skipped while tiles lie on the table"), move.seat)


def _take(state: State, move: Take) -> Iterator[Violation]:
    yield from _out_of_phase(state, DRAFT, move.seat)
    if state.phase == DRAFT and move.seat != state.seat:
        yield Violation("AZ-DR-07", say("it is the turn of {player}", player=Seat(state.seat)), move.seat)
    table = sources(state)
    if move.source >= len(table) or move.colour not in table[move.source]:
        cell = source_cell(move.source)
        text = say("no {colour} tile lies there", colour=LETTERS[move.colour])
        yield Violation("AZ-DR-08", text, move.seat, cell)
        return
    if move.slips and (problem := misfit(state, move)):
        yield Violation(RECORD, problem.text, move.seat)
        return
    for slip in move.slips:
        yield from _take_slip(move, slip)
    board = state.boards[move.seat - 1]
    if move.line != FLOOR:
        stacked = any(slip.kind == STACKED for slip in move.slips)
        yield from line_violations(board, move.line, move.colour, move.seat, told=stacked)
    for slip in move.slips:
        if slip.kind == SPLIT:
            yield from line_violations(board, slip.at, move.colour, move.seat)
        if slip.kind == EXTRA and move.line != FLOOR and slip.tiles.strip(move.colour):
            yield _two_colours(move.seat, move.line, move.colour, slip.tiles)


def line_violations(board: Board, row: int, colour: str, seat: int, *, told: bool = False) -> Iterator[Violation]:
    """Why a colour may not be laid on a line."""
    line, wall_row = board.lines[row - 1], board.wall[row - 1]
    if EMPTY not in line and not told:
        yield Violation("AZ-PL-02", say("line {row} is already full", row=row), seat, f"line.{row}")
    if held := line.replace(EMPTY, "").replace(colour, ""):
        yield _two_colours(seat, row, colour, held)
    if colour in wall_row:
        text = say("row {row} of the wall has its {colour} tile already", row=row, colour=LETTERS[colour])
        yield Violation("AZ-PL-04", text, seat, f"line.{row}")


def _two_colours(seat: int, row: int, colour: str, other: str) -> Violation:
    text = say("line {row} would hold {colour} and {other}", row=row, colour=LETTERS[colour], other=LETTERS[other[0]])
    return Violation("AZ-PL-03", text, seat, f"line.{row}")


def _take_slip(move: Take, slip: Slip) -> Iterator[Violation]:
    seat, count, line = move.seat, len(slip.tiles), f"line.{move.line}" if move.line else "floor"
    source = source_cell(move.source)
    told: dict[str, tuple[str, Text, str]] = {
        LEFT: (
            "AZ-DR-02",
            say_n(
                "{count} tile of the colour was left behind",
                "{count} tiles of the colour were left behind",
                count,
            ),
            source,
        ),
        UNPUSHED: ("AZ-DR-04", say("the rest of the factory was not moved to the centre"), source),
        MARKER_CELL: ("AZ-DR-06", say("the marker is not on the first free cell"), f"floor.{slip.at}"),
        SPLIT: ("AZ-PL-01", say("the tiles were laid on two lines"), f"line.{slip.at}"),
        STACKED: (
            "AZ-PL-02",
            say_n(
                "{count} tile more than the line has cells",
                "{count} tiles more than the line has cells",
                count,
            ),
            line,
        ),
        GAP: ("AZ-PL-05", say("the line is not filled from the right without a gap"), line),
        FLOOR_GAP: (
            "AZ-PL-07",
            say("the floor line is not filled from the left without a gap"),
            f"floor.{slip.at}",
        ),
        KEPT: (
            "AZ-PL-06",
            say_n("{count} tile stayed in the hand", "{count} tiles stayed in the hand", count),
            line,
        ),
        RETURNED: (
            "AZ-PL-06",
            say_n("{count} tile went back to the centre", "{count} tiles went back to the centre", count),
            "centre",
        ),
        HIDDEN: (
            "AZ-PL-08",
            say_n(
                "{count} tile went into the lid past free floor cells",
                "{count} tiles went into the lid past free floor cells",
                count,
            ),
            "floor",
        ),
        SHIFTED: (
            "AZ-PL-09",
            say("a tile that already lay on line {row} was moved", row=slip.at),
            f"line.{slip.at}",
        ),
    }
    if slip.kind in told:
        rule, text, cell = told[slip.kind]
        yield Violation(rule, text, seat, cell)
    elif slip.kind == MARKER_SLIP:
        if move.source:
            text = say("the marker was taken without a take from the centre")
        else:
            text = say("the first take from the centre left the marker lying")
        yield Violation("AZ-DR-05", text, seat, "centre")
    elif slip.kind == EXTRA:
        if slip.at != move.source:
            yield Violation("AZ-DR-03", say("tiles were taken from two places"), seat, source_cell(slip.at))
        if slip.tiles.strip(move.colour):
            yield Violation("AZ-DR-01", say("tiles of two colours were taken"), seat, source)


def _tile(state: State, move: Tile) -> Iterator[Violation]:
    yield from _out_of_phase(state, TILE, move.seat)
    yield from _swept_already(state, move.seat)
    board, options = state.boards[move.seat - 1], state.setup.options
    line = board.lines[move.row - 1]
    if EMPTY in line:
        yield Violation("AZ-WT-01", say("line {row} is not complete", row=move.row), move.seat, f"line.{move.row}")
        if line == EMPTY * move.row:
            yield Violation(RECORD, say("line {row} is empty", row=move.row), move.seat, f"line.{move.row}")
            return
    if move.slips and (problem := misfit(state, move)):
        yield Violation(RECORD, problem.text, move.seat)
        return
    slips = {slip.kind: slip for slip in move.slips}
    if REST in slips:
        text = say("the rest of line {row} was not put into the lid", row=move.row)
        yield Violation("AZ-WT-04", text, move.seat, f"line.{move.row}")
    wall_row = slips[OTHER_ROW].at if OTHER_ROW in slips else move.row
    yield from _wall_cell(board, move, wall_row, moved_tile(line), options.wall_pattern)
    if order_matters(board, move.row, move.column, options):
        text = say("line {row} came before a line above it, which changes points or places", row=move.row)
        yield Violation("AZ-WT-08", text, move.seat, f"line.{move.row}")


def _wall_cell(board: Board, move: Tile, row: int, colour: str, pattern: Wall | None) -> Iterator[Violation]:
    seat, cell = move.seat, f"wall.{row}.{move.column}"
    fits = legal_columns(board.wall, move.row, colour, pattern)
    if move.column == NO_COLUMN:
        if fits:
            text = say("line {row} was dropped although its tile has a place on the wall", row=move.row)
            yield Violation("AZ-VA-03", text, seat, f"line.{move.row}")
        return
    if row == move.row and move.column in fits:
        return
    wall_row = board.wall[row - 1]
    if wall_row[move.column - 1] != EMPTY:
        yield Violation("AZ-WT-07", say("a tile already lies there"), seat, cell)
    if pattern:
        if row != move.row or pattern[row - 1][move.column - 1] != colour:
            yield Violation(
                "AZ-WT-03", say("a {colour} tile does not belong there", colour=LETTERS[colour]), seat, cell
            )
        elif colour in wall_row:
            text = say("row {row} has a {colour} tile already", row=row, colour=LETTERS[colour])
            yield Violation("AZ-WT-03", text, seat, cell)
        return
    if row != move.row:
        yield Violation("AZ-WT-03", say("the tile belongs into row {row}", row=move.row), seat, cell)
    if colour in wall_row:
        text = say("row {row} has a {colour} tile already", row=row, colour=LETTERS[colour])
        yield Violation("AZ-VA-01", text, seat, cell)
    if colour in column_of(board.wall, move.column):
        text = say("column {column} has a {colour} tile already", column=move.column, colour=LETTERS[colour])
        yield Violation("AZ-VA-02", text, seat, cell)


def order_matters(board: Board, row: int, column: int, options: Options) -> bool:
    """Whether tiling this line before the complete lines above it changes points or places of any of them."""
    above = [upper for upper in complete_lines(board) if upper < row]
    if not above or column == NO_COLUMN:
        # A dropped line takes floor cells, and what drops later takes dearer ones, but the sum stays the same.
        return False
    after = tile_row(board, row, column, options)[0]
    colour = moved_tile(board.lines[row - 1])
    points = placement_points(board.wall, row, column)
    for upper in above:
        places = _places(board, upper, options)
        if places != _places(after, upper, options):
            return True
        for upper_column in places:
            later = tile_row(board, upper, upper_column, options)[0]
            if column not in legal_columns(later.wall, row, colour, options.wall_pattern):
                return True
            if placement_points(later.wall, row, column) != points:
                return True
    return False


def _places(board: Board, row: int, options: Options) -> dict[int, int]:
    """The columns in which a complete line may go onto the wall, with the points of each."""
    columns = legal_columns(board.wall, row, board.lines[row - 1][-1], options.wall_pattern)
    return {column: placement_points(board.wall, row, column) for column in columns}


def left_standing(board: Board, seat: int, options: Options) -> Iterator[Violation]:
    """The complete lines that a round must not end with."""
    for row in complete_lines(board):
        if legal_columns(board.wall, row, board.lines[row - 1][-1], options.wall_pattern):
            yield Violation("AZ-WT-02", say("line {row} is complete but was not moved", row=row), seat, f"line.{row}")
        else:
            text = say("line {row} fits nowhere on the wall and must be dropped to the floor", row=row)
            yield Violation("AZ-VA-03", text, seat, f"line.{row}")


def _swept_already(state: State, seat: int) -> Iterator[Violation]:
    if state.phase == TILE and seat not in state.unswept:
        yield Violation(RECORD, say("this board was done with already"), seat)


def may_sweep(state: State) -> bool:
    """Whether floor lines may be cleared one by one: where columns are chosen, a record clears them all at the end."""
    options = state.setup.options
    forced = options.explicit_tiling or options.wall_pattern is not None
    return forced or not any(complete_lines(state.boards[seat - 1]) for seat in state.unswept)


def _sweep(state: State, move: Sweep) -> Iterator[Violation]:
    yield from _out_of_phase(state, TILE, move.seat)
    yield from _swept_already(state, move.seat)
    if not may_sweep(state) and not complete_lines(state.boards[move.seat - 1]):
        yield Violation(RECORD, say("floor lines are cleared when all walls are done"), move.seat, "floor")
    yield from left_standing(state.boards[move.seat - 1], move.seat, state.setup.options)
    if move.slips and (problem := misfit(state, move)):
        yield Violation(RECORD, problem.text, move.seat)
        return
    for slip in move.slips:
        if slip.kind == UNCLEARED:
            yield Violation("AZ-WT-06", say("the floor line was not cleared"), move.seat, "floor")
        elif slip.kind == MARKER_LID:
            yield Violation("AZ-WT-06", say("the marker went into the lid"), move.seat, "floor")
        elif slip.kind == CLEARED:
            text = say("line {row} was cleared although it is not complete", row=slip.at)
            yield Violation("AZ-WT-05", text, move.seat, f"line.{slip.at}")
        elif slip.kind == REMOVED:
            yield Violation("AZ-WT-07", say("a tile was taken off the wall"), move.seat, f"wall.{slip.at}.{slip.to}")
