"""Between two looks at a seat, in every edition: the truth is always among what a score can have gained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import FILL, OVER, Edition, Stretch, View, load, slugs
from engine.stretch import Stretches, pieces_left
from engine.table import Frozen, Part

EDITIONS = [slug for slug in slugs() if not slug.startswith("azul")]
"""How Azul's boards are looked at is told in tests of its own."""
PAVILIONS = [slug for slug in EDITIONS if slug.startswith("summer")]
CALM = settings(deadline=None, derandomize=True, max_examples=40)
LOOKED_AT = 0.15


def category(kind: str, id_: str, points: int | str) -> dict[str, int | str]:
    return {"kind": kind, "id": id_, "points": points}


WHEEL = {
    "rounds": [
        [category("colour", "LB", 2), category("pattern", "1", 3), category("colour", "YE", 1)],
        [category("colour", "LG", 2), category("pattern", "2", "value"), category("pattern", "3", 1)],
        [category("colour", "DG", 3), category("pattern", "4", 2), category("colour", "LP", "value")],
        [category("colour", "DP", 4), category("pattern", "5", 3), category("pattern", "6", 1)],
    ]
}
"""Made up for tests: nobody has told us what the real one shows."""


def rules_of(edition: Edition[Any, Any]) -> Stretches:
    assert edition.stretches is not None
    return edition.stretches


@dataclass(frozen=True)
class Moment:
    """A moment of a game: what is seen of each seat, what is true of it."""

    views: tuple[View, ...]
    """With the rounds that each seat has scored, which a look alone need not tell."""
    scores: tuple[int, ...]


def moment(edition: Edition[Any, Any], state: Any) -> Moment:
    table = edition.table(state)
    left = pieces_left(table.common, edition.layout, state.setup.players)
    between = state.phase == OVER or (state.phase == FILL and not turn_of(state))
    passed = getattr(state, "passed", ()) if is_done_by_passing(edition) else ()
    done = [state.round if between or seat in passed else state.round - 1 for seat in state.setup.seats]
    views = (View(part, table.common, left, max(0, n)) for part, n in zip(table.boards, done, strict=True))
    return Moment(tuple(views), tuple(state.scores))


def is_done_by_passing(edition: Edition[Any, Any]) -> bool:
    """Whether a board is done with a round once its player has passed: nothing is counted after that."""
    return edition.slug.startswith("summer")


def turn_of(state: Any) -> int:
    return getattr(state, "turn", 0) or state.seat


def is_between(seen: Moment) -> bool:
    """Whether everybody is done with the round that the counter shows."""
    return all(view.scored == view.common.tracks["round"] for view in seen.views)


def setup_of(edition: Edition[Any, Any], side: str, players: int) -> Any:
    options = {"wheel": WHEEL} if edition.slug == "queens-garden" else {}
    return edition.setup(side, min(players, edition.players[-1]), 1, options)


def moments(edition: Edition[Any, Any], setup: Any, seed: int, keen: float) -> Iterator[Moment]:
    """A game by chance, looked at between rounds and now and then in them."""
    rng = Random(seed)
    state = edition.start(setup)
    yield moment(edition, state)
    while state.phase != OVER:
        before = state
        if edition.awaits_chance(state):
            state = edition.apply(state, edition.deal(state, rng.sample))
        else:
            choices = list(edition.choices(state))
            active = [move for move in choices if not edition.is_pass(move)]
            state = edition.apply(state, rng.choice(active if active and rng.random() < keen else choices))
        state = edition.settle(state)
        ended = state.phase == OVER or (edition.awaits_chance(state) and not turn_of(state))
        if ended or (before.phase != FILL and rng.random() < LOOKED_AT):
            yield moment(edition, state)


@pytest.mark.parametrize("slug", EDITIONS)
@CALM
@given(
    seed=st.integers(0, 10_000),
    side=st.integers(0, 1),
    players=st.integers(2, 4),
    first=st.integers(0, 100),
    steps=st.integers(1, 9),
    keen=st.sampled_from([0.6, 0.9, 0.99]),
)
def test_the_true_gain_is_always_among_those_told(
    slug: str, seed: int, side: int, players: int, first: int, steps: int, keen: float
) -> None:
    edition = load(slug)
    rules, setup = rules_of(edition), setup_of(edition, edition.sides[side % len(edition.sides)], players)
    seen = list(moments(edition, setup, seed, keen))
    first %= len(seen) - 1
    old, new = seen[first], seen[min(first + steps, len(seen) - 1)]
    for seat, (before, after) in enumerate(zip(old.views, new.views, strict=True)):
        was, now, rounds = old.scores[seat], new.scores[seat], (after.scored or 0) - (before.scored or 0)
        assert rules.fewest_rounds(before, after) <= rounds <= (rules.most_rounds(before, after) or 99)
        assert rules.conflicts(before.part, after.part) == ()
        told = Stretch(rounds)
        for stretch in (told, replace(told, rich=was >= rules.dearest(told, setup))):
            gains = rules.gains(before, after, stretch, setup)
            assert now in {gain.after(was) for gain, weight in gains.items() if weight > 0}
            unheld = rules.gains(_without_heaps(before), _without_heaps(after), stretch, setup)
            assert now in {gain.after(was) for gain in unheld}
        assert now <= rules.most(after, setup)


def _without_heaps(view: View) -> View:
    """A look of which only cells were read."""
    return View(Part(view.part.seat, view.part.side, view.part.cells), Part(0), None, view.scored)


@pytest.mark.parametrize("slug", EDITIONS)
@CALM
@given(seed=st.integers(0, 10_000), players=st.integers(2, 4), keen=st.sampled_from([0.6, 0.95]))
def test_a_look_tells_how_many_rounds_were_scored(slug: str, seed: int, players: int, keen: float) -> None:
    edition = load(slug)
    rules, setup = rules_of(edition), setup_of(edition, edition.sides[0], players)
    for seen in moments(edition, setup, seed, keen):
        for view in seen.views:
            unknown = View(view.part, view.common, view.left)
            told = {each.scored: weight for each, weight in rules.views(unknown, setup)}
            assert view.scored in told
            assert abs(sum(told.values()) - 1) < 1e-9
            bare = View(view.part)
            assert view.scored in {each.scored for each, _ in rules.views(bare, setup)}


@pytest.mark.parametrize("slug", EDITIONS)
@CALM
@given(seed=st.integers(0, 10_000), side=st.integers(0, 1), players=st.integers(2, 4))
def test_the_end_brings_what_the_rules_say(slug: str, seed: int, side: int, players: int) -> None:
    edition = load(slug)
    rules, setup = rules_of(edition), setup_of(edition, edition.sides[side % len(edition.sides)], players)
    rng, state = Random(seed), edition.start(setup)
    while state.phase != OVER:
        chance = edition.awaits_chance(state)
        move = edition.deal(state, rng.sample) if chance else rng.choice(list(edition.choices(state)))
        state = edition.settle(edition.apply(state, move))
    last = moment(edition, state)
    for view, score in zip(last.views, last.scores, strict=True):
        seat = view.part.seat
        (ending,) = rules.endings(view, setup)
        bonus = sum(line.points for line in edition.bonuses(state) if line.seat == seat)
        assert (ending.over, ending.gain.after(score)) == (True, score)
        assert ending.bonus.after(score) == score + bonus
    assert rules.closing(last.views, setup) == OVER


@pytest.mark.parametrize("slug", PAVILIONS)
@CALM
@given(seed=st.integers(0, 10_000), players=st.integers(2, 4))
def test_tiles_taken_and_given_up_are_those_laid_out(slug: str, seed: int, players: int) -> None:
    edition = load(slug)
    rules, setup = rules_of(edition), setup_of(edition, edition.sides[0], players)
    ends = {seen.views[0].scored: seen for seen in moments(edition, setup, seed, 0.9) if is_between(seen)}
    bare = list(ends.values())
    for before, after in pairwise(bare):
        pairs = list(zip(before.views, after.views, strict=True))
        used = sum(rules.taken(old, new, setup) or 0 for old, new in pairs)
        rounds = max((new.scored or 0) - (old.scored or 0) for old, new in pairs)
        assert used <= rounds * (rules.round_tiles(setup) or 0)
        if rounds == 1:
            lost = (rules.round_tiles(setup) or 0) - used
            for seat, (old, new) in enumerate(pairs):
                gains = rules.gains(old, new, Stretch(1, most_lost=lost), setup)
                reached = {gain.after(before.scores[seat]) for gain in gains}
                assert after.scores[seat] in reached


def test_heaps_that_are_all_in_view_say_how_much_is_left() -> None:
    edition = load("summer-pavilion")
    state = edition.start(edition.setup("coloured", 2))
    state = edition.apply(state, edition.deal(state, Random(1).sample))
    common = edition.table(state).common
    assert pieces_left(common, edition.layout, 2) == 20
    assert pieces_left(common, edition.layout, 3) is None
    assert pieces_left(replace(common, heaps=Frozen({"centre": ("1",)})), edition.layout, 2) is None
    garden = load("queens-garden")
    table = garden.table(garden.start(garden.setup("a", 2)))
    assert pieces_left(table.common, garden.layout, 2) is None
