"""A Table's boards by the names of their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vision.cells import EMPTY

FLOOR_CELLS = 7


def letters(board: Mapping[str, Any]) -> dict[str, str]:
    """What a board of a Table says of each of its cells."""
    return dict(_letters(board))


def with_letters(board: Mapping[str, Any], told: Mapping[str, str]) -> dict[str, Any]:
    """A board of a Table with its cells, each named in `told`, written back into its fields."""
    written: dict[str, Any] = {
        field: [_row(told, f"{zone}.{row}", len(cells)) for row, cells in enumerate(board[field], 1)]
        for field, zone in (("wall", "wall"), ("lines", "line"))
        if field in board
    }
    if "wall" in board:
        floor = "".join(letter for cell, letter in told.items() if cell.startswith("floor."))
        written["floor"] = floor.rstrip(EMPTY)
    if "stars" in board:
        written["stars"] = {star: _row(told, f"star.{star}", len(cells)) for star, cells in board["stars"].items()}
    if "corners" in board:
        written["corners"] = _row(told, "corner", len(board["corners"]))
    return {**board, **written}


def _row(told: Mapping[str, str], name: str, length: int) -> str:
    return "".join(told[f"{name}.{i}"] for i in range(1, length + 1))


def _letters(board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for row, cells in enumerate(board.get("wall", []), 1):
        yield from _run(f"wall.{row}", cells)
    for row, cells in enumerate(board.get("lines", []), 1):
        yield from _run(f"line.{row}", cells)
    if "wall" in board:
        # Its text ends with its last tile.
        yield from _run("floor", board.get("floor", "").ljust(FLOOR_CELLS, EMPTY)[:FLOOR_CELLS])
    for star, cells in board.get("stars", {}).items():
        yield from _run(f"star.{star}", cells)
    yield from _run("corner", board.get("corners", ""))


def _run(name: str, cells: str) -> Iterator[tuple[str, str]]:
    return ((f"{name}.{i}", letter) for i, letter in enumerate(cells, 1))


def is_within(cell: str, named: str) -> bool:
    """Whether a name stands for this cell: its own, or that of a zone which it is part of."""
    return cell == named or cell.startswith(f"{named}.")
