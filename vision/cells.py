"""The cells of a board as the reader asks for them: where they are in its view, and what is printed there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.layout import TILES, Cell, Layout, Surface, Track
from vision.pose import inverse, transform
from vision.rectify import view_to_mm

EMPTY, UNSEEN = ".", "?"
ZONES = 3
"""How many zones a hint can tell apart: those for tiles in the order of the layout."""


def tile_cells(layout: Layout, surface: Surface | None = None) -> tuple[Cell, ...]:
    """The cells of a surface in which pieces are laid; without a name those of a seat's first surface."""
    name = (surface or layout.surfaces[0]).name
    return tuple(cell for zone in layout.zones if zone.role == TILES and zone.surface == name for cell in zone.cells)


def tracks(layout: Layout, surface: Surface | None = None) -> tuple[Track, ...]:
    """The tracks of a surface: runs of cells on which a mark tells a number."""
    name = (surface or layout.surfaces[0]).name
    return tuple(track for track in layout.tracks if track.surface == name)


def points(cells: Iterable[Cell], layout: Layout) -> NDArray[np.float32]:
    """Where cells of a player's board are in a view, (cells, 2) in pixels."""
    places = np.array([[cell.x_mm, cell.y_mm] for cell in cells])
    return transform(inverse(view_to_mm(layout.surfaces[0])), places).astype(np.float32)


def hints(layout: Layout, side: str, labels: Sequence[str]) -> NDArray[np.float32]:
    """What is known of each cell for tiles, (cells, ZONES + labels): its zone and the label that is printed there."""
    zones = [zone.name for zone in layout.zones if zone.role == TILES]
    cells = tile_cells(layout)
    known = np.zeros((len(cells), ZONES + len(labels)), np.float32)
    for row, cell in zip(known, cells, strict=True):
        row[zones.index(cell.zone)] = 1
        printed = cell.printed(side)
        if printed in labels:
            row[ZONES + labels.index(printed)] = 1
    return known


@dataclass(frozen=True)
class Asked:
    """What the reader is asked of a board: as its file wants it, after the view."""

    places: NDArray[np.float32]
    hints: NDArray[np.float32]
    marks: NDArray[np.float32]
    """Where the cells of tracks are, one track after the other."""


def asked_of(layout: Layout, side: str, labels: Sequence[str]) -> Asked:
    """What the reader is asked of a side of a board."""
    along = [cell for track in tracks(layout) for cell in track.cells]
    return Asked(points(tile_cells(layout), layout), hints(layout, side, labels), points(along, layout))
