"""Sightings without pictures: a Table as vision would report it, with the misreadings that were measured.

Fast enough to go through hundreds of games; `confusions` says how often vision really errs, and how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin
from random import Random
from typing import Any

import numpy as np

from companion.lab.confusions import Confusions
from engine import Edition, Layout, Part, Table, load
from engine.layout import SLOT, TILES, Surface, Track
from engine.table import ALL, EMPTY, MARKER, UNSEEN, Kinds
from vision.pose import homography_of, pose_of
from vision.sighting import Located, LooseTile, Mark, Reads, SeenHeap, SeenSurface, Sighting

SIZE_PX = (2304, 1296)
BOARD_PX = 420
RING_PX = 260
CLEAR = 0.9998
"""What a reading is stated at that has nothing odd about it."""


def imagine_json(
    written: Mapping[str, Any], rng: Random | None = None, confusions: Confusions | None = None
) -> Sighting:
    """A sighting of the Table that JSON describes."""
    return imagine(load(written["edition"]).parse_table(written), rng, confusions)


def imagine(table: Table, rng: Random | None = None, confusions: Confusions | None = None) -> Sighting:
    """A sighting of a Table: clear, or with the misreadings that were measured."""
    return _Imagined(table, rng or Random(0), confusions or Confusions()).sighting()


class _Imagined:
    def __init__(self, table: Table, rng: Random, wrong: Confusions) -> None:
        self._table, self._rng, self._wrong = table, rng, wrong
        self._edition = load(table.edition)
        self._layout = self._edition.layout

    def sighting(self) -> Sighting:
        table, (first, *rest) = self._table, self._layout.surfaces
        boards = [self._surface(first, part) for part in table.boards if self._rng.random() >= self._wrong.missed]
        others = [self._surface(each, part) for each in rest if not each.shared for part in table.boards]
        others += [self._surface(each, table.common) for each in rest if each.shared]
        discs = tuple(self._discs())
        free = next((heap.name for heap in self._layout.heaps if not heap.each and not heap.numbered), "")
        centre = table.common.heaps.get(free)
        middle = (SIZE_PX[0] / 2, SIZE_PX[1] / 2)
        lying = None if centre is None else self._tiles(centre, middle)
        heaps = tuple(self._heaps())
        return Sighting(
            SIZE_PX, table.edition, table.side, tuple(boards), discs, lying, others=tuple(others), heaps=heaps
        )

    def _surface(self, surface: Surface, part: Part) -> SeenSurface:
        corners = _corners(part.seat, len(self._table.boards))
        pose = pose_of(homography_of(corners, surface.width_mm, surface.height_mm), 0.8 * SIZE_PX[0], SIZE_PX)
        cells = {name: self._cell(zone, part.cells.get(name, UNSEEN)) for name, zone in _cells(self._layout, surface)}
        kind = f"{self._table.edition} {self._table.side}"
        located = Located(corners, kind, 0.99, "print")
        return SeenSurface(part.seat, located, pose, cells, dict(self._marks(surface, part)), surface.name)

    def _cell(self, zone: str, kind: str) -> Reads:
        return self._wrong.of_cell(zone, kind, kinds_of(self._edition), self._rng) or _clear(
            kind, (EMPTY, UNSEEN, *kinds_of(self._edition))
        )

    def _marks(self, surface: Surface, part: Part) -> Iterator[tuple[Mark, Reads]]:
        """The marks on a surface: of a shared one those of every seat, where each has its own."""
        for track in (track for track in self._layout.tracks if track.surface == surface.name):
            for owner in self._table.boards if track.each and surface.shared else (part,):
                told = owner.tracks.get(track.tells)
                yield (owner.seat, track.name), self._track(track, told)

    def _track(self, track: Track, told: int | None) -> Reads:
        reads = dict.fromkeys([*map(str, track.numbers), UNSEEN], 1e-6)
        cell = None if told is None else track.cell_of(told)
        if cell is None:
            return _normal(reads | {UNSEEN: CLEAR})
        places = track.numbers
        at = places.index(int(cell.rpartition(".")[2]))
        for offset, chance in (self._wrong.tracks.draw(self._rng) or {"0": CLEAR}).items():
            off = UNSEEN if offset == UNSEEN else str(places[min(max(at + int(offset), 0), len(places) - 1)])
            reads[off] += chance
        return _normal(reads)

    def _discs(self) -> Iterator[SeenHeap]:
        """The heaps of which there are several."""
        numbered = {heap.name for heap in self._layout.heaps if heap.numbered}
        held = [(name, kinds) for name, kinds in self._table.common.heaps.items() if name.partition(".")[0] in numbered]
        held = [(name, kinds) for name, kinds in held if "." in name]
        for (name, kinds), place in zip(held, _ring(len(held)), strict=True):
            if self._rng.random() >= self._wrong.missed_discs:
                yield SeenHeap(place, 0.99, self._tiles(kinds, place), name=name.partition(".")[0])

    def _heaps(self) -> Iterator[SeenHeap]:
        """The heaps of seats: beside their boards, or in cells of which it does not matter which."""
        own = {heap.name for heap in self._layout.heaps if heap.each}
        own |= {zone.name for zone in self._layout.zones if zone.heap}
        for part in self._table.boards:
            for name in sorted(own & part.heaps.keys()):
                place = (float(_corners(part.seat, len(self._table.boards))[0][0]), 40.0)
                yield SeenHeap(place, 0.99, self._tiles(part.heaps[name], place), name=name, seat=part.seat)

    def _tiles(self, kinds: Kinds, middle: tuple[float, float]) -> tuple[LooseTile, ...]:
        wrong, rng, known = self._wrong, self._rng, kinds_of(self._edition)
        sure = [(wrong.sure.draw(rng) or {"sure": CLEAR})["sure"] for _ in kinds]
        found = [
            LooseTile(middle, middle, chance, wrong.of_kind(kind, known, rng) or _clear(kind, known))
            for kind, chance in zip(kinds, sure, strict=True)
            if chance > 0
        ]
        if rng.random() < wrong.invented:
            found.append(LooseTile(middle, middle, rng.uniform(0.1, 0.6), _clear(rng.choice(known), known)))
        return tuple(found)


def kinds_of(edition: Edition[Any, Any]) -> tuple[str, ...]:
    """Every kind of piece that a camera may see in a cell or a heap."""
    return (*edition.letters, *edition.cards, MARKER)


@lru_cache
def _cells(layout: Layout, surface: Surface) -> tuple[tuple[str, str], ...]:
    """The cells of a surface that tell something by themselves, with their zones."""
    zones = [zone for zone in layout.zones if zone.surface == surface.name and zone.role in (TILES, SLOT)]
    return tuple((cell.name, zone.name) for zone in zones if not zone.heap for cell in zone.cells)


@lru_cache(maxsize=4096)
def _clear(kind: str, known: Sequence[str]) -> Reads:
    labels = dict.fromkeys((*known, kind))
    rest = (1 - CLEAR) / max(len(labels) - 1, 1)
    return {label: CLEAR if label == kind else rest for label in labels}


def _normal(reads: Mapping[str, float]) -> dict[str, float]:
    total = sum(reads.values())
    return {cell: chance / total for cell, chance in reads.items()}


def _ring(count: int) -> list[tuple[float, float]]:
    turns: Iterable[float] = (2 * pi * i / max(count, 1) for i in range(count))
    return [(SIZE_PX[0] / 2 + RING_PX * sin(turn), SIZE_PX[1] / 2 + RING_PX * cos(turn)) for turn in turns]


def _corners(seat: int, players: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Boards stand in a row: where they lie matters only in that each has its place. What is of all lies above them."""
    if seat == ALL:
        return np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * BOARD_PX + [20.0, 20.0]
    left = SIZE_PX[0] * (seat - 0.5) / players - BOARD_PX / 2
    return np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) * BOARD_PX + [left, SIZE_PX[1] - BOARD_PX - 20.0]
