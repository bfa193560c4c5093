"""States and moves in one line, and moves as events: written and read again, or refused with a reason."""

import pytest

from engine import EditionError, NotationError, RecordError

BARE = "./../.../..../.....|...../...../...../...../.....|-|0"
HEAD = "azul:coloured:2:1 r1 draft1 s1 m0"
STATE = f"{HEAD} BKRR//// - B12 - {BARE} {BARE}"

STATES = {
    "drafting": STATE,
    "before the first fill": f"azul:coloured:2:2 r0 fill s2 m2 //// - B20K20R20W20Y20 - {BARE} {BARE}",
    "three players": f"azul:grey:3:3 r1 draft3 s3 m0 BBBB/BKRW///// BY K1 W3 {BARE} {BARE} {BARE}",
    "four players, all discs": f"azul:grey:4:1 r9 draft4 s2 m3 B/K/R/W/Y/BB/KK/RR/WW - - - {BARE} {BARE} {BARE} {BARE}",
    "more discs than players use": f"{HEAD} BKRR/BKRR/BKRR/BKRR/BKRR/BKRR - B12 - {BARE} {BARE}",
    "mixed lines": f"{HEAD} BKRR//// - B12 - B/KB/.YR/..../BYRKW|...../...../...../...../.....|-|0 {BARE}",
    "gaps": f"{HEAD} BKRR//// - B12 - ./B./B.B/..B./.B.B.|B.R../...../...../...../....B|.B.1|7 {BARE}",
    "more tiles than cells": STATE.replace("./../", "BB/RRRRR/", 1),
    "score below nothing": STATE.replace("|-|0 ", "|-|-12 ", 1),
    "unswept seats": f"azul:grey:3:1 r4 tile s1 m2 ////// - B12 R3 {BARE} {BARE} {BARE} u13",
    "over": f"azul:coloured:2:1 r5 over s1 m2 //// - - B12 {BARE} {BARE}",
    "options": f"{STATE} "
    '{"floorPenalties":[0,0,0,0,0,0,9],"bonuses":{"row":3,"col":7,"colour":10},"scoreMin":-14,"trackMax":120,'
    '"markerWhenFloorFull":"lastPenalty","explicitTiling":true}',
    "own pattern": f'{STATE} {{"wallPattern":["WBYRK","BYRKW","YRKWB","RKWBY","KWBYR"]}}',
    "unswept seats and options": f'azul:grey:2:1 r4 tile s1 m2 //// - B12 - {BARE} {BARE} u2 {{"greyNoFit":"lid"}}',
}


@pytest.mark.parametrize("text", STATES.values(), ids=STATES)
def test_state_round_trip(edition, text):
    text = text.replace("azul:", f"{edition.slug}:")
    state = edition.parse_state(text)
    assert edition.format_state(state) == text
    assert edition.parse_state(edition.format_state(state)) == state


def test_a_state_says_what_it_means(azul):
    state = azul.parse_state(
        "azul:grey:3:2 r4 tile s3 m2 KRBR/////// BYB B2K1 W1 "
        "B/../.../..../.....|...../...../...../...../.....|K1.B|12 "
        f'{BARE} {BARE} u13 {{"greyNoFit":"lid"}}'
    )
    assert (state.setup.side, state.setup.players, state.setup.first) == ("grey", 3, 2)
    assert (state.round, state.phase, state.seat, state.starter, state.marker) == (4, "tile", 0, 3, 2)
    assert (state.factories[0], state.centre, state.bag, state.lid) == ("BKRR", "BBY", "BBK", "W")
    board = state.boards[0]
    assert (board.lines[0], board.floor, board.score, state.unswept) == ("B", "K1.B", 12, (1, 3))
    assert state.setup.options.grey_no_fit == "lid"


MALFORMED_STATES = {
    "nothing": "",
    "only a set-up": "azul:coloured:2:1",
    "unknown side": STATE.replace("coloured", "beige"),
    "unknown edition": STATE.replace("azul:", "chess:"),
    "one player": STATE.replace(":2:1", ":1:1"),
    "five players": STATE.replace(":2:1", ":5:1"),
    "first player not there": STATE.replace(":2:1", ":2:3"),
    "a board too few": STATE.removesuffix(f" {BARE}"),
    "a board too many": f"{STATE} {BARE}",
    "round": STATE.replace("r1", "rx"),
    "round below nothing": STATE.replace("r1", "r-1"),
    "phase": STATE.replace("draft1", "lunch1"),
    "seat to move not there": STATE.replace("draft1", "draft3"),
    "nobody to move": STATE.replace("draft1", "draft"),
    "starter": STATE.replace("s1", "s0"),
    "starter not there": STATE.replace("s1", "s3"),
    "marker not there": STATE.replace("m0", "m4"),
    "letter on a factory": STATE.replace("BKRR", "BKRG"),
    "ten factories": STATE.replace("BKRR////", "BKRR/////////"),
    "letter in the centre": STATE.replace("//// -", "//// P"),
    "dash among tiles": STATE.replace("//// -", "//// B-K"),
    "bag without counts": STATE.replace("B12", "BBB"),
    "bag with a zero": STATE.replace("B12", "B0"),
    "letter in the lid": STATE.replace("B12 -", "B12 G3"),
    "board without score": STATE.replace("|-|0 ", "|- ", 1),
    "score in words": STATE.replace("|-|0 ", "|-|ten ", 1),
    "score too long": STATE.replace("|-|0 ", "|-|12345 ", 1),
    "four lines": STATE.replace("./../.../..../.....|", "./../.../....|", 1),
    "short line": STATE.replace("./../.../..../.....|", "./../../..../.....|", 1),
    "marker on a line": STATE.replace("./../", "1/../", 1),
    "unseen cell": STATE.replace("./../", "?/../", 1),
    "four wall rows": STATE.replace("|...../", "|", 1),
    "long wall row": STATE.replace("|...../", "|....../", 1),
    "letter on the wall": STATE.replace("|...../", "|G..../", 1),
    "eight floor cells": STATE.replace("|-|", "|BBBBBBBB|", 1),
    "letter on the floor": STATE.replace("|-|", "|2|", 1),
    "unswept seat not there": STATE.replace("draft1", "tile") + " u3",
    "unswept seat twice": STATE.replace("draft1", "tile") + " u11",
    "unswept without seats": STATE.replace("draft1", "tile") + " u",
    "options not JSON": f"{STATE} {{scoreMin}}",
    "something after the options": f'{STATE} {{"scoreMin":-1}} u1',
}


@pytest.mark.parametrize("text", MALFORMED_STATES.values(), ids=MALFORMED_STATES)
def test_malformed_state(azul, text):
    assert text != STATE
    with pytest.raises(NotationError) as refused:
        azul.parse_state(text)
    assert len(str(refused.value)) > 20


@pytest.mark.parametrize("options", ['{"colour":"red"}', '{"scoreMin":"low"}'])
def test_state_with_options_that_do_not_exist(azul, options):
    with pytest.raises(EditionError, match="option"):
        azul.parse_state(f"{STATE} {options}")


MOVES = [
    "1:4B>3",
    "4:0W>0",
    "2:9K>5",
    "3:pass",
    "1:2#4",
    "2:5#0",
    "4:sweep",
    "fill:BKRR/BBBB///",
    "fill:B////////Y",
    "1:1R>2!left=R",
    "1:1R>2!extra=KK@0",
    "1:1R>2!extra=K@3",
    "1:1R>2!unpushed",
    "1:0R>2!marker-cell@3",
    "1:1R>1!shifted=B@4>5",
    "1:1R>1!shifted=B@4",
    "1:0R>2!marker!left=RR!unpushed",
    "1:3#3!rest=BB",
    "1:2#3!other-row@1",
    "1:sweep!uncleared!removed@1>2",
]


@pytest.mark.parametrize("text", MOVES)
def test_move_round_trip(edition, text):
    move = edition.parse_move(text)
    assert edition.parse_move(edition.format_move(move)) == move
    # What is written first is the source or line that it names, so only a leading zero may be left out.
    assert edition.format_move(move) == text.replace("@0", "")


@pytest.mark.parametrize("text", MOVES)
def test_event_round_trip(edition, text, lay):
    move = edition.parse_move(text)
    state = lay(edition, players=4)
    assert edition.parse_event(state, edition.format_event(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "take",
        "1",
        "1:",
        "0:4B>3",
        "5:4B>3",
        "1:B>3",
        "1:10B>3",
        "1:4G>3",
        "1:4BB>3",
        "1:4B>6",
        "1:4B",
        "1:4b>3",
        "1:4B>3 ",
        "1:0#1",
        "1:6#1",
        "1:2#6",
        "1:sweeps",
        "pass",
        "fill",
        "fill:BKRG/",
        "fill:1",
        "1:4B>3!",
        "1:4B>3!left=",
        "1:4B>3!left=G",
        "1:4B>3!LEFT",
        "1:4B>3!shifted=B@4>",
        "1:4B>3!left=B@x",
        "1:pass!left=B",
        "fill:BKRR////!left=B",
    ],
)
def test_malformed_move(azul, text):
    with pytest.raises(NotationError, match="written like"):
        azul.parse_move(text)


TAKE = {"event": "take", "seat": 1, "from": 4, "colour": "B", "line": 4}


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        ({"event": "place"}, "place"),
        ({"event": "bonus", "seat": 1}, "bonus"),
        (TAKE | {"seat": 3}, "seat"),
        (TAKE | {"seat": 0}, "seat"),
        (TAKE | {"seat": "1"}, "seat"),
        (TAKE | {"seat": True}, "seat"),
        (TAKE | {"seat": None}, "seat"),
        (TAKE | {"from": 10}, "from"),
        (TAKE | {"from": 1.0}, "from"),
        (TAKE | {"colour": "G"}, "colour"),
        (TAKE | {"colour": ""}, "colour"),
        (TAKE | {"colour": "BB"}, "colour"),
        (TAKE | {"line": 6}, "line"),
        (TAKE | {"hand": "left"}, "hand"),
        (TAKE | {"slips": {"slip": "left"}}, "slips"),
        (TAKE | {"slips": [{"slip": "left", "tiles": "G"}]}, "tiles"),
        (TAKE | {"slips": [{"slip": "left", "tiles": "B", "why": "?"}]}, "why"),
        (TAKE | {"slips": [{"tiles": "B"}]}, "slip"),
        ({name: value for name, value in TAKE.items() if name != "line"}, "line"),
        ({"event": "tile", "seat": 1, "row": 0, "column": 1}, "row"),
        ({"event": "tile", "seat": 1, "row": 1, "column": 6}, "column"),
        ({"event": "fill", "factories": "BKRR"}, "factories"),
        ({"event": "fill", "factories": ["BKRG"]}, "factories"),
        ({"event": "fill", "factories": [4]}, "factories"),
        ({"event": "fill", "factories": ["B"] * 10}, "factories"),
        ({"event": "fill"}, "factories"),
        ({"event": "fill", "factories": ["BKRR"], "supply": "B"}, "supply"),
    ],
)
def test_malformed_event(azul, lay, event, problem):
    with pytest.raises(RecordError, match=problem):
        azul.parse_event(lay(azul), event)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1:4B>3", "seat 1 takes blue from factory 4 to line 3"),
        ("2:0Y>0", "seat 2 takes yellow from the centre to the floor"),
        ("2:3W>0", "seat 2 takes white from factory 3 to the floor"),
        ("2:0K>5", "seat 2 takes black from the centre to line 5"),
        ("1:2#4", "seat 1 tiles line 2 into column 4"),
        ("1:2#0", "seat 1 drops line 2 to the floor"),
        ("1:sweep", "seat 1 clears the floor line"),
        ("1:pass", "seat 1 does nothing"),
        ("fill:BKRR/", "the factories are filled: BKRR -"),
    ],
)
def test_a_move_as_a_sentence(edition, text, sentence):
    assert str(edition.describe(edition.parse_move(text))) == sentence
