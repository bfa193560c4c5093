"""Bridges: whatever was missed, the next clear look brings the game back, in every edition."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.lab.imagine import imagine
from companion.lab.play import play_game, play_randomly
from companion.reconcile.live.bridge import bridge
from companion.reconcile.photo import read_table
from engine import Edition, Table, load, slugs

CASES = [(slug, side, players) for slug in slugs() for side in load(slug).sides for players in load(slug).players]
every_edition = pytest.mark.parametrize(("slug", "side", "players"), CASES)
GAPS = (1, 2, 3, 5, 8, 13, 21, 40)
"""So many moves are missed."""
LONGEST = 400
"""Moves, where a game played by chance does not end."""


def states_of(edition: Edition[Any, Any], side: str, players: int) -> list[Any]:
    """Every state of a game that is played by chance, as a log has them."""
    rng = Random(f"{edition.slug} {side} {players} bridges")
    state = edition.start(edition.setup(side, players))
    states = [state]
    for move, _ in zip(play_game(edition, state.setup, play_randomly, rng), range(LONGEST), strict=False):
        state = edition.settle(edition.apply(state, move))
        states.append(state)
    return states


def heaps_of(table: Table, edition: Edition[Any, Any]) -> Any:
    """The heaps of a table by their names; cards that come and go have no place, so their numbers tell nothing."""
    numbered = edition.layout.numbered_heap
    if numbered is None or numbered.counts:
        return [part.heaps for part in table.parts]
    cards = sorted(table.common.numbered.get(numbered.name, {}).values())
    named = [
        {name: kinds for name, kinds in part.heaps.items() if not name.startswith(f"{numbered.name}.")}
        for part in table.parts
    ]
    return cards, named


@every_edition
def test_a_bridge_leads_to_what_lies_on_the_table(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    states = states_of(edition, side, players)
    rng = Random(f"{slug} {side} {players} gaps")
    for gap in GAPS:
        at = rng.randrange(len(states) - 1)
        state, later = states[at], states[min(at + gap, len(states) - 1)]
        table = edition.table(later)
        found = bridge(edition, state, read_table(imagine(table), edition))
        assert found is not None, f"from {edition.format_state(state)} to {edition.format_state(later)}"
        lying = edition.table(found.state)
        assert [part.cells for part in lying.parts] == [part.cells for part in table.parts]
        assert heaps_of(lying, edition) == heaps_of(table, edition)
        for seat, score in enumerate(later.scores, 1):
            possible = found.scores.get(seat, {found.state.scores[seat - 1]: 1.0})
            assert min(possible) <= score <= max(possible)
        ways = {(found.state.phase, found.state.seat)}
        for right, _ in found.others:
            other = edition.settle(edition.correct(found.state, dict(right.cells), right.seat))
            ways.add((other.phase, other.seat))
        assert (later.phase, later.seat) in ways
