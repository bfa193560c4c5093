"""Pieces on the table as solids: in the cells of boards, and loose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, takewhile
from math import dist

import numpy as np
from numpy.typing import NDArray

from engine.layout import CARD, ORNAMENT, Cell, Layout, Piece
from hardware.tabletop.art import Art
from hardware.tabletop.canvas import Outline
from hardware.tabletop.cards import Middles, lying_cards, places_on
from hardware.tabletop.drawing import unit_outline
from hardware.tabletop.heaps import LooseHeap, LooseSpot
from hardware.tabletop.outlines import outline_at, rotation
from hardware.tabletop.places import Placed, Rng, rng_of
from hardware.tabletop.solids import Solid
from hardware.tabletop.stage import Stage

INK_MM = 0.02
"""How thick the ink is by which a board is told from the others' of its set."""
LOW_MM = 3.0
"""Lower pieces lie flat under the others."""
ROUNDING = 0.14
"""How much of a tile's edge its rounded corners take."""
PUSHED = 0.4
"""How often the pieces of a row are pushed together."""
PUSHED_BY = 0.16
"""How much closer than their cells they then lie, at most."""
FARTHEST_PUSH = 0.45
"""How far the last of a row is pushed at most, in cells."""
CARE = 0.25
"""How sloppily, against the others, pieces are laid that carry some or share a cell."""
ASTRAY_MM = 1.2
"""How far a card of a pile lies from those above it."""
ANY_WAY = 0.6
"""How often a hex fits into its cell any way round, and not as its owner would see it upright."""
ABREAST = 1.15
"""How far apart, in sizes of a piece, those in one cell stand."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A loose piece: its kind, the heap it lies in (`disc 0`, `centre`, `beside 1`), and the middle of its top."""

    kind: str
    heap: str
    middle_mm: tuple[float, float]
    top_mm: float
    on_other: bool = False
    """Whether it lies on another loose piece."""


def pieces_in_cells(
    stage: Stage, layout: Layout, art: Art, surfaces: tuple[Placed, ...], sloppy: tuple[float, float], seed: int
) -> Iterator[Solid]:
    """What lies in the cells of boards, each a little beside its place: by so many millimetres and degrees."""
    known = {cell.name: cell for cell in layout.cells}
    abreast = Counter(name for name, _ in stage.shared)
    for placed in surfaces:
        laid: Counter[str] = Counter()
        pushed = _pushed(layout, stage.boards[placed.seat], placed, seed) if placed.seat else {}
        for name, kind in stage.boards[placed.seat].items() if placed.seat else stage.shared:
            cell = known[name]
            if cell.surface != placed.surface:
                continue
            row = (laid[name], abreast[name]) if not placed.seat else (0, 1)
            laid[name] += 1
            right, down = pushed.get(name, (0.0, 0.0))
            there = replace(cell, x_mm=cell.x_mm + right, y_mm=cell.y_mm + down)
            yield from _in_cell(layout, there, kind, placed, art, sloppy, rng_of(seed, f"{placed.seat} {name}"), row)


def owner_dots(stage: Stage, layout: Layout, art: Art, surfaces: tuple[Placed, ...], gloss: float) -> Iterator[Solid]:
    """The print on each seat's board that tells the kind of its marks."""
    if (zone := layout.owner) is None:
        return
    for placed in surfaces:
        for cell in zone.cells if placed.surface == zone.surface and placed.seat in stage.marks else ():
            ink = replace(layout.piece(zone.piece), shape=cell.shape, size_mm=cell.size_mm, height_mm=INK_MM)
            middle = placed.to_world(np.array([[cell.x_mm, cell.y_mm]]))[0]
            yield piece_solid(ink, stage.marks[placed.seat], art, middle, placed.turn_deg, cell.base_mm, gloss)


def _pushed(layout: Layout, laid: Mapping[str, str], placed: Placed, seed: int) -> dict[str, tuple[float, float]]:
    """How far pieces lie from their cells because a hand has pushed their row together, towards one of its ends.

    Only pieces that touch the row from that end on are pushed, and none so far that its cell could not be told.
    """
    off: dict[str, tuple[float, float]] = {}
    cells = [cell for cell in layout.cells if cell.surface == placed.surface and cell.shape == "square"]
    for name, group in groupby(cells, key=lambda cell: cell.name.rpartition(".")[0]):
        rng = rng_of(seed, f"{placed.seat} row {name}")
        run = list(group)[:: -1 if rng.random() < 0.6 else 1]
        closer = float(rng.uniform(0, PUSHED_BY)) if rng.random() < PUSHED else 0.0
        if len(run) < 2 or not closer:
            continue
        piece_mm = layout.piece(layout.zone(run[0].zone).piece).size_mm
        pitch_mm = dist((run[0].x_mm, run[0].y_mm), (run[1].x_mm, run[1].y_mm))
        closer = max(0.0, min(closer, 1 - 1.01 * piece_mm / pitch_mm, FARTHEST_PUSH / (len(run) - 1)))
        for cell in takewhile(lambda cell: cell.name in laid, run):
            off[cell.name] = ((run[0].x_mm - cell.x_mm) * closer, (run[0].y_mm - cell.y_mm) * closer)
    return off


def loose_pieces(
    heaps: Iterable[tuple[LooseHeap, list[LooseSpot]]], layout: Layout, art: Art, seed: int
) -> Iterator[tuple[Solid, Laid]]:
    """What lies on discs, in the middle and beside boards."""
    for heap, spots in heaps:
        for i, (kind, spot) in enumerate(zip(heap.kinds, spots, strict=True)):
            if kind:
                rng = rng_of(seed, f"{heap.name} {i}")
                x, y = spot.place_mm
                piece = _piece(layout, kind, layout.tile.name)
                gloss = float(rng.uniform(0.08, 0.4))
                on_other = spot.on is not None and heap.kinds[spot.on] != ""
                base_mm = spot.base_mm + layout.tile.height_mm * on_other
                solid = piece_solid(piece, kind, art, np.array([x, y]), spot.turn_deg, base_mm, gloss, rng)
                if spot.lean and (on_other or spot.on is None):
                    solid = replace(solid, lean=spot.lean)
                yield solid, Laid(kind, heap.name, (float(x), float(y)), solid.top_mm, on_other)


def _in_cell(
    layout: Layout,
    cell: Cell,
    kind: str,
    placed: Placed,
    art: Art,
    sloppy: tuple[float, float],
    rng: Rng,
    row: tuple[int, int],
) -> list[Solid]:
    """A piece in its cell, or one of several that share it."""
    kind, _, turned = kind.partition("@")
    piece = _piece(layout, kind, layout.zone(cell.zone).piece)
    care = CARE if piece.height_mm < LOW_MM or row[1] > 1 else 1.0
    place = np.array([cell.x_mm, cell.y_mm]) + np.clip(rng.normal(0, sloppy[0] * care, 2), -3.5, 3.5)
    place = place + _inwards(cell, placed) * _step(row) * piece.size_mm * ABREAST
    turn = placed.turn_deg + cell.turn_deg + float(turned or 0)
    turn += float(np.clip(rng.normal(0, sloppy[1] * care), -18 * care, 18 * care))
    gloss = float(rng.uniform(0.08, 0.4))
    if piece.shape == "hex" and rng.random() < ANY_WAY:
        turn += 60.0 * int(rng.integers(6))
    return piece_solids(piece, kind, art, placed.to_world(place[None])[0], turn, cell.base_mm, gloss, rng)


def _step(row: tuple[int, int]) -> float:
    """How many places inwards a piece stands, by its number of so many: a row begins at most half a piece outside."""
    number, count = row
    return number - min((count - 1) / 2, 0.5)


def card_solids(
    stage: Stage, layout: Layout, art: Art, middles: Middles, gloss: float, seed: int
) -> tuple[list[Solid], list[Laid]]:
    """The cards under heaps with the piles below them, and what their faces print."""
    solids, prints, piece = list[Solid](), list[Laid](), layout.disc
    for i, card in enumerate(lying_cards(stage, middles, seed)):
        if piece is None:
            break
        rng = rng_of(seed, f"pile {i}")
        for level in range(card.under + 1):
            kind = f"x{card.printed}" if card.printed and level == card.under else piece.name
            at = np.array(card.middle_mm) + rng.normal(0, ASTRAY_MM, 2) * (level < card.under)
            solids += piece_solids(piece, kind, art, at, card.turn_deg, level * piece.height_mm, gloss)
        if card.printed:
            top_mm = (card.under + 1) * piece.height_mm
            prints += _face_of(card.printed, card.to_world(places_on(piece)), f"disc {i}", top_mm)
    return solids, prints


def _face_of(printed: str, places_mm: Outline, heap: str, top_mm: float) -> Iterator[Laid]:
    """What the face of a card shows, as things that lie in a heap: the ornament in its middle and the print."""
    for kind, (x, y) in zip((ORNAMENT, f"{CARD}:{printed}"), places_mm.tolist(), strict=False):
        yield Laid(kind, heap, (x, y), top_mm)


def laid_in_cells(stage: Stage, layout: Layout, surfaces: tuple[Placed, ...]) -> Iterator[Laid]:
    """What lies in cells of which it does not matter in which, as pieces of one heap; of cards what they print."""
    heaped = {cell.name: zone for zone in layout.zones if zone.heap for cell in zone.cells}
    for placed in surfaces:
        for name, kind in stage.boards[placed.seat].items() if placed.seat else ():
            zone = heaped.get(name)
            if zone is None or zone.surface != placed.surface:
                continue
            cell, piece = layout.cell(name), layout.piece(zone.piece)
            kind, _, turned = kind.partition("@")
            heap, top_mm = f"{zone.name} {placed.seat}", cell.base_mm + piece.height_mm
            places = np.array([[cell.x_mm, cell.y_mm]])
            if not piece.prints:
                yield Laid(kind, heap, tuple(placed.to_world(places)[0].tolist()), top_mm)
            elif kind.startswith("x"):
                places = places + places_on(piece) @ rotation(cell.turn_deg + float(turned or 0)).T
                yield from _face_of(kind[1:], placed.to_world(places), heap, top_mm)


def _inwards(cell: Cell, placed: Placed) -> NDArray[np.float64]:
    """Straight away from the nearest rim: across a track that runs along it, and so clear of its other cells."""
    away = np.array(placed.size_mm) / 2 - (cell.x_mm, cell.y_mm)
    axis = int(np.argmax(np.abs(away) / placed.size_mm))
    return np.asarray(np.eye(2)[axis] * np.sign(away[axis]))


def _piece(layout: Layout, kind: str, otherwise: str) -> Piece:
    """The piece of that name; a kind that is no piece's name is one of another piece."""
    return next((piece for piece in layout.pieces if piece.name == kind), None) or layout.piece(otherwise)


def piece_solid(
    piece: Piece,
    kind: str,
    art: Art,
    middle_mm: NDArray[np.float64],
    turn_deg: float,
    base_mm: float,
    gloss: float,
    rng: Rng | None = None,
) -> Solid:
    """A piece as a solid; chance lets its top lean and its colour differ a little."""
    turn = rotation(turn_deg).T
    outline, quad = _shape(piece.shape, piece.size_mm)
    face = art.face(piece.name, kind)
    tint = None if rng is None else np.asarray(1 + rng.normal(0, 0.03) + rng.normal(0, 0.015, 3), np.float32)
    lean = (0.0, 0.0) if rng is None else (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.02)))
    return Solid(
        outline @ turn + middle_mm,
        base_mm,
        piece.height_mm,
        face.side,
        face.texture,
        quad @ turn + middle_mm,
        gloss,
        bevel_mm=0.0 if piece.shape == "circle" else piece.size_mm * 0.045,
        lean=lean,
        tint=tint,
    )


def piece_solids(
    piece: Piece,
    kind: str,
    art: Art,
    middle_mm: NDArray[np.float64],
    turn_deg: float,
    base_mm: float,
    gloss: float,
    rng: Rng | None = None,
) -> list[Solid]:
    """A piece as convex solids: a cluster is seven hexes with one picture."""
    whole = piece_solid(piece, kind, art, middle_mm, turn_deg, base_mm, gloss, rng)
    if piece.shape != "cluster":
        return [whole]
    hexes = [outline_at("hex", piece.size_mm, middle, 30.0) for middle in places_on(piece)]
    turn = rotation(turn_deg).T
    return [replace(whole, outline_mm=each @ turn + middle_mm, bevel_mm=0.0) for each in hexes]


@lru_cache
def _shape(shape: str, size_mm: float) -> tuple[Outline, Outline]:
    """The outline of a piece around the origin, and where the corners of its texture lie."""
    unit = unit_outline(shape) * size_mm
    quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.abs(unit).max(axis=0)
    return unit if shape in ("circle", "cluster") else _rounded(unit, size_mm * ROUNDING), quad


def _rounded(outline: Outline, by_mm: float) -> Outline:
    """An outline with its corners cut twice, which looks round."""
    to_left = np.roll(outline, 1, axis=0) - outline
    to_right = np.roll(outline, -1, axis=0) - outline
    to_left *= by_mm / np.linalg.norm(to_left, axis=1, keepdims=True)
    to_right *= by_mm / np.linalg.norm(to_right, axis=1, keepdims=True)
    points = np.stack([outline + to_left, outline + (to_left + to_right) * 0.28, outline + to_right], axis=1)
    return points.reshape(-1, 2)
