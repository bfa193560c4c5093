"""How high a camera must hang to see a whole table, and how large a tile is in its picture then."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.layout import Layout

GAP_MM = 15.0
"""Between things that lie beside each other."""
MARGIN = 1.06
"""How much more than the table is in the picture, since boards get pushed."""
TILE_NEEDED_PX = 28.0
"""What a tile has on the simulated tables of four that readings are measured on; at 20 they began to fail."""


@dataclass(frozen=True, slots=True)
class Optics:
    """What a camera sees: its largest picture and its fields of view, as its maker states them."""

    name: str
    size_px: tuple[int, int]
    field_deg: tuple[float, float]


CAMERAS = {
    "module-3": Optics("Camera Module 3", (4608, 2592), (66.0, 41.0)),
    "module-3-wide": Optics("Camera Module 3 Wide", (4608, 2592), (102.0, 67.0)),
    "hq-6mm": Optics("HQ Camera, 6 mm lens", (4056, 3040), (55.3, 42.9)),
    "webcam-1080p": Optics("USB webcam, 1080p, 78° across", (1920, 1080), (70.4, 43.3)),
    "webcam-4k": Optics("USB webcam, 4K, 78° across", (3840, 2160), (70.4, 43.3)),
}

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in millimetres from the middle of the table."""


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera hung so that the table just fills its picture."""

    height_mm: float
    tile_px: float
    along: bool
    """Whether the picture's long side lies along the table's longer side."""

    @property
    def suffices(self) -> bool:
        """Whether tiles are large enough to be read."""
        return self.tile_px >= TILE_NEEDED_PX


def focal_px(size_px: float, field_deg: float) -> float:
    """The focal length of a lens that sees that many degrees across that many pixels."""
    return size_px / (2 * math.tan(math.radians(field_deg) / 2))


def table_mm(layout: Layout, players: int) -> tuple[float, float]:
    """The width and height of all that lies on a table, laid closely: boards around what is in the middle."""
    lefts, tops, rights, bottoms = zip(*_boxes(layout, players), strict=True)
    return max(rights) - min(lefts), max(bottoms) - min(tops)


def hang(camera: Optics, table: tuple[float, float], tile_mm: float) -> CameraView:
    """The lower of both ways to hang a camera over the middle of a table, looking straight down."""
    return min((_view(camera, table, tile_mm, along) for along in (True, False)), key=lambda view: view.height_mm)


def _view(camera: Optics, table: tuple[float, float], tile_mm: float, along: bool) -> CameraView:
    long, short = sorted(table, reverse=True)
    sides = (long, short) if along else (short, long)
    focals = [focal_px(*seen) for seen in zip(camera.size_px, camera.field_deg, strict=True)]
    fits = [MARGIN * side * focal / size for side, focal, size in zip(sides, focals, camera.size_px, strict=True)]
    return CameraView(max(fits), tile_mm * focals[0] / max(fits), along)


def _boxes(layout: Layout, players: int) -> list[Box]:
    own = [surface for surface in layout.surfaces if not surface.shared]
    shared = [(surface.width_mm, surface.height_mm) for surface in layout.surfaces if surface.shared]
    width = sum(surface.width_mm for surface in own) + GAP_MM * (len(own) - 1)
    height = max(surface.height_mm for surface in own)
    discs = [piece.size_mm for piece in layout.pieces if piece.name == "disc"]
    middle = _ring_mm(players, discs[0]) if discs else max(max(size) for size in shared) / 2
    # Neighbours must not touch at their corners.
    inner = max(middle + GAP_MM, width / 2 if players > 2 else 0)
    bottom, top = (-width / 2, inner, width / 2, inner + height), (-width / 2, -inner - height, width / 2, -inner)
    right, left = (inner, -width / 2, inner + height, width / 2), (-inner - height, -width / 2, -inner, width / 2)
    seats = {2: [bottom, top], 3: [left, bottom, right], 4: [bottom, left, top, right]}[players]
    boxes = [*seats, (-middle, -middle, middle, middle)]
    if discs:
        # What all share lies between two seats; with two players, beside the discs.
        x, y = width / 2 + GAP_MM, width / 2 + GAP_MM if players > 2 else -height / 2
        boxes += [(x, y, x + across, y + down) for across, down in shared]
    return boxes


def _ring_mm(players: int, disc_mm: float) -> float:
    """How far the outer edge of a ring of discs is from its middle."""
    discs = 2 * players + 1
    return (disc_mm + GAP_MM / 2) / (2 * math.sin(math.pi / discs)) + disc_mm / 2
