"""Scores that a bridge left open, until the score track tells them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.marks import right_scores
from engine import Edition

SHOWS = -0.5
"""A track shows a score if it fits at least as well as this."""
LASTING = 2
"""A score is believed once its track has shown it in so many looks."""


class OpenScores:
    """By seat the scores that are possible; what is earned later is added to each of them."""

    def __init__(self, edition: Edition[Any, Any]) -> None:
        self._edition = edition
        self._possible: dict[int, tuple[frozenset[int], int]] = {}
        """The possible scores of a seat, and the one that the game had at that time."""
        self._shown: dict[int, tuple[int, int]] = {}
        """By seat the score that the track showed last, and in how many looks on end."""

    @property
    def seats(self) -> frozenset[int]:
        """The seats whose score is open."""
        return frozenset(self._possible)

    def possible(self, state: Any) -> dict[int, frozenset[int]]:
        """By seat the scores that are possible now."""
        return {
            seat: frozenset(score + state.scores[seat - 1] - then for score in scores)
            for seat, (scores, then) in self._possible.items()
        }

    def leave(self, state: Any, scores: Mapping[int, Iterable[int]]) -> None:
        """Leave these scores open from a state on, and no others of their seats."""
        self._possible |= {seat: (frozenset(possible), state.scores[seat - 1]) for seat, possible in scores.items()}

    def settle(self, state: Any, evidence: Evidence) -> dict[int, int]:
        """The scores that the track tells now, by seat; they are open no longer."""
        told = {}
        for seat, possible in self.possible(state).items():
            shown = [score for score in possible if self._is_shown(state, evidence, seat, score)]
            if len(shown) != 1:
                self._shown.pop(seat, None)
                continue
            score, looks = self._shown.get(seat, (shown[0], 0))
            self._shown[seat] = shown[0], looks + 1 if score == shown[0] else 1
            if self._shown[seat][1] >= LASTING:
                told[seat] = shown[0]
                del self._possible[seat], self._shown[seat]
        return told

    def _is_shown(self, state: Any, evidence: Evidence, seat: int, score: int) -> bool:
        """Whether the track shows a score; after the end also with what that brings."""
        if evidence.shown_score(seat) is None:
            return False
        brought = (right - state.scores[seat - 1] for right in right_scores(self._edition, state, seat))
        return any(evidence.score(seat, score + points) >= SHOWS for points in brought)
