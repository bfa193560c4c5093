"""What a table of Azul may show while walls are tiled: everybody does it at once, row by row and in any order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.editions.azul.position import SeenBoard, position
from engine.editions.azul.state import EMPTY, FLOOR_CELLS, ROWS, State
from engine.table import Frozen, Way, Ways, run_cells


def at_work(state: State, unsettled: State | None) -> Mapping[int, Ways]:
    """For each seat the ways in which its rows and its floor may lie there."""
    if unsettled is None and not state.unswept:
        return {}
    now = position(state).boards
    if unsettled is not None:
        pairs = zip(now, position(unsettled).boards, strict=True)
        return {board.seat: _tiled(board, before) for board, before in pairs}
    return {board.seat: _swept(board) for board in now}


@lru_cache(maxsize=16)
def _tiled(after: SeenBoard, before: SeenBoard) -> Ways:
    """Walls are tiled in one go by the rules: each row may be done with or not; a tile between the two is in a hand."""
    rows = []
    for row in ROWS:
        wall, line = _row(f"wall.{row}", after.wall[row - 1]), _row(f"line.{row}", after.lines[row - 1][:row])
        old_wall, old_line = _row(f"wall.{row}", before.wall[row - 1]), _row(f"line.{row}", before.lines[row - 1][:row])
        ways = [Way(_both(wall, line))]
        if (wall, line) != (old_wall, old_line):
            ways += [
                Way(_both(old_wall, old_line)),
                Way(_both(old_wall, line), ahead=True),
                Way(_both(wall, old_line), ahead=True),
            ]
        rows.append(tuple(ways))
    return (*rows, (Way(Frozen(_floor(after.floor))), Way(Frozen(_floor(before.floor)))))


@lru_cache(maxsize=16)
def _swept(board: SeenBoard) -> Ways:
    """Where columns are chosen, hands may have emptied a line or swept the floor before the record says so."""
    rows = []
    for row in ROWS:
        line = board.lines[row - 1][:row]
        cleared = EMPTY * row if EMPTY not in line else line
        ways = [Way(Frozen(_row(f"line.{row}", line)))]
        if cleared != line:
            ways.append(Way(Frozen(_row(f"line.{row}", cleared)), ahead=True))
        rows.append(tuple(ways))
    return (*rows, (Way(Frozen(_floor(board.floor))), Way(Frozen(_floor("")), ahead=True)))


def _row(name: str, cells: str) -> dict[str, str]:
    return dict(run_cells(name, cells))


def _floor(floor: str) -> dict[str, str]:
    return _row("floor", floor.ljust(FLOOR_CELLS, EMPTY))


def _both(wall: dict[str, str], line: dict[str, str]) -> Frozen[str]:
    return Frozen({**wall, **line})
