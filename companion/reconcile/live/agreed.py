"""The game as far as it is written down: where it stands, and what of this round may be taken back or told again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.reconcile.live.blur import Blur
from companion.reconcile.live.marks import Marks
from companion.reconcile.live.outcome import SEEN_OTHERWISE, Finding, findings_of
from companion.reconcile.live.places import Seen
from companion.reconcile.live.retell import retold
from companion.reconcile.live.story import enact
from engine import Edition
from engine.moves import Correct

PAST = 2
"""So many events may be taken back on the table."""


class Agreed:
    """Where the game stands and how it came there; `marks` remembers the moves as well."""

    def __init__(self, edition: Edition[Any, Any], state: Any, past: Sequence[Any], marks: Marks) -> None:
        """`past` are the states before the last events that may be taken back on the table, the latest first."""
        self.edition, self._marks = edition, marks
        self.blur = Blur()
        self.agree(state, past)

    def agree(self, state: Any, past: Sequence[Any]) -> None:
        """Go on from a state that the log tells."""
        self.state, self.past = state, tuple(past)
        self._round: list[tuple[Any, Any]] = []
        """What was seen to happen since the last filling: states, each with the move made in it."""
        self.missed = False
        """Whether moves of this round were made without a look in between."""

    def bridge(self, state: Any) -> None:
        """Go on from what lies on the table, since nobody saw how that came about."""
        self.agree(state, ())
        self.missed = True

    @property
    def roots(self) -> dict[int, Any]:
        """By how many of the last events were taken back, the state in which a story then begins."""
        return dict(enumerate((self.state, *self.past)))

    def put_right_from_the_start(self, undone: int, moves: tuple[Any, ...]) -> tuple[int, tuple[Any, ...], int]:
        """The moves with the round told once more from its filling on, where a piece of that was another one.

        Returns how many events are taken back, the moves, and how many of these were known before.
        """
        right = moves[0] if moves else None
        if undone or not isinstance(right, Correct) or right.why != SEEN_OTHERWISE:
            return undone, moves, 0
        told = retold(self.edition, self._round, self.state, right, self.blur.filled)
        return (undone, moves, 0) if told is None else (len(told), (*told, *moves[1:]), len(told))

    def play(self, undone: int, moves: Sequence[Any], known: int, seen: Seen) -> tuple[Finding, ...]:
        """Take back the last events and play moves from there; the rules that moves break which were not known."""
        past = [state for state, _ in reversed(self._round)]
        past += self.past[len(past) :]
        state = past[undone - 1] if undone else self.state
        past = past[undone:]
        self._round = self._round[: max(0, len(self._round) - undone)]
        findings: list[Finding] = []
        for i, move in enumerate(moves):
            if i >= known and not isinstance(move, Correct):
                findings += findings_of(self.edition, state, move, seen)
            self._marks.remember(state, move)
            past.insert(0, state)
            if self.edition.awaits_chance(state):
                self._round, self.missed = [], False
                if i >= known:
                    self.blur.begin(seen.discs)
            self._round.append((state, move))
            state = self.edition.settle(enact(self.edition, state, move))
        self.state, self.past = state, tuple(past[:PAST])
        return tuple(findings)
