"""Tiles at the rims of discs: on which side they lie is told by how many tiles discs hold.

What is moved by that stays in doubt: the picture alone does not say it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from vision.sighting import LooseTile, SeenDisc

FULL_DISC = 4
MOST_TRIED = 4096
"""Ways to share out the tiles at rims; where there are more, nothing is moved."""
MIDDLE = -1


def is_usual(tiles: Sequence[LooseTile]) -> bool:
    """Whether these are as many tiles as a disc holds."""
    return sum(tile.sure > 0.5 for tile in tiles) in (0, FULL_DISC)


def parted(discs: Sequence[SeenDisc], middle: Sequence[LooseTile]) -> tuple[list[SeenDisc], list[LooseTile]]:
    """Discs and middle with tiles at rims on that side where most discs are full or empty, moving as few as need be.

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
    if all(is_usual(disc.tiles) for disc in discs) or prod(len(ways) for *_, ways in rimmed) > MOST_TRIED:
        return list(discs), list(middle)
    counts = [sum(tile.sure > 0.5 for tile in heaps[i]) for i in range(len(discs))]
    best = min(product(*(ways for *_, ways in rimmed)), key=lambda goals: tuple(_costs(counts, rimmed, goals)))
    for (holder, tile, _), goal in zip(rimmed, best, strict=True):
        if goal != holder:
            heaps[holder] = [other for other in heaps[holder] if other is not tile]
            heaps[goal].append(tile)
    return [replace(disc, tiles=tuple(heaps[i])) for i, disc in enumerate(discs)], heaps[MIDDLE]


def _costs(
    counts: Sequence[int], rimmed: Sequence[tuple[int, LooseTile, tuple[int, ...]]], goals: Sequence[int]
) -> Iterator[int]:
    """How many discs hold an unusual number of tiles, and how many tiles were moved."""
    held = list(counts)
    for (holder, *_), goal in zip(rimmed, goals, strict=True):
        if holder != MIDDLE:
            held[holder] -= 1
        if goal != MIDDLE:
            held[goal] += 1
    yield sum(count not in (0, FULL_DISC) for count in held)
    yield sum(holder != goal for (holder, *_), goal in zip(rimmed, goals, strict=True))
