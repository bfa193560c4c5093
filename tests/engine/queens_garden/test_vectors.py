"""The test vectors of rules/queens-garden.md, each by its id."""

import pytest

from engine import IllegalMoveError
from engine.score import total

COVERED: list[str] = []


def vector(*ids):
    """A test that is the whole of these vectors."""
    COVERED.extend(ids)
    return lambda test: test


def case(vector, *values):
    """A case of a vector."""
    COVERED.append(vector)
    return pytest.param(*values, id=vector)


def rules(violations):
    return [violation.rule for violation in violations]


# ------------------------------------------------------------------------------------------- acquiring


@vector("QG-TV-01")
def test_colour_from_the_top_card(garden, lay):
    state = lay(garden, top="LB1.LB3.LB6.YE2", left=5)
    state = garden.apply(state, garden.parse_move("1:LB1@0.LB3@0.LB6@0"))
    assert state.boards[0].tiles == ("LB1", "LB3", "LB6")
    assert [tuple(card) for card in state.display] == [("", ("YE2",))]
    assert (state.top, state.stack, garden.awaits_chance(state)) == ((), 4, True)
    state = garden.apply(state, garden.parse_move("stack:LB1.DG2.DG3.DP4"))
    assert (state.top, state.stack, state.seat) == (("DG2", "DG3", "DP4", "LB1"), 4, 2)
    for fewer in ("stack:", "stack:LB1.DG2.DG3"):
        with pytest.raises(IllegalMoveError):
            garden.apply(garden.enact(lay(garden, top="LB1"), garden.parse_move("1:LB1@0")), garden.parse_move(fewer))


TWO_BIRDS = {"display": "YE2", "top": "DP5.LB6.LG2.YE2", "left": 3}


@vector("QG-TV-02", "QG-TV-04")
def test_pattern_with_a_duplicate_and_the_card_it_uncovers(garden, lay):
    state = lay(garden, **TWO_BIRDS)
    state = garden.apply(state, garden.parse_move("1:LG2@0.YE2@1"))
    assert state.boards[0].tiles == ("LG2", "YE2")
    assert [tuple(card) for card in state.display] == [("", ()), ("", ("DP5", "LB6", "YE2"))]
    state = garden.apply(state, garden.parse_move("stack:LB1.DG2.DP3.DP4+LG1"))
    assert state.display[0] == ("LG1", ())
    assert len(state.top) == 4
    taking = [move for move in garden.legal_moves(state) if ("xLG1", 1) in getattr(move, "picks", ())]
    assert {garden.format_move(move) for move in taking} == {"2:xLG1@1", "2:LB1@0.xLG1@1"}


@vector("QG-TV-03")
def test_two_identical_hexes(garden, lay):
    state = lay(garden, **TWO_BIRDS)
    assert rules(garden.violations(state, garden.parse_move("1:LG2@0.YE2@0.YE2@1"))) == ["QG-DR-03"]


@vector("QG-TV-23")
def test_storage_of_twelve(garden, lay):
    tiles = "J.J.J.DG1.DG2.DG3.DG4.DG5.DG6.DP1.DP2"
    state = lay(garden, top="LB1.LB2.YE4.LG5", tiles=tiles)
    assert rules(garden.violations(state, garden.parse_move("1:LB1@0.LB2@0"))) == ["QG-DR-04"]
    assert rules(garden.violations(state, garden.parse_move("1:YE4@0"))) == []


@vector("QG-TV-24")
def test_tile_instead_of_a_third_expansion(garden, lay):
    state = lay(garden, top="LG1.DP4.DP5.DP6", display="+LG1", cards="YE5.YE6")
    assert rules(garden.violations(state, garden.parse_move("1:xLG1@1"))) == ["QG-DR-04"]
    assert rules(garden.violations(state, garden.parse_move("1:LG1@0"))) == []


# ---------------------------------------------------------------------------------------------- paying


PAYMENTS = [
    case("QG-TV-05", "DG3.LB3.YE3", "LB3", "DG3.YE3", []),
    case("QG-TV-06", "LB1.LB3.LB5", "LB3", "LB1.LB5", []),
    case("QG-TV-07", "J.J.LB3", "LB3", "J.J", []),
    case("QG-TV-07", "J.LB3.LB6", "LB3", "J.LB6", []),
    case("QG-TV-07", "J.LB3.YE3", "LB3", "J.YE3", []),
    case("QG-TV-08", "J.LB3.LB3", "LB3", "J.LB3", ["QG-PAY-03"]),
    case("QG-TV-09", "LB3.LB5.YE3", "LB3", "LB5.YE3", ["QG-PAY-02"]),
    case("QG-TV-10", "LB1", "LB1", "", []),
]


@pytest.mark.parametrize(("tiles", "tile", "pay", "broken"), PAYMENTS)
def test_payments(garden, lay, tiles, tile, pay, broken):
    state = lay(garden, tiles=tiles)
    move = garden.parse_move(f"1:{tile}>F0" + (f"={pay}" if pay else ""))
    assert rules(garden.violations(state, move)) == broken
    assert (move in garden.legal_moves(state)) is (broken == [])
    if not broken:
        after = garden.apply(state, move)
        assert after.boards[0].garden[0] == tile
        assert sorted(after.tower) == [item for item in pay.split(".") if item not in ("J", "")]
        assert (after.boards[0].tiles, after.boards[0].jokers) == ((), 0)


@vector("QG-TV-22")
def test_purchase(garden, lay):
    state = garden.apply(lay(garden, score=15), garden.parse_move("1:buy>X3"))
    assert (state.boards[0].score, state.boards[0].slots[3]) == (9, 6)
    assert [state.boards[0].garden[i] for i in range(27, 34)] == ["."] * 7
    assert rules(garden.violations(lay(garden, score=5), garden.parse_move("1:buy>X3"))) == ["QG-PAY-06"]


# --------------------------------------------------------------------------------------------- passing


@vector("QG-TV-11")
def test_first_to_pass(garden, lay):
    state = garden.apply(lay(garden), garden.parse_move("1:pass"))
    assert (state.boards[0].score, state.marker, state.passed) == (14, 1, (1,))
    assert garden.apply(state, garden.parse_move("2:pass")).boards[1].score == 15


@vector("QG-TV-12")
def test_discards(garden, lay):
    state = lay(garden, phase="act1", marker=2, passed="2", tiles="LB1.YE2.DP6")
    move = garden.parse_move("1:pass=LB1.YE2")
    assert [line.points for line in garden.score(state, move)] == [-3]
    after = garden.apply(state, move)
    assert (after.boards[0].score, after.boards[0].tiles, after.tower) == (12, ("DP6",), ("LB1", "YE2"))


# ------------------------------------------------------------------------------------------- final score


CARDS = ",".join(f"X{slot}=down" for slot in range(6))
PARTS = {
    "QG-TV-14": ("X1.0=YE1,X1.1=YE2,X1.2=YE3,X1.3=YE6", [12]),
    "QG-TV-15": ("X4.0=LB1,X4.1=YE1,X4.2=LG1,X4.3=DG1,X4.4=LP1", [5]),
    "QG-TV-16": ("X0.0=LB1,X0.1=LB2,X0.2=LB3,X0.3=LB4,X0.4=LB5,X0.5=LB6", [21, 6]),
    "QG-TV-17": ("X2.1=DG3,X2.2=LP3,X2.3=DP3", [9]),
    "QG-TV-18": ("X3.0=LB3,X3.1=LB4,X3.2=LB5,X3.3=LB6", [18]),
    "QG-TV-19": ("X5.3=YE3,X5.4=LG3,X5.5=DG3,X5.0=LP3", [12]),
}


@pytest.mark.parametrize(("cells", "points"), [case(name, *part) for name, part in PARTS.items()])
def test_groups(garden, lay, cells, points):
    state = lay(garden, phase="over", garden=f"{CARDS},{cells}", tiles="-")
    lines = [line for line in garden.bonuses(state) if line.seat == 1]
    assert [line.points for line in lines] == points
    assert all(set(line.cells) == {cell.split("=")[0] for cell in cells.split(",")} for line in lines)


@vector("QG-TV-13", "QG-TV-20")
def test_worked_final_score(garden, lay):
    cells = ",".join(cells for cells, _ in PARTS.values())
    state = lay(garden, phase="over", garden=f"{CARDS},{cells}", tiles="J.J.DP4", score=10)
    lines = [line for line in garden.bonuses(state) if line.seat == 1]
    assert [line.points for line in lines[:2]] == [2, -4]
    assert sorted(line.points for line in lines[2:]) == [5, 6, 9, 12, 12, 18, 21]
    assert total(lines) == 81


@vector("QG-TV-21", "QG-TV-29")
def test_groups_of_two_and_three(garden, lay):
    pair = lay(garden, phase="over", garden="F0=LB1,F1=LB2", tiles="-")
    assert [line for line in garden.bonuses(pair) if line.seat == 1] == []
    three = lay(garden, phase="over", garden="F0=LB1,F1=LB2,F5=LB3", tiles="-")
    assert [(line.points, line.cells) for line in garden.bonuses(three) if line.seat == 1] == [(6, ("F0", "F1", "F5"))]


# ------------------------------------------------------------------------------------------------ jokers


FIVE = "F1=LB2,F2=LB3,F3=LB4,F4=LB5,F5=LB6"


@vector("QG-TV-25")
def test_fountain(garden, lay):
    state = lay(garden, garden=FIVE, tiles="LB1")
    assert garden.apply(state, garden.parse_move("1:LB1>F0")).boards[0].jokers == 1


@vector("QG-TV-26")
def test_three_at_once(garden, lay):
    # F1 touches the fountain and the tips T0 and T1.
    cells = "F0=LB2,F2=LB3,F3=LB4,F4=LB5,F5=LB6,X0=LG2@0,X0.2=DG2,X0.3=DP2,X1=DG4@0,X1.3=LG3,X1.4=DP3,X1.5=DG3"
    cells += ",X2=DP5@5,X2.0=LG6"
    # T0: F0 F1 X0.2 X0.3 X1.4 X1.5; T1: F1 F2 X1.3 X1.4 X2.5 X2.0.
    state = lay(garden, garden=cells, tiles="LB1")
    after = garden.apply(state, garden.parse_move("1:LB1>F1"))
    assert after.boards[0].jokers == 5


@vector("QG-TV-27", "QG-TV-28")
def test_pavilion(garden, lay):
    ring = ["X0.1=LB2", "X0.2=LB3", "X0.3=LB4", "X0.4=LB5"]
    for filled in range(4):
        cells = ",".join(["X0=LB1@0", *ring[:filled]])
        cell, tile = ring[filled].split("=")
        state = lay(garden, garden=cells, tiles=tile + ".J" * (int(tile[2]) - 1))
        pay = "=" + ".".join("J" * (int(tile[2]) - 1))
        assert garden.apply(state, garden.parse_move(f"1:{tile}>{cell}{pay}")).boards[0].jokers == 0
    last = "1:LB6>X0.5=J.J.J.J.J"
    state = lay(garden, garden=",".join(["X0=LB1@0", *ring]), tiles="LB6.J.J.J.J.J")
    assert garden.apply(state, garden.parse_move(last)).boards[0].jokers == 3
    eleven = "DG1.DG2.DG3.DG4.DG5.DG6.DP1.DP2.DP3.DP4.DP5"
    state = lay(garden, garden=",".join(["X0=LB1@0", *ring]), tiles=f"LB6.J.J.J.J.J.{eleven}")
    after = garden.apply(state, garden.parse_move(last)).boards[0]
    assert (len(after.tiles), after.jokers) == (11, 1)


# ------------------------------------------------------------------------------------------- neighbours


NEIGHBOURS = [
    case("QG-TV-30", "F0=LB1,F1=LB2,F5=LB3", "LB1", "F2", ["QG-PL-04"]),
    case("QG-TV-31", "F0=LB1", "YE5", "F1", ["QG-PL-02"]),
    case("QG-TV-31", "F0=LB1", "YE5", "F3", []),
    case("QG-TV-32", "F0=LB1,F2=YE5", "YE1", "F1", []),
    case("QG-TV-33", "F0=LB1,F1=LB4,F3=LB1", "LB2", "F2", ["QG-PL-04"]),
]


@pytest.mark.parametrize(("cells", "tile", "cell", "broken"), NEIGHBOURS)
def test_where_a_hex_may_lie(garden, lay, cells, tile, cell, broken):
    state = lay(garden, garden=cells, tiles=f"J.J.J.J.J.{tile}")
    pay = "=" + ".".join("J" * (int(tile[2]) - 1)) if tile[2] != "1" else ""
    move = garden.parse_move(f"1:{tile}>{cell}{pay}")
    assert rules(garden.violations(state, move)) == broken
    assert (move in garden.legal_moves(state)) is (broken == [])


# ------------------------------------------------------------------------------------------ the wheel


@vector("QG-TV-34")
def test_wheel_and_pavilion(garden, lay, wheel):
    cells = "X0=LB4@0,F2=LB1,F4=YE1"
    state = lay(garden, round=1, phase="count", garden=cells, options={"wheel": wheel}, score=15)
    lines = [line for line in garden.score(state, garden.implied(state)) if line.seat == 1]
    assert [line.points for line in lines] == [4, 6, 1, 1]
    assert garden.settle(state).boards[0].score == 15 + 12
    assert all("synthetic" in str(line.text) for line in lines[:3])


def test_every_vector_is_covered():
    assert sorted(set(COVERED)) == [f"QG-TV-{n:02}" for n in range(1, 35)]
