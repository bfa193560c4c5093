"""Layouts with pieces of other sizes: how large and high they really are is often unknown and differs by printing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.layout import TRACK, Layout, Piece

Rng = np.random.Generator
TILE_SIZE, TILE_HEIGHT = (0.93, 1.03), (0.7, 1.2)
MARK_SIZE, MARK_HEIGHT = (0.8, 1.25), (0.35, 1.15)
DISC_SIZE = (0.95, 1.08)
"""How much larger or higher pieces are than the layout says, drawn between these."""
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
