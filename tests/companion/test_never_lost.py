"""Whatever the camera missed, the game is found again: covered, switched off, begun late, boards moved."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import companion.capture.session
from companion.capture.session import Session
from companion.gamelog import Entry, GameLog
from companion.lab.imagine import imagine
from companion.lab.looking import ImaginedTable
from companion.lab.missing import boards, rehearse_missing
from companion.lab.play import play_greedily, play_well
from companion.lab.rehearsal import plan_of, with_final_marks
from companion.lab.simulate import simulate
from companion.lab.trial import final_of
from companion.narration import narrate_entry
from companion.reconcile.live import effort
from companion.reconcile.live.counted import Counted, counted_otherwise
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.open_scores import OpenScores
from companion.reconcile.live.outcome import Outcome
from companion.reconcile.live.story import Story
from engine import FILL, load, slugs
from engine.table import ALL, EMPTY, Frozen
from vision.network import Families

AZUL = load("azul")
_spec = importlib.util.spec_from_file_location("live_table", Path(__file__).with_name("live_table.py"))
assert _spec
assert _spec.loader
live_table: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(live_table)


def states(side: str = "coloured", players: int = 2, seed: int = 5) -> list[Any]:
    """The states of a whole game, one for each move."""
    setup = AZUL.setup(side, players)
    return [AZUL.start(setup), *(step.state for step in simulate(AZUL, setup, Random(seed), 0.0, play_greedily))]


def looked(follower: Follower, state: Any) -> list[Outcome]:
    """What looks at a table come to, as many as are asked for."""
    outcomes = [follower.see(imagine(AZUL.table(state)))]
    while outcomes[-1].look_again:
        outcomes.append(follower.see(imagine(AZUL.table(state)), again=True))
    return outcomes


def moments(played: list[Any], phase: str) -> Iterator[int]:
    """The moves after which the game has come to a phase."""
    return (i for i in range(1, len(played)) if played[i].phase == phase != played[i - 1].phase)


def accusations(outcomes: list[Outcome]) -> list[str]:
    return [finding.violation.rule for outcome in outcomes for finding in (*outcome.findings, *outcome.scores)]


@pytest.mark.parametrize("side", AZUL.sides)
@pytest.mark.parametrize("players", AZUL.players)
def test_a_camera_that_was_covered_for_a_round_finds_the_game_again(side: str, players: int) -> None:
    played = states(side, players)
    first, second = islice(moments(played, "draft"), 1, 3)
    follower = Follower(AZUL, played[first + 1])
    looked(follower, played[first + 1])
    outcomes = looked(follower, played[second + 2])
    assert boards(AZUL, follower.state) == boards(AZUL, played[second + 2])
    assert accusations(outcomes) == []
    assert not any(outcome.question for outcome in outcomes)
    for seat, score in enumerate(played[second + 2].scores, 1):
        told = follower.open_scores.get(seat, {follower.state.scores[seat - 1]})
        assert min(told) <= score <= max(told)


def test_tiling_and_filling_between_two_looks_are_told() -> None:
    played = states()
    end = next(islice(moments(played, FILL), 1, 2))
    follower = Follower(AZUL, played[end - 1])
    looked(follower, played[end - 1])
    outcomes = looked(follower, played[end + 1])
    assert follower.state == played[end + 1], "the last take and the filling are told as moves"
    assert not any(outcome.bridge for outcome in outcomes)


def test_a_game_is_followed_from_the_middle_on() -> None:
    played = states(players=3)
    start = next(islice(moments(played, "draft"), 2, 3)) + 4
    follower = Follower(AZUL, played[0])
    outcomes = looked(follower, played[start])
    assert boards(AZUL, follower.state) == boards(AZUL, played[start])
    assert outcomes[-1].bridge
    assert accusations(outcomes) == []
    followed = [looked(follower, state) for state in played[start + 1 : start + 7]]
    assert boards(AZUL, follower.state) == boards(AZUL, played[start + 6])
    assert [rule for outcomes in followed for rule in accusations(outcomes)] == []


@pytest.mark.parametrize("order", [(2, 1, 3), (3, 1, 2)])
def test_boards_that_changed_places_are_told_by_what_lies_on_them(order: tuple[int, ...]) -> None:
    played = states(players=3)
    at = next(islice(moments(played, "draft"), 2, 3)) + 3
    follower = Follower(AZUL, played[at])
    looked(follower, played[at])
    table = AZUL.table(played[at])
    moved = tuple(part if part.seat == ALL else replace(part, seat=order[part.seat - 1]) for part in table.parts)
    parts = (moved[0], *sorted(moved[1:], key=lambda part: part.seat))
    outcome = follower.see(imagine(replace(table, parts=parts)))
    assert not outcome.is_news
    assert follower.state == played[at]


def test_a_game_that_went_on_while_the_power_was_off_is_found_again(tmp_path: Path, monkeypatch: Any) -> None:
    """Ten minutes of play without anybody logging it: the log is opened again and one look is enough."""
    played, told, networks = states(), list[Entry](), cast(Families, None)
    camera = live_table.BlankCamera(played[0])
    monkeypatch.setattr(companion.capture.session, "follow_picture", live_table.imagining(camera))
    with GameLog(tmp_path) as log:
        game = log.create(live_table.START)
        session = Session(camera, game, networks)
        live_table.watch(session)
        for state in played[1:9]:
            camera.show(state)
            live_table.watch(session)
        assert game.refresh().state == played[8]
    camera.show(played[36])
    with GameLog(tmp_path) as log:
        (game,) = log.games()
        live_table.watch(Session(camera, game, networks, told.append))
        folded = game.refresh()
        assert boards(AZUL, folded.state) == boards(AZUL, played[36])
        assert folded.bridges
        assert folded.breaches == ()
        lines = [line for entry in told for line in narrate_entry(live_table.START, folded, entry)]
        assert any("moves were missed" in line for line in lines)


MARKED = [slug for slug in slugs() if slug != "tide-pool"]
"""Editions whose every move leaves a mark; in the toy game tokens that are put away leave none, so gaps hide them."""


@pytest.mark.parametrize(("slug", "share"), [*((slug, 0.2) for slug in MARKED), ("azul", 0.5)])
def test_a_game_of_which_looks_are_left_out_is_followed_to_the_end(slug: str, share: float) -> None:
    plan = plan_of(91 if slug == "queens-garden" else 90, slug)
    verdict = rehearse_missing(plan, ImaginedTable(plan, None), share)
    assert verdict.to_the_end
    assert verdict.missed > 5
    assert (verdict.late, verdict.false) == (0, 0)
    assert verdict.inside == verdict.finals


@pytest.mark.parametrize("number", [91, 93])
def test_a_game_of_which_looks_are_left_out_in_runs_is_followed_to_the_end(number: int) -> None:
    plan = plan_of(number)
    verdict = rehearse_missing(plan, ImaginedTable(plan, None), 0.3)
    assert verdict.to_the_end
    assert verdict.missed > 5
    assert (verdict.late, verdict.false) == (0, 0)
    assert verdict.inside == verdict.finals


def test_a_cell_that_a_bridge_misread_is_set_right_by_the_next_look() -> None:
    played = states()
    at = next(islice(moments(played, "draft"), 2, 3)) + 2
    follower = Follower(AZUL, played[0])
    table = AZUL.table(played[at])
    part = table.part(1)
    cell = next(name for name, kind in part.cells.items() if kind != EMPTY and name.startswith("wall"))
    misread = replace(part, cells=Frozen({**part.cells, cell: EMPTY}))
    parts = tuple(misread if each.seat == 1 else each for each in table.parts)
    for again in (False, True, True):
        follower.see(imagine(replace(table, parts=parts)), again)
    assert AZUL.table(follower.state).part(1).cells[cell] == EMPTY
    outcome = follower.see(imagine(table))
    assert boards(AZUL, follower.state) == boards(AZUL, played[at])
    assert accusations([outcome]) == []


def with_wall_cell(state: Any, cell: str, kind: str) -> Any:
    """A state of which one cell of the first board holds something else."""
    return AZUL.correct(state, {cell: kind}, 1)


def a_tile_on_the_wall(state: Any) -> str:
    cells = AZUL.table(state).part(1).cells
    return next(name for name, kind in cells.items() if kind != EMPTY and name.startswith("wall"))


def test_a_tile_that_was_taken_off_a_wall_while_nobody_looked_is_gone_after_two_looks() -> None:
    played = states()
    at = next(islice(moments(played, "draft"), 2, 3)) + 2
    cell = a_tile_on_the_wall(played[at])
    follower = Follower(AZUL, played[at])
    looked(follower, played[at])
    later = [with_wall_cell(state, cell, EMPTY) for state in played[at + 9 : at + 11]]
    told = [rule for state in later for rule in accusations(looked(follower, state))]
    assert boards(AZUL, follower.state) == boards(AZUL, later[-1])
    assert told == []


def test_a_tile_that_looks_like_bare_print_all_the_time_outlasts_a_bridge() -> None:
    played = states()
    at = next(islice(moments(played, "draft"), 2, 3)) + 2
    cell = a_tile_on_the_wall(played[at])
    follower = Follower(AZUL, played[at])
    for state in (played[at], played[at + 9], played[at + 10]):
        looked(follower, with_wall_cell(state, cell, EMPTY))
        assert boards(AZUL, follower.state) == boards(AZUL, state)


def test_who_acted_when_somebody_seemed_to_have_passed_is_not_accused() -> None:
    """Seat 3 acts out of turn: nobody answers whether seat 2 had passed, and that it then acts proves it had not."""
    plan, told = plan_of(803, "queens-garden"), list[str]()
    follower = Follower(plan.edition, plan.edition.start(plan.setup))
    steps = list(islice(simulate(plan.edition, plan.setup, plan.rng, plan.mischief, play_well), 7))
    assert [step.violations[0].rule for step in steps if step.violations] == ["QG-TU-01"]
    for step in steps:
        again = False
        while True:
            outcome = follower.see(imagine(plan.edition.table(step.state)), again)
            told += accusations([outcome])
            again = outcome.look_again
            if not again:
                break
    assert [step.move.seat for step in steps].count(2) == 1
    assert "QG-PA-02" not in told
    assert follower.state.scores == steps[-1].state.scores, "what the pass would have cost is taken back"
    assert boards(plan.edition, follower.state) == boards(plan.edition, steps[-1].state)


@pytest.mark.parametrize(
    "slug", [slug for slug in slugs() if hasattr(load(slug).start(plan_of(0, slug).setup), "passed")]
)
def test_who_may_not_have_passed_is_kept_in_mind(slug: str) -> None:
    plan = plan_of(1, slug)
    steps = simulate(plan.edition, plan.setup, Random(5), 0.0, play_greedily)
    state = next(step.state for step in steps if step.state.seat and step.state.passed)
    now = Counted.of(plan.edition, state)
    other = now._replace(passed=now.passed[1:])
    found = list(counted_otherwise(plan.edition, state, {now: -1.0, other: -2.0}))
    assert [(Counted.of(plan.edition, story.state), story.weight) for story in found] == [(other, -2.0)]


@pytest.mark.parametrize("slug", slugs())
def test_a_look_costs_no_more_steps_than_are_allowed(slug: str, monkeypatch: Any) -> None:
    plan, tried = plan_of(2, slug), list[Any]()
    steps = list(islice(simulate(plan.edition, plan.setup, plan.rng, 0.0, play_greedily), 30))
    follower = Follower(plan.edition, steps[9].state)
    then = Story.then

    def counted(*given: Any, **named: Any) -> Story:
        tried.append(given)
        return then(*given, **named)

    monkeypatch.setattr(Story, "then", counted)
    monkeypatch.setattr(effort, "MOST_STEPS", 700)
    for again in (False, True, True):
        tried.clear()
        outcome = follower.see(imagine(plan.edition.table(steps[29].state)), again)
        assert len(tried) < 700 + OTHER_STEPS
        if not outcome.look_again:
            break
    assert boards(plan.edition, follower.state) == boards(plan.edition, steps[29].state)


OTHER_STEPS = 150
"""Steps that are no search: stories that go on as they were told, ways to count otherwise, corrections of a heap."""


def test_an_open_score_is_told_by_a_mark_that_was_moved_to_the_final_score() -> None:
    played = states()
    over = played[-1]
    first = final_of(AZUL, over)
    assert first
    assert first[1] != over.scores[0], "this game has a bonus"
    open_scores, score = OpenScores(AZUL), over.scores[0]
    open_scores.leave(over, {1: {score, score - 4, score + 4}})
    seen = Follower(AZUL, over).seat(imagine(with_final_marks(AZUL, over)))
    assert seen
    evidence = Evidence(seen, AZUL.layout)
    assert open_scores.settle(over, evidence) == {}
    assert open_scores.settle(over, evidence) == {1: score}


@pytest.mark.parametrize("slug", slugs())
def test_who_may_begin_instead_is_kept_in_mind(slug: str) -> None:
    edition = load(slug)
    start = edition.start(edition.setup(edition.sides[0], edition.players[0]))
    now = Counted.of(edition, start)
    other = now._replace(starter=2)
    found = list(counted_otherwise(edition, start, {now: -1.0, other: -2.0}))
    counts_it = bool(now.starter)
    assert [(Counted.of(edition, story.state), story.weight) for story in found] == [(other, -2.0)] * counts_it
