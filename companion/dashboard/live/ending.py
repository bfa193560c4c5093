"""The end of a game on the table's page: who won, how the scores grew round by round, what the end brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.dashboard.live.timeline import TimelineFrame, by_round, frames, numbered
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
    gaps: list[tuple[float, float]]
    """Where in the plot moves were missed: from the left edge of each stretch to its right edge."""


def ending(snapshot: Snapshot) -> GameEnding | None:
    """How a game ended; None while it goes on."""
    standing, folded = snapshot.ledger.last, snapshot.folded
    if not standing.over:
        return None
    row = frames(snapshot)
    rounds = by_round(row)
    lines = folded.edition.bonuses(folded.state)
    bonuses = {seat: [line for line in lines if line.seat == seat] for seat in folded.setup.seats}
    start = tuple(Score(score, score) for score in folded.start.scores)
    moments = [start, *(scores for _, scores in rounds), standing.scores]
    highest = max(10, *(score.high for scores in moments for score in scores))
    curves = [_curve(seat, [scores[seat - 1] for scores in moments], highest) for seat in folded.setup.seats]
    return GameEnding(standing, rounds, bonuses, curves, highest, _gaps(row, len(moments) - 1))


def _gaps(row: list[TimelineFrame], parts: int) -> list[tuple[float, float]]:
    """Where bridges lie in the plot; the moves of a round share its width evenly, the missed ones too."""
    by_number: dict[int, list[TimelineFrame]] = {}
    for number, frame in numbered(row):
        by_number.setdefault(number, []).append(frame)
    scale = WIDTH / parts
    return [
        (round(scale * (at + left), 1), round(scale * (at + right), 1))
        for at, number in enumerate(sorted(by_number))
        for left, right in _shares(by_number[number])
    ]


def _shares(moves: list[TimelineFrame]) -> Iterator[tuple[float, float]]:
    """From where to where each bridge lies within its round, from 0 to 1."""
    counts = [max(1, frame.bridged.missed) if frame.bridged else 1 for frame in moves]
    done = 0
    for frame, count in zip(moves, counts, strict=True):
        if frame.bridged:
            yield done / sum(counts), (done + count) / sum(counts)
        done += count


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
