"""Sightings without pictures: a Table as vision would report it, with the misreadings that were measured.

Fast enough to go through hundreds of games; `confusions` says how often vision really errs, and how.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import cos, pi, sin
from random import Random
from typing import Any

import numpy as np

from companion.confusions import NEVER, Confusions
from companion.pipeline import layout_of
from engine import Layout
from vision.cells import UNSEEN, tile_cells, tracks
from vision.pose import homography_of, pose_of
from vision.sighting import Located, LooseTile, Reads, SeenBoard, SeenDisc, Sighting
from vision.table import letters

SIZE_PX = (2304, 1296)
BOARD_PX = 420
DISC_RING_PX = 260
LABELS = ".?BYRKW1"
KINDS = "BYRKW1"
CLEAR = 0.9998
"""What a reading is stated at that has nothing odd about it."""


def imagine(table: Mapping[str, Any], rng: Random | None = None, confusions: Confusions | None = None) -> Sighting:
    """A sighting of a Table: clear, or with the misreadings that were measured."""
    rng, wrong = rng or Random(0), confusions or Confusions()
    edition, side = table["edition"], table["side"]
    boards = [
        _board(board, edition, side, len(table["boards"]), rng, wrong)
        for board in table["boards"]
        if rng.random() >= wrong.missed
    ]
    discs = [
        SeenDisc(place, 0.99, _heap(disc["tiles"], place, rng, wrong))
        for disc, place in zip(table.get("factories", ()), _ring(len(table.get("factories", ()))), strict=True)
        if rng.random() >= wrong.missed_discs
    ]
    centre = None
    if "centre" in table:
        tiles = table["centre"]["tiles"] + ("1" if table["centre"]["first_player"] else "")
        centre = _heap(tiles, (SIZE_PX[0] / 2, SIZE_PX[1] / 2), rng, wrong)
    return Sighting(SIZE_PX, edition, side, tuple(boards), tuple(discs), centre)


def _board(
    board: Mapping[str, Any], edition: str, side: str, players: int, rng: Random, wrong: Confusions
) -> SeenBoard:
    layout, seat = layout_of(edition), board["seat"]
    corners = _corners(seat, players)
    surface = layout.surfaces[0]
    pose = pose_of(homography_of(corners, surface.width_mm, surface.height_mm), 0.8 * SIZE_PX[0], SIZE_PX)
    known = letters(board)
    cells = {name: _cell(zone, known.get(name, UNSEEN), rng, wrong) for name, zone in _zones(layout)}
    numbers = [board["score"]] if len(tracks(layout)) == 1 else list(divmod(board["score"] % 100, 10))
    marks = tuple(_track(number, len(track), rng, wrong) for number, track in zip(numbers, tracks(layout), strict=True))
    return SeenBoard(seat, Located(corners, f"{edition} {side}", 0.99, "print"), pose, cells, marks)


@lru_cache
def _zones(layout: Layout) -> tuple[tuple[str, str], ...]:
    return tuple((cell.name, cell.zone) for cell in tile_cells(layout))


def _cell(zone: str, letter: str, rng: Random, wrong: Confusions) -> Reads:
    return wrong.cells.get(f"{zone} {letter}", NEVER).draw(rng) or _clear(letter)


@lru_cache
def _clear(letter: str) -> Reads:
    rest = (1 - CLEAR) / (len(LABELS) - 1)
    return {label: CLEAR if label == letter else rest for label in LABELS}


def _track(number: int, length: int, rng: Random, wrong: Confusions) -> Reads:
    shown = number if number < length else (number - 1) % (length - 1) + 1
    reads = dict.fromkeys([*map(str, range(length)), UNSEEN], 1e-6)
    for offset, chance in (wrong.tracks.draw(rng) or {"0": CLEAR}).items():
        cell = UNSEEN if offset == UNSEEN else str(min(max(shown + int(offset), 0), length - 1))
        reads[cell] += chance
    total = sum(reads.values())
    return {cell: chance / total for cell, chance in reads.items()}


def _heap(tiles: str, middle: tuple[float, float], rng: Random, wrong: Confusions) -> tuple[LooseTile, ...]:
    sure = [(wrong.sure.draw(rng) or {"sure": CLEAR})["sure"] for _ in tiles]
    found = [
        _tile(middle, chance, wrong.kinds.get(kind, NEVER).draw(rng) or _clear_kind(kind))
        for kind, chance in zip(tiles, sure, strict=True)
        if chance > 0
    ]
    if rng.random() < wrong.invented:
        found.append(_tile(middle, rng.uniform(0.1, 0.6), _clear_kind(rng.choice(KINDS))))
    return tuple(found)


def _tile(middle: tuple[float, float], sure: float, reads: Reads) -> LooseTile:
    return LooseTile(middle, middle, sure, reads)


@lru_cache
def _clear_kind(letter: str) -> Reads:
    rest = (1 - CLEAR) / (len(KINDS) - 1)
    return {kind: CLEAR if kind == letter else rest for kind in KINDS}


def _ring(count: int) -> list[tuple[float, float]]:
    turns = [2 * pi * i / max(count, 1) for i in range(count)]
    return [(SIZE_PX[0] / 2 + DISC_RING_PX * sin(turn), SIZE_PX[1] / 2 + DISC_RING_PX * cos(turn)) for turn in turns]


def _corners(seat: int, players: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Boards stand in a row: where they lie matters only in that each has its place."""
    left = SIZE_PX[0] * (seat - 0.5) / players - BOARD_PX / 2
    return np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * BOARD_PX + [left, SIZE_PX[1] - BOARD_PX - 20.0]
