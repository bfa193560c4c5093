"""How people tell moves, in every edition: what they touch tells each legal move from all others."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

import pytest

import engine
from companion.lab.play import play_game, play_randomly
from engine.edition import Edition
from engine.layout import Layout, LayoutError
from engine.table import EMPTY, UNSEEN

TABLES = [
    (edition, side, players)
    for edition in map(engine.load, engine.slugs())
    for side in edition.sides
    for players in edition.players
]
MOST = 30
"""States of each phase that are looked at."""


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0].slug}-{table[1]}-{table[2]}")
def states(request: Any) -> tuple[Edition[Any, Any], list[Any]]:
    edition, side, players = request.param
    setup = edition.setup(side, players)
    state, by_phase = edition.start(setup), defaultdict(list)
    for move in play_game(edition, setup, play_randomly, random.Random(5), 3):
        by_phase[state.phase].append(state)
        by_phase[edition.awaits_chance(state)].append(state)
        state = edition.settle(edition.apply(state, move))
    by_phase[state.phase].append(state)
    rng = random.Random(1)
    picked = [state for group in by_phase.values() for state in rng.sample(group, min(MOST, len(group)))]
    return edition, list(dict.fromkeys(picked))


def is_place(layout: Layout, name: str) -> bool:
    try:
        return bool(layout.cells_of(name))
    except LayoutError:
        return bool(layout.heap(name))


def told(acts: Any) -> tuple[Any, ...]:
    return tuple((act.does, frozenset(Counter(act.touches).items())) for act in acts)


def test_what_is_touched_tells_each_legal_move_from_all_others(states: Any) -> None:
    edition, sampled = states
    for state in sampled:
        moves = edition.legal_moves(state)
        assert len({told(edition.acts(state, move)) for move in moves}) == len(moves)


def test_what_is_touched_is_there(states: Any) -> None:
    edition, sampled = states
    layout = edition.layout
    for state in sampled:
        table = edition.table(state)
        for move in edition.legal_moves(state):
            for touch in (touch for act in edition.acts(state, move) for touch in act.touches if touch.place):
                assert is_place(layout, touch.place)
                part = table.part(touch.seat)
                zone = [part.cells.get(cell.name) for cell in layout if cell.zone == touch.place]
                assert not touch.kind or touch.kind in (*part.heaps.get(touch.place, ()), *zone)


def test_everything_on_a_table_has_a_name_and_can_be_corrected_to_what_it_is(states: Any) -> None:
    edition, sampled = states
    for state in sampled:
        table = edition.table(state)
        for part in table.parts:
            for cell, kind in part.cells.items():
                assert edition.place_name(cell).template != "{name}"
                assert kind in (EMPTY, UNSEEN, *edition.kinds(cell))
                if edition.printed(state.setup, part).get(cell, True) and kind != EMPTY:
                    assert edition.table(edition.correct(state, {cell: kind}, part.seat)) == table
            for heap, kinds in part.heaps.items():
                assert edition.place_name(heap).template != "{name}"
                tiles = [kind for kind in kinds if kind != "1"]
                if any(UNSEEN in kind for kind in kinds):
                    continue
                assert set(tiles) <= set(edition.kinds(heap))
                if heap != "display":
                    assert edition.table(edition.correct(state, {heap: edition.written(tiles)}, part.seat)) == table
            for track, number in part.tracks.items():
                digits = {each.name for each in edition.layout.tracks if each.tells != each.name}
                if track in digits:
                    continue
                name = edition.corrected_as.get(track, track)
                assert edition.place_name(name).template != "{name}"
                if number:
                    assert edition.table(edition.correct(state, {name: number}, part.seat)) == table


def test_what_is_drawn_as_told_is_legal(states: Any) -> None:
    edition, sampled = states
    rng = random.Random(3)
    waiting = [state for state in sampled if edition.awaits_chance(state)]
    assert waiting
    for state in waiting:
        left: dict[Any, list[str]] = {}
        heaps = []
        for draw in edition.awaited(state):
            assert is_place(edition.layout, draw.place)
            pool = left.setdefault(draw.pool, list(draw.pool))
            if len(pool) < draw.count:
                break
            heaps.append(tuple(pool.pop(rng.randrange(len(pool))) for _ in range(draw.count)))
        move = edition.drawn(state, heaps)
        # A bag that does not suffice is drawn empty first, which a draw out of all that there is may not do.
        if not any(violation.rule == "RECORD" for violation in edition.violations(state, move)):
            edition.apply(state, move)
        dealt = edition.deal(state, rng.sample)
        assert type(dealt) is type(move)
