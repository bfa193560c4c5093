"""Tables as JSON: written and read again, refused where malformed, judged without guessing what cannot be seen."""

import json
from typing import Any

import pytest

from engine import TableError

# The example of docs/formats.md: a photo of one board, with what belongs to a reading.
EXAMPLE: dict[str, Any] = {
    "edition": "azul",
    "side": "coloured",
    "photo": "IMG_1.jpg",
    "boards": [
        {
            "seat": 1,
            "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "lines": ["W", "..", "RRR", "...Y", "...KK"],
            "wall": ["B....", "...R.", "K....", "..WB.", "...W."],
            "floor": "KY",
            "score": 11,
            "doubts": [{"cell": "wall.2.4", "reads": {"R": 0.71, ".": 0.29}}],
        }
    ],
    "factories": [{"tiles": "BKRY", "centre_px": [1, 1]}, {"tiles": "", "centre_px": [2, 2]}],
    "centre": {"tiles": "KY", "first_player": False},
    "violations": [],
    "doubts": [],
    "timing_ms": {"total": 0},
}


def board(seat=1, **changes):
    """An empty board of a Table."""
    empty = {
        "seat": seat,
        "lines": [".", "..", "...", "....", "....."],
        "wall": ["....."] * 5,
        "floor": "",
        "score": 0,
    }
    return empty | changes


def table(*boards, **changes):
    return {"edition": "azul", "side": "coloured", "boards": list(boards or (board(),))} | changes


TABLES = {
    "one board alone": table(board(3)),
    "no board": table(board()) | {"boards": []},
    "the whole table": table(
        board(1),
        board(2),
        factories=[{"tiles": "BKRR"}] + [{"tiles": ""}] * 4,
        centre={"tiles": "BKY", "first_player": True},
    ),
    "grey": table(board(), side="grey"),
    "two sides": table(board(1, side="grey"), board(2)),
    "mixed line": table(board(lines=["B", "RB", ".YK", "....", "BYRKW"])),
    "gaps": table(board(lines=[".", "B.", "B.B", "..B.", "....."], floor=".B.1")),
    "more tiles than cells": table(board(lines=["BB", "RRRRR", "...", "....", "....."])),
    "unseen cells": table(
        board(lines=["?", ".?", "?B?", "....", "?????"], wall=["B.?.."] + ["?????"] * 4, floor="B?1")
    ),
    "unseen loose tiles": table(board(), factories=[{"tiles": "?BK"}], centre={"tiles": "??B", "first_player": False}),
    "unknown score": table(board(score=None)),
    "score below nothing": table(board(score=-3)),
    "sliders": table(board(sliders={"tens": 0, "units": 0})),
    "unseated": table(board(unseated=["wall.1.2", "line.2.1"])),
}


@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_table_round_trip(edition, written):
    position = edition.parse_table(written)
    assert edition.format_table(position) == written
    assert edition.parse_table(json.loads(json.dumps(edition.format_table(position)))) == position


def test_what_belongs_to_a_reading_is_passed_over(azul):
    position = azul.parse_table(EXAMPLE)
    assert azul.format_table(position) == {
        "edition": "azul",
        "side": "coloured",
        "boards": [
            {
                "seat": 1,
                "lines": ["W", "..", "RRR", "...Y", "...KK"],
                "wall": ["B....", "...R.", "K....", "..WB.", "...W."],
                "floor": "KY",
                "score": 11,
            }
        ],
        "factories": [{"tiles": "BKRY"}, {"tiles": ""}],
        "centre": {"tiles": "KY", "first_player": False},
    }


def test_loose_tiles_and_floors_are_written_in_one_way(azul):
    loose = azul.parse_table(
        table(board(floor="K.."), factories=[{"tiles": "YRKB"}], centre={"tiles": "YBK", "first_player": True})
    )
    assert azul.format_table(loose)["boards"][0]["floor"] == "K"
    assert loose.boards[0].cells["floor.1"] == "K"
    assert loose.common.heaps == {"factory.1": ("B", "K", "R", "Y"), "centre": ("1", "B", "K", "Y")}


def test_what_a_table_does_not_say_is_unseen(azul):
    (seen,) = azul.parse_table({"edition": "azul", "boards": [{}]}).boards
    assert (seen.seat, seen.tracks) == (1, {"score": None})
    assert seen.cells == {cell.name: "?" for cell in azul.layout if cell.zone != "score"}


def test_position_of_a_state(edition, lay):
    state = lay(edition, factories="BKRR", centre="BY", lines={3: "K"}, floor="R", score=12, marker=2)
    position = edition.table(state)
    written = edition.format_table(position)
    assert written["factories"] == [{"tiles": "BKRR"}] + [{"tiles": ""}] * 4
    assert written["centre"] == {"tiles": "BY", "first_player": False}
    assert written["boards"][0]["lines"][2] == "..K"
    assert (written["boards"][0]["floor"], written["boards"][0]["score"]) == ("R", 12)
    assert edition.parse_table(written) == position


MALFORMED = {
    "not an object": [],
    "no boards": {"edition": "azul"},
    "boards as an object": table() | {"boards": {}},
    "five boards": table(*[board()] * 5),
    "one seat twice": table(board(2), board(2)),
    "board as a text": table() | {"boards": ["seat 1"]},
    "unknown side": table(side="beige"),
    "side of a board": table(board(side="beige")),
    "seat 0": table(board(0)),
    "seat 5": table(board(5)),
    "seat as a text": table(board("1")),
    "seat as truth": table(board(seat=True)),
    "four lines": table(board(lines=["."] * 4)),
    "lines as a text": table(board(lines="./../...")),
    "short line": table(board(lines=[".", ".", "...", "....", "....."])),
    "long line with a gap": table(board(lines=["B.", "..", "...", "....", "....."])),
    "endless line": table(board(lines=["B" * 100, "..", "...", "....", "....."])),
    "letter on a line": table(board(lines=["G", "..", "...", "....", "....."])),
    "marker on a line": table(board(lines=["1", "..", "...", "....", "....."])),
    "line as a number": table(board(lines=[1, "..", "...", "....", "....."])),
    "four wall rows": table(board(wall=["....."] * 4)),
    "short wall row": table(board(wall=["...."] * 5)),
    "small letters": table(board(wall=["b...."] * 5)),
    "long floor": table(board(floor="BBBBBBBB")),
    "floor as a list": table(board(floor=["B"])),
    "floor as null": table(board(floor=None)),
    "score as a text": table(board(score="11")),
    "score with a fraction": table(board(score=11.0)),
    "score as truth": table(board(score=True)),
    "score beyond belief": table(board(score=123456)),
    "sliders as a list": table(board(sliders=[3, 7])),
    "sliders without units": table(board(sliders={"tens": 3})),
    "sliders beyond nine": table(board(sliders={"tens": 10, "units": 0})),
    "unseated as a number": table(board(unseated=5)),
    "unseated as a text": table(board(unseated="wall.1.2")),
    "factories as an object": table(factories={"tiles": "BKRR"}),
    "factory as a text": table(factories=["BKRR"]),
    "letter on a factory": table(factories=[{"tiles": "BKRG"}]),
    "marker on a factory": table(factories=[{"tiles": "BK1"}]),
    "centre as a text": table(centre="BKY"),
    "letter in the centre": table(centre={"tiles": "G", "first_player": True}),
    "marker among the tiles of the centre": table(centre={"tiles": "1B", "first_player": True}),
    "marker in words": table(centre={"tiles": "B", "first_player": "no"}),
}


@pytest.mark.parametrize("written", MALFORMED.values(), ids=MALFORMED)
def test_malformed_table(azul, written):
    with pytest.raises(TableError) as refused:
        azul.parse_table(written)
    assert len(str(refused.value)) > 20


# --------------------------------------------------------------------------------- what cannot be seen


def rules(violations):
    return [violation.rule for violation in violations]


MIDDLES = {
    "a round begins": {
        "factories": [{"tiles": tiles} for tiles in ("BBBB", "YYYY", "RRRR", "KKKK", "WWWW")],
        "centre": {"tiles": "", "first_player": True},
    },
    "tiles were taken": {
        "factories": [{"tiles": tiles} for tiles in ("", "YYYY", "RRRR", "KKKK", "WWWW")],
        "centre": {"tiles": "BK", "first_player": False},
    },
}
UNSEEN_BOARDS = {
    "nothing of a board": {},
    "no wall": board() | {"wall": ["?????"] * 5},
    "a wall with one cell covered": board(wall=["BYRK?"] + ["....."] * 4, score=None),
    "no lines": board() | {"lines": ["?", "??", "???", "????", "?????"]},
    "a line with one cell covered": board() | {"lines": [".", "?B", "?BB", "....", "....."]},
    "no floor": board() | {"floor": "???????"},
    "no score": board(wall=["B...."] + ["....."] * 4, score=None),
}


@pytest.mark.parametrize("middle", MIDDLES.values(), ids=MIDDLES)
@pytest.mark.parametrize("unseen", UNSEEN_BOARDS.values(), ids=UNSEEN_BOARDS)
def test_the_unseen_breaks_no_rule(edition, unseen, middle, lay):
    position = edition.parse_table(table(unseen | {"seat": 1}, board(2), **middle))
    assert rules(edition.table_violations(position, None)) == []
    scored = 0 if unseen.get("score") is None else unseen["score"]
    assert rules(edition.table_violations(position, lay(edition, score=scored))) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"lines": [".", "..", "B?.", "....", "....."]}, "AZ-PL-05"),
        ({"lines": [".", "..", "B?K", "....", "....."]}, "AZ-PL-03"),
        ({"floor": ".?B"}, "AZ-PL-07"),
        ({"wall": ["?Y?..", "Y????", "?????", "?????", "?????"], "score": None}, "AZ-WT-03"),
    ],
)
def test_what_is_seen_besides_is_judged(edition, change, rule):
    position = edition.parse_table(table(board(**change)))
    assert rules(edition.table_violations(position, None)) == [rule]


def test_a_disc_with_an_unseen_tile_is_not_judged(azul):
    middle = {"factories": [{"tiles": tiles} for tiles in ("BB?", "YYYY", "RRRR", "KKKK", "WWWW")]}
    position = azul.parse_table(table(board(1), board(2), **middle, centre={"tiles": "", "first_player": True}))
    assert azul.table_violations(position, None) == []


def test_scores_are_told_by_their_seats(edition, lay):
    state = lay(edition, players=3, centre="B", score=1, seats={2: {"score": 2}, 3: {"score": 3}})
    whole = edition.format_table(edition.table(state))
    for shown in whole["boards"]:
        shown.update(score=1, sliders={"tens": 0, "units": 1})
    found = edition.table_violations(edition.parse_table(whole), state)
    named = {"AZ-SC-01", "AZM-SC-01"} if edition.slug == "azul-mini" else {"AZ-SC-01"}
    assert {(violation.rule, violation.seat) for violation in found} == {
        (rule, seat) for rule in named for seat in (2, 3)
    }


def most(edition, wall, score):
    """What a photo alone says about a score."""
    shown = board(lines=[".", "..", "...", "...K", "....."], wall=wall, score=score)
    return rules(edition.table_violations(edition.parse_table(table(shown, board(2))), None))


def test_a_score_that_no_wall_can_have_earned(edition):
    nothing = ["....."] * 4
    # Three tiles in a row bring 1 + 2 + 3 one after the other; a bound may be generous, but not endless.
    assert most(edition, ["BYR..", *nothing], 6) == []
    assert most(edition, ["BYR..", *nothing], 30) == ["AZ-SC-01"]
    assert most(edition, ["B.R.W", *nothing], 4) == ["AZ-SC-01"]
    assert most(edition, ["B....", ".....", ".....", ".....", "....B"], 3) == ["AZ-SC-01"]


def test_a_part_of_a_known_table_is_judged_as_that_part(edition, lay):
    state = lay(edition, players=3, factories="BBBB/YYYY/RRRR/KKKK/WWWW/BYRK/BYRK")
    whole = edition.format_table(edition.table(state))
    part = edition.parse_table(whole | {"boards": whole["boards"][:2]})
    assert edition.table_violations(part, state) == []


# -------------------------------------------------------------------------------- showing and looking on


def test_show(edition):
    position = edition.parse_table(EXAMPLE | {"boards": [EXAMPLE["boards"][0] | {"score": None}]})
    assert edition.show(position).splitlines() == [
        "seat 1     score ?",
        "          W  |  B y r k w",
        "        . .  |  w b y R k",
        "      R R R  |  K w b y r",
        "    . . . Y  |  r k W B y",
        "  . . . K K  |  y r k W b",
        "  floor K Y",
        "",
        "factories  1:BKRY  2:-",
        "centre     KY",
    ]


def test_show_a_grey_wall_without_print(edition):
    shown = edition.show(edition.parse_table(table(board(wall=[".Y..."] + ["....."] * 4), side="grey")))
    assert shown.splitlines()[1] == "          .  |  . Y . . ."


def test_outlook_of_a_board(edition):
    (outlook,) = edition.outlook(edition.parse_table(EXAMPLE))
    # White 1 on row 1 and red 1 on row 3, with no neighbours; the floor costs two.
    assert [line.points for line in outlook.round_lines] == [1, 1, -2]
    assert (outlook.score, outlook.round_points, outlook.round_low, outlook.bonus_points) == (11, 0, 0, 0)
    assert outlook.unseen == ()


def test_outlook_where_a_choice_is_left(edition):
    position = edition.parse_table(
        table(board(lines=["B", "..", "...", "....", "....."], wall=["..RK."] + ["....."] * 4))
    )
    (coloured,) = edition.outlook(position)
    assert (coloured.round_points, coloured.round_low) == (1, 1)
    (grey,) = edition.outlook(edition.parse_table(edition.format_table(position) | {"side": "grey"}))
    assert (grey.round_points, grey.round_low) == (3, 1)


def test_outlook_names_what_it_could_not_see(edition):
    written = table(
        board(lines=[".", "?.", "...", "....", "....."], wall=["BYRKW", "..?.."] + ["....."] * 3, score=None)
    )
    (outlook,) = edition.outlook(edition.parse_table(written))
    assert outlook.unseen == ("line.2.1", "wall.2.3", "score")
    assert (outlook.score, outlook.bonus_points) == (None, 2)
