"""What no look shows and is only counted: whose turn it is, who holds the first player's marker, began or passed.

What a turn that was given up has cost is counted too, since marks are moved late.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.reconcile.live.likelihood import SCORE
from companion.reconcile.live.outcome import SEEN_OTHERWISE
from companion.reconcile.live.steps import is_unmarked
from companion.reconcile.live.story import Story
from engine import Edition, EngineError
from engine.moves import Correct
from engine.table import ALL

TURN, MARKER, STARTER, PASSED = "turn", "marker", "starter", "passed"
"""The names by which corrections know these."""


class Counted(NamedTuple):
    """Seats, 0 for nobody; several of those who have passed."""

    turn: int
    marker: int
    starter: int
    passed: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()

    @classmethod
    def of(cls, edition: Edition[Any, Any], state: Any) -> Counted:
        """What a state counts."""
        passed = tuple(getattr(state, PASSED, ()))
        return cls(state.seat, edition.holder(state), getattr(state, STARTER, 0), passed, tuple(state.scores))

    def with_turn(self, seat: int) -> Counted:
        """The same with somebody's turn, who then cannot have passed."""
        return self._replace(turn=seat, passed=tuple(each for each in self.passed if each != seat))

    @property
    def since_the_start(self) -> Counted:
        """The same without who began."""
        return self._replace(starter=0)


def counted_otherwise(edition: Edition[Any, Any], state: Any, ways: Mapping[Counted, float]) -> Iterator[Story]:
    """Where the game stands, if it is to be counted otherwise and nothing on the table tells; each with its weight."""
    stands, now = Story(edition, state), Counted.of(edition, state)
    for wanted, weight in ways.items():
        if bool(wanted.turn) != bool(now.turn):
            # Somebody's turn and nobody's do not differ in counting alone.
            continue
        for numbers in _numbers(now, wanted):
            try:
                story = stands.then(Correct(ALL, tuple(numbers.items()), SEEN_OTHERWISE), weight, breaks=False)
                for right in _scores(now, wanted):
                    story = story.then(right, 0.0, breaks=False)
            except EngineError:
                # Not every game counts all of it at any time.
                continue
            # Who began matters only until somebody takes the marker, and not every game can count it otherwise by then.
            found = Counted.of(edition, story.state)
            is_wanted = found == wanted or found.since_the_start == wanted.since_the_start != now.since_the_start
            if is_wanted and is_unmarked(story.table, stands.table):
                yield story
                break


def _numbers(now: Counted, wanted: Counted) -> Iterator[dict[str, str | int]]:
    """What a correction sets; between two rounds the turn may be that of whoever begins the next one."""
    seats = ((TURN, now.turn, wanted.turn), (MARKER, now.marker, wanted.marker), (STARTER, now.starter, wanted.starter))
    changed: dict[str, str | int] = {name: new for name, old, new in seats if old != new}
    if now.passed != wanted.passed:
        changed[PASSED] = " ".join(map(str, wanted.passed))
    if changed:
        yield changed
    if STARTER in changed:
        yield {**{name: seat for name, seat in changed.items() if name != STARTER}, TURN: wanted.starter}


def _scores(now: Counted, wanted: Counted) -> Iterator[Correct]:
    """The scores that differ, set right."""
    for seat, (old, new) in enumerate(zip(now.scores, wanted.scores, strict=True), 1):
        if old != new:
            yield Correct(seat, ((SCORE, new),), SEEN_OTHERWISE)
