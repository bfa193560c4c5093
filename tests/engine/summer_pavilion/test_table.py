"""Tables as JSON: written and read again, refused where malformed, judged without guessing what cannot be seen."""

import json
from typing import Any

import pytest

from engine import TableError

STARS = "ORBYGPC"
EMPTY = dict.fromkeys(STARS, "......")
UNSEEN = dict.fromkeys(STARS, "??????")
FULL = [{"tiles": colour * 4} for colour in "PGOYB"]

# The example of docs/formats.md: a photo of one board, with what belongs to a reading.
EXAMPLE: dict[str, Any] = {
    "edition": "summer-pavilion",
    "side": "coloured",
    "photo": "IMG_1.jpg",
    "boards": [
        {
            "seat": 1,
            "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "stars": EMPTY | {"O": "....O.", "C": "P...G."},
            "corners": "G..P",
            "reserve": "",
            "score": 11,
            "doubts": [{"cell": "star.O.5", "reads": {"O": 0.71, ".": 0.29}}],
        }
    ],
    "factories": [{"tiles": "BGRY", "centre_px": [1, 1]}, {"tiles": "", "centre_px": [2, 2]}],
    "centre": {"tiles": "GY", "first_player": False},
    "supply": "PGOYBRPGOY",
    "round": 1,
    "violations": [],
    "doubts": [],
    "timing_ms": {"total": 0},
}


def board(seat=1, **changes):
    """An empty board of a Table."""
    return {"seat": seat, "stars": EMPTY, "corners": "....", "score": 5, "reserve": ""} | changes


def table(*boards, **changes):
    return {"edition": "summer-pavilion", "side": "coloured", "boards": list(boards or (board(),))} | changes


TABLES = {
    "one board alone": table(board(3)),
    "no board": table(board()) | {"boards": []},
    "the whole table": table(
        board(1),
        board(2),
        factories=[{"tiles": "BGRR"}] + [{"tiles": ""}] * 4,
        centre={"tiles": "BGY", "first_player": True},
        supply="PG.YBRPGOY",
        round=6,
    ),
    "beige": table(board(stars=EMPTY | {"O": "RRRRRR", "C": "BB...."}), side="beige"),
    "two sides": table(board(1, side="beige"), board(2)),
    "wrong colours": table(board(stars=EMPTY | {"O": "R.....", "C": "RR...."})),
    "unseen cells": table(board(stars=UNSEEN | {"R": "R?...."}, corners="G?.?")),
    "unseen loose tiles": table(
        board(reserve="?GG"), factories=[{"tiles": "?BG"}], centre={"tiles": "??B", "first_player": False}
    ),
    "unseen supply": table(board(), supply="PG?YBRPG.Y"),
    "unknown score": table(board(score=None)),
    "score beyond the track": table(board(score=187)),
    "score below nothing": table(board(score=-3)),
    "sliders": table(board(sliders={"tens": 0, "units": 0})),
    "storage card": table(board(), joker_order="ORBYGP"),
}


@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_table_round_trip(edition, written):
    written = written | {"edition": edition.slug}
    position = edition.parse_table(written)
    assert edition.format_table(position) == written
    assert edition.parse_table(json.loads(json.dumps(edition.format_table(position)))) == position


def test_what_belongs_to_a_reading_is_passed_over(big):
    position = big.parse_table(EXAMPLE)
    assert big.format_table(position) == {
        "edition": "summer-pavilion",
        "side": "coloured",
        "boards": [
            {
                "seat": 1,
                "stars": EMPTY | {"O": "....O.", "C": "P...G."},
                "corners": "G..P",
                "reserve": "",
                "score": 11,
            }
        ],
        "factories": [{"tiles": "BGRY"}, {"tiles": ""}],
        "centre": {"tiles": "GY", "first_player": False},
        "supply": "PGOYBRPGOY",
        "round": 1,
    }


def test_loose_tiles_are_written_in_one_way(big):
    loose = big.parse_table(
        table(board(reserve="RGPG"), factories=[{"tiles": "YRGB"}], centre={"tiles": "YBG", "first_player": True})
    )
    assert loose.boards[0].heaps == {"reserve": ("G", "G", "P", "R")}
    assert loose.common.heaps == {"factory.1": ("B", "G", "R", "Y"), "centre": ("1", "B", "G", "Y")}


def test_what_a_table_does_not_say_is_unseen(edition):
    seen = edition.parse_table({"edition": edition.slug, "boards": [{}]})
    (only,) = seen.boards
    assert (only.seat, only.tracks, only.heaps) == (1, {"score": None}, {})
    assert only.cells == {cell.name: "?" for cell in edition.layout if cell.zone in ("star", "corner")}
    assert seen.parts == (only,)
    assert edition.parse_table(edition.format_table(seen)) == seen


def test_position_of_a_state(edition, lay):
    state = lay(
        edition,
        round=3,
        factories="BGRR",
        centre="BY",
        stars={"O": "3", "C": "R....."},
        corners="G..P",
        reserve="R",
        score=112,
        marker=2,
    )
    position = edition.table(state)
    written = edition.format_table(position)
    assert written["factories"] == [{"tiles": "BGRR"}] + [{"tiles": ""}] * 4
    assert written["centre"] == {"tiles": "BY", "first_player": False}
    assert (written["supply"], written["round"]) == ("PGOYBRPGOY", 3)
    first = written["boards"][0]
    assert first["stars"] == EMPTY | {"O": "..O...", "C": "R....."}
    assert (first["corners"], first["reserve"], first["score"]) == ("G..P", "R", 112)
    assert edition.parse_table(written) == position


def test_only_the_mini_has_sliders_and_a_storage_card(big, mini, lay):
    assert "sliders" not in big.format_table(big.table(lay(big)))["boards"][0]
    assert "joker_order" not in big.format_table(big.table(lay(big)))
    written = mini.format_table(mini.table(lay(mini, score=137, options={"jokerOrder": "ORBYGP"})))
    assert written["boards"][0]["sliders"] == {"tens": 3, "units": 7}
    assert written["joker_order"] == "ORBYGP"


@pytest.mark.parametrize(
    ("phase", "marker", "lies_there"), [("draft1", 0, True), ("draft1", 2, False), ("place1", 0, False)]
)
def test_token_in_the_centre(edition, lay, phase, marker, lies_there):
    position = edition.table(lay(edition, phase=phase, marker=marker))
    assert ("1" in position.common.heaps["centre"]) is lies_there


MALFORMED = {
    "not an object": [],
    "no boards": {"edition": "summer-pavilion"},
    "boards as an object": table() | {"boards": {}},
    "five boards": table(*[board()] * 5),
    "one seat twice": table(board(2), board(2)),
    "board as a text": table() | {"boards": ["seat 1"]},
    "unknown side": table(side="grey"),
    "side of a board": table(board(side="grey")),
    "seat 0": table(board(0)),
    "seat 5": table(board(5)),
    "seat as a text": table(board("1")),
    "stars as a list": table(board(stars=["......"] * 7)),
    "star that does not exist": table(board(stars=EMPTY | {"W": "......"})),
    "short star": table(board(stars=EMPTY | {"O": "....."})),
    "long star": table(board(stars=EMPTY | {"O": "......."})),
    "letter on a star": table(board(stars=EMPTY | {"O": "K....."})),
    "small letters": table(board(stars=EMPTY | {"O": "o....."})),
    "star as a number": table(board(stars=EMPTY | {"O": 6})),
    "three corners": table(board(corners="...")),
    "letter on a corner": table(board(corners="1...")),
    "corners as a list": table(board(corners=["G", "", "", ""])),
    "letter in the reserve": table(board(reserve="K")),
    "gap in the reserve": table(board(reserve="G.")),
    "reserve as a list": table(board(reserve=["G"])),
    "score as a text": table(board(score="11")),
    "score with a fraction": table(board(score=11.0)),
    "score as truth": table(board(score=True)),
    "score beyond belief": table(board(score=123456)),
    "sliders as a list": table(board(sliders=[3, 7])),
    "sliders without units": table(board(sliders={"tens": 3})),
    "sliders beyond nine": table(board(sliders={"tens": 10, "units": 0})),
    "factories as an object": table(factories={"tiles": "BGRR"}),
    "factory as a text": table(factories=["BGRR"]),
    "letter on a factory": table(factories=[{"tiles": "BGRK"}]),
    "token on a factory": table(factories=[{"tiles": "BG1"}]),
    "centre as a text": table(centre="BGY"),
    "letter in the centre": table(centre={"tiles": "K", "first_player": True}),
    "token among the tiles of the centre": table(centre={"tiles": "1B", "first_player": True}),
    "token in words": table(centre={"tiles": "B", "first_player": "no"}),
    "short supply": table(supply="PGOYBRPGO"),
    "letter in the supply": table(supply="PGOYBRPGOK"),
    "supply as a list": table(supply=["P"] * 10),
    "round 0": table(round=0),
    "round 7": table(round=7),
    "round as a text": table(round="1"),
    "letter on the storage card": table(joker_order="PGOYBK"),
    "five colours on the storage card": table(joker_order="PGOYB"),
    "storage card as a number": table(joker_order=6),
}


@pytest.mark.parametrize("written", MALFORMED.values(), ids=MALFORMED)
def test_malformed_table(mini, written):
    with pytest.raises(TableError) as refused:
        mini.parse_table(written)
    assert len(str(refused.value)) > 20


# --------------------------------------------------------------------------------- what cannot be seen


def rules(violations):
    return [violation.rule for violation in violations]


MIDDLES: dict[str, dict[str, Any]] = {
    "a round begins": {"factories": FULL, "centre": {"tiles": "", "first_player": True}, "supply": "PGOYBR????"},
    "tiles were taken": {
        "factories": [{"tiles": ""}, *FULL[1:]],
        "centre": {"tiles": "BG", "first_player": False},
        "supply": "PGOYBRPGOY",
    },
}
UNSEEN_BOARDS: dict[str, dict[str, Any]] = {
    "nothing of a board": {},
    "no stars": board(stars=UNSEEN),
    "a star with one cell covered": board(stars=EMPTY | {"R": "RRR?RR"}),
    "a star of many colours with covered cells": board(stars=EMPTY | {"C": "R??G??"}),
    "no corners": board(corners="????", reserve="GG"),
    "no reserve": board(corners="G..G") | {"reserve": None},
    "no score": board(score=None, stars=EMPTY | {"R": "R....."}),
}


@pytest.mark.parametrize("middle", MIDDLES.values(), ids=MIDDLES)
@pytest.mark.parametrize("unseen", UNSEEN_BOARDS.values(), ids=UNSEEN_BOARDS)
def test_the_unseen_breaks_no_rule(edition, unseen, middle, lay):
    position = edition.parse_table(table(unseen | {"seat": 1}, board(2), **middle))
    assert rules(edition.table_violations(position, None)) == []
    assert rules(edition.table_violations(position, lay(edition))) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"stars": UNSEEN | {"O": "??R???"}}, "SP-PL-03"),
        ({"stars": UNSEEN | {"C": "R???R?"}}, "SP-PL-04"),
        ({"stars": UNSEEN | {"Y": "R??BB?"}, "side": "beige"}, "SP-VA-01"),
        ({"corners": "?G??", "reserve": "R"}, "SP-PA-02"),
        ({"score": -1}, "SP-SC-02"),
    ],
)
def test_what_is_seen_besides_is_judged(edition, change, rule):
    side = {"side": change.get("side", "coloured")}
    position = edition.parse_table(table(board(**change), **side))
    assert rules(edition.table_violations(position, None)) == [rule]


def test_a_disc_with_an_unseen_tile_is_not_judged(edition):
    middle = {"factories": [{"tiles": "GG?"}, *FULL[1:]], "centre": {"tiles": "", "first_player": True}}
    position = edition.parse_table(table(board(1), board(2), **middle))
    assert edition.table_violations(position, None) == []


def test_a_part_of_a_known_table_is_judged_as_that_part(edition, lay):
    # A photo of two boards and the factories of a game of three.
    state = lay(edition, players=3, factories="PPPP/GGGG/OOOO/YYYY/BBBB/RRRR/PPPP")
    written = edition.format_table(edition.table(state))
    part = edition.parse_table(written | {"boards": written["boards"][:2]})
    assert edition.table_violations(part, state) == []


# -------------------------------------------------------------------------------- showing and looking on


def test_show(edition):
    position = edition.parse_table(EXAMPLE | {"boards": [EXAMPLE["boards"][0] | {"score": None}]})
    assert edition.show(position).splitlines() == [
        "seat 1     score ?",
        "  star O  1 2 3 4 O 6",
        "  star R  1 2 3 4 5 6",
        "  star B  1 2 3 4 5 6",
        "  star Y  1 2 3 4 5 6",
        "  star G  1 2 3 4 5 6",
        "  star P  1 2 3 4 5 6",
        "  star C  P 2 3 4 G 6",
        "  corners G . . P   reserve -",
        "",
        "factories  1:BGRY  2:-",
        "centre     GY",
        "supply     P G O Y B R P G O Y",
        "round      1",
    ]


def test_show_the_numbers_of_the_beige_side(edition):
    shown = edition.show(edition.parse_table(table(board(stars=EMPTY | {"O": "R....."}, reserve="GG"), side="beige")))
    assert shown.splitlines()[1] == "  star O  R 2 1 4 5 6"
    assert shown.splitlines()[7:9] == ["  star C  3 3 3 3 3 3", "  corners . . . .   reserve GG"]


@pytest.mark.parametrize(
    ("reserve", "score", "points"), [("GGRR", 9, 0), ("GGRRBB", 9, -2), ("GGRRBB", None, -2), ("", 9, 0)]
)
def test_outlook_of_a_round(edition, reserve, score, points):
    (outlook,) = edition.outlook(edition.parse_table(table(board(reserve=reserve, score=score))))
    assert (outlook.score, outlook.round_points, outlook.round_low) == (score, points, points)


def test_outlook_stops_at_the_floor(big, mini):
    for edition, points in ((big, -1), (mini, -2)):
        (outlook,) = edition.outlook(edition.parse_table(table(board(reserve="GGGGRRR", score=2))))
        assert outlook.round_points == points


def test_outlook_of_the_end(edition):
    stars = EMPTY | {"R": "RRRRRR"} | {star: f"{star}....." for star in "OBYGP"} | {"C": "P....."}
    (outlook,) = edition.outlook(edition.parse_table(table(board(stars=stars))))
    assert [line.points for line in outlook.bonus_lines] == [14, 4]
    assert outlook.bonus_points == 18


def test_outlook_names_what_it_could_not_see(edition):
    written = table({"seat": 1, "stars": EMPTY | {"R": "RRRRRR", "O": "OOO?OO"}, "corners": "?...", "score": None})
    (outlook,) = edition.outlook(edition.parse_table(written))
    assert outlook.unseen == ("star.O.4", "corner.1", "reserve", "score")
    assert (outlook.score, outlook.bonus_points) == (None, 14)


@pytest.mark.parametrize("side", ["coloured", "beige"])
def test_stars_that_cannot_be_seen_may_be_complete(edition, side):
    unseen, bare = (
        edition.parse_table({"edition": edition.slug, "side": side, "boards": [{"seat": 1, "stars": stars}]})
        for stars in (UNSEEN, EMPTY)
    )
    assert edition.most_score(unseen, 1) > edition.most_score(bare, 1)
    assert not edition.table_violations(unseen, None)
