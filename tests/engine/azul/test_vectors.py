"""The test vectors of the rules files of Azul and Azul Mini, each by its id."""

import json

import pytest

from engine import IllegalMoveError, load
from engine.score import total

PRINT = ("BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB")
"""The colours printed on the wall, from the rules file."""

COVERED: list[str] = []


def case(vector, *values):
    """A case of a vector, which says by its id for which edition it is."""
    COVERED.append(vector)
    return pytest.param(load("azul-mini" if vector.startswith("AZM") else "azul"), *values, id=vector)


def vector(*ids):
    """A test that is the whole of these vectors."""
    return pytest.mark.parametrize("edition", [case(name) for name in ids])


def wall_of(cells):
    """A wall with these cells filled as printed: `r1c2 r2c1`."""
    filled = {(int(cell[1]), int(cell[3])) for cell in cells.split()}
    return {
        row: "".join(PRINT[row - 1][c - 1] if (row, c) in filled else "." for c in range(1, 6)) for row in range(1, 6)
    }


def play_implied(edition, state):
    """Every move that is not a choice, one by one: the state after them, and all points."""
    lines = []
    while (move := edition.implied(state)) is not None:
        lines += edition.score(state, move)
        state = edition.apply(state, move)
    return state, lines


def rules(violations):
    return [violation.rule for violation in violations]


# ------------------------------------------------------------------------------------------- drafting


@vector("AZ-TV-08", "AZM-TV-01")
def test_rest_of_the_disc_goes_to_the_centre(edition, lay):
    state = edition.apply(lay(edition, factories="KKWY"), edition.parse_move("1:1K>2"))
    assert (state.factories[0], state.centre, state.boards[0].lines[1]) == ("", "WY", "KK")


@vector("AZM-TV-02")
def test_rest_of_the_disc_joins_what_lies_in_the_centre(edition, lay):
    state = edition.apply(lay(edition, factories="/RRRY", centre="WY"), edition.parse_move("1:2Y>1"))
    assert (state.factories[1], state.centre, state.boards[0].lines[0]) == ("", "RRRWY", "Y")


@vector("AZ-TV-09", "AZM-TV-03")
def test_first_take_from_the_centre_brings_the_marker(edition, lay):
    state = edition.apply(lay(edition, factories="YRRR"), edition.parse_move("1:1Y>1"))
    assert (state.centre, state.marker, state.seat) == ("RRR", 0, 2)
    state = edition.apply(state, edition.parse_move("2:0R>3"))
    taker = state.boards[1]
    assert (taker.lines[2], taker.floor, state.marker) == ("RRR", "1", 2)


@vector("AZ-TV-07", "AZM-TV-04")
def test_where_two_yellow_tiles_may_go(edition, lay):
    state = lay(edition, factories="YYRW", wall={2: "..Y..", 3: "...Y."}, lines={4: "B"})
    takes = {line: edition.parse_move(f"1:1Y>{line}") for line in range(6)}
    legal = {move.line for move in edition.legal_moves(state) if (move.source, move.colour) == (1, "Y")}
    assert legal == {0, 1, 5}
    broken = {line: rules(edition.violations(state, move)) for line, move in takes.items()}
    assert broken == {0: [], 1: [], 2: ["AZ-PL-04"], 3: ["AZ-PL-04"], 4: ["AZ-PL-03"], 5: []}
    for line in (2, 3, 4):
        with pytest.raises(IllegalMoveError):
            edition.apply(state, takes[line])
    board = edition.apply(state, takes[1]).boards[0]
    assert (board.lines[0], board.floor) == ("Y", "Y")
    assert edition.apply(state, takes[5]).boards[0].lines[4] == "...YY"


@vector("AZ-TV-10")
def test_line_is_filled_from_right_to_left(edition, lay):
    state, move = lay(edition, factories="KRYY", lines={4: "..YY"}), edition.parse_move("1:1Y>4")
    assert move in edition.legal_moves(state)
    board = edition.apply(state, move).boards[0]
    assert (board.lines[3], board.floor) == ("YYYY", "")


@vector("AZ-TV-22")
def test_overflow_of_line_and_floor(edition, lay):
    state = lay(edition, factories="RRRR", floor="KKWWYY", score=20)
    state = edition.apply(state, edition.parse_move("1:1R>1"))
    board = state.boards[0]
    assert (board.lines[0], board.floor, state.lid) == ("R", "KKWWYYR", "RR")
    sweeps = edition.score(state, edition.parse_move("1:sweep"))
    assert total(sweeps) == -14


# --------------------------------------------------------------------------------------------- tiling


PLACEMENTS = [
    case("AZ-TV-01", "", "r2c4", 1),
    case("AZM-TV-06", "", "r2c4", 1),
    case("AZ-TV-02", "r1c2 r2c1 r2c4 r2c5 r4c2 r5c4 r5c5", "r2c3", 3),
    case("AZM-TV-07", "r1c2 r2c1 r2c4 r2c5 r4c2 r5c4 r5c5", "r2c3", 3),
    case("AZ-TV-03", "r1c2 r1c4 r1c5 r2c3 r2c4 r2c5 r4c2 r4c3 r5c4 r5c5", "r3c3", 3),
    case("AZM-TV-08", "r1c2 r1c4 r1c5 r2c3 r2c4 r2c5 r4c2 r4c3 r5c4 r5c5", "r3c3", 3),
    case("AZ-TV-04", "r1c2 r1c4 r1c5 r2c3 r2c4 r2c5 r3c2 r3c3 r3c5 r4c2 r4c3 r5c4 r5c5", "r3c4", 7),
    case("AZM-TV-09", "r1c2 r1c4 r1c5 r2c3 r2c4 r2c5 r3c2 r3c3 r3c5 r4c2 r4c3 r5c4 r5c5", "r3c4", 7),
    case("AZ-TV-11", "r1c2 r2c1", "r1c1", 4),
    case("AZ-TV-12", "r1c1 r1c3 r3c1 r3c3", "r2c2", 1),
    case("AZ-TV-13", "r3c1 r3c2 r3c4 r3c5 r1c3 r2c3 r4c3 r5c3", "r3c3", 10),
]


@pytest.mark.parametrize(("edition", "cells", "cell", "points"), PLACEMENTS)
def test_placement_points(edition, lay, cells, cell, points):
    row, column = int(cell[1]), int(cell[3])
    colour = PRINT[row - 1][column - 1]
    state = lay(edition, phase="tile", marker=1, wall=wall_of(cells), lines={row: colour * row}, score=5)
    move = edition.parse_move(f"1:{row}#{column}")
    assert total(edition.score(state, move)) == points
    after = edition.apply(state, move).boards[0]
    assert (after.score, after.wall[row - 1][column - 1]) == (5 + points, colour)


@vector("AZ-TV-06", "AZM-TV-05")
def test_complete_lines_move_and_incomplete_ones_stay(edition, lay):
    lines = {2: "RR", 3: "BB", 4: "BBBB", 5: "YYY"}
    state = lay(edition, phase="tile", marker=2, lines=lines)
    after, points = play_implied(edition, state)
    board = after.boards[0]
    assert [(line.points, line.cells) for line in points] == [(1, ("wall.2.4",)), (1, ("wall.4.4",))]
    assert board.wall == (".....", "...R.", ".....", "...B.", ".....")
    assert board.lines == (".", "..", ".BB", "....", "..YYY")
    assert (board.score, after.lid) == (2, "BBBR")
    assert edition.settle(state) == after


@vector("AZ-TV-14")
def test_rows_are_tiled_from_the_top(edition, lay):
    state = lay(edition, phase="tile", marker=1, lines={1: "B", 2: "WW"})
    after, points = play_implied(edition, state)
    assert [(line.points, line.cells) for line in points] == [
        (1, ("wall.1.1",)),
        (2, ("wall.1.1", "wall.2.1")),
    ]
    assert after.boards[0].score == edition.settle(state).boards[0].score == 3


@vector("AZ-TV-05", "AZM-TV-10")
def test_floor_with_the_marker(edition, lay):
    state = lay(edition, phase="tile", marker=1, floor="B1WWY", score=20)
    assert total(edition.score(state, edition.parse_move("1:sweep"))) == -8
    after = edition.apply(state, edition.parse_move("1:sweep"))
    assert (after.boards[0].score, after.boards[0].floor, after.lid) == (12, "", "BWWY")
    assert after.marker == 1


@vector("AZ-TV-15")
def test_floor_of_every_length(edition, lay):
    costs = []
    for items in range(9):
        # The eighth tile finds no cell, so it is thrown into the lid when it is taken.
        full = lay(edition, factories="B", floor="K" * (items - 1), score=20)
        state = edition.apply(full, edition.parse_move("1:1B>0")) if items else lay(edition, phase="tile", score=20)
        assert len(state.boards[0].floor) == min(items, 7)
        costs.append(20 - edition.settle(state).boards[0].score)
    assert costs == [0, 1, 2, 4, 6, 8, 11, 14, 14]


@vector("AZ-TV-16")
def test_score_does_not_fall_below_nothing(edition, lay):
    state = lay(edition, phase="tile", floor="KKKKK", score=3)
    assert edition.settle(state).boards[0].score == 0
    assert total(edition.score(state, edition.parse_move("1:sweep"))) == -3


@vector("AZ-TV-17")
def test_floor_is_charged_after_all_wall_points(edition, lay):
    state = lay(edition, phase="tile", wall=wall_of("r1c2 r2c1"), lines={1: "B"}, floor="KKKKK", score=3)
    after, points = play_implied(edition, state)
    assert [line.points for line in points] == [4, -7]
    assert after.boards[0].score == edition.settle(state).boards[0].score == 0


# ------------------------------------------------------------------------------------------ grey side


BLOCKED = [
    # Each free cell of the line's row has a blue tile above or below it.
    case("AZ-TV-23", 3, {1: ".B...", 3: "Y.RK.", 4: "....B"}, -4, {"AZ-VA-03"}),
    case("AZM-TV-14", 4, {1: "B....", 2: "..B..", 4: ".Y.RK"}, -6, {"AZ-VA-03", "AZM-VA-01"}),
]


@pytest.mark.parametrize(("edition", "row", "wall", "cost", "stayed"), BLOCKED)
def test_blocked_line_drops_to_the_floor(edition, lay, row, wall, cost, stayed):
    table = {"side": "grey", "wall": wall, "lines": {row: "B" * row}, "score": 20}
    state = lay(edition, phase="tile", **table)
    own = [edition.format_move(move) for move in edition.legal_moves(state) if move.seat == 1]
    assert own == [f"1:{row}#0"]
    after = edition.apply(state, edition.parse_move(own[0]))
    assert (after.boards[0].lines[row - 1], after.boards[0].floor, after.lid) == ("." * row, "B" * row, "")
    assert total(edition.score(after, edition.parse_move("1:sweep"))) == cost

    # Left on its line it is named, when the floor is swept as well as when the next round lies there.
    assert set(rules(edition.violations(state, edition.parse_move("1:sweep")))) == stayed
    next_round = lay(edition, factories="YYYY/RRRR/KKKK/WWWW/YRKW", **table)
    assert set(rules(edition.table_violations(edition.table(next_round), next_round))) == stayed


# ------------------------------------------------------------------------------------- end of the game


ROW = "r1c1 r1c2 r1c3 r1c4 r1c5"
COLUMN = "r1c1 r2c1 r3c1 r4c1 r5c1"
BLUE = "r1c1 r2c2 r3c3 r4c4 r5c5"
EVERYTHING = " ".join(f"r{row}c{column}" for row in range(1, 6) for column in range(1, 6))

BONUSES = [
    case("AZ-TV-18", {f"{ROW} {COLUMN} {BLUE}": [2, 7, 10]}),
    case("AZ-TV-19", {EVERYTHING: [2] * 5 + [7] * 5 + [10] * 5}),
    case("AZM-TV-11", {ROW: [2], COLUMN: [7], BLUE: [10]}),
]


@pytest.mark.parametrize(("edition", "walls"), BONUSES)
def test_bonuses_of_the_end(edition, lay, walls):
    for cells, points in walls.items():
        state = lay(edition, phase="over", wall=wall_of(cells), score=7)
        lines = edition.bonuses(state)
        assert [line.points for line in lines] == points
        assert {line.seat for line in lines} == {1}
        assert state.scores == (7, 0)


ONE_ROW = wall_of(ROW)
TWO_ROWS = wall_of(f"{ROW} r2c1 r2c2 r2c3 r2c4 r2c5")

WINNERS = [
    # Fifty points each, with the bonuses of their rows.
    case("AZ-TV-20", {"wall": ONE_ROW, "score": 48}, {"wall": TWO_ROWS, "score": 46}, (2,)),
    case("AZM-TV-12", {"wall": TWO_ROWS, "score": 46}, {"wall": ONE_ROW, "score": 48}, (1,)),
    case("AZ-TV-21", {"wall": ONE_ROW, "score": 48}, {"wall": ONE_ROW, "score": 48}, (1, 2)),
    case("AZM-TV-13", {"wall": TWO_ROWS, "score": 46}, {"wall": TWO_ROWS, "score": 46}, (1, 2)),
]


@pytest.mark.parametrize(("edition", "one", "two", "winners"), WINNERS)
def test_winners(edition, lay, one, two, winners):
    state = lay(edition, phase="over", seats={2: two}, **one)
    totals = [
        score + total(line for line in edition.bonuses(state) if line.seat == seat)
        for seat, score in enumerate(state.scores, 1)
    ]
    assert totals == [50, 50]
    assert edition.winners(state) == winners


@vector("AZM-TV-15")
def test_sliders(edition, lay):
    state = lay(edition, score=37)
    table = edition.format_table(edition.table(state))
    assert table["boards"][0]["sliders"] == {"tens": 3, "units": 7}
    table["boards"][0]["score"] = None
    seen = edition.parse_table(json.loads(json.dumps(table)))
    assert edition.table_violations(seen, state) == []
    (violation,) = edition.table_violations(seen, lay(edition, score=36))
    assert (violation.rule, violation.seat, violation.cell) == ("AZM-SC-01", 1, "score")


def test_every_vector_is_covered():
    rulebooks = [f"AZ-TV-{n:02}" for n in range(1, 24)] + [f"AZM-TV-{n:02}" for n in range(1, 16)]
    assert sorted(COVERED) == rulebooks
