"""Positions to learn from: drawn by chance from a layout, so that no rule of a game is learned with the looks.

Most look like a game's (rows filled from their end with one kind, printed cells with their own), since such are the
pictures that come; the others are laid anyhow, since what breaks a rule must be read as it lies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from engine.layout import CARD, FREE, ONE, ORNAMENT, RIGHT, SLOT, TILES, TRACK, Cell, Heap, Layout, Piece, Zone
from hardware.tabletop.stage import Stage
from vision.cells import EMPTY

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
MOST_CARDS, MOST_PILES = 8, 4
"""How many cards carry heaps at most, and how many piles of others there are."""
FACE_UP = 0.6
"""How often a card shows its face."""
STACKED = 0.85
"""How often there is a pile with as many tiles as it may hold."""
TIDY = 0.97
"""How often nothing lies where no tile can lie."""
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
    piles: tuple[int, ...] = ()
    if layout.disc and layout.disc.prints:
        discs, piles = _on_cards(layout, layout.disc, colours, rng)
    else:
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
        piles=piles,
        centre=tuple(centre) if is_bare(layout.free_heap) else (),
        beside={seat: _reserve(layout, colours, rng) for seat in boards},
        shared=tuple(_of_all(layout, boards, marks, rng)),
        marks=marks,
        tokens={seat: 1 for seat in boards if any(track.token for track in layout.tracks) and rng.random() < LAPPED},
    )


def is_bare(heap: Heap | None) -> bool:
    """Whether a heap lies on the table itself."""
    return heap is not None and not heap.on


def _on_cards(
    layout: Layout, card: Piece, colours: list[str], rng: Rng
) -> tuple[list[tuple[str, ...]], tuple[int, ...]]:
    """Heaps on cards, some with their faces up, and piles of cards without tiles; with what lies under each."""
    discs: list[tuple[str, ...]] = []
    piles: list[int] = []
    most = max((number for heap in layout.heaps for number in heap.holds), default=4)
    for _ in range(int(rng.integers(0, MOST_CARDS + 1))):
        is_up = rng.random() < FACE_UP
        tiles = 0 if is_up else int(rng.integers(1, most))
        discs.append((_card(card, is_up, rng), *(str(kind) for kind in rng.choice(colours, tiles))))
        piles.append(0)
    if rng.random() < STACKED:
        discs.append((CARD, *(str(kind) for kind in rng.choice(colours, most))))
        piles.append(int(rng.integers(0, MOST_CARDS)))
    for _ in range(int(rng.integers(0, MOST_PILES + 1))):
        props = [piece.name for piece in layout.props if piece.height_mm < layout.tile.height_mm]
        discs.append((CARD, *(props if rng.random() < 0.3 else ())))
        piles.append(int(rng.integers(1, 2 * MOST_CARDS)))
    return discs, tuple(piles)


def _card(card: Piece, is_up: bool, rng: Rng) -> str:
    return f"{CARD}:{rng.choice(card.prints)}" if is_up else CARD


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
    cards = float(rng.random())
    for zone in layout.zones:
        if zone.surface not in own:
            continue
        if zone.role == SLOT:
            laid |= _in_slots(zone, layout, cards, rng)
        elif zone.role == TILES and zone.heap:
            laid |= _anyhow(zone, side, [*colours_of(layout), *_single(layout, zone)], "", float(rng.random()), rng)
        elif zone.role == TILES:
            laid |= lie(zone, side, colours_of(layout), marker_of(layout), fill, rng)
        elif zone.role == TRACK:
            cell = zone.cells[int(len(zone.cells) * rng.random() ** (1.0 if rng.random() < 0.5 else 3.0))]
            laid[cell.name] = zone.piece
    return _without_hidden(laid, layout, rng)


def _in_slots(zone: Zone, layout: Layout, share: float, rng: Rng) -> dict[str, str]:
    """Cards in their places, face up or down, turned to any of six directions."""
    laid = {}
    for cell in zone.cells:
        if rng.random() < share:
            is_up = rng.random() < FACE_UP
            turn = (90.0 + 60.0 * int(rng.integers(6)) - cell.turn_deg) % 360
            laid[cell.name] = f"x{rng.choice(layout.piece(zone.piece).prints)}@{turn:g}" if is_up else zone.piece
    return laid


def _single(layout: Layout, zone: Zone) -> list[str]:
    """Pieces of a single kind that are laid like the tiles of a zone, more often than any kind of those."""
    shape = layout.piece(zone.piece).shape
    found = [piece.name for piece in layout.pieces if piece.shape == shape and len(piece.kinds) == 1]
    return found * (len(layout.tile.kinds) // 4)


def _without_hidden(laid: dict[str, str], layout: Layout, rng: Rng) -> dict[str, str]:
    """Tiles on boards with cards: nearly none where no card lies or where a card leaves no place for one."""
    seen = dict(laid)
    for zone in layout.zones:
        for cell in zone.cells if zone.role == TILES else ():
            slot = layout.slot_under(cell)
            if slot is None or cell.name not in laid:
                continue
            if shown_on_card(cell, slot, laid.get(slot.name, "")) != CARD and rng.random() < TIDY:
                del seen[cell.name]
    return seen


def shown_on_card(cell: Cell, slot: Cell, card: str) -> str:
    """What the place of a card shows in which a cell lies: bare card, its print, its ornament; `.` without a card."""
    if not card:
        return EMPTY
    kind, _, turned = card.partition("@")
    if not kind.startswith("x"):
        return CARD
    away = math.hypot(cell.x_mm - slot.x_mm, cell.y_mm - slot.y_mm)
    if away < slot.size_mm / 2:
        return ORNAMENT
    bearing = math.degrees(math.atan2(cell.x_mm - slot.x_mm, slot.y_mm - cell.y_mm))
    off = (bearing - slot.turn_deg - float(turned or 0) + 180) % 360 - 180
    return f"{CARD}:{kind[1:]}" if abs(off) < 30 else CARD


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
