"""Marks on tracks: one that is moved wrongly is told with the rule that this broke, one that is moved late is not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.lab.imagine import imagine
from companion.lab.play import play_well
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.marks import LASTING, showing
from companion.reconcile.live.outcome import Outcome
from engine import OVER, Table, load
from engine.record import final

GARDEN = load("queens-garden")
MISSED = 16
"""So many moves nobody sees."""


def opening() -> Any:
    """The first turn of a game for two."""
    state = GARDEN.start(GARDEN.setup("a", 2))
    return GARDEN.settle(GARDEN.enact(state, GARDEN.deal(state, Random(3).sample)))


def look(follower: Follower, table: Table) -> Outcome:
    """Look at a moment as often as is asked for."""
    outcome = follower.see(imagine(table))
    while outcome.look_again:
        outcome = follower.see(imagine(table), again=True)
    return outcome


def after(state: Any, text: str) -> Any:
    return GARDEN.settle(GARDEN.enact(state, GARDEN.parse_move(text)))


def followed(state: Any) -> Follower:
    follower = Follower(GARDEN, state)
    look(follower, GARDEN.table(state))
    return follower


def test_a_wrong_price_is_told_by_the_mark_once_it_lasts() -> None:
    follower, state = followed(opening()), after(opening(), "1:buy>X3!price@4")
    outcomes = [look(follower, GARDEN.table(state)) for _ in range(LASTING)]
    assert [GARDEN.format_move(move) for move in outcomes[0].moves] == ["1:buy>X3"]
    assert [len(outcome.scores) for outcome in outcomes] == [0, 0, 1]
    assert outcomes[-1].scores[0].violation.rule == "QG-PAY-06"
    assert follower.state.scores == (9, 15)


def test_a_mark_that_was_wrong_before_moves_were_missed_is_still_wrong() -> None:
    follower, state, rng = followed(opening()), after(opening(), "1:buy>X3"), Random(2)
    for _ in range(LASTING):
        look(follower, showing(GARDEN, GARDEN.table(state), {1: state.scores[0] + 2}))
    for _ in range(MISSED):
        chance = GARDEN.awaits_chance(state)
        move = GARDEN.deal(state, rng.sample) if chance else play_well(GARDEN, state, rng)
        state = GARDEN.settle(GARDEN.enact(state, move))
    outcome = look(follower, showing(GARDEN, GARDEN.table(state), {1: state.scores[0] + 2}))
    assert outcome.bridge
    assert follower.state.scores == state.scores
    assert not follower.open_scores


def test_a_mark_that_is_moved_late_is_not_told() -> None:
    follower, state = followed(opening()), after(opening(), "1:buy>X3")
    late = showing(GARDEN, GARDEN.table(state), {1: 15})
    told = [look(follower, table).scores for table in (late, late, GARDEN.table(state), late, late)]
    assert told == [()] * 5


def test_a_mark_that_passes_other_numbers_is_not_told() -> None:
    follower, state = followed(opening()), after(opening(), "1:buy>X3")
    told = [look(follower, showing(GARDEN, GARDEN.table(state), {1: 15 - step})).scores for step in range(6)]
    assert told == [()] * 6


@pytest.mark.parametrize("slug", ["queens-garden", "summer-pavilion"])
def test_the_end_of_a_game_shows_in_its_scores(slug: str) -> None:
    edition, rng = load(slug), Random(5)
    state = edition.start(edition.setup(edition.sides[0], 2))
    past = []
    while state.phase != OVER:
        past.append(state)
        chance = edition.awaits_chance(state)
        move = edition.deal(state, rng.sample) if chance else play_well(edition, state, rng)
        state = edition.settle(edition.enact(state, move))
    # The last turn is given up without a mark.
    before = past[-1]
    move = next(move for move in edition.choices(before) if edition.is_pass(move))
    ended = edition.settle(edition.enact(before, move))
    assert ended.phase == OVER
    follower = Follower(edition, before)
    assert not look(follower, edition.table(before)).is_news
    totals = {seat: points for seat, (points, _) in (final(edition, ended) or {}).items()}
    look(follower, showing(edition, edition.table(ended), totals))
    assert follower.state.phase == OVER
    assert final(edition, follower.state) == final(edition, ended)


def test_what_is_left_in_a_storage_tells_what_was_discarded() -> None:
    state, rng = opening(), Random(1)
    while GARDEN.awaits_chance(state) or len(GARDEN.legal_moves(state)) < 500:
        move = GARDEN.deal(state, rng.sample) if GARDEN.awaits_chance(state) else play_well(GARDEN, state, rng)
        state = GARDEN.settle(GARDEN.enact(state, move))
    passes = [move for move in GARDEN.legal_moves(state) if GARDEN.is_pass(move)]
    for move in rng.sample(passes, 8):
        follower = followed(state)
        look(follower, GARDEN.table(GARDEN.settle(GARDEN.enact(state, move))))
        if follower.state != state:
            assert follower.state == GARDEN.settle(GARDEN.enact(state, move))
        else:
            # A pass without a mark waits for the next look.
            assert not move.discard
