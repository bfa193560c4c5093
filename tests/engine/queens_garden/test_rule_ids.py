"""Every rule of Queen's Garden by its id: what breaks it and nothing else, and what is like it but does not.

`did` is a move in a state, `seen` a position that lies on the table; where both can show the rule, both stand here.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import IllegalMoveError
from engine.editions.queens_garden.violations import advisories

FORBIDDEN = {"duplicatePayers": "forbid"}


@dataclass(frozen=True)
class Did:
    """A move in a state."""

    move: str
    table: dict[str, Any] = field(default_factory=dict)

    def violations(self, garden, lay):
        state, move = lay(garden, **self.table), garden.parse_move(self.move)
        found = garden.violations(state, move)
        if found:
            with pytest.raises(IllegalMoveError):
                garden.apply(state, move)
        else:
            garden.apply(state, move)
        return found


@dataclass(frozen=True)
class Seen:
    """A position: that of a state, with something shown otherwise on the board of seat 1 or in the middle."""

    shown: dict[str, Any]
    middle: dict[str, Any]
    known: bool
    table: dict[str, Any]

    def violations(self, garden, lay):
        state = lay(garden, **self.table)
        table = json.loads(json.dumps(garden.format_table(garden.table(state))))
        table["boards"][0] |= self.shown
        table |= self.middle
        return garden.table_violations(garden.parse_table(table), state if self.known else None)


def did(move, **table):
    return Did(move, table)


def seen(shown=None, middle=None, known=True, **table):
    return Seen(shown or {}, middle or {}, known, table)


# Before anybody has done anything.
FRESH = {"round": 1, "left": 5, "top": "LB1.LB2.YE3.DP4"}
# Awaiting tiles for the top card after one was moved into the display.
DRAWING = {"phase": "fill2+", "top": "", "left": 3, "display": "YE2"}
# Awaiting the hex of a card without tiles.
TURNING = {"phase": "fill2", "display": "_/YE2"}
OPENING = {"phase": "fill+", "round": 1, "top": "", "left": 0, "supply": 16 + 5}
RING = "X0=LB1@0,X0.1=LB2,X0.2=LB3,X0.3=LB4,X0.4=LB5"
TWELVE = [f"DG{n}" for n in range(1, 7)] + [f"DP{n}" for n in range(1, 7)]
OVER = {"phase": "over", "round": 4, "garden": "F0=LB1,F1=LB2,F5=LB3", "tiles": "J.DP4", "score": 20}

CASES = [
    # ------------------------------------------------------------------------------------------- set-up
    ("QG-SU-01", did("stack:LB1.LB2.LB3.LB4!size@6", **OPENING), did("stack:LB1.LB2.LB3.LB4", **OPENING)),
    (
        "QG-SU-01",
        seen(middle={"stack": {"tiles": ["LB1", "LB2", "YE3", "DP4"], "left": 6}}, **FRESH),
        seen(**FRESH),
    ),
    (
        "QG-SU-01",
        seen(middle={"stack": {"tiles": ["LB1", "LB2", "YE3", "DP4"], "left": 4}}, known=False, **FRESH),
        seen(display="YE2/LB3", round=1, left=2, known=False),
    ),
    ("QG-SU-02", seen({"score": 14}, **FRESH), seen({"score": 15}, **FRESH)),
    ("QG-SU-02", seen({"score": 14}, known=False, **FRESH), seen({"score": 14}, marker=1, known=False, **FRESH)),
    ("QG-SU-02", seen({"storage": {"tiles": ["J", "J"]}}, known=False, **FRESH), seen(known=False, **FRESH)),
    ("QG-SU-03", did("stack:LB1.LB2.LB3", **DRAWING), did("stack:LB1.LB2.LB3", bag="LB1", tower="LB2.LB3", **DRAWING)),
    ("QG-SU-03", did("stack:", **OPENING), did("stack:LB1.LB2.LB3.LB4", **OPENING)),
    ("QG-SU-03", did("stack:LB1.LB2.LB3.LB4.LB5", **DRAWING), did("stack:LB1.LB2.LB3.LB4", **DRAWING)),
    ("QG-SU-03", seen(known=False, **FRESH | {"top": "LB1.LB2.YE3"}), seen(known=False, **FRESH)),
    # ---------------------------------------------------------------------------------------- acquiring
    ("QG-DR-01", did("1:LB1@0.YE2@0", top="LB1.YE2.DG3.DP4"), did("1:LB1@0", top="LB1.YE2.DG3.DP4")),
    ("QG-DR-02", did("1:LB1@0.LB2@0", top="LB1.LB2.LB4.DP4"), did("1:DP4@0.LB4@0", top="LB1.LB2.LB4.DP4")),
    ("QG-DR-02", did("1:LB1@0", top="LB1.LB2.YE1.DP4"), did("1:DP4@0", top="LB1.LB2.YE1.DP4")),
    (
        "QG-DR-02",
        did("1:LB1@0", top="LB1.DP4", display="+LB2/+YE1"),
        did("1:LB1@0.xLB2@1", top="LB1.DP4", display="+LB2"),
    ),
    (
        "QG-DR-03",
        did("1:LB1@0.LB1@1", top="LB1.DP4", display="LB1.LB1"),
        did("1:LB1@1", top="LB1.DP4", display="LB1.LB1"),
    ),
    ("QG-DR-03", did("1:LB1@1.LB1@1", top="DP4", display="LB1.LB1"), did("1:LB1@1", top="DP4", display="LB1.LB1")),
    ("QG-DR-03", did("1:LB1@0.xLB1@1", top="LB1.DP4", display="+LB1"), did("1:xLB1@1", top="LB1.DP4", display="+LB1")),
    (
        "QG-DR-04",
        did("1:LB1@0.LB2@0", top="LB1.LB2.DP4", tiles=".".join(TWELVE[:11])),
        did("1:LB1@0.LB2@0", top="LB1.LB2.DP4", tiles=".".join(TWELVE[:10])),
    ),
    (
        "QG-DR-04",
        did("1:xLB1@1.xLB2@2", top="DP4", display="+LB1/+LB2", cards="YE5"),
        did("1:xLB1@1.xLB2@2", top="DP4", display="+LB1/+LB2"),
    ),
    (
        "QG-DR-04",
        seen({"storage": {"tiles": [*TWELVE, "J"], "expansions": []}}),
        seen({"storage": {"tiles": TWELVE, "expansions": ["LB1", "LB2"]}}),
    ),
    ("QG-DR-04", seen({"storage": {"tiles": [], "expansions": ["LB1", "LB2", "LB3"]}}), seen()),
    ("QG-DR-05", did("1:LB1@0!unmoved", top="LB1.DP4"), did("1:LB1@0", top="LB1.DP4")),
    ("QG-DR-05", did("stack:", **DRAWING), did("stack:+LB1.LB2.LB3", bag="", **DRAWING)),
    ("QG-DR-05", seen(middle={"stack": {"tiles": [], "left": 3}}), seen(middle={"stack": {"left": 3}})),
    ("QG-DR-06", did("stack:", **TURNING), did("stack:+LB1", **TURNING)),
    ("QG-DR-06", did("stack:!unturned@1", **TURNING), did("stack:+LB1", **TURNING)),
    ("QG-DR-06", did("stack:+LB1!turned=LB2@2", **TURNING), did("stack:+LB1", **TURNING)),
    ("QG-DR-06", seen(known=False, display="_/YE2"), seen(known=False, display="+LG1/YE2")),
    (
        "QG-DR-06",
        seen(middle={"display": [{"face": "up", "hex": "LG1", "tiles": ["YE2"]}]}),
        seen(middle={"display": [{"face": "?"}, {"face": "down", "tiles": ["YE2"]}]}),
    ),
    ("QG-DR-07", did("1:YE2@1!face-down=LG1@1", display="YE2"), did("1:YE2@1", display="YE2")),
    ("QG-DR-07", did("1:xLG1@1", display="YE2"), did("1:xLG1@1", display="+LG1")),
    # ------------------------------------------------------------------------------------------ placing
    ("QG-PL-01", did("1:LB1>F0", garden="F0=YE1", tiles="LB1"), did("1:LB1>F1", garden="F0=YE1", tiles="LB1")),
    ("QG-PL-01", did("1:LB1>T0", tiles="LB1"), did("1:LB1>F0", tiles="LB1")),
    ("QG-PL-01", did("1:LB1>X0.c", garden="X0=YE6@0", tiles="LB1"), did("1:LB1>X0.c", garden="X0=down", tiles="LB1")),
    ("QG-PL-01", did("1:LB1>X0.2", tiles="LB1"), did("1:LB1>X0.2", garden="X0=down", tiles="LB1")),
    ("QG-PL-01", seen({"garden": {"fountain": "LB1"}}), seen({"garden": {"F0": "LB1"}})),
    ("QG-PL-01", seen({"garden": {"X0.2": "LB1"}}), seen({"garden": {"X0": {"face": "down"}, "X0.2": "LB1"}})),
    ("QG-PL-02", did("1:LB1>F0", garden="F1=YE2", tiles="LB1"), did("1:LB1>F0", garden="F1=YE2,F5=LB3", tiles="LB1")),
    (
        "QG-PL-02",
        did("1:xLB1>X0@3", garden="F0=YE2", cards="LB1"),
        did("1:xLB1>X0@2", garden="F0=YE2", cards="LB1"),
    ),
    (
        "QG-PL-02",
        seen({"garden": {"F0": "LB1", "F1": "YE2"}}),
        seen({"garden": {"F0": "LB1", "F1": "YE2", "F2": "YE3"}}),
    ),
    ("QG-PL-02", seen({"garden": {"F0": "LB1", "F1": "YE2"}}), seen({"garden": {"F0": "LB1", "F1": "YE2", "F2": "?"}})),
    ("QG-PL-03", did("1:LB1>F0", garden="F1=LB1", tiles="LB1"), did("1:LB1>F0", garden="F2=LB1", tiles="LB1")),
    ("QG-PL-03", seen({"garden": {"F0": "LB1", "F1": "LB1"}}), seen({"garden": {"F0": "LB1", "F2": "LB1"}})),
    (
        "QG-PL-04",
        did("1:LB1>F2", garden="F0=LB1,F1=LB2", tiles="LB1"),
        did("1:YE1>F2", garden="F0=LB1,F1=YE2", tiles="YE1"),
    ),
    (
        "QG-PL-04",
        did("1:LB1>F1", garden="F0=LB2,F2=LB2", tiles="LB1"),
        did("1:LB1>F1", garden="F0=LB2,F2=LB3", tiles="LB1"),
    ),
    (
        "QG-PL-04",
        seen({"garden": {"F0": "LB1", "F1": "LB2", "F2": "LB1"}}),
        seen({"garden": {"F0": "LB1", "F1": "LB2", "F3": "LB1"}}),
    ),
    ("QG-PL-05", did("1:J>F0"), did("1:LB1>F0", tiles="LB1.J")),
    ("QG-PL-05", seen({"garden": {"F0": "J"}}), seen({"garden": {"F0": "LB1"}})),
    ("QG-PL-06", did("1:LB1>F0!display@0", top="LB1.DP4"), did("1:LB1>F0", top="LB1.DP4", tiles="LB1")),
    ("QG-PL-06", did("1:LB1>F0"), did("1:LB1>F0", tiles="LB1")),
    ("QG-PL-06", did("1:xLB1>X0@0!display@1", display="+LB1"), did("1:xLB1>X0@0", cards="LB1")),
    (
        "QG-PL-07",
        did("1:xLB1>X0@0", garden="X0=down", cards="LB1"),
        did("1:xLB1>X1@0", garden="X0=down", cards="LB1"),
    ),
    ("QG-PL-07", did("1:buy>X6"), did("1:buy>X5")),
    ("QG-PL-07", did("1:buy>X0", garden="X0=LB1@0"), did("1:buy>X1", garden="X0=LB1@0")),
    ("QG-PL-08", did("1:xLB1>X0@0!laid-down", cards="LB1"), did("1:xLB1>X0@0", cards="LB1")),
    ("QG-PL-08", did("1:buy>X0!laid-up=LB1@2"), did("1:buy>X0")),
    ("QG-PL-09", did("1:pass!moved@0>2", garden="F0=LB1"), did("1:pass", garden="F0=LB1")),
    ("QG-PL-09", did("1:pass!removed@0", garden="F0=LB1"), did("1:pass", garden="F0=LB1")),
    ("QG-PL-09", did("1:pass!rotated@0>3", garden="X0=LB1@0"), did("1:pass", garden="X0=LB1@0")),
    # ------------------------------------------------------------------------------------------- paying
    ("QG-PAY-01", did("1:LB3>F0=J", tiles="LB3.J.J"), did("1:LB3>F0=J.J", tiles="LB3.J.J")),
    ("QG-PAY-01", did("1:LB1>F0=J", tiles="LB1.J"), did("1:LB1>F0", tiles="LB1.J")),
    ("QG-PAY-02", did("1:LB3>F0=LB1.YE3", tiles="LB1.LB3.YE3"), did("1:LB3>F0=DG3.YE3", tiles="DG3.LB3.YE3")),
    ("QG-PAY-02", did("1:LB2>F0=DP5", tiles="LB2.DP5"), did("1:LB2>F0=DP2", tiles="LB2.DP2")),
    ("QG-PAY-02", did("1:xLB2>X0@0=DP5", cards="LB2", tiles="DP5"), did("1:xLB2>X0@0=LB5", cards="LB2", tiles="LB5")),
    ("QG-PAY-03", did("1:LB3>F0=J.LB3", tiles="LB3.LB3.J"), did("1:LB3>F0=J.LB4", tiles="LB3.LB4.J")),
    ("QG-PAY-03", did("1:LB2>F0=xLB2", tiles="LB2", cards="LB2"), did("1:LB2>F0=xLB3", tiles="LB2", cards="LB3")),
    (
        "QG-PAY-04",
        did("1:LB2>F0=LB3!borrowed=LB3@2", tiles="LB2", seats={2: {"tiles": "LB3"}}),
        did("1:LB2>F0=LB3", tiles="LB2.LB3", seats={2: {"tiles": "LB3"}}),
    ),
    ("QG-PAY-04", did("1:LB2>F0=LB3", tiles="LB2"), did("1:LB2>F0=LB3", tiles="LB2.LB3")),
    (
        "QG-PAY-05",
        did("1:LB3>F0=YE3.YE3", tiles="LB3.YE3.YE3", options=FORBIDDEN),
        did("1:LB3>F0=YE3.YE3", tiles="LB3.YE3.YE3"),
    ),
    (
        "QG-PAY-05",
        did("1:LB3>F0=YE3.xYE3", tiles="LB3.YE3", cards="YE3", options=FORBIDDEN),
        did("1:LB3>F0=DG3.xYE3", tiles="LB3.DG3", cards="YE3", options=FORBIDDEN),
    ),
    ("QG-PAY-06", did("1:buy>X0", score=5), did("1:buy>X0", score=6)),
    ("QG-PAY-06", did("1:buy>X0!price@5"), did("1:buy>X0")),
    # ------------------------------------------------------------------------------------------- jokers
    (
        "QG-JO-01",
        did("1:LB6>X0.5=J.J.J.J.J!jokers@2", garden=RING, tiles="LB6.J.J.J.J.J"),
        did("1:LB6>X0.5=J.J.J.J.J", garden=RING, tiles="LB6.J.J.J.J.J"),
    ),
    ("QG-JO-01", did("1:LB1>F0!jokers@1", tiles="LB1"), did("1:LB1>F0", tiles="LB1")),
    (
        "QG-JO-02",
        did("1:LB6>X0.5=J.J.J.J.J!jokers@3", garden=RING, tiles=".".join(["LB6.J.J.J.J.J", *TWELVE[:11]])),
        did("1:LB6>X0.5=J.J.J.J.J", garden=RING, tiles=".".join(["LB6.J.J.J.J.J", *TWELVE[:11]])),
    ),
    # -------------------------------------------------------------------------------------------- turns
    ("QG-PA-01", did("1:pass!unpaid"), did("1:pass", marker=2, passed="2")),
    ("QG-PA-01", did("1:pass!marker@2"), did("1:pass")),
    ("QG-PA-01", did("1:pass!marker@1", marker=2, passed="2"), did("1:pass", marker=2, passed="2")),
    ("QG-PA-01", seen(middle={"first_player": 2}), seen(middle={"first_player": 0})),
    (
        "QG-PA-02",
        did("2:LB1>F0", marker=2, passed="2", seats={2: {"tiles": "LB1"}}),
        did("1:LB1>F0", marker=2, passed="2", tiles="LB1"),
    ),
    ("QG-PA-02", did("2:pass", marker=2, passed="2"), did("1:pass", marker=2, passed="2")),
    ("QG-PA-03", did("1:LB1>F0!discarded=LB2", tiles="LB1.LB2"), did("1:pass=LB2", tiles="LB1.LB2")),
    ("QG-PA-03", did("1:pass=LB2!uncharged", tiles="LB1.LB2"), did("1:pass=LB2", tiles="LB1.LB2")),
    ("QG-PA-03", did("1:pass=J"), did("1:pass=LB1", tiles="LB1.J")),
    (
        "QG-TU-01",
        did("2:LB1>F0", seats={2: {"tiles": "LB1"}}),
        did("2:LB1>F0", phase="act2", seats={2: {"tiles": "LB1"}}),
    ),
    # ------------------------------------------------------------------------------------------- scores
    ("QG-SC-01", seen({"score": 16}), seen({"score": 15})),
    (
        "QG-SC-01",
        did("count!miscounted@1>2", phase="count", garden="X0=LB1@0"),
        did("count", phase="count", garden="X0=LB1@0"),
    ),
    ("QG-SC-02", seen({"score": -1}, known=False), seen({"score": 0}, known=False)),
    ("QG-EN-01", seen({"score": 24}, **OVER), seen({"score": 23}, **OVER)),
    ("QG-EN-01", seen({"score": 19}, **OVER), seen({"score": 20}, **OVER)),
    (
        "QG-INV-01",
        seen({"storage": {"tiles": ["LB1", "LB1", "LB1", "LB1"]}}),
        seen({"storage": {"tiles": ["LB1", "LB1", "LB1"], "expansions": ["LB1"]}}),
    ),
    (
        "QG-INV-01",
        seen({"storage": {"tiles": [], "expansions": ["LB1"]}}, display="+LB1"),
        seen({"storage": {"tiles": [], "expansions": ["LB2"]}}, display="+LB1"),
    ),
    ("QG-INV-01", did("stack:+LG1", cards="LG1", **TURNING), did("stack:+LG2", cards="LG1", **TURNING)),
]

# ---------------------------------------------------------------------------------------------- points

POINTS = [
    ("QG-PT-01", did("count", phase="count", garden="F0=LB1"), 0, did("1:pass")),
    ("QG-PT-02", did("count", phase="count", garden="X0=LB1@0"), 1, did("count", phase="count", garden="X0=down")),
    ("QG-PT-03", did("1:pass"), -1, did("1:pass", marker=2, passed="2")),
    ("QG-PT-04", did("1:pass=LB1.YE2", tiles="LB1.YE2"), -3, did("1:pass", tiles="LB1.YE2")),
    ("QG-PT-05", did("1:buy>X0"), -6, did("1:xLB1>X0@0", cards="LB1")),
]
FINAL: list[tuple[str, dict[str, Any], int, dict[str, Any]]] = [
    ("QG-PT-06", {"tiles": "J.J"}, 2, {"tiles": "-"}),
    ("QG-PT-07", {"tiles": "LB4", "cards": "YE3"}, -7, {"tiles": "J"}),
    ("QG-PT-08", {"garden": "F0=LB1,F1=LB2,F2=LB4"}, 7, {"garden": "F0=LB1,F1=LB2"}),
    (
        "QG-PT-09",
        {"garden": "F0=LB1,F1=LB2,F2=LB3,F3=LB4,F4=LB5,F5=LB6"},
        6,
        {"garden": "F0=LB1,F1=LB2,F2=LB3,F3=LB4,F4=LB5"},
    ),
]


@pytest.mark.parametrize(("rule", "breach", "near"), CASES, ids=[f"{case[0]}-{n}" for n, case in enumerate(CASES)])
def test_rule(garden, lay, rule, breach, near):
    assert {violation.rule for violation in breach.violations(garden, lay)} == {rule}
    assert near.violations(garden, lay) == []


@pytest.mark.parametrize(("rule", "move", "points", "near"), POINTS, ids=[case[0] for case in POINTS])
def test_points_of_moves(garden, lay, rule, move, points, near):
    def lines(did):
        state = lay(garden, **did.table)
        found = garden.score(state, garden.parse_move(did.move))
        return [line.points for line in found if line.rule == rule and line.seat == 1]

    assert lines(move) == [points]
    assert lines(near) == []


@pytest.mark.parametrize(("rule", "board", "points", "near"), FINAL, ids=[case[0] for case in FINAL])
def test_points_of_the_end(garden, lay, rule, board, points, near):
    def lines(board):
        state = lay(garden, phase="over", round=4, **{"score": 30, **board})
        return [line.points for line in garden.bonuses(state) if line.rule == rule and line.seat == 1]

    assert lines(board) == [points]
    assert lines(near) == []


def test_record_names_what_no_rule_does(garden, lay):
    cases: list[tuple[str, dict[str, Any]]] = [
        ("1:LB1@0", {"top": "DP4"}),
        ("1:pass=LB1", {}),
        ("1:buy>X0", {"supply": 0}),
        ("stack:LB1", {}),
        ("count", {}),
        ("1:pass", {"phase": "over"}),
        ("1:pass!nonsense", {}),
        ("stack:LB1.LB2.LB3.LB4", {**DRAWING, "bag": "DP1.DP2.DP3.DP4"}),
        ("stack:DP1.LB1.LB2.LB3", {**DRAWING, "bag": "DP1.DP2", "tower": "LB1.LB2.LB3"}),
        ("stack:DP1.DP2.DP3.LB1", {**DRAWING, "bag": "DP1.DP2.DP3.DP4", "tower": "LB1"}),
        ("stack:+LB1.LB2", TURNING),
    ]
    for move, table in cases:
        state = lay(garden, **table)
        assert "RECORD" in {violation.rule for violation in garden.violations(state, garden.parse_move(move))}, move


def test_identical_payers_are_advised_against_where_they_are_allowed(garden, lay):
    move = garden.parse_move("1:LB3>F0=YE3.YE3")
    allowed = lay(garden, tiles="LB3.YE3.YE3")
    assert [advice.rule for advice in advisories(allowed, move)] == ["QG-PAY-05"]
    assert advisories(lay(garden, tiles="LB3.YE3.YE3", options=FORBIDDEN), move) == []
    assert advisories(allowed, garden.parse_move("1:pass")) == []
    assert advisories(allowed, garden.parse_move("1:J>F0")) == []


def test_every_rule_is_covered(garden):
    covered = {case[0] for case in (*CASES, *POINTS, *FINAL)}
    assert covered | {"RECORD"} == set(garden.rulebook)


def test_every_rule_of_the_rules_file_is_in_the_rulebook(garden):
    groups = {"SU": 3, "DR": 7, "PL": 9, "PAY": 6, "JO": 2, "PA": 3, "TU": 1, "SC": 2, "EN": 1, "INV": 1}
    ids = {f"QG-{group}-{number:02}" for group, count in groups.items() for number in range(1, count + 1)}
    assert ids <= set(garden.rulebook)
    assert {rule for rule in garden.rulebook if not rule.startswith("QG-PT-")} == ids | {"RECORD"}
