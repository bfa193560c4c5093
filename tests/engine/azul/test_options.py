"""The options of the rules file: each changes what it should and nothing else, and nonsense is refused."""

import pytest

from engine import EditionError
from engine.score import total

USUAL = ["BYRKW", "WBYRK", "KWBYR", "RKWBY", "YRKWB"]
SHIFTED = ["WBYRK", "BYRKW", "YRKWB", "RKWBY", "KWBYR"]
"""Another printed wall: white in the first corner, blue below it."""
BLOCKED = {"side": "grey", "wall": {1: ".B...", 3: "Y.RK.", 4: "....B"}, "lines": {3: "BBB"}}


def swept(edition, state):
    return edition.apply(state, edition.parse_move("1:sweep"))


@pytest.mark.parametrize(
    ("penalties", "cost"),
    [(None, 14), ([0, 0, 0, 0, 0, 0, 5], 5), ([-2, -2, -2, -2, -2, -2, -2], 14), ([3, 3, 3, 3, 3, 3, 3], 21)],
)
def test_floor_penalties(edition, lay, penalties, cost):
    options = {"floorPenalties": penalties} if penalties else {}
    state = lay(edition, phase="tile", floor="KKKKKKK", score=30, options=options)
    assert swept(edition, state).boards[0].score == edition.settle(state).boards[0].score == 30 - cost


@pytest.mark.parametrize(
    ("bonuses", "points"),
    [
        ({}, [2, 7, 10]),
        ({"row": 3, "col": 5, "colour": 20}, [3, 5, 20]),
        ({"col": 0}, [2, 0, 10]),
    ],
)
def test_bonuses(edition, lay, bonuses, points):
    wall = {1: "BYRKW", 2: "WB...", 3: "K.B..", 4: "R..B.", 5: "Y...B"}
    state = lay(edition, phase="over", wall=wall, options={"bonuses": bonuses})
    assert [line.points for line in edition.bonuses(state)] == points


def test_bonuses_decide_who_wins(edition, lay):
    table = {"phase": "over", "wall": {1: "BYRKW"}, "score": 10, "seats": {2: {"score": 13}}}
    assert edition.winners(lay(edition, **table)) == (2,)
    assert edition.winners(lay(edition, **table, options={"bonuses": {"row": 4}})) == (1,)


@pytest.mark.parametrize(("least", "score", "after"), [(0, 3, 0), (-5, 3, -5), (-100, 3, -11), (2, 3, 2)])
def test_score_min(edition, lay, least, score, after):
    state = lay(edition, phase="tile", floor="KKKKKKK", score=score, options={"scoreMin": least})
    assert swept(edition, state).boards[0].score == after
    assert total(edition.score(state, edition.parse_move("1:sweep"))) == after - score


def test_score_min_is_what_may_be_shown(edition, lay):
    state = lay(edition, centre="B", score=-4, options={"scoreMin": -5})
    shown = edition.table(state)
    assert "AZ-SC-02" not in {violation.rule for violation in edition.table_violations(shown, state)}
    below = lay(edition, centre="B", score=-6, options={"scoreMin": -5})
    rules = {violation.rule for violation in edition.table_violations(edition.table(below), below)}
    assert "AZ-SC-02" in rules


def test_wall_pattern_says_where_tiles_go(edition, lay):
    table = {"phase": "tile", "lines": {1: "W"}}
    usual, own = lay(edition, **table), lay(edition, **table, options={"wallPattern": SHIFTED})
    assert edition.settle(usual).boards[0].wall[0] == "....W"
    assert edition.settle(own).boards[0].wall[0] == "W...."
    elsewhere = edition.parse_move("1:1#5")
    assert edition.violations(usual, elsewhere) == []
    assert [violation.rule for violation in edition.violations(own, elsewhere)] == ["AZ-WT-03"]


def test_wall_pattern_says_what_may_be_shown(edition, lay):
    own = lay(edition, wall={1: "W...."}, score=1, options={"wallPattern": SHIFTED})
    assert edition.table_violations(edition.table(own), own) == []
    wrong = lay(edition, wall={1: "....W"}, score=1, options={"wallPattern": SHIFTED})
    (violation,) = edition.table_violations(edition.table(wrong), wrong)
    assert (violation.rule, violation.cell) == ("AZ-WT-03", "wall.1.5")


@pytest.mark.parametrize(("option", "floor", "lid"), [("floor", "BBB", ""), ("lid", "", "BBB")])
def test_grey_no_fit(edition, lay, option, floor, lid):
    state = lay(edition, phase="tile", options={"greyNoFit": option}, **BLOCKED)
    after = edition.apply(state, edition.parse_move("1:3#0"))
    assert (after.boards[0].floor, after.lid, after.boards[0].lines[2]) == (floor, lid, "...")


@pytest.mark.parametrize(("option", "cost"), [("noPenalty", 14), ("lastPenalty", 17)])
def test_marker_when_the_floor_is_full(edition, lay, option, cost):
    table = {"centre": "R", "floor": "KKKKKKK", "score": 30, "options": {"markerWhenFloorFull": option}}
    state = edition.apply(lay(edition, **table), edition.parse_move("1:0R>1"))
    assert (state.boards[0].floor, state.marker) == ("KKKKKKK", 1)
    after = edition.settle(state)
    # The red tile in row 1 brings one point.
    assert after.boards[0].score == 30 + 1 - cost
    assert after.starter == 1


def test_marker_with_room_costs_once(edition, lay):
    table = {"centre": "R", "floor": "K", "score": 30, "options": {"markerWhenFloorFull": "lastPenalty"}}
    state = edition.apply(lay(edition, **table), edition.parse_move("1:0R>1"))
    assert (state.boards[0].floor, edition.settle(state).boards[0].score) == ("K1", 30 + 1 - 2)


def test_explicit_tiling(edition, lay):
    table = {"phase": "tile", "lines": {1: "B"}, "floor": "K", "score": 5}
    usual, explicit = lay(edition, **table), lay(edition, **table, options={"explicitTiling": True})
    assert edition.format_move(edition.implied(usual)) == "1:1#1"
    assert edition.implied(explicit) is None
    assert edition.settle(explicit) == explicit
    for text in ("1:1#1", "1:sweep", "2:sweep"):
        explicit = edition.apply(explicit, edition.parse_move(text))
    assert explicit.boards == edition.settle(usual).boards
    assert explicit.phase == edition.settle(usual).phase == "fill"


WRITTEN = [
    ("coloured", {}),
    ("coloured", {"wallPattern": SHIFTED}),
    ("coloured", {"floorPenalties": [0, 0, 0, 0, 0, 0, 0]}),
    ("coloured", {"bonuses": {"row": 1, "col": 7, "colour": 10}}),
    ("coloured", {"scoreMin": -14, "trackMax": 200}),
    ("grey", {"greyNoFit": "lid", "markerWhenFloorFull": "lastPenalty", "explicitTiling": True}),
]


@pytest.mark.parametrize(("side", "options"), WRITTEN)
def test_options_round_trip(edition, side, options):
    setup = edition.setup(side, 2, 1, options)
    assert edition.format_options(setup) == options


@pytest.mark.parametrize(
    ("side", "options"),
    [
        ("coloured", {"wallPattern": USUAL}),
        ("coloured", {"wallPattern": [list(row) for row in USUAL]}),
        ("grey", {"wallPattern": None}),
        ("coloured", {"floorPenalties": [-1, -1, -2, -2, -2, -3, -3]}),
        ("coloured", {"bonuses": {"colour": 10}}),
        ("coloured", {"scoreMin": 0, "trackMax": 100, "greyNoFit": "floor", "markerWhenFloorFull": "noPenalty"}),
        ("coloured", {"explicitTiling": False}),
    ],
)
def test_what_is_usual_is_not_written(edition, side, options):
    setup = edition.setup(side, 2, 1, options)
    assert edition.format_options(setup) == {}
    assert setup == edition.setup(side, 2, 1)


@pytest.mark.parametrize(
    ("side", "name", "value"),
    [
        ("coloured", "floorPenalty", 3),
        ("coloured", "floorPenalties", [1, 1, 2, 2, 2, 3]),
        ("coloured", "floorPenalties", [1, 1, 2, 2, 2, 3, 3, 3]),
        ("coloured", "floorPenalties", [1, 1, 2, 2, 2, 3, 3.5]),
        ("coloured", "floorPenalties", "1122233"),
        ("coloured", "floorPenalties", 14),
        ("coloured", "floorPenalties", None),
        ("coloured", "bonuses", {"rows": 2}),
        ("coloured", "bonuses", {"row": "2"}),
        ("coloured", "bonuses", [2, 7, 10]),
        ("coloured", "scoreMin", None),
        ("coloured", "scoreMin", "0"),
        ("coloured", "scoreMin", True),
        ("coloured", "scoreMin", 10**9),
        ("coloured", "trackMax", 99.5),
        ("coloured", "wallPattern", None),
        ("coloured", "wallPattern", USUAL[:4]),
        ("coloured", "wallPattern", [*USUAL[:4], "BBYRK"]),
        ("coloured", "wallPattern", [*USUAL[:4], "GYRKW"]),
        ("coloured", "wallPattern", 5),
        ("grey", "wallPattern", USUAL),
        ("grey", "greyNoFit", "bag"),
        ("grey", "greyNoFit", None),
        ("coloured", "markerWhenFloorFull", "double"),
        ("coloured", "markerWhenFloorFull", 3),
        ("coloured", "explicitTiling", 1),
        ("coloured", "explicitTiling", "yes"),
    ],
)
def test_options_that_make_no_sense(edition, side, name, value):
    with pytest.raises(EditionError, match=name):
        edition.setup(side, 2, 1, {name: value})


@pytest.mark.parametrize(
    ("side", "players", "first", "problem"),
    [
        ("beige", 2, 1, "coloured or grey"),
        ("coloured", 1, 1, "2 to 4"),
        ("coloured", 5, 1, "2 to 4"),
        ("coloured", 2, 0, "1 to 2"),
        ("grey", 3, 4, "1 to 3"),
    ],
)
def test_set_ups_that_do_not_exist(edition, side, players, first, problem):
    with pytest.raises(EditionError, match=problem):
        edition.setup(side, players, first)
