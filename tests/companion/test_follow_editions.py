"""Games of every edition, side and number of players, followed from sightings alone."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.cli.commands.bench_live import CONFUSIONS
from companion.lab.confusions import load_confusions
from companion.lab.imagine import imagine
from companion.lab.play import play_well
from companion.lab.rehearsal import MISSED_LOOK, Imagined, plan_of, rehearse_sightings
from companion.lab.simulate import simulate
from companion.lab.trial import TrialVerdict, judge, looks_alike
from companion.reconcile.live.follow import Follower
from engine import OVER, load, slugs

MOST_MOVES = 90
"""Long games are followed for so many moves: every phase has come by then."""
TABLES = [(slug, side, players) for slug in slugs() for side in load(slug).sides for players in load(slug).players]


def followed(slug: str, side: str, players: int, most: int) -> tuple[Any, Any, list[Any], list[Any], Any, int]:
    """A game without mischief, looked at after every move; how often somebody was asked."""
    edition, asked = load(slug), 0
    setup = edition.setup(side, players)
    follower = Follower(edition, edition.start(setup))
    follower.see(imagine(edition.table(follower.state)))
    truth: list[Any] = []
    told: list[Any] = []
    state = follower.state
    for step in islice(simulate(edition, setup, Random(f"{slug} {side} {players}"), 0.0, play_well), most):
        truth.append(step.move)
        state = step.state
        for again in (False, True, True):
            outcome = follower.see(imagine(edition.table(state)), again)
            told = [*told[: len(told) - outcome.undone], *outcome.moves]
            asked += outcome.question is not None
            if not outcome.look_again:
                break
    return edition, follower, truth, told, state, asked


@pytest.mark.parametrize(("slug", "side", "players"), TABLES)
def test_every_move_is_followed_from_clear_sightings(slug: str, side: str, players: int) -> None:
    edition, follower, truth, told, state, asked = followed(slug, side, players, MOST_MOVES)
    verdict = judge(edition, edition.start(edition.setup(side, players)), truth, told, TrialVerdict())
    unmarked = _unmarked_at_the_end(edition, truth)
    assert verdict.right + verdict.alike >= verdict.moves - unmarked, verdict.notes
    assert not verdict.false
    assert not asked
    if state.phase != OVER and not unmarked:
        assert looks_alike(edition, follower.state, state)


def _unmarked_at_the_end(edition: Any, truth: list[Any]) -> int:
    """Turns given up without a mark are told with the next move; after the last one there is none."""
    count = 0
    for move in reversed(truth):
        if not edition.is_pass(move):
            break
        count += 1
    return count


@pytest.mark.parametrize("slug", slugs())
def test_disturbed_sightings_are_followed_nearly_as_well(slug: str) -> None:
    confusions = load_confusions(CONFUSIONS)
    verdict = rehearse_sightings(plan_of(1200, slug), confusions)
    assert verdict.right + verdict.alike >= 0.97 * verdict.moves, verdict.notes
    assert not verdict.false
    assert verdict.returned == verdict.doubts


def test_a_true_answer_leads_back_after_a_bridge_with_a_wrong_mark() -> None:
    """A mark stands wrong, moves are bridged with a misread cell, and that cell is asked about."""
    plan = plan_of(515, "summer-pavilion-mini")
    rng, imagined = plan.rng, Imagined(plan, load_confusions(CONFUSIONS))
    for step in islice(simulate(plan.edition, plan.setup, plan.rng, plan.mischief, play_well), 36):
        assert imagined.play(step.move)
        if rng.random() >= MISSED_LOOK:
            imagined.look(step.state, rng)
    assert imagined.verdict.returned == imagined.verdict.doubts == 1
