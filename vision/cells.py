"""The cells of a board as the reader asks for them: where they are in its view, and what is printed there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.layout import ANY, CARD, ONE, ORNAMENT, OWNER, PRINTED, TILES, Cell, Layout, Piece, Surface, Track, Zone
from vision.pose import inverse, transform
from vision.rectify import VIEW_PX, view_to_mm

EMPTY, UNSEEN = ".", "?"
TAKES = (PRINTED, ONE, ANY)
"""What the cells of a zone take, in the order in which hints tell it."""


def labels_of(layout: Layout, labels: Sequence[str]) -> list[int]:
    """Which of a network's labels may lie in a cell of an edition, by their indexes: networks may know several."""
    kinds = {kind for piece in layout.pieces for kind in (*piece.kinds, *card_labels(piece))} - {*layout.marks}
    return [i for i, label in enumerate(labels) if label in (EMPTY, UNSEEN) or label in kinds]


def card_labels(piece: Piece) -> tuple[str, ...]:
    """What the places of a card may show: bare card, the ornament in the middle of its face, what its face prints.

    Nothing of a piece that is no card.
    """
    return (CARD, ORNAMENT, *(f"{CARD}:{kind}" for kind in piece.prints)) if piece.prints else ()


def marks_of(layout: Layout, labels: Sequence[str]) -> list[int]:
    """Which of a network's labels the print may be that tells a seat's marks, by their indexes."""
    return [i for i, label in enumerate(labels) if label == UNSEEN or label in layout.marks]


def tile_cells(layout: Layout, surface: Surface | None = None) -> tuple[Cell, ...]:
    """The cells of a surface in which pieces are laid; those of a seat's first surface where none is named."""
    return tuple(cell for zone in read_zones(layout, surface) if zone.role == TILES for cell in zone.cells)


def read_zones(layout: Layout, surface: Surface | None = None) -> tuple[Zone, ...]:
    """The zones of a surface whose cells are read: where pieces are laid, and where print tells a seat's marks.

    Those of a seat's first surface where none is named. Cells of which it does not matter in which a piece lies are
    read as a heap.
    """
    name = (surface or layout.surfaces[0]).name
    here = [zone for zone in layout.zones if zone.surface == name and not zone.heap]
    return tuple(zone for role in (TILES, OWNER) for zone in here if zone.role == role)


def read_cells(layout: Layout, surface: Surface | None = None) -> tuple[Cell, ...]:
    """The cells of these zones."""
    return tuple(cell for zone in read_zones(layout, surface) for cell in zone.cells)


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
    """What the reader is asked of a surface: of some zones, or all that are read, and of its tracks."""
    surface = surface or layout.surfaces[0]
    if zones is None:
        zones = read_zones(layout, surface)
    along = [cell for track in tracks(layout, surface) for cell in track.cells]
    cells = [cell for zone in zones for cell in zone.cells]
    if not cells:
        # The reader compares cells: it is asked of one at least, and what it answers of this one is passed over.
        nowhere = np.zeros((1, len(TAKES) + len(labels)), np.float32)
        return Asked(np.full((1, 2), VIEW_PX / 2, np.float32), nowhere, points(along, surface))
    return Asked(points(cells, surface), hints(zones, side, labels), points(along, surface))
