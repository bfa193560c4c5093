"""Points with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from engine.text import Text

UNBOUNDED = -1_000_000
"""Less than any score."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points that a player gains or loses, by which rule and from which cells."""

    seat: int
    points: int
    rule: str
    cells: tuple[str, ...]
    text: Text


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one board would bring: if the round ended now, and at the end of the game.

    Where the player still has a choice, `round_lines` is a best one and `round_low` what the worst one gives. What
    cannot be seen is counted as empty and named in `unseen`.
    """

    seat: int
    score: int | None
    round_lines: tuple[ScoreLine, ...]
    round_low: int
    bonus_lines: tuple[ScoreLine, ...]
    unseen: tuple[str, ...] = ()

    @property
    def round_points(self) -> int:
        """What the round brings with the best choice."""
        return total(self.round_lines)

    @property
    def bonus_points(self) -> int:
        """What the end of the game brings besides."""
        return total(self.bonus_lines)


class Gain(NamedTuple):
    """What a stretch of a game does to a score: it adds points, and no score falls below `least` by it."""

    points: int = 0
    least: int = UNBOUNDED

    def after(self, score: int) -> int:
        """The score after the stretch."""
        return max(self.least, score + self.points)

    def then(self, points: int, cost: int, score_min: int) -> Gain:
        """The stretch with one more round: points are added, then a cost is charged as far as there is a score."""
        return Gain(self.points + points - cost, max(score_min, self.least + points - cost))


def total(lines: Iterable[ScoreLine]) -> int:
    """The sum of the points of some lines."""
    return sum(line.points for line in lines)
