"""What people answer wins over what the log holds possible."""

from itertools import permutations
from random import Random

import pytest

from companion.capture.scribe import Scribe
from companion.gamelog import Answer, Doubt, GameLog, Note, Record
from companion.lab.imagine import imagine_json
from companion.lab.simulate import simulate
from companion.reconcile.live.answer import ANSWERED, playable
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.outcome import choice, event_of
from companion.reconcile.live.story import enact
from engine import FILL, Start, load
from engine.editions.azul.moves import Take
from engine.moves import Correct, Fill
from engine.record import dump_event, format_start, replay
from engine.tiles import split_refill, without

AZUL = load("azul")
SETUP = AZUL.setup("coloured", 2)
THREE = AZUL.setup("coloured", 3)
DISCS = ("BBKR", "KKWY", "RRRW", "BYYY", "KRWW")


def led_to(state, *moves):
    for move in moves:
        state = AZUL.settle(enact(AZUL, state, move))
    return state


@pytest.fixture
def filled():
    return led_to(AZUL.start(SETUP), Fill(DISCS))


def looking_at(state, shown):
    """Who follows a game that stands at a state, and sees another."""
    follower = Follower(AZUL, state)
    follower.see(imagine_json(AZUL.format_table(AZUL.table(shown))))
    return follower


def until_the_bag_runs_out():
    """The moves of a game up to the filling in which the bag runs out, and where they lead."""
    moves = []
    for step in simulate(AZUL, THREE, Random(0)):
        moves.append(step.move)
        if step.state.phase == FILL and 0 < len(step.state.bag) < 28:
            break
    return moves, step.state


def in_another_order(state):
    """A filling whose discs a record cannot have filled in the order in which they lie."""
    true = AZUL.deal(state, Random(0).sample).factories
    return Fill(next(discs for discs in permutations(true) if split_refill(state.bag, state.lid, discs)[2]))


def test_what_can_be_played_is_played_as_it_is(filled):
    moves = Take(1, 2, "K", 3), Take(2, 3, "R", 4)
    assert playable(AZUL, filled, moves) == moves


def test_discs_may_be_told_in_any_order_when_the_bag_runs_out():
    _, before = until_the_bag_runs_out()
    fill = in_another_order(before)
    correction, told = playable(AZUL, before, (fill,))
    assert told == fill
    stands, true = led_to(before, correction, fill), AZUL.deal(before, Random(0).sample)
    assert (stands.bag, stands.lid) == (led_to(before, true).bag, "")
    assert stands.factories == fill.factories


def test_a_bag_that_the_log_believes_to_hold_other_tiles_is_set_right():
    state = AZUL.start(SETUP)
    # All of the black tiles were taken for others that are in the lid now.
    before = state._replace(bag=without(state.bag, "K" * 20), lid="K" * 20)
    correction, told = playable(AZUL, before, (Fill(DISCS),))
    stands = led_to(before, correction, told)
    assert stands.factories == DISCS
    assert (len(stands.bag), len(stands.lid)) == (60, 20)


def test_a_tile_taken_that_the_log_holds_for_another_is_told_by_what_is_left(filled):
    moves = Take(1, 2, "R", 3), Take(2, 3, "R", 4)
    right = Correct(0, (("factory.2", "KKRY"),), ANSWERED)
    assert looking_at(filled, led_to(filled, right, *moves)).playable(filled, moves) == (right, *moves)


def test_a_tile_on_a_board_is_missing_where_it_is_not_seen_if_there_are_no_more_of_them(filled):
    lines = {"line.5": "YYYYY", "line.4": "YYYY", "line.3": "YYY", "line.2": "YY"}
    state = AZUL.correct(AZUL.correct(filled, lines, 1), {"line.2": "YY"}, 2)
    assert "Y" not in state.bag + state.lid
    word = Correct(2, (("line.1.1", "Y"),), ANSWERED)
    true = AZUL.correct(AZUL.correct(state, {"factory.2": "KKW"}, 0), {"line.1.1": "Y"}, 2)
    assert led_to(state, *looking_at(state, true).playable(state, (word,))) == true


def answered(folder, setup, before, moves):
    """The game of a log that holds these moves, after a person's answer."""
    with GameLog(folder) as log:
        game = log.create(Start(AZUL, setup))
        for move in before:
            game.append(Record(event_of(AZUL, move)), "azul")
        game.append(Doubt("azul-1", {"-": 1.0}), "azul")
        scribe = Scribe(game)
        game.append(Answer("azul-1", choice(AZUL, moves)), "Ann")
        scribe.heed(Follower(AZUL, game.refresh().state).playable)
        return game.refresh()


def test_the_log_of_a_game_that_was_set_right_is_a_record_without_a_fault(tmp_path):
    moves, before = until_the_bag_runs_out()
    fill = in_another_order(before)
    take = AZUL.legal_moves(led_to(before, *playable(AZUL, before, (fill,))))[0]
    folded = answered(tmp_path, THREE, moves, (fill, take))
    assert [event["event"] for event in folded.record_events()[-3:]] == ["correct", "fill", "take"]
    assert folded.state.factories[: take.source - 1] == fill.factories[: take.source - 1]
    lines = [dump_event(event) for event in (format_start(Start(AZUL, THREE)), *folded.record_events())]
    assert not [violation for step in replay(lines) for violation in step.violations]


def test_what_no_correction_makes_possible_is_noted(tmp_path):
    folded = answered(tmp_path, SETUP, [Fill(DISCS)], (Take(1, 9, "B", 2),))
    assert len(folded.live) == 1
    assert isinstance([*folded.events.values()][-1], Note)
