"""What people have to look at: broken rules, doubts, proposals, and what cannot be played any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.dashboard.book import Snapshot
from companion.dashboard.evidence import asked, box_of
from companion.dashboard.pictures import Box
from companion.gamelog import Breach, Doubt, PhotoRead
from companion.reconcile.doubtful import sure_violations
from companion.reconcile.outcome import legal_instead, parse_choice
from companion.reconcile.story import enact
from companion.scores import SCORE, Score, score_of
from engine import Correct, Edition, Rule, Text, Violation
from engine.errors import EngineError
from engine.text import say


@dataclass(frozen=True)
class Sight:
    """The part of a photo that shows what is spoken of."""

    photo: str
    box: Box | None
    outlines: tuple[str, ...] = ()
    """Of the cells that are spoken of, as SVG wants them."""

    @property
    def viewbox(self) -> str:
        """As SVG wants it."""
        return " ".join(f"{value:g}" for value in self.box or ())


@dataclass(frozen=True)
class Broken:
    """A rule that an event broke."""

    n: int
    violation: Violation
    rule: Rule | None
    allowed: bool
    done: Text | None
    """What was done, as a sentence."""
    legal: tuple[Text, ...]
    """What would have been legal instead."""
    sight: Sight | None


@dataclass(frozen=True)
class Guess:
    """A move that may have been played, and what would be wrong with it: that alone tells some moves apart."""

    text: Text
    breaks: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Question:
    """A doubt that waits for an answer; the readings likeliest first, scores by their size."""

    n: int
    doubt: Doubt
    reads: tuple[tuple[str, float, tuple[Guess, ...]], ...]
    """What may be, how likely, and for moves their sentences."""
    sight: Sight | None

    @property
    def score(self) -> Score | None:
        """How far a score is open, where that is the question."""
        return score_of(self.doubt.reads) if self.doubt.cell == SCORE else None


def broken(snapshot: Snapshot) -> list[Broken]:
    """Every rule broken by an event that counts, the latest first."""
    return [_broken(snapshot, breach) for breach in reversed(snapshot.folded.breaches)]


def questions(snapshot: Snapshot) -> list[Question]:
    """Every doubt that nobody has answered, the latest first."""
    return [_question(snapshot, n, doubt) for n, doubt in reversed(snapshot.folded.doubts.items())]


def _broken(snapshot: Snapshot, breach: Breach) -> Broken:
    edition, step = snapshot.folded.edition, snapshot.step(breach.n)
    violation = breach.violation
    move = step.moves[0] if step and step.moves else None
    return Broken(
        breach.n,
        violation,
        edition.rulebook.get(violation.rule),
        breach.allowed,
        edition.describe(move) if move is not None else None,
        () if breach.allowed or move is None else _legal(snapshot, breach.n, move),
        _sight(snapshot, breach.n, violation.seat, violation.cell),
    )


def _legal(snapshot: Snapshot, n: int, made: Any) -> tuple[Text, ...]:
    """Legal moves of the same player, those most like what was done."""
    edition = snapshot.folded.edition
    moves = legal_instead(edition, snapshot.before(n), made)
    return tuple(edition.describe(move) for move in moves if move.seat == made.seat)


def _question(snapshot: Snapshot, n: int, doubt: Doubt) -> Question:
    # Scores are found by their size, everything else by how likely it is.
    by_size = doubt.cell == SCORE and all(score_of([read]) for read in doubt.reads)
    likely = sorted(doubt.reads.items(), key=lambda read: float(read[0]) if by_size else -read[1])
    reads = tuple((value, chance, _as_moves(snapshot, n, doubt, value)) for value, chance in likely)
    photo = snapshot.photo_of(n)
    if doubt.box and photo and photo.photo:
        return Question(n, doubt, reads, Sight(photo.photo, doubt.box))
    return Question(n, doubt, reads, _sight(snapshot, n, doubt.seat, doubt.cell))


def _as_moves(snapshot: Snapshot, n: int, doubt: Doubt, value: str) -> tuple[Guess, ...]:
    """The moves that an answer to a question about moves stands for, as sentences."""
    if doubt.cell:
        return ()
    edition, state = snapshot.folded.edition, snapshot.before(n)
    guesses = []
    for move in parse_choice(edition, value):
        try:
            breaks = () if isinstance(move, Correct) else edition.violations(state, move)
            state = edition.settle(enact(edition, state, move))
        except EngineError:
            # Something before the question was undone since; it is still what was asked.
            breaks = ()
        guesses.append(Guess(described(edition, move), tuple(violation.text for violation in breaks)))
    return tuple(guesses) or (Guess(say("nothing happened")),)


def described(edition: Edition[Any, Any, Any], move: Any) -> Text:
    """A move of a choice as a sentence; a choice may also be that a heap holds other tiles."""
    if isinstance(move, Correct):
        held = "; ".join(f"{cell} {value}" for cell, value in move.cells)
        return say("other tiles lie there than were seen before: {held}", held=held)
    return edition.describe(move)


def _sight(snapshot: Snapshot, n: int, seat: int, cell: str) -> Sight | None:
    photo = snapshot.photo_of(n)
    if photo is None or photo.photo is None:
        return None
    reading = reading_of(snapshot, photo.n)
    return Sight(photo.photo, box_of(reading, seat, cell), asked(reading, seat, cell))


def wrong_scores(snapshot: Snapshot) -> list[Broken]:
    """Scores on the table that are not what was earned, as the last photo shows them."""
    shown, edition = snapshot.shown, snapshot.folded.edition
    reading = reading_of(snapshot, shown.n) if shown else None
    seats = {found.get("seat") for found in (reading or {}).get("violations", ()) if found.get("cell") == "score"}
    if shown is None or not reading or not seats:
        return []
    seen = [*_against_scores(snapshot, reading)]
    return [
        Broken(
            shown.n,
            violation,
            edition.rulebook.get(violation.rule),
            False,
            None,
            (),
            _sight(snapshot, shown.n, violation.seat, "score"),
        )
        for violation in seen
        if violation.cell == "score" and violation.seat in seats
    ]


def _against_scores(snapshot: Snapshot, reading: Mapping[str, Any]) -> Iterator[Violation]:
    """What a reading's scores break: where the game's own is open, only what no score explains."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    track = snapshot.ledger.last.track
    known = {seat for seat, score in enumerate(track, 1) if score.value == state.scores[seat - 1]}
    yield from (each for each in sure_violations(edition, reading, state) if each.seat in known)
    yield from (each for each in sure_violations(edition, reading) if each.seat not in known)


def reading_of(snapshot: Snapshot, n: int) -> Mapping[str, Any] | None:
    """What was read in the photo of event n."""
    shown = snapshot.shown
    event = shown.event if shown and shown.n == n else snapshot.game.entry(n).event
    return event.reading if isinstance(event, PhotoRead) else None
