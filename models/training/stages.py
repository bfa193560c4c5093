"""Positions to learn from: drawn by chance from a layout, so that no rule of a game is learned with the looks.

Most look like a game's (lines filled from the right in one colour, walls in their printed colours), since such are the
pictures that come; the others are laid anyhow, since what breaks a rule must be read as it lies.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from engine.layout import Cell, Layout
from hardware.tabletop.stage import Stage

Rng = np.random.Generator
ANYHOW = 0.3
"""The share of boards that are laid without any sense."""
COLOURED = 0.65
"""The share of boards that show their first side, where print has the colours of tiles and is hardest to read."""
DISCS = {2: 5, 3: 7, 4: 9}


def colours_of(layout: Layout) -> list[str]:
    """The letters of the tiles, as the boards print them."""
    return sorted({letter for cell in layout for _, letter in cell.prints})


def draw_stage(layout: Layout, seats: int, rng: Rng) -> Stage:
    """A position for so many seats."""
    coloured, *others = layout.surfaces[0].sides
    side = coloured if rng.random() < COLOURED else str(rng.choice(others))
    colours = colours_of(layout)
    discs = [_disc(colours, rng) for _ in range(DISCS[seats])]
    if rng.random() < 0.15:
        discs = [()] * len(discs)
    count = int(rng.integers(0, 20) if rng.random() < 0.8 else rng.integers(0, 3))
    centre = [str(kind) for kind in rng.choice(colours, count)] + ["marker"] * int(rng.random() < 0.5)
    boards = {seat: draw_board(layout, side, rng) for seat in range(1, seats + 1)}
    return Stage(side=side, boards=boards, discs=tuple(discs), centre=tuple(centre))


def _disc(colours: list[str], rng: Rng) -> tuple[str, ...]:
    count = int(rng.choice([0, 1, 2, 3, 4], p=[0.3, 0.02, 0.03, 0.05, 0.6]))
    return tuple(str(kind) for kind in rng.choice(colours, count))


def draw_board(layout: Layout, side: str, rng: Rng) -> dict[str, str]:
    """What lies in the cells of one board."""
    colours = colours_of(layout)
    lie = _anyhow if rng.random() < ANYHOW else _sensibly
    fill = float(rng.beta(0.9, 1.6))
    laid: dict[str, str] = {}
    for zone in layout.zones:
        if zone.piece == "tile":
            laid |= lie(zone.name, zone.cells, side, colours, fill, rng)
        else:
            cell = zone.cells[int(len(zone.cells) * rng.random() ** (1.0 if rng.random() < 0.5 else 3.0))]
            laid[cell.name] = zone.piece
    return laid


def _anyhow(
    _zone: str, cells: tuple[Cell, ...], _side: str, colours: list[str], fill: float, rng: Rng
) -> dict[str, str]:
    laid = {cell.name: str(rng.choice(colours)) for cell in cells if rng.random() < fill}
    if laid and rng.random() < 0.05:
        laid[str(rng.choice(list(laid)))] = "marker"
    return laid


def _sensibly(
    zone: str, cells: tuple[Cell, ...], side: str, colours: list[str], fill: float, rng: Rng
) -> dict[str, str]:
    if zone == "line":
        laid: dict[str, str] = {}
        for _, row in groupby(cells, key=lambda cell: cell.name.rsplit(".", 1)[0]):
            run = list(row)[::-1]
            count = int(rng.integers(0, len(run) + 1)) if rng.random() < 0.3 + fill else 0
            colour = str(rng.choice(colours))
            laid |= {cell.name: colour for cell in run[:count]}
        return laid
    if zone == "floor":
        count = int(min(rng.geometric(0.4) - 1, len(cells)))
        kinds = [str(kind) for kind in rng.choice(colours, count)]
        if rng.random() < 0.25:
            kinds = [*kinds[: int(rng.integers(0, count + 1))], "marker", *kinds[count:]]
        return {cell.name: kind for cell, kind in zip(cells, kinds, strict=False)}
    return {cell.name: cell.printed(side) or str(rng.choice(colours)) for cell in cells if rng.random() < fill}
