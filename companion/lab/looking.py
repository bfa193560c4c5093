"""Simulated tables that are looked at, without pictures or through rendered ones, and what is told of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from companion.capture.session import Session
from companion.gamelog import BridgeEvent, Doubt, Entry, Game, GameLog, PhotoRead
from companion.lab.confusions import Confusions
from companion.lab.imagine import imagine
from companion.lab.rehearsal import LOOKS_AT_THE_END, Plan, camera_of, watch, with_final_marks
from companion.lab.simulate import Played
from companion.lab.staging import stage_table
from companion.ledger import standing
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.outcome import Outcome
from companion.reconcile.live.places import Seen
from companion.scores import SCORE
from engine import Edition, Start, Table
from engine.table import UNSEEN
from hardware.cameras.simulated import SimulatedCamera
from vision.network import Families

SURE = 0.5
"""Loose pieces less sure than this do not count as read."""


@dataclass(frozen=True)
class SaidOfLook:
    """What was told after looking at one moment of a game."""

    accused: frozenset[tuple[int, str]] = frozenset()
    """Seats, each with a rule that it is said to have broken."""
    marks: frozenset[tuple[int, str]] = frozenset()
    """The same of marks that stand wrongly, which goes on to be said as long as they do."""
    bridges: int = 0
    questions: int = 0


class LookedAt(Protocol):
    """A table that is looked at, and the game as it was followed."""

    def look(self, step: Played) -> SaidOfLook:
        """Look at what lies there after a move, as often as is asked for."""

    def look_at_the_end(self, step: Played) -> None:
        """Look at marks that were moved to the final scores, and stay there."""

    @property
    def state(self) -> Any:
        """Where the followed game stands."""

    @property
    def scores(self) -> list[tuple[int, int]]:
        """The least and the most that each seat's score can be."""

    @property
    def seen(self) -> Seen | None:
        """What was read at the last look."""


class ImaginedTable:
    """A table that is looked at without pictures: sightings, disturbed as vision was measured to err."""

    def __init__(self, plan: Plan, confusions: Confusions | None) -> None:
        self._edition, self._rng, self._confusions = plan.edition, plan.rng, confusions
        self._follower = Follower(plan.edition, plan.edition.start(plan.setup))

    def look(self, step: Played) -> SaidOfLook:
        """Look at what lies there after a move, as often as is asked for."""
        return _told_by(self._outcomes(self._edition.table(step.state)))

    def look_at_the_end(self, step: Played) -> None:
        """Look at marks that were moved to the final scores, and stay there."""
        table = with_final_marks(self._edition, step.state)
        for _ in range(LOOKS_AT_THE_END):
            _told_by(self._outcomes(table))

    def _outcomes(self, table: Table) -> Iterator[Outcome]:
        again = False
        while True:
            outcome = self._follower.see(imagine(table, self._rng, self._confusions), again)
            yield outcome
            again = outcome.look_again
            if not again:
                return

    @property
    def state(self) -> Any:
        """Where the followed game stands."""
        return self._follower.state

    @property
    def scores(self) -> list[tuple[int, int]]:
        """The least and the most that each seat's score can be."""
        open_ = self._follower.open_scores
        told = (open_.get(seat, {score}) for seat, score in enumerate(self.state.scores, 1))
        return [(min(each), max(each)) for each in told]

    @property
    def seen(self) -> Seen | None:
        """What was read at the last look."""
        return self._follower.seen


class PhotographedTable:
    """A table that is looked at through rendered pictures, the gate, the networks and the log."""

    def __init__(self, camera: SimulatedCamera, game: Game, networks: Families) -> None:
        self._camera, self._game = camera, game
        self._entries: list[Entry] = []
        self._session = Session(camera, game, networks, self._entries.append)

    def look(self, step: Played) -> SaidOfLook:
        """Show what lies there after a move, and look until nothing more happens."""
        self._entries.clear()
        self._camera.show(step.stage, step.move.seat)
        watch(self._session, self._camera)
        return _logged(self._entries)

    def look_at_the_end(self, step: Played) -> None:
        """Show marks that were moved to the final scores, and look until nothing more happens."""
        edition = self._game.folded.edition
        stage = stage_table(with_final_marks(edition, step.state), edition.layout)
        for _ in range(LOOKS_AT_THE_END):
            self._camera.show(stage, step.move.seat)
            watch(self._session, self._camera)

    @property
    def state(self) -> Any:
        """Where the logged game stands."""
        return self._game.refresh().state

    @property
    def scores(self) -> list[tuple[int, int]]:
        """The least and the most that each seat's score can be."""
        return [(score.low, score.high) for score in standing(self._game.refresh()).track]

    @property
    def seen(self) -> Seen | None:
        """What was read at the last look."""
        return self._session.follower.seen


@contextmanager
def photographed(plan: Plan, networks: Families) -> Iterator[PhotographedTable]:
    """A table before the simulated camera, with a game log of its own that is thrown away."""
    with TemporaryDirectory() as folder, GameLog(Path(folder)) as log:
        game = log.create(Start(plan.edition, plan.setup))
        yield PhotographedTable(camera_of(plan), game, networks)


def _told_by(looks: Iterable[Outcome]) -> SaidOfLook:
    """What outcomes of looks tell."""
    outcomes = list(looks)
    accused, marks = (
        frozenset((each.violation.seat, each.violation.rule) for outcome in outcomes for each in getattr(outcome, name))
        for name in ("findings", "scores")
    )
    bridges = sum(outcome.bridge is not None for outcome in outcomes)
    return SaidOfLook(accused, marks, bridges, sum(outcome.question is not None for outcome in outcomes))


def _logged(entries: Iterable[Entry]) -> SaidOfLook:
    """What entries of a log tell; a score that a bridge leaves open is no question to people at the table."""
    events = [entry.event for entry in entries]
    readings = (event.reading for event in events if isinstance(event, PhotoRead) and event.reading)
    broken = [each for reading in readings for each in reading.get("violations", ())]
    accused, marks = (
        frozenset((each["seat"], each["rule"]) for each in broken if bool(each.get("since")) == lasting)
        for lasting in (False, True)
    )
    questions = sum(isinstance(event, Doubt) and event.cell != SCORE for event in events)
    return SaidOfLook(accused, marks, sum(isinstance(event, BridgeEvent) for event in events), questions)


def misread(edition: Edition[Any, Any], seen: Seen | None, true: Table) -> list[str]:
    """Where the likeliest reading of a look is not what lay there, as what was read and what lay there."""
    if seen is None:
        return ["not every board was found"]
    return [*_misread_cells(seen, true), *_misread_pieces(edition, seen, true)]


def _misread_cells(seen: Seen, true: Table) -> Iterator[str]:
    for surface in seen.surfaces:
        lying = true.part(surface.seat).cells
        for name, reads in surface.cells.items():
            read, kind = max(reads, key=reads.__getitem__), lying.get(name, UNSEEN)
            if UNSEEN not in (read, kind) and read != kind:
                yield f"{surface.seat} {name} {read}/{kind}"


def _misread_pieces(edition: Edition[Any, Any], seen: Seen, true: Table) -> Iterator[str]:
    """Loose pieces of all discs and the middle together: which disc has which number is not compared."""
    names = {heap.name for heap in edition.layout.heaps if not heap.each}
    heaps = (kinds for name, kinds in true.common.heaps.items() if name.partition(".")[0] in names)
    lying = Counter(kind for kinds in heaps for kind in kinds)
    read = Counter(max(tile.reads, key=tile.reads.__getitem__) for tile in seen.tiles if tile.sure >= SURE)
    if read != lying:
        came, missing = ("".join(sorted((a - b).elements())) or "-" for a, b in ((read, lying), (lying, read)))
        yield f"loose pieces {came}/{missing}"
