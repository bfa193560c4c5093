"""One player's board of Azul: what may be laid where, and what the board looks like afterwards."""

from __future__ import annotations

from functools import cache

from engine.editions.azul.scoring import Wall, charged, column_of, floor_cost, placement_points
from engine.editions.azul.state import (
    COLOURS,
    EMPTY,
    FLOOR,
    FLOOR_CELLS,
    MARKER,
    NO_COLUMN,
    ROWS,
    TO_FLOOR,
    Board,
    Options,
)


@cache
def open_colours(line: str, wall_row: str) -> str:
    """The colours that may be laid on a line beside its wall row."""
    if EMPTY not in line:
        return ""
    held = set(line) - {EMPTY}
    return "".join(c for c in COLOURS if held <= {c} and c not in wall_row)


def complete_lines(board: Board) -> list[int]:
    """The lines that are full, from the top."""
    return [row for row, line in enumerate(board.lines, 1) if EMPTY not in line]


@cache
def lay_on_line(line: str, tiles: str) -> tuple[str, str]:
    """Fill a line from the right: the line, and what did not fit."""
    room = line.count(EMPTY)
    laid, over = tiles[:room], tiles[room:]
    if line[:room].count(EMPTY) == room:
        return EMPTY * (room - len(laid)) + laid + line[room:], over
    cells = list(line)
    for tile in laid:
        cells["".join(cells).rindex(EMPTY)] = tile
    return "".join(cells), over


def lay_on_floor(floor: str, tiles: str) -> tuple[str, str]:
    """Fill the floor line from the left: the floor line, and what did not fit."""
    while EMPTY in floor and tiles:
        floor, tiles = floor.replace(EMPTY, tiles[0], 1), tiles[1:]
    room = FLOOR_CELLS - len(floor)
    return floor + tiles[:room], tiles[room:]


def moved_tile(line: str) -> str:
    """The tile of a line that goes to the wall: the rightmost, wherever it lies."""
    return line.replace(EMPTY, "")[-1:]


def lay(board: Board, line: int, tiles: str, with_marker: bool) -> tuple[Board, str]:
    """Lay the tiles of a turn, marker first: the board, and what goes into the lid."""
    lines, wall, floor, score = board
    if with_marker:
        # On a full floor line there is no cell for the marker: it stays beside the board.
        floor, _ = lay_on_floor(floor, MARKER)
    if line != FLOOR:
        filled, tiles = lay_on_line(lines[line - 1], tiles)
        lines = lines[: line - 1] + (filled,) + lines[line:]
    if tiles:
        floor, tiles = lay_on_floor(floor, tiles)
    return Board(lines, wall, floor, score), tiles


def legal_columns(wall: Wall, row: int, colour: str, pattern: Wall | None) -> list[int]:
    """The columns in which a colour may go onto the wall in this row."""
    wall_row = wall[row - 1]
    if colour in wall_row:
        return []
    if pattern:
        column = pattern[row - 1].index(colour) + 1
        return [column] if wall_row[column - 1] == EMPTY else []
    return [c for c in ROWS if wall_row[c - 1] == EMPTY and colour not in column_of(wall, c)]


def tile_row(board: Board, row: int, column: int, options: Options, *, wall_row: int = 0) -> tuple[Board, str]:
    """Empty a line onto the wall, or drop it: the board with its points, and what goes into the lid."""
    lines, wall, floor, score = board
    line = lines[row - 1].replace(EMPTY, "")
    lines = lines[: row - 1] + (EMPTY * row,) + lines[row:]
    if column == NO_COLUMN:
        if options.grey_no_fit == TO_FLOOR:
            floor, line = lay_on_floor(floor, line)
        return Board(lines, wall, floor, score), line
    row = wall_row or row
    score += placement_points(wall, row, column)
    return Board(lines, with_wall_tile(wall, row, column, line[-1]), floor, score), line[:-1]


def with_line(board: Board, row: int, line: str) -> Board:
    """The board with one line changed."""
    return board._replace(lines=(*board.lines[: row - 1], line, *board.lines[row:]))


def with_wall_tile(wall: Wall, row: int, column: int, tile: str) -> Wall:
    """The wall with one cell changed."""
    cells = wall[row - 1]
    return wall[: row - 1] + (cells[: column - 1] + tile + cells[column:],) + wall[row:]


def sweep(board: Board, beside: bool, options: Options) -> tuple[Board, str]:
    """Charge and clear the floor line: the board, and what goes into the lid."""
    score = charged(board.score, floor_cost(board.floor, beside, options), options)
    swept = board.floor.replace(MARKER, "").replace(EMPTY, "")
    return Board(board.lines, board.wall, "", score), swept
