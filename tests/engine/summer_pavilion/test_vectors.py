"""The test vectors of the rules files of Summer Pavilion and its Mini, each by its id.

Those of the big box hold for the Mini as well, save for the floor of the score.
"""

from typing import Any

import pytest

from engine import IllegalMoveError, load
from engine.score import total

BIG, MINI = load("summer-pavilion"), load("summer-pavilion-mini")
COLOURS = "PGOYBR"
STARS = "ORBYGPC"
EVERY_CELL = dict.fromkeys(STARS, "123456")

COVERED: set[str] = set()


def case(vector, *values):
    """The cases of a vector, which says by its id for which edition it is; those of the big box are for both."""
    COVERED.add(vector)
    if vector.startswith("SPM"):
        return [pytest.param(MINI, *values, id=vector)]
    return [pytest.param(BIG, *values, id=vector), pytest.param(MINI, *values, id=f"{vector}-mini")]


def vector(*ids):
    """A test that is the whole of these vectors."""
    return pytest.mark.parametrize("edition", [one for name in ids for one in case(name)])


def cases(*vectors):
    return [one for vector in vectors for one in case(*vector)]


def rules(edition, state, move):
    """The rules that a move breaks; `apply` must think the same."""
    made = edition.parse_move(move)
    found = edition.violations(state, made)
    if found:
        with pytest.raises(IllegalMoveError):
            edition.apply(state, made)
    else:
        edition.apply(state, made)
    assert (made in edition.legal_moves(state)) is (not found)
    return {violation.rule for violation in found}


# ------------------------------------------------------------------------------------------- drafting

TAKES = cases(
    ("SP-TV-01", "RRYY", "R", "RR", "YY"),
    ("SPM-TV-01", "RRYY", "R", "RR", "YY"),
    ("SP-TV-02", "GPPY", "G", "GP", "PY"),
    ("SPM-TV-02", "GPPB", "G", "GP", "BP"),
    ("SP-TV-22", "PPPP", "P", "P", "PPP"),
)


@pytest.mark.parametrize(("edition", "disc", "colour", "taken", "centre"), TAKES)
def test_take_from_a_factory(edition, lay, disc, colour, taken, centre):
    state = edition.apply(lay(edition, factories=disc), edition.parse_move(f"1:1{colour}"))
    assert (state.boards[0].reserve, state.factories[0], state.centre) == (taken, "", centre)
    assert (state.scores, state.marker, state.seat) == ((5, 5), 0, 2)


FIRST_FROM_CENTRE: list[Any] = [
    *case("SP-TV-03", "PYYY", 5, 1),
    *case("SPM-TV-03", "PYYY", 5, 1),
    *case("SPM-TV-04", "PYYY", 3, 0),
    *case("SPM-TV-05", "PYYY", 0, 0),
    pytest.param(BIG, "PYYYYY", 5, 1, id="SP-TV-19"),
    pytest.param(MINI, "PYYYYY", 5, 0, id="SP-TV-19-mini"),
    pytest.param(BIG, "PYYYYY", 1, 1, id="SP-TV-20"),
    pytest.param(MINI, "PYYYYY", 0, 0, id="SP-TV-20-mini"),
]
COVERED |= {"SP-TV-19", "SP-TV-20"}


@pytest.mark.parametrize(("edition", "centre", "score", "after"), FIRST_FROM_CENTRE)
def test_first_take_from_the_centre(edition, lay, centre, score, after):
    # Another joker and a red tile stay behind.
    state = lay(edition, centre=centre + "PR", score=score)
    move = edition.parse_move("1:0Y")
    assert total(edition.score(state, move)) == after - score
    state = edition.apply(state, move)
    assert (state.boards[0].reserve, state.marker, state.boards[0].score) == (centre, 1, after)
    assert (state.centre, state.scores[1]) == ("PR", 5)


# ---------------------------------------------------------------------------------------- placing

PLACEMENTS = cases(
    # reserve, stars, move, points, tower, reserve after, bonus tiles owed
    ("SP-TV-04", "BBBBBBB", {}, "1:B6B+0", 1, "BBBBB", "B", 0),
    ("SPM-TV-06", "BBBBBBB", {}, "1:B6B+0", 1, "BBBBB", "B", 0),
    ("SP-TV-05", "RRR", {"R": "61"}, "1:R3R+0", 1, "RR", "", 0),
    ("SPM-TV-07", "RRR", {"R": "61"}, "1:R3R+0", 1, "RR", "", 0),
    # Cells 5 and 6 are a window, so in these there are tiles to take as well.
    ("SP-TV-06", "BBBPPP", {"B": "45"}, "1:B6B+3", 3, "BBPPP", "", 3),
    ("SPM-TV-08", "BBBPPP", {"B": "45"}, "1:B6B+3", 3, "BBPPP", "", 3),
    ("SP-TV-18", "BBBBBB", {"B": "5"}, "1:B6B+0", 2, "BBBBB", "", 3),
    ("SP-TV-07", "GOPPP", {"O": "35"}, "1:O4O+3", 3, "PPP", "G", 0),
    ("SPM-TV-09", "GOPPP", {"O": "35"}, "1:O4O+3", 3, "PPP", "G", 0),
    ("SP-TV-08", "GGGGPPRR", {"P": "13"}, "1:P2P+0", 3, "P", "GGGGRR", 0),
    ("SPM-TV-10", "GGGGPPRR", {"P": "13"}, "1:P2P+0", 3, "P", "GGGGRR", 0),
    ("SP-TV-16", "OO", {"O": "13", "R": "34", "C": "61"}, "1:O2O+0", 3, "O", "", 3),
    ("SP-TV-17", "GG", {"C": "13", "R": "23", "B": "23"}, "1:C2G+0", 3, "G", "", 2),
)


@pytest.mark.parametrize(("edition", "reserve", "stars", "text", "points", "tower", "left", "owed"), PLACEMENTS)
def test_placement(edition, lay, reserve, stars, text, points, tower, left, owed):
    state = lay(edition, reserve=reserve, stars=stars)
    move = edition.parse_move(text)
    assert total(edition.score(state, move)) == points
    after = edition.apply(state, move)
    board = after.boards[0]
    assert (board.score, after.tower, board.reserve) == (5 + points, tower, left)
    assert board.stars[STARS.index(move.star)][move.cell - 1] == move.colour
    assert (after.owed, after.phase, after.seat) == ((owed, "bonus", 1) if owed else (0, "place", 2))


RINGS = cases(
    ("SP-TV-12", "62", 1, 3, 0),
    ("SP-TV-13", "12345", 6, 6, 3),
    ("SP-TV-14", "135", 2, 3, 0),
    ("SP-TV-15", "2356", 4, 5, 0),
)


@pytest.mark.parametrize(("edition", "cells", "cell", "points", "owed"), RINGS)
@pytest.mark.parametrize("star", STARS)
def test_ring(edition, lay, star, cells, cell, points, owed):
    colour = star if star != "C" else COLOURS[cell - 1]
    state = lay(edition, stars={star: cells}, reserve=colour * cell)
    after = edition.apply(state, edition.parse_move(f"1:{star}{cell}{colour}+0"))
    assert after.boards[0].score == 5 + points
    assert after.owed == (owed if star != "C" else 0)


@vector("SP-TV-10", "SPM-TV-12")
def test_what_jokers_may_stand_for(edition, lay):
    three_and_one, four = lay(edition, reserve="GPPP"), lay(edition, reserve="PPPP")
    assert rules(edition, three_and_one, "1:G4G+3") == set()
    assert rules(edition, four, "1:P4P+0") == set()
    assert rules(edition, three_and_one, "1:C4G+3") == set()
    assert rules(edition, four, "1:C4P+0") == set()
    # In the middle only where the colour is not there yet.
    stars = {"C": "GP...."}
    assert rules(edition, lay(edition, reserve="GPPP", stars=stars), "1:C4G+3") == {"SP-PL-04"}
    assert rules(edition, lay(edition, reserve="PPPP", stars=stars), "1:C4P+0") == {"SP-PL-04"}


@vector("SP-TV-11")
def test_jokers_alone_stand_for_nothing(edition, lay):
    state = lay(edition, reserve="PPP")
    # No green tile is there to be laid, so the tile laid is not of the reserve either.
    assert rules(edition, state, "1:G3G+3") == {"SP-PAY-03", "SP-PL-07"}
    assert {move.star for move in edition.legal_moves(state) if hasattr(move, "star")} == {"P", "C"}
    # With a green one in the reserve it is the payment alone that is wrong.
    assert rules(edition, lay(edition, reserve="GPPP"), "1:G3G+3") == {"SP-PAY-03"}


@vector("SP-TV-21")
def test_only_this_rounds_colour_is_the_joker(edition, lay):
    assert rules(edition, lay(edition, round=2, reserve="RGG"), "1:R3R+2") == set()
    also = {"SPM-VA-02"} if edition is MINI else set()
    state = lay(edition, round=2, reserve="RPP")
    assert rules(edition, state, "1:R3R+2!old-joker=PP") == {"SP-PAY-04"} | also
    assert "1:R3" not in " ".join(map(edition.format_move, edition.legal_moves(state)))


@vector("SP-TV-09", "SPM-TV-11")
def test_pass(edition, lay):
    state = lay(edition, reserve="GGGGRR", score=9)
    move = edition.parse_move("1:pass=GGGG")
    assert total(edition.score(state, move)) == -2
    after = edition.apply(state, move)
    board = after.boards[0]
    assert (board.corners, board.reserve, board.score, after.tower) == ("GGGG", "", 7, "RR")
    assert (after.passed, after.seat, after.phase) == ((1,), 2, "place")


# ----------------------------------------------------------------------------------------- beige side


@vector("SP-TV-28")
def test_beige_star_of_one_colour(edition, lay):
    state = lay(edition, side="beige", stars={"O": "BB...."}, reserve="BBBBRRRR")
    assert rules(edition, state, "1:O4R+0") == {"SP-VA-01"}
    assert rules(edition, state, "1:O4B+0") == set()


@vector("SP-TV-29")
def test_beige_star_of_many_colours(edition, lay):
    state = lay(edition, side="beige", stars={"O": "BR...."}, reserve="BBBBGGGGRRRR")
    assert rules(edition, state, "1:O4B+0") == rules(edition, state, "1:O4R+0") == {"SP-VA-01"}
    assert rules(edition, state, "1:O4G+0") == set()


# ------------------------------------------------------------------------------------- end of the game


def bonus_points(edition, lay, **table):
    """The points of the end of seat 1, rule by rule; those of the rounds stay as they are."""
    state = lay(edition, round=6, phase="over", score=50, **table)
    lines = edition.bonuses(state)
    assert {line.seat for line in lines} <= {1}
    assert state.scores[0] == 50
    return [(line.rule, line.points) for line in lines]


def stars_and_numbers(stars, numbers):
    return [("SP-PT-04", points) for points in stars] + [("SP-PT-05", points) for points in numbers]


ENDS = cases(
    ("SP-TV-23", {"stars": {"R": "123456", "C": "123456"}}, [14, 12], []),
    ("SP-TV-24", {"stars": EVERY_CELL, "bag": ""}, [17, 14, 15, 16, 18, 20, 12], [4, 8, 12, 16]),
    ("SP-TV-25", {"stars": dict.fromkeys(STARS, "12")}, [], [4, 8]),
    ("SP-TV-30", {"side": "beige", "stars": {"O": "R" * 6, "B": "R" * 6, "Y": COLOURS}}, [14, 14, 12], []),
    # The middle star consists of threes on the beige side, so it is complete as well.
    ("SP-TV-31", {"side": "beige", "stars": dict.fromkeys("ORBYGP", "1") | {"C": COLOURS}}, [12], [12]),
)


@pytest.mark.parametrize(("edition", "table", "stars", "numbers"), ENDS)
def test_bonuses_of_the_end(edition, lay, table, stars, numbers):
    assert bonus_points(edition, lay, **table) == stars_and_numbers(stars, numbers)


@vector("SPM-TV-13")
def test_each_star(edition, lay):
    worth = {"C": 12, "R": 14, "B": 15, "Y": 16, "O": 17, "G": 18, "P": 20}
    for star, points in worth.items():
        assert bonus_points(edition, lay, stars={star: "123456"}) == stars_and_numbers([points], [])
        assert bonus_points(edition, lay, stars={star: "12345"}) == []


@vector("SPM-TV-14")
def test_each_number(edition, lay):
    worth = {"1": [4], "2": [8], "3": [12], "4": [16], "5": [], "6": []}
    for number, points in worth.items():
        covered = dict.fromkeys(STARS, number)
        assert bonus_points(edition, lay, stars=covered) == stars_and_numbers([], points)
        for star in STARS:
            assert bonus_points(edition, lay, stars=covered | {star: ""}) == []


CORNERS = cases(("SP-TV-26", "GPR", -3), ("SPM-TV-15", ".O.B", -2))


@pytest.mark.parametrize(("edition", "corners", "points"), CORNERS)
def test_corners_after_the_last_round(edition, lay, corners, points):
    assert bonus_points(edition, lay, corners=corners) == [("SP-PT-06", points)]


@vector("SP-TV-27", "SPM-TV-16")
def test_tie_is_a_shared_victory(edition, lay):
    # Seat 1 gets to ninety by its red star, seat 3 loses its lead by a corner.
    boards = {2: {"score": 90}, 3: {"score": 90, "corners": "G"}}
    table = {"round": 6, "phase": "over", "players": 3, "stars": {"R": "123456"}, "seats": boards}
    assert edition.winners(lay(edition, score=76, **table)) == (1, 2)
    assert edition.winners(lay(edition, score=75, **table)) == (2,)
    assert edition.winners(lay(edition, score=77, **table)) == (1,)


@vector("SPM-TV-17")
def test_joker_order_of_the_flipped_card(edition, lay):
    for round_, joker in enumerate("ORBYGP", 1):
        state = lay(edition, round=round_, options={"jokerOrder": list("ORBYGP")}, factories="".join("BGOPRY"))
        other = "P" if joker != "P" else "O"
        after = edition.apply(state, edition.parse_move(f"1:1{other}"))
        assert after.boards[0].reserve == "".join(sorted(other + joker))
        takes = {move.colour for move in edition.legal_moves(state)}
        assert takes == set(COLOURS) - {joker}


def test_every_vector_is_covered():
    rulebooks = {f"SP-TV-{n:02}" for n in range(1, 32)} | {f"SPM-TV-{n:02}" for n in range(1, 18)}
    assert rulebooks == COVERED
