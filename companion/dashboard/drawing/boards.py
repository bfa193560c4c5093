"""Boards as drawings: the cells, slots and tracks of a layout in millimetres, with what lies on them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.dashboard.drawing.faces import TileFace, face_of
from engine import Cell, Edition, Layout, Part, Setup, Table, Zone, load
from engine.layout import OWNER, PRINT, SLOT, TRACK, Surface, Track
from engine.layout import TILES as LAID
from engine.table import ALL, EMPTY, Print

MARGIN = 0.023
"""How much around the cells of a surface is shown, of its width."""
LABELLED = 5
"""Every so many cells of a track have their number written on them."""
ASIDE = 0.45
"""How far marks that share a cell lie apart, of its size."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell as it is drawn: an outline around its middle, and what lies there."""

    name: str
    place: str
    """What a tap on it means: the cell itself, or the heap that it belongs to."""
    zone: str
    role: str
    x: float
    y: float
    points: str
    size: float
    shape: str
    kind: str
    """The kind of piece, `.` for none, `?` for unseen."""
    printed: Print | None = None

    @property
    def face(self) -> TileFace:
        """How the piece looks, or what is printed like one."""
        counts = self.kind == EMPTY and self.printed is not None and self.printed.counts
        return face_of(self.printed.kind if counts and self.printed else self.kind)

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there, and nothing printed counts like a piece."""
        return self.kind == EMPTY and not (self.printed and self.printed.counts)


@dataclass(frozen=True, slots=True)
class TrackMark:
    """Where the mark of a seat stands on a track; seat 0 for one that belongs to all."""

    seat: int
    number: int
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class TrackStep:
    """A cell of a track: its outline, and its number on some of them."""

    x: float
    y: float
    points: str
    size: float
    label: str


@dataclass(frozen=True, slots=True)
class Run:
    """A track as it is drawn."""

    name: str
    steps: tuple[TrackStep, ...]
    marks: tuple[TrackMark, ...]


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """One surface, with the part of the plane that it takes."""

    edition: Edition[Any, Any]
    seat: int
    surface: str
    view: tuple[float, float, float, float]
    spots: tuple[Spot, ...]
    runs: tuple[Run, ...] = ()

    @property
    def viewbox(self) -> str:
        """As SVG wants it."""
        return " ".join(f"{value:g}" for value in self.view)


def own_drawings(edition: Edition[Any, Any], setup: Setup[Any], part: Part, tracks: bool = False) -> list[BoardDrawing]:
    """The surfaces of a seat; their tracks are left out unless asked for, since scores stand beside boards."""
    surfaces = [surface for surface in edition.layout.surfaces if not surface.shared]
    parts = {part.seat: part}
    return [_drawing(edition, setup, surface, part, parts if tracks else {}) for surface in surfaces]


def shared_drawings(edition: Edition[Any, Any], setup: Setup[Any], table: Table) -> list[BoardDrawing]:
    """The surfaces that belong to all, with the marks of every seat."""
    surfaces = [surface for surface in edition.layout.surfaces if surface.shared]
    parts = {part.seat: part for part in table.parts}
    return [_drawing(edition, setup, surface, table.common, parts) for surface in surfaces]


def ghosts(drawing: BoardDrawing, names: Collection[str]) -> BoardDrawing:
    """The drawing with these cells as well, though they are not there yet, such as those of a card to be laid."""
    known = {spot.name for spot in drawing.spots}
    layout = drawing.edition.layout
    wanted = [(zone, cell) for zone, cell in _drawn(layout, drawing.surface) if cell.name in set(names) - known]
    return replace(drawing, spots=(*drawing.spots, *(_spot(zone, cell, EMPTY, None) for zone, cell in wanted)))


def _drawing(
    edition: Edition[Any, Any], setup: Setup[Any], surface: Surface, part: Part, marked: Mapping[int, Part]
) -> BoardDrawing:
    spots = tuple(_spots(edition, setup, surface.name, part))
    runs = tuple(_run(track, marked) for track in edition.layout.tracks if track.surface == surface.name)
    view = _view(edition.slug, surface.name, bool(marked))
    return BoardDrawing(edition, part.seat, surface.name, view, spots, runs if marked else ())


def _spots(edition: Edition[Any, Any], setup: Setup[Any], surface: str, part: Part) -> Iterator[Spot]:
    lying, printed = _lying(edition.layout, part), edition.printed(setup, part)
    for zone, cell in _drawn(edition.layout, surface):
        # A cell of a card that is not there cannot be seen.
        if cell.name in printed and printed[cell.name] is None:
            continue
        yield _spot(zone, cell, lying.get(cell.name, EMPTY), printed.get(cell.name))


def _spot(zone: Zone, cell: Cell, kind: str, printed: Print | None) -> Spot:
    return Spot(
        cell.name,
        zone.name if zone.heap else cell.name,
        cell.zone,
        zone.role,
        round(cell.x_mm, 2),
        round(cell.y_mm, 2),
        _outline(cell),
        _across(cell) if zone.role == SLOT else cell.size_mm,
        cell.shape,
        kind,
        printed,
    )


def _across(cell: Cell) -> float:
    """How wide a card in a cell is."""
    return round(2 * max(math.dist((cell.x_mm, cell.y_mm), corner) for corner in cell.outline_mm()), 2)


def _lying(layout: Layout, part: Part) -> dict[str, str]:
    """What lies in each cell; the pieces of a heap that has cells lie in them one after the other."""
    heaps = [zone for zone in layout.zones if zone.heap]
    in_heaps = {
        cell.name: kind for zone in heaps for cell, kind in zip(zone.cells, part.heaps.get(zone.name, ()), strict=False)
    }
    return {**part.cells, **in_heaps}


def beside(layout: Layout, part: Part) -> list[tuple[str, tuple[str, ...]]]:
    """The heaps of a seat that lie beside its boards, and what of others does not fit into their cells."""
    room = {zone.name: len(zone.cells) for zone in layout.zones if zone.heap}
    left = ((name, kinds[room.get(name, 0) :]) for name, kinds in part.heaps.items())
    return [(name, kinds) for name, kinds in left if kinds or name not in room]


def _drawn(layout: Layout, surface: str) -> list[tuple[Zone, Cell]]:
    """The cells of a surface where something lies or is printed, larger ones first, so that what lies on them shows."""
    order = {SLOT: 0, PRINT: 1, LAID: 2}
    cells = [(zone, cell) for zone in layout.zones if zone.surface == surface for cell in zone.cells]
    return sorted((each for each in cells if each[0].role not in (TRACK, OWNER)), key=lambda each: order[each[0].role])


def _run(track: Track, parts: Mapping[int, Part]) -> Run:
    numbers = zip(track.cells, track.numbers, strict=True)
    steps = (
        TrackStep(cell.x_mm, cell.y_mm, _outline(cell), cell.size_mm, _label(track, number)) for cell, number in numbers
    )
    return Run(track.name, tuple(steps), tuple(_marks(track, parts)))


def _label(track: Track, number: int) -> str:
    every = LABELLED if len(track.cells) > 2 * LABELLED + 3 else 1
    return str(number) if number % every == 0 else ""


def _marks(track: Track, parts: Mapping[int, Part]) -> Iterator[TrackMark]:
    cells, there = {cell.name: cell for cell in track.cells}, dict[str, int]()
    for seat, part in sorted(parts.items()):
        number = part.tracks.get(track.tells)
        if number is None or track.each is (seat == ALL) or (name := track.cell_of(number)) is None:
            continue
        cell, before = cells[name], there.get(name, 0)
        there[name] = before + 1
        yield TrackMark(seat, number, cell.x_mm, cell.y_mm + ASIDE * cell.size_mm * before, cell.size_mm)


def _outline(cell: Cell) -> str:
    return " ".join(f"{x - cell.x_mm:.2f},{y - cell.y_mm:.2f}" for x, y in cell.outline_mm())


@lru_cache
def _view(slug: str, surface: str, tracks: bool) -> tuple[float, float, float, float]:
    """The part of a surface that holds cells: the empty rim is not worth a phone's pixels."""
    layout = load(slug).layout
    cells = [cell for cell in layout if cell.surface == surface and (tracks or layout.zone(cell.zone).role != TRACK)]
    corners = [corner for cell in cells for corner in cell.outline_mm()]
    margin = MARGIN * layout.surface(surface).width_mm
    left, right = min(x for x, _ in corners) - margin, max(x for x, _ in corners) + margin
    top, bottom = min(y for _, y in corners) - margin, max(y for _, y in corners) + margin
    return (math.floor(left), math.floor(top), math.ceil(right - left), math.ceil(bottom - top))
