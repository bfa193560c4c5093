"""Games played at the simulated table and followed as real ones are; a person who knows the truth answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import dist
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from companion.confusions import Confusions
from companion.gamelog import Answer, Game, GameLog
from companion.imagine import imagine
from companion.live import Session
from companion.play import play_greedily
from companion.reconcile.follow import Follower
from companion.reconcile.outcome import choice
from companion.reconcile.places import Places
from companion.reconcile.story import enact
from companion.simulate import simulate
from companion.staging import stage_table
from companion.trial import Verdict, judge, same
from engine import Edition, Setup, Start, load
from engine.moves import Correct, Fill
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.art import load_art
from hardware.tabletop.tiers import TIERS
from vision.gate import STILL
from vision.network import Models

MISCHIEF = 0.06
"""How often a rule is broken in the games with mischief, which are every third."""
MISSED_LOOK = 0.02
"""How often nobody looks between two moves."""
MOST_MOVES = 400


@dataclass(frozen=True)
class Plan:
    """A game to be rehearsed, all of it told by a number."""

    number: int
    edition: Edition[Any, Any, Any]
    setup: Setup[Any]
    mischief: float

    @property
    def rng(self) -> Random:
        """Chance, the same at every call."""
        return Random(f"rehearsal {self.number}")


def plan_of(number: int, slug: str = "azul") -> Plan:
    """Two to four players on either side in turn; every third game with mischief."""
    edition = load(slug)
    setup = edition.setup(edition.sides[number % 2], 2 + number // 2 % 3)
    return Plan(number, edition, setup, MISCHIEF if number % 3 == 2 else 0.0)


def rehearse_sightings(plan: Plan, confusions: Confusions) -> Verdict:
    """Follow a game by sightings alone, disturbed as vision was measured to err."""
    edition, rng, verdict = plan.edition, plan.rng, Verdict()
    start = edition.start(plan.setup)
    follower = Follower(edition, start)
    truth: list[Any] = []
    followed: list[Any] = []
    state = start
    for step in simulate(edition, plan.setup, plan.rng, plan.mischief, play_greedily):
        truth.append(step.move)
        state = step.state
        if len(truth) > MOST_MOVES:
            break
        if rng.random() < MISSED_LOOK and state.phase != "over":
            continue
        table, again = edition.format_table(edition.position(state)), False
        while True:
            sighting, started = imagine(table, rng, confusions), process_time()
            outcome = follower.see(sighting, again)
            verdict.seconds += process_time() - started
            verdict.looks += 1
            verdict.false_scores += len(outcome.scores)
            followed = followed[: len(followed) - outcome.undone] + list(outcome.moves)
            if outcome.question:
                verdict.doubts += 1
                verdict.notes.append(
                    f"asked after {choice(edition, (step.move,))}: {', '.join(outcome.question.choices)}"
                )
                followed = list(truth)
                follower.agree(state)
                verdict.returned += 1
            again = outcome.look_again
            if not again:
                break
    return judge(edition, start, truth, followed, verdict)


def rehearse_pixels(plan: Plan, networks: Models, seen: Callable[[str], None] = lambda _: None) -> Verdict:
    """Follow a game through rendered pictures, the gate, the networks and the log."""
    edition, verdict = plan.edition, Verdict()
    start, started = edition.start(plan.setup), process_time()
    layout = edition.layout
    stage = stage_table(edition.format_table(edition.position(start)), layout)
    seed, art = FIRST_SEED + plan.number, load_art(layout)
    camera = SimulatedCamera(stage, layout, art, TIERS["rig"], seed, PREVIEW_PX, repeats=True)
    with TemporaryDirectory() as folder, GameLog(Path(folder)) as log:
        game = log.create(Start(edition, plan.setup))
        session = Session(camera, game, networks)
        person = Person(game, session, camera, verdict)
        person.watch()
        for step in simulate(edition, plan.setup, plan.rng, plan.mischief, play_greedily):
            person.truth.append(step.move)
            camera.show(step.stage, step.move.seat)
            person.watch()
            if person.asked():
                person.watch()
            seen(str(edition.describe(step.move)))
        folded = game.refresh()
        followed = _own_moves(folded.record_events(), edition, start)
    verdict.seconds = process_time() - started
    return judge(edition, start, person.truth, followed, verdict)


FIRST_SEED = 960_000
"""Seeds from here on are kept out of training."""
PREVIEW_PX = 320


def _own_moves(events: Sequence[Any], edition: Edition[Any, Any, Any], start: Any) -> list[Any]:
    """The moves of a record's events; corrections are no moves but change the state."""
    state, moves = start, []
    for event in events:
        if event["event"] == "correct":
            move: Any = Correct(event["seat"], tuple(event["cells"].items()))
        else:
            move = edition.parse_event(state, event)
        moves.append(move)
        state = edition.settle(enact(edition, state, move))
    return moves


class Person:
    """Somebody at the table who knows what happened, and is asked now and then."""

    def __init__(self, game: Game, session: Session, camera: SimulatedCamera, verdict: Verdict) -> None:
        self._game, self._session, self._camera, self._verdict = game, session, camera, verdict
        self.truth: list[Any] = []

    def watch(self) -> None:
        """Let the camera look until nothing more happens."""
        while True:
            view = self._session.step()
            if self._camera.is_still and view == STILL and self._session.is_waiting:
                return

    def asked(self) -> bool:
        """Answer what was asked, if anything; where the log went astray, set it right first."""
        folded = self._game.refresh()
        if not folded.doubts:
            return False
        edition, start = folded.edition, folded.start
        truth = _renumbered(self.truth, self._camera, self._session.follower.places)
        logged = _own_moves(folded.record_events(), edition, start)
        agreed = same(edition, start, truth, logged)
        for _ in logged[agreed:]:
            self._game.undo(who="person")
        doubt = next(reversed(folded.doubts.values()))
        self._verdict.doubts += 1
        self._verdict.notes.append(f"asked: {', '.join(doubt.reads)}; true: {choice(edition, tuple(truth[agreed:]))}")
        self._game.append(Answer(doubt.id, choice(edition, tuple(truth[agreed:]))), "person")
        self._session.step()
        logged = _own_moves(self._game.refresh().record_events(), edition, start)
        self._verdict.returned += same(edition, start, truth, logged) == len(truth) == len(logged)
        return True


def _renumbered(truth: Sequence[Any], camera: SimulatedCamera, places: Places | None) -> list[Any]:
    """The true moves with discs by the numbers that they have in the log: those are told by where discs lie."""
    if places is None or not places.discs:
        return list(truth)
    lying = camera.truth()[1].discs_px
    number = {i: min(places.discs, key=lambda name: dist(places.discs[name], spot)) for i, spot in enumerate(lying, 1)}
    moves = []
    for move in truth:
        if isinstance(move, Fill):
            discs = dict(zip(number.values(), move.factories, strict=False))
            moves.append(Fill(tuple(discs.get(i, "") for i in range(1, len(move.factories) + 1))))
        elif getattr(move, "source", 0):
            slips = tuple(replace(s, at=number[s.at]) if s.kind == "extra" and s.at else s for s in move.slips)
            moves.append(replace(move, source=number[move.source], slips=slips))
        else:
            moves.append(move)
    return moves
