"""Loose pieces that were seen badly: what they may have been, remembered until the next filling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

from engine.table import MARKER
from vision.cells import EMPTY, UNSEEN
from vision.sighting import LooseTile, SeenHeap

WORTH_REMEMBERING = 0.02
"""A kind that a piece looks like with less than this is not remembered."""


class Blur:
    """What loose pieces of this round may have been instead of what they were told to be."""

    def __init__(self) -> None:
        self.swaps: dict[tuple[str, str], float] = {}
        """By the kind told and another kind the logarithm of how much less likely the other is."""
        self.filled: dict[int, tuple[LooseTile, ...]] = {}
        """The pieces that were seen on each disc when it was filled."""

    def begin(self, discs: Mapping[int, SeenHeap]) -> None:
        """Begin anew: other pieces lie there now."""
        self.swaps, self.filled = {}, {number: disc.tiles for number, disc in discs.items()}

    def note(self, tiles: Iterable[LooseTile]) -> None:
        """Remember what pieces that are not surely told may be."""
        for tile in tiles:
            kinds = {kind: chance for kind, chance in tile.reads.items() if kind not in (EMPTY, UNSEEN, MARKER)}
            best = max(kinds, key=kinds.__getitem__, default="")
            for kind, chance in kinds.items():
                if kind != best and chance >= WORTH_REMEMBERING:
                    odds = log(chance / kinds[best])
                    self.swaps[best, kind] = max(odds, self.swaps.get((best, kind), odds))
                    self.swaps.setdefault((kind, best), odds)
