"""Missed moves that people fill in: where these moves lead, and the events that replace a bridge by them.

Nothing is logged before the person saves. Then all of it is logged in one go: the bridge and everything after it are
undone, the moves are recorded, a smaller bridge covers what they do not explain, and what came later is recorded again.
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
from companion.ledger import ledger
from companion.reconcile.live.bridge import told_missed
from companion.reconcile.live.choices import Spot
from companion.reconcile.live.outcome import event_of
from companion.reconcile.live.rest import numbers_of, rest_of, still_differs
from companion.scores import SCORE, Score, score_of
from engine import Edition, Fill, Step
from engine.moves import Correct
from engine.record import play_event
from engine.text import Text, say


@dataclass(frozen=True)
class Filling:
    """The moves that a person has entered for one bridge, in one-line notation, and where they lead."""

    folded: Folded
    bridged: Bridged
    moves: tuple[str, ...] = ()

    @property
    def edition(self) -> Edition[Any, Any]:
        """The edition of the game."""
        return self.folded.edition

    @cached_property
    def before(self) -> Any:
        """The state before the bridge."""
        return next((step.state for step in reversed(self.folded.steps) if step.n < self.bridged.n), self.folded.start)

    @cached_property
    def wanted(self) -> Any:
        """The state after the bridge, which the camera saw."""
        return next(step.state for step in self.folded.steps if step.n == self.bridged.records[-1])

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The entered moves, played one after the other; raises an error for one that cannot be played."""
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
        """The state after the entered moves."""
        return self.steps[-1].state if self.steps else self.before

    @cached_property
    def differs(self) -> dict[Spot, str]:
        """The places that differ from the state after the bridge, each with what lies there in that state."""
        return still_differs(self.edition, self.state, self.wanted)

    @property
    def is_complete(self) -> bool:
        """Whether the moves lead to what lay on the table; whose turn it is may differ: bridges guess it."""
        return not self.differs

    @property
    def missed(self) -> int:
        """About how many moves are still missed."""
        return max(1, self.bridged.missed - sum(not isinstance(step.moves[0], Fill) for step in self.steps))

    @cached_property
    def rest(self) -> tuple[Correct, ...]:
        """The corrections that lead from the entered moves to the state after the bridge; none if nothing is left."""
        if self.is_complete and self._goes_on():
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
                say("these moves do not lead to what lay on the table: enter the other moves too, or take some back")
            )
        return found

    def _goes_on(self) -> bool:
        """Whether the later events can be played after the entered moves; a missing pass, for example, prevents it."""
        state = self.state
        later = (self.folded.events[step.n] for step in self.folded.steps if step.n > self.bridged.last)
        for n, event in enumerate(event for event in later if isinstance(event, Record)):
            step = play_event(self.edition, state, n, event.event)
            if step.ends:
                return False
            state = step.state
        return True

    @cached_property
    def track(self) -> tuple[Score, ...]:
        """Each seat's score after the bridge, exact or open, by what is known now."""
        return ledger(self.folded).at(self.bridged.last).track

    @property
    def doubts(self) -> list[Doubt]:
        """The questions about scores that the bridge asked and nobody has answered."""
        asked = self.folded.bridge_doubts(self.bridged.n)
        return [doubt for n, doubt in asked.items() if n in self.folded.doubts and doubt.cell == SCORE]

    @property
    def _numbers(self) -> dict[str, str | int]:
        """The phase, round, turn and other numbers that the bridge set."""
        records = (step for step in self.folded.steps if step.n in self.bridged.records)
        return numbers_of(self.edition, self.wanted, (step.correction for step in records if step.correction))


def filling_of(folded: Folded, n: int, moves: Sequence[str]) -> Filling:
    """The moves entered for the bridge at event n; raises an error if that bridge was undone or replaced."""
    bridged = next((each for each in folded.bridges if each.n == n), None)
    if bridged is None:
        raise GameLogError(say("these missed moves were undone or filled in meanwhile"))
    return Filling(folded, bridged, tuple(moves))


def events_of(filling: Filling, entries: Mapping[int, Entry], who: str) -> list[Logged]:
    """All events to log when a person saves the entered moves."""
    return list(_Writing(filling, entries, who).events())


class _Writing:
    """Makes the events to log, and knows the number that each of them will get."""

    def __init__(self, filling: Filling, entries: Mapping[int, Entry], who: str) -> None:
        self._filling, self._folded, self._entries, self._who = filling, filling.folded, entries, who
        self._next = filling.folded.last + 1
        self._numbers: dict[int, int] = {}
        """The new number of each event that is logged again, by its old one."""
        self._bridges = {bridged.n: bridged for bridged in self._folded.bridges}

    def events(self) -> Iterator[Logged]:
        """First the undos, then the moves, a bridge over the rest, and the later events again."""
        later = [n for n, _ in self._folded.standing() if n > self._filling.bridged.last and self._is_played_again(n)]
        for n in (*reversed(later), self._filling.bridged.n):
            # Undoing a bridge also undoes its corrections and questions.
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
        """Whether an event after the bridge is undone and logged again."""
        event = self._folded.events[n]
        if isinstance(event, Record):
            return n in self._folded.live
        return n in self._bridges or (isinstance(event, Doubt) and n in self._folded.doubts)

    def _rest(self) -> Iterator[Logged]:
        """A bridge over what the entered moves do not explain, if anything is left."""
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
        """A later event, logged again unchanged."""
        event, by = self._folded.events[n], self._entries[n]
        if isinstance(event, Doubt):
            # Only questions about scores: the next look asks again about moves and cells.
            if event.cell == SCORE:
                yield self._log(self._asked(event), by.who, by.photo)
            return
        self._numbers[n] = self._next
        yield self._log(event, by.who, by.photo)
        bridged = self._bridges.get(self._folded.bridge_of.get(n, 0))
        if bridged and n == bridged.records[-1]:
            yield from self._settled_scores(bridged)

    def _settled_scores(self, bridged: Bridged) -> Iterator[Logged]:
        """Corrections to the scores that a later bridge left open and that were answered since."""
        answers = {event.id: event.value for _, event in self._folded.standing() if isinstance(event, Answer)}
        for doubt in self._folded.bridge_doubts(bridged.n).values():
            score = score_of([answers.get(doubt.id, "")]) if doubt.cell == SCORE else None
            if score:
                yield self._log(correction({SCORE: score.low}, doubt.seat), self._entries[bridged.n].who, bridged.after)

    def _allowed(self) -> Iterator[Logged]:
        """The broken rules and bridges that people accepted, for the events that are logged again."""
        for n, event in self._folded.standing():
            if isinstance(event, Allow) and event.n in self._numbers and self._stays_allowed(event):
                yield self._log(replace(event, n=self._numbers[event.n]), self._entries[n].who)

    def _stays_allowed(self, allow: Allow) -> bool:
        """Whether an acceptance still holds: that of the bridge which is filled in does not."""
        return not (allow.n == self._filling.bridged.n and allow.rule == ACCEPTED)
