"""Which loose tiles lie on a disc and which in the middle: heaps run into each other, so where they lie is not all.

A tile on a disc that has been emptied was pushed there on its way to the middle. One that has not moved since its disc
was full was not. So tiles near a disc belong to it or to the middle, whichever a position explains better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import dist, log

import numpy as np

from companion.reconcile.live.heap import HeapEvidence
from companion.reconcile.live.places import Near, Places, Point, Seen, is_marker
from engine import Layout
from engine.table import Kinds
from vision.pose import Array, inverse, transform
from vision.rectify import disc_height, loose_height
from vision.sighting import LooseTile, SeenHeap

NEAR = 1.3
"""A tile whose middle is no farther from a disc's than so many radii may lie on it."""
WITHIN = 0.8
"""One that is nearer than this would rather lie on it."""
BESIDE = 1.1
"""One that is farther than this would rather not."""
UNMOVED_MM = 6.0
"""A tile that lies so near to where one lay before is that one."""

ASTRAY = log(0.6)
"""A tile of the middle lies on a disc."""
OUTSIDE = log(0.3)
"""A tile of a disc lies beside it."""
PUT_BACK = log(0.005)
"""A tile of the middle lies where one lay when the disc was full."""
GOOD = -0.5
"""What explains a disc as well as this needs no other explanation."""


class DiscTiles:
    """The tiles near one disc: those that a position does not put there lie in the middle."""

    def __init__(self, near: Sequence[Near], in_part: bool = False) -> None:
        self._near, self._in_part = tuple(near), in_part
        self._known: dict[Kinds, tuple[float, frozenset[int]]] = {}
        self._heaps: dict[frozenset[int], HeapEvidence] = {}

    @property
    def tiles(self) -> tuple[LooseTile, ...]:
        """All of them."""
        return tuple(near.tile for near in self._near)

    @property
    def unmoved(self) -> tuple[LooseTile, ...]:
        """Those that lie where the disc's own lay before."""
        return tuple(near.tile for near in self._near if near.free <= PUT_BACK)

    def explained(self, tiles: Kinds) -> tuple[float, frozenset[int]]:
        """How well these tiles on the disc explain it, and which of all then lie in the middle."""
        if tiles not in self._known:
            self._known[tiles] = self._explain(tiles)
        return self._known[tiles]

    def held(self, tiles: Kinds) -> tuple[LooseTile, ...]:
        """The tiles that lie on the disc if it holds these."""
        strays = self.explained(tiles)[1]
        return tuple(near.tile for i, near in enumerate(self._near) if i not in strays)

    def _explain(self, tiles: Kinds) -> tuple[float, frozenset[int]]:
        if not tiles:
            return sum(near.free for near in self._near), frozenset(range(len(self._near)))
        best, kept = -np.inf, frozenset[int]()
        for strays in self._ways():
            weight = sum(near.free if i in strays else near.held for i, near in enumerate(self._near))
            if weight > best:
                weight += self._heap(strays).likelihood(tiles)
            if weight > best:
                best, kept = weight, strays
            if best > GOOD:
                break
        return best, kept

    def _ways(self) -> Iterator[frozenset[int]]:
        """Which tiles may lie in the middle, the fewest first; where one has not moved the disc still has its own."""
        moved = [i for i, near in enumerate(self._near) if near.free > PUT_BACK]
        return (frozenset(strays) for count in range(len(moved) + 1) for strays in combinations(moved, count))

    def _heap(self, strays: frozenset[int]) -> HeapEvidence:
        if strays not in self._heaps:
            kept = [near.tile for i, near in enumerate(self._near) if i not in strays]
            self._heaps[strays] = HeapEvidence(kept, self._in_part)
        return self._heaps[strays]


def with_neighbours(seen: Seen, layout: Layout, places: Places) -> Seen:
    """What was seen, with the tiles near each disc, by where discs and the tiles of full ones lay before.

    A disc that was not found, but at whose place tiles lie, is there all the same.
    """
    numbered = layout.numbered_heap
    if numbered is None or not numbered.counts or layout.disc is None:
        # Cards that come and go: what lies on one lies on no other.
        near_ = {number: tuple(Near(tile, 0.0, PUT_BACK) for tile in card.tiles) for number, card in seen.discs.items()}
        return replace(seen, near=near_, loose=seen.centre)
    known = {**places.discs, **{number: disc.centre_px for number, disc in seen.discs.items()}}
    if not (seen.boards and known):
        return seen
    board = max(seen.boards.values(), key=lambda board: board.located.sure)
    radius = layout.disc.size_mm / 2
    numbers = list(known)
    middles = transform(inverse(board.pose.at(disc_height(layout))), np.array(list(known.values())))
    to_mm = inverse(board.pose.at(loose_height(layout)))
    near: dict[int, list[Near]] = {number: [] for number in seen.discs}
    free = []
    for tile in (*(tile for disc in seen.discs.values() for tile in disc.tiles), *(seen.centre or ())):
        away = np.linalg.norm(middles - transform(to_mm, np.array([tile.place_px]))[0], axis=1) / radius
        number = numbers[int(np.argmin(away))]
        if away.min() < NEAR and not is_marker(tile):
            stays = any(_is_same(tile, place, to_mm) for place in places.tiles.get(number, ()))
            near.setdefault(number, []).append(_near(tile, float(away.min()), stays))
        else:
            free.append(tile)
    hidden = {n: SeenHeap(known[n], 0.0, tuple(each.tile for each in near[n])) for n in near.keys() - seen.discs.keys()}
    return replace(
        seen,
        discs=dict(sorted({**seen.discs, **hidden}.items())),
        near={number: tuple(tiles) for number, tiles in near.items()},
        loose=None if seen.centre is None else tuple(free),
    )


def _near(tile: LooseTile, away: float, stays: bool) -> Near:
    if stays:
        return Near(tile, 0.0, PUT_BACK)
    return Near(tile, OUTSIDE if away > BESIDE else 0.0, ASTRAY if away < WITHIN else 0.0)


def _is_same(tile: LooseTile, place_px: Point, to_mm: Array) -> bool:
    now, before = transform(to_mm, np.array([tile.place_px, place_px]))
    return dist(now, before) < UNMOVED_MM
