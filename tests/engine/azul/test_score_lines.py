"""Every point with its reason: the rule, the cells that it comes from, and a sentence."""

import pytest

CROWDED = {1: ".Y.KW", 2: "..YRK", 3: ".WB.R", 4: ".KW..", 5: "...WB"}
"""The wall of the rules' third and fourth scoring examples."""


@pytest.mark.parametrize(
    ("table", "move", "points", "cells", "text"),
    [
        ({"lines": {2: "RR"}}, "1:2#4", 1, "wall.2.4", "red in row 2, column 4: no neighbour"),
        (
            {"lines": {1: "Y"}, "wall": {1: "B.RK."}},
            "1:1#2",
            4,
            "wall.1.1 wall.1.2 wall.1.3 wall.1.4",
            "yellow in row 1, column 2: 4 across",
        ),
        (
            {"lines": {3: "BBB"}, "wall": {1: "..R..", 2: "..Y..", 4: "..W.."}},
            "1:3#3",
            4,
            "wall.1.3 wall.2.3 wall.3.3 wall.4.3",
            "blue in row 3, column 3: 4 down",
        ),
        (
            {"lines": {3: "YYY"}, "wall": CROWDED},
            "1:3#4",
            7,
            "wall.1.4 wall.2.4 wall.3.2 wall.3.3 wall.3.4 wall.3.5",
            "yellow in row 3, column 4: 4 across and 3 down",
        ),
        (
            {"lines": {5: "RRRRR"}, "wall": {1: "..R.."}, "side": "grey"},
            "1:5#5",
            1,
            "wall.5.5",
            "red in row 5, column 5: no neighbour",
        ),
        (
            # Laid in the wrong row, a tile scores where it lies.
            {"lines": {5: "RRRRR"}, "wall": {1: "BY..."}},
            "1:5#3!other-row@1",
            3,
            "wall.1.1 wall.1.2 wall.1.3",
            "red in row 1, column 3: 3 across",
        ),
    ],
)
def test_wall_tile(edition, lay, table, move, points, cells, text):
    state = lay(edition, phase="tile", **table)
    (line,) = edition.score(state, edition.parse_move(move))
    assert (line.seat, line.points, line.rule, line.cells) == (1, points, "AZ-PT-01", tuple(cells.split()))
    assert str(line.text) == text
    assert edition.enact(state, edition.parse_move(move)).boards[0].score == points


@pytest.mark.parametrize(
    ("floor", "score", "points", "cells", "text"),
    [
        ("B", 9, -1, "floor.1", "floor line: 1 cell costs 1"),
        ("B1W", 9, -4, "floor.1 floor.2 floor.3", "floor line: 3 cells cost 4"),
        ("B.1", 9, -3, "floor.1 floor.3", "floor line: 2 cells cost 3"),
        ("...B", 9, -2, "floor.4", "floor line: 1 cell costs 2"),
        ("BB", 1, -1, "floor.1 floor.2", "floor line: 2 cells cost 2, but no score falls below 0"),
        ("BB", 2, -2, "floor.1 floor.2", "floor line: 2 cells cost 2"),
    ],
)
def test_floor(edition, lay, floor, score, points, cells, text):
    state = lay(edition, phase="tile", floor=floor, score=score, marker=int("1" in floor))
    (line,) = edition.score(state, edition.parse_move("1:sweep"))
    assert (line.seat, line.points, line.rule, line.cells) == (1, points, "AZ-PT-02", tuple(cells.split()))
    assert str(line.text) == text
    assert edition.apply(state, edition.parse_move("1:sweep")).boards[0].score == score + points


@pytest.mark.parametrize("move", ["1:sweep", "1:3#0"])
def test_nothing_to_score(edition, lay, move):
    blocked = {"side": "grey", "wall": {1: ".B...", 3: "Y.RK.", 4: "....B"}, "lines": {3: "BBB"}}
    assert edition.score(lay(edition, phase="tile", score=9, **blocked), edition.parse_move(move)) == []


def test_takes_score_nothing(edition, lay):
    assert edition.score(lay(edition, factories="RRKY", floor="B"), edition.parse_move("1:1R>2")) == []


def test_bonuses(edition, lay):
    wall = {1: "B.RKW", 2: "WBYRK", 3: "K.BYR", 4: "R..BY", 5: "Y...B"}
    state = lay(edition, phase="over", seats={2: {"wall": wall}})
    told = [
        (line.seat, line.rule, line.points, " ".join(line.cells), str(line.text)) for line in edition.bonuses(state)
    ]
    assert told == [
        (2, "AZ-PT-03", 2, "wall.2.1 wall.2.2 wall.2.3 wall.2.4 wall.2.5", "row 2 is complete"),
        (2, "AZ-PT-04", 7, "wall.1.1 wall.2.1 wall.3.1 wall.4.1 wall.5.1", "column 1 is complete"),
        (2, "AZ-PT-04", 7, "wall.1.5 wall.2.5 wall.3.5 wall.4.5 wall.5.5", "column 5 is complete"),
        (
            2,
            "AZ-PT-05",
            10,
            "wall.1.1 wall.2.2 wall.3.3 wall.4.4 wall.5.5",
            "all five blue tiles are on the wall",
        ),
    ]


def test_a_colour_anywhere_on_a_grey_wall(edition, lay):
    wall = {1: "..R..", 2: "R....", 3: "....R", 4: ".R...", 5: "...R."}
    (line,) = edition.bonuses(lay(edition, phase="over", side="grey", wall=wall))
    assert (line.rule, line.points) == ("AZ-PT-05", 10)
    assert line.cells == ("wall.1.3", "wall.2.1", "wall.3.5", "wall.4.2", "wall.5.4")
