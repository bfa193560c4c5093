"""What a score can have gained between two looks: the truth is always among it, alone where it is determined."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import FILL, OVER, Gain, Part, Setup, Stretch, View, load
from engine.editions.azul.stretches import STRETCHES as RULES

AZUL = load("azul")
CALM = settings(deadline=None, derandomize=True, max_examples=60)


def gains_of(before: Part, after: Part, stretch: Stretch, setup: Setup[Any]) -> set[Gain]:
    return {*RULES.gains(View(before), View(after), stretch, setup)}


def looks_of(seed: int, side: str, players: int, rounds: int = 9) -> list[tuple[int, str, Any]]:
    """A game by chance, looked at before and after each scoring and now and then between: rounds, moment, boards."""
    rng = Random(seed)
    state = AZUL.start(AZUL.setup(side, players))
    looks, scored = [(0, "after", AZUL.table(state).boards)], 0
    while state.phase != OVER and not (state.phase == FILL and state.round >= rounds):
        drafting = state.phase == "draft"
        if state.phase == FILL:
            state = AZUL.apply(state, AZUL.deal(state, rng.sample))
        else:
            state = AZUL.apply(state, _sensible(state, rng))
        if drafting and state.phase == "tile":
            looks.append((scored, "before", AZUL.table(state).boards))
        elif drafting and rng.random() < 0.1:
            looks.append((scored, "amidst", AZUL.table(state).boards))
        state = AZUL.settle(state)
        if state.phase in (FILL, OVER):
            scored += 1
            looks.append((scored, "after", AZUL.table(state).boards))
    return looks


def _sensible(state: Any, rng: Random) -> Any:
    """Mostly no move that throws tiles away, so that walls fill."""
    choices = list(AZUL.choices(state))
    kept = [move for move in choices if getattr(move, "line", 1)]
    return rng.choice(kept if kept and rng.random() < 0.9 else choices)


@CALM
@given(
    seed=st.integers(0, 10_000),
    side=st.sampled_from(["coloured", "grey"]),
    players=st.integers(2, 4),
    first=st.integers(0, 30),
    steps=st.integers(1, 7),
)
def test_the_true_gain_is_always_among_the_possible_ones(
    seed: int, side: str, players: int, first: int, steps: int
) -> None:
    looks = looks_of(seed, side, players)
    first %= len(looks) - 1
    last = min(first + steps, len(looks) - 1)
    (scored, moment, before), (later, then, after) = looks[first], looks[last]
    setup = AZUL.setup(side, players)
    for old, new in zip(before, after, strict=True):
        stretch = Stretch(later - scored, moment == "before", then == "after")
        for rich in {False, old.tracks["score"] >= 17 * stretch.rounds}:
            told = Stretch(stretch.rounds, stretch.closed, stretch.fresh, rich=rich)
            reached = {gain.after(old.tracks["score"]) for gain in gains_of(old, new, told, setup)}
            assert new.tracks["score"] in reached
        assert RULES.fewest_rounds(View(old), View(new)) <= stretch.rounds
        assert RULES.conflicts(old, new) == ()


@CALM
@given(seed=st.integers(0, 10_000), side=st.sampled_from(["coloured", "grey"]), players=st.integers(2, 4))
def test_tiles_taken_and_fallen_are_those_laid_out(seed: int, side: str, players: int) -> None:
    looks = [look for look in looks_of(seed, side, players, rounds=3) if look[1] == "after"]
    setup = AZUL.setup(side, players)
    for (_, _, before), (_, _, after) in pairwise(looks):
        used = sum(RULES.taken(View(old), View(new), setup) or 0 for old, new in zip(before, after, strict=True))
        assert 0 <= used <= (RULES.round_tiles(setup) or 0)


@CALM
@given(seed=st.integers(0, 10_000), players=st.integers(2, 4))
def test_a_round_that_was_seen_before_it_was_scored_is_exact(seed: int, players: int) -> None:
    setup = AZUL.setup("coloured", players)
    looks = looks_of(seed, "coloured", players)
    for (scored, moment, before), (later, then, after) in pairwise(looks):
        if (moment, then, later - scored) == ("before", "after", 1):
            for old, new in zip(before, after, strict=True):
                gains = gains_of(old, new, Stretch(1, closed=True, fresh=True), setup)
                assert {gain.after(old.tracks["score"]) for gain in gains} == {new.tracks["score"]}
                (ending,) = RULES.endings(View(old), setup)
                assert ending.gain.after(old.tracks["score"]) == new.tracks["score"]


def board(lines: list[str] | None = None, wall: list[str] | None = None, floor: str = "") -> Any:
    table = {
        "edition": "azul",
        "boards": [
            {
                "seat": 1,
                "lines": lines or ["." * row for row in range(1, 6)],
                "wall": wall or ["....."] * 5,
                "floor": floor,
            }
        ],
    }
    return AZUL.parse_table(table).boards[0]


def points(before: Any, after: Any, stretch: Stretch, side: str = "coloured") -> list[int]:
    return sorted({gain.points for gain in gains_of(before, after, stretch, AZUL.setup(side, 2))})


COLUMN = ["B....", "W....", "K....", ".....", "....."]


def test_the_order_of_tiles_over_two_rounds_is_open() -> None:
    assert points(board(), board(wall=COLUMN), Stretch(1, most_lost=0)) == [6]
    assert points(board(), board(wall=COLUMN), Stretch(2, most_lost=0)) == [5, 6]


def test_a_begun_line_comes_first_in_its_row() -> None:
    begun = board(lines=["B", "..", "...", "....", "....."])
    two = board(wall=["BY...", ".....", ".....", ".....", "....."])
    assert points(begun, two, Stretch(2, closed=True, most_lost=0)) == [3]
    other = board(wall=[".Y...", ".....", ".....", ".....", "....."])
    assert points(begun, other, Stretch(1, most_lost=0)) == []


@pytest.mark.parametrize(("most", "costs"), [(0, [0]), (2, [-2, -1, 0]), (9, [-14, -11, -8, -6, -4, -2, -1, 0])])
def test_no_more_is_charged_than_can_have_fallen(most: int, costs: list[int]) -> None:
    assert points(board(), board(), Stretch(1, most_lost=most)) == costs


def test_what_lies_on_the_floor_before_scoring_is_charged() -> None:
    assert points(board(floor="1BB"), board(), Stretch(1, closed=True)) == [-4]
    assert points(board(floor="1BB"), board(), Stretch(1, most_lost=4)) == [-6, -4]


def test_a_look_amidst_the_tiling_counts_what_was_laid() -> None:
    before = board(lines=["B", "WW", "...", "....", "....."], floor="1")
    after = board(lines=[".", "WW", "...", "....", "....."], wall=["B....", *["....."] * 4], floor="1")
    assert points(before, after, Stretch(0)) == [1]
    assert points(before, board(lines=["B", "WW", "...", "....", "....."]), Stretch(0)) == []


def test_a_tile_that_left_the_wall_is_a_conflict() -> None:
    assert RULES.conflicts(board(wall=COLUMN), board()) == ("wall.1.1", "wall.2.1", "wall.3.1")
    assert points(board(wall=COLUMN), board(), Stretch(3)) == []


def test_too_many_ways_are_bounded() -> None:
    full = board(wall=["BYR..", "WBY..", "KWB..", "RKW..", "YRK.."])
    found = points(board(), full, Stretch(5, most_lost=0))
    assert found == list(range(15, max(found) + 1))
    assert max(found) >= 6 * 15 - 15


def test_a_line_that_fits_nowhere_falls_to_the_floor() -> None:
    wall = ["B....", ".BW..", "..BW.", "...B.", "....."]
    blocked = board(lines=[".", "..", "...", "....", "BBBBB"], wall=[*wall[:4], "YRKW."])
    assert points(blocked, board(wall=[*wall[:4], "YRKWB"]), Stretch(1, closed=True), "grey") != []
    stuck = board(lines=[".", "..", "...", "....", "BBBBB"], wall=[*wall[:3], "....B", "YRKW."])
    assert points(stuck, board(wall=[*wall[:3], "....B", "YRKW."]), Stretch(1, closed=True), "grey") == [-8]


def test_gains_follow_each_other() -> None:
    gain = Gain().then(2, 4, 0).then(3, 0, 0)
    assert [gain.after(score) for score in (0, 1, 2, 3)] == [3, 3, 3, 4]
