"""The end of a game on the table's page: who won, how the scores grew round by round, what the end brought."""

from __future__ import annotations

from dataclasses import dataclass

from companion.dashboard.live.timeline import by_round, frames
from companion.dashboard.snapshot import Snapshot
from companion.scores import Score, Standing
from engine import ScoreLine

WIDTH, HEIGHT = 320, 120
"""Of the plot, in the units of its own drawing."""


@dataclass(frozen=True)
class Curve:
    """A player's score through the rounds, as SVG wants it: a line, and a band where the score is open."""

    seat: int
    line: str
    band: str
    end: tuple[float, float]


@dataclass(frozen=True)
class GameEnding:
    """A game that is over."""

    standing: Standing
    rounds: list[tuple[int, tuple[Score, ...]]]
    bonuses: dict[int, list[ScoreLine]]
    """The points of the end by seat."""
    curves: list[Curve]
    highest: int


def ending(snapshot: Snapshot) -> GameEnding | None:
    """How a game ended; None while it goes on."""
    standing, folded = snapshot.ledger.last, snapshot.folded
    if not standing.over:
        return None
    rounds = by_round(frames(snapshot))
    lines = folded.edition.bonuses(folded.state)
    bonuses = {seat: [line for line in lines if line.seat == seat] for seat in folded.setup.seats}
    start = tuple(Score(score, score) for score in folded.start.scores)
    moments = [start, *(scores for _, scores in rounds), standing.scores]
    highest = max(10, *(score.high for scores in moments for score in scores))
    curves = [_curve(seat, [scores[seat - 1] for scores in moments], highest) for seat in folded.setup.seats]
    return GameEnding(standing, rounds, bonuses, curves, highest)


def _curve(seat: int, scores: list[Score], highest: int) -> Curve:
    def point(at: int, score: float) -> tuple[float, float]:
        return WIDTH * at / max(len(scores) - 1, 1), HEIGHT * (1 - max(score, 0) / highest)

    middles = [point(at, (score.low + score.high) / 2) for at, score in enumerate(scores)]
    lows = [point(at, score.low) for at, score in enumerate(scores)]
    highs = [point(at, score.high) for at, score in enumerate(scores)]
    band = "" if lows == highs else _points([*highs, *reversed(lows)])
    return Curve(seat, _points(middles), band, middles[-1])


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
