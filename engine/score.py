"""Points with their reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.text import Text


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


def total(lines: Iterable[ScoreLine]) -> int:
    """The sum of the points of some lines."""
    return sum(line.points for line in lines)
