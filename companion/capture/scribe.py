"""Writing a followed game into its log, and heeding what people write there."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import takewhile
from typing import Any

from companion.gamelog import (
    NOBODY_KNOWS,
    Answer,
    BridgeEvent,
    Doubt,
    Entry,
    Event,
    Folded,
    Game,
    GameLogError,
    Logged,
    Note,
    Photo,
    PhotoRead,
    Record,
    Undo,
    correction,
)
from companion.ledger import standing
from companion.reconcile.live.answer import ANSWERED
from companion.reconcile.live.outcome import Bridge, Finding, Outcome, Question, event_of, parse_choice
from companion.reconcile.live.unknown import WAITING, without_an_answer
from companion.scores import SCORE
from engine import EngineError, ScoreLine, Step
from engine.moves import Correct
from engine.record import line_json, violation_json
from engine.text import Text, say

WHO = "azul"
"""Who logs what was seen."""
PAST = 2
"""So many events may be taken back on the table."""
Told = Callable[[Entry], None]
Playable = Callable[[Any, Sequence[Any]], Sequence[Any]]


class Heed(IntEnum):
    """What to do after people wrote something."""

    NOTHING = 0
    GIVE_UP = 1
    """Go on from where the log stands, without another look at what nobody knows."""
    LOOK = 2
    """Go on from where the log stands, and look at the table anew."""


class Scribe:
    """One game's log, as far as the camera writes it; `told` is called with each entry once it is on the disk."""

    def __init__(self, game: Game, told: Told = lambda _: None, model: str = "") -> None:
        self._game, self._told, self._model = game, told, model
        folded = game.refresh()
        # Answers that nobody has heeded yet came after the last event of the game itself.
        self._heeded = max((n for n, event in folded.events.items() if isinstance(event, Record | Undo)), default=0)
        self._live = folded.live
        """The events that counted when the game was last agreed on with whoever follows it."""
        self._own = {entry.n for entry in game.entries() if isinstance(entry.event, Record) and _is_seen(entry)}
        """The events that were seen to happen: what a camera may see taken back."""
        self._scores: tuple[Finding, ...] = ()

    @property
    def folded(self) -> Folded:
        """The game as it stands."""
        return self._game.folded

    def past(self) -> tuple[Any, ...]:
        """The states before the last events, the latest first, as far as no person's word is among those."""
        steps = self.folded.steps
        seen = list(takewhile(lambda step: step.n in self._own and not step.correction, reversed(steps)))[:PAST]
        befores = [self.folded.start, *(step.state for step in steps)]
        return tuple(befores[len(steps) - 1 - i] for i in range(len(seen)))

    def words(self) -> dict[tuple[int, str], str]:
        """What people say lies in cells of boards, as far as it still does in the game."""
        said: dict[tuple[int, str], str] = {}
        asked = self._asked()
        names = {cell.name for cell in self.folded.edition.layout}
        for n, event in self.folded.standing():
            if isinstance(event, Answer) and event.id in asked and event.value != NOBODY_KNOWS:
                said[asked[event.id].seat, asked[event.id].cell] = event.value
            elif isinstance(event, Record) and event.event["event"] == "correct" and n not in self._own:
                said |= _said(event.event, names)
        return {(seat, cell): letter for (seat, cell), letter in said.items() if self._letter(seat, cell) == letter}

    def unknown(self) -> set[tuple[int, str]]:
        """The cells of boards that people were asked about and that nobody knows."""
        asked, standing = self._asked(), (event for _, event in self.folded.standing())
        given_up = [event.id for event in standing if isinstance(event, Answer) and event.value == NOBODY_KNOWS]
        return {(asked[id_].seat, asked[id_].cell) for id_ in given_up if id_ in asked and asked[id_].cell}

    def heed(self, playable: Playable) -> Heed:
        """Take in what others logged, as `playable` tells how to play answers; what to do then.

        The table is looked at anew where the game stands elsewhere now, people said what lies somewhere, or their
        answer cannot be played.
        """
        folded = self._game.refresh()
        if folded.last == self._heeded:
            return Heed.NOTHING
        news = [event for n, event in folded.events.items() if n > self._heeded]
        # Filling in what a bridge missed writes anew what was seen.
        later = self._game.entries(self._heeded)
        self._own |= {entry.n for entry in later if isinstance(entry.event, Record) and _is_seen(entry)}
        self._heeded = folded.last
        asked = self._asked()
        answers = [(asked[each.id], each.value) for each in news if isinstance(each, Answer) and each.id in asked]
        heeded = [self._heed_answer(doubt, value, playable) for doubt, value in answers]
        before, self._live = self._live, self.folded.live
        if self._live != before and not answers:
            self._withdraw_moves()
        if answers and max(heeded) is Heed.GIVE_UP:
            return Heed.GIVE_UP
        return max([*heeded, Heed.LOOK if self._live != before else Heed.NOTHING])

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
            self._withdraw(outcome.disputed)
        for _ in range(outcome.undone):
            self._log(Undo(self.folded.undoable()))
        if outcome.bridge:
            self._bridge(outcome, outcome.bridge, entry)
        else:
            for move in outcome.moves:
                self._own.add(self._log(self._record(move), entry.photo).n)
        for seat, scores in outcome.opened.items():
            self._log(_score_doubt(entry.n, seat, scores), entry.photo)
        for seat, score in outcome.settled.items():
            self._settle(seat, score, entry.photo)
        if outcome.question:
            self._log(_doubt(outcome.question, f"{WHO}-{entry.n}"), entry.photo)
        self._live = self.folded.live

    def _log(self, event: Event, photo: Photo | str | None = None) -> Entry:
        entry = self._game.append(event, WHO, photo)
        self._heeded = entry.n
        self._told(entry)
        return entry

    def _bridge(self, outcome: Outcome, bridge: Bridge, looked: Entry) -> None:
        """Log a bridge and the scores that it leaves open, in one go; it is told once all of it is logged."""
        broken = tuple((each.violation.rule, each.violation.seat, each.violation.cell) for each in outcome.findings)
        events: list[Event] = [BridgeEvent(bridge.missed, broken), *map(self._record, outcome.moves)]
        events += [_score_doubt(looked.n, seat, scores) for seat, scores in bridge.scores.items()]
        entries = self._game.append_all(lambda _: [Logged(event, WHO, looked.photo) for event in events])
        self._own |= {entry.n for entry in entries if isinstance(entry.event, Record)}
        self._heeded = entries[-1].n
        for entry in entries:
            self._told(entry)

    def _settle(self, seat: int, score: int, photo: str | None) -> None:
        """Write down a score that was open: what it was when that was asked, and what it is now."""
        believed = self.folded.state.scores[seat - 1]
        for doubt in list(self.folded.doubts.values()):
            if (doubt.seat, doubt.cell) == (seat, SCORE):
                then = max(doubt.reads, key=doubt.reads.__getitem__)
                self._log(Answer(doubt.id, str(int(then) + score - believed)), photo)
        if score != believed:
            why = say("the score track shows it")
            self._own.add(self._log(correction({SCORE: score}, seat, why), photo).n)

    def open_scores(self) -> dict[int, range]:
        """By seat the scores that are possible, where one is open."""
        track = enumerate(standing(self.folded).track, 1)
        return {seat: range(score.low, score.high + 1) for seat, score in track if not score.exact}

    def _withdraw(self, disputed: Container[tuple[int, str]]) -> None:
        """Take back what was asked, since it is asked otherwise now, or answered by what was seen."""
        for n, doubt in self.folded.doubts.items():
            if doubt.id.startswith(f"{WHO}-") and doubt.cell != SCORE and (doubt.seat, doubt.cell) not in disputed:
                self._log(Undo(n))

    def _asked(self) -> dict[str, Doubt]:
        """What was asked of people here, by its id."""
        asked = (event for event in self.folded.events.values() if isinstance(event, Doubt))
        return {doubt.id: doubt for doubt in asked if doubt.id.startswith(f"{WHO}-")}

    def _withdraw_moves(self) -> None:
        """Take back what was asked about moves: the game was set right since, and stands elsewhere."""
        for n, doubt in self.folded.doubts.items():
            if doubt.id.startswith(f"{WHO}-") and not doubt.cell:
                self._log(Undo(n))

    def _give_up(self, doubt: Doubt) -> None:
        """Go on although nobody knows what happened: what is logged so may still be seen to be otherwise."""
        folded = self.folded
        moves, why = without_an_answer(folded.edition, folded.state, doubt.reads)
        self._log(Note(why if moves else WAITING))
        photo = self._game.entry(next(n for n, event in folded.events.items() if event == doubt)).photo
        for move in moves:
            self._own.add(self._log(self._record(move), photo).n)

    def _heed_answer(self, doubt: Doubt, value: str, playable: Playable) -> Heed:
        """Play an answer; what to do then."""
        if value == NOBODY_KNOWS:
            # What nobody knows of a cell stays as the game has it; whoever follows has asked, and does not ask again.
            if not doubt.cell:
                self._give_up(doubt)
            return Heed.NOTHING if doubt.cell else Heed.GIVE_UP
        try:
            for move in playable(self.folded.state, self._answered(doubt, value)):
                self._log(self._record(move))
        except (EngineError, GameLogError) as error:
            self._log(Note(say("the answer {answer} cannot be played: {error}", answer=value, error=error.words)))
            return Heed.LOOK
        return Heed.LOOK if doubt.cell else Heed.NOTHING

    def _record(self, move: Any) -> Record:
        """A move, or a correction with its reason, as the log keeps it."""
        why = move.why if isinstance(move, Correct) else None
        return Record(event_of(self.folded.edition, move), why if isinstance(why, Text) else None)

    def _answered(self, doubt: Doubt, value: str) -> Sequence[Any]:
        """The moves that an answer tells, or that a cell holds something else than in the game."""
        if not doubt.cell:
            return parse_choice(self.folded.edition, value)
        if self._letter(doubt.seat, doubt.cell) == value:
            return ()
        return (Correct(doubt.seat, ((doubt.cell, value),), ANSWERED),)

    def _letter(self, seat: int, cell: str) -> str | None:
        """What lies in a cell in the game."""
        edition = self.folded.edition
        return edition.table(self.folded.state).part(seat).cells.get(cell)

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


def _is_seen(entry: Entry) -> bool:
    """Whether an event was seen to happen; what people answered has no photo."""
    return entry.who == WHO and entry.photo is not None


def _said(event: Mapping[str, Any], names: Container[str]) -> Iterator[tuple[tuple[int, str], str]]:
    """The cells of a correction, each with what lies there; a whole row is told by its letters."""
    for name, value in event["cells"].items():
        if name in names:
            yield (event["seat"], name), str(value)
        elif event["seat"] and isinstance(value, str):
            yield from (((event["seat"], f"{name}.{i}"), letter) for i, letter in enumerate(value, 1))


def _what(finding: Finding) -> tuple[str, int, str]:
    return finding.violation.rule, finding.violation.seat, str(finding.violation.text)


def _score_doubt(n: int, seat: int, scores: Mapping[int, float]) -> Doubt:
    """What is asked where a score is open; `n` is the entry of the look that left it open."""
    reads = {str(score): round(chance, 4) for score, chance in scores.items()}
    return Doubt(f"{WHO}-{n}-{seat}", reads, SCORE, seat)


def _doubt(question: Question, id_: str) -> Doubt:
    return Doubt(id_, question.choices, question.cell, question.seat, question.box)


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
