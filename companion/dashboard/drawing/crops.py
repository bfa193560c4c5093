"""Parts of photos that show what is spoken of: a board upright as its owner sees it, its cells outlined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees, radians
from typing import Any

import cv2
import numpy as np

from companion.pipeline import layout_of
from companion.reconcile.live.choices import Spot
from companion.reconcile.live.outcome import Box
from engine import Layout, load
from engine.errors import EngineError
from vision.pose import Array, homography_of, transform

AROUND = 0.6
"""How much around cells is shown, of their size."""
LEAST_OF_BOARD = 0.45
"""The least part of a board that is shown, so that one sees where on it the cells are."""
BESIDE = 0.03
"""How much beside a board is shown, of its size."""
FLATTEST = 0.5
"""How high a part is at least, of its width."""
MOST_MARKED = 7
"""A zone of more cells than this, such as a score track, has one outline around it."""
HEAP_REACH = 0.16
"""How far around its middle a disc reaches, as a share of a board's diagonal, with some room."""


@dataclass(frozen=True)
class Sight:
    """The part of a photo that shows what is spoken of."""

    photo: str
    box: Box | None
    turn: int = 0
    """The degrees by which what is shown stands turned in the photo, clockwise; it is turned back about its middle."""
    outlines: tuple[str, ...] = ()
    """Of the cells that are spoken of, as SVG wants them."""
    seat: int = 0
    """Whose board it is; 0 for the middle of the table."""

    @property
    def viewbox(self) -> str:
        """As SVG wants it."""
        return " ".join(f"{value:g}" for value in self.box or ())


def sights_of(photo: str, reading: Mapping[str, Any] | None, spots: Iterable[Spot]) -> list[Sight]:
    """The boards with these cells, the one with most of them first, and the heaps in one part; none that is unknown.

    A cell that no layout knows stands for the whole board.
    """
    by_seat: dict[int, list[str]] = {}
    if reading is None:
        return []
    layout = layout_of(reading["edition"])
    for seat, cell in spots:
        by_seat.setdefault(0 if _is_heap(layout, cell) else seat, []).append(cell)
    boards = sorted((seat for seat in by_seat if seat), key=lambda seat: -len(by_seat[seat]))
    found = [_board_sight(photo, reading, seat, by_seat[seat]) for seat in boards]
    if 0 in by_seat:
        found.append(_heap_sight(photo, reading, by_seat[0]))
    return [sight for sight in found if sight is not None]


def _is_heap(layout: Layout, cell: str) -> bool:
    """Whether a name stands for a heap in the middle of the table, or a part of it."""
    return any(cell.split(".")[0] == heap.name and not heap.each for heap in layout.heaps)


def _board_sight(photo: str, reading: Mapping[str, Any] | None, seat: int, cells: Sequence[str]) -> Sight | None:
    board = board_of(reading, seat)
    if reading is None or board is None:
        return None
    corners = np.array(board["corners_px"], float)
    turn = _turn_of(corners)
    layout = layout_of(reading["edition"])
    outlines = list(_outlines(board, layout, cells))
    upright = _rotation(-turn)
    shown, whole = (points @ upright.T for points in (np.concatenate(outlines or [corners]), corners))
    low, high = _framed(shown, whole, is_whole=not outlines)
    middle, half = (low + high) / 2 @ upright, (high - low) / 2
    turned = tuple(points_of((outline - middle) @ upright.T + middle) for outline in outlines)
    if not turn:
        return Sight(photo, _within(middle - half, middle + half, reading), 0, turned, seat)
    left, top, width, height = (round(float(value)) for value in (*(middle - half), *(2 * half)))
    return Sight(photo, (left, top, width, height), turn, turned, seat)


def _framed(shown: Array, whole: Array, is_whole: bool) -> tuple[Array, Array]:
    """The corners of what is shown of a board that stands upright: some context, but little beside the board."""
    (low, high), (first, last) = ((points.min(axis=0), points.max(axis=0)) for points in (shown, whole))
    room = (last - first) * (1 + 2 * BESIDE)
    size = room if is_whole else np.maximum((high - low) * (1 + 2 * AROUND), LEAST_OF_BOARD * (last - first))
    size = np.minimum(size, room)
    size[1] = max(size[1], FLATTEST * size[0])
    middle = np.clip((low + high) / 2, first + size / 2 - BESIDE * room, last - size / 2 + BESIDE * room)
    return middle - size / 2, middle + size / 2


def _heap_sight(photo: str, reading: Mapping[str, Any] | None, heaps: Sequence[str]) -> Sight | None:
    """Discs and the middle, as they lie in the photo; the middle lies between all discs."""
    places = dict(_places(reading)) if reading else {}
    boards = [board for board in (reading or {}).get("boards", ()) if "corners_px" in board]
    named = {name for cell in heaps for name in places if cell == name or cell.startswith(f"{name}.")}
    wanted = [places[name] for name in sorted(named)]
    if len(named) < len(heaps):
        # The middle is among them, or a disc that is not in view.
        wanted = [*places.values()]
    if reading is None or not boards or not wanted:
        return None
    corners = np.array(boards[0]["corners_px"], float)
    reach = HEAP_REACH * float(np.linalg.norm(corners[2] - corners[0]))
    points = np.array(wanted, float)
    low, high = points.min(axis=0) - 1.5 * reach, points.max(axis=0) + 1.5 * reach
    rings = tuple(points_of(_ring(places[name], reach)) for name in sorted(named))
    return Sight(photo, _within(low, high, reading), 0, rings)


def _places(reading: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[float]]]:
    """Where the heaps lie of which there are several; some readings tell their numbers."""
    for name, field in load(reading["edition"]).heap_fields.items():
        for i, heap in enumerate(reading.get(field) or (), 1):
            if "centre_px" in heap:
                yield f"{name}.{heap.get('number', i)}", heap["centre_px"]


def _ring(centre: Sequence[float], reach: float) -> Array:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.array(centre, float) + reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _within(low: Array, high: Array, reading: Mapping[str, Any]) -> Box:
    """The part of a box that is in the picture, in whole pixels."""
    size = np.array(reading.get("size_px") or high, float)
    left, top = (round(float(value)) for value in np.maximum(low, 0))
    right, bottom = (round(float(value)) for value in np.minimum(high, size))
    return (left, top, max(right - left, 1), max(bottom - top, 1))


def _turn_of(corners: Array) -> int:
    """How far a board stands turned in a photo, by its upper and lower edges; corners are as its owner sees them."""
    across, down = (corners[1] - corners[0]) + (corners[2] - corners[3])
    return round(degrees(atan2(down, across))) % 360


def _rotation(turn: float) -> Array:
    """Turns points clockwise, where y goes down."""
    cos, sin = np.cos(radians(turn)), np.sin(radians(turn))
    return np.array([[cos, -sin], [sin, cos]])


def board_of(reading: Mapping[str, Any] | None, seat: int) -> Mapping[str, Any] | None:
    """The board of a seat in a reading, if it was found in the photo."""
    boards = reading["boards"] if reading else []
    return next((board for board in boards if board["seat"] == seat and "corners_px" in board), None)


def board_homography(board: Mapping[str, Any], layout: Layout) -> Array:
    """From a board's millimetres to pixels."""
    surface = layout.surfaces[0]
    return homography_of(np.array(board["corners_px"], float), surface.width_mm, surface.height_mm)


def _outlines(board: Mapping[str, Any], layout: Layout, names: Sequence[str]) -> Iterator[Array]:
    """Where the cells that names stand for are in a photo; none for a name that is no cell's."""
    homography = board_homography(board, layout)
    for name in filter(None, names):
        try:
            cells = layout.cells_of(name)
        except EngineError:
            continue
        outlines = [transform(homography, np.array(cell.outline_mm())) for cell in cells]
        if len(outlines) > MOST_MARKED:
            hull = cv2.convexHull(np.concatenate(outlines).astype(np.float32))
            outlines = [np.asarray(hull, float).reshape(-1, 2)]
        yield from outlines


def points_of(points: Array) -> str:
    """Points as SVG wants them."""
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
