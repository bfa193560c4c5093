"""The cells of a board as the reader asks for them: where they are in its view, and what is printed there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell, Layout
from vision.pose import inverse, transform
from vision.rectify import view_to_mm

EMPTY, UNSEEN = ".", "?"
ZONES = 4
"""How many zones a hint can tell apart: those for tiles in the order of the layout, then the tracks as one."""


def tile_cells(layout: Layout) -> tuple[Cell, ...]:
    """The cells of a player's board that hold tiles."""
    board = layout.surfaces[0].name
    return tuple(cell for zone in layout.zones if zone.piece == "tile" for cell in zone.cells if zone.surface == board)


def tracks(layout: Layout) -> tuple[tuple[Cell, ...], ...]:
    """The runs of cells on a player's board of which one tells something: a score track, or each slider."""
    board = layout.surfaces[0].name
    return tuple(zone.cells for zone in layout.zones if zone.piece != "tile" and zone.surface == board)


def asked_cells(layout: Layout) -> tuple[Cell, ...]:
    """All of them, tiles first."""
    return (*tile_cells(layout), *(cell for track in tracks(layout) for cell in track))


def points(layout: Layout) -> NDArray[np.float32]:
    """Where each asked cell is in a view, (cells, 2) in pixels."""
    places = np.array([[cell.x_mm, cell.y_mm] for cell in asked_cells(layout)])
    return transform(inverse(view_to_mm(layout.surfaces[0])), places).astype(np.float32)


def hints(layout: Layout, side: str, labels: Sequence[str]) -> NDArray[np.float32]:
    """What is known of each asked cell, (cells, ZONES + labels): its zone and the label that is printed there."""
    zones = [zone.name for zone in layout.zones if zone.piece == "tile"]
    known = np.zeros((len(asked_cells(layout)), ZONES + len(labels)), np.float32)
    for row, cell in zip(known, asked_cells(layout), strict=True):
        row[zones.index(cell.zone) if cell.zone in zones else ZONES - 1] = 1
        printed = cell.printed(side)
        if printed in labels:
            row[ZONES + labels.index(printed)] = 1
    return known
