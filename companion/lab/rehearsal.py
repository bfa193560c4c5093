"""Games played at the simulated table and followed as real ones are; a person who knows the truth answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from companion.capture.session import Session
from companion.gamelog import Answer, Doubt, Game, GameLog, PhotoRead
from companion.lab.confusions import Confusions
from companion.lab.imagine import imagine
from companion.lab.play import play_greedily, play_well
from companion.lab.simulate import disc_numbers, simulate
from companion.lab.staging import stage_table
from companion.lab.trial import (
    Mispaid,
    TrialVerdict,
    as_seen,
    by_what_lies,
    final_of,
    judge,
    looks_alike,
    lying,
    meeting,
    played,
)
from companion.reconcile.live.disputes import Place
from companion.reconcile.live.follow import Follower, Known
from companion.reconcile.live.likelihood import SCORE
from companion.reconcile.live.marks import showing
from companion.reconcile.live.outcome import Outcome, Question, choice, parse_choice
from companion.reconcile.live.places import Places, Point
from companion.reconcile.live.story import enact
from engine import OVER, Edition, EngineError, Setup, Start, Table, load
from engine.moves import Correct
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.art import load_art
from hardware.tabletop.tiers import TIERS
from vision.gate import STILL
from vision.network import Families

MISCHIEF = 0.06
"""How often a rule is broken in the games with mischief, which are every third."""
MISSED_LOOK = 0.02
"""How often nobody looks between two moves."""
MOST_MOVES = 400
LOOKS_AT_THE_END = 3
"""So often the final scores are looked at."""


@dataclass(frozen=True)
class Plan:
    """A game to be rehearsed, all of it told by a number."""

    number: int
    edition: Edition[Any, Any]
    setup: Setup[Any]
    mischief: float

    @property
    def rng(self) -> Random:
        """Chance, the same at every call."""
        return Random(f"rehearsal {self.number}")


def plan_of(number: int, slug: str = "azul") -> Plan:
    """Two to four players on either side in turn; every third game with mischief."""
    edition = load(slug)
    sides, players = edition.sides, edition.players
    setup = edition.setup(sides[number % len(sides)], players[number // 2 % len(players)])
    return Plan(number, edition, setup, MISCHIEF if number % 3 == 2 else 0.0)


def rehearse_sightings(plan: Plan, confusions: Confusions) -> TrialVerdict:
    """Follow a game by sightings alone, disturbed as vision was measured to err."""
    edition, rng = plan.edition, plan.rng
    imagined = Imagined(plan, confusions)
    for step in simulate(edition, plan.setup, plan.rng, plan.mischief, play_well):
        if len(imagined.truth) >= MOST_MOVES or not imagined.play(step.move):
            break
        if rng.random() >= MISSED_LOOK or step.state.phase == OVER:
            imagined.look(step.state, rng)
        if step.state.phase == OVER:
            imagined.look_at_the_end(step.state, rng)
    imagined.judge_marks()
    return judge(edition, imagined.start, imagined.truth, imagined.followed, imagined.verdict)


class Imagined:
    """A table that is looked at without pictures, who follows it, and a person who knows what happened."""

    def __init__(self, plan: Plan, confusions: Confusions) -> None:
        self._edition, self._confusions = plan.edition, confusions
        self.start = plan.edition.start(plan.setup)
        self._follower = Follower(plan.edition, self.start)
        self.truth: list[Any] = []
        """What happened as far as a look can tell: marks that are moved wrongly are no moves."""
        self._state = self.start
        """Where that leads."""
        self.followed: list[Any] = []
        self.verdict = TrialVerdict()
        self._words: dict[Place, str] = {}
        self._mispaid: list[Mispaid] = []
        self._told: set[tuple[int, str]] = set()
        """What was said of marks: the seat and the rule."""

    def play(self, move: Any) -> bool:
        """Take in what happens; False where that cannot be told as a game with the marks moved rightly."""
        move, mispaid = as_seen(self._edition, self._state, move)
        try:
            self._state = self._edition.settle(self._edition.enact(self._state, move))
        except EngineError:
            return False
        self.truth.append(move)
        self._mispaid += [mispaid] if mispaid else []
        return True

    def look_at_the_end(self, state: Any, rng: Random) -> None:
        """Look at marks that were moved to the final scores, and stay there."""
        for _ in range(LOOKS_AT_THE_END):
            self.look(state, rng, with_final_marks(self._edition, state))

    def judge_marks(self) -> None:
        """Count the marks that were moved wrongly, and those of which that was said, with the rule."""
        for each in self._mispaid:
            self.verdict.breaches += 1
            if any((each.seat, rule) in self._told for rule in each.rules):
                self.verdict.named += 1
            else:
                self.verdict.notes.append(f"not said of a mark: seat {each.seat} {sorted(each.rules)}")

    def look(self, state: Any, rng: Random, shown: Table | None = None) -> None:
        """Look at what lies there, as often as is asked for."""
        table, again = shown or self._shown(state), False
        while True:
            sighting, started = imagine(table, rng, self._confusions), process_time()
            outcome = self._follower.see(sighting, again)
            self.verdict.seconds += process_time() - started
            self.verdict.looks += 1
            self._write(outcome, state)
            if outcome.question:
                self._answer(outcome.question, state)
            again = outcome.look_again
            if not again:
                return

    def _shown(self, state: Any) -> Table:
        return self._edition.table(state)

    def _write(self, outcome: Outcome, state: Any) -> None:
        found = (finding.violation for finding in outcome.scores)
        told = {(violation.seat, violation.rule) for violation in found}
        kept, right = state.scores, self._state.scores
        self.verdict.false_scores += sum(not seat or kept[seat - 1] == right[seat - 1] for seat, _ in told - self._told)
        self._told |= told
        self.followed = self.followed[: len(self.followed) - outcome.undone] + list(outcome.moves)

    def _answer(self, question: Question, state: Any) -> None:
        """What a person says, as text, played as the log would play it."""
        edition, verdict = self._edition, self.verdict
        verdict.doubts += 1
        moves: Sequence[Any] = ()
        if question.cell:
            text = lying(edition, self._state, question.seat)[question.cell]
            told = lying(edition, self._follower.state, question.seat)[question.cell]
            self._words[question.seat, question.cell] = text
            moves = [Correct(question.seat, ((question.cell, text),))] if text != told else []
        else:
            true, agreed = meeting(edition, self.start, self.truth, self.followed)
            verdict.mended += len(self.followed) - agreed
            self.followed = self.followed[:agreed]
            lying_px = [disc.centre_px for disc in imagine(self._shown(state)).discs]
            true_moves = _renumbered(edition, self.truth[true:], lying_px, self._follower.places)
            stands, truly = (played(edition, self.start, told) for told in (self.followed, self.truth[:true]))
            text = choice(edition, tuple(by_what_lies(edition, stands, truly, true_moves)))
            moves = parse_choice(edition, text)
        verdict.notes.append(f"asked {question.cell}: {', '.join(question.choices)}; true: {text}")
        try:
            moves = self._follower.playable(played(edition, self.start, self.followed), moves)
            stands = played(edition, self.start, [*self.followed, *moves])
            self.followed += moves
            verdict.returned += looks_alike(edition, stands, self._state)
        except EngineError as error:
            # It did not lead back; the game goes on from what is true, so that one mishap is not counted for ever.
            verdict.notes.append(f"the answer cannot be played: {error}")
            stands, self.followed, self._follower.places = self._state, list(self.truth), None
        words = {
            (seat, cell): said
            for (seat, cell), said in self._words.items()
            if lying(edition, stands, seat)[cell] == said
        }
        self._follower.agree(stands, Known(words=words))


def with_final_marks(edition: Edition[Any, Any], state: Any) -> Table:
    """The table at the end of a game with its marks at the final scores."""
    return showing(edition, edition.table(state), final_of(edition, state) or {})


def rehearse_pixels(
    plan: Plan, networks: Families, seen: Callable[[str], None] = lambda _: None, carries: bool = True
) -> TrialVerdict:
    """Follow a game through rendered pictures, the gate, the networks and the log.

    Without `carries` each look reads the whole table.
    """
    edition, verdict = plan.edition, TrialVerdict()
    start, started = edition.start(plan.setup), process_time()
    camera = camera_of(plan)
    with TemporaryDirectory() as folder, GameLog(Path(folder)) as log:
        game = log.create(Start(edition, plan.setup))
        session = Session(camera, game, networks, carries=carries)
        person = Person(game, session, camera, verdict)
        watch(session, camera)
        for step in simulate(edition, plan.setup, plan.rng, plan.mischief, play_greedily):
            person.truth.append(step.move)
            camera.show(step.stage, step.move.seat)
            watch(session, camera)
            while person.asked():
                watch(session, camera)
            seen(str(edition.describe(step.move)))
        folded = game.refresh()
        followed = _own_moves(folded.record_events(), edition, start)
        verdict.looks, verdict.false_scores = session.looks, len(_told_scores(game))
    verdict.seconds = process_time() - started
    return judge(edition, start, person.truth, followed, verdict)


FIRST_SEED = 960_000
"""Seeds from here on are kept out of training."""
PREVIEW_PX = 320


def camera_of(plan: Plan) -> SimulatedCamera:
    """The simulated camera over the table of a game that has not begun."""
    layout = plan.edition.layout
    stage = stage_table(plan.edition.table(plan.edition.start(plan.setup)), layout)
    seed, art = FIRST_SEED + plan.number, load_art(layout)
    return SimulatedCamera(stage, layout, art, TIERS["rig"], seed, PREVIEW_PX, repeats=True)


def watch(session: Session, camera: SimulatedCamera) -> None:
    """Let the camera look until nothing more happens."""
    while True:
        view = session.step()
        if camera.is_still and view == STILL and session.is_waiting:
            return


def _told_scores(game: Game) -> set[tuple[int, str]]:
    """The scores that were said to be kept wrongly; hands at the simulated table keep all of them right."""
    readings = (entry.event.reading for entry in game.entries() if isinstance(entry.event, PhotoRead))
    found = (each for reading in readings if reading for each in reading.get("violations", ()))
    return {(each["seat"], each["text"]) for each in found if each.get("since")}


def _own_moves(events: Sequence[Any], edition: Edition[Any, Any], start: Any) -> list[Any]:
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

    def __init__(self, game: Game, session: Session, camera: SimulatedCamera, verdict: TrialVerdict) -> None:
        self._game, self._session, self._camera, self._verdict = game, session, camera, verdict
        self.truth: list[Any] = []

    def asked(self) -> bool:
        """Answer what was asked, if anything."""
        doubts = self._game.refresh().doubts.values()
        for doubt in doubts:
            self._verdict.doubts += 1
            text = self._letter(doubt) if doubt.cell else self._set_right()
            self._verdict.notes.append(f"asked {doubt.cell}: {', '.join(doubt.reads)}; true: {text}")
            self._game.append(Answer(doubt.id, text), "person")
            self._session.step()
            stands = self._game.refresh().state
            edition, start = self._game.folded.edition, self._game.folded.start
            self._verdict.returned += looks_alike(edition, stands, played(edition, start, self.truth))
        return bool(doubts)

    def _letter(self, doubt: Doubt) -> str:
        """What really lies in a cell, or what somebody's score is."""
        folded = self._game.folded
        true = played(folded.edition, folded.start, self.truth)
        if doubt.cell == SCORE:
            return str(true.scores[doubt.seat - 1])
        return lying(folded.edition, true, doubt.seat)[doubt.cell]

    def _set_right(self) -> str:
        """What happened since the log was last right; where it went astray, that is undone first."""
        folded = self._game.folded
        logged = _own_moves(folded.record_events(), folded.edition, folded.start)
        true, agreed = meeting(folded.edition, folded.start, self.truth, logged)
        self._verdict.mended += len(logged) - agreed
        for _ in logged[agreed:]:
            self._game.undo(who="person")
        lying_px = self._camera.truth()[1].discs_px
        since = _renumbered(folded.edition, self.truth[true:], lying_px, self._session.follower.places)
        return choice(folded.edition, tuple(since))


def _renumbered(
    edition: Edition[Any, Any], truth: Sequence[Any], lying_px: Sequence[Point], places: Places | None
) -> list[Any]:
    """The true moves with discs by the numbers that they have in the log: those are told by where discs lie."""
    if places is None:
        return list(truth)
    numbers = disc_numbers(lying_px, places.discs)
    return [edition.renumbered(move, numbers) for move in truth]
