"""Every rule of both rulebooks by its id: what breaks it and nothing else, and what is like it but does not.

`did` is a move in a state, `seen` a position that lies on the table; where both can show the rule, both stand here.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import IllegalMoveError, load

FULL = "BBBB/YYYY/RRRR/KKKK/WWWW"
FIVE_DISCS = "fill:BYRK/BYRK/BYRK/BYRK/BYRK"
ALL_BUT_BLUE = {1: ".YRKW", 2: "W.YRK", 3: "KW.YR", 4: "RKW.Y", 5: "YRKW."}
FOUR_WALLS = {"players": 4, "wall": ALL_BUT_BLUE, "seats": {seat: {"wall": ALL_BUT_BLUE} for seat in (2, 3, 4)}}
"""All tiles that are not blue are on the walls."""
BLOCKED = {"side": "grey", "wall": {1: ".B...", 3: "Y.RK.", 4: "....B"}, "lines": {3: "BBB"}}
"""A blue line whose two free cells both have a blue tile in their column."""
EXPLICIT = {"explicitTiling": True}


@dataclass(frozen=True)
class Did:
    """A move in a state."""

    move: str
    table: dict[str, Any] = field(default_factory=dict)

    def violations(self, edition, lay):
        state, move = lay(edition, **self.table), edition.parse_move(self.move)
        found = edition.violations(state, move)
        if found:
            with pytest.raises(IllegalMoveError):
                edition.apply(state, move)
        else:
            edition.apply(state, move)
        return found


@dataclass(frozen=True)
class Seen:
    """A position: that of a state, with something shown otherwise on the board of seat 1."""

    shown: dict[str, Any]
    known: bool
    table: dict[str, Any]

    def violations(self, edition, lay):
        state = lay(edition, **self.table)
        table = json.loads(json.dumps(edition.format_table(edition.table(state))))
        table["boards"][0] |= self.shown
        return edition.table_violations(edition.parse_table(table), state if self.known else None)


def did(move, **table):
    return Did(move, table)


def seen(shown=None, known=True, **table):
    return Seen(shown or {}, known, table)


def both(rule, cell, breach, near, *, beside=(), mini=(), seat=1):
    """A breach that names the rule at this cell and seat, and its near miss.

    No other ids may be named than those `beside`; `mini` are those by which the mini names the same thing again.
    """
    return rule, (cell, seat), breach, near, {"azul": {rule, *beside}, "azul-mini": {rule, *beside, *mini}}


CASES = [
    # ---------------------------------------------------------------------------------------- set-up
    both(
        "AZ-SU-01",
        "",
        did(f"{FIVE_DISCS}/BYRK", phase="fill"),
        did(FIVE_DISCS, phase="fill"),
        seat=0,
    ),
    both(
        "AZ-SU-01",
        "",
        did(FIVE_DISCS, phase="fill", players=3),
        did(f"{FIVE_DISCS}/BYRK/BYRK", phase="fill", players=3),
        seat=0,
    ),
    both(
        "AZ-SU-01",
        "",
        seen(factories=f"{FULL}/BYRK/BYRK"),
        seen(factories=f"{FULL}/BYRK/BYRK", players=3),
        seat=0,
    ),
    both(
        "AZ-SU-01",
        "",
        seen(factories=f"{FULL}/BYRK/BYRK/BYRK/BYRK", players=3),
        seen(factories=f"{FULL}/BYRK/BYRK/BYRK/BYRK", players=4),
        seat=0,
    ),
    both(
        "AZ-SU-02",
        "factory.2",
        did("fill:BYRK/BYR/BYRK/BYRK/BYRK", phase="fill"),
        did("fill:BYRK/BYR///", phase="fill", bag="BYRK", lid="BYR"),
        seat=0,
    ),
    both(
        "AZ-SU-02",
        "factory.5",
        did("fill:BYRK/BYRK/BYRK/BYRK/BYRKW", phase="fill"),
        did("fill:BYRK/BYRK/BYRK/BYRK/BYRK", phase="fill"),
        seat=0,
    ),
    both(
        # Nineteen blue tiles on the discs: the twentieth is still in the bag, or lies on a line.
        "AZ-SU-02",
        "factory.5",
        seen(
            factories="BBBB/BBBB/BBBB/BBBB/BBB",
            **FOUR_WALLS,
        ),
        seen(
            factories="BBBB/BBBB/BBBB/BBBB/BBB",
            lines={2: "B"},
            **FOUR_WALLS,
        ),
        seat=0,
    ),
    both("AZ-SU-03", "", seen({"side": "grey"}), seen({"side": "grey"}, side="grey"), mini=["AZM-SU-01"]),
    both(
        "AZ-SU-04",
        "score",
        seen({"score": 3}, round=1, factories=FULL),
        seen({"score": 0}, round=1, factories=FULL),
    ),
    both(
        "AZ-SU-04",
        "score",
        seen({"score": 3, "sliders": None}, known=False, factories=FULL),
        seen(known=False, factories=FULL, wall={1: "BYR.."}, score=3),
    ),
    # -------------------------------------------------------------------------------------- drafting
    both(
        "AZ-DR-01",
        "factory.1",
        did("1:1R>0!extra=K@1", factories="RRKY"),
        did("1:1R>0", factories="RRKY"),
    ),
    both(
        "AZ-DR-01",
        "centre",
        did("1:0R>5!extra=KK@0", centre="RRKKY", marker=2),
        did("1:0K>5", centre="RRKKY", marker=2),
        beside=["AZ-PL-03"],
    ),
    both(
        "AZ-DR-02",
        "factory.1",
        did("1:1R>2!left=R", factories="RRKY"),
        did("1:1R>2", factories="RRKY"),
    ),
    both(
        "AZ-DR-02",
        "centre",
        did("1:0R>2!left=RR", centre="RRRK", marker=2),
        did("1:0R>2", centre="RRRK", marker=2),
    ),
    both(
        "AZ-DR-03",
        "factory.2",
        did("1:1R>3!extra=R@2", factories="RRKY/RKWW"),
        did("1:1R>3", factories="RRKY/RKWW"),
    ),
    both(
        "AZ-DR-03",
        "centre",
        did("1:1R>3!extra=R@0", factories="RRKY", centre="RW", marker=2),
        did("1:0R>3", factories="RRKY", centre="RW", marker=2),
    ),
    both(
        "AZ-DR-04",
        "factory.1",
        did("1:1R>2!unpushed", factories="RRKY"),
        did("1:1R>4", factories="RRRR"),
    ),
    both(
        "AZ-DR-04",
        "factory.1",
        seen(factories="KY/BBWW", centre="RW", lines={2: "RR"}),
        seen(factories="/BBWW", centre="KRWY", lines={2: "RR"}),
        seat=0,
    ),
    both(
        # The last disc got two tiles because there were no more; that is seen from the bag, which is still empty.
        "AZ-DR-04",
        "factory.2",
        seen(factories="BBBB/BB", marker=1, bag="B" * 14, **FOUR_WALLS),
        seen(factories="BBBB/BB", marker=1, bag="", lid="B" * 14, **FOUR_WALLS),
        seat=0,
    ),
    both(
        "AZ-DR-05",
        "centre",
        did("1:0R>1!marker", centre="RK"),
        did("1:0R>1", centre="RK", marker=2),
    ),
    both(
        "AZ-DR-05",
        "centre",
        did("1:1R>2!marker", factories="RRKY"),
        did("1:1R>2", factories="RRKY"),
    ),
    both(
        "AZ-DR-05",
        "centre",
        seen(factories="BBWW", centre="RK", floor="1"),
        seen(factories="BBWW", centre="RK", floor="1", marker=1),
        seat=0,
    ),
    both(
        "AZ-DR-06",
        "floor.3",
        did("1:0R>1!marker-cell@3", centre="RK", floor="B"),
        did("1:0R>1", centre="RK", floor="B"),
    ),
    both("AZ-DR-07", "", did("1:pass", factories="RRKY"), did("1:1R>0", factories="RRKY")),
    both(
        "AZ-DR-07",
        "",
        did("2:1R>2", factories="RRKY"),
        did("2:1R>2", factories="RRKY", phase="draft2"),
        seat=2,
    ),
    both(
        # A round cannot be ended while there is something to take.
        "AZ-DR-07",
        "",
        did(FIVE_DISCS, phase="draft1", centre="R"),
        did(FIVE_DISCS, phase="fill"),
        beside=["RECORD"],
    ),
    both("AZ-DR-08", "factory.1", did("1:1B>1", factories="RRKY"), did("1:1Y>1", factories="RRKY")),
    both("AZ-DR-08", "factory.2", did("1:2R>1", factories="RRKY"), did("1:1R>1", factories="RRKY")),
    both("AZ-DR-08", "factory.6", did("1:6R>1", factories="RRKY"), did("1:1R>1", factories="RRKY")),
    both(
        "AZ-DR-08",
        "centre",
        did("1:0R>1", factories="RRKY", centre="KY"),
        did("1:0R>1", factories="RRKY", centre="RY"),
    ),
    # --------------------------------------------------------------------------------------- placing
    both(
        "AZ-PL-01",
        "line.2",
        did("1:1R>3!split=R@2", factories="RRKY"),
        did("1:1R>3", factories="RRKY", lines={2: "R"}),
    ),
    both(
        "AZ-PL-02",
        "line.1",
        did("1:1R>1", factories="RRKY", lines={1: "R"}),
        did("1:1R>1", factories="RRKY"),
    ),
    both(
        "AZ-PL-02",
        "line.2",
        did("1:1R>2!stacked=R", factories="RRRY"),
        did("1:1R>2", factories="RRRY"),
    ),
    both("AZ-PL-02", "line.2", seen(lines={2: "RRR"}), seen(lines={2: "RR", 3: "RRR"})),
    both(
        "AZ-PL-03",
        "line.3",
        did("1:1R>3", factories="RRKY", lines={3: "B"}),
        did("1:1R>3", factories="RRKY", lines={3: "R"}),
    ),
    both("AZ-PL-03", "line.3", seen(lines={3: "BR"}), seen(lines={2: "B", 3: "R"})),
    both(
        "AZ-PL-04",
        "line.2",
        did("1:1R>2", factories="RRKY", wall={2: "...R."}),
        did("1:1R>3", factories="RRKY", wall={2: "...R."}),
    ),
    both(
        "AZ-PL-04",
        "line.2",
        seen(lines={2: "R"}, wall={2: "...R."}, score=1),
        seen(lines={3: "R"}, wall={2: "...R."}, score=1),
    ),
    both(
        "AZ-PL-05",
        "line.3",
        did("1:1R>3!gap", factories="RRKY"),
        did("1:1R>3", factories="RRKY"),
    ),
    both("AZ-PL-05", "line.3", seen(lines={3: "B.."}), seen(lines={3: "..B"})),
    both("AZ-PL-05", "line.4", seen(lines={4: ".B.B"}), seen(lines={4: "..BB"})),
    both(
        "AZ-PL-06",
        "line.2",
        did("1:1R>2!kept=R", factories="RRKY"),
        did("1:1R>2", factories="RRKY"),
    ),
    both(
        "AZ-PL-06",
        "centre",
        did("1:1R>2!returned=R", factories="RRRY"),
        did("1:1R>2", factories="RRRY"),
    ),
    both(
        "AZ-PL-07",
        "floor.3",
        did("1:1R>0!floor-gap@3", factories="RRKY"),
        did("1:1R>0", factories="RRKY"),
    ),
    both("AZ-PL-07", "floor.2", seen(floor="B.K"), seen(floor="BK")),
    both(
        "AZ-PL-08",
        "floor",
        did("1:1R>1!hidden=R", factories="RRKY", floor="WWWWWW"),
        did("1:1R>1", factories="RRKY", floor="WWWWWWW"),
    ),
    both(
        "AZ-PL-09",
        "line.4",
        did("1:1R>1!shifted=B@4>5", factories="RRKY", lines={4: "BB"}),
        did("1:1R>1", factories="RRKY", lines={4: "BB"}),
    ),
    both(
        "AZ-PL-09",
        "line.4",
        did("1:1R>1!shifted=B@4", factories="RRKY", lines={4: "BB"}),
        did("1:1R>0", factories="RRKY", lines={4: "BB"}),
    ),
    # ---------------------------------------------------------------------------------------- tiling
    both(
        "AZ-WT-01",
        "line.3",
        did("1:3#3", phase="tile", lines={3: "BB"}),
        did("1:3#3", phase="tile", lines={3: "BBB"}),
    ),
    both(
        "AZ-WT-02",
        "line.3",
        did("1:sweep", phase="tile", lines={3: "BBB"}),
        did("1:sweep", phase="tile", lines={3: "BB"}),
    ),
    both(
        "AZ-WT-02",
        "line.3",
        did(FIVE_DISCS, phase="tile", side="grey", lines={3: "BBB"}),
        did(FIVE_DISCS, phase="fill", side="grey", lines={3: "BB"}),
    ),
    both(
        "AZ-WT-02",
        "line.3",
        seen(factories=FULL, lines={3: "WWW"}),
        seen(factories=FULL, lines={3: "WW"}),
    ),
    both(
        "AZ-WT-03",
        "wall.2.3",
        did("1:2#3", phase="tile", lines={2: "RR"}),
        did("1:2#4", phase="tile", lines={2: "RR"}),
    ),
    both(
        "AZ-WT-03",
        "wall.2.5",
        did("1:2#5", phase="tile", lines={2: "RR"}),
        did("1:2#4", phase="tile", lines={2: "RR"}),
    ),
    both(
        # Red belongs there, but it comes from another line.
        "AZ-WT-03",
        "wall.1.3",
        did("1:2#3!other-row@1", phase="tile", lines={2: "RR"}),
        did("1:2#4", phase="tile", lines={2: "RR"}),
    ),
    both(
        "AZ-WT-03",
        "wall.4.3",
        did("1:2#3!other-row@4", phase="tile", side="grey", lines={2: "RR"}),
        did("1:2#3", phase="tile", side="grey", lines={2: "RR"}),
    ),
    both(
        "AZ-WT-03",
        "wall.2.3",
        seen(wall={2: "..R.."}, score=1),
        seen(wall={2: "..R.."}, score=1, side="grey"),
    ),
    both(
        "AZ-WT-04",
        "line.3",
        did("1:3#3!rest=BB", phase="tile", lines={3: "BBB"}),
        did("1:3#3", phase="tile", lines={3: "BBB"}),
    ),
    both(
        "AZ-WT-05",
        "line.3",
        did("1:sweep!cleared@3", phase="tile", lines={3: "BB"}),
        did("1:sweep", phase="tile", lines={3: "BB"}),
    ),
    both(
        "AZ-WT-06",
        "floor",
        did("1:sweep!uncleared", phase="tile", floor="BK"),
        did("1:sweep", phase="tile", floor="BK"),
    ),
    both(
        "AZ-WT-06",
        "floor",
        did("1:sweep!marker-lid", phase="tile", floor="1", marker=1),
        did("1:sweep", phase="tile", floor="1", marker=1),
    ),
    both(
        "AZ-WT-06",
        "floor",
        did(FIVE_DISCS, phase="tile", options=EXPLICIT, floor="W"),
        did(FIVE_DISCS, phase="tile", options=EXPLICIT),
    ),
    both("AZ-WT-06", "floor", seen(factories=FULL, floor="WW"), seen(factories=FULL[5:], lines={4: "BBBB"}, floor="W")),
    both(
        "AZ-WT-07",
        "wall.1.2",
        did("1:sweep!removed@1>2", phase="tile", wall={1: ".Y..."}),
        did("1:sweep", phase="tile", wall={1: ".Y..."}),
    ),
    both(
        "AZ-WT-07",
        "wall.2.3",
        did("1:2#3", phase="tile", side="grey", lines={2: "RR"}, wall={2: "..Y.."}),
        did("1:2#4", phase="tile", side="grey", lines={2: "RR"}, wall={2: "..Y.."}),
    ),
    both(
        # The lower blue tile takes a column from the upper one; a red one far from it does not.
        "AZ-WT-08",
        "line.2",
        did("1:2#1", phase="tile", side="grey", lines={1: "B", 2: "BB"}),
        did("1:5#1", phase="tile", side="grey", lines={1: "B", 5: "RRRRR"}),
    ),
    both(
        # A tile that comes too early is not the same as a line that is dropped early: no column is lost by that.
        "AZ-WT-08",
        "line.3",
        did("1:3#2", phase="tile", side="grey", lines={2: "BB", 3: "BBB"}),
        did("1:3#0", phase="tile", **BLOCKED | {"lines": {1: "R", 3: "BBB"}}),
    ),
    both(
        # Nothing is blocked, but the upper tile would score two instead of one.
        "AZ-WT-08",
        "line.2",
        did("1:2#1", phase="tile", side="grey", lines={1: "B", 2: "RR"}),
        did("1:1#1", phase="tile", side="grey", lines={1: "B", 2: "RR"}),
    ),
    # ---------------------------------------------------------------------------------------- scores
    both(
        "AZ-SC-01",
        "score",
        seen({"score": 6}, wall={1: "BYR.."}, score=5),
        seen({"score": None}, wall={1: "BYR.."}, score=5),
    ),
    both(
        "AZ-SC-01",
        "score",
        seen({"sliders": None}, known=False, lines={2: "R"}, score=5),
        seen({"sliders": None}, known=False, lines={2: "R"}, wall={1: "BYR.."}, score=5),
    ),
    both(
        # The first round is scored: a score that should be 0 is no longer a beginning.
        "AZ-SC-01",
        "score",
        seen({"score": 3}, round=1, phase="fill", marker=1, lines={3: "BB"}),
        seen({"score": 0}, round=1, phase="fill", marker=1, lines={3: "BB"}),
    ),
    both("AZ-SC-02", "score", seen({"sliders": None}, score=-1), seen(score=0)),
    both(
        "AZ-EN-01",
        "wall.1",
        did(FIVE_DISCS, phase="over", wall={1: "BYRKW"}),
        did(FIVE_DISCS, phase="fill", wall={1: "BYRK."}),
        beside=["RECORD"],
    ),
    both(
        "AZ-EN-01",
        "wall.1",
        seen(centre="RK", wall={1: "BYRKW"}, score=15),
        seen(wall={1: "BYRKW"}, score=15),
    ),
    both(
        "AZ-INV-01",
        "",
        did("fill:BBBB/BBBB/BBBB/BBBB/BBBB", phase="fill", wall={1: "B...."}),
        did("fill:BBBB/BBBB/BBBB/BBBB/BBBY", phase="fill", wall={1: "B...."}),
        beside=["RECORD"],
        seat=0,
    ),
    both(
        "AZ-INV-01",
        "",
        seen(bag="", factories="BBBB/BBBB/BBBB/BBBB/BBBB", centre="B"),
        seen(bag="", factories="BBBB/BBBB/BBBB/BBBB/BBBB", centre="Y"),
        seat=0,
    ),
    # ------------------------------------------------------------------------------------- grey side
    both(
        "AZ-VA-01",
        "wall.3.2",
        did("1:3#2", phase="tile", side="grey", lines={3: "BBB"}, wall={3: "B...."}),
        did("1:3#2", phase="tile", side="grey", lines={3: "BBB"}, wall={3: "R...."}),
    ),
    both(
        "AZ-VA-01",
        "wall.3.4",
        seen(side="grey", wall={3: "B..B."}, score=2),
        seen(side="grey", wall={3: "B..R."}, score=2),
    ),
    both(
        "AZ-VA-02",
        "wall.3.1",
        did("1:3#1", phase="tile", side="grey", lines={3: "BBB"}, wall={5: "B...."}),
        did("1:3#2", phase="tile", side="grey", lines={3: "BBB"}, wall={5: "B...."}),
    ),
    both(
        "AZ-VA-02",
        "wall.5.1",
        seen(side="grey", wall={3: "B....", 5: "B...."}, score=2),
        seen(side="grey", wall={3: "B....", 5: ".B..."}, score=2),
    ),
    both(
        "AZ-VA-03",
        "line.3",
        did("1:3#0", phase="tile", side="grey", lines={3: "BBB"}),
        did("1:3#0", phase="tile", **BLOCKED),
    ),
    both(
        "AZ-VA-03",
        "line.3",
        did("1:sweep", phase="tile", **BLOCKED),
        did("1:sweep", phase="tile", **BLOCKED | {"lines": {3: "BB"}}),
        mini=["AZM-VA-01"],
    ),
    both(
        "AZ-VA-03",
        "line.3",
        did("fill:WWWW/YRKW/YRKW/YRKW/YRKW", phase="tile", **BLOCKED),
        did("fill:WWWW/YRKW/YRKW/YRKW/YRKW", phase="fill", **BLOCKED | {"lines": {3: "BB"}}),
        mini=["AZM-VA-01"],
    ),
    both(
        "AZ-VA-03",
        "line.3",
        seen(factories=FULL, score=9, **BLOCKED),
        seen(factories=FULL, score=9, **BLOCKED | {"lines": {3: "BB"}}),
        mini=["AZM-VA-01"],
    ),
]

MINI_CASES = [
    both(
        "AZM-SC-01",
        "score",
        seen({"score": None, "sliders": {"tens": 3, "units": 7}}, score=36),
        seen({"score": None, "sliders": {"tens": 3, "units": 7}}, score=137),
    ),
    both(
        "AZM-SC-01",
        "score",
        seen({"sliders": {"tens": 0, "units": 4}}, known=False, wall={1: "BYR.."}, score=5),
        seen({"sliders": {"tens": 0, "units": 5}}, known=False, wall={1: "BYR.."}, score=5),
    ),
    both(
        "AZM-SU-01",
        "",
        seen({"side": "grey"}),
        seen({"side": "coloured"}),
        beside=["AZ-SU-03"],
    ),
    both(
        "AZM-PL-01",
        "wall.1.2",
        seen({"unseated": ["wall.1.2"]}, wall={1: ".Y..."}, score=1),
        seen({"unseated": []}, wall={1: ".Y..."}, score=1),
    ),
    both(
        "AZM-VA-01",
        "line.3",
        did("1:sweep", phase="tile", **BLOCKED),
        did("1:3#0", phase="tile", **BLOCKED),
        beside=["AZ-VA-03"],
    ),
    both(
        "AZM-VA-01",
        "line.3",
        did("fill:WWWW/YRKW/YRKW/YRKW/YRKW", phase="tile", **BLOCKED),
        did("fill:WWWW/YRKW/YRKW/YRKW/YRKW", phase="fill", **BLOCKED | {"lines": {3: "BB"}}),
        beside=["AZ-VA-03"],
    ),
    both(
        "AZM-VA-01",
        "line.3",
        seen(factories=FULL, score=9, **BLOCKED),
        seen(factories=FULL, score=9, **BLOCKED | {"lines": {3: "BB"}}),
        beside=["AZ-VA-03"],
    ),
]


def numbered(slug, cases):
    rules = [case[0] for case in cases]
    return [
        pytest.param(load(slug), *case, id=f"{slug}-{case[0]}-{rules[:i].count(case[0]) + 1}")
        for i, case in enumerate(cases)
    ]


EVERY_CASE = numbered("azul", CASES) + numbered("azul-mini", CASES) + numbered("azul-mini", MINI_CASES)


@pytest.mark.parametrize(("edition", "rule", "where", "breach", "near", "named"), EVERY_CASE)
def test_rule(edition, rule, where, breach, near, named, lay):
    found = breach.violations(edition, lay)
    assert {violation.rule for violation in found} == named[edition.slug]
    assert where in {(violation.cell, violation.seat) for violation in found if violation.rule == rule}
    for violation in found:
        words = str(violation.text)
        assert len(words.split()) > 2
        assert "{" not in words
    assert near.violations(edition, lay) == []


@pytest.mark.parametrize(("slug", "cases"), [("azul", CASES), ("azul-mini", CASES + MINI_CASES)])
def test_every_rule_has_a_case(slug, cases):
    points = {rule for rule in load(slug).rulebook if rule.startswith("AZ-PT-")}
    assert len(points) == 5
    assert {case[0] for case in cases} == set(load(slug).rulebook) - points - {"RECORD"}


def test_a_line_dropped_without_need_did_not_stay_on_the_tray(mini, lay):
    dropped = did("1:3#0", phase="tile", side="grey", lines={3: "BBB"})
    assert [violation.rule for violation in dropped.violations(mini, lay)] == ["AZ-VA-03"]


@pytest.mark.parametrize(
    "event",
    [
        did("1:1R>2", phase="fill", factories="RRKY"),
        did("1:1R>2", phase="tile", factories="RRKY"),
        did("1:pass", phase="fill"),
        did("1:3#3", phase="draft1", factories="RRKY", lines={3: "BBB"}),
        did("1:sweep", phase="draft1", factories="RRKY"),
        did("1:sweep", phase="tile", unswept="2"),
        did("1:3#3", phase="tile", unswept="2", lines={3: "BBB"}),
        # The game ended for want of tiles, not by a row.
        did(FIVE_DISCS, phase="over"),
        # The blue tiles are in the lid, which is not poured into the bag while that has any.
        did("fill:BBBB/BBBB/BBBB/BBBB/BBBY", phase="fill", wall={1: "B...."}, lid="B" * 19),
        did("3:pass", factories="RRKY"),
    ],
)
def test_what_no_rule_names_is_told_all_the_same(edition, event, lay):
    assert [violation.rule for violation in event.violations(edition, lay)] == ["RECORD"]
