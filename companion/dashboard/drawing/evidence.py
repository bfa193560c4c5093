"""What was read in a photo, to be drawn over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.dashboard.drawing.crops import board_homography, points_of
from companion.dashboard.drawing.faces import face_of
from companion.pipeline import layout_of
from companion.reconcile.live.outcome import Box
from companion.tables import parts_of, places_of
from engine import Layout, Part, load
from engine.table import EMPTY, UNSEEN
from vision.pose import transform

BESIDE = 0.08
"""How much around a game is shown, of its size."""
NARROWEST = 1.1
"""How wide it is shown at least, of its height: a tall picture would push everything else off the screen."""


@dataclass(frozen=True, slots=True)
class CellOutline:
    """A cell drawn over a photo."""

    name: str
    points: str
    x: float
    y: float
    size: float
    kind: str
    doubtful: bool

    @property
    def colour(self) -> str:
        """The tile's colour, by which it is painted."""
        return face_of(self.kind).hue


@dataclass(frozen=True, slots=True)
class Outline:
    """A board drawn over a photo, with how sure its least sure cell is."""

    seat: int
    points: str
    x: float
    y: float
    confidence: float | None
    marks: tuple[CellOutline, ...]


def part_of(reading: Mapping[str, Any], width: int, height: int) -> Box:
    """The part of a photo in which boards and discs lie; tables are larger than games."""
    corners = [point for board in reading["boards"] for point in board.get("corners_px", [])]
    places = [place for _, place in places_of(reading, load(reading["edition"]))]
    if not corners:
        return (0, 0, width, height)
    points = np.array([*corners, *places], float)
    low, high = points.min(axis=0), points.max(axis=0)
    size = (high - low) + 2 * BESIDE * (high - low).max()
    size[0] = max(size[0], NARROWEST * size[1])
    left, top = np.maximum((low + high - size) / 2, 0)
    right, bottom = np.minimum((low + high + size) / 2, (width, height))
    return (round(left), round(top), round(right - left), round(bottom - top))


def outlines(reading: Mapping[str, Any], every: bool = False) -> Iterator[Outline]:
    """What was read, to be drawn over its photo: cells with pieces and cells in doubt, or every cell."""
    layout, parts = layout_of(reading["edition"]), parts_of(reading)
    for board in reading["boards"]:
        if "corners_px" in board:
            corners = np.array(board["corners_px"], float)
            x, y = corners.mean(axis=0)
            marks = tuple(_marks(board, parts[board["seat"]], layout, every))
            yield Outline(board["seat"], points_of(corners), float(x), float(y), board.get("confidence"), marks)


def _marks(board: Mapping[str, Any], part: Part, layout: Layout, every: bool) -> Iterator[CellOutline]:
    homography = board_homography(board, layout)
    known = {cell.name: cell for cell in layout if cell.surface == layout.surfaces[0].name}
    doubtful = {doubt["cell"] for doubt in board.get("doubts", ())}
    lying = {name for name, kind in part.cells.items() if kind != EMPTY}
    for name in (part.cells.keys() if every else lying | doubtful) & known.keys():
        kind = part.cells.get(name, EMPTY)
        cell = known[name]
        outline = transform(homography, np.array(cell.outline_mm()))
        x, y = outline.mean(axis=0)
        size = float(np.ptp(outline, axis=0).mean())
        yield CellOutline(name, points_of(outline), float(x), float(y), size, kind, name in doubtful or kind == UNSEEN)
