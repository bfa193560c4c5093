"""How one round leads to the next: who starts, what is refilled from where, and when it is over."""

import random
from collections import Counter

import pytest

from engine import IllegalMoveError


def moves(edition, *texts):
    return [edition.parse_move(text) for text in texts]


def test_first_round(edition):
    state = edition.start(edition.setup("coloured", 3, 2))
    assert (state.phase, state.round, edition.legal_moves(state)) == ("fill", 0, [])
    state = edition.apply(state, edition.deal(state, random.Random(1).sample))
    assert (state.phase, state.round, state.seat, state.starter, state.marker) == ("draft", 1, 2, 2, 0)
    assert [len(disc) for disc in state.factories] == [4] * 7
    assert len(state.bag) == 100 - 28


def test_turns_go_clockwise_to_the_last_tile(edition, lay):
    state = lay(edition, players=3, phase="draft2", factories="//////BB", marker=1)
    (take,) = moves(edition, "2:7B>2")
    assert take in edition.legal_moves(state)
    after = edition.apply(state._replace(centre="K"), take)
    assert (after.phase, after.seat) == ("draft", 3)
    after = edition.apply(after, *moves(edition, "3:0K>1"))
    assert (after.phase, after.seat, after.unswept) == ("tile", 0, (1, 2, 3))


@pytest.mark.parametrize(("marker", "starter"), [(2, 2), (1, 1), (0, 1)])
def test_who_has_the_marker_starts_or_else_the_same_player_again(edition, lay, marker, starter):
    after = edition.settle(lay(edition, phase="tile", marker=marker, round=3))
    assert (after.phase, after.starter, after.round) == ("fill", starter, 3)
    after = edition.apply(after, edition.deal(after, random.Random(1).sample))
    assert (after.seat, after.marker, after.round) == (starter, 0, 4)


def test_the_game_ends_when_everybody_has_tiled(edition, lay):
    state = lay(
        edition,
        phase="tile",
        marker=2,
        wall={1: "BYRK."},
        lines={1: "W"},
        seats={2: {"lines": {2: "RR"}, "floor": "1", "score": 5}},
    )
    after = edition.settle(state)
    assert (after.phase, after.scores) == ("over", (5, 5))
    assert after.boards[1].wall[1] == "...R."
    assert edition.legal_moves(after) == []
    assert edition.implied(after) is None


def test_a_complete_column_or_colour_does_not_end_the_game(edition, lay):
    wall = {1: "B....", 2: "WB...", 3: "K.B..", 4: "R..B.", 5: "Y...B"}
    assert edition.settle(lay(edition, phase="tile", wall=wall)).phase == "fill"


def test_the_game_ends_when_there_is_nothing_to_lay_out(edition, lay):
    state = lay(edition, phase="tile", bag="", lines={3: "BB"})
    assert edition.settle(state).phase == "over"
    assert edition.settle(state._replace(lid="B")).phase == "fill"


def test_the_lid_goes_into_the_bag_when_that_is_empty(edition, lay):
    state = lay(edition, phase="fill", bag="BBBBBB", lid="RRRRRRRRRRRRRRRR")
    after = edition.apply(state, *moves(edition, "fill:BBBB/BBRR/RRRR/RRRR/RRRR"))
    assert (after.bag, after.lid) == ("RR", "")
    early = edition.parse_move("fill:BBBB/BRRR/RRRR/RRRR/RRRR")
    with pytest.raises(IllegalMoveError, match="RECORD"):
        edition.apply(state, early)


def test_the_lid_stays_closed_while_the_bag_suffices(edition, lay):
    state = lay(edition, phase="fill", bag="B" * 20, lid="RRR")
    after = edition.apply(state, *moves(edition, "fill:BBBB/BBBB/BBBB/BBBB/BBBB"))
    assert (after.bag, after.lid) == ("", "RRR")


def test_chance_lays_out_what_there_is(edition, lay):
    state = lay(edition, phase="fill", bag="BBBBBB", lid="RRRR")
    fill = edition.deal(state, random.Random(1).sample)
    assert fill.factories[0] == "BBBB"
    assert Counter(fill.factories[1]) == Counter("BBRR")
    assert fill.factories[2:] == ("RR", "", "")
    after = edition.apply(state, fill)
    assert (after.bag, after.lid, after.phase) == ("", "", "draft")


def test_grey_walls_are_tiled_by_choice_and_floors_swept_by_themselves(edition, lay):
    state = lay(edition, side="grey", phase="tile", lines={2: "RR", 4: "BBBB"}, seats={2: {"lines": {1: "K"}}})
    assert edition.implied(state) is None
    assert edition.settle(state) == state
    # Whose work comes first: seat 1 from the top, then seat 2; but nobody has to wait for another.
    assert edition.choices(state) == moves(edition, *(f"1:2#{column}" for column in range(1, 6)))
    assert {move.seat for move in edition.legal_moves(state)} == {1, 2}
    for text in ("1:2#4", "2:1#5", "1:4#1"):
        assert edition.implied(state) is None
        state = edition.apply(state, edition.parse_move(text))
    assert edition.format_move(edition.implied(state)) == "1:sweep"
    after = edition.settle(state)
    assert (after.phase, after.scores, after.lid) == ("fill", (2, 1), "BBBR")


def test_every_seat_sweeps_once(edition, lay):
    state = lay(edition, phase="tile", floor="B", score=5, seats={2: {"floor": "K", "score": 5}})
    after = edition.apply(state, *moves(edition, "2:sweep"))
    assert (after.phase, after.unswept, after.scores) == ("tile", (1,), (5, 4))
    with pytest.raises(IllegalMoveError):
        edition.apply(after, *moves(edition, "2:sweep"))
    after = edition.apply(after, *moves(edition, "1:sweep"))
    assert (after.phase, after.unswept, after.scores, after.lid) == ("fill", (), (4, 4), "BK")


def test_an_illegal_move_is_refused_with_its_reasons(edition, lay):
    state = lay(edition, factories="RRKY", lines={1: "B"}, wall={1: "..R.."})
    with pytest.raises(IllegalMoveError, match="AZ-PL-03") as refused:
        edition.apply(state, *moves(edition, "1:1R>1"))
    assert {violation.rule for violation in refused.value.violations} == {"AZ-PL-02", "AZ-PL-03", "AZ-PL-04"}
