"""States and moves in one line, and moves as events: written and read again, or refused with a reason."""

import pytest

from engine import EditionError, NotationError, RecordError

BARE = "....../....../....../....../....../....../......|....|-|5"
HEAD = "summer-pavilion:coloured:2:1 r1 draft1 s1 m0"
STATE = f"{HEAD} GORY//// - PGOYBRPGOY B12 - {BARE} {BARE}"

STATES = {
    "drafting": STATE,
    "before the first fill": "summer-pavilion:coloured:2:2 r0 fill s2 m2 //// - .......... "
    f"B22G22O22P22R22Y22 - {BARE} {BARE}",
    "three players": "summer-pavilion:beige:3:3 r1 draft3 s3 m0 BBBB/BGRY///// BY PGOYBRPGOY G1 R3 "
    f"{BARE} {BARE} {BARE}",
    "four players, all discs": "summer-pavilion:beige:4:1 r6 draft4 s2 m3 B/G/O/P/R/Y/BB/GG/OO - .G.YBRPGO. - - "
    f"{BARE} {BARE} {BARE} {BARE}",
    "more discs than players use": STATE.replace("GORY////", "GORY/GORY/GORY/GORY/GORY/GORY"),
    "tiles on a board": STATE.replace(BARE, "O....O/...R../BGPORY/....../....../....../P...G.|G..P|BBGR|87", 1),
    "score below nothing": STATE.replace("|-|5 ", "|-|-12 ", 1),
    "passed seats": f"summer-pavilion:coloured:3:1 r4 place2 s1 m2 ////// - PGOYBRPGOY B1 R3 {BARE} {BARE} {BARE} p31",
    "bonus tiles owed": f"summer-pavilion:coloured:2:1 r4 bonus1 s1 m2 //// - PGOYBRPGOY B1 R3 {BARE} {BARE} o3",
    "passed and owed": f"summer-pavilion:coloured:2:1 r4 bonus1 s1 m2 //// - PGOYBRPGOY B1 R3 {BARE} {BARE} p2 o3",
    "supply to be filled": f"summer-pavilion:coloured:2:1 r4 fill1 s1 m2 //// - ...YBRPGOY B1 R3 {BARE} {BARE}",
    "over": f"summer-pavilion:coloured:2:1 r6 over s1 m2 //// - PGOYBRPGOY - B12 {BARE} {BARE}",
    "options": f'{STATE} {{"scoreStart":7,"scoreFloor":-3,"trackLength":100,"jokerOrder":["O","R","B","Y","G","P"]}}',
    "passed, owed and options": "summer-pavilion:coloured:2:1 r4 bonus1 s1 m2 //// - PGOYBRPGOY B1 R3 "
    f'{BARE} {BARE} p2 o3 {{"numberBonuses":[1,2,3,4]}}',
}


@pytest.mark.parametrize("text", STATES.values(), ids=STATES)
def test_state_round_trip(edition, text):
    text = text.replace("summer-pavilion:", f"{edition.slug}:")
    state = edition.parse_state(text)
    assert edition.format_state(state) == text
    assert edition.parse_state(edition.format_state(state)) == state


def test_a_state_says_what_it_means(big):
    state = big.parse_state(
        "summer-pavilion:beige:3:2 r4 bonus3 s3 m2 YRGO/////// OBO PGOYBRPG.Y B2G1 R1 "
        "O....O/...R../BGPORY/....../....../....../P...G.|G..P|RBGB|87 "
        f'{BARE} {BARE} p21 o2 {{"scoreStart":7}}'
    )
    assert (state.setup.side, state.setup.players, state.setup.first) == ("beige", 3, 2)
    assert (state.round, state.phase, state.seat, state.starter, state.marker) == (4, "bonus", 3, 3, 2)
    assert (state.factories[0], state.centre, state.supply) == ("GORY", "BOO", "PGOYBRPG.Y")
    assert (state.bag, state.tower, state.passed, state.owed) == ("BBG", "R", (2, 1), 2)
    board = state.boards[0]
    assert (board.stars[0], board.stars[1], board.stars[6]) == ("O....O", "...R..", "P...G.")
    assert (board.corners, board.reserve, board.score) == ("G..P", "BBGR", 87)
    assert (state.joker, state.setup.options.score_start) == ("Y", 7)


MALFORMED_STATES = {
    "nothing": "",
    "only a set-up": "summer-pavilion:coloured:2:1",
    "unknown side": STATE.replace("coloured", "grey"),
    "unknown edition": STATE.replace("summer-pavilion:", "chess:"),
    "the other edition": STATE.replace("summer-pavilion:", "summer-pavilion-mini:"),
    "one player": STATE.replace(":2:1", ":1:1"),
    "five players": STATE.replace(":2:1", ":5:1"),
    "first player not there": STATE.replace(":2:1", ":2:3"),
    "a board too few": STATE.removesuffix(f" {BARE}"),
    "a board too many": f"{STATE} {BARE}",
    "round": STATE.replace("r1", "rx"),
    "seventh round": STATE.replace("r1", "r7"),
    "round below nothing": STATE.replace("r1", "r-1"),
    "phase": STATE.replace("draft1", "tile1"),
    "seat to move not there": STATE.replace("draft1", "draft3"),
    "nobody to take": STATE.replace("draft1", "draft"),
    "nobody to lay": STATE.replace("draft1", "place"),
    "nobody to choose": STATE.replace("draft1", "bonus") + " o2",
    "starter": STATE.replace("s1", "s0"),
    "starter not there": STATE.replace("s1", "s3"),
    "token not there": STATE.replace("m0", "m4"),
    "letter on a factory": STATE.replace("GORY", "GORK"),
    "ten factories": STATE.replace("GORY////", "GORY/////////"),
    "letter in the centre": STATE.replace("//// -", "//// W"),
    "dash among tiles": STATE.replace("//// -", "//// B-G"),
    "nine supply cells": STATE.replace("PGOYBRPGOY", "PGOYBRPGO"),
    "eleven supply cells": STATE.replace("PGOYBRPGOY", "PGOYBRPGOYP"),
    "letter in the supply": STATE.replace("PGOYBRPGOY", "PGOYBRPGOK"),
    "unseen supply cell": STATE.replace("PGOYBRPGOY", "PGOYBRPGO?"),
    "bag without counts": STATE.replace("B12", "BBB"),
    "bag with a zero": STATE.replace("B12", "B0"),
    "letter in the tower": STATE.replace("B12 -", "B12 K3"),
    "board without score": STATE.replace("|-|5 ", "|- ", 1),
    "score in words": STATE.replace("|-|5 ", "|-|ten ", 1),
    "score too long": STATE.replace("|-|5 ", "|-|12345 ", 1),
    "six stars": STATE.replace("....../", "", 1),
    "eight stars": STATE.replace("....../", "....../....../", 1),
    "short star": STATE.replace("....../", "...../", 1),
    "letter on a star": STATE.replace("....../", "C...../", 1),
    "unseen cell": STATE.replace("....../", "?...../", 1),
    "three corners": STATE.replace("|....|", "|...|", 1),
    "letter on a corner": STATE.replace("|....|", "|1...|", 1),
    "letter in the reserve": STATE.replace("|-|", "|1|", 1),
    "passed seat not there": STATE.replace("draft1", "place1") + " p3",
    "passed seat twice": STATE.replace("draft1", "place1") + " p22",
    "passed without seats": STATE.replace("draft1", "place1") + " p",
    "owed before passed": STATE.replace("draft1", "bonus1") + " o2 p2",
    "owed without number": STATE.replace("draft1", "bonus1") + " o",
    "options not JSON": f"{STATE} {{scoreStart}}",
    "something after the options": f'{STATE} {{"scoreStart":1}} o1',
}


@pytest.mark.parametrize("text", MALFORMED_STATES.values(), ids=MALFORMED_STATES)
def test_malformed_state(big, text):
    assert text != STATE
    with pytest.raises(NotationError) as refused:
        big.parse_state(text)
    assert len(str(refused.value)) > 20


@pytest.mark.parametrize("options", ['{"colour":"red"}', '{"scoreStart":"low"}', '{"jokerOrder":"PGOYBB"}'])
def test_state_with_options_that_do_not_exist(edition, options):
    with pytest.raises(EditionError, match="option"):
        edition.parse_state(f"{STATE} {options}".replace("summer-pavilion:", f"{edition.slug}:"))


MOVES = [
    "1:4Y",
    "4:0P",
    "2:9B",
    "1:O4O+2",
    "3:C6R+5",
    "4:P1P+0",
    "1:G3G+6",
    "1:bonus=BR",
    "2:bonus=",
    "1:pass=GGRR",
    "2:pass=",
    "3:pass=GGGGR",
    "supply:BR",
    "supply:",
    "fill:GORY/BBBB///",
    "fill:B////////Y",
    "fill:GORY////+PGOYBRPGOY",
    "1:1R!left=R",
    "1:1R!extra=YY",
    "1:1R!joker-left",
    "1:1R!jokers=PP",
    "1:1R!unpushed!charged",
    "1:0R!token!left=RR",
    "1:O3O+0!off-cell@17",
    "1:O3O+0!off-cell",
    "1:O3O+0!second=R@1>4",
    "1:O3O+0!moved@0>4",
    "1:O3O+1!other-payer=R!undiscarded=O",
    "1:pass=G!beside=RR!uncharged",
]


@pytest.mark.parametrize("text", MOVES)
def test_move_round_trip(edition, text):
    move = edition.parse_move(text)
    assert edition.format_move(move) == text
    assert edition.parse_move(edition.format_move(move)) == move


@pytest.mark.parametrize("text", MOVES)
def test_event_round_trip(edition, text, lay):
    move = edition.parse_move(text)
    state = lay(edition, players=4)
    assert edition.parse_event(state, edition.format_event(move)) == move


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("2:0R", {"event": "take", "seat": 2, "from": 0, "colour": "R"}),
        ("1:O4O+2", {"event": "place", "seat": 1, "star": "O", "cell": 4, "colour": "O", "jokers": 2}),
        ("1:bonus=BR", {"event": "bonus", "seat": 1, "tiles": "BR"}),
        ("supply:BR", {"event": "supply", "tiles": "BR"}),
        ("1:pass=GG", {"event": "pass", "seat": 1, "keep": "GG"}),
        ("1:pass=", {"event": "pass", "seat": 1, "keep": ""}),
        ("fill:GORY/B", {"event": "fill", "factories": ["GORY", "B"]}),
        ("fill:GORY/+PG", {"event": "fill", "factories": ["GORY", ""], "supply": "PG"}),
    ],
)
def test_events_are_spelled_as_the_formats_say(edition, lay, text, event):
    move = edition.parse_move(text)
    assert edition.format_event(move) == event
    assert edition.parse_event(lay(edition), event) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "take",
        "1",
        "1:",
        "0:4Y",
        "5:4Y",
        "1:Y",
        "1:10Y",
        "1:4K",
        "1:4YY",
        "1:4y",
        "1:4Y ",
        "1:4Y+0",
        "1:O4O",
        "1:O4O+7",
        "1:O0O+0",
        "1:O7O+0",
        "1:W1O+0",
        "1:O1C+0",
        "1:O4O+-1",
        "1:pass",
        "pass=",
        "1:pass=K",
        "1:bonus",
        "bonus=R",
        "1:bonus=.",
        "supply",
        "supply:.R",
        "1:supply:R",
        "fill",
        "fill:GORK/",
        "fill:GORY+",
        "fill:GORY+K",
        "1:4Y!",
        "1:4Y!left=",
        "1:4Y!left=K",
        "1:4Y!LEFT",
        "1:4Y!second=B@4>",
        "1:4Y!left=B@x",
        "1:bonus=R!left=B",
        "supply:R!left=B",
        "fill:GORY////!left=B",
    ],
)
def test_malformed_move(big, text):
    with pytest.raises(NotationError, match="written like"):
        big.parse_move(text)


TAKE = {"event": "take", "seat": 1, "from": 4, "colour": "B"}
PLACE = {"event": "place", "seat": 1, "star": "O", "cell": 4, "colour": "O", "jokers": 2}


def less(event, name):
    return {key: value for key, value in event.items() if key != name}


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        ({"event": "tile", "seat": 1}, "tile"),
        ({"event": "acquire"}, "acquire"),
        (TAKE | {"seat": 3}, "seat"),
        (TAKE | {"seat": 0}, "seat"),
        (TAKE | {"seat": "1"}, "seat"),
        (TAKE | {"seat": True}, "seat"),
        (TAKE | {"from": 10}, "from"),
        (TAKE | {"from": 1.0}, "from"),
        (TAKE | {"colour": "K"}, "colour"),
        (TAKE | {"colour": "C"}, "colour"),
        (TAKE | {"colour": "BB"}, "colour"),
        (TAKE | {"line": 1}, "line"),
        (TAKE | {"slips": {"slip": "left"}}, "slips"),
        (TAKE | {"slips": [{"slip": "left", "tiles": "K"}]}, "tiles"),
        (TAKE | {"slips": [{"tiles": "B"}]}, "slip"),
        (less(TAKE, "colour"), "colour"),
        (PLACE | {"star": "W"}, "star"),
        (PLACE | {"star": "OO"}, "star"),
        (PLACE | {"cell": 0}, "cell"),
        (PLACE | {"cell": 7}, "cell"),
        (PLACE | {"cell": "4"}, "cell"),
        (PLACE | {"colour": "C"}, "colour"),
        (PLACE | {"jokers": -1}, "jokers"),
        (PLACE | {"jokers": 7}, "jokers"),
        (PLACE | {"tiles": "O"}, "tiles"),
        (less(PLACE, "jokers"), "jokers"),
        ({"event": "bonus", "seat": 1, "tiles": "RK"}, "tiles"),
        ({"event": "bonus", "seat": 1, "tiles": ["R"]}, "tiles"),
        ({"event": "bonus", "tiles": "R"}, "seat"),
        ({"event": "supply", "tiles": "R."}, "tiles"),
        ({"event": "supply", "seat": 1, "tiles": "R"}, "seat"),
        ({"event": "pass", "seat": 1}, "keep"),
        ({"event": "pass", "seat": 1, "keep": "K"}, "keep"),
        ({"event": "pass", "seat": 1, "keep": "G", "discard": "R"}, "discard"),
        ({"event": "fill", "factories": "GORY"}, "factories"),
        ({"event": "fill", "factories": ["GORK"]}, "factories"),
        ({"event": "fill", "factories": [4]}, "factories"),
        ({"event": "fill", "factories": ["B"] * 10}, "factories"),
        ({"event": "fill", "factories": ["GORY"], "supply": "K"}, "supply"),
        ({"event": "fill", "factories": ["GORY"], "supply": 4}, "supply"),
        ({"event": "fill"}, "factories"),
    ],
)
def test_malformed_event(edition, lay, event, problem):
    with pytest.raises(RecordError, match=problem):
        edition.parse_event(lay(edition), event)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1:4B", "seat 1 takes blue from factory 4"),
        ("2:0P", "seat 2 takes purple from the centre"),
        ("1:O4O+0", "seat 1 lays orange on cell 4 of star O"),
        ("1:O4O+2", "seat 1 lays orange on cell 4 of star O, paying with 2 jokers"),
        ("1:bonus=RB", "seat 1 takes the bonus tiles RB"),
        ("1:pass=GG", "seat 1 passes and keeps GG"),
        ("2:pass=", "seat 2 passes and keeps -"),
        ("supply:RB", "the supply is filled: RB"),
        ("fill:GORY/", "the factories are filled: GORY -"),
        ("fill:GORY/+PG", "the factories are filled: GORY -; the supply: PG"),
    ],
)
def test_a_move_as_a_sentence(edition, text, sentence):
    assert str(edition.describe(edition.parse_move(text))) == sentence
