"""What lies on a table of Azul as a Table, as its JSON and as readable text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from engine.editions.azul.position import UNSEEN, Position, SeenBoard, is_marker_in_centre, outlook, position_violations
from engine.editions.azul.state import (
    COLOURED,
    COLOURS,
    EMPTY,
    FLOOR_CELLS,
    GREY,
    MARKER,
    ROWS,
    Board,
    State,
    parse_options,
)
from engine.editions.drafting import centre_of, common_part, discs_of, drafted_from, middle_json, show_middle
from engine.editions.sliders import score_tracks, sliders_in, sliders_of
from engine.errors import TableError
from engine.score import Outlook
from engine.table import Frozen, Part, Table, kinds_of, run_of
from engine.table_json import an_object, boards_of, letters_of, score_or_unknown, side_of, strings
from engine.violations import Violation

SIDES = (COLOURED, GREY)
MAX_ON_LINE = 12
"""More tiles than anybody could pile on one line."""


def table_of(state: State) -> Table:
    """What of a state lies on the table."""
    side = state.setup.side
    common = common_part(side, state.factories, state.centre, is_marker_in_centre(state))
    parts = tuple(lay_board(seat, side, board) for seat, board in zip(state.setup.seats, state.boards, strict=True))
    return Table(state.setup.edition, side, (common, *parts))


@lru_cache(maxsize=48)
def lay_board(seat: int, side: str, board: Board) -> Part:
    """The board of a seat as the part of a Table."""
    return _lay_seen(SeenBoard(seat, side, board.lines, board.wall, board.floor, board.score))


def lay(position: Position) -> Table:
    """A position as a Table."""
    common = common_part(position.side, position.factories, position.centre, position.marker_in_centre)
    boards = map(_lay_seen, position.boards)
    return Table(position.edition, position.side, (*((common,) if common.heaps else ()), *boards))


def sight(table: Table) -> Position:
    """A Table as a position."""
    boards = tuple(map(sight_board, table.boards))
    return Position(table.edition, table.side, boards, *drafted_from(table.common))


def _lay_seen(board: SeenBoard) -> Part:
    cells = Frozen(_board_cells(board))
    piled = {f"line.{row}": kinds_of(line[row:]) for row, line in enumerate(board.lines, 1) if len(line) > row}
    tracks = score_tracks(board.score, board.sliders)
    return Part(board.seat, board.side, cells, tracks, Frozen(piled), board.unseated)


_CELLS = (
    *(f"wall.{row}.{column}" for row in ROWS for column in ROWS),
    *(f"line.{row}.{i}" for row in ROWS for i in range(1, row + 1)),
    *(f"floor.{i}" for i in range(1, FLOOR_CELLS + 1)),
)
"""The names of all cells of a board."""


def _board_cells(board: SeenBoard) -> Iterator[tuple[str, str]]:
    lines = (line[:row] for row, line in enumerate(board.lines, 1))
    return zip(_CELLS, "".join((*board.wall, *lines, board.floor.ljust(FLOOR_CELLS, EMPTY)[:FLOOR_CELLS])), strict=True)


@lru_cache(maxsize=24)
def sight_board(part: Part) -> SeenBoard:
    """The part of a seat as a board of a position."""
    lines = (run_of(part.cells, f"line.{row}", row) + "".join(part.heaps.get(f"line.{row}", ())) for row in ROWS)
    return SeenBoard(
        part.seat,
        part.side,
        tuple(lines),
        tuple(run_of(part.cells, f"wall.{row}", len(ROWS)) for row in ROWS),
        run_of(part.cells, "floor", FLOOR_CELLS).rstrip(EMPTY),
        part.tracks.get("score"),
        sliders_in(part),
        part.unseated,
    )


def parse_table(table: Mapping[str, Any]) -> Table:
    """The Table that JSON describes; fields of a reading and of its picture are passed over."""
    return lay(_parse_position(table))


def _parse_position(table: Mapping[str, Any]) -> Position:
    table = an_object(table, "a table")
    side = side_of(table.get("side", COLOURED), "side", SIDES)
    boards = tuple(_parse_board(seat, board, side) for seat, board in boards_of(table))
    centre, marker = centre_of(table, COLOURS + UNSEEN)
    return Position(str(table.get("edition")), side, boards, discs_of(table, COLOURS + UNSEEN), centre, marker)


def format_table(lying: Table) -> dict[str, Any]:
    """A Table as JSON, without what belongs to a reading."""
    position = sight(lying)
    table: dict[str, Any] = {"edition": position.edition, "side": position.side}
    table["boards"] = [_format_board(board, position.side) for board in position.boards]
    return table | middle_json(position.factories, position.centre, position.marker_in_centre)


def show(table: Table) -> str:
    """A Table as readable text: tiles in capitals, the print of an empty wall cell in small letters."""
    position = sight(table)
    blocks = [_show_board(board) for board in position.boards]
    return "\n".join([*blocks, *show_middle(position.factories, position.centre, position.marker_in_centre)])


def violations_in(table: Table, state: State | None = None) -> list[Violation]:
    """The rules visibly broken."""
    return position_violations(sight(table), state)


def outlook_of(table: Table) -> list[Outlook]:
    """What each board would score if the round ended now, and what the end of the game would bring."""
    return outlook(sight(table))


def _parse_board(seat: int, board: Mapping[str, Any], side: str) -> SeenBoard:
    name = f"the board of seat {seat}"
    return SeenBoard(
        seat=seat,
        side=side_of(board.get("side", side), f"side of {name}", SIDES),
        lines=_parse_lines(board.get("lines", [UNSEEN * r for r in ROWS]), name),
        wall=_parse_wall(board.get("wall", [UNSEEN * 5] * 5), name),
        floor=_parse_floor(board.get("floor", UNSEEN * FLOOR_CELLS), name),
        score=score_or_unknown(board.get("score"), f"score of {name}"),
        sliders=sliders_of(board.get("sliders"), name),
        unseated=_parse_unseated(board.get("unseated", []), name),
    )


def _parse_lines(value: object, name: str) -> tuple[str, ...]:
    lines = strings(value, 5, f"lines of {name}")
    for row, line in enumerate(lines, 1):
        # A longer one shows more tiles than the line has cells.
        if len(line) < row or len(line) > MAX_ON_LINE or (len(line) > row and set(line) & {EMPTY, UNSEEN}):
            raise TableError(f"line {row} of {name} must have {row} characters, not {line!r}")
        letters_of(line, f"line {row} of {name}", COLOURS + EMPTY + UNSEEN)
    return lines


def _parse_wall(value: object, name: str) -> tuple[str, ...]:
    wall = strings(value, 5, f"wall of {name}")
    for row, cells in enumerate(wall, 1):
        if len(cells) != len(ROWS):
            raise TableError(f"wall row {row} of {name} must have 5 characters, not {cells!r}")
        letters_of(cells, f"wall row {row} of {name}", COLOURS + EMPTY + UNSEEN)
    return wall


def _parse_floor(value: object, name: str) -> str:
    floor = letters_of(value, f"floor of {name}", COLOURS + EMPTY + UNSEEN + MARKER).rstrip(EMPTY)
    if len(floor) > FLOOR_CELLS:
        raise TableError(f"floor of {name} has {FLOOR_CELLS} cells, not {len(floor)}")
    return floor


def _parse_unseated(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TableError(f"unseated of {name} must be a list of cells, not {value!r}")
    return strings(value, len(value), f"unseated of {name}")


def _format_board(board: SeenBoard, side: str) -> dict[str, Any]:
    written: dict[str, Any] = {
        "seat": board.seat,
        "lines": list(board.lines),
        "wall": list(board.wall),
        "floor": board.floor,
        "score": board.score,
    }
    if board.side != side:
        written["side"] = board.side
    if board.sliders:
        written["sliders"] = {"tens": board.sliders[0], "units": board.sliders[1]}
    if board.unseated:
        written["unseated"] = list(board.unseated)
    return written


def _show_board(board: SeenBoard) -> str:
    pattern = parse_options({}, board.side).wall_pattern
    rows = [f"seat {board.seat}     score {'?' if board.score is None else board.score}"]
    for row in ROWS:
        wall = board.wall[row - 1]
        cells = [pattern[row - 1][i].lower() if pattern and cell == EMPTY else cell for i, cell in enumerate(wall)]
        rows.append(f"  {' '.join(board.lines[row - 1]):>9}  |  {' '.join(cells)}")
    rows.append(f"  floor {' '.join(board.floor) or '-'}")
    return "\n".join(rows) + "\n"
