"""Positions of Azul as Table JSON and as readable text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.editions.azul.position import UNSEEN, Position, SeenBoard
from engine.editions.azul.state import COLOURS, EMPTY, FLOOR_CELLS, MARKER, ROWS, parse_options
from engine.errors import TableError
from engine.tiles import heap

SIDES = ("coloured", "grey")


def parse_table(table: Mapping[str, Any]) -> Position:
    """The position that a Table describes; fields of a reading and of its picture are passed over."""
    side = table.get("side", SIDES[0])
    if side not in SIDES:
        raise TableError(f"side must be {' or '.join(SIDES)}, not {side!r}")
    boards = table.get("boards")
    if not isinstance(boards, list) or len(boards) > 4:
        raise TableError("boards must be a list of at most four boards")
    seen = tuple(_parse_board(board, side) for board in boards)
    seats = [board.seat for board in seen]
    if len(set(seats)) != len(seats):
        raise TableError(f"each seat has one board, but the seats are {seats}")
    factories, centre = table.get("factories"), table.get("centre")
    return Position(
        edition=str(table.get("edition")),
        side=side,
        boards=seen,
        factories=None if factories is None else _parse_factories(factories),
        centre=None if centre is None else heap(_tiles(_object(centre, "centre").get("tiles", ""), "centre.tiles")),
        marker_in_centre=None if centre is None else bool(_object(centre, "centre").get("first_player")),
    )


def format_table(position: Position) -> dict[str, Any]:
    """A position as a Table, without what belongs to a reading."""
    table: dict[str, Any] = {"edition": position.edition, "side": position.side}
    table["boards"] = [_format_board(board, position.side) for board in position.boards]
    if position.factories is not None:
        table["factories"] = [{"tiles": tiles} for tiles in position.factories]
    if position.centre is not None:
        table["centre"] = {"tiles": position.centre, "first_player": bool(position.marker_in_centre)}
    return table


def show(position: Position) -> str:
    """A position as readable text: tiles in capitals, the print of an empty wall cell in small letters."""
    blocks = [_show_board(board) for board in position.boards]
    if position.factories is not None:
        blocks.append("factories  " + "  ".join(f"{i}:{tiles or '-'}" for i, tiles in enumerate(position.factories, 1)))
    if position.centre is not None:
        marker = " and the first-player marker" if position.marker_in_centre else ""
        blocks.append(f"centre     {position.centre or '-'}{marker}")
    return "\n".join(blocks)


def _parse_board(value: object, side: str) -> SeenBoard:
    board = _object(value, "boards")
    seat = board.get("seat", 1)
    if type(seat) is not int or seat not in range(1, 5):
        raise TableError(f"seat must be a number from 1 to 4, not {seat!r}")
    name = f"the board of seat {seat}"
    own_side = board.get("side", side)
    if own_side not in SIDES:
        raise TableError(f"side of {name} must be {' or '.join(SIDES)}, not {own_side!r}")
    score, sliders = board.get("score"), board.get("sliders")
    if score is not None and (type(score) is not int or abs(score) > 1000):
        raise TableError(f"score of {name} must be a number or null, not {score!r}")
    return SeenBoard(
        seat=seat,
        side=own_side,
        lines=_parse_lines(board.get("lines", [UNSEEN * r for r in ROWS]), name),
        wall=_parse_wall(board.get("wall", [UNSEEN * 5] * 5), name),
        floor=_parse_floor(board.get("floor", UNSEEN * FLOOR_CELLS), name),
        score=score,
        sliders=None if sliders is None else _parse_sliders(sliders, name),
        unseated=tuple(map(str, board.get("unseated", ()))),
    )


def _parse_lines(value: object, name: str) -> tuple[str, ...]:
    lines = _strings(value, 5, f"lines of {name}")
    for row, line in enumerate(lines, 1):
        # A longer one shows more tiles than the line has cells.
        if len(line) < row or len(line) > 12 or (len(line) > row and set(line) & {EMPTY, UNSEEN}):
            raise TableError(f"line {row} of {name} must have {row} characters, not {line!r}")
        _tiles(line, f"line {row} of {name}", EMPTY + UNSEEN)
    return lines


def _parse_wall(value: object, name: str) -> tuple[str, ...]:
    wall = _strings(value, 5, f"wall of {name}")
    for row, cells in enumerate(wall, 1):
        if len(cells) != len(ROWS):
            raise TableError(f"wall row {row} of {name} must have 5 characters, not {cells!r}")
        _tiles(cells, f"wall row {row} of {name}", EMPTY + UNSEEN)
    return wall


def _parse_floor(value: object, name: str) -> str:
    floor = _tiles(value, f"floor of {name}", EMPTY + UNSEEN + MARKER).rstrip(EMPTY)
    if len(floor) > FLOOR_CELLS:
        raise TableError(f"floor of {name} has {FLOOR_CELLS} cells, not {len(floor)}")
    return floor


def _parse_sliders(value: object, name: str) -> tuple[int, int]:
    sliders = _object(value, f"sliders of {name}")
    tens, units = sliders.get("tens"), sliders.get("units")
    if type(tens) is not int or type(units) is not int or not (0 <= tens <= 9 and 0 <= units <= 9):
        raise TableError(f"sliders of {name} must be tens and units from 0 to 9, not {dict(sliders)}")
    return tens, units


def _parse_factories(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > 20:
        raise TableError("factories must be a list of objects with tiles")
    discs = [_object(disc, "factories").get("tiles", "") for disc in value]
    return tuple(heap(_tiles(tiles, "factories.tiles", UNSEEN)) for tiles in discs)


def _object(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TableError(f"{name} must be a JSON object, not {value!r}")
    return value


def _strings(value: object, count: int, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) != count or not all(isinstance(part, str) for part in value):
        raise TableError(f"{name} must be {count} strings, not {value!r}")
    return tuple(value)


def _tiles(value: object, name: str, also: str = "") -> str:
    if not isinstance(value, str) or set(value) - set(COLOURS + also):
        raise TableError(f"{name} is written with the letters {COLOURS}{also}, not {value!r}")
    return value


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
