"""Whatever part of a bridge people fill in, corrections lead from there to what lay on the table after it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.lab.imagine import imagine
from companion.lab.play import play_randomly
from companion.lab.simulate import simulate
from companion.reconcile.live.bridge import bridge, told_missed
from companion.reconcile.live.outcome import Bridge
from companion.reconcile.live.rest import numbers_of, rest_of, still_differs
from companion.reconcile.live.story import enact
from companion.reconcile.photo import read_table
from engine import Edition, load, slugs

GAMES = 8
GAPS = 3
MOVES = 80
LONGEST = 16


def gaps(edition: Edition[Any, Any]) -> Iterator[tuple[Bridge, Any]]:
    """Bridges over random gaps in games, each with a state within the gap to which people's moves lead."""
    for seed in range(GAMES):
        rng = Random(f"rest {seed}")
        setup = edition.setup(rng.choice(edition.sides), rng.choice(edition.players))
        states = [step.state for step in islice(simulate(edition, setup, rng, policy=play_randomly), MOVES)]
        for _ in range(GAPS):
            first = rng.randrange(len(states) - 3)
            last = min(first + rng.randint(2, LONGEST), len(states) - 1)
            reading = read_table(imagine(edition.table(states[last])), edition)
            found = bridge(edition, states[first], reading)
            assert found is not None
            yield found, states[rng.randint(first + 1, last - 1)]


@pytest.mark.parametrize("slug", slugs())
def test_some_moves_of_a_bridge_can_be_filled_in(slug: str) -> None:
    edition, tried = load(slug), 0
    for found, within in gaps(edition):
        if not still_differs(edition, within, found.state):
            continue
        tried += 1
        scores = dict(enumerate(found.state.scores, 1))
        told = numbers_of(edition, found.state, found.moves)
        rest = rest_of(edition, within, found.state, scores, told, told_missed(2))
        assert rest is not None
        state = within
        for correct in rest:
            state = edition.settle(enact(edition, state, correct))
        assert edition.table(state) == edition.table(found.state)
        assert (state.phase, state.round, state.seat) == (found.state.phase, found.state.round, found.state.seat)
    assert tried > GAMES * GAPS // 2
