"""Layouts with pieces of other sizes: how large and high they really are is often unknown and differs by printing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import TRACK, Cell, Layout, Piece, Surface, Zone

Rng = np.random.Generator
TILE_SIZE, TILE_HEIGHT = (0.93, 1.03), (0.7, 1.2)
MARK_SIZE, MARK_HEIGHT = (0.8, 1.25), (0.35, 1.15)
DISC_SIZE = (0.95, 1.08)
"""How much larger or higher pieces are than the layout says, drawn between these."""
INSET_MM, ALONG = 2.5, (0.94, 1.06)
"""How far tracks lie from where our layout has them, and how much farther apart their cells are."""
STRETCH = (0.88, 1.16)
"""How much longer and wider boards for heaps are."""
HEAP_MM = 6.0
"""The same for places of which it does not matter in which a piece lies (one standard deviation)."""
ROUND = 0.5
"""How often marks that should be cubes are short cylinders."""


def varied(layout: Layout, rng: Rng) -> Layout:
    """The same layout with pieces of slightly other measures; cells and boards stay where they are."""
    marks = {zone.piece for zone in layout.zones if zone.role == TRACK}
    size, height = rng.uniform(*TILE_SIZE), rng.uniform(*TILE_HEIGHT)
    pieces = []
    for piece in layout.pieces:
        if piece.name in marks:
            pieces.append(_mark(piece, rng))
        elif piece is layout.disc:
            pieces.append(replace(piece, size_mm=piece.size_mm * rng.uniform(*DISC_SIZE)))
        else:
            pieces.append(replace(piece, size_mm=piece.size_mm * size, height_mm=piece.height_mm * height))
    return replace(layout, pieces=tuple(pieces))


def _mark(piece: Piece, rng: Rng) -> Piece:
    size, height = (rng.uniform(*span) for span in (MARK_SIZE, MARK_HEIGHT))
    shape = "circle" if piece.shape == "square" and rng.random() < ROUND else piece.shape
    return replace(piece, shape=shape, size_mm=piece.size_mm * size, height_mm=piece.height_mm * height)


def moved(layout: Layout, rng: Rng) -> Layout:
    """The same layout with tracks and places of heaps elsewhere: for boards that nobody could show us.

    Boards on which there is nothing but heaps are also longer or shorter.
    """
    stretched = {
        surface.name: rng.uniform(*STRETCH, 2) for surface in layout.surfaces if _is_for_heaps(surface, layout)
    }
    surfaces = tuple(_stretched(surface, stretched.get(surface.name)) for surface in layout.surfaces)
    there = replace(layout, surfaces=surfaces)
    zones = (_placed(zone, _middles(zone) * stretched.get(zone.surface, np.ones(2))) for zone in layout.zones)
    return replace(there, zones=tuple(_moved(zone, there, rng) for zone in zones))


def _is_for_heaps(surface: Surface, layout: Layout) -> bool:
    return all(zone.heap for zone in layout.zones if zone.surface == surface.name)


def _stretched(surface: Surface, by: NDArray[np.float64] | None) -> Surface:
    if by is None:
        return surface
    return replace(surface, width_mm=surface.width_mm * float(by[0]), height_mm=surface.height_mm * float(by[1]))


def _middles(zone: Zone) -> NDArray[np.float64]:
    return np.array([(cell.x_mm, cell.y_mm) for cell in zone.cells])


def _moved(zone: Zone, layout: Layout, rng: Rng) -> Zone:
    if zone.role != TRACK and not zone.heap:
        return zone
    surface = layout.surface(zone.surface)
    middle = np.array([surface.width_mm, surface.height_mm]) / 2
    places = _middles(zone)
    if zone.role != TRACK and layout.piece(zone.piece).prints:
        # Cards are large: they must not come to lie on each other.
        return _placed(zone, places + np.clip(rng.normal(0, HEAP_MM, places.shape), -HEAP_MM, HEAP_MM))
    own = places.mean(axis=0)
    if zone.role == TRACK and np.abs(own - middle).max() < INSET_MM:
        # All around its board.
        return _placed(zone, middle + (places - middle) * (1 + rng.uniform(-1, 1) * INSET_MM / middle))
    stray = INSET_MM if zone.role == TRACK else HEAP_MM
    return _placed(zone, own + rng.normal(0, stray, 2) + (places - own) * rng.uniform(*ALONG, 2))


def _placed(zone: Zone, places_mm: NDArray[np.float64]) -> Zone:
    cells = zip(zone.cells, places_mm.tolist(), strict=True)
    return replace(zone, cells=tuple(_at(cell, x, y) for cell, (x, y) in cells))


def _at(cell: Cell, x_mm: float, y_mm: float) -> Cell:
    return replace(cell, x_mm=x_mm, y_mm=y_mm)
