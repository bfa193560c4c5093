"""The demonstration: simulated players at a simulated table, one game after the other, before a simulated camera.

The camera, the gate, the networks, the follower and the log are the ones of a real table. Each game has one staged
breach, which the players take back, and one staged question, which they answer; both wait for people first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.capture.cameras import Window, newest
from companion.capture.scribe import Told
from companion.capture.session import Session, logged_places
from companion.dashboard.site import Site
from companion.gamelog import Answer, Doubt, Entry, Game, Record, Redo, Undo
from companion.lab.play import play_greedily
from companion.lab.simulate import disc_numbers, mischievous
from companion.lab.staging import stage_table
from companion.lab.trial import looks_alike
from companion.ledger import standing
from companion.reconcile.live.outcome import choice
from companion.terminal import player, told_final
from engine import OVER, Edition, Start
from engine.violations import RECORD
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.art import load_art
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS
from vision.gate import STILL
from vision.network import Families

STEP_S = 0.2
"""From one preview to the next while the players wait."""
BREACH_AFTER = 4
"""The staged breach comes after this many moves, as soon as a simple one is possible."""
QUESTION_AFTER = 16
"""The staged question comes after this many moves, as soon as a tile has lain on a board for a whole round."""
GAMES_KEPT = 5
"""The log keeps this many games of one demonstration; older ones are deleted, since photos fill the disk."""
LOST_AFTER = 3
"""After this many moves that the log does not tell, the players lay the table as the log has it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the simulated players are, in seconds."""

    move_s: float = 4.0
    """From one move to the next."""
    patience_s: float = 20.0
    """How long they wait for somebody to settle a breach or a question."""
    end_s: float = 25.0
    """How long the end of a game is shown."""

    def faster(self, speed: float) -> Pace:
        """The same pace, this many times as fast."""
        return Pace(self.move_s / speed, self.patience_s / speed, self.end_s / speed)


class SimulatedTable:
    """The simulated table of one game and its camera; each disc has the place that its number has in the log."""

    def __init__(self, game: Game, seed: int) -> None:
        self._edition, layout = game.start.edition, game.start.edition.layout
        stage = stage_table(self._edition.table(game.folded.state), layout)
        self.camera = SimulatedCamera(stage, layout, load_art(layout), TIERS["rig"], seed, repeats=True)
        self._lying_px = self.camera.truth()[1].discs_px
        places = logged_places(game)
        self.places = places.discs if places else dict(enumerate(self._lying_px, 1))
        self.show(game.folded.state, 0)

    def show(self, state: Any, seat: int, missing: tuple[int, str] | None = None) -> None:
        """Let the hand of a seat change the table into this state; seat 0 changes it while nobody looks.

        `missing` names a seat and a cell whose tile has slipped off the board.
        """
        self.camera.show(self.stage(state, missing), seat)

    def stage(self, state: Any, missing: tuple[int, str] | None = None) -> Stage:
        """What lies on the table in a state."""
        stage = stage_table(self._edition.table(state), self._edition.layout)
        ring = self._edition.layout.numbered_heap
        if ring and ring.counts:
            numbers = disc_numbers(self._lying_px, self.places)
            stage = replace(stage, discs=tuple(stage.discs[numbers[i] - 1] for i in sorted(numbers)))
        if missing is None:
            return stage
        seat, cell = missing
        board = {name: kind for name, kind in stage.boards[seat].items() if name != cell}
        return replace(stage, boards={**stage.boards, seat: board})

    def settle(self, session: Session) -> None:
        """Let the camera look until nothing more happens."""
        while session.step() != STILL or not self.camera.is_still or not session.is_waiting:
            pass


class Demonstration:
    """Plays game after game until it is stopped; a game that somebody begins on the dashboard is played next."""

    def __init__(
        self,
        site: Site,
        networks: Families,
        pace: Pace,
        mischief: float,
        teller: Callable[[Game], Told],
        say: Callable[[str], None],
    ) -> None:
        self._site, self._networks, self._pace, self._mischief = site, networks, pace, mischief
        self._teller, self._say = teller, say
        self._own: list[str] = []

    def run(self, game: Game, seed: int, stop: threading.Event) -> None:
        """Play this game, and then others like it."""
        start = game.start
        self._own.append(game.id)
        while not stop.is_set():
            play = _Play(self._site, game, seed, self._networks, self._pace, self._mischief, self._teller(game), stop)
            play.run()
            if game.refresh().state.phase == OVER:
                for line in told_final(game.start, game.folded.state, standing(game.folded)):
                    self._say(line)
                play.wait(self._pace.end_s, self._begun)
            seed += 1
            game = self._begun() or self._next(start, seed)
            self._say(f"\ngame {game.id}")

    def _begun(self) -> Game | None:
        """The newest game, if it waits for the simulated table."""
        return newest(self._site.log, self._site.phone.game)

    def _next(self, start: Start, seed: int) -> Game:
        """The next game of the demonstration; who begins goes round the table."""
        setup = replace(start.setup, first=1 + seed % start.setup.players)
        game = self._site.log.create(replace(start, setup=setup))
        self._site.watcher.poke()
        self._own.append(game.id)
        while len(self._own) > GAMES_KEPT:
            self._site.forget(self._own.pop(0))
        return game


class _Play:
    """One game of the demonstration. The players go by the log: what people correct there changes the table."""

    def __init__(
        self,
        site: Site,
        game: Game,
        seed: int,
        networks: Families,
        pace: Pace,
        mischief: float,
        told: Told,
        stop: threading.Event,
    ) -> None:
        self._site, self._game, self._pace, self._mischief, self._told = site, game, pace, mischief, told
        self._stop, self._edition = stop, game.start.edition
        game.refresh()
        self._rng = Random(f"{seed} {game.folded.last}")
        self._table = SimulatedTable(game, seed)
        site.simulated = game.id
        site.window = Window(self._table.camera)
        self._session = Session(site.window, game, networks, told, 0.0)
        site.window.follow(game.id, self._session)
        self._pending: list[Any] = []
        """The moves on the table that the log does not tell yet."""
        self._lain: dict[tuple[int, str], str] = {}
        """The tiles that lay on boards when the round began."""
        self._missing: tuple[int, str] | None = None
        self._staged = {"breach": False, "question": False}

    def run(self) -> None:
        """Play until the game is over, somebody begins another one, or the demonstration is stopped."""
        self._table.settle(self._session)
        state = self._game.refresh().state
        while state.phase != OVER and not self._is_left():
            state = self._turn(state)
            self.wait(self._pace.move_s, self._is_left)

    def wait(self, seconds: float, until: Callable[[], object] = lambda: False) -> None:
        """Let time pass while the camera goes on to look."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and not until() and not self._stop.wait(min(STEP_S, seconds)):
            self._session.step()

    def _is_left(self) -> bool:
        begun = newest(self._site.log, self._site.phone.game)
        return self._stop.is_set() or begun is None or begun.id != self._game.id

    def _turn(self, state: Any) -> Any:
        """One move before the camera; the state to go on from."""
        since, move = self._game.folded.last, self._choose(state)
        lying = self._edition.settle(self._edition.enact(state, move))
        self._pending.append(move)
        self._show(lying, move.seat)
        if self._game.refresh().doubts:
            self._be_asked(lying)
        if self._open_breaches() and self._is_taken_back(state):
            lying = state
        return self._stands(lying, since)

    def _choose(self, state: Any) -> Any:
        edition, moves = self._edition, len(self._game.folded.steps)
        if edition.awaits_chance(state):
            self._lain = dict(self._tiles(state))
            return edition.deal(state, self._rng.sample)
        if not self._staged["question"] and moves >= QUESTION_AFTER:
            self._stage_question(state)
        if not self._staged["breach"] and moves >= BREACH_AFTER and (wrong := simple_breaches(edition, state)):
            self._staged["breach"] = True
            return self._rng.choice(wrong)
        if self._mischief and self._rng.random() < self._mischief:
            return mischievous(edition, state, self._rng)
        return play_greedily(edition, state, self._rng)

    def _show(self, state: Any, seat: int) -> None:
        if self._session.follower.places:
            self._table.places = self._session.follower.places.discs
        self._table.show(state, seat, self._missing)
        self._table.settle(self._session)

    def _tiles(self, state: Any) -> Iterator[tuple[tuple[int, str], str]]:
        """Every tile in a cell of a board."""
        for seat, board in self._table.stage(state).boards.items():
            yield from (((seat, cell), kind) for cell, kind in board.items() if kind in self._edition.letters)

    def _stage_question(self, state: Any) -> None:
        """Let a tile slip off a board, one that no move of this round can have touched."""
        lying = sorted(place for place, kind in self._tiles(state) if self._lain.get(place) == kind)
        if lying:
            self._missing = self._rng.choice(lying)
            self._staged["question"] = True

    def _be_asked(self, state: Any) -> None:
        """Wait for somebody's answer, then answer as the player does who knows it, and put a tile back that slipped."""
        asked = list(self._game.folded.doubts.values())
        self.wait(self._pace.patience_s, lambda: not self._game.refresh().doubts or self._is_left())
        for doubt in asked:
            if doubt in self._game.refresh().doubts.values():
                self._answer(doubt, state)
        if self._missing in {(doubt.seat, doubt.cell) for doubt in asked}:
            self._missing = None
        self._table.settle(self._session)

    def _answer(self, doubt: Doubt, state: Any) -> None:
        if doubt.cell:
            value = dict(self._tiles(state)).get((doubt.seat, doubt.cell), ".")
        else:
            value = choice(self._edition, tuple(self._pending))
        who = player(self._game.start, doubt.seat or max(self._game.folded.state.seat, 1))
        self._tell(self._game.append(Answer(doubt.id, value), who))

    def _tell(self, entry: Entry) -> None:
        self._game.refresh()
        self._told(entry)

    def _open_breaches(self) -> bool:
        return any(not breach.allowed for breach in self._game.refresh().breaches)

    def _is_taken_back(self, before: Any) -> bool:
        """Wait for somebody to allow or undo the breach; else take the move back on the table."""
        self.wait(self._pace.patience_s, lambda: not self._open_breaches() or self._is_left())
        if not self._open_breaches() or self._is_left():
            return False
        breach = next(breach for breach in self._game.folded.breaches if not breach.allowed)
        self._show(before, breach.violation.seat)
        if self._open_breaches():
            # The camera did not see it being taken back, so the player says so.
            self._tell(self._game.undo(breach.n, player(self._game.start, max(breach.violation.seat, 1))))
            self._table.settle(self._session)
        return True

    def _stands(self, lying: Any, since: int) -> Any:
        """The state to go on from: the log's, or what lies on the table while the log waits for the next look."""
        logged = self._game.refresh().state
        if not looks_alike(self._edition, logged, lying):
            if self._is_silent(since) and len(self._pending) <= LOST_AFTER:
                return lying
            self._show(logged, 0)
        self._pending = []
        return logged

    def _is_silent(self, since: int) -> bool:
        """Whether nothing was logged since this event that changes where the game stands."""
        folded = self._game.folded
        later = (event for n, event in folded.events.items() if n > since)
        return not any(
            isinstance(event, Record | Redo)
            or (isinstance(event, Undo) and not isinstance(folded.events.get(event.n), Doubt))
            for event in later
        )


def simple_breaches(edition: Edition[Any, Any], state: Any) -> list[Any]:
    """The moves that break exactly one rule, in a cell, by what is done and not by a slip of the hand."""
    found = []
    for move in edition.pseudo_moves(state):
        broken = [] if getattr(move, "slips", ()) else edition.violations(state, move)
        if len(broken) == 1 and broken[0].cell and broken[0].rule != RECORD:
            found.append(move)
    return found
