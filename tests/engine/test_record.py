"""Records: what is one, what a replay says of every line, and that nothing written in a file can upset it."""

import json
import os
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.errors import EngineError
from engine.moves import Correct
from engine.record import (
    Start,
    dump_event,
    final_json,
    format_start,
    parse_lines,
    parse_start,
    replay,
    step_json,
)

EFFORT = int(os.environ.get("AZUL_EFFORT", "1"))
CALM = settings(deadline=None, derandomize=EFFORT == 1)

START: dict[str, Any] = {"event": "start", "edition": "azul", "side": "coloured", "players": 2, "first": 1}
GREY = START | {"side": "grey"}
FILL = {"event": "fill", "factories": ["BBYY", "RRKK", "WWBB", "YYRR", "KKWW"]}
TAKE = {"event": "take", "seat": 1, "from": 1, "colour": "B", "line": 2}
SECOND = {"event": "take", "seat": 2, "from": 2, "colour": "R", "line": 2}
# A whole first round, after which seat 1 has the lines 1 and 2 complete, seat 2 the lines 2 and 3.
ROUND = [
    FILL,
    TAKE,
    SECOND,
    {"event": "take", "seat": 1, "from": 3, "colour": "W", "line": 5},
    {"event": "take", "seat": 2, "from": 4, "colour": "R", "line": 0},
    {"event": "take", "seat": 1, "from": 5, "colour": "K", "line": 4},
    {"event": "take", "seat": 2, "from": 0, "colour": "Y", "line": 3},
    {"event": "take", "seat": 1, "from": 0, "colour": "B", "line": 3},
    {"event": "take", "seat": 2, "from": 0, "colour": "W", "line": 4},
    {"event": "take", "seat": 1, "from": 0, "colour": "K", "line": 1},
]
TILES = [
    {"event": "tile", "seat": 1, "row": 1, "column": 3},
    {"event": "tile", "seat": 1, "row": 2, "column": 3},
    {"event": "tile", "seat": 2, "row": 2, "column": 1},
    {"event": "tile", "seat": 2, "row": 3, "column": 2},
]


def line_of(event):
    return event if isinstance(event, str) else dump_event(event)


def replayed(*events):
    return list(replay([line_of(event) for event in events]))


def rules_of(step):
    return {violation.rule for violation in step.violations}


@pytest.fixture(scope="module")
def whole_game(game, written):
    """The lines of a legal game played to its end."""
    start = Start(engine.load("azul"), engine.load("azul").setup("coloured", 2))
    turns = list(game(start, random.Random(5)))
    assert turns[-1].settled.phase == engine.OVER
    return written(start, [turn.move for turn in turns])


# --------------------------------------------------------------------------------------------------- what a replay says


def test_a_legal_record_is_ok_line_by_line_and_numbered_from_one():
    steps = replayed(START, *ROUND)
    assert [step.n for step in steps] == list(range(1, 12))
    assert all(step.ok for step in steps)
    assert [list(step.state.scores) for step in steps[:-1]] == [[0, 0]] * 10


def test_the_take_that_empties_the_table_brings_the_round():
    last = replayed(START, *ROUND)[-1]
    assert len(last.moves) == 1 + len(TILES) + 2
    assert last.state.scores == (1, 0)
    assert step_json(last)["scores"] == [1, 0]
    assert [(line["seat"], line["points"]) for line in step_json(last)["lines"]] == [
        (1, 1),
        (1, 1),
        (1, -1),
        (2, 1),
        (2, 2),
        (2, -3),
    ]


def test_grey_walls_are_tiled_by_events_and_floors_charged_by_the_last():
    steps = replayed(GREY, *ROUND, *TILES)
    assert all(step.ok for step in steps)
    assert [step.state.scores for step in steps[-5:]] == [(0, 0), (1, 0), (3, 0), (3, 1), (2, 0)]
    assert steps[-1].state.phase == "fill"


def test_a_broken_rule_is_named_and_the_replay_goes_on():
    wrong = SECOND | {"seat": 1}
    steps = replayed(START, FILL, TAKE, wrong, SECOND | {"from": 3, "colour": "B"})
    assert [step.ok for step in steps] == [True, True, True, False, True]
    assert not any(step.ends for step in steps)
    # The line holds blue, and it was not seat 1's turn.
    assert rules_of(steps[3]) == {"AZ-DR-07", "AZ-PL-02", "AZ-PL-03"}
    assert {violation["seat"] for violation in step_json(steps[3])["violations"]} == {1}
    assert step_json(steps[3])["scores"] == [0, 0]
    assert steps[4].state.factories == ("", "", "", "RRYY", "KKWW")


@pytest.mark.parametrize(
    ("factories", "rule"),
    [
        (["BBYY", "RRKK", "WWBB", "YYRR"], "AZ-SU-01"),
        (["BBYY", "RRKK", "WWBB", "YYRR", "KKWW", "BYRK"], "AZ-SU-01"),
        (["BBYY", "RRK", "WWBB", "YYRR", "KKWW"], "AZ-SU-02"),
        (["BBYY", "RRKKK", "WWBB", "YYRR", "KKWW"], "AZ-SU-02"),
        (["BBYY", "", "WWBB", "YYRR", "KKWW"], "AZ-SU-02"),
    ],
)
def test_factories_filled_wrongly_are_flagged_and_played(factories, rule):
    steps = replayed(START, FILL | {"factories": factories}, TAKE)
    assert [rules_of(step) for step in steps] == [set(), {rule}, set()]
    assert steps[1].state.factories == tuple("".join(sorted(disc)) for disc in factories)


def test_a_step_is_json_with_its_reasons():
    broken = replayed(START, FILL, TAKE | {"seat": 2})[-1]
    assert json.loads(dump_event(step_json(broken))) == {
        "n": 3,
        "ok": False,
        "violations": [{"rule": "AZ-DR-07", "seat": 2, "text": "it is the turn of seat 1"}],
        "scores": [0, 0],
    }


def test_violations_and_points_are_told_in_the_language_asked_for():
    class Marked:
        def gettext(self, message):
            return f"<{message}>"

        def ngettext(self, msgid1, msgid2, n):
            return f"<{n}: {msgid1} | {msgid2}>"

    broken = replayed(START, FILL, TAKE | {"seat": 2})[-1]
    assert step_json(broken, Marked())["violations"][0]["text"] == "<it is the turn of <seat 1>>"
    tiled, _, swept = step_json(replayed(START, *ROUND)[-1], Marked())["lines"][:3]
    assert tiled["text"] == "<<black> in row 1, column 4: no neighbour>"
    assert swept["text"] == "<1: floor line: 1 cell costs 1 | floor line: 1 cells cost 1>"


def test_the_result_comes_only_at_the_end(whole_game):
    azul, steps = engine.load("azul"), list(replay(whole_game))
    assert final_json(azul, steps[-2].state) is None
    result = final_json(azul, steps[-1].state)
    assert result is not None
    assert set(result) == {"final", "winners", "breakdown"}
    for seat, (points, part) in enumerate(zip(result["final"], result["breakdown"], strict=True), 1):
        assert (part["seat"], part["total"]) == (seat, points)
        assert part["score"] == steps[-1].state.scores[seat - 1]
        assert part["score"] + sum(line["points"] for line in part["lines"]) == points


# ---------------------------------------------------------------------------------- lines that end a replay with RECORD

HUGE = "9" * 5000
UNREADABLE = {
    "blank line": "",
    "white space": "   ",
    "broken JSON": '{"event": "take", "seat": 1',
    "two objects": line_of(TAKE) * 2,
    "single quotes": "{'event': 'take'}",
    "an array": "[]",
    "a number": "7",
    "a text": '"take"',
    "null": "null",
    "no event": "{}",
    "event is a number": '{"event": 1}',
    "event is null": '{"event": null}',
    "event is a list": '{"event": ["take"]}',
    "unknown event": '{"event": "jump", "seat": 1}',
    "event of another game": '{"event": "place", "seat": 1, "star": "O", "cell": 1, "colour": "O", "jokers": 0}',
    "second start": line_of(START),
    "unknown field": line_of(TAKE | {"speed": 3}),
    "missing field": '{"event": "take", "seat": 1, "from": 1, "colour": "B"}',
    "field is null": line_of(TAKE | {"line": None}),
    "letter of another game": line_of(TAKE | {"colour": "G"}),
    "small letter": line_of(TAKE | {"colour": "b"}),
    "two letters": line_of(TAKE | {"colour": "BB"}),
    "no letter": line_of(TAKE | {"colour": ""}),
    "the marker as a colour": line_of(TAKE | {"colour": "1"}),
    "a number for a letter": line_of(TAKE | {"colour": 1}),
    "seat that does not exist": line_of(TAKE | {"seat": 3}),
    "seat 0": line_of(TAKE | {"seat": 0}),
    "negative seat": line_of(TAKE | {"seat": -1}),
    "source that does not exist": line_of(TAKE | {"from": 10}),
    "line that does not exist": line_of(TAKE | {"line": 6}),
    "row that does not exist": line_of({"event": "tile", "seat": 1, "row": 0, "column": 1}),
    "column that does not exist": line_of({"event": "tile", "seat": 1, "row": 1, "column": 6}),
    "true for 1": '{"event": "take", "seat": true, "from": 1, "colour": "B", "line": 2}',
    "1.0 for 1": '{"event": "take", "seat": 1.0, "from": 1, "colour": "B", "line": 2}',
    "a text for 1": line_of(TAKE | {"seat": "1"}),
    "a list for 1": line_of(TAKE | {"seat": [1]}),
    "NaN": '{"event": "take", "seat": NaN, "from": 1, "colour": "B", "line": 2}',
    "Infinity": '{"event": "take", "seat": 1, "from": -Infinity, "colour": "B", "line": 2}',
    "overflowing to infinity": '{"event": "take", "seat": 1e999, "from": 1, "colour": "B", "line": 2}',
    "huge number": line_of(TAKE).replace('"line":2', f'"line":{10**30}'),
    "number too huge to read": line_of(TAKE).replace('"line":2', f'"line":{HUGE}'),
    "the same key twice": line_of(TAKE)[:-1] + ',"seat":1}',
    "the same key twice inside": line_of(TAKE)[:-1] + ',"slips":[{"slip":"gap","slip":"gap"}]}',
    "deep nesting": line_of(TAKE)[:-1] + ',"slips":' + "[" * 100_000 + "]" * 100_000 + "}",
    "moderate nesting": line_of(TAKE).replace('"seat":1', '"seat":' + "[" * 300 + "]" * 300),
    "slips are no list": line_of(TAKE | {"slips": {"slip": "gap"}}),
    "a slip is no object": line_of(TAKE | {"slips": ["gap"]}),
    "a slip without a name": line_of(TAKE | {"slips": [{"tiles": "B"}]}),
    "unknown field of a slip": line_of(TAKE | {"slips": [{"slip": "gap", "why": "hurry"}]}),
    "unknown slip": line_of(TAKE | {"slips": [{"slip": "sneeze"}]}),
    "slip of another event": line_of(TAKE | {"slips": [{"slip": "uncleared"}]}),
    "slip on a line that does not exist": line_of(TAKE | {"slips": [{"slip": "split", "tiles": "B", "at": 9}]}),
    "factories are no list": line_of(FILL | {"factories": "BBYY"}),
    "factory is no text": line_of(FILL | {"factories": ["BBYY", 4]}),
    "letters of another game in a fill": line_of(FILL | {"factories": ["PGOO", "BBYY", "RRKK", "WWBB", "YYRR"]}),
    "more factories than the box holds": line_of(FILL | {"factories": ["BBYY"] * 10}),
    "a control character": '{"event": "take\t"}',
}


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_line_that_cannot_be_read_ends_the_replay(line):
    steps = replayed(START, FILL, line, TAKE)
    assert [step.n for step in steps] == [1, 2, 3]
    assert [step.ok for step in steps] == [True, True, False]
    assert steps[2].ends
    assert "RECORD" in rules_of(steps[2])
    assert steps[2].state == steps[1].state
    assert "scores" not in step_json(steps[2])
    said = step_json(steps[2])["violations"][0]["text"]
    assert said
    assert len(said) < 400


IMPOSSIBLE = {
    "more tiles of a colour than there are": ([], FILL | {"factories": ["BBBB"] * 5 + ["B"]}),
    "tiles that were drawn before": ([*ROUND], FILL | {"factories": ["BBBB"] * 5}),
    "factories filled while tiles still lie there": ([FILL], FILL),
    "a take before the first fill": ([], TAKE),
    "a factory that is not in use": ([FILL], TAKE | {"from": 6}),
    "a factory that is empty by now": ([FILL, TAKE], TAKE | {"seat": 2}),
    "a colour that is not there": ([FILL], TAKE | {"colour": "K"}),
    "an empty centre": ([FILL], TAKE | {"from": 0}),
    "a wall tile of an empty line": ([FILL], {"event": "tile", "seat": 1, "row": 1, "column": 1}),
    "a floor swept while factories are full": ([FILL], {"event": "sweep", "seat": 1}),
    "no tile on any factory": ([], FILL | {"factories": ["", "", "", "", ""]}),
    "a slip with tiles that are not there": ([FILL], TAKE | {"slips": [{"slip": "left", "tiles": "BBB"}]}),
}


@pytest.mark.parametrize(("before", "event"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_what_cannot_have_happened_ends_the_replay(before, event):
    steps = replayed(START, *before, event, TAKE)
    assert [step.ok for step in steps] == [True] * (1 + len(before)) + [False]
    assert steps[-1].ends
    assert "RECORD" in rules_of(steps[-1])
    assert steps[-1].state == steps[-2].state


OUT_OF_PHASE = {
    "a wall tile while drafting": ([FILL, TAKE], {"event": "tile", "seat": 1, "row": 2, "column": 2}),
    "a pass before the first fill": ([], {"event": "pass", "seat": 1}),
    "a wall tile of the coloured side after its round": ([*ROUND], {"event": "tile", "seat": 1, "row": 5, "column": 1}),
}


@pytest.mark.parametrize(("before", "event"), OUT_OF_PHASE.values(), ids=OUT_OF_PHASE.keys())
def test_an_event_out_of_its_phase_is_flagged(before, event):
    step = replayed(START, *before, event)[-1]
    assert "RECORD" in rules_of(step)


@pytest.mark.parametrize(
    "event",
    [FILL, TAKE, {"event": "tile", "seat": 1, "row": 1, "column": 1}, {"event": "pass", "seat": 1}],
    ids=lambda event: event["event"],
)
def test_an_event_after_the_end_is_flagged(whole_game, event):
    steps = list(replay([*whole_game, line_of(event)]))
    assert all(step.ok for step in steps[:-1])
    assert "RECORD" in rules_of(steps[-1])


def test_a_tile_lying_with_a_gap_can_be_judged_when_it_is_moved():
    # The line was filled from its left, so its right-most cell is empty.
    gap = TAKE | {"line": 3, "slips": [{"slip": "gap"}]}
    for start in (START, GREY):
        step = replayed(start, FILL, gap, {"event": "tile", "seat": 1, "row": 3, "column": 3})[-1]
        assert {"AZ-WT-01", "RECORD"} <= rules_of(step)


def test_a_wall_row_that_does_not_exist_is_flagged():
    tile = {"event": "tile", "seat": 1, "row": 2, "column": 2, "slips": [{"slip": "other-row", "at": 9}]}
    step = replayed(START, FILL, TAKE, tile)[-1]
    assert step.ends
    assert "RECORD" in rules_of(step)


def test_a_floor_swept_in_the_middle_of_a_grey_round_is_no_event_unless_agreed():
    # docs/formats.md: only with explicitTiling; otherwise the last tile of the round charges all floors.
    sweep = {"event": "sweep", "seat": 1}
    plain = replayed(GREY, *ROUND, *TILES[:2], sweep)[-1]
    assert not plain.ok
    agreed = replayed(GREY | {"options": {"explicitTiling": True}}, *ROUND, *TILES[:2], sweep)[-1]
    assert agreed.ok


# ----------------------------------------------------------------------------------------------------- what is a record

NO_START = {
    "nothing": b"",
    "a blank line first": b"\n" + line_of(START).encode(),
    "binary": bytes(range(256)),
    "another encoding": line_of(START).encode("utf-16"),
    "another event first": line_of(FILL).encode(),
    "no JSON": b"azul",
    "JSON of another kind": b"[1, 2]",
    "an edition that does not exist": line_of(START | {"edition": "azul_mini"}).encode(),
    "no path either": line_of(START | {"edition": "../azul"}).encode(),
    "no edition": line_of({k: v for k, v in START.items() if k != "edition"}).encode(),
    "edition is a list": line_of(START | {"edition": ["azul"]}).encode(),
    "a side that does not exist": line_of(START | {"side": "beige"}).encode(),
    "no side": line_of({k: v for k, v in START.items() if k != "side"}).encode(),
    "no first": line_of({k: v for k, v in START.items() if k != "first"}).encode(),
    "no players": line_of({k: v for k, v in START.items() if k != "players"}).encode(),
    "one player": line_of(START | {"players": 1}).encode(),
    "five players": line_of(START | {"players": 5}).encode(),
    "true players": line_of(START | {"players": True}).encode(),
    "2.0 players": line_of(START | {"players": 2.0}).encode(),
    "players as a text": line_of(START | {"players": "2"}).encode(),
    "one name": line_of(START | {"players": ["Ann"]}).encode(),
    "five names": line_of(START | {"players": list("abcde")}).encode(),
    "an empty name": line_of(START | {"players": ["Ann", ""]}).encode(),
    "a name that is none": line_of(START | {"players": ["Ann", 2]}).encode(),
    "an endless name": line_of(START | {"players": ["Ann", "B" * 81]}).encode(),
    "first 0": line_of(START | {"first": 0}).encode(),
    "first too high": line_of(START | {"first": 3}).encode(),
    "first is true": line_of(START | {"first": True}).encode(),
    "an unknown field": line_of(START | {"mood": "good"}).encode(),
    "a key twice": line_of(START)[:-1].encode() + b',"first":2}',
    "options are a list": line_of(START | {"options": []}).encode(),
    "options are null": line_of(START | {"options": None}).encode(),
    "an unknown option": line_of(START | {"options": {"speed": 2}}).encode(),
    "an option of another kind": line_of(START | {"options": {"floorPenalties": 3}}).encode(),
    "too few penalties": line_of(START | {"options": {"floorPenalties": [1, 1]}}).encode(),
    "a penalty that is true": line_of(START | {"options": {"floorPenalties": [True] * 7}}).encode(),
    "a bonus for nothing we know": line_of(START | {"options": {"bonuses": {"diagonal": 3}}}).encode(),
    "a pattern on the grey side": line_of(GREY | {"options": {"wallPattern": ["BYRKW"] * 5}}).encode(),
    "no pattern on the coloured side": line_of(START | {"options": {"wallPattern": None}}).encode(),
    "a pattern with a colour twice": line_of(START | {"options": {"wallPattern": ["BBRKW"] * 5}}).encode(),
    "1 for true": line_of(START | {"options": {"explicitTiling": 1}}).encode(),
    "a huge option": line_of(START | {"options": {"scoreMin": 10**50}}).encode(),
    "deep nesting": line_of(START)[:-1].encode() + b',"options":' + b'{"a":' * 100_000 + b"}" * 100_000 + b"}",
}


@pytest.mark.parametrize("data", NO_START.values(), ids=NO_START.keys())
def test_a_file_without_a_valid_start_is_no_record(data):
    with pytest.raises(EngineError) as caught:
        parse_start(parse_lines(data)[0])
    assert 10 < len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [(b"", b"\n", b""), (b"", b"\n", b"\n"), (b"\xef\xbb\xbf", b"\r\n", b"\r\n"), (b"", b"\n", b"\n\n \n")],
    ids=["plain", "final newline", "byte order mark and CRLF", "blank lines at the end"],
)
def test_lines_end_as_on_any_system(before, between, after):
    data = before + between.join(line_of(event).encode() for event in (START, FILL, TAKE)) + after
    steps = list(replay(parse_lines(data)))
    assert [step.ok for step in steps] == [True, True, True]


def test_players_may_have_names():
    names = ["Олена", "J. \u2028 “Bo” O'Neil\\"]
    start = parse_start(parse_lines(dump_event(START | {"players": names}).encode())[0])
    assert start.names == tuple(names)
    assert start.setup.players == 2
    assert format_start(start)["players"] == names


@pytest.mark.parametrize(
    "event",
    [
        START,
        GREY | {"players": 4, "first": 4},
        START | {"players": ["Ann", "Bo", "Cy"], "first": 3},
        START | {"edition": "azul-mini", "options": {"markerWhenFloorFull": "lastPenalty", "scoreMin": -5}},
        START | {"options": {"wallPattern": ["WKRYB", "BWKRY", "YBWKR", "RYBWK", "KRYBW"], "explicitTiling": True}},
        GREY | {"options": {"floorPenalties": [0, 1, 2, 3, 4, 5, 6], "greyNoFit": "lid", "trackMax": 150}},
        START | {"options": {"bonuses": {"row": 3, "col": 7, "colour": 11}}},
    ],
)
def test_starts_are_read_as_they_were_written(event):
    start = parse_start(dump_event(event))
    assert format_start(start) == event
    assert parse_start(dump_event(format_start(start))) == start


def test_options_that_change_nothing_are_not_written():
    usual = {"scoreMin": 0, "bonuses": {"row": 2}, "floorPenalties": [-1, -1, -2, -2, -2, -3, -3]}
    assert format_start(parse_start(dump_event(START | {"options": usual}))) == START


# ---------------------------------------------------------------------------------------------------------- corrections


def corrected(cells, seat=None, start=START, before=(FILL, TAKE), **fields):
    who = {} if seat is None else {"seat": seat}
    return replayed(start, *before, {"event": "correct", **who, "cells": cells, **fields})[-1]


@pytest.mark.parametrize(
    ("seat", "cells", "expected"),
    [
        (1, {"score": 7}, {"score": 7}),
        (1, {"line.2": ".."}, {"lines": (".", "..", "...", "....", ".....")}),
        (1, {"line.5.5": "K", "line.2.1": "."}, {"lines": (".", ".B", "...", "....", "....K")}),
        (1, {"wall.2.4": "R"}, {"wall": (".....", "...R.", ".....", ".....", ".....")}),
        (1, {"floor": "1K"}, {"floor": "1K"}),
        (1, {"floor": "K.."}, {"floor": "K"}),
    ],
)
def test_a_person_has_the_last_word_on_a_board(seat, cells, expected):
    step = corrected(cells, seat)
    assert step.ok
    before = replayed(START, FILL, TAKE)[-1].state.boards
    assert step.state.boards == (before[0]._replace(**expected), before[1])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"centre": "YB"}, {"centre": "BY"}),
        ({"factory.2": "KKKR"}, {"factories": ("", "KKKR", "BBWW", "RRYY", "KKWW")}),
        ({"marker": 2}, {"marker": 2}),
        ({"turn": 1}, {"seat": 1}),
    ],
)
def test_a_person_has_the_last_word_on_the_table(cells, expected):
    step = corrected(cells)
    assert step.ok
    assert {name: getattr(step.state, name) for name in expected} == expected


@pytest.mark.parametrize("cells", [{"line.2": "K."}, {"wall.1.1": "B", "wall.1.2": "B"}, {"floor": "WWWWWWW"}])
def test_tiles_that_come_or_go_are_made_up_for(cells):
    step = corrected(cells, 1)
    heaps = engine.load("azul").heaps(step.state)
    assert Counter(tile for tiles in heaps.values() for tile in tiles) == dict.fromkeys("BYRKW", 20)


def test_a_correction_of_nothing_changes_nothing():
    before = replayed(START, FILL, TAKE)[-1].state
    assert corrected({"line.2": "BB", "score": 0, "wall.5.5": ".", "floor": ""}, 1).state == before
    assert corrected({"centre": "YY", "factory.1": "", "turn": 2, "marker": 0}).state == before


def test_a_correction_is_kept_with_its_reason():
    step = corrected({"score": 3}, 2, why="the cube was knocked over")
    assert step.correction == Correct(2, (("score", 3),), "the cube was knocked over")
    assert step.moves == ()
    assert step_json(step) == {"n": 4, "ok": True, "scores": [0, 3]}


def test_what_was_corrected_is_what_the_game_goes_on_with():
    fix = {"event": "correct", "seat": 1, "cells": {"line.2": "KK"}}
    steps = replayed(START, FILL, TAKE, fix, SECOND, {"event": "take", "seat": 1, "from": 3, "colour": "B", "line": 2})
    assert rules_of(steps[-1]) == {"AZ-PL-02", "AZ-PL-03"}


WRONG_CORRECTIONS = {
    "no cells": {"seat": 1},
    "empty cells": {"seat": 1, "cells": {}},
    "cells are a list": {"seat": 1, "cells": [["score", 3]]},
    "a seat that does not exist": {"seat": 3, "cells": {"score": 1}},
    "a seat that is true": {"seat": True, "cells": {"score": 1}},
    "an unknown field": {"seat": 1, "cells": {"score": 1}, "who": "me"},
    "an unknown cell": {"seat": 1, "cells": {"roof": "B"}},
    "a cell of the table on a board": {"seat": 1, "cells": {"centre": "B"}},
    "a cell of a board on the table": {"cells": {"score": 1}},
    "a wall row that does not exist": {"seat": 1, "cells": {"wall.6.1": "B"}},
    "a wall cell without a column": {"seat": 1, "cells": {"wall.1": "BYRKW"}},
    "a cell beyond its line": {"seat": 1, "cells": {"line.2.3": "B"}},
    "a line of another length": {"seat": 1, "cells": {"line.2": "BBB"}},
    "two tiles in a cell": {"seat": 1, "cells": {"wall.1.1": "BB"}},
    "a letter of another game": {"seat": 1, "cells": {"wall.1.1": "G"}},
    "a list in a cell": {"seat": 1, "cells": {"wall.1.1": ["B"]}},
    "eight tiles on the floor": {"seat": 1, "cells": {"floor": "BBBBBBBB"}},
    "a score in words": {"seat": 1, "cells": {"score": "7"}},
    "a score that is true": {"seat": 1, "cells": {"score": True}},
    "a score that no board shows": {"seat": 1, "cells": {"score": 10**30}},
    "a factory that does not exist": {"cells": {"factory.6": "B"}},
    "a turn of nobody there": {"cells": {"turn": 3}},
    "more tiles than there are": {"cells": {"centre": "B" * 30}},
    "a reason that is no text": {"seat": 1, "cells": {"score": 1}, "why": 3},
}


@pytest.mark.parametrize("fields", WRONG_CORRECTIONS.values(), ids=WRONG_CORRECTIONS.keys())
def test_a_correction_that_means_nothing_ends_the_replay(fields):
    steps = replayed(START, FILL, {"event": "correct", **fields}, TAKE)
    assert len(steps) == 3
    assert steps[2].ends
    assert rules_of(steps[2]) == {"RECORD"}
    assert steps[2].state == steps[1].state


def test_a_correction_that_takes_the_last_tiles_off_the_table_ends_the_draft():
    cells = {f"factory.{i}": "" for i in range(1, 6)} | {"centre": ""}
    assert corrected(cells).state.phase != "draft"


def test_a_correction_after_which_nobody_has_a_complete_line_ends_the_round():
    # As the last tile of the round does; otherwise the floors would never be charged.
    tiles = [FILL, *ROUND[1:], *TILES[:3]]
    assert corrected({"line.3": ".YY"}, 2, start=GREY, before=tiles).state.phase == "fill"


# ----------------------------------------------------------------------------------------------------------------- fuzz


def survives(lines):
    """Replay to the end, whatever it says: numbered lines, only the last of which may end it, each of them JSON."""
    steps = list(replay(lines))
    assert [step.n for step in steps] == list(range(1, len(steps) + 1))
    assert not any(step.ends for step in steps[:-1])
    assert steps[-1].ends or len(steps) == len(lines)
    for step in steps:
        dump_event(step_json(step)).encode()
    edition = parse_start(lines[0]).edition
    for step in steps[-3:]:
        assert edition.parse_state(edition.format_state(step.state)) == step.state


@settings(CALM, max_examples=300 * EFFORT)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_a_record_or_refused(data):
    try:
        lines = parse_lines(data)
        parse_start(lines[0])
    except EngineError:
        return
    survives(lines)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
SLIPS = [
    *("left", "extra", "unpushed", "marker", "marker-cell", "split", "stacked", "gap", "floor-gap"),
    *("kept", "returned", "hidden", "shifted", "rest", "other-row", "uncleared", "marker-lid", "cleared", "removed"),
]
SLIP = st.fixed_dictionaries(
    {"slip": st.sampled_from(SLIPS)},
    optional={"tiles": st.text("BYRKW", max_size=3), "at": st.integers(0, 9), "to": st.integers(0, 9)},
)
SEAT = st.integers(1, 2)
CELLS = st.one_of(
    st.tuples(st.sampled_from(["score", "marker", "turn"]), st.integers(-3, 200)),
    st.tuples(st.sampled_from(["centre", "floor", "factory.1", "factory.5"]), st.text("BYRKW1.", max_size=7)),
    st.tuples(st.builds("wall.{}.{}".format, st.integers(1, 5), st.integers(1, 5)), st.sampled_from("BYRKW.")),
    st.integers(1, 5).flatmap(lambda r: st.tuples(st.just(f"line.{r}"), st.text("BK.", min_size=r, max_size=r))),
)
# Events that can be read, but hardly ever come at the right time.
EVENTS = st.one_of(
    st.fixed_dictionaries(
        {
            "event": st.just("take"),
            "seat": SEAT,
            "from": st.integers(0, 6),
            "colour": st.sampled_from("BYRKW"),
            "line": st.integers(0, 5),
        },
        optional={"slips": st.lists(SLIP, max_size=2)},
    ),
    st.fixed_dictionaries(
        {"event": st.just("tile"), "seat": SEAT, "row": st.integers(1, 5), "column": st.integers(0, 5)},
        optional={"slips": st.lists(SLIP, max_size=2)},
    ),
    st.fixed_dictionaries({"event": st.just("sweep"), "seat": SEAT}, optional={"slips": st.lists(SLIP, max_size=2)}),
    st.fixed_dictionaries({"event": st.just("pass"), "seat": SEAT}),
    st.fixed_dictionaries({"event": st.just("fill"), "factories": st.lists(st.text("BYRKW", max_size=4), max_size=6)}),
    st.fixed_dictionaries(
        {"event": st.just("correct"), "cells": st.lists(CELLS, min_size=1, max_size=3).map(dict)},
        optional={"seat": st.integers(0, 2)},
    ),
)


@st.composite
def mutated_records(draw):
    """A record of a round with something done to one to four of its lines."""
    start = draw(st.sampled_from([START, GREY, GREY | {"options": {"explicitTiling": True}}]))
    lines = [line_of(event) for event in [start, *ROUND, *(TILES if start["side"] == "grey" else []), FILL]]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(1, len(lines) - 1))
        match draw(st.sampled_from(["value", "key", "insert", "drop", "copy", "cut", "letter"])):
            case "value" | "key" as what:
                try:
                    event = json.loads(lines[at])
                except ValueError:
                    continue
                if isinstance(event, dict):
                    name = draw(st.sampled_from(sorted(event) or ["x"]) if what == "value" else st.text(max_size=4))
                    lines[at] = json.dumps(event | {name: draw(JSON)})
            case "insert":
                lines.insert(at, line_of(draw(EVENTS)))
            case "drop" if len(lines) > 2:
                del lines[at]
            case "copy":
                lines.insert(draw(st.integers(1, len(lines))), lines[at])
            case "cut":
                lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
            case "letter" if lines[at]:
                i = draw(st.integers(0, len(lines[at]) - 1))
                lines[at] = lines[at][:i] + draw(st.characters()) + lines[at][i + 1 :]
    return lines


@settings(CALM, max_examples=500 * EFFORT)
@given(mutated_records())
def test_no_line_of_a_record_upsets_a_replay(lines):
    survives(lines)


@settings(CALM, max_examples=300 * EFFORT)
@given(st.dictionaries(st.sampled_from([*sorted(START), "options", "x"]), JSON), JSON)
def test_no_start_upsets_the_reader(fields, options):
    for event in (START | fields, START | {"options": options}, START | {"options": {"scoreMin": options}}):
        try:
            start = parse_start(json.dumps(event))
        except EngineError:
            continue
        assert parse_start(dump_event(format_start(start))) == start
        dump_event(format_start(start)).encode()


@pytest.mark.parametrize(
    "lines",
    [
        [START, {"event": "correct", "seat": 1, "cells": {"\ud800": 1}}],
        [START, TAKE | {"\ud800": 1}],
        [START, {"event": "\ud800"}],
    ],
    ids=["a cell", "a field", "an event"],
)
def test_a_letter_that_cannot_be_written_is_told_in_words_that_can(lines):
    # JSON can spell half a surrogate pair, but UTF-8 cannot.
    survives([json.dumps(event) for event in lines])


def test_a_name_that_cannot_be_written_is_refused():
    with pytest.raises(EngineError):
        parse_start(json.dumps(START | {"players": ["Ann", "\ud800"]}))
