"""What was read, drawn over the picture that it was read from.

Lines are drawn with cv2, which smooths them, and letters with Pillow, which has a proper type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

import cv2
import numpy as np

from engine.layout import CARD, SLOT, Cell, Layout, Piece, Surface, is_within
from vision.cells import EMPTY, UNSEEN, tile_cells, tracks
from vision.lettering import Label, write
from vision.pose import Array, Pose, transform
from vision.rectify import Heights, Picture, Pyramid, disc_height, heights_of
from vision.sighting import ALL, LooseTile, Reads, SeenHeap, SeenSurface, Sighting

LARGEST_PX = 4000
"""A picture whose longer side is above this is halved first: nobody looks at more."""

Colour = tuple[int, int, int]
"""Blue, green, red."""
WHITE: Colour = (255, 255, 255)
DARK: Colour = (30, 24, 20)
GREY: Colour = (150, 150, 150)
BOARD: Colour = (120, 235, 60)
DOUBT: Colour = (0, 140, 255)
SCORE: Colour = (255, 90, 235)
TINTS: dict[str, Colour] = {
    "B": (255, 150, 40),
    "Y": (40, 215, 255),
    "R": (70, 70, 255),
    "K": (60, 60, 60),
    "W": (235, 235, 180),
    "G": (90, 200, 90),
    "O": (30, 130, 255),
    "P": (210, 80, 170),
    "1": (255, 255, 255),
}
NOTHING = "·"
"""How a doubtful cell that seems empty is marked."""
SHARE_OF_CELL = 0.52
"""How large a letter is in its cell."""
LEGIBLE_PX = 7.0
"""A second choice smaller than this is left out."""
HATCH = 0.16
"""How far apart the lines over an unseen cell are, of the cell's size."""


@dataclass
class _Sheet:
    """A picture that is drawn on; places are in pixels of the picture as it was read."""

    picture: Picture
    scale: float
    labels: list[Label] = field(default_factory=list)

    def outline(self, points_px: Array, colour: Colour, width: float) -> None:
        """A closed line with a dark edge, so that it shows on any ground."""
        points = [self._fine(points_px)]
        for tone, extra in ((DARK, min(max(0.5 * width, 0.5), 2.0)), (colour, 0.0)):
            thick = max(1, round((width + 2 * extra) * self.scale))
            cv2.polylines(self.picture, points, True, tone, thick, cv2.LINE_AA, _SHIFT)

    def dot(self, place_px: tuple[float, float], radius_px: float, colour: Colour) -> None:
        """A filled dot with a dark edge."""
        bearings = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        rim = np.array(place_px) + radius_px * np.column_stack([np.cos(bearings), np.sin(bearings)])
        cv2.fillPoly(self.picture, [self._fine(rim)], colour, cv2.LINE_AA, _SHIFT)
        self.outline(rim, colour, 1.0)

    def hatch(self, points_px: Array, size_px: float) -> None:
        """Grey lines aslant over what cannot be seen."""
        points = self._fine(points_px)
        left, top, width, height = cv2.boundingRect(np.right_shift(points, _SHIFT))
        left, top = max(left, 0), max(top, 0)
        part = self.picture[top : top + height, left : left + width]
        if not part.size:
            return
        mask = np.zeros(part.shape[:2], np.uint8)
        cv2.fillPoly(mask, [points - np.array([left, top], np.int32) * (1 << _SHIFT)], 255, cv2.LINE_8, _SHIFT)
        rows, columns = np.indices(mask.shape)
        apart = max(4, round(HATCH * size_px * self.scale))
        part[(mask > 0) & ((rows + columns + left + top) % apart < apart / 3)] = GREY

    def label(self, place_px: Array, text: str, size_px: float, colour: Colour = WHITE, *, boxed: bool = False) -> None:
        """A text to be written in the end, over everything, around a place."""
        x, y = (place_px + 0.5) * self.scale
        self.labels.append(Label(text, (float(x), float(y)), size_px * self.scale, colour, DARK, boxed))

    def _fine(self, points_px: Array) -> Any:
        shifted = ((points_px + 0.5) * self.scale - 0.5) * (1 << _SHIFT)
        return np.round(shifted).astype(np.int32)


_SHIFT = 4
"""Points are given to cv2 in sixteenths of a pixel."""


@dataclass(frozen=True)
class OverlayLabels:
    """What was made of a sighting; every place is a seat, or 0 for all, and the name of a cell, a number or a heap."""

    cells: Mapping[tuple[int, str], str]
    numbers: Mapping[tuple[int, str], int | None]
    discs: Mapping[tuple[float, float], tuple[str, str]]
    """By their middles in pixels, to a tenth, the names of heaps of which there are several, and what lies there."""
    doubts: Mapping[tuple[int, str], Reads]


def overlay(picture: Picture, sighting: Sighting, layout: Layout, told: OverlayLabels) -> Picture:
    """The picture with boards, cells, letters, doubts and loose tiles drawn over it."""
    sheet = _sheet(picture)
    for seen in (*sighting.boards, *sighting.others):
        _draw_surface(sheet, seen, told, layout)
    carrier, free = layout.disc, list(sighting.centre or ())
    for disc in sighting.discs:
        found = told.discs.get((round(disc.centre_px[0], 1), round(disc.centre_px[1], 1)))
        if found is None or carrier is None:
            # What was taken for one disc too many has its tiles in the middle.
            free += disc.tiles
            continue
        name, lying = found
        pose, doubt = _nearest(disc, sighting).pose, told.doubts.get((ALL, name))
        _draw_disc(sheet, disc, f"{name.rpartition('.')[2]}: {lying or 'empty'}", pose, layout, carrier, doubt)
    middle = layout.free_heap
    doubt = told.doubts.get((ALL, middle.name)) if middle else None
    for tile in free:
        tile_px = _loose_px(_nearest(tile, sighting).pose, layout, tile.place_px)
        _draw_loose(sheet, tile, tile_px, doubt)
    for heap in sighting.heaps:
        for tile in heap.tiles:
            tile_px = _loose_px(_nearest(tile, sighting).pose, layout, tile.place_px)
            _draw_loose(sheet, tile, tile_px, told.doubts.get((heap.seat, heap.name)))
    return write(sheet.picture, sheet.labels)


def _sheet(picture: Picture) -> _Sheet:
    if max(picture.shape[:2]) <= LARGEST_PX:
        return _Sheet(picture.copy(), 1.0)
    height, width = picture.shape[:2]
    half = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return _Sheet(np.asarray(half, np.uint8), 0.5)


def _draw_surface(sheet: _Sheet, seen: SeenSurface, told: OverlayLabels, layout: Layout) -> None:
    corners, surface = seen.located.corners_px, layout.surface(seen.surface)
    side_px = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    doubts = {name: reads for (seat, name), reads in told.doubts.items() if seat == seen.seat}
    lying = {name: kind for (seat, name), kind in told.cells.items() if seat == seen.seat}
    heights = {zone.name: heights_of(layout, zone) for zone in layout.zones if zone.surface == surface.name}
    sheet.outline(corners, BOARD, 0.006 * side_px)
    # Empty cells first: a tile stands up and hides what is printed behind it.
    cells = (*tile_cells(layout, surface), *_slots(layout, surface))
    for cell in sorted(cells, key=lambda cell: lying.get(cell.name, UNSEEN) != EMPTY):
        found = next((reads for name, reads in doubts.items() if is_within(cell.name, name)), None)
        _draw_cell(sheet, seen.pose, cell, heights[cell.zone], lying.get(cell.name, UNSEEN), found)
    shown = {track.tells for track in tracks(layout, surface)}
    for seat, name in told.numbers:
        if name in shown and (surface.shared or seat == seen.seat):
            _draw_number(sheet, seen.pose, surface, (seat, name), told, layout)
    near = corners[2:].mean(axis=0)
    away = near - corners[:2].mean(axis=0)
    # A text is wide and not high, so it stands farther off a board that is seen from its side.
    reach = np.array([0.28, 0.04]) @ np.abs(away) / np.linalg.norm(away)
    whose = f"seat {seen.seat}" if seen.seat else seen.surface
    text = f"{whose} · {seen.located.how} · {100 * seen.located.sure:.0f} %"
    sheet.label(near + reach * away, text, 0.04 * side_px, BOARD, boxed=True)


def _slots(layout: Layout, surface: Surface) -> list[Cell]:
    """The places of cards on a surface that are told one by one."""
    zones = (zone for zone in layout.zones if zone.surface == surface.name and zone.role == SLOT and not zone.heap)
    return [cell for zone in zones for cell in zone.cells]


def _draw_cell(sheet: _Sheet, pose: Pose, cell: Cell, heights: Heights, letter: str, doubt: Reads | None) -> None:
    height = heights.print_mm if letter in (EMPTY, UNSEEN) else heights.top_mm
    outline = pose.project(np.array(cell.outline_mm()), height)
    (middle,) = pose.project(np.array([[cell.x_mm, cell.y_mm]]), height)
    size = _span(outline)
    if letter == UNSEEN:
        sheet.hatch(outline, size)
    tint, width = (GREY, 0.04) if letter == UNSEEN else (TINTS.get(letter, WHITE), 0.02 if letter == EMPTY else 0.05)
    sheet.outline(outline, *((tint, width * size) if doubt is None else (DOUBT, 0.09 * size)))
    shown = "" if letter == EMPTY and doubt is None else letter.removeprefix(f"{CARD}:").replace(EMPTY, NOTHING)
    second = _second(letter, doubt) if 0.3 * size * sheet.scale >= LEGIBLE_PX else ""
    lift = np.array([0.0, 0.14 * size]) if second else 0.0
    sheet.label(
        middle - lift, shown, SHARE_OF_CELL * size / max(1.0, 0.5 * len(shown)), DOUBT if doubt is not None else WHITE
    )
    sheet.label(middle + 0.28 * np.array([0.0, size]), second, 0.3 * size, DOUBT)


def _second(best: str, doubt: Reads | None) -> str:
    """What else a doubtful cell may be."""
    others = {kind: chance for kind, chance in (doubt or {}).items() if kind != best}
    if not others:
        return ""
    kind = max(others, key=others.__getitem__)
    return f"or {kind.replace(EMPTY, NOTHING)}"


def _draw_number(
    sheet: _Sheet, pose: Pose, surface: Surface, of: tuple[int, str], told: OverlayLabels, layout: Layout
) -> None:
    """A mark on the cell of each track that tells a number, and the number beside the last."""
    number, doubt = told.numbers.get(of), told.doubts.get(of)
    colour = SCORE if doubt is None else DOUBT
    along = [track for track in tracks(layout, surface) if track.tells == of[1]]
    names = {track.cell_of(number) for track in along} if number is not None else set()
    cells = [cell for track in along for cell in track.cells if cell.name in names]
    for cell in cells:
        outline = pose.project(np.array(cell.outline_mm()), cell.base_mm - surface.thickness_mm)
        sheet.outline(outline, colour, 0.15 * _span(outline))
    text = f"{of[1]} ?" if number is None else str(number)
    beside = cells[-1] if cells else along[-1].cells[0]
    outline = pose.project(np.array(beside.outline_mm()), beside.base_mm - surface.thickness_mm)
    size = _span(outline)
    place = outline.mean(axis=0) + np.array([0.0, 1.35 * size])
    sheet.label(place, " ".join(filter(None, (text, _second(text, doubt)))), 1.1 * size, colour, boxed=True)


def _draw_disc(
    sheet: _Sheet, disc: SeenHeap, text: str, pose: Pose, layout: Layout, piece: Piece, doubt: Reads | None
) -> None:
    face = pose.at(disc_height(layout))
    middle = _on_plane(face, disc.centre_px)
    bearings = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = middle + piece.reach_mm * np.column_stack([np.cos(bearings), np.sin(bearings)])
    rim = transform(face, circle)
    colour = BOARD if doubt is None else DOUBT
    size = _span(rim)
    sheet.outline(rim, colour, (0.012 if doubt is None else 0.03) * size)
    for tile in disc.tiles:
        _draw_loose(sheet, tile, _loose_px(pose, layout, disc.centre_px), doubt)
    below = rim[:, 1].max() + 0.08 * size
    sheet.label(np.array([disc.centre_px[0], below]), text, 0.17 * size, colour, boxed=True)


def _draw_loose(sheet: _Sheet, tile: LooseTile, size_px: float, doubt: Reads | None) -> None:
    """A dot with a letter; small and without a letter where it is rather no tile."""
    letter = max(tile.reads, key=tile.reads.__getitem__)
    doubtful = doubt is not None and letter in doubt
    colour = DOUBT if doubtful else TINTS.get(letter, WHITE)
    there = tile.sure >= 0.5
    sheet.dot(tile.place_px, (0.3 if there else 0.1) * size_px, colour)
    if there:
        sheet.label(np.array(tile.place_px), letter.removeprefix(f"{CARD}:"), size_px / max(2, len(letter)))


def _loose_px(pose: Pose, layout: Layout, near_px: tuple[float, float]) -> float:
    """How large a tile is at a place on the table."""
    square = _on_plane(pose.homography, near_px) + layout.tile.size_mm * (
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5
    )
    return _span(pose.project(square))


def _on_plane(homography: Array, place_px: tuple[float, float]) -> Array:
    """Where on a plane a pixel is, in millimetres."""
    back = np.asarray(np.linalg.inv(homography), np.float64)
    return np.asarray(transform(back, np.array([place_px]))[0])


def _nearest(thing: SeenHeap | LooseTile, sighting: Sighting) -> SeenSurface:
    """The board whose plane tells best how large something on the table is."""
    place = np.array(thing.centre_px if isinstance(thing, SeenHeap) else thing.place_px)
    return min(sighting.boards, key=lambda board: float(np.linalg.norm(board.located.corners_px.mean(axis=0) - place)))


def _span(points_px: Array) -> float:
    """The size of something: the edge of a square of the same area."""
    return float(np.sqrt(max(cv2.contourArea(points_px.astype(np.float32)), 1.0)))


def close_up(picture: Picture, pose: Pose, cell: Cell, layout: Layout) -> Picture:
    """A cell cut out straight, with what is around it: at its print and, beside that, at the top of a tile."""
    heights = heights_of(layout, layout.zone(cell.zone))
    scale = cell.size_mm * (1 + 2 * AROUND) / CLOSE_UP_PX
    left, top = (middle - scale * (CLOSE_UP_PX - 1) / 2 for middle in (cell.x_mm, cell.y_mm))
    frame = np.array([[scale, 0, left], [0, scale, top], [0, 0, 1]])
    pyramid = Pyramid(picture)
    cuts = [pyramid.warp(pose.at(height) @ frame, (CLOSE_UP_PX, CLOSE_UP_PX)) for height in astuple(heights)]
    return np.hstack(cuts)


CLOSE_UP_PX = 128
AROUND = 0.35
"""How much around a cell is shown, of its size."""
