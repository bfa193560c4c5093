"""Every rule of both rulebooks by its id: what breaks it and nothing else, and what is like it but does not.

`did` is a move in a state, `seen` a position that lies on the table; where both can show the rule, both stand here.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import IllegalMoveError, load

FULL = "PPPP/GGGG/OOOO/YYYY/BBBB"
DISCS = "PGOY/BRPG/OYBR/PGOY/BRPG"
FILL = f"fill:{DISCS}"
FIRST_FILL = {"round": 0, "phase": "fill", "supply": ".........."}
NEXT_FILL = {"round": 1, "phase": "fill"}
GAP = ".GOYBRPGOY"
OVER = {"round": 6, "phase": "over", "score": 50}
ALL_BUT_TWO = {
    "players": 4,
    "stars": dict.fromkeys("ORBYGP", "12345"),
    "seats": {seat: {"stars": dict.fromkeys("ORBYGP", "12345")} for seat in (2, 3, 4)},
}
"""Twenty tiles of each colour lie on the boards, two of each are left."""
LAID = {"stars": {"O": "1"}}
"""Something was laid already, so this is not the beginning of a game."""
NO_SLIDERS: dict[str, Any] = {"sliders": None}


@dataclass(frozen=True)
class Did:
    """A move in a state."""

    move: str
    table: dict[str, Any] = field(default_factory=dict)

    def violations(self, edition, lay):
        state, move = lay(edition, **self.table), edition.parse_move(self.move)
        found = edition.violations(state, move)
        if found:
            with pytest.raises(IllegalMoveError) as refused:
                edition.apply(state, move)
            assert list(refused.value.violations) == found
        else:
            edition.apply(state, move)
        return found


@dataclass(frozen=True)
class Seen:
    """A position: that of a state, with something shown otherwise on the board of seat 1 or on the table."""

    shown: dict[str, Any]
    middle: dict[str, Any]
    known: bool
    table: dict[str, Any]

    def violations(self, edition, lay):
        state = lay(edition, **self.table)
        table = json.loads(json.dumps(edition.format_table(edition.table(state))))
        table["boards"][0] |= self.shown
        return edition.table_violations(edition.parse_table(table | self.middle), state if self.known else None)


def did(move, **table):
    return Did(move, table)


def seen(shown=None, middle=None, known=True, **table):
    return Seen(shown or {}, middle or {}, known, table)


def both(rule, cell, breach, near, *, beside=(), mini=(), seat=1):
    """A breach that names the rule at this cell and seat, and its near miss.

    No other ids may be named than those `beside`; `mini` are those by which the Mini names the same thing again.
    """
    named = {"summer-pavilion": {rule, *beside}, "summer-pavilion-mini": {rule, *beside, *mini}}
    return rule, (cell, seat), breach, near, named


CASES = [
    # ---------------------------------------------------------------------------------------- set-up
    both("SP-SU-01", "", did(f"{FILL}/PGOY", **NEXT_FILL), did(FILL, **NEXT_FILL), seat=0),
    both(
        "SP-SU-01",
        "",
        did(FILL, players=3, **NEXT_FILL),
        did(f"{FILL}/PGOY/BRPG", players=3, **NEXT_FILL),
        seat=0,
    ),
    both(
        "SP-SU-01",
        "",
        did(f"{FILL}/PGOY/BRPG/OYBR", players=4, **NEXT_FILL),
        did(f"{FILL}/PGOY/BRPG/OYBR/PGOY", players=4, **NEXT_FILL),
        seat=0,
    ),
    both("SP-SU-01", "", seen(factories=f"{FULL}/RRRR/PGOY"), seen(factories=f"{FULL}/RRRR/PGOY", players=3), seat=0),
    both(
        "SP-SU-01",
        "",
        seen(factories=f"{FULL}/RRRR/PGOY/BRPG/BRPG", players=3),
        seen(factories=f"{FULL}/RRRR/PGOY/BRPG/BRPG", players=4),
        seat=0,
    ),
    both(
        "SP-SU-02",
        "score",
        seen({"score": 7}, **FIRST_FILL),
        seen({"score": 5}, **FIRST_FILL),
        mini=["SPM-SU-01"],
    ),
    both(
        # Nobody has taken anything yet.
        "SP-SU-02",
        "score",
        seen({"score": 7}, factories=FULL),
        seen({"score": 5}, factories=FULL),
        mini=["SPM-SU-01"],
    ),
    both(
        "SP-SU-02",
        "score",
        seen({"score": 7} | NO_SLIDERS, known=False, factories=FULL),
        seen(known=False, factories=FULL, score=7, round=2, stars={"O": "12"}),
        mini=["SPM-SU-01"],
    ),
    both(
        "SP-SU-03",
        "supply",
        did(f"{FILL}+PGOYBRPGO", **FIRST_FILL),
        did(f"{FILL}+PGOYBRPGOY", **FIRST_FILL),
        seat=0,
    ),
    both(
        "SP-SU-03",
        "supply",
        did("supply:R", phase="fill1", supply="..OYBRPGOY"),
        did("supply:R", phase="fill1", supply="..OYBRPGOY", bag="R"),
        seat=0,
    ),
    both(
        "SP-SU-03",
        "supply",
        did("2:pass=", phase="fill1", supply=GAP),
        did("2:pass=", phase="place2", supply=GAP, bag=""),
        seat=0,
    ),
    both(
        "SP-SU-03",
        "supply",
        did("2:O1O+0", phase="fill1", supply=GAP, seats={2: {"reserve": "O"}}),
        did("2:O1O+0", phase="place2", seats={2: {"reserve": "O"}}),
        seat=0,
    ),
    both(
        # The cell had stayed empty for want of tiles; a record may go on though now the tower has some again.
        "SP-SU-03",
        "supply",
        did("2:O1O+0", phase="fill1", supply=GAP, bag="", tower="RR", seats={2: {"reserve": "O"}}),
        did("2:O1O+0", phase="place2", supply=GAP, bag="", tower="RR", seats={2: {"reserve": "O"}}),
        seat=0,
    ),
    both(
        # Such a cell may be filled late or not at all, but not some of them and others not.
        "SP-SU-03",
        "supply",
        did("supply:R", supply="..OYBRPGOY", bag="RR", factories="RRYY"),
        did("1:1R", supply="..OYBRPGOY", bag="RR", factories="RRYY"),
        seat=0,
    ),
    both(
        "SP-SU-03",
        "supply",
        did(FILL, phase="fill1", supply=GAP, passed="12"),
        did(FILL, phase="fill"),
        beside=["RECORD"],
        seat=0,
    ),
    both(
        "SP-SU-03",
        "supply.1",
        seen(factories="RRYY", centre="G", supply=GAP),
        seen(factories="RRYY", centre="G"),
        seat=0,
    ),
    both(
        # Two blue tiles are still in the bag, or lie in the supply.
        "SP-SU-03",
        "supply.3",
        seen(factories="GGPP/OOYY", supply="RR........", **ALL_BUT_TWO),
        seen(factories="GGPP/OOYY", supply="RRBB......", **ALL_BUT_TWO),
        seat=0,
    ),
    both(
        "SP-SU-04",
        "factory.2",
        did("fill:PGOY/BRP/OYBR/PGOY/BRPG", **NEXT_FILL),
        did("fill:PGOY/BRP///", bag="PGOY", tower="BRP", **NEXT_FILL),
        seat=0,
    ),
    both("SP-SU-04", "factory.5", did(f"{FILL}O", **NEXT_FILL), did(FILL, **NEXT_FILL), seat=0),
    both("SP-SU-04", "factory.3", did("fill:PGOY/BRPG//OYBR/PGOY", **NEXT_FILL), did(FILL, **NEXT_FILL), seat=0),
    both("SP-SU-04", "factory.1", seen(factories=f"PGO{FULL[4:]}", round=2), seen(factories=FULL, round=2), seat=0),
    both("SP-SU-04", "factory.1", seen(factories=f"PPPPR{FULL[4:]}", centre="R"), seen(factories=FULL), seat=0),
    both(
        # Nobody has taken anything, so no factory can be empty yet.
        "SP-SU-04",
        "factory.5",
        seen(factories="PPPP/GGGG/OOOO/YYYY"),
        seen(factories="PPPP/GGGG/OOOO/YYYY", seats={2: {"reserve": "BBBB"}}),
        seat=0,
    ),
    both(
        "SP-SU-04",
        "factory.2",
        seen(factories="GGPP/OOY", supply="BBRR......", known=False, **ALL_BUT_TWO),
        seen(factories="GGPP/OOY", supply="BBRRY.....", known=False, **ALL_BUT_TWO),
        # The supply is not full either while there is a yellow tile in the bag.
        beside=["SP-SU-03"],
        seat=0,
    ),
    both(
        "SP-SU-05",
        "round",
        seen(middle={"round": 3}, round=4, factories=FULL),
        seen(middle={"round": 4}, round=4, factories=FULL),
        mini=["SPM-SU-02"],
        seat=0,
    ),
    both(
        "SP-SU-05",
        "round",
        seen(middle={"round": 5}, round=4),
        # The counter is moved before the discs are filled, so between two rounds it may stand on either.
        seen(middle={"round": 5}, round=4, phase="fill"),
        mini=["SPM-SU-02"],
        seat=0,
    ),
    # -------------------------------------------------------------------------------------- drafting
    both("SP-DR-01", "factory.1", did("1:1R!extra=YY", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-01", "centre", did("1:0R!extra=Y", centre="PRRY", marker=2), did("1:0R", centre="PRRY", marker=2)),
    both("SP-DR-02", "factory.1", did("1:1R!left=R", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-02", "centre", did("1:0R!left=RR", centre="RRRY", marker=2), did("1:0R", centre="RRRY", marker=2)),
    both("SP-DR-03", "factory.1", did("1:1R!joker-left", factories="PRRY"), did("1:1R", factories="RRYY")),
    both("SP-DR-03", "centre", did("1:0R!joker-left", centre="PPR", marker=2), did("1:0R", centre="PPR", marker=2)),
    both("SP-DR-04", "factory.1", did("1:1R!jokers=P", factories="PPRY"), did("1:1R", factories="PPRY")),
    both("SP-DR-04", "factory.1", did("1:1P!jokers=PP", factories="PPPP"), did("1:1P", factories="PPPP")),
    both("SP-DR-05", "factory.1", did("1:1P", factories="PPRY"), did("1:1P", factories="PPRY", round=2)),
    both("SP-DR-05", "centre", did("1:0P", centre="PPY", marker=2), did("1:0P", centre="PP", marker=2)),
    both("SP-DR-06", "factory.1", did("1:1R!unpushed", factories="RRYY"), did("1:1R", factories="RRRR")),
    both(
        "SP-DR-06",
        "factory.1",
        seen(factories="YY/BBGG", centre="O", reserve="RR"),
        seen(factories="/BBGG", centre="OYY", reserve="RR"),
        seat=0,
    ),
    both(
        "SP-DR-06",
        "factory.2",
        seen(factories="GGPP/OO", centre="YY", supply="RR........", bag="BB", known=False, **ALL_BUT_TWO),
        seen(factories="GGPP/OO", centre="YY", supply="RRBB......", known=False, **ALL_BUT_TWO),
        # The blue tiles would fill the supply as well.
        beside=["SP-SU-03"],
        seat=0,
    ),
    both("SP-DR-07", "centre", did("1:0R!token", centre="RRY"), did("1:0R", centre="RRY", marker=2)),
    both("SP-DR-07", "centre", did("1:0R!uncharged", centre="RRY"), did("1:0R", centre="RRY")),
    both("SP-DR-07", "centre", did("1:1R!token", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-08", "centre", did("1:0R!charged", centre="RRY", marker=2), did("1:0R", centre="RRY", marker=2)),
    both("SP-DR-08", "factory.1", did("1:1R!charged", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-09", "factory.1", did("1:1B", factories="RRYY"), did("1:1Y", factories="RRYY")),
    both("SP-DR-09", "factory.2", did("1:2R", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-09", "factory.6", did("1:6R", factories="RRYY"), did("1:1R", factories="RRYY")),
    both("SP-DR-09", "centre", did("1:0R", factories="RRYY", centre="G"), did("1:0R", factories="RRYY", centre="R")),
    both(
        "SP-TU-01", "", did("2:1R", factories="RRYY"), did("2:1R", factories="RRYY", phase="draft2", marker=0), seat=2
    ),
    both(
        "SP-TU-01",
        "",
        did("2:O1O+0", seats={2: {"reserve": "O"}}),
        did("2:O1O+0", seats={2: {"reserve": "O"}}, passed="1", phase="place2"),
        seat=2,
    ),
    both("SP-TU-01", "", did("2:pass="), did("2:pass=", phase="place2"), seat=2),
    both(
        "SP-TU-01",
        "",
        did("3:pass=", players=3, phase="fill1", supply=GAP),
        did("3:pass=", players=3, phase="place3"),
        beside=["SP-SU-03"],
        seat=3,
    ),
    both("SP-TU-01", "", did(FILL, passed="2"), did(FILL, **NEXT_FILL), beside=["RECORD"]),
    both(
        "SP-TU-01",
        "",
        did("2:bonus=R", phase="bonus1", owed=1),
        did("1:bonus=R", phase="bonus1", owed=1),
        beside=["SP-BO-02"],
        seat=2,
    ),
    # --------------------------------------------------------------------------------------- placing
    both("SP-PL-01", "star.O.1", did("1:O1O+0!off-cell@2", reserve="O"), did("1:O1O+0", reserve="O")),
    both("SP-PL-02", "star.O.1", did("1:O1O+0", reserve="O", stars={"O": "1"}), did("1:O1O+0", reserve="O")),
    both(
        "SP-PL-02",
        "star.R.2",
        did("1:O1O+0!moved@1>2", reserve="O", stars={"R": "2"}),
        did("1:O1O+0", reserve="O", stars={"R": "2"}),
    ),
    both(
        "SP-PL-03",
        "star.O.1",
        did("1:O1R+0", reserve="R"),
        did("1:O1R+0", reserve="RRR", side="beige"),
    ),
    both(
        # A joker pays for another colour, it does not lie in its place.
        "SP-PL-03",
        "star.O.2",
        did("1:O2P+0", reserve="OPP"),
        did("1:O2O+1", reserve="OPP"),
        beside=["SP-PAY-03"],
    ),
    both("SP-PL-03", "star.O.3", seen(stars={"O": "..R..."}), seen(stars={"R": "..R...", "C": "..R..."})),
    both("SP-PL-03", "star.O.3", seen(stars={"O": "..R..."}), seen(stars={"O": "..R..."}, side="beige")),
    both(
        "SP-PL-04",
        "star.C.2",
        did("1:C2R+0", reserve="RR", stars={"C": "....R."}),
        did("1:C2R+0", reserve="RR", stars={"C": "....O.", "R": "5"}),
    ),
    both("SP-PL-04", "star.C.4", seen(stars={"C": "R..R.."}), seen(stars={"C": "R..G.."})),
    both("SP-PL-04", "star.C.4", seen(stars={"C": "R..R.."}), seen(stars={"C": "R..R.."}, side="beige")),
    both("SP-PL-05", "star.O.1", did("1:O1O+0!second=R@1>1", reserve="OR"), did("1:O1O+0", reserve="OR")),
    both(
        "SP-PL-06",
        "",
        did("1:O1O+0", reserve="O", passed="1", phase="place2"),
        did("1:O1O+0", reserve="O", passed="2"),
    ),
    both("SP-PL-06", "", did("1:pass=", passed="1", phase="place2"), did("1:pass=", passed="2")),
    both(
        "SP-PL-06",
        "",
        did("1:O2O+0!from-corners", corners="O.OR", passed="1", phase="place2"),
        did("1:O2O+0", reserve="OOR", passed="2"),
    ),
    both("SP-PL-07", "star.O.1", did("1:O1O+0!from-supply", reserve="O"), did("1:O1O+0", reserve="O")),
    both(
        "SP-PL-07",
        "star.O.2",
        did("1:O2O+1", reserve="PR", seats={2: {"reserve": "O"}}),
        did("1:O2O+1", reserve="OP"),
        beside=["SP-PAY-01", "SP-PAY-03"],
    ),
    # ---------------------------------------------------------------------------------------- paying
    both("SP-PAY-01", "star.O.3", did("1:O3O+0!short=O", reserve="OOO"), did("1:O3O+0", reserve="OOO")),
    both("SP-PAY-01", "star.O.3", did("1:O3O+0!overpaid=O", reserve="OOOO"), did("1:O3O+0", reserve="OOOO")),
    both("SP-PAY-01", "star.O.3", did("1:O3O+0", reserve="OOP"), did("1:O3O+1", reserve="OOP")),
    both("SP-PAY-01", "star.O.3", did("1:O3O+2", reserve="OOP"), did("1:O3O+2", reserve="OPP")),
    both(
        # By its number on the beige side the third cell costs one tile, the first one three.
        "SP-PAY-01",
        "star.O.1",
        did("1:O1O+0", reserve="OO", side="beige"),
        did("1:O3O+0", reserve="OO", side="beige"),
    ),
    both("SP-PAY-01", "star.P.3", did("1:P3P+1", reserve="PPP"), did("1:P3P+0", reserve="PPP")),
    both("SP-PAY-02", "star.O.3", did("1:O3O+0!other-payer=R", reserve="OOOR"), did("1:O3O+0", reserve="OOOR")),
    both("SP-PAY-02", "star.O.3", did("1:O3O+2!other-payer=RR", reserve="ORR"), did("1:O3O+2", reserve="OPPRR")),
    both("SP-PAY-03", "star.G.3", did("1:G3G+3", reserve="GPPP"), did("1:G3G+2", reserve="GPPP")),
    both(
        "SP-PAY-03",
        "star.G.3",
        did("1:G3G+3", reserve="PPP"),
        did("1:P3P+0", reserve="PPP"),
        beside=["SP-PL-07"],
    ),
    both(
        # Three jokers and nothing else: one of them is laid in the place of a green tile.
        "SP-PAY-03",
        "star.G.3",
        did("1:G3P+0", reserve="GPPP"),
        did("1:G3G+2", reserve="GPPP"),
        beside=["SP-PL-03"],
    ),
    both(
        "SP-PAY-04",
        "star.R.3",
        did("1:R3R+2!old-joker=PP", round=2, reserve="RPP"),
        did("1:R3R+2", round=2, reserve="RGG"),
        mini=["SPM-VA-02"],
    ),
    both("SP-PAY-05", "star.O.3", did("1:O3O+0!undiscarded=OO", reserve="OOO"), did("1:O3O+0", reserve="OOO")),
    both("SP-BO-01", "supply", did("1:bonus=R", phase="bonus1", owed=2), did("1:bonus=RB", phase="bonus1", owed=2)),
    both("SP-BO-01", "supply", did("1:bonus=RBY", phase="bonus1", owed=2), did("1:bonus=YY", phase="bonus1", owed=2)),
    both("SP-BO-01", "supply", did("1:bonus=", phase="bonus1", owed=1), did("1:bonus=P", phase="bonus1", owed=1)),
    both("SP-BO-01", "supply", did("2:pass=", phase="bonus1", owed=2), did("2:pass=", phase="place2")),
    both(
        "SP-BO-01",
        "supply",
        did("2:O1O+0", phase="bonus1", owed=2, seats={2: {"reserve": "O"}}),
        did("2:O1O+0", phase="place2", seats={2: {"reserve": "O"}}),
    ),
    both("SP-BO-02", "supply", did("1:bonus=R"), did("1:bonus=R", phase="bonus1", owed=1)),
    both("SP-BO-02", "supply", did("1:bonus=R", phase="fill1", supply=GAP), did("supply:R", phase="fill1", supply=GAP)),
    # --------------------------------------------------------------------------------------- passing
    both("SP-PA-01", "corner", did("1:pass=GGGRR", reserve="GGGGRR"), did("1:pass=GGGR", reserve="GGGGRR")),
    both(
        "SP-PA-01",
        "corner",
        did("1:pass=GGGR!beside=R", reserve="GGGRR"),
        did("1:pass=GGGR", reserve="GGGRR"),
        beside=["SP-PA-02"],
    ),
    both("SP-PA-02", "reserve", did("1:pass=GG!beside=RR", reserve="GGRR"), did("1:pass=GG", reserve="GGRR")),
    both(
        "SP-PA-02",
        "reserve",
        seen(corners="G..G", reserve="RR", passed="1", phase="place2"),
        seen(corners="G..G", reserve="", passed="1", phase="place2"),
    ),
    both("SP-PA-02", "reserve", seen(corners="G..G", reserve="RR", known=False), seen(reserve="RRGG", known=False)),
    both("SP-PA-03", "score", did("1:pass=GG!uncharged", reserve="GGRR"), did("1:pass=GG", reserve="GGRR")),
    # ---------------------------------------------------------------------------------------- scores
    both(
        "SP-SC-01",
        "score",
        seen({"score": 12}, score=11, **LAID),
        seen({"score": None}, score=11, **LAID),
    ),
    both(
        # A score of 5 in the middle of a round is an earned one.
        "SP-SC-01",
        "score",
        seen({"score": 6}, phase="fill1", supply=GAP, score=5, **LAID),
        seen({"score": 5}, phase="fill1", supply=GAP, score=5, **LAID),
    ),
    both("SP-SC-02", "score", seen(NO_SLIDERS, score=-1, **LAID), seen(score=1, **LAID)),
    both("SP-SC-02", "score", seen({"score": -1} | NO_SLIDERS, known=False, round=2), seen(known=False, score=1)),
    both(
        "SP-EN-01",
        "score",
        seen({"score": 63} | NO_SLIDERS, stars={"R": "123456"}, **OVER),
        seen({"score": 64} | NO_SLIDERS, stars={"R": "123456"}, **OVER),
    ),
    both(
        # Nobody has counted the bonuses yet.
        "SP-EN-01",
        "score",
        seen({"score": 51}, stars={"R": "123456"}, **OVER),
        seen({"score": 50}, stars={"R": "123456"}, **OVER),
    ),
    both(
        "SP-EN-02",
        "score",
        seen({"score": 64} | NO_SLIDERS, stars={"R": "123456"}, corners="GP", **OVER),
        seen({"score": 62} | NO_SLIDERS, stars={"R": "123456"}, corners="GP", **OVER),
    ),
    both(
        "SP-INV-01",
        "",
        did("fill:RRRR/RRRR/RRRR/RRRR/RRRR", stars={"R": "12"}, **NEXT_FILL),
        did("fill:RRRR/RRRR/RRRR/RRRR/RRRB", stars={"R": "12"}, **NEXT_FILL),
        beside=["RECORD"],
        seat=0,
    ),
    both(
        "SP-INV-01",
        "",
        did("supply:R", phase="fill1", supply=GAP, reserve="R" * 21),
        did("supply:R", phase="fill1", supply=GAP, reserve="R" * 20),
        beside=["RECORD"],
        seat=0,
    ),
    both(
        "SP-INV-01",
        "",
        seen(bag="", reserve="R" * 22),
        seen(bag="", reserve="R" * 21),
        seat=0,
    ),
    # ------------------------------------------------------------------------------------ beige side
    both(
        "SP-VA-01",
        "star.O.3",
        did("1:O3R+0", reserve="R", side="beige", stars={"O": "BB...."}),
        did("1:O3R+0", reserve="R", side="beige", stars={"O": "B....."}),
    ),
    both(
        "SP-VA-01",
        "star.C.3",
        did("1:C3R+0", reserve="RRR", side="beige", stars={"C": "BR...."}),
        did("1:C3G+0", reserve="GGG", side="beige", stars={"C": "BR...."}),
    ),
    both(
        "SP-VA-01",
        "star.Y",
        seen(side="beige", stars={"Y": "B.B..R"}),
        seen(side="beige", stars={"Y": "B.Y..R"}),
    ),
    both(
        "SP-VA-01",
        "star.C",
        seen(side="beige", stars={"C": "BB.R.."}),
        seen(side="beige", stars={"C": "BB.B.."}),
    ),
]

MINI_CASES = [
    both(
        "SPM-SC-01",
        "score",
        seen({"sliders": {"tens": 3, "units": 7}}, score=36, **LAID),
        seen({"score": None, "sliders": {"tens": 3, "units": 7}}, score=137, **LAID),
    ),
    both(
        "SPM-SC-01",
        "score",
        seen({"sliders": {"tens": 0, "units": 4}}, known=False, score=6, **LAID),
        seen({"sliders": {"tens": 0, "units": 6}}, known=False, score=6, **LAID),
    ),
    both(
        # At the end the sliders show what was earned in the rounds, or the total.
        "SPM-SC-01",
        "score",
        seen({"score": None, "sliders": {"tens": 6, "units": 3}}, stars={"R": "123456"}, **OVER),
        seen({"score": None, "sliders": {"tens": 6, "units": 4}}, stars={"R": "123456"}, **OVER),
    ),
    both("SPM-SU-01", "score", seen({"score": 7}, **FIRST_FILL), seen({"score": 5}, **FIRST_FILL), beside=["SP-SU-02"]),
    both(
        "SPM-SU-02",
        "round",
        seen(middle={"round": 2}, factories=FULL),
        seen(middle={"round": 2}, factories=FULL, round=2),
        beside=["SP-SU-05"],
        seat=0,
    ),
    both("SPM-SU-03", "", seen({"side": "beige"}), seen({"side": "beige"}, side="beige")),
    both(
        "SPM-VA-01",
        "round",
        seen(middle={"joker_order": "ORBYGP"}),
        seen(middle={"joker_order": "ORBYGP"}, options={"jokerOrder": list("ORBYGP")}),
        seat=0,
    ),
    both("SPM-VA-01", "round", seen(middle={"joker_order": "GPOYBR"}), seen(middle={"joker_order": "?POYBR"}), seat=0),
    both(
        "SPM-VA-02",
        "star.B.3",
        did("1:B3B+2!old-joker=OO", round=2, reserve="BOO", options={"jokerOrder": list("ORBYGP")}),
        did("1:B3B+2", round=2, reserve="BRR", options={"jokerOrder": list("ORBYGP")}),
        beside=["SP-PAY-04"],
    ),
]


def numbered(slug, cases):
    rules = [case[0] for case in cases]
    return [
        pytest.param(load(slug), *case, id=f"{slug}-{case[0]}-{rules[:i].count(case[0]) + 1}")
        for i, case in enumerate(cases)
    ]


EVERY_CASE = [
    *numbered("summer-pavilion", CASES),
    *numbered("summer-pavilion-mini", CASES),
    *numbered("summer-pavilion-mini", MINI_CASES),
]


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


@pytest.mark.parametrize(("slug", "cases"), [("summer-pavilion", CASES), ("summer-pavilion-mini", CASES + MINI_CASES)])
def test_every_rule_has_a_case(slug, cases):
    points = {rule for rule in load(slug).rulebook if rule.startswith("SP-PT-")}
    assert len(points) == 6
    assert {case[0] for case in cases} == set(load(slug).rulebook) - points - {"RECORD"}


@pytest.mark.parametrize(("slug", "floor"), [("summer-pavilion", 1), ("summer-pavilion-mini", 0)])
@pytest.mark.parametrize("known", [True, False])
def test_each_edition_has_its_floor(slug, floor, known, lay):
    edition = load(slug)
    assert seen(score=floor, known=known, **LAID).violations(edition, lay) == []
    below = seen(NO_SLIDERS, score=floor - 1, known=known, **LAID).violations(edition, lay)
    assert [violation.rule for violation in below] == ["SP-SC-02"]
