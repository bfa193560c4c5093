"""Positions to learn from: drawn by chance from a layout, so that no rule of a game is learned with the looks.

Most look like a game's (rows filled from their end with one kind, printed cells with their own), since such are the
pictures that come; the others are laid anyhow, since what breaks a rule must be read as it lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from engine.layout import FREE, ONE, RIGHT, TILES, TRACK, Heap, Layout, Zone
from hardware.tabletop.stage import Stage

Rng = np.random.Generator
ANYHOW = 0.3
"""The share of boards that are laid without any sense."""
COLOURED = 0.65
"""The share of boards that show their first side, where print has the colours of tiles and is hardest to read."""
EMPTY_DISC, FULL_DISC = 0.3, 0.6
"""The shares of discs that hold none and as many as they can; the others hold any number between."""

NO_RESERVE, MOST_RESERVED = 0.25, 12
"""How often nothing lies beside a board, and how many pieces do at most."""
FULL_SUPPLY = 0.6
"""How often every cell of a board that all share is full."""
LAPPED = 0.2
"""How often a seat has a token for a lap gone, where there are such."""
TOGETHER, IN_ONE_CELL = 0.25, 0.2
"""How often the marks on a track stand next to each other, and how often all in one cell, as where a game begins."""


def colours_of(layout: Layout) -> list[str]:
    """The letters of the tiles."""
    return sorted(layout.tile.kinds)


def marker_of(layout: Layout) -> str:
    """The piece that is the only one of its kind and lies among tiles; empty where there is none."""
    may_lie = any(zone.marker for zone in layout.zones) or any(heap.marker for heap in layout.heaps)
    return next((piece.name for piece in layout.pieces if may_lie and len(piece.kinds) == 1), "")


def draw_stage(layout: Layout, seats: int, rng: Rng) -> Stage:
    """A position for so many seats."""
    coloured, *others = layout.sides
    side = coloured if rng.random() < COLOURED or not others else str(rng.choice(others))
    colours, ring = colours_of(layout), layout.numbered_heap
    discs = [_disc(ring, colours, rng) for _ in range(dict(ring.counts)[seats])] if ring and layout.disc else []
    if rng.random() < 0.15:
        discs = [()] * len(discs)
    count = int(rng.integers(0, 20) if rng.random() < 0.8 else rng.integers(0, 3))
    marker = [marker_of(layout)] * int(rng.random() < 0.5)
    centre = [*(str(kind) for kind in rng.choice(colours, count)), *filter(None, marker)]
    boards = {seat: draw_board(layout, side, rng) for seat in range(1, seats + 1)}
    marks = dict(zip(boards, map(str, rng.permutation(layout.marks)), strict=False))
    return Stage(
        side=side,
        boards=boards,
        discs=tuple(discs),
        centre=tuple(centre),
        beside={seat: _reserve(layout, colours, rng) for seat in boards},
        shared=tuple(_of_all(layout, boards, marks, rng)),
        marks=marks,
        tokens={seat: 1 for seat in boards if any(track.token for track in layout.tracks) and rng.random() < LAPPED},
    )


def _reserve(layout: Layout, colours: list[str], rng: Rng) -> tuple[str, ...]:
    """What lies beside a board, where each seat has such a heap."""
    if not layout.seat_heap or rng.random() < NO_RESERVE:
        return ()
    few = colours[: int(rng.integers(1, len(colours) + 1))] if rng.random() < 0.5 else colours
    return tuple(str(kind) for kind in rng.choice(few, int(rng.integers(1, MOST_RESERVED + 1))))


def _of_all(layout: Layout, seats: Iterable[int], marks: Mapping[int, str], rng: Rng) -> Iterator[tuple[str, str]]:
    """What lies on surfaces that all share: in cells, and as marks on tracks, now and then several in one place."""
    shared = {surface.name for surface in layout.surfaces if surface.shared}
    for zone in layout.zones:
        if zone.surface in shared and zone.role == TILES:
            full = 1.0 if rng.random() < FULL_SUPPLY else float(rng.random())
            yield from _anyhow(zone, "", colours_of(layout), "", full, rng).items()
    for track in layout.tracks:
        if track.surface not in shared:
            continue
        manner = rng.random()
        near = int(rng.integers(len(track.cells))) if manner < TOGETHER + IN_ONE_CELL else None
        for seat in seats if track.each else [0]:
            at = int(len(track.cells) * rng.random() ** (1.0 if rng.random() < 0.5 else 2.0))
            if near is not None:
                at = (near + int(rng.integers(-1, 2)) * (manner < TOGETHER)) % len(track.cells)
            yield track.cells[at].name, marks.get(seat, track.piece)


def _disc(ring: Heap, colours: list[str], rng: Rng) -> tuple[str, ...]:
    full = max(ring.holds)
    between = np.arange(2, full + 1, dtype=float)
    shares = [EMPTY_DISC, *(1 - EMPTY_DISC - FULL_DISC) * between / between.sum(), FULL_DISC]
    count = int(rng.choice(full + 1, p=shares))
    return tuple(str(kind) for kind in rng.choice(colours, count))


def draw_board(layout: Layout, side: str, rng: Rng) -> dict[str, str]:
    """What lies in the cells of one seat's surfaces."""
    lie = _anyhow if rng.random() < ANYHOW else _sensibly
    fill = float(rng.beta(0.9, 1.6))
    laid: dict[str, str] = {}
    own = {surface.name for surface in layout.surfaces if not surface.shared}
    for zone in layout.zones:
        if zone.surface not in own:
            continue
        if zone.role == TILES:
            laid |= lie(zone, side, colours_of(layout), marker_of(layout), fill, rng)
        elif zone.role == TRACK:
            cell = zone.cells[int(len(zone.cells) * rng.random() ** (1.0 if rng.random() < 0.5 else 3.0))]
            laid[cell.name] = zone.piece
    return laid


def _anyhow(zone: Zone, _side: str, colours: list[str], marker: str, fill: float, rng: Rng) -> dict[str, str]:
    laid = {cell.name: str(rng.choice(colours)) for cell in zone.cells if rng.random() < fill}
    if laid and rng.random() < 0.05 and marker:
        laid[str(rng.choice(list(laid)))] = marker
    return laid


def _sensibly(zone: Zone, side: str, colours: list[str], marker: str, fill: float, rng: Rng) -> dict[str, str]:
    if zone.fills == FREE:
        return {cell.name: cell.printed(side) or str(rng.choice(colours)) for cell in zone.cells if rng.random() < fill}
    laid: dict[str, str] = {}
    for row in zone.rows:
        run = row[::-1] if zone.fills == RIGHT else row
        if zone.takes == ONE:
            count = int(rng.integers(0, len(run) + 1)) if rng.random() < 0.3 + fill else 0
            colour = str(rng.choice(colours))
            laid |= {cell.name: colour for cell in run[:count]}
            continue
        count = int(min(rng.geometric(0.4) - 1, len(run)))
        kinds = [str(kind) for kind in rng.choice(colours, count)]
        if zone.marker and marker and rng.random() < 0.25:
            kinds = [*kinds[: int(rng.integers(0, count + 1))], marker, *kinds[count:]]
        laid |= {cell.name: kind for cell, kind in zip(run, kinds, strict=False)}
    return laid
