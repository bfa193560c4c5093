"""The options of the rules file: each changes what it should and nothing else, and nonsense is refused."""

import pytest

from engine import EditionError
from engine.score import total

FLOORS = {"summer-pavilion": 1, "summer-pavilion-mini": 0}
FLIPPED = ["O", "R", "B", "Y", "G", "P"]
VALUES = {"P": 20, "G": 18, "O": 17, "Y": 16, "B": 15, "R": 14, "C": 12}
BEIGE = {star: [3, 2, 1, 4, 5, 6] for star in "ORBYGP"} | {"C": [3, 3, 3, 3, 3, 3]}
ONES = {star: [1, 2, 3, 4, 5, 6] for star in "ORBYGPC"} | {"O": [1, 1, 1, 1, 1, 1]}
"""A print on which every cell of the orange star costs one."""


def test_score_start(edition):
    assert edition.start(edition.setup("coloured", 3)).scores == (5, 5, 5)
    assert edition.start(edition.setup("coloured", 3, 1, {"scoreStart": 12})).scores == (12, 12, 12)


def test_score_start_is_what_may_be_shown(edition):
    state = edition.start(edition.setup("coloured", 2, 1, {"scoreStart": 12}))
    assert edition.table_violations(edition.table(state), state) == []
    usual = edition.start(edition.setup("coloured", 2))
    rules = {violation.rule for violation in edition.table_violations(edition.table(usual), state)}
    assert "SP-SU-02" in rules


@pytest.mark.parametrize(("floor", "after"), [(None, None), (3, 3), (0, 0), (-2, -1), (-100, -1)])
def test_score_floor(edition, lay, floor, after):
    options = {} if floor is None else {"scoreFloor": floor}
    after = FLOORS[edition.slug] if after is None else after
    taken = edition.apply(lay(edition, centre="YYYYYY", options=options), edition.parse_move("1:0Y"))
    assert taken.scores[0] == after
    passed = edition.apply(lay(edition, reserve="YYYYYY", options=options), edition.parse_move("1:pass="))
    assert passed.scores[0] == after
    over = lay(edition, round=6, phase="over", corners="GGGG", score=3, options=options)
    assert 3 + total(edition.bonuses(over)) == max(after, -1)


def test_score_below_the_floor_is_not_lifted_to_it(edition, lay):
    state = edition.apply(lay(edition, centre="YYYYYY", score=-3), edition.parse_move("1:0Y"))
    assert state.scores[0] == -3


def test_score_floor_is_what_may_be_shown(edition, lay):
    state = lay(edition, score=-4, options={"scoreFloor": -5})
    assert edition.table_violations(edition.table(state), state) == []
    below = lay(edition, score=-6, options={"scoreFloor": -5})
    assert "SP-SC-02" in {violation.rule for violation in edition.table_violations(edition.table(below), below)}


@pytest.mark.parametrize("written", [FLIPPED, "".join(FLIPPED)])
def test_joker_order(edition, lay, written):
    table = {"round": 2, "reserve": "BGR"}
    usual, flipped = lay(edition, **table), lay(edition, **table, options={"jokerOrder": written})
    blue_with = {"G": edition.parse_move("1:B2B+1"), "none": edition.parse_move("1:B2B+0")}
    # The second joker is green on the usual card, red on this one; either way one pays for blue.
    assert edition.apply(usual, blue_with["G"]).tower == "G"
    assert edition.apply(flipped, blue_with["G"]).tower == "R"
    assert edition.violations(flipped, blue_with["none"])
    assert (usual.joker, flipped.joker) == ("G", "R")


def test_star_values(edition, lay):
    values = VALUES | {"R": 100, "C": 0}
    table = {"round": 6, "phase": "over", "stars": {"R": "123456", "C": "123456", "P": "123456"}}
    state = lay(edition, **table, options={"starValues": values})
    assert [line.points for line in edition.bonuses(state)] == [100, 20, 0]
    assert [line.points for line in edition.bonuses(lay(edition, **table))] == [14, 20, 12]


@pytest.mark.parametrize("written", [[1, 2, 3, 40], {"1": 1, "2": 2, "3": 3, "4": 40}])
def test_number_bonuses(edition, lay, written):
    table = {"round": 6, "phase": "over", "stars": dict.fromkeys("ORBYGPC", "14")}
    assert [line.points for line in edition.bonuses(lay(edition, **table))] == [4, 16]
    state = lay(edition, **table, options={"numberBonuses": written})
    assert [line.points for line in edition.bonuses(state)] == [1, 40]


@pytest.mark.parametrize(
    ("written", "owed"),
    [
        ({}, {"window": 3, "pillar": 1, "statue": 2}),
        ({"window": 5}, {"window": 5, "pillar": 1, "statue": 2}),
        ({"pillar": 0, "statue": 10, "window": 1}, {"window": 1, "pillar": 0, "statue": 10}),
    ],
)
def test_bonus_tiles(edition, lay, written, owed):
    completed = {
        "window": ({"O": "6"}, "1:O5O+0"),
        "pillar": ({"O": "3", "C": "61"}, "1:O2O+0"),
        "statue": ({"O": "1", "R": "34"}, "1:O2O+0"),
    }
    for kind, (stars, move) in completed.items():
        state = lay(edition, stars=stars, reserve="OOOOO", options={"bonusTiles": written})
        after = edition.apply(state, edition.parse_move(move))
        assert (after.owed, after.phase) == (owed[kind], "bonus" if owed[kind] else "place")


def test_numbers(edition, lay):
    state = lay(edition, reserve="O", options={"numbers": ONES})
    places = {edition.format_move(move) for move in edition.legal_moves(state) if hasattr(move, "star")}
    assert places == {"1:O1O+0", "1:O2O+0", "1:O3O+0", "1:O4O+0", "1:O5O+0", "1:O6O+0", "1:C1O+0"}
    table = {"round": 6, "phase": "over", "stars": dict.fromkeys("RBYGPC", "1") | {"O": "123456"}}
    # All ones are covered, and no two is left on the orange star.
    assert [line.points for line in edition.bonuses(lay(edition, **table, options={"numbers": ONES}))] == [17, 4]
    assert [line.points for line in edition.bonuses(lay(edition, **table))] == [17, 4]
    table["stars"] = dict.fromkeys("RBYGPC", "2")
    assert [line.points for line in edition.bonuses(lay(edition, **table, options={"numbers": ONES}))] == [8]
    assert [line.points for line in edition.bonuses(lay(edition, **table))] == []


def test_beige_numbers_are_what_the_cells_cost(edition, lay):
    for star, numbers in BEIGE.items():
        for slot, number in enumerate(numbers, 1):
            enough = lay(edition, side="beige", reserve="Y" * number)
            short = lay(edition, side="beige", reserve="Y" * (number - 1))
            move = edition.parse_move(f"1:{star}{slot}Y+0")
            assert edition.apply(enough, move).boards[0].reserve == ""
            assert move not in edition.legal_moves(short)


WRITTEN = [
    ("coloured", {}),
    ("coloured", {"scoreStart": 0}),
    ("coloured", {"scoreFloor": -3, "trackLength": 100}),
    ("coloured", {"jokerOrder": FLIPPED}),
    ("coloured", {"starValues": VALUES | {"C": 13}}),
    ("beige", {"numberBonuses": [4, 8, 12, 0]}),
    ("coloured", {"bonusTiles": {"pillar": 1, "statue": 2, "window": 4}}),
    ("coloured", {"numbers": BEIGE}),
    ("beige", {"numbers": ONES}),
]


@pytest.mark.parametrize(("side", "options"), WRITTEN)
def test_options_round_trip(edition, side, options):
    setup = edition.setup(side, 2, 1, options)
    assert edition.format_options(setup) == options
    assert edition.setup(side, 2, 1, edition.format_options(setup)) == setup


@pytest.mark.parametrize(
    ("side", "options"),
    [
        ("coloured", {"jokerOrder": "PGOYBR"}),
        ("coloured", {"jokerOrder": list("PGOYBR")}),
        ("coloured", {"scoreStart": 5, "trackLength": 80}),
        ("coloured", {"starValues": VALUES}),
        ("coloured", {"numberBonuses": {"1": 4, "2": 8, "3": 12, "4": 16}}),
        ("coloured", {"bonusTiles": {"statue": 2}}),
        ("beige", {"numbers": BEIGE}),
    ],
)
def test_what_is_usual_is_not_written(edition, side, options):
    setup = edition.setup(side, 2, 1, options)
    assert edition.format_options(setup) == {}
    assert setup == edition.setup(side, 2, 1)


def test_each_editions_floor_is_usual_there_only(big, mini):
    assert big.format_options(big.setup("coloured", 2, 1, {"scoreFloor": 1})) == {}
    assert big.format_options(big.setup("coloured", 2, 1, {"scoreFloor": 0})) == {"scoreFloor": 0}
    assert mini.format_options(mini.setup("coloured", 2, 1, {"scoreFloor": 0})) == {}
    assert mini.format_options(mini.setup("coloured", 2, 1, {"scoreFloor": 1})) == {"scoreFloor": 1}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jokers", "PGOYBR"),
        ("jokerOrder", "PGOYB"),
        ("jokerOrder", "PGOYBB"),
        ("jokerOrder", "PGOYBRP"),
        ("jokerOrder", "PGOYBK"),
        ("jokerOrder", [1, 2, 3, 4, 5, 6]),
        ("jokerOrder", None),
        ("jokerOrder", 5),
        ("scoreStart", None),
        ("scoreStart", "5"),
        ("scoreStart", True),
        ("scoreStart", 5.0),
        ("scoreStart", 10**9),
        ("scoreFloor", "low"),
        ("trackLength", 80.5),
        ("starValues", [20, 18, 17, 16, 15, 14, 12]),
        ("starValues", {"P": 20}),
        ("starValues", VALUES | {"K": 1}),
        ("starValues", VALUES | {"P": "20"}),
        ("starValues", "PGOYBRC"),
        ("starValues", None),
        ("numberBonuses", [4, 8, 12]),
        ("numberBonuses", [4, 8, 12, 16, 20]),
        ("numberBonuses", [4, 8, 12, None]),
        ("numberBonuses", {"1": 4, "2": 8, "3": 12}),
        ("numberBonuses", {"1": 4, "2": 8, "3": 12, "5": 16}),
        ("numberBonuses", {"1": 4, "2": 8, "3": 12, "4": 16, "5": 1}),
        ("numberBonuses", "1234"),
        ("numberBonuses", 4),
        ("bonusTiles", {"fountain": 1}),
        ("bonusTiles", {"pillar": "1"}),
        ("bonusTiles", {"pillar": -1}),
        ("bonusTiles", {"pillar": 11}),
        ("bonusTiles", [1, 2, 3]),
        ("bonusTiles", None),
        ("numbers", {"O": [1, 2, 3, 4, 5, 6]}),
        ("numbers", BEIGE | {"C": [3, 3, 3]}),
        ("numbers", BEIGE | {"C": [3, 3, 3, 3, 3, 7]}),
        ("numbers", BEIGE | {"C": [3, 3, 3, 3, 3, 0]}),
        ("numbers", BEIGE | {"C": "333333"}),
        ("numbers", BEIGE | {"W": [3, 3, 3, 3, 3, 3]}),
        ("numbers", [[1, 2, 3, 4, 5, 6]] * 7),
        ("numbers", None),
    ],
)
def test_options_that_make_no_sense(edition, name, value):
    with pytest.raises(EditionError, match=name):
        edition.setup("coloured", 2, 1, {name: value})


@pytest.mark.parametrize(
    ("side", "players", "first", "problem"),
    [
        ("grey", 2, 1, "coloured or beige"),
        ("coloured", 1, 1, "2 to 4"),
        ("coloured", 5, 1, "2 to 4"),
        ("coloured", 2, 0, "1 to 2"),
        ("beige", 3, 4, "1 to 3"),
    ],
)
def test_set_ups_that_do_not_exist(edition, side, players, first, problem):
    with pytest.raises(EditionError, match=problem):
        edition.setup(side, players, first)
