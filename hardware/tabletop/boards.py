"""Boards and trays as solids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell, Layout
from hardware.tabletop.art import Art
from hardware.tabletop.canvas import Texture
from hardware.tabletop.places import Placed
from hardware.tabletop.solids import Solid, tray_rim

CARD = np.array([0.30, 0.36, 0.42], np.float32)
PLASTIC = np.array([0.62, 0.62, 0.58], np.float32)
"""Trays are milky."""
RIM_MM = 3.6
LEDGE_MARGIN_MM = 1.5
JOINED = 1.02
"""How much larger than its cell a part of a raised card is, so that the parts are one."""


def board_solids(
    placed: Placed, side: str, layout: Layout, art: Art, gloss: float, grain: Texture | None
) -> list[Solid]:
    """A board; of a tray, its print, and the ledges in it that carry cells higher up."""
    corners, face_mm = placed.corners_mm, _face_mm(placed, layout)
    texture, height_mm = art.board(placed.surface, side), layout.surface(placed.surface).thickness_mm - face_mm
    solids = [Solid(corners, 0.0, face_mm, CARD, texture, corners, gloss, grain=grain)]
    high = [cell for cell in _cells(placed, layout) if cell.base_mm > face_mm] if height_mm > 0 else []
    for zone in sorted({cell.zone for cell in high}):
        outline = placed.to_world(_around([cell for cell in high if cell.zone == zone]))
        solids.append(Solid(outline, face_mm, height_mm, PLASTIC, texture, corners, gloss))
    if height_mm <= 0:
        solids += _raised(placed, layout, texture, gloss)
    return solids


def _raised(placed: Placed, layout: Layout, texture: Texture, gloss: float) -> list[Solid]:
    """The parts of a board that are a card of their own on it, with cells higher up."""
    face_mm = layout.surface(placed.surface).thickness_mm
    found = []
    for cell in _cells(placed, layout):
        if cell.base_mm > face_mm and layout.slot_under(cell) is None:
            middle = np.array([cell.x_mm, cell.y_mm])
            outline = placed.to_world((np.array(cell.outline_mm()) - middle) * JOINED + middle)
            height_mm = cell.base_mm - face_mm
            found.append(Solid(outline, face_mm, height_mm, CARD, texture, placed.corners_mm, gloss))
    return found


def rims(placed: Placed, layout: Layout) -> list[Solid]:
    """The raised frame of a tray; none around a card."""
    face_mm, top_mm = _face_mm(placed, layout), layout.surface(placed.surface).thickness_mm
    return tray_rim(placed.corners_mm, face_mm, top_mm - face_mm, RIM_MM, PLASTIC) if face_mm < top_mm else []


def _face_mm(placed: Placed, layout: Layout) -> float:
    """How high the print lies: in a tray, lower than the rim."""
    thickness = layout.surface(placed.surface).thickness_mm
    return min([thickness, *(cell.base_mm for cell in _cells(placed, layout))])


def _cells(placed: Placed, layout: Layout) -> list[Cell]:
    return [cell for cell in layout.cells if cell.surface == placed.surface]


def _around(cells: list[Cell]) -> NDArray[np.float64]:
    """The box around cells, clockwise."""
    outlines = np.vstack([np.array(cell.outline_mm()) for cell in cells])
    left, top = outlines.min(axis=0) - LEDGE_MARGIN_MM
    right, bottom = outlines.max(axis=0) + LEDGE_MARGIN_MM
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
