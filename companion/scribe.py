"""Writing a followed game into its log, and heeding what people write there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.gamelog import (
    Answer,
    Doubt,
    Entry,
    Event,
    Folded,
    Game,
    GameLogError,
    Note,
    Photo,
    PhotoRead,
    Record,
    Undo,
)
from companion.reconcile.outcome import Finding, Outcome, Question, event_of, parse_choice
from engine import EngineError, ScoreLine, Step
from engine.record import line_json, violation_json

WHO = "azul"
"""Who logs what was seen."""
PAST = 2
"""So many events may be taken back on the table."""

Told = Callable[[Entry], None]


class Scribe:
    """One game's log, as far as the camera writes it; `told` is called with each entry once it is on the disk."""

    def __init__(self, game: Game, told: Told = lambda _: None, model: str = "") -> None:
        self._game, self._told, self._model = game, told, model
        folded = game.refresh()
        # Answers that nobody has heeded yet came after the last event of the game itself.
        self._heeded = max((n for n, event in folded.events.items() if isinstance(event, Record | Undo)), default=0)
        self._live = folded.live
        """The events that counted when the game was last agreed on with whoever follows it."""
        self._scores: tuple[Finding, ...] = ()

    @property
    def folded(self) -> Folded:
        """The game as it stands."""
        return self._game.folded

    def past(self) -> tuple[Any, ...]:
        """The states before the last events, the latest first."""
        folded = self.folded
        states = [folded.start, *(step.state for step in folded.steps)]
        return tuple(states[-2 : -2 - PAST : -1])

    def heed(self) -> bool:
        """Take in what others logged; whether the game stands elsewhere now."""
        folded = self._game.refresh()
        news = [event for n, event in folded.events.items() if n > self._heeded]
        self._heeded = folded.last
        for event in news:
            if isinstance(event, Answer):
                self._heed_answer(event)
        before, self._live = self._live, self.folded.live
        return self._live != before

    def write(self, outcome: Outcome, reading: Mapping[str, Any], photo: Photo | None = None) -> None:
        """Log what a sighting came to, if anything; the photo first, so that whatever follows can speak of it."""
        findings = (*outcome.findings, *(self._explained(finding) for finding in outcome.scores))
        rescored = [_what(finding) for finding in outcome.scores] != [_what(finding) for finding in self._scores]
        if not (outcome.is_news or outcome.question or rescored):
            return
        self._scores = outcome.scores
        told = {**reading, "violations": [finding_json(finding) for finding in findings]}
        entry = self._log(PhotoRead(told, self._model), photo)
        if outcome.is_news or outcome.question:
            self._withdraw()
        for _ in range(outcome.undone):
            self._log(Undo(self.folded.undoable()))
        for move in outcome.moves:
            self._log(Record(event_of(self.folded.edition, move)), entry.photo)
        if outcome.question:
            self._log(_doubt(outcome.question, f"{WHO}-{entry.n}"), entry.photo)
        self._live = self.folded.live

    def _log(self, event: Event, photo: Photo | str | None = None) -> Entry:
        entry = self._game.append(event, WHO, photo)
        self._heeded = entry.n
        self._told(entry)
        return entry

    def _withdraw(self) -> None:
        """Take back what was asked, since it is asked otherwise now, or answered by what was seen."""
        for n, doubt in self.folded.doubts.items():
            if doubt.id.startswith(f"{WHO}-"):
                self._log(Undo(n))

    def _heed_answer(self, answer: Answer) -> None:
        asked = {event.id: event for event in self.folded.events.values() if isinstance(event, Doubt)}
        doubt = asked.get(answer.id)
        if doubt is None or doubt.cell or not doubt.id.startswith(f"{WHO}-"):
            return
        try:
            for move in parse_choice(self.folded.edition, answer.value):
                self._log(Record(event_of(self.folded.edition, move)))
        except (EngineError, GameLogError) as error:
            self._log(Note(f"the answer {answer.value!r} cannot be played: {error}"))

    def _explained(self, finding: Finding) -> Finding:
        """A score that was kept wrongly, with the points that make the right one."""
        lines = tuple(
            line
            for step in self.folded.steps
            if _is_scored_in(step, finding.since)
            for line in step.lines
            if line.seat == finding.violation.seat
        )
        return replace(finding, because=lines)


def _is_scored_in(step: Step, round_: int) -> bool:
    return bool(step.state.round == round_ and step.lines)


def _what(finding: Finding) -> tuple[str, int, str]:
    return finding.violation.rule, finding.violation.seat, str(finding.violation.text)


def _doubt(question: Question, id_: str) -> Doubt:
    return Doubt(id_, question.choices, seat=question.seat, box=question.box)


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as it stands in a reading: a violation with where to look and what would be right."""
    written = violation_json(finding.violation)
    extra: dict[str, Any] = {
        "box": list(finding.box) if finding.box else None,
        "legal": list(finding.legal),
        "since": finding.since,
        "because": [_line(line) for line in finding.because],
    }
    return written | {name: value for name, value in extra.items() if value}


def _line(line: ScoreLine) -> dict[str, Any]:
    return line_json(line)
