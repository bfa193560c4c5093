"""What a person says about cells: taken over, with all tiles still there, or refused."""

from collections import Counter

import pytest

from engine import EngineError


@pytest.fixture
def state(edition, lay):
    return lay(
        edition,
        factories="BGRR/BBYY",
        centre="GP",
        tower="RRY",
        stars={"O": "12", "C": "3"},
        corners="G..P",
        reserve="GGR",
        score=9,
        seats={2: {"reserve": "B"}},
    )


def all_tiles(edition, state):
    return Counter("".join(edition.heaps(state).values()))


CORRECTIONS = [
    (1, {"score": 17}),
    (1, {"score": -2}),
    (2, {"star.O.1": "O"}),
    (1, {"star.O.1": "."}),
    (1, {"star.O.1": "R"}),
    (1, {"star.C.6": "B"}),
    (1, {"reserve": ""}),
    (1, {"reserve": "PPPPPP"}),
    (1, {"corner.1": "."}),
    (1, {"corner.2": "Y"}),
    (0, {"centre": ""}),
    (0, {"centre": "BBBBB", "factory.1": "RRGB"}),
    (0, {"factory.2": "YYYY", "factory.5": "OOOO"}),
    (0, {"supply.1": ".", "supply.10": "R"}),
    (2, {"star.P.6": "P", "corner.4": "G", "reserve": "RRRR", "score": 8}),
]


@pytest.mark.parametrize(("seat", "cells"), CORRECTIONS, ids=str)
def test_all_tiles_are_still_there(edition, state, seat, cells):
    corrected = edition.correct(state, cells, seat)
    assert all_tiles(edition, corrected) == Counter("PGOYBR" * 22)
    assert edition.parse_state(edition.format_state(corrected)) == corrected


@pytest.mark.parametrize(("seat", "cells"), CORRECTIONS, ids=str)
def test_cells_are_what_the_person_says_and_the_others_stay(edition, state, seat, cells):
    corrected = edition.correct(state, cells, seat)
    for cell, value in cells.items():
        assert read(corrected, cell, seat) == (value if isinstance(value, int) else "".join(sorted(value)))
    untouched = {other: board for other, board in enumerate(state.boards, 1) if other != seat}
    assert {other: corrected.boards[other - 1] for other in untouched} == untouched
    if seat:
        assert (corrected.factories, corrected.centre, corrected.supply) == (
            state.factories,
            state.centre,
            state.supply,
        )
    assert (corrected.phase, corrected.seat, corrected.marker) == (state.phase, state.seat, state.marker)


def read(state, cell, seat):
    """What lies in a cell of a state."""
    board = state.boards[seat - 1]
    match cell.split("."):
        case ["score" | "reserve" as name]:
            return getattr(board, name)
        case ["corner", i]:
            return board.corners[int(i) - 1]
        case ["star", star, slot]:
            return board.stars["ORBYGPC".index(star)][int(slot) - 1]
        case ["factory", disc]:
            return state.factories[int(disc) - 1]
        case ["supply", i]:
            return state.supply[int(i) - 1]
    return state.centre


def test_tiles_come_from_the_tower_before_the_bag(edition, state):
    corrected = edition.correct(state, {"reserve": "BRRR"}, 2)
    assert (corrected.tower, state.bag.count("R") - corrected.bag.count("R")) == ("Y", 1)


def test_tiles_that_were_never_there_go_into_the_tower(edition, state):
    corrected = edition.correct(state, {"reserve": "R"}, 1)
    assert (corrected.tower, corrected.bag) == ("GGRRY", state.bag)


def test_a_tile_that_was_mistaken_for_another_is_exchanged_with_the_bag(edition, state):
    held = state.boards[0].reserve
    corrected = edition.correct(state, {"reserve": held.replace(held[0], "P", 1)}, 1)
    assert (corrected.tower, len(corrected.bag)) == (state.tower, len(state.bag))


def test_turn_and_token(edition, state):
    corrected = edition.correct(state, {"turn": 2, "marker": 1}, 0)
    assert (corrected.seat, corrected.marker) == (2, 1)
    assert {move.seat for move in edition.legal_moves(corrected)} == {2}
    assert corrected.boards == state.boards
    assert edition.correct(corrected, {"marker": 0}, 0).marker == 0


def test_whose_turn_it_is_has_not_passed(edition, lay):
    state = lay(edition, players=3, passed="23", reserve="O")
    corrected = edition.correct(state, {"turn": 2}, 0)
    assert (corrected.seat, corrected.passed) == (2, (3,))
    assert all(edition.violations(corrected, move) == [] for move in edition.legal_moves(corrected))


def test_there_is_no_turn_between_rounds(edition, lay):
    with pytest.raises(EngineError):
        edition.correct(lay(edition, phase="fill"), {"turn": 1}, 0)


def test_how_far_the_game_is(edition, state):
    """What a bridge sets where moves were missed."""
    placing = edition.correct(state, {"phase": "place", "round": 4, "marker": 1, "turn": 2, "passed": "1"}, 0)
    assert (placing.phase, placing.round, placing.marker, placing.seat, placing.passed) == ("place", 4, 1, 2, (1,))
    bonus = edition.correct(placing, {"phase": "bonus", "owed": 2}, 0)
    assert (bonus.phase, bonus.seat, bonus.owed, bonus.passed) == ("bonus", 2, 2, (1,))
    supply = edition.correct(bonus, {"phase": "supply"}, 0)
    assert (supply.phase, supply.seat, supply.owed, supply.passed) == ("fill", 2, 0, (1,))
    between = edition.correct(supply, {"phase": "fill", "starter": 2, "bag": state.bag + state.tower}, 0)
    assert (between.phase, between.seat, between.starter, between.passed, between.tower) == ("fill", 0, 2, (), "")


@pytest.mark.parametrize("cells", [{"passed": "1"}, {"passed": "22"}, {"passed": "7"}, {"owed": 1}, {"starter": 0}])
def test_who_moves_has_not_passed_and_is_owed_nothing_while_drafting(edition, state, cells):
    with pytest.raises(EngineError):
        edition.correct(state, cells, 0)


def test_no_more_bonus_tiles_are_due_than_lie_there(edition, lay):
    state = edition.correct(lay(edition, phase="bonus1", owed=3, supply="RG........"), {"supply.1": "."}, 0)
    assert [edition.format_move(move) for move in edition.legal_moves(state)] == ["1:bonus=G"]
    assert edition.violations(state, edition.parse_move("1:bonus=G")) == []


@pytest.mark.parametrize(
    ("seat", "cells"),
    [
        (1, {"hand": "B"}),
        (1, {"": "B"}),
        (1, {"star.W.1": "B"}),
        (1, {"star.O.0": "O"}),
        (1, {"star.O.7": "O"}),
        (1, {"star.OR.1": "O"}),
        (1, {"star.O.1.1": "O"}),
        (1, {"star.O.1": "OO"}),
        (1, {"star.O.1": "K"}),
        (1, {"star.O.1": "C"}),
        (1, {"star.O.1": "?"}),
        (1, {"star.O.1": ""}),
        (1, {"star.O.1": 1}),
        (1, {"corner.5": "G"}),
        (1, {"corner.0": "G"}),
        (1, {"corner.1": "GG"}),
        (1, {"corner.1": ""}),
        (1, {"reserve": "K"}),
        (1, {"reserve": "G."}),
        (1, {"reserve": 3}),
        (1, {"score": "4"}),
        (1, {"score": True}),
        (1, {"score": 1.5}),
        (1, {"score": 99999}),
        (1, {"centre": "B"}),
        (0, {"star.O.1": "O"}),
        (0, {"reserve": "O"}),
        (0, {"centre": "1"}),
        (0, {"centre": "K"}),
        (0, {"centre": 3}),
        (0, {"factory.0": "B"}),
        (0, {"factory.6": "B"}),
        (0, {"factory.x": "B"}),
        (0, {"supply.0": "B"}),
        (0, {"supply.11": "B"}),
        (0, {"supply.1": "BB"}),
        (0, {"supply.1": "?"}),
        (0, {"turn": 3}),
        (0, {"turn": "1"}),
        (0, {"turn": 0}),
        (0, {"marker": 3}),
        (0, {"marker": True}),
        (0, {"centre": "B" * 23}),
        (1, {"reserve": "R" * 20}),
        (3, {"score": 4}),
        (-1, {"score": 4}),
    ],
    ids=str,
)
def test_nonsense_is_refused(edition, state, seat, cells):
    with pytest.raises(EngineError):
        edition.correct(state, cells, seat)
