"""Where in a photo a cell is, so that it can be shown to whoever doubts what is said about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.dashboard.boards import EMPTY, MARKER, UNSEEN, colour_of
from companion.dashboard.pictures import Box
from companion.pipeline import layout_of
from companion.staging import board_cells
from engine import Layout
from engine.errors import EngineError
from vision.pose import Array, homography_of, transform

AROUND = 0.6
"""How much around a cell is shown, of its size."""
BESIDE = 0.08
"""How much around a game is shown, of its size."""
NARROWEST = 1.1
"""How wide it is shown at least, of its height: a tall picture would push everything else off the screen."""
LEAST_PX = 90.0
"""The least size of a part that is shown."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A cell drawn over a photo."""

    points: str
    x: float
    y: float
    size: float
    kind: str
    doubtful: bool

    @property
    def colour(self) -> str:
        """The tile's colour, by which it is painted."""
        return colour_of(self.kind)


@dataclass(frozen=True, slots=True)
class Outline:
    """A board drawn over a photo, with how sure its least sure cell is."""

    seat: int
    points: str
    x: float
    y: float
    confidence: float | None
    marks: tuple[Mark, ...]


def box_of(reading: Mapping[str, Any] | None, seat: int, cell: str) -> Box | None:
    """The part of a photo that shows a cell of a seat, or the seat's board; None where that is not known."""
    board = _board(reading, seat)
    if reading is None or board is None:
        return None
    cells = _cells_px(reading, board, cell)
    box = _around(np.concatenate(cells) if cells else np.array(board["corners_px"], float))
    return _within(box, *reading["size_px"]) if "size_px" in reading else box


def asked(reading: Mapping[str, Any] | None, seat: int, cell: str) -> tuple[str, ...]:
    """The outlines of the cells that are spoken of, where the reading tells how large its photo is."""
    board = _board(reading, seat)
    if reading is None or board is None or "size_px" not in reading:
        return ()
    return tuple(_points(outline) for outline in _cells_px(reading, board, cell))


def part_of(reading: Mapping[str, Any], width: int, height: int) -> Box:
    """The part of a photo in which boards and discs lie; tables are larger than games."""
    corners = [point for board in reading["boards"] for point in board.get("corners_px", [])]
    places = [disc["centre_px"] for disc in reading.get("factories", []) if "centre_px" in disc]
    if not corners:
        return (0, 0, width, height)
    points = np.array([*corners, *places], float)
    low, high = points.min(axis=0), points.max(axis=0)
    size = (high - low) + 2 * BESIDE * (high - low).max()
    size[0] = max(size[0], NARROWEST * size[1])
    left, top = np.maximum((low + high - size) / 2, 0)
    right, bottom = np.minimum((low + high + size) / 2, (width, height))
    return (round(left), round(top), round(right - left), round(bottom - top))


def outlines(reading: Mapping[str, Any]) -> Iterator[Outline]:
    """What was read, to be drawn over its photo."""
    layout = layout_of(reading["edition"])
    for board in reading["boards"]:
        if "corners_px" in board:
            corners = np.array(board["corners_px"], float)
            x, y = corners.mean(axis=0)
            marks = tuple(_marks(board, layout))
            yield Outline(board["seat"], _points(corners), float(x), float(y), board.get("confidence"), marks)


def _marks(board: Mapping[str, Any], layout: Layout) -> Iterator[Mark]:
    homography = _homography(board, layout)
    known = {cell.name: cell for cell in layout}
    doubtful = {doubt["cell"] for doubt in board.get("doubts", ())}
    lying = {name: MARKER if kind == "marker" else kind for name, kind in board_cells(board, known)}
    for name in {*lying, *(doubtful & known.keys())}:
        kind = lying.get(name, EMPTY)
        if kind in ("cube", "slider"):
            continue
        cell = known[name]
        outline = transform(homography, np.array(cell.outline_mm()))
        x, y = outline.mean(axis=0)
        size = float(np.ptp(outline, axis=0).mean())
        yield Mark(_points(outline), float(x), float(y), size, kind, name in doubtful or kind == UNSEEN)


def _board(reading: Mapping[str, Any] | None, seat: int) -> Mapping[str, Any] | None:
    boards = reading["boards"] if reading else []
    return next((board for board in boards if board["seat"] == seat and "corners_px" in board), None)


def _homography(board: Mapping[str, Any], layout: Layout) -> Array:
    surface = layout.surfaces[0]
    return homography_of(np.array(board["corners_px"], float), surface.width_mm, surface.height_mm)


def _cells_px(reading: Mapping[str, Any], board: Mapping[str, Any], cell: str) -> list[Array]:
    """Where the cells that a name stands for are in a photo; none for a name that is no cell's."""
    layout = layout_of(reading["edition"])
    try:
        cells = layout.cells_of(cell) if cell else ()
    except EngineError:
        return []
    homography = _homography(board, layout)
    return [transform(homography, np.array(each.outline_mm())) for each in cells]


def _within(box: Box, width: int, height: int) -> Box:
    """The part of a box that is in the picture, in whole pixels."""
    left, top = max(round(box[0]), 0), max(round(box[1]), 0)
    right, bottom = min(round(box[0] + box[2]), width), min(round(box[1] + box[3]), height)
    return (left, top, max(right - left, 1), max(bottom - top, 1))


def _around(points: Array) -> Box:
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, LEAST_PX) * (1 + 2 * AROUND)
    left, top = (low + high - size) / 2
    return (float(left), float(top), float(size[0]), float(size[1]))


def _points(points: Array) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
