"""What marks on the tracks of a layout show of a score: laps that begin anew, digits that stand on sliders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from companion.reconcile.tracks import SCORE
from engine import load
from engine.layout import Track

DIGITS = 10
MOST_LAPS = 200
"""Beyond so many points marks are not taken to have been moved wrongly."""


@dataclass(frozen=True)
class Scale:
    """How scores stand on a table: after so many points marks show the same again."""

    period: int
    track: Track | None
    """The only track that tells the score; None where several tell its digits."""

    def shown(self, score: int) -> frozenset[int]:
        """The numbers that the marks may show for a score."""
        return _shown(self, score)

    def scores(self, shown: int, most: int) -> range:
        """Every score up to a bound that such a number may stand for, itself always."""
        return range(shown, max(shown, most) + 1, self.period)

    def worth_trying(self, shown: Iterable[int]) -> list[int]:
        """The scores that these numbers stand for, as far as games usually go."""
        return [number + lap for lap in range(0, MOST_LAPS, self.period) for number in shown]

    def step(self, before: int, after: int) -> int:
        """By how much a mark went on, or back if that is nearer."""
        return (after - before + self.period // 2) % self.period - self.period // 2


@lru_cache(maxsize=1 << 12)
def _shown(scale: Scale, score: int) -> frozenset[int]:
    found = {score, score % scale.period}
    if scale.track and (cell := scale.track.cell_of(score)) is not None:
        found.add(int(cell.rpartition(".")[2]))
    return frozenset(found)


@lru_cache
def scale_of(edition: str) -> Scale:
    """The scale of an edition's scores."""
    tracks = [track for track in load(edition).layout.tracks if track.tells == SCORE]
    if len(tracks) > 1:
        return Scale(DIGITS * max(track.worth for track in tracks), None)
    return Scale(tracks[0].lap or len(tracks[0].cells), tracks[0])
