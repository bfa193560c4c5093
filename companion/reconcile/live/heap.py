"""Tiles lying free in one heap: how well a guess at what lies there explains what was detected.

Nobody can say which detection is which tile, so all ways to pair them off are weighed at once: a detection may be any
kind that it looks like, or no tile at all, and a tile may have been overlooked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import log

import numpy as np

from engine.table import Kinds, kinds_of
from vision.cells import EMPTY, UNSEEN
from vision.sighting import LooseTile

OVERLOOKED = log(0.005)
"""A tile that lies there and was not detected."""
OVERLOOKED_IN_PART = log(0.4)
"""The same where a part of the heap cannot be seen."""
INVENTED = 0.002
"""However sure a detection is, it may be no tile at all so often; a misread kind is one invented and one overlooked."""
UNSURE = 0.1
"""Detections that are not sure turn out to be nothing less often than they say; measured by `azul bench live`."""
WORTH_TRYING = 1e-3
"""A detection is never taken for a kind less likely than this."""
WAYS = 400
"""So many ways to pair off, the likeliest, are looked at."""


class HeapEvidence:
    """The detections of one heap."""

    def __init__(self, tiles: Sequence[LooseTile], in_part: bool = False) -> None:
        self._kinds = kinds_of({kind for tile in tiles for kind in tile.reads} - {EMPTY, UNSEEN})
        self._overlooked = OVERLOOKED_IN_PART if in_part else OVERLOOKED
        ways: dict[tuple[int, ...], float] = {(0,) * len(self._kinds): 0.0}
        for tile in tiles:
            ways = _likeliest(_paired(ways, [*_chances(tile, self._kinds)]))
        self._counts = np.array(list(ways), int).reshape(len(ways), -1)
        weights = np.array(list(ways.values()))
        self._weights = weights - weights.max()
        self._known: dict[Kinds, float] = {}
        self._guessed: dict[tuple[int, int, Kinds], list[tuple[Kinds, float]]] = {}

    def likelihood(self, tiles: Kinds) -> float:
        """The logarithm of how well these tiles explain the heap, 0 where nothing could do so better."""
        if tiles not in self._known:
            self._known[tiles] = self._weigh(tiles)
        return self._known[tiles]

    def guesses(self, size: int, most: int, kinds: Collection[str]) -> list[tuple[Kinds, float]]:
        """The likeliest heaps of so many tiles of these kinds, with their likelihoods; fewer tiles where fewer are."""
        key = size, most, tuple(kinds)
        if key not in self._guessed:
            self._guessed[key] = self._guess(size, most, kinds)
        return self._guessed[key]

    def _guess(self, size: int, most: int, kinds: Collection[str]) -> list[tuple[Kinds, float]]:
        wanted = [i for i, kind in enumerate(self._kinds) if kind in kinds]
        found: dict[Kinds, float] = {}
        for counts, weight in zip(self._counts, self._weights, strict=True):
            tiles = tuple(kind for i in wanted for kind in (self._kinds[i],) * int(counts[i]))
            lost = abs(int(counts.sum()) - len(tiles))
            if len(tiles) <= size:
                found[tiles] = max(found.get(tiles, -np.inf), float(weight) + lost * log(INVENTED))
        best = max(map(len, found), default=0)
        full = [(tiles, weight) for tiles, weight in found.items() if len(tiles) == best]
        return sorted(full, key=lambda guess: -guess[1])[:most]

    def _weigh(self, tiles: Kinds) -> float:
        strangers = sum(tile not in self._kinds for tile in tiles)
        missing = np.array([tiles.count(kind) for kind in self._kinds], int) - self._counts
        fits = (missing >= 0).all(axis=1)
        if not fits.any():
            return float(self._weights.min()) + strangers * self._overlooked
        weights = self._weights[fits] + missing[fits].sum(axis=1) * self._overlooked
        return float(weights.max()) + strangers * self._overlooked


def _chances(tile: LooseTile, kinds: Kinds) -> Iterator[tuple[int | None, float]]:
    """What a detection may be, by the number of its kind, with the logarithm of its chance."""
    yield None, log(max(UNSURE * (1 - tile.sure), INVENTED))
    for i, kind in enumerate(kinds):
        chance = tile.sure * tile.reads.get(kind, 0.0)
        if chance >= WORTH_TRYING:
            yield i, log(chance)


def _paired(
    ways: dict[tuple[int, ...], float], chances: Sequence[tuple[int | None, float]]
) -> dict[tuple[int, ...], float]:
    grown: dict[tuple[int, ...], float] = {}
    for counts, weight in ways.items():
        for kind, chance in chances:
            more = counts if kind is None else (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            grown[more] = max(grown.get(more, -np.inf), weight + chance)
    return grown


def _likeliest(ways: dict[tuple[int, ...], float]) -> dict[tuple[int, ...], float]:
    if len(ways) <= WAYS:
        return ways
    return dict(sorted(ways.items(), key=lambda way: -way[1])[:WAYS])
