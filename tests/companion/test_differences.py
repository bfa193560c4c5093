"""What two readings of a photo tell differently, and one with some of it taken over."""

from typing import Any

from companion.photolog.differences import accepted, differences, reseated

BOARD: dict[str, Any] = {
    "seat": 1,
    "corners_px": [[0, 0], [10, 0], [10, 10], [0, 10]],
    "wall": ["B....", ".....", ".....", ".....", "....."],
    "lines": [".", "..", "..R", "....", "....."],
    "floor": "K",
    "score": 4,
    "doubts": [{"cell": "wall.1.1", "reads": {"B": 0.9, ".": 0.1}}],
    "reads": {"wall.1.1": {"B": 0.9, ".": 0.1}, "score": {"4": 1.0}},
}
OTHER = {**BOARD, "seat": 2, "corners_px": [[50, 0], [60, 0], [60, 10], [50, 10]]}
READING: dict[str, Any] = {
    "edition": "azul",
    "side": "coloured",
    "boards": [BOARD, OTHER],
    "factories": [{"tiles": "BKRY"}, {"tiles": ""}],
    "centre": {"tiles": "K", "first_player": True},
}
ANEW = {
    **READING,
    "boards": [
        {
            **BOARD,
            "wall": [".....", ".....", ".....", ".....", "....."],
            "lines": [".", "..", ".RR", "....", "....."],
            "floor": "",
            "score": 9,
            "doubts": [{"cell": "line.3.2", "reads": {"R": 0.8, ".": 0.2}}],
            "reads": {"line.3.2": {"R": 0.8, ".": 0.2}, "score": {"9": 1.0}},
        },
        OTHER,
    ],
    "centre": {"tiles": "KW", "first_player": True},
}
NAMES = ["1:wall.1.1", "1:line.3.2", "1:floor.1", "1:score", "0:centre"]


def test_every_difference_is_named() -> None:
    assert list(differences(READING, READING)) == []
    found = list(differences(READING, ANEW))
    assert [each.name for each in found] == NAMES
    assert [(each.before, each.after) for each in found] == [
        ("B", "."),
        (".", "R"),
        ("K", "."),
        ("4", "9"),
        ("K", "KW"),
    ]


def test_all_differences_accepted_are_the_second_reading() -> None:
    assert accepted(READING, ANEW, NAMES) == ANEW
    assert accepted(READING, ANEW, []) == READING


def test_only_what_is_accepted_is_taken_over() -> None:
    taken = accepted(READING, ANEW, ["1:line.3.2", "1:score"])
    assert [each.name for each in differences(taken, ANEW)] == ["1:wall.1.1", "1:floor.1", "0:centre"]
    board = taken["boards"][0]
    assert board["doubts"] == BOARD["doubts"] + ANEW["boards"][0]["doubts"]
    assert board["reads"] == {"wall.1.1": {"B": 0.9, ".": 0.1}} | ANEW["boards"][0]["reads"]
    assert accepted(READING, ANEW, ["0:centre"]) == {**READING, "centre": ANEW["centre"]}


def test_boards_that_were_found_or_lost_are_taken_over_as_a_whole() -> None:
    fewer = {**ANEW, "boards": ANEW["boards"][:1]}
    assert next(differences(READING, fewer)).name == "0:boards"
    assert accepted(READING, fewer, ["0:boards"]) == fewer
    assert len(accepted(READING, fewer, ["1:score"])["boards"]) == 2


def test_boards_keep_the_seats_of_the_first_reading() -> None:
    swapped = {**ANEW, "boards": [{**ANEW["boards"][1], "seat": 1}, {**ANEW["boards"][0], "seat": 2}]}
    assert reseated(READING, swapped) == ANEW
    third = {**OTHER, "corners_px": [[90, 0], [99, 0], [99, 10], [90, 10]]}
    more = reseated(READING, {**ANEW, "boards": [*ANEW["boards"], third]})
    assert [board["seat"] for board in more["boards"]] == [1, 2, 3]
