"""Cutting a located surface out of a picture, straight and at a fixed scale.

Pictures are (height, width, 3) uint8, blue first.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, hypot, log2

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import OWNER, TILES, Layout, Surface, Zone
from vision.pose import Array, Pose, inverse, rectangle, transform

Picture = NDArray[np.uint8]

SPAN_PX = 320
"""The longer side of a surface in its view."""
MARGIN_PX = 8
"""What is seen around it."""
VIEW_PX = SPAN_PX + 2 * MARGIN_PX
LEVELS = 4
"""How many times a picture is halved, at most."""


@dataclass(frozen=True)
class Heights:
    """Above a surface's face: where the print in the cells of a zone lies, and the top of a piece there."""

    print_mm: float
    top_mm: float


class Pyramid:
    """A picture and its halves, made when wanted, so that what is made smaller is not made jagged."""

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    @property
    def picture(self) -> Picture:
        """The whole picture."""
        return self._levels[0]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        height, width = self._levels[0].shape[:2]
        return width, height

    def shows(self, points_px: Array) -> NDArray[np.bool_]:
        """Which points lie in the picture."""
        return np.asarray(((points_px >= 0) & (points_px < self.size_px)).all(axis=1))

    def warp(self, homography: Array, size_px: tuple[int, int], beyond: int = cv2.BORDER_CONSTANT) -> Picture:
        """The part of the picture that a homography, from the wanted pixels to the picture's, shows.

        What is beyond the picture is black, unless another of OpenCV's borders is named.
        """
        level = self._level(homography, size_px)
        while len(self._levels) <= level:
            self._levels.append(_half(self._levels[-1]))
        height, width = self._levels[level].shape[:2]
        x, y = width / self.size_px[0], height / self.size_px[1]
        shrink = np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(self._levels[level], shrink @ homography, size_px, flags=flags, borderMode=beyond)
        return np.asarray(seen if level == 0 else cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR), np.uint8)

    def _level(self, homography: Array, size_px: tuple[int, int]) -> int:
        """How often the picture is to be halved: as long as two of its pixels still fall on one of the wanted."""
        (a, b, c), (d, e, f), (g, h, i) = homography.tolist()
        x, y = size_px[0] / 2, size_px[1] / 2
        # What lies at the horizon itself is as small as can be.
        depth = g * x + h * y + i or 1e-12
        u, v = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
        # How far the picture's place moves with a pixel to the right, and with one downwards.
        step = min(hypot(a - u * g, d - v * g), hypot(b - u * h, e - v * h)) / abs(depth)
        return min(max(floor(log2(max(step, 1.0)) + 0.25), 0), LEVELS)


def _half(picture: Picture) -> Picture:
    """A picture at half its size, with a fourth channel: OpenCV warps four twice as fast as three."""
    size = (max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2))
    half = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(half if picture.shape[2] == 4 else cv2.cvtColor(half, cv2.COLOR_BGR2BGRA), np.uint8)


def scale_of(surface: Surface) -> float:
    """Pixels of a view for each millimetre."""
    return SPAN_PX / max(surface.width_mm, surface.height_mm)


def view_to_mm(surface: Surface) -> Array:
    """From pixels of a view to millimetres of its surface, which lies in the middle."""
    scale = 1 / scale_of(surface)
    x = surface.width_mm / 2 - (VIEW_PX - 1) / 2 * scale
    y = surface.height_mm / 2 - (VIEW_PX - 1) / 2 * scale
    return np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]])


def heights_of(layout: Layout, zone: Zone) -> Heights:
    """Where the print and the tops of pieces lie in a zone, above the face of its surface."""
    base = zone.cells[0].base_mm - layout.surface(zone.surface).thickness_mm
    return Heights(base, base + layout.piece(zone.piece).height_mm)


def levels_of(layout: Layout, surface: Surface) -> dict[Heights, tuple[Zone, ...]]:
    """The zones of a surface in which pieces are laid, by how high print and tops lie there.

    Where none are laid, the height of what else is there, without zones. Print that is read goes with the first.
    """
    here = [zone for zone in layout.zones if zone.surface == surface.name and not zone.heap]
    levels: dict[Heights, tuple[Zone, ...]] = {}
    if not here:
        return levels
    for zone in here:
        if zone.role == TILES:
            heights = heights_of(layout, zone)
            levels[heights] = (*levels.get(heights, ()), zone)
    first = next(iter(levels), heights_of(layout, here[0]))
    return levels | {first: (*levels.get(first, ()), *(zone for zone in here if zone.role == OWNER))}


def board_view(pyramid: Pyramid, pose: Pose, surface: Surface, heights: Heights) -> Picture:
    """A surface cut at its print and at the tops of its pieces: (2, VIEW_PX, VIEW_PX, 3)."""
    frame = view_to_mm(surface)
    size = (VIEW_PX, VIEW_PX)
    return np.stack([pyramid.warp(pose.at(height) @ frame, size) for height in (heights.print_mm, heights.top_mm)])


def white_of(picture: Picture) -> NDArray[np.float32]:
    """The colour, blue first, that white has in a picture of a board.

    A board is its own colour chart: most of its print is pale, so its bright parts are white under any lamp.
    """
    samples = np.ascontiguousarray(picture[::3, ::3])
    counts = np.array([cv2.calcHist([samples], [i], None, [256], [0, 256]).ravel() for i in range(3)])
    # Between the two samples that the percentile falls between.
    place = (samples.shape[0] * samples.shape[1] - 1) * WHITE_PERCENT / 100
    low, high = ((counts.cumsum(axis=1) <= int(place) + i).sum(axis=1) for i in range(2))
    return np.asarray(np.maximum(low + (high - low) * (place - int(place)), 16.0), np.float32)


def balanced(picture: Picture, white: NDArray[np.float32]) -> Picture:
    """A picture as a network wants it, scaled so that white is WHITE in each colour."""
    return np.asarray(cv2.transform(picture, np.diag(WHITE / white)), np.uint8)


WHITE_PERCENT = 80
WHITE = 160.0
"""Of 255, as tiles under a lamp are brighter than the white of a board."""


LOOSE_TILE_PX = 24
"""How large a tile is in a view of the table, whatever the edition."""


def table_scale(layout: Layout) -> float:
    """Pixels of a view of the table for each millimetre."""
    return LOOSE_TILE_PX / layout.tile.size_mm


def loose_height(layout: Layout) -> float:
    """How high above a board's face the tops of loose tiles are: between those on discs and those on the table."""
    disc = layout.disc
    return layout.tile.height_mm + (disc.height_mm / 2 if disc else 0.0) - layout.surfaces[0].thickness_mm


def disc_height(layout: Layout) -> float:
    """How high above a board's face that of a disc is; that of the table where there are no discs."""
    disc = layout.disc
    return (disc.height_mm if disc else 0.0) - layout.surfaces[0].thickness_mm


def table_view(
    pyramid: Pyramid, homography: Array, box_mm: Array, px_per_mm: float, beyond: int = cv2.BORDER_CONSTANT
) -> Picture:
    """A box of the table, [[left, top], [right, bottom]], seen straight; beyond the picture as `warp` has it."""
    width, height = np.round((box_mm[1] - box_mm[0]) * px_per_mm).astype(int)
    return pyramid.warp(homography @ box_to_mm(box_mm, px_per_mm), (int(width), int(height)), beyond)


def box_to_mm(box_mm: Array, px_per_mm: float) -> Array:
    """From pixels of a view of the table to its millimetres."""
    scale = 1 / px_per_mm
    left, top = box_mm[0]
    return np.array([[scale, 0, left + scale / 2], [0, scale, top + scale / 2], [0, 0, 1]])


@dataclass(frozen=True)
class SquareView:
    """How a surface is cut out to be located, stretched to a square: so large, its sides so long, and around it what
    is beside it."""

    size_px: int
    span_px: int

    def corners(self) -> Array:
        """Where the corners lie in the view if they are right."""
        return rectangle(self.span_px, self.span_px) + (self.size_px - self.span_px) / 2 - 0.5

    def cut(self, pyramid: Pyramid, corners_px: Array) -> Picture:
        """The surface whose corners are thought to be here."""
        return pyramid.warp(self._homography(corners_px), (self.size_px, self.size_px))

    def to_picture(self, corners_px: Array, points: Array) -> Array:
        """Points of the view that these corners cut out, in the picture."""
        return transform(self._homography(corners_px), points)

    def to_view(self, corners_px: Array, points_px: Array) -> Array:
        """Points of the picture in the view that these corners cut out."""
        return transform(inverse(self._homography(corners_px)), points_px)

    def _homography(self, corners_px: Array) -> Array:
        found = cv2.getPerspectiveTransform(self.corners().astype(np.float32), corners_px.astype(np.float32))
        return np.asarray(found, np.float64)


ALIGN = SquareView(160, 112)
"""For corners that may be far off."""
FIT = SquareView(224, 192)
"""For corners that are nearly right."""
