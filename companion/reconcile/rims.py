"""Tiles at the rims of discs: on which side they lie is told by how many tiles discs usually hold.

What is moved by that stays in doubt: the picture alone does not say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod

from vision.sighting import LooseTile, SeenHeap

MOST_TRIED = 4096
"""Ways to share out the tiles at rims; where there are more, nothing is moved."""
MIDDLE = -1
SURE, MAYBE = 0.9, 0.5
"""A tile that is surer than the one is there; one less sure than the other is not; others may be or not."""


def is_usual(tiles: Sequence[LooseTile], holds: Sequence[int]) -> bool:
    """Whether these may be as many tiles as a disc holds; where nothing is said of that, any number is usual."""
    return _is_usual(sum(tile.sure > SURE for tile in tiles), sum(tile.sure > MAYBE for tile in tiles), holds)


def _is_usual(fewest: int, most: int, holds: Sequence[int]) -> bool:
    return not holds or any(fewest <= count <= most for count in holds)


def parted(
    discs: Sequence[SeenHeap], middle: Sequence[LooseTile], holds: Sequence[int]
) -> tuple[list[SeenHeap], list[LooseTile]]:
    """Discs and middle with tiles at rims on that side where most discs hold a usual number, moving as few as need be.

    The discs are to be all there are: of one that runs out of the picture nobody knows how many tiles it holds.
    """
    heaps = {i: list(disc.tiles) for i, disc in enumerate(discs)} | {MIDDLE: list(middle)}
    where = {disc.centre_px: i for i, disc in enumerate(discs)}
    rimmed = [
        (holder, tile, tuple(dict.fromkeys((holder, MIDDLE, *(where[rim] for rim in tile.rims if rim in where)))))
        for holder, tiles in heaps.items()
        for tile in tiles
        if tile.sure > 0.5 and any(rim in where for rim in tile.rims)
    ]
    if all(is_usual(disc.tiles, holds) for disc in discs) or prod(len(ways) for *_, ways in rimmed) > MOST_TRIED:
        return list(discs), list(middle)
    fewest, most = ([sum(tile.sure > least for tile in disc.tiles) for disc in discs] for least in (SURE, MAYBE))
    spans = list(zip(fewest, most, strict=True))
    best = min(product(*(ways for *_, ways in rimmed)), key=lambda goals: _costs(spans, rimmed, goals, holds))
    for (holder, tile, _), goal in zip(rimmed, best, strict=True):
        if goal != holder:
            heaps[holder] = [other for other in heaps[holder] if other is not tile]
            heaps[goal].append(tile)
    return [replace(disc, tiles=tuple(heaps[i])) for i, disc in enumerate(discs)], heaps[MIDDLE]


def _costs(
    before: Sequence[tuple[int, int]],
    rimmed: Sequence[tuple[int, LooseTile, tuple[int, ...]]],
    goals: Sequence[int],
    holds: Sequence[int],
) -> tuple[int, int]:
    """How many discs then hold an unusual number of tiles, and how many tiles were moved."""
    spans = list(before)
    for (holder, tile, _), goal in zip(rimmed, goals, strict=True):
        for heap, step in ((holder, -1), (goal, 1)):
            if heap != MIDDLE:
                low, high = spans[heap]
                spans[heap] = low + step * (tile.sure > SURE), high + step
    unusual = sum(not _is_usual(*span, holds) for span in spans)
    return unusual, sum(holder != goal for (holder, *_), goal in zip(rimmed, goals, strict=True))
