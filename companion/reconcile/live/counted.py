"""What no look shows and is only counted: whose turn it is, who holds the marker of the first player, who began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.reconcile.live.outcome import SEEN_OTHERWISE
from companion.reconcile.live.steps import is_unmarked
from companion.reconcile.live.story import Story
from engine import Edition, EngineError
from engine.moves import Correct
from engine.table import ALL

TURN, MARKER, STARTER = "turn", "marker", "starter"
"""The names by which corrections know these."""


class Counted(NamedTuple):
    """Seats, 0 for nobody."""

    turn: int
    marker: int
    starter: int

    @classmethod
    def of(cls, edition: Edition[Any, Any], state: Any) -> Counted:
        """What a state counts."""
        return cls(state.seat, edition.holder(state), getattr(state, STARTER, 0))


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
            except EngineError:
                # Not every game counts all of it at any time.
                continue
            # Who began matters only until somebody takes the marker, and not every game can count it otherwise by then.
            found = Counted.of(edition, story.state)
            is_wanted = found == wanted or found[:2] == wanted[:2] != now[:2]
            if is_wanted and is_unmarked(story.table, stands.table):
                yield story
                break


def _numbers(now: Counted, wanted: Counted) -> Iterator[dict[str, int]]:
    """What a correction sets; between two rounds the turn may be that of whoever begins the next one."""
    changed = {name: new for name, old, new in zip(Counted._fields, now, wanted, strict=True) if old != new}
    if changed:
        yield changed
    if STARTER in changed:
        yield {**{name: seat for name, seat in changed.items() if name != STARTER}, TURN: wanted.starter}
