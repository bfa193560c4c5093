"""What a person says about cells: taken over, with all tiles still there, or refused."""

from collections import Counter

import pytest

from engine import EngineError


@pytest.fixture
def state(edition, lay):
    return lay(
        edition,
        factories="BKRR/BBYY",
        centre="KW",
        lid="RRY",
        lines={2: "R", 4: "BB"},
        wall={1: "B..K.", 3: "..B.."},
        floor="W",
        score=4,
    )


def all_tiles(edition, state):
    return Counter("".join(edition.heaps(state).values()))


CORRECTIONS = [
    (1, {"score": 17}),
    (1, {"score": -2}),
    (2, {"wall.1.1": "B"}),
    (1, {"wall.1.1": "."}),
    (1, {"wall.1.1": "Y"}),
    (1, {"line.4": "BBBB"}),
    (1, {"line.4": "...."}),
    (1, {"line.4.1": "B"}),
    (1, {"line.2.2": "."}),
    (1, {"line.3": "BRK"}),
    (1, {"floor": "KY"}),
    (1, {"floor": ""}),
    (1, {"floor": "W.K"}),
    (0, {"centre": ""}),
    (0, {"centre": "BBBBB", "factory.1": "RRKB"}),
    (0, {"factory.2": "YYYY", "factory.5": "WWWW"}),
    (2, {"line.1": "B", "line.2": "KK", "wall.5.5": "B", "floor": "RRRR", "score": 8}),
]


@pytest.mark.parametrize(("seat", "cells"), CORRECTIONS, ids=str)
def test_all_tiles_are_still_there(edition, state, seat, cells):
    corrected = edition.correct(state, cells, seat)
    assert all_tiles(edition, corrected) == Counter("BYRKW" * 20)
    assert edition.parse_state(edition.format_state(corrected)) == corrected


@pytest.mark.parametrize(("seat", "cells"), CORRECTIONS, ids=str)
def test_cells_are_what_the_person_says_and_the_others_stay(edition, state, seat, cells):
    corrected = edition.correct(state, cells, seat)
    for cell, value in cells.items():
        assert read(corrected, cell, seat) == ("".join(sorted(value)) if seat == 0 else value)
    untouched = {other: board for other, board in enumerate(state.boards, 1) if other != seat}
    assert {other: corrected.boards[other - 1] for other in untouched} == untouched
    if seat:
        assert (corrected.factories, corrected.centre) == (state.factories, state.centre)
    assert (corrected.phase, corrected.seat, corrected.marker) == (state.phase, state.seat, state.marker)


def read(state, cell, seat):
    """What lies in a cell of a state."""
    board = state.boards[seat - 1]
    match cell.split("."):
        case ["score" | "floor" as name]:
            return getattr(board, name)
        case ["line", row, *place]:
            line = board.lines[int(row) - 1]
            return line[int(place[0]) - 1] if place else line
        case ["wall", row, column]:
            return board.wall[int(row) - 1][int(column) - 1]
        case ["factory", disc]:
            return state.factories[int(disc) - 1]
    return state.centre


def test_tiles_come_from_the_lid_before_the_bag(edition, state):
    corrected = edition.correct(state, {"line.5": "RRR.."}, 2)
    assert (corrected.lid, state.bag.count("R") - corrected.bag.count("R")) == ("Y", 1)


def test_tiles_that_were_never_there_go_into_the_lid(edition, state):
    corrected = edition.correct(state, {"line.4": "...."}, 1)
    assert (corrected.lid, corrected.bag) == ("BBRRY", state.bag)


@pytest.mark.parametrize(("seat", "cells"), [(0, {"factory.1": "BKKR"}), (0, {"centre": "WK"}), (1, {"line.2.2": "K"})])
def test_a_tile_that_was_mistaken_for_another_is_exchanged_with_the_bag(edition, state, seat, cells):
    """It was drawn out of the bag as that other: a later filling must find there what really is."""
    corrected = edition.correct(state, cells, seat)
    assert corrected.lid == state.lid
    assert len(corrected.bag) == len(state.bag)


def test_what_the_bag_held_is_set_with_the_rest_in_the_lid(edition, state):
    poured = edition.correct(state, {"bag": state.lid + state.bag}, 0)
    assert (poured.bag, poured.lid) == ("".join(sorted(state.bag + state.lid)), "")
    assert all_tiles(edition, poured) == all_tiles(edition, state)
    assert edition.correct(poured, {"bag": state.bag}, 0) == state


def test_turn_and_marker(edition, state):
    corrected = edition.correct(state, {"turn": 2, "marker": 1}, 0)
    assert (corrected.seat, corrected.marker) == (2, 1)
    assert {move.seat for move in edition.legal_moves(corrected)} == {2}
    assert corrected.boards == state.boards


def test_a_single_floor_cell(edition, state):
    assert edition.correct(state, {"floor.2": "K"}, 1).boards[0].floor == "WK"
    assert edition.correct(state, {"floor.1": "."}, 1).boards[0].floor == ""


@pytest.mark.parametrize(
    ("seat", "cells"),
    [
        (1, {"hand": "B"}),
        (1, {"": "B"}),
        (1, {"wall": "B"}),
        (1, {"wall.6.1": "B"}),
        (1, {"wall.1.0": "B"}),
        (1, {"wall.1.1.1": "B"}),
        (1, {"wall.1.1": "BB"}),
        (1, {"wall.1.1": "G"}),
        (1, {"wall.1.1": "?"}),
        (1, {"wall.1.1": "1"}),
        (1, {"wall.1.1": ""}),
        (1, {"wall.1.1": 1}),
        (1, {"line.2": "BBB"}),
        (1, {"line.2": "B"}),
        (1, {"line.2.3": "B"}),
        (1, {"line.2": "B?"}),
        (1, {"floor": "BBBBBBBB"}),
        (1, {"floor": "11"}),
        (1, {"floor": "?"}),
        (1, {"floor.8": "B"}),
        (1, {"score": "4"}),
        (1, {"score": True}),
        (1, {"score": 1.5}),
        (1, {"score": 99999}),
        (1, {"centre": "B"}),
        (0, {"wall.1.1": "B"}),
        (0, {"centre": "1"}),
        (0, {"centre": "G"}),
        (0, {"centre": 3}),
        (0, {"bag": 3}),
        (0, {"bag": "B" * 21}),
        (0, {"factory.0": "B"}),
        (0, {"factory.6": "B"}),
        (0, {"factory.x": "B"}),
        (0, {"turn": 3}),
        (0, {"turn": "1"}),
        (0, {"turn": 0}),
        (0, {"marker": 3}),
        (0, {"marker": True}),
        (0, {"centre": "B" * 21}),
        (1, {"line.5": "YYYYY", "floor": "YYYYYYY", "line.4": "YYYY", "line.3": "YYY"}),
        (3, {"score": 4}),
        (-1, {"score": 4}),
    ],
    ids=str,
)
def test_nonsense_is_refused(edition, state, seat, cells):
    with pytest.raises(EngineError):
        edition.correct(state, cells, seat)
