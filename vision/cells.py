"""The cells of a board as the reader asks for them: where they are in its view, and what is printed there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.layout import ANY, ONE, PRINTED, TILES, Cell, Layout, Surface, Track, Zone
from vision.pose import inverse, transform
from vision.rectify import view_to_mm

EMPTY, UNSEEN = ".", "?"
TAKES = (PRINTED, ONE, ANY)
"""What the cells of a zone take, in the order in which hints tell it."""


def labels_of(layout: Layout, labels: Sequence[str]) -> list[int]:
    """Which of a network's labels there are in an edition, by their indexes: networks may know several editions."""
    kinds = {kind for piece in layout.pieces for kind in piece.kinds}
    return [i for i, label in enumerate(labels) if label in (EMPTY, UNSEEN) or label in kinds]


def tile_cells(layout: Layout, surface: Surface | None = None) -> tuple[Cell, ...]:
    """The cells of a surface in which pieces are laid; those of a seat's first surface where none is named."""
    name = (surface or layout.surfaces[0]).name
    return tuple(cell for zone in layout.zones if zone.role == TILES and zone.surface == name for cell in zone.cells)


def tracks(layout: Layout, surface: Surface | None = None) -> tuple[Track, ...]:
    """The tracks of a surface; those of a seat's first surface where none is named."""
    name = (surface or layout.surfaces[0]).name
    return tuple(track for track in layout.tracks if track.surface == name)


def points(cells: Iterable[Cell], surface: Surface) -> NDArray[np.float32]:
    """Where cells of a surface are in a view, (cells, 2) in pixels."""
    places = np.array([[cell.x_mm, cell.y_mm] for cell in cells]).reshape(-1, 2)
    return transform(inverse(view_to_mm(surface)), places).astype(np.float32)


def hints(zones: Sequence[Zone], side: str, labels: Sequence[str]) -> NDArray[np.float32]:
    """What is known of each cell, (cells, TAKES + labels): what its zone takes, and the label that is printed there."""
    cells = [(TAKES.index(zone.takes), cell) for zone in zones for cell in zone.cells]
    known = np.zeros((len(cells), len(TAKES) + len(labels)), np.float32)
    for row, (takes, cell) in zip(known, cells, strict=True):
        row[takes] = 1
        printed = cell.printed(side)
        if printed in labels:
            row[len(TAKES) + labels.index(printed)] = 1
    return known


@dataclass(frozen=True)
class Asked:
    """What the reader is asked of a board: as its file wants it, after the view."""

    places: NDArray[np.float32]
    hints: NDArray[np.float32]
    marks: NDArray[np.float32]
    """Where the cells of tracks are, one track after the other."""


def asked_of(
    layout: Layout,
    side: str,
    labels: Sequence[str],
    surface: Surface | None = None,
    zones: Sequence[Zone] | None = None,
) -> Asked:
    """What the reader is asked of a surface: of some zones, or all in which pieces are laid, and of its tracks."""
    surface = surface or layout.surfaces[0]
    if zones is None:
        zones = [zone for zone in layout.zones if zone.role == TILES and zone.surface == surface.name]
    along = [cell for track in tracks(layout, surface) for cell in track.cells]
    cells = [cell for zone in zones for cell in zone.cells]
    return Asked(points(cells, surface), hints(zones, side, labels), points(along, surface))
