"""The state of a game: its log, folded through the engine.

Undoing an event hides that event alone (a bridge with all that it consists of), and what came after it is played anew
from there. What cannot be played any
more is *stranded*: it is kept and told, and plays again once what it needs is redone. Nothing is ever dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion.gamelog.doubted import sure_of_move
from companion.gamelog.errors import GameLogError
from companion.gamelog.events import (
    Allow,
    Answer,
    BridgeEvent,
    Doubt,
    Entry,
    Event,
    PhotoRead,
    Proposal,
    Record,
    Redo,
    Title,
    Undo,
)
from engine import Edition, Setup, Step, Violation
from engine.record import play_event
from engine.text import Text, say


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that event n broke, and whether the people at the table let it stand."""

    n: int
    violation: Violation
    allowed: bool


@dataclass(frozen=True, slots=True)
class Bridged:
    """A bridge that counts: its event, the corrections that it consists of, and the photos before and after."""

    n: int
    missed: int
    """How many moves were missed, about."""
    records: tuple[int, ...]
    before: str | None
    after: str | None
    accepted: bool
    """Whether somebody at the table let the position stand."""
    last: int
    """Its last event: a correction, or the question about a score that it leaves open."""


ACCEPTED = "bridge"
"""What is allowed where people let a bridge stand, in place of a rule."""


@dataclass(frozen=True)
class Folded:
    """A game as its log tells it; event numbers are the log's."""

    edition: Edition[Any, Any]
    setup: Setup[Any]
    start: Any
    """The state before the first event."""
    last: int = 0
    """The number of the last event."""
    events: Mapping[int, Event] = field(default_factory=dict)
    """Every event by its number; photos without their readings, which nothing here needs."""
    photos: Mapping[int, str] = field(default_factory=dict)
    """The sha256 of the photo that an event belongs to, by the event's number."""
    undone: frozenset[int] = frozenset()
    steps: tuple[Step, ...] = ()
    """The live record events, played."""
    stranded: tuple[Step, ...] = ()
    """The record events that cannot be played since something before them was undone, and why."""

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.steps[-1].state if self.steps else self.start

    @property
    def live(self) -> tuple[int, ...]:
        """The numbers of the record events that count."""
        return tuple(step.n for step in self.steps)

    @cached_property
    def breaches(self) -> tuple[Breach, ...]:
        """Every rule broken by an event that counts, without those that rest on a cell that is asked about."""
        allowed = {(event.n, event.rule) for _, event in self.standing() if isinstance(event, Allow)}
        found = [(step.n, violation) for step in self.steps for violation in self._sure(step)]
        found += [(each.n, violation) for each in self.bridges for violation in self._seen_broken(each)]
        found.sort(key=lambda breach: breach[0])
        return tuple(Breach(n, violation, (n, violation.rule) in allowed) for n, violation in found)

    @cached_property
    def bridges(self) -> tuple[Bridged, ...]:
        """Where moves were missed and the game was set to what lay on the table, as far as any of it counts."""
        accepted = {event.n for _, event in self.standing() if isinstance(event, Allow) and event.rule == ACCEPTED}
        live = {*self.live}
        found = []
        for n, event in self.standing():
            if isinstance(event, BridgeEvent) and (own := [each for each in self.bridge_records(n) if each in live]):
                after = self.photos.get(n)
                photos, last = (self._photo_before(n), after), (n, *_bridge_group(self.events, self.photos, n))[-1]
                found.append(Bridged(n, event.missed, tuple(own), *photos, n in accepted, last))
        return tuple(found)

    def _photo_before(self, n: int) -> str | None:
        """The photo that came before the one of event n; a bridge may be written again long after its photo."""
        own = self.photos.get(n)
        first = min((at for at, photo in self.photos.items() if photo == own), default=n) if own else n
        return next((photo for at, photo in reversed([*self.photos.items()]) if at < first), None)

    def bridge_records(self, n: int) -> tuple[int, ...]:
        """The corrections of the bridge at event n, undone ones too: those that follow it, made of the same photo."""
        return tuple(at for at in _bridge_group(self.events, self.photos, n) if isinstance(self.events[at], Record))

    def bridge_doubts(self, n: int) -> dict[int, Doubt]:
        """The questions that were asked together with the bridge at event n, such as scores that it leaves open."""
        group = ((at, self.events[at]) for at in _bridge_group(self.events, self.photos, n))
        return {at: event for at, event in group if isinstance(event, Doubt)}

    @cached_property
    def bridge_of(self) -> dict[int, int]:
        """For every correction that is part of a bridge, undone ones too, the number of the bridge."""
        bridges = (n for n, event in self.events.items() if isinstance(event, BridgeEvent))
        return {at: n for n in bridges for at in self.bridge_records(n)}

    def _seen_broken(self, bridged: Bridged) -> tuple[Violation, ...]:
        """The rules that boards visibly broke after a bridge, in words."""
        event = self.events[bridged.n]
        state = next(step.state for step in self.steps if step.n == bridged.records[-1])
        lying = self.edition.table_violations(self.edition.table(state), None)
        told = event.broken if isinstance(event, BridgeEvent) else ()
        return tuple(each for each in lying if (each.rule, each.seat, each.cell) in told)

    def broken(self, n: int) -> tuple[Violation, ...]:
        """The rules that event n broke, as they are told to people."""
        return tuple(breach.violation for breach in self.breaches if breach.n == n)

    def _sure(self, step: Step) -> tuple[Violation, ...]:
        if not step.violations or not self.doubts:
            return step.violations
        before = next((each.state for each in reversed(self.steps) if each.n < step.n), self.start)
        return sure_of_move(self.edition, before, step, self.state, self.doubts.values())

    @cached_property
    def doubts(self) -> dict[int, Doubt]:
        """The doubts that nobody has answered, by their numbers."""
        return {n: event for n, event in self._open() if isinstance(event, Doubt)}

    @cached_property
    def proposals(self) -> dict[int, Proposal]:
        """The proposals that nobody has answered, by their numbers."""
        return {n: event for n, event in self._open() if isinstance(event, Proposal)}

    def standing(self) -> Iterator[tuple[int, Event]]:
        """The events that are not undone."""
        return ((n, event) for n, event in self.events.items() if n not in self.undone)

    @property
    def title(self) -> str:
        """What people call the game; empty where nobody has named it."""
        named = [event.name for _, event in self.standing() if isinstance(event, Title)]
        return named[-1] if named else ""

    def record_events(self) -> list[Mapping[str, Any]]:
        """What a record of the game as it stands holds after its start."""
        events = (self.events[n] for n in self.live)
        return [event.event for event in events if isinstance(event, Record)]

    def undoable(self) -> int:
        """The event that an undo without a number means: the last live record event, or the bridge it is part of."""
        if not self.steps:
            raise GameLogError(say("there is nothing to undo: no event of the game counts yet"))
        last = self.steps[-1].n
        bridge = self.bridge_of.get(last, last)
        return last if bridge in self.undone else bridge

    def redoable(self) -> int:
        """The event that a redo without a number means: the one undone last, unless the game has gone on since."""
        undos = [(n, event.n) for n, event in self.events.items() if isinstance(event, Undo) and event.n in self.undone]
        if not undos:
            raise GameLogError(say("there is nothing to redo: no event is undone"))
        n, undone = undos[-1]
        if self.steps and self.steps[-1].n > n:
            raise GameLogError(
                say(
                    "the game has gone on since event {n} was undone; it can be redone by its number or in the history",
                    n=undone,
                )
            )
        return undone

    def _open(self) -> Iterator[tuple[int, Event]]:
        answered = {event.id for _, event in self.standing() if isinstance(event, Answer)}
        for n, event in self.standing():
            if isinstance(event, Doubt | Proposal) and event.id not in answered:
                yield n, event


def fold(edition: Edition[Any, Any], setup: Setup[Any], entries: Iterable[Entry]) -> Folded:
    """A whole log, folded."""
    return advance(Folded(edition, setup, edition.start(setup)), entries)


def advance(folded: Folded, entries: Iterable[Entry]) -> Folded:
    """The game after some more entries; an entry that refers to what is not there is refused."""
    folding = _Folding(folded)
    for entry in entries:
        folding.add(entry)
    return folding.folded()


class _Folding:
    """A fold at work: it grows in place, since copying it for every event would take the square of their number."""

    def __init__(self, folded: Folded) -> None:
        self._before = folded
        self._last = folded.last
        self._events = dict(folded.events)
        self._photos = dict(folded.photos)
        self._undone = set(folded.undone)
        self._steps = list(folded.steps)
        self._stranded = list(folded.stranded)
        self._asked = {event.id for event in self._events.values() if isinstance(event, Doubt | Proposal)}

    def folded(self) -> Folded:
        """What has been folded so far."""
        return replace(
            self._before,
            last=self._last,
            events=self._events,
            photos=self._photos,
            undone=frozenset(self._undone),
            steps=tuple(self._steps),
            stranded=tuple(self._stranded),
        )

    def add(self, entry: Entry) -> None:
        """Take one more entry."""
        n, event = entry.n, entry.event
        if n != self._last + 1:
            raise GameLogError(f"event {self._last + 1} is missing: after event {self._last} comes event {n}")
        self._check(event)
        self._last = n
        self._events[n] = replace(event, reading=None) if isinstance(event, PhotoRead) else event
        if entry.photo is not None:
            self._photos[n] = entry.photo
        if isinstance(event, Record):
            self._play(n, event)
        elif isinstance(event, Undo):
            self._undone.update(self._meant(event.n))
            self._play_from(self._meant(event.n))
        elif isinstance(event, Redo):
            self._undone.difference_update(self._meant(event.n))
            self._play_from(self._meant(event.n))
        elif isinstance(event, Doubt | Proposal):
            self._asked.add(event.id)

    def _check(self, event: Event) -> None:
        problem = None
        if isinstance(event, Undo):
            problem = self._why_not_undo(event.n)
        elif isinstance(event, Redo) and event.n not in self._undone:
            problem = say("event {n} is not undone, so it cannot be redone", n=event.n)
        elif isinstance(event, Doubt | Proposal) and event.id in self._asked:
            problem = say("the id {id} is taken: another question has it", id=event.id)
        elif isinstance(event, Answer) and event.id not in self._asked:
            problem = say("there is no open question {id}: it has been answered or taken back", id=event.id)
        elif isinstance(event, Allow) and not self._is_broken(event):
            problem = say(
                "event {n} does not break the rule {rule}, so there is nothing to allow", n=event.n, rule=event.rule
            )
        elif isinstance(event, Proposal) and not isinstance(self._events.get(event.n), PhotoRead):
            problem = say("a proposal is of a photo, and event {n} is none", n=event.n)
        if problem:
            raise GameLogError(problem)

    def _why_not_undo(self, n: int) -> Text | None:
        if n in self._undone:
            return say("event {n} is undone already", n=n)
        if isinstance(self._events.get(n), PhotoRead | Undo | Redo | None):
            return say("event {n} is nothing that can be undone", n=n)
        return None

    def _is_broken(self, allow: Allow) -> bool:
        event = self._events.get(allow.n)
        if isinstance(event, BridgeEvent):
            return allow.rule == ACCEPTED or any(allow.rule == rule for rule, _, _ in event.broken)
        steps = (step for step in self._steps if step.n == allow.n)
        return any(violation.rule == allow.rule for step in steps for violation in step.violations)

    def _play(self, n: int, event: Record) -> None:
        state = self._steps[-1].state if self._steps else self._before.start
        step = play_event(self._before.edition, state, n, event.event)
        (self._stranded if step.ends else self._steps).append(step)

    def _meant(self, n: int) -> tuple[int, ...]:
        """The events that undoing event n means: a bridge counts with all that it consists of, or not at all."""
        if isinstance(self._events[n], BridgeEvent):
            return (n, *_bridge_group(self._events, self._photos, n))
        return (n,)

    def _play_from(self, events: tuple[int, ...]) -> None:
        """Play the record events from the first of these on anew; those before it are as they were."""
        first = next((n for n in events if isinstance(self._events[n], Record)), None)
        if first is None:
            return
        self._steps = [step for step in self._steps if step.n < first]
        self._stranded = [step for step in self._stranded if step.n < first]
        for n in range(first, self._last + 1):
            event = self._events[n]
            if isinstance(event, Record) and n not in self._undone:
                self._play(n, event)


def _bridge_group(events: Mapping[int, Event], photos: Mapping[int, str], n: int) -> tuple[int, ...]:
    """What belongs to the bridge at event n: the corrections that follow it, then questions, made of the same photo."""
    found: list[int] = []
    asked = False
    for at in range(n + 1, n + 1 + len(events)):
        event = events.get(at)
        asked = asked or isinstance(event, Doubt)
        corrects = isinstance(event, Record) and event.event["event"] == "correct" and not asked
        if not (corrects or isinstance(event, Doubt)) or photos.get(at) != photos.get(n):
            break
        found.append(at)
    return tuple(found)
