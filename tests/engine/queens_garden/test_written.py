"""Options, wheel profiles, records, tables and corrections of Queen's Garden."""

import copy
import json

import pytest

import engine
from engine.editions.queens_garden.wheel import wheel_problems
from engine.record import replay

START = {"event": "start", "edition": "queens-garden", "side": "a", "players": 2, "first": 1}
OPENING = {"event": "stack", "tiles": ["LB1", "LB3", "LB6", "YE2"]}


def replayed(*events, **start):
    return list(replay([json.dumps(event) for event in ({**START, **start}, *events)]))


# ------------------------------------------------------------------------------------------------ options


def test_a_good_wheel_has_neither_problems_nor_warnings(wheel):
    assert wheel_problems(wheel) == ([], [])
    assert wheel_problems(wheel["rounds"]) == ([], [])


def test_a_wheel_with_a_category_twice_is_warned_of_but_usable(garden, wheel):
    odd = copy.deepcopy(wheel)
    odd["rounds"][3][2] = {"kind": "colour", "id": "LB", "points": 2}
    problems, warnings = wheel_problems(odd)
    assert problems == []
    assert [str(warning) for warning in warnings] == ["light blue comes 2 times", "not on the wheel: bellflower"]
    assert garden.setup("a", 2, 1, {"wheel": odd}).options.wheel.name == "synthetic"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda wheel: wheel["rounds"].pop(),
        lambda wheel: wheel["rounds"][0].pop(),
        lambda wheel: wheel["rounds"][0][0].update(id="XX"),
        lambda wheel: wheel["rounds"][0][0].update(kind="pattern"),
        lambda wheel: wheel["rounds"][0][0].update(kind=[]),
        lambda wheel: wheel["rounds"][0][0].update(points=0),
        lambda wheel: wheel["rounds"][0][0].update(points=True),
        lambda wheel: wheel["rounds"][0][0].update(more=1),
        lambda wheel: wheel.update(name=5),
        lambda wheel: wheel.update(sort="of"),
        lambda wheel: wheel.update(rounds="four"),
    ],
)
def test_a_spoilt_wheel_is_refused(garden, wheel, spoil):
    spoilt = copy.deepcopy(wheel)
    spoil(spoilt)
    problems, warnings = wheel_problems(spoilt)
    assert problems
    assert warnings == []
    with pytest.raises(engine.EditionError, match="wheel"):
        garden.setup("a", 2, 1, {"wheel": spoilt})


def test_options_are_read_as_they_were_written(garden, wheel):
    options = {
        "wheel": wheel,
        "groupBonus": {"3": 1, "6": 12},
        "duplicatePayers": "forbid",
        "jokerRewards": {"fountain": 2, "tip": 1, "pavilion": 4},
        "scoreMin": -10,
        "explicitScoring": True,
    }
    for side in ("a", "b"):
        setup = garden.setup(side, 3, 2, options)
        assert garden.format_options(setup) == options
        assert garden.setup(side, 3, 2, json.loads(json.dumps(garden.format_options(setup)))) == setup
        assert garden.format_options(garden.setup(side, 2)) == {}


@pytest.mark.parametrize(
    "options",
    [
        {"groupBonus": {"2": 1}},
        {"groupBonus": {"6": "much"}},
        {"groupBonus": 6},
        {"duplicatePayers": "perhaps"},
        {"jokerRewards": {"bench": 2}},
        {"scoreMin": 1},
        {"explicitScoring": 1},
    ],
)
def test_other_options_are_refused(garden, options):
    with pytest.raises(engine.EditionError):
        garden.setup("a", 2, 1, options)


def test_rewards_as_agreed(garden, lay):
    options = {"jokerRewards": {"fountain": 2}}
    state = lay(garden, garden="F1=LB2,F2=LB3,F3=LB4,F4=LB5,F5=LB6", tiles="LB1", options=options)
    assert garden.apply(state, garden.parse_move("1:LB1>F0")).boards[0].jokers == 2


# ------------------------------------------------------------------------------------------------ records


def test_a_short_record():
    steps = replayed(
        OPENING,
        {"event": "acquire", "seat": 1, "picks": [{"hex": "LB6", "from": 0}, {"hex": "LB1", "from": 0}]},
        {"event": "stack", "tiles": ["LB1", "DG2", "DG3", "DP4"]},
        {"event": "buy", "seat": 2, "slot": 3},
        {"event": "plant", "seat": 1, "tile": "LB1", "cell": "F0"},
        {"event": "pass", "seat": 2},
        {"event": "pass", "seat": 1, "discard": ["LB6"]},
    )
    assert [[violation.rule for violation in step.violations] for step in steps] == [
        [],
        [],
        ["QG-DR-02"],
        [],
        [],
        [],
        [],
        [],
    ]
    assert steps[-1].state.scores == (9, 8)
    assert (steps[-1].state.phase, steps[-1].state.starter) == ("fill", 2)
    assert {line.rule for line in steps[-1].lines} == {"QG-PT-01", "QG-PT-04"}


@pytest.mark.parametrize(
    "event",
    [
        {"event": "acquire", "seat": 1, "picks": []},
        {"event": "acquire", "seat": 1, "picks": ["LB1"]},
        {"event": "acquire", "seat": 1, "picks": [{"hex": "J", "from": 0}]},
        {"event": "acquire", "seat": 1, "picks": [{"hex": "LB1", "from": 0, "why": 1}]},
        {"event": "acquire", "seat": 3, "picks": [{"hex": "LB1", "from": 0}]},
        {"event": "plant", "seat": 1, "tile": "LB7", "cell": "F0"},
        {"event": "plant", "seat": 1, "tile": "LB1", "cell": "F6"},
        {"event": "plant", "seat": 1, "tile": "LB1", "cell": "F0", "pay": ["LB"]},
        {"event": "plant", "seat": 1, "tile": "LB1", "cell": "F0", "pay": "LB1"},
        {"event": "expand", "seat": 1, "hex": "LB1", "slot": 0, "at": 6},
        {"event": "buy", "seat": 1},
        {"event": "pass", "seat": 1, "keep": []},
        {"event": "pass", "seat": 1, "slips": [{"slip": "moved", "tiles": "LB"}]},
        {"event": "fill", "factories": []},
        {"event": "stack", "tiles": ["J"]},
    ],
)
def test_what_cannot_be_read_ends_the_replay(event):
    last = replayed(OPENING, event)[-1]
    assert last.ends
    assert [violation.rule for violation in last.violations] == ["RECORD"]


@pytest.mark.parametrize(
    "event",
    [
        {"event": "acquire", "seat": 1, "picks": [{"hex": "DP1", "from": 0}]},
        {"event": "acquire", "seat": 1, "picks": [{"hex": "LB1", "from": 7}]},
        {"event": "acquire", "seat": 1, "picks": [{"hex": "xLB1", "from": 0}]},
        {"event": "plant", "seat": 1, "tile": "LB1", "cell": "F0"},
        {"event": "expand", "seat": 1, "hex": "LB1", "slot": 0, "at": 0},
        {"event": "expand", "seat": 1, "hex": "LB1", "slot": 9, "at": 0},
        {"event": "buy", "seat": 1, "slot": 6},
        {"event": "pass", "seat": 1, "discard": ["LB1"]},
        {"event": "stack", "tiles": ["LB1"]},
        {"event": "count"},
    ],
)
def test_what_cannot_have_happened_ends_the_replay(event):
    last = replayed(OPENING, event)[-1]
    assert last.ends
    assert "RECORD" in [violation.rule for violation in last.violations]


def test_scoring_said_explicitly():
    events = [OPENING, {"event": "pass", "seat": 1}, {"event": "pass", "seat": 2}]
    steps = replayed(
        *events,
        {"event": "count", "slips": [{"slip": "miscounted", "at": 2, "to": 3}]},
        options={"explicitScoring": True},
    )
    assert steps[-2].state.phase == "count"
    assert [violation.rule for violation in steps[-1].violations] == ["QG-SC-01"]
    assert steps[-1].state.scores == (14, 18)


# ------------------------------------------------------------------------------------------------- tables


def test_a_table_in_words_of_the_formats_page(garden):
    table = {
        "edition": "queens-garden",
        "side": "a",
        "boards": [
            {
                "seat": 1,
                "garden": {
                    "F0": "LB3",
                    "X0": {"face": "up", "hex": "LG1", "at": 4},
                    "X0.2": "YE2",
                    "X1": {"face": "down"},
                },
                "storage": {"tiles": ["LB1", "J"], "expansions": ["DP6"]},
                "score": 17,
            }
        ],
        "display": [{"face": "down", "tiles": ["LB3"]}, {"face": "up", "hex": "DG1"}],
        "stack": {"tiles": ["LB1", "LB2", "LG3", "LG4"], "left": 4},
        "round": 1,
        "photo": "passed over",
    }
    seen = garden.parse_table(table)
    assert garden.table_violations(seen, None) == []
    assert garden.format_table(seen) == {name: value for name, value in table.items() if name != "photo"}
    (outlook,) = garden.outlook(seen)
    assert (outlook.round_points, outlook.bonus_points, outlook.unseen) == (1, -6, ())
    assert "LG1" in garden.show(seen)


def test_what_is_not_seen(garden):
    table = {
        "edition": "queens-garden",
        "boards": [
            {"seat": 1},
            {
                "seat": 2,
                "garden": {
                    "F0": "?",
                    "X0": "?",
                    "X0.2": "LB1",
                    "X1": {"face": "up"},
                    "X2": {"face": "up", "hex": "?", "at": 1},
                },
                "storage": {"tiles": ["?", "LB2"]},
                "score": None,
            },
        ],
    }
    seen = garden.parse_table(table)
    assert garden.table_violations(seen, None) == []
    first, second = garden.outlook(seen)
    assert first.unseen == ("X0", "X1", "X2", "X3", "X4", "X5", "F0", "F1", "F2", "F3", "F4", "F5", "storage", "score")
    assert second.unseen == ("X0", "X1", "F0", "X2.1", "storage", "score")
    assert second.round_points == 2
    again = garden.parse_table(json.loads(json.dumps(garden.format_table(seen))))
    assert again == seen


@pytest.mark.parametrize(
    "board",
    [
        {"garden": []},
        {"garden": {"F9": "LB1"}},
        {"garden": {"F0": "LB9"}},
        {"garden": {"F0": ["LB1"]}},
        {"garden": {"X0": "LB1"}},
        {"garden": {"X0": {"face": "up", "hex": "LB1", "at": 6}}},
        {"garden": {"X0": {"face": "up", "hex": "LB1", "at": 1}, "X0.1": "LB1"}},
        {"storage": {"tiles": "LB1"}},
        {"storage": {"tiles": ["x"]}},
        {"score": "many"},
        {"seat": 5},
    ],
)
def test_other_tables_are_refused(garden, board):
    with pytest.raises(engine.TableError):
        garden.parse_table({"edition": "queens-garden", "boards": [{"seat": 1} | board]})


@pytest.mark.parametrize(
    "middle",
    [{"display": {}}, {"display": [{"face": "sideways"}]}, {"stack": []}, {"stack": {"left": -1}}, {"round": 5}],
)
def test_other_middles_are_refused(garden, middle):
    with pytest.raises(engine.TableError):
        garden.parse_table({"edition": "queens-garden", "boards": []} | middle)


# -------------------------------------------------------------------------------------------- corrections


def lying(garden, state):
    return sorted(tile for tiles in garden.heaps(state).values() for tile in tiles)


@pytest.mark.parametrize(
    ("seat", "cells", "look"),
    [
        (1, {"F0": "YE1"}, lambda s: s.boards[0].garden[0] == "YE1"),
        (1, {"F0": "."}, lambda s: s.boards[0].garden[0] == "."),
        (1, {"X0": "down"}, lambda s: s.boards[0].slots[0] == 6),
        (1, {"X0": "."}, lambda s: s.boards[0].slots[0] == -1),
        (1, {"X0": "LG1@2"}, lambda s: s.boards[0].slots[0] == 2 and s.boards[0].garden[8] == "LG1"),
        (1, {"X1": "DP6@5", "X1.0": "DP5"}, lambda s: s.boards[0].slots[1] == 5),
        (1, {"storage": "LB1 J xDP5"}, lambda s: s.boards[0][2:5] == (("LB1",), 1, ("DP5",))),
        (2, {"score": 33}, lambda s: s.scores[1] == 33),
        (0, {"stack": "LB1 LB2", "left": 2}, lambda s: (s.top, s.stack) == (("LB1", "LB2"), 2)),
        (0, {"display.1": "xYE6"}, lambda s: s.display[0] == ("YE6", ())),
        (0, {"display.1": "."}, lambda s: len(s.display) == 1),
        (0, {"display.3": "LB5 LB6"}, lambda s: s.display[2] == ("", ("LB5", "LB6"))),
        (0, {"marker": 2, "turn": 2}, lambda s: (s.marker, s.seat) == (2, 2)),
    ],
)
def test_corrections_keep_all_tiles_and_cards(garden, lay, seat, cells, look):
    state = lay(garden, garden="F0=LB3,X0=LG1@4,X0.3=LG2", display="YE2/+DP1", tiles="J.LB4", cards="DP4", tower="DP2")
    after = garden.correct(state, cells, seat)
    assert look(after)
    assert lying(garden, after) == lying(garden, state)
    assert garden.parse_state(garden.format_state(after)) == after


@pytest.mark.parametrize(
    ("seat", "cells"),
    [
        (1, {"F0": "XX"}),
        (1, {"F7": "LB1"}),
        (1, {"X0": "LB1@7"}),
        (1, {"X0": "sideways"}),
        (1, {"storage": "LB1 Q"}),
        (1, {"score": "1"}),
        (0, {"display.9": "LB1"}),
        (0, {"marker": 3}),
        (0, {"stack": 4}),
        (1, {"storage": "LB1 LB1 LB1 LB1"}),
        (1, {"storage": "xLB1 xLB1"}),
        (0, {"left": 36}),
    ],
)
def test_other_corrections_are_refused(garden, lay, seat, cells):
    with pytest.raises(engine.EngineError):
        garden.correct(lay(garden), cells, seat)


@pytest.mark.parametrize(
    "text",
    ["", "queens-garden:c:2:1", "1:LB9@0", "1:LB1>Z9", "1:pass=QQ", "stack:J", "1:xLB1>X0@9", "1:LB1>F0!Moved", "2"],
)
def test_other_notations_are_refused(garden, text):
    with pytest.raises(engine.NotationError):
        garden.parse_move(text)
    with pytest.raises(engine.EngineError):
        garden.parse_state(text)


def test_spoilt_states_are_refused(garden, lay):
    line = garden.format_state(lay(garden, garden="F0=LB3,X0=LG1@4", display="YE2/+DP1"))
    for old, new in [
        ("F0=LB3", "F0=LB9"),
        ("F0=LB3", "F9=LB3"),
        ("X0=LG1@4", "X0=LG1@9"),
        ("X0=LG1@4", "X0=LG1"),
        ("X0=LG1@4", "X0=LG1@4,X0.4=LB1"),
        ("X0=LG1@4", "X0=LG1@4,X0=down"),
        ("act1", "act7"),
        ("r2", "r9"),
        ("p-", "p3"),
        ("YE2/", "YX2/"),
        ("|15", "|many"),
        ("|-|15", "|15"),
    ]:
        assert old in line
        with pytest.raises(engine.EngineError):
            garden.parse_state(line.replace(old, new, 1))
