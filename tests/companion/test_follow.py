"""Following a game from sighting to sighting."""

from dataclasses import replace
from itertools import islice, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lab.imagine import imagine_json
from companion.lab.play import play_randomly
from companion.lab.simulate import simulate
from companion.reconcile.live.disputes import LASTING
from companion.reconcile.live.follow import Follower, Known
from companion.reconcile.live.outcome import SEEN_OTHERWISE, choice, parse_choice
from engine import FILL, OVER, load
from engine.editions.azul.moves import Sweep, Take
from engine.moves import Correct, Fill, Slip
from engine.tiles import split_refill, without

AZUL = load("azul")
DISCS = ("BBKR", "KKWY", "RRRW", "BYYY", "KRWW")


def shown(state):
    return AZUL.format_table(AZUL.table(state))


class At:
    """A table that is looked at, and who follows it."""

    def __init__(self, side="coloured", players=2, discs=DISCS):
        self.state = AZUL.start(AZUL.setup(side, players))
        self.follower = Follower(AZUL, self.state)
        self.look()
        self.do(Fill(discs))
        assert self.look().moves == (Fill(discs),)

    def do(self, *moves):
        for move in moves:
            self.state = AZUL.settle(AZUL.enact(self.state, move))
        return self

    def look(self, state=None, change=lambda table: table):
        """One look, and more of them where more are asked for."""
        table = change(shown(state or self.state))
        outcome = self.follower.see(imagine_json(table))
        while outcome.look_again:
            outcome = self.follower.see(imagine_json(table), again=True)
        return outcome


@pytest.fixture
def table():
    return At()


@pytest.mark.parametrize(("side", "players"), [("coloured", 2), ("grey", 2)])
def test_a_whole_game_is_followed(side, players):
    setup = AZUL.setup(side, players)
    follower = Follower(AZUL, AZUL.start(setup))
    follower.see(imagine_json(shown(follower.state)))
    for step in simulate(AZUL, setup, Random(players), policy=play_randomly):
        outcome = follower.see(imagine_json(shown(step.state)))
        assert outcome.moves in ((step.move,), ())
        assert not outcome.findings
        if outcome.look_again or not outcome.moves:
            follower.agree(step.state)
        assert follower.state == step.state
    assert follower.state.phase == OVER


def test_nothing_new_is_nothing_new(table):
    for _ in range(3):
        outcome = table.look()
        assert not outcome.is_news
        assert not outcome.question
        assert not outcome.findings


def test_a_move_is_told(table):
    move = Take(1, 2, "K", 3)
    outcome = table.do(move).look()
    assert outcome.moves == (move,)
    assert outcome.chance > 0.985


def test_two_moves_without_a_look_in_between_are_told(table):
    moves = Take(1, 2, "K", 3), Take(2, 3, "R", 4)
    assert table.do(*moves).look().moves == moves


def test_discs_filled_and_taken_from_before_anybody_looked_are_told():
    table = At.__new__(At)
    table.state = AZUL.start(AZUL.setup("coloured", 2))
    table.follower = Follower(AZUL, table.state)
    table.look()
    moves = Fill(DISCS), Take(1, 2, "K", 3)
    assert table.do(*moves).look().moves == moves


def test_discs_taken_from_before_anybody_looked_are_told_although_a_tile_is_seen_that_is_none():
    table = At.__new__(At)
    table.state = AZUL.start(AZUL.setup("coloured", 2))
    table.follower = Follower(AZUL, table.state)
    table.look()

    def invented(told):
        told["centre"]["tiles"] = "RWY"
        return told

    moves = Fill(DISCS), Take(1, 2, "K", 3)
    assert table.do(*moves).look(change=invented).moves == moves


def test_a_tile_that_is_overlooked_on_a_full_disc_is_asked_about():
    table = At.__new__(At)
    table.state = AZUL.start(AZUL.setup("coloured", 2))
    table.follower = Follower(AZUL, table.state)
    table.look()

    def overlooked(told):
        told["factories"][1]["tiles"] = "KKW"
        return told

    outcome = table.do(Fill(DISCS)).look(change=overlooked)
    assert not outcome.is_news
    assert outcome.question
    assert AZUL.format_move(Fill(DISCS)) in outcome.question.choices
    assert table.look().moves == (Fill(DISCS),)


def test_a_tile_that_is_overlooked_is_not_looked_for_on_the_last_disc_where_tiles_run_out():
    """The last disc has fewer tiles than the others anyhow."""
    table, start = At.__new__(At), AZUL.start(AZUL.setup("coloured", 2))
    discs = (*DISCS[:4], "K")
    drawn = "".join(sorted("".join(discs)))
    away = "".join(sorted(without(start.bag, drawn)))
    table.state = start._replace(bag=drawn, lid="", boards=(start.boards[0]._replace(floor=away), start.boards[1]))
    table.follower = Follower(AZUL, table.state)
    table.look()

    def overlooked(told):
        told["factories"][1]["tiles"] = "KKW"
        return told

    outcome = table.do(Fill(discs)).look(change=overlooked)
    told = outcome.question.choices if outcome.question else [choice(AZUL, outcome.moves)]
    assert choice(AZUL, (Fill(discs),)) in told


@pytest.mark.parametrize("seed", range(3))
def test_discs_may_be_filled_in_any_order_when_the_bag_runs_out(seed):
    """A record fills discs in their order; people do not, and nobody sees which disc came first."""
    setup, rng = AZUL.setup("coloured", 3), Random(seed)
    steps = simulate(AZUL, setup, rng)
    before = next(step.state for step in steps if step.state.phase == FILL and 0 < len(step.state.bag) < 28)
    true = AZUL.deal(before, rng.sample).factories
    shuffled = next(discs for discs in permutations(true) if split_refill(before.bag, before.lid, discs)[2])
    follower = Follower(AZUL, before)
    follower.see(imagine_json(shown(before)))
    told = shown(AZUL.enact(before, Fill(true)))

    def look(discs, centre=""):
        told["factories"] = [{"tiles": tiles} for tiles in discs]
        told["centre"] |= {"tiles": centre}
        return follower.see(imagine_json(told))

    (fill,) = look(shuffled).moves
    assert sorted(fill.factories) == sorted(true)
    assert not AZUL.violations(before, fill)
    # The discs keep their new numbers: the first on the table is still the first.
    colour = shuffled[0][0]
    told["boards"][follower.state.seat - 1]["floor"] = colour * shuffled[0].count(colour)
    (take,) = look(("", *shuffled[1:]), shuffled[0].replace(colour, "")).moves
    assert fill.factories[take.source - 1] == shuffled[0]


def test_a_move_taken_back_is_undone(table):
    before = table.state
    table.do(Take(1, 2, "K", 3)).look()
    outcome = table.look(before)
    assert (outcome.undone, outcome.moves) == (1, ())
    assert table.follower.state == before


def test_a_move_changed_is_undone_and_told_anew(table):
    before = table.state
    table.do(Take(1, 2, "K", 3)).look()
    other = Take(1, 2, "K", 5)
    outcome = table.look(AZUL.enact(before, other))
    assert (outcome.undone, outcome.moves) == (1, (other,))


def test_tiles_in_a_hand_are_waited_for(table):
    before = table.state
    in_hand = AZUL.enact(before, Take(1, 2, "K", 3, (Slip("kept", "KK"),)))
    outcome = table.look(in_hand)
    assert not outcome.is_news
    assert not outcome.question
    move = Take(1, 2, "K", 3)
    outcome = table.do(move).look()
    assert outcome.moves == (move,)
    assert not outcome.findings


def test_tiles_that_are_never_pushed_to_the_centre_are_told_once_the_next_player_goes_on(table):
    moves = Take(1, 2, "K", 3, (Slip("unpushed"),)), Take(2, 3, "R", 4)
    assert not table.do(moves[0]).look().is_news
    outcome = table.do(moves[1]).look()
    assert outcome.moves == moves
    assert [finding.violation.rule for finding in outcome.findings] == ["AZ-DR-04"]


def test_tiles_not_pushed_are_told_however_many_moves_there_are_from_the_centre():
    """Their disc looks as if nobody had touched it, so the move is found by its board."""
    discs = ("BBYY", "KKKW", "RWWY", "BBWW", "BKWY", "BBKR", "WWYY", "BRYY", "BKKK")
    table = At(players=4, discs=discs)
    for move in (Take(1, 9, "B", 1), Take(2, 3, "W", 2)):
        table.do(move).look()
    moves = Take(3, 5, "K", 4, (Slip("unpushed"),)), Take(4, 8, "R", 1)
    assert not table.do(moves[0]).look().is_news
    assert table.do(moves[1]).look().moves == moves


def test_a_breach_is_named_with_where_to_look_and_what_would_be_legal(table):
    table.do(Take(1, 2, "K", 3)).look()
    table.do(Take(2, 3, "R", 4)).look()
    wrong = Take(1, 4, "Y", 3)
    outcome = table.do(wrong).look()
    assert outcome.moves == (wrong,)
    (finding,) = outcome.findings
    assert finding.violation.rule == "AZ-PL-03"
    _left, _top, width, height = finding.box
    assert width > height > 0
    assert "1:4Y>4" in finding.legal
    assert AZUL.format_move(wrong) not in finding.legal


@pytest.mark.parametrize(
    "moves",
    [
        (Take(1, 4, "Y", 2, (Slip("stacked", "Y"),)), Take(2, 3, "R", 4)),
        (Take(1, 2, "K", 3), Take(2, 3, "R", 5, (Slip("gap"),))),
    ],
)
def test_a_breach_beside_a_move_that_nobody_saw_is_not_taken_for_a_misread_cell(table, moves):
    outcome = table.do(*moves).look()
    told = outcome.question.choices if outcome.question else [choice(AZUL, outcome.moves)]
    assert choice(AZUL, moves) in told


def test_a_skipped_turn_is_named(table):
    outcome = table.do(Take(2, 2, "K", 3)).look()
    assert [finding.violation.rule for finding in outcome.findings] == ["AZ-DR-07"]


def test_a_board_out_of_view_is_waited_for(table):
    move = Take(1, 2, "K", 3)
    table.do(move)
    sighting = imagine_json(shown(table.state))
    outcome = table.follower.see(replace(sighting, boards=sighting.boards[1:]))
    assert not outcome.is_news
    assert not outcome.question
    assert table.look().moves == (move,)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 1), st.integers(0, 46), st.sampled_from(".BYRKW"), st.integers(0, 3))
def test_one_misread_cell_is_never_a_violation(seat, cell, letter, moves):
    table = At()
    for step in islice(simulate(AZUL, table.state.setup, Random(moves), state=table.state), moves):
        table.do(step.move).look()
    (step,) = islice(simulate(AZUL, table.state.setup, Random(9), state=table.state), 1)
    table.do(step.move)
    sighting = imagine_json(shown(table.state))
    board = sighting.boards[seat]
    name = sorted(board.cells)[cell]
    wrong = dict.fromkeys(".?BYRKW1", 1e-5) | {letter: 0.9999}
    boards = list(sighting.boards)
    boards[seat] = replace(board, cells={**board.cells, name: wrong})
    misread = replace(sighting, boards=tuple(boards))
    for again in (False, True, True):
        assert not table.follower.see(misread, again).findings


def test_walls_are_tiled_in_any_order_and_looked_at_in_between(table):
    follower = table.follower
    for step in simulate(AZUL, table.state.setup, Random(4), policy=play_randomly, state=table.state):
        unsettled = AZUL.enact(follower.state, step.move)
        if unsettled != step.state:
            break
        table.do(step.move).look()
    assert table.look(unsettled).moves == (step.move,)
    half = step.state._replace(boards=(unsettled.boards[0], *step.state.boards[1:]))
    assert half.boards[0] != step.state.boards[0]
    assert not table.look(half).is_news
    outcome = table.look(step.state)
    assert not outcome.is_news
    assert not outcome.question
    assert follower.state == step.state


def test_a_wrong_cube_is_told_and_holds_up_nothing(table):
    def miskept(told):
        told["boards"][1]["score"] = 7
        return told

    outcomes = [table.look(change=miskept) for _ in range(3)]
    assert [len(outcome.scores) for outcome in outcomes] == [0, 0, 1]
    assert outcomes[-1].scores[0].violation.rule == "AZ-SU-04"
    assert outcomes[-1].scores[0].box
    move = Take(1, 2, "K", 3)
    assert table.do(move).look(change=miskept).moves == (move,)


def test_a_cell_that_goes_on_to_contradict_the_game_is_asked_about_and_holds_up_nothing(table):
    def misread(told):
        told["boards"][1]["floor"] = "R"
        return told

    outcomes = [table.look(change=misread) for _ in range(4)]
    assert [bool(outcome.question) for outcome in outcomes] == [False, False, True, False]
    question = outcomes[2].question
    assert (question.seat, question.cell) == (2, "floor.1")
    assert set(question.choices) == {".", "R"}
    assert question.box
    assert outcomes[3].disputed == {(2, "floor.1")}
    move = Take(1, 2, "K", 3)
    outcome = table.do(move).look(change=misread)
    assert outcome.moves == (move,)
    assert not outcome.findings


def test_what_people_say_of_a_cell_is_not_outvoted_by_looking(table):
    def misread(told):
        told["boards"][1]["floor"] = "R"
        return told

    table.follower.agree(table.state, Known(words={(2, "floor.1"): "."}))
    for move in (None, Take(1, 2, "K", 3), Take(2, 3, "R", 4), None):
        outcome = (table.do(move) if move else table).look(change=misread)
        assert outcome.moves == ((move,) if move else ())
        assert not outcome.question
        assert not outcome.findings
        assert not outcome.undone


PUT_RIGHT = Fill((DISCS[0], "KKRY", *DISCS[2:]))
"""The filling with another tile on the second disc."""


def test_a_disc_that_was_misread_is_set_right_by_later_looks(table):
    table.state = AZUL.correct(table.state, {"factory.2": "KKRY"}, 0)
    assert not table.look().is_news
    outcome = table.look()
    assert (outcome.undone, outcome.moves) == (1, (PUT_RIGHT,))
    assert table.follower.state == table.state
    assert not table.look().is_news


def test_a_disc_is_corrected_where_the_filling_was_not_seen(table):
    table.follower.agree(table.state)
    table.state = AZUL.correct(table.state, {"factory.2": "KKRY"}, 0)
    table.look()
    assert table.look().moves == (Correct(0, (("factory.2", "KKRY"),), SEEN_OTHERWISE),)


def test_a_breach_in_the_last_take_of_a_round_is_not_taken_for_a_move_in_progress(table):
    """Walls are tiled, so the move is over: what happened is told or asked, not waited for."""
    for step in simulate(AZUL, table.state.setup, Random(3), state=table.state):
        if AZUL.enact(table.state, step.move).phase != "draft":
            break
        table.do(step.move).look()
    (last,) = AZUL.legal_moves(table.state)[:1]
    wrong = next(
        move
        for move in AZUL.pseudo_moves(table.state)
        if AZUL.violations(table.state, move) and not move.slips and move.seat == last.seat and move.line
    )
    outcome = table.do(wrong).look()
    assert outcome.question or outcome.findings


def test_a_tile_mistaken_on_its_disc_is_set_right_when_it_is_taken(table):
    table.state = AZUL.correct(table.state, {"factory.2": "KKRY"}, 0)
    move = Take(1, 2, "R", 3)
    outcome = table.do(move).look()
    assert (outcome.undone, outcome.moves) == (1, (PUT_RIGHT, move))
    assert not outcome.findings


def test_a_tile_mistaken_on_its_way_to_the_centre_is_set_right_when_it_is_taken(table):
    table.state = AZUL.correct(table.state, {"factory.2": "KKRY"}, 0)
    moves = Take(1, 2, "K", 3), Take(2, 0, "R", 1)
    assert table.do(moves[0]).look().moves == moves[:1]
    outcome = table.do(moves[1]).look()
    assert (outcome.undone, outcome.moves) == (2, (PUT_RIGHT, *moves)), "the round is told again from its filling on"
    assert not outcome.findings
    assert table.follower.state == table.state


def test_nobody_is_accused_of_what_may_be_a_tile_that_was_mistaken(table):
    """A tile was mistaken on its way to the centre and another is overlooked: no tile was taken from two places."""
    table.state = AZUL.correct(table.state, {"factory.2": "KWWY"}, 0)
    table.do(Take(1, 2, "Y", 1)).look()

    def overlooked(told):
        told["factories"][2]["tiles"] = "RRR"
        return told

    outcome = table.do(Take(2, 0, "W", 2)).look(change=overlooked)
    assert not outcome.findings
    assert "centre=KWW 2:0W>2" in outcome.question.choices


def test_a_game_ends_although_the_last_sweeps_leave_no_mark():
    table, start = At.__new__(At), AZUL.start(AZUL.setup("grey", 3))
    bare = start.boards[0]
    won = bare._replace(wall=("BYRKW", *bare.wall[1:]), floor="R")
    forgotten = bare._replace(lines=("B", *bare.lines[1:]))
    boards = won, bare, forgotten
    before = start._replace(boards=boards, phase="tile", unswept=(1, 2), round=5)
    table.state = AZUL.correct(before, {}, 0)
    table.follower = Follower(AZUL, table.state)
    table.look()
    assert table.do(Sweep(1)).look().moves == (Sweep(1), Sweep(2))
    assert table.follower.state.phase == OVER


def test_what_nobody_can_tell_by_looking_is_asked_with_its_choices(table):
    table.do(Take(1, 2, "K", 1, (Slip("hidden", "K"),))).look()
    outcome = table.do(Take(2, 3, "R", 4)).look()
    assert outcome.question
    assert "1:2K>1!hidden=K 2:3R>4" in outcome.question.choices
    assert "1:2K>1!kept=K 2:3R>4" in outcome.question.choices
    assert not outcome.findings


@pytest.mark.parametrize("text", ["-", "1:2K>3 2:3R>4", "factory.2=KKRY 1:2K>3", "1:2K>1!hidden=K"])
def test_choices_are_read_as_they_are_written(text):
    assert choice(AZUL, parse_choice(AZUL, text)) == text


def test_a_cell_of_moves_that_were_seen_is_asked_about_and_never_set_right_by_looking(table):
    def otherwise(told):
        told["boards"][1]["floor"] = "R"
        return told

    outcomes = [table.look(change=otherwise) for _ in range(3 * LASTING)]
    assert [outcome.question.cell for outcome in outcomes if outcome.question] == ["floor.1"]
    assert not any(outcome.moves or outcome.findings for outcome in outcomes)


def test_what_people_say_of_a_cell_is_never_set_right_by_looking(table):
    def otherwise(told):
        told["boards"][1]["floor"] = "R"
        return told

    table.follower.agree(table.state, Known(words={(2, "floor.1"): "."}))
    assert not any(table.look(change=otherwise).is_news for _ in range(3 * LASTING))
