"""What a bridge missed, filled in by people: the moves that they remember, and how those are written into the log.

Nothing is written before all of it is told. Then the bridge is undone, the moves are recorded, what they do not explain
is bridged again, and what has happened since is recorded after them as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.capture.scribe import WHO
from companion.gamelog import (
    ACCEPTED,
    Allow,
    Answer,
    Bridged,
    BridgeEvent,
    Doubt,
    Entry,
    Event,
    Folded,
    GameLogError,
    Logged,
    Record,
    Undo,
    correction,
)
from companion.reconcile.live.bridge import told_missed
from companion.reconcile.live.choices import Spot
from companion.reconcile.live.outcome import event_of
from companion.reconcile.live.rest import rest_of, still_differs
from companion.scores import SCORE, Score, ledger, score_of
from engine import Edition, Fill, Step
from engine.moves import Correct
from engine.record import play_event
from engine.text import Text, say


@dataclass(frozen=True)
class Filling:
    """Moves that people remember of what a bridge missed, in one-line notation, and where they lead."""

    folded: Folded
    bridged: Bridged
    moves: tuple[str, ...] = ()

    @property
    def edition(self) -> Edition[Any, Any]:
        """What is played."""
        return self.folded.edition

    @cached_property
    def before(self) -> Any:
        """The state from which the bridge leads."""
        return next((step.state for step in reversed(self.folded.steps) if step.n < self.bridged.n), self.folded.start)

    @cached_property
    def wanted(self) -> Any:
        """The state to which the bridge leads: what lay on the table after it."""
        return next(step.state for step in self.folded.steps if step.n == self.bridged.records[-1])

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The moves, played; one that cannot have been played is refused."""
        state = self.before
        found: list[Step] = []
        for text in self.moves:
            event = self.edition.format_event(self.edition.parse_move(text))
            step = play_event(self.edition, state, len(found) + 1, event)
            if step.ends:
                why = tuple(violation.text for violation in step.violations)
                raise GameLogError(say("this event cannot have happened, so it was not logged: {why}", why=why))
            found.append(step)
            state = step.state
        return tuple(found)

    @property
    def state(self) -> Any:
        """Where the moves lead."""
        return self.steps[-1].state if self.steps else self.before

    @cached_property
    def differs(self) -> dict[Spot, str]:
        """What lies otherwise after the bridge, and what lies there."""
        return still_differs(self.edition, self.state, self.wanted)

    @property
    def is_complete(self) -> bool:
        """Whether the moves lead to what lay on the table; whose turn it is then, they know better than the bridge."""
        return not self.differs

    @property
    def missed(self) -> int:
        """How many moves are still missed, about."""
        return max(1, self.bridged.missed - sum(not isinstance(step.moves[0], Fill) for step in self.steps))

    @cached_property
    def rest(self) -> tuple[Correct, ...]:
        """Corrections of what the moves do not explain."""
        if self.is_complete:
            return ()
        open_ = {seat for seat, score in enumerate(self.track, 1) if not score.exact}
        asked = {doubt.seat for doubt in self.doubts}
        # A score that was open before the bridge stays as the moves leave it.
        seats = [seat for seat in self.folded.setup.seats if seat not in open_ or seat in asked]
        scores = {seat: self.track[seat - 1].value for seat in seats}
        wanted = {seat: self.wanted.scores[seat - 1] if score is None else score for seat, score in scores.items()}
        found = rest_of(self.edition, self.state, self.wanted, wanted, self._numbers, told_missed(self.missed))
        if found is None:
            raise GameLogError(
                say("what lay on the table cannot be reached from there: enter the other moves too, or take some back")
            )
        return found

    @cached_property
    def track(self) -> tuple[Score, ...]:
        """The scores right after the bridge, as far as they are known by now."""
        return ledger(self.folded).at(self.bridged.last).track

    @property
    def doubts(self) -> list[Doubt]:
        """The scores that the bridge leaves open, still."""
        asked = self.folded.bridge_doubts(self.bridged.n)
        return [doubt for n, doubt in asked.items() if n in self.folded.doubts and doubt.cell == SCORE]

    @property
    def _numbers(self) -> dict[str, str | int]:
        """What the bridge set besides pieces."""
        known = {*self.edition.table(self.wanted).common.heaps, *self.edition.table(self.wanted).common.cells}
        found: dict[str, str | int] = {}
        for step in self.folded.steps:
            if step.n in self.bridged.records and step.correction and not step.correction.seat:
                found |= {name: value for name, value in step.correction.cells if name not in known}
        return found


def filling_of(folded: Folded, n: int, moves: Sequence[str]) -> Filling:
    """The moves that people tell for the bridge at event n, if it still counts."""
    bridged = next((each for each in folded.bridges if each.n == n), None)
    if bridged is None:
        raise GameLogError(say("the bridge of event {n} does not count any more: it was undone or filled in", n=n))
    return Filling(folded, bridged, tuple(moves))


def events_of(filling: Filling, entries: Mapping[int, Entry], who: str) -> list[Logged]:
    """What is logged where a bridge is filled in, in one go."""
    return list(_Writing(filling, entries, who).events())


class _Writing:
    """Events that are written one after the other, with the numbers that they will have."""

    def __init__(self, filling: Filling, entries: Mapping[int, Entry], who: str) -> None:
        self._filling, self._folded, self._entries, self._who = filling, filling.folded, entries, who
        self._next = filling.folded.last + 1
        self._numbers: dict[int, int] = {}
        """For events that are written again, their old numbers and their new ones."""
        self._bridges = {bridged.n: bridged for bridged in self._folded.bridges}

    def events(self) -> Iterator[Logged]:
        """Undo, the moves, the rest, and what has happened since."""
        later = [n for n, _ in self._folded.standing() if n > self._filling.bridged.last and self._is_played_again(n)]
        for n in (*reversed(later), self._filling.bridged.n):
            # A bridge takes its corrections and its questions with it.
            if n not in self._folded.bridge_of:
                yield self._log(Undo(n), self._who)
        for step in self._filling.steps:
            event = Record(self._filling.edition.format_event(step.moves[0]))
            yield self._log(event, self._who, self._filling.bridged.after)
        yield from self._rest()
        for n in later:
            yield from self._again(n)
        yield from self._allowed()

    def _log(self, event: Event, who: str, photo: str | None = None) -> Logged:
        self._next += 1
        return Logged(event, who, photo)

    def _is_played_again(self, n: int) -> bool:
        """Whether an event after the bridge has to be written again; questions about moves are asked anew."""
        event = self._folded.events[n]
        if isinstance(event, Record):
            return n in self._folded.live
        return n in self._bridges or (isinstance(event, Doubt) and n in self._folded.doubts)

    def _rest(self) -> Iterator[Logged]:
        """A bridge over what the moves do not explain."""
        filling, n = self._filling, self._filling.bridged.n
        old = self._folded.events[n]
        if not filling.rest or not isinstance(old, BridgeEvent):
            return
        by = self._entries[n]
        self._numbers[n] = self._next
        yield self._log(replace(old, missed=filling.missed), by.who, by.photo)
        for correct in filling.rest:
            why = correct.why if isinstance(correct.why, Text) else None
            yield self._log(Record(event_of(filling.edition, correct), why), by.who, by.photo)
        for doubt in filling.doubts:
            yield self._log(self._asked(doubt), by.who, by.photo)

    def _asked(self, doubt: Doubt) -> Doubt:
        return replace(doubt, id=f"{WHO}-{self._next}-{doubt.seat}")

    def _again(self, n: int) -> Iterator[Logged]:
        """An event that has happened since, as it was."""
        event, by = self._folded.events[n], self._entries[n]
        if isinstance(event, Doubt):
            # Only open scores are left: the next look asks anew about moves and cells.
            if event.cell == SCORE:
                yield self._log(self._asked(event), by.who, by.photo)
            return
        self._numbers[n] = self._next
        yield self._log(event, by.who, by.photo)
        bridged = self._bridges.get(self._folded.bridge_of.get(n, 0))
        if bridged and n == bridged.records[-1]:
            yield from self._settled_scores(bridged)

    def _settled_scores(self, bridged: Bridged) -> Iterator[Logged]:
        """The scores that a bridge left open and that are known by now."""
        answers = {event.id: event.value for _, event in self._folded.standing() if isinstance(event, Answer)}
        for doubt in self._folded.bridge_doubts(bridged.n).values():
            score = score_of([answers.get(doubt.id, "")]) if doubt.cell == SCORE else None
            if score:
                yield self._log(correction({SCORE: score.low}, doubt.seat), self._entries[bridged.n].who, bridged.after)

    def _allowed(self) -> Iterator[Logged]:
        """What people let stand since, of events that are written again."""
        for n, event in self._folded.standing():
            if isinstance(event, Allow) and event.n in self._numbers and self._stays_allowed(event):
                yield self._log(replace(event, n=self._numbers[event.n]), self._entries[n].who)

    def _stays_allowed(self, allow: Allow) -> bool:
        """A bridge that was filled in is no longer the one that was accepted."""
        return not (allow.n == self._filling.bridged.n and allow.rule == ACCEPTED)
