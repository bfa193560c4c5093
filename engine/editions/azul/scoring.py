"""Points of Azul: every one with its rule and its cells."""

from __future__ import annotations

from functools import cache

from engine.editions.azul.moves import OTHER_ROW, Move, Sweep, Tile
from engine.editions.azul.state import (
    COLOURS,
    EMPTY,
    FLOOR_CELLS,
    LAST_PENALTY,
    LETTERS,
    MARKER,
    NO_COLUMN,
    ROWS,
    Board,
    Options,
    State,
)
from engine.score import ScoreLine, total
from engine.text import Text, say, say_n

Wall = tuple[str, ...]


def run(cells: str, index: int) -> tuple[int, int]:
    """Where the unbroken run of tiles through a cell begins and ends (exclusive), that cell counted as filled."""
    first = cells.rfind(EMPTY, 0, index) + 1
    last = cells.find(EMPTY, index + 1)
    return first, last if last >= 0 else len(cells)


def column_of(wall: Wall, column: int) -> str:
    """One column of the wall, from the top."""
    index = column - 1
    return wall[0][index] + wall[1][index] + wall[2][index] + wall[3][index] + wall[4][index]


def placement_runs(wall: Wall, row: int, column: int) -> tuple[range, range]:
    """The columns of the horizontal run and the rows of the vertical run that a new tile makes."""
    left, right = run(wall[row - 1], column - 1)
    top, bottom = run(column_of(wall, column), row - 1)
    return range(left + 1, right + 1), range(top + 1, bottom + 1)


@cache
def run_points(cells: str, index: int) -> int:
    """What a new tile scores for its run in this row or column: nothing for itself alone."""
    first, last = run(cells, index)
    return last - first if last - first > 1 else 0


def placement_points(wall: Wall, row: int, column: int) -> int:
    """What a new tile on this cell scores."""
    return run_points(wall[row - 1], column - 1) + run_points(column_of(wall, column), row - 1) or 1


def floor_cost(floor: str, marker_beside: bool, options: Options) -> int:
    """What a floor line costs, gaps excepted; the marker may lie beside a floor line that was full."""
    if EMPTY in floor:
        cost = sum(cost for cost, cell in zip(options.floor_penalties, floor, strict=False) if cell != EMPTY)
    else:
        cost = sum(options.floor_penalties[: len(floor)])
    if marker_beside and options.marker_when_floor_full == LAST_PENALTY:
        cost += options.floor_penalties[-1]
    return cost


def marker_beside(state: State, seat: int) -> bool:
    """Whether a player holds the marker without it lying on the floor line."""
    return state.marker == seat and MARKER not in state.boards[seat - 1].floor


def charged(score: int, cost: int, options: Options) -> int:
    """The score after a cost: it never falls below the least score by being charged."""
    return max(min(score, options.score_min), score - cost)


def complete_rows(wall: Wall) -> list[int]:
    """The rows that are full."""
    return [row for row, cells in enumerate(wall, 1) if EMPTY not in cells]


def score(state: State, move: Move) -> list[ScoreLine]:
    """The points that a move brings, with their reasons."""
    match move:
        case Tile(seat, row, column, slips) if column != NO_COLUMN:
            board = state.boards[seat - 1]
            laid_in = next((slip.at for slip in slips if slip.kind == OTHER_ROW), row)
            tile = board.lines[row - 1].replace(EMPTY, "")[-1:]
            return [tile_line(seat, board.wall, laid_in, column, tile)] if tile and laid_in in ROWS else []
        case Sweep(seat, _):
            board = state.boards[seat - 1]
            return sweep_lines(seat, board, marker_beside(state, seat), state.setup.options)
        case _:
            return []


def tile_line(seat: int, wall: Wall, row: int, column: int, colour: str) -> ScoreLine:
    """What one new wall tile scores."""
    across, down = placement_runs(wall, row, column)
    cells = {f"wall.{row}.{c}" for c in across if len(across) > 1}
    cells |= {f"wall.{r}.{column}" for r in down if len(down) > 1}
    points = placement_points(wall, row, column)
    where: dict[str, object] = {"colour": LETTERS[colour], "row": row, "column": column}
    text: Text
    if len(across) > 1 and len(down) > 1:
        text = say(
            "{colour} in row {row}, column {column}: {across} across and {down} down",
            **where,
            across=len(across),
            down=len(down),
        )
    elif len(across) > 1:
        text = say("{colour} in row {row}, column {column}: {across} across", **where, across=len(across))
    elif len(down) > 1:
        text = say("{colour} in row {row}, column {column}: {down} down", **where, down=len(down))
    else:
        text = say("{colour} in row {row}, column {column}: no neighbour", **where)
    return ScoreLine(seat, points, "AZ-PT-01", tuple(sorted(cells)) or (f"wall.{row}.{column}",), text)


def sweep_lines(seat: int, board: Board, beside: bool, options: Options) -> list[ScoreLine]:
    """What a floor line costs, as far as there are points to lose."""
    cost = floor_cost(board.floor, beside, options)
    if not cost:
        return []
    lost = board.score - charged(board.score, cost, options)
    cells = tuple(f"floor.{i}" for i, c in enumerate(board.floor[:FLOOR_CELLS], 1) if c != EMPTY)
    if lost == cost:
        text = say_n(
            "floor line: {count} cell costs {cost}",
            "floor line: {count} cells cost {cost}",
            len(cells),
            cost=cost,
        )
    else:
        text = say_n(
            "floor line: {count} cell costs {cost}, but no score falls below {least}",
            "floor line: {count} cells cost {cost}, but no score falls below {least}",
            len(cells),
            cost=cost,
            least=options.score_min,
        )
    return [ScoreLine(seat, -lost, "AZ-PT-02", cells, text)]


def bonus_lines(seat: int, wall: Wall, options: Options) -> list[ScoreLine]:
    """What the end of the game brings for one wall."""
    lines = [
        ScoreLine(
            seat,
            options.row_bonus,
            "AZ-PT-03",
            tuple(f"wall.{row}.{c}" for c in ROWS),
            say("row {row} is complete", row=row),
        )
        for row in complete_rows(wall)
    ]
    lines += [
        ScoreLine(
            seat,
            options.column_bonus,
            "AZ-PT-04",
            tuple(f"wall.{r}.{column}" for r in ROWS),
            say("column {column} is complete", column=column),
        )
        for column in ROWS
        if EMPTY not in column_of(wall, column)
    ]
    for colour in COLOURS:
        cells = [f"wall.{r}.{c}" for r in ROWS for c in ROWS if wall[r - 1][c - 1] == colour]
        if len(cells) >= len(ROWS):
            text = say("all five {colour} tiles are on the wall", colour=LETTERS[colour])
            lines.append(ScoreLine(seat, options.colour_bonus, "AZ-PT-05", tuple(cells), text))
    return lines


def bonuses(state: State) -> list[ScoreLine]:
    """What the end of the game brings for all walls."""
    options = state.setup.options
    return [
        line
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
        for line in bonus_lines(seat, board.wall, options)
    ]


def winners(state: State) -> tuple[int, ...]:
    """Who has most points, and of those the most complete rows; several share the victory."""

    def standing(seat: int) -> tuple[int, int]:
        board = state.boards[seat - 1]
        bonus = total(bonus_lines(seat, board.wall, state.setup.options))
        return board.score + bonus, len(complete_rows(board.wall))

    best = max(map(standing, state.setup.seats))
    return tuple(seat for seat in state.setup.seats if standing(seat) == best)
