"""Scores as they are told: exact, or how far each is open. Those of a logged game are in `ledger`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from engine import OVER, Edition
from engine.record import final

SCORE = "score"


@dataclass(frozen=True, slots=True)
class Marker:
    """A score marker that was read and does not fit: what it shows, and what the tiles gave in that photo."""

    shown: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's score: one number, or the least and the most that it can be."""

    low: int
    high: int
    marker: Marker | None = None
    """The marker of the last photo, where it does not fit."""

    @property
    def exact(self) -> bool:
        """Whether it is determined."""
        return self.low == self.high

    @property
    def value(self) -> int | None:
        """The score, None where it is open."""
        return self.low if self.exact else None

    def __str__(self) -> str:
        return str(self.low) if self.exact else f"{self.low}–{self.high}"


@dataclass(frozen=True)
class Standing:
    """The scores of all seats at one moment, and the result once the game is over."""

    track: tuple[Score, ...]
    """What each seat has earned on the track, without the bonuses of the end."""
    scores: tuple[Score, ...]
    """What counts: with the bonuses once the game is over."""
    over: bool = False
    winners: tuple[int, ...] = ()
    """Who has surely won; several share the victory. Empty while it is open."""
    contenders: tuple[int, ...] = ()
    """Everybody who may have won."""

    @property
    def intervals(self) -> dict[int, tuple[int, int]]:
        """The seats whose score is open: the least and the most it can be."""
        return {seat: (each.low, each.high) for seat, each in enumerate(self.scores, 1) if not each.exact}

    @property
    def values(self) -> list[int | None]:
        """The scores as programs get them: None where one is open."""
        return [score.value for score in self.scores]


def score_of(reads: Iterable[str]) -> Score | None:
    """What a score is that may be any of these; None where none of them is a number."""
    scores = [int(read) for read in reads if is_number(read)]
    return Score(min(scores), max(scores)) if scores else None


def is_number(text: str) -> bool:
    """Whether a reading of a score is a number."""
    return text.removeprefix("-").isdecimal()


def seen_score(board: Mapping[str, Any]) -> Score | None:
    """The score that a board of a reading shows, open where it is in doubt; None where it cannot be told."""
    doubt = next((doubt for doubt in board.get("doubts", ()) if doubt["cell"] == SCORE), None)
    if doubt is None:
        return None if board.get("score") is None else Score(board["score"], board["score"])
    return score_of(doubt.get("reads", ()))


def exact_standing(edition: Edition[Any, Any], state: Any) -> Standing:
    """The scores of a state that is known to hold the right ones, as that of a record."""
    return standing_of(edition, state, tuple(Score(score, score) for score in state.scores))


def standing_of(edition: Edition[Any, Any], state: Any, track: tuple[Score, ...]) -> Standing:
    """The standing of a state in which the tracks hold these scores."""
    if state.phase != OVER:
        return Standing(track, track)
    ends = [_scored(edition, state, end) for end in product(*({score.low, score.high} for score in track))]
    won = {edition.winners(end) for end in ends}
    results = [result for end in ends if (result := final(edition, end))]
    totals = tuple(
        replace(score, low=min(points), high=max(points))
        for seat, score in enumerate(track, 1)
        for points in [[result[seat][0] for result in results]]
    )
    contenders = tuple(sorted({seat for seats in won for seat in seats}))
    return Standing(track, totals, True, next(iter(won)) if len(won) == 1 else (), contenders)


def standing_json(now: Standing) -> dict[str, Any]:
    """Scores as programs get them: null where one is open, and then its least and its most."""
    written: dict[str, Any] = {"scores": now.values}
    if now.intervals:
        written["intervals"] = {str(seat): list(bounds) for seat, bounds in now.intervals.items()}
    if shown := {str(seat): score.marker.shown for seat, score in enumerate(now.track, 1) if score.marker}:
        written["markers"] = shown
    return written


def _scored(edition: Edition[Any, Any], state: Any, scores: Sequence[int]) -> Any:
    for seat, score in enumerate(scores, 1):
        if state.scores[seat - 1] != score:
            state = edition.correct(state, {SCORE: score}, seat)
    return state
