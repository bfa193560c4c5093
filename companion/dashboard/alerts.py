"""What people have to look at: broken rules, doubts, proposals, and what cannot be played any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from companion.dashboard.book import Snapshot
from companion.dashboard.evidence import box_of
from companion.dashboard.pictures import Box
from companion.gamelog import Breach, Doubt, PhotoRead
from engine import Rule, Text, Violation

MOST_LEGAL = 4
"""Legal moves that are named beside a broken rule."""


@dataclass(frozen=True)
class Sight:
    """The part of a photo that shows what is spoken of."""

    photo: str
    box: Box | None


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
class Question:
    """A doubt that waits for an answer; the readings likeliest first."""

    n: int
    doubt: Doubt
    reads: tuple[tuple[str, float, Text | None], ...]
    """What may be, how likely, and for a move its sentence."""
    sight: Sight | None


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
        () if breach.allowed or move is None else tuple(_legal(snapshot, breach.n, move)),
        _sight(snapshot, breach.n, violation.seat, violation.cell),
    )


def _legal(snapshot: Snapshot, n: int, made: Any) -> Iterator[Text]:
    """Legal moves of the same player, those most like what was done first."""
    edition, state = snapshot.folded.edition, snapshot.before(n)
    written = edition.format_move(made)
    moves = [move for move in edition.legal_moves(state) if move.seat == made.seat]

    def likeness(move: Any) -> int:
        pairs = zip(written, edition.format_move(move), strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    for move in sorted(moves, key=likeness, reverse=True)[:MOST_LEGAL]:
        yield edition.describe(move)


def _question(snapshot: Snapshot, n: int, doubt: Doubt) -> Question:
    likely = sorted(doubt.reads.items(), key=lambda read: -read[1])
    reads = tuple((value, chance, _as_move(snapshot, doubt, value)) for value, chance in likely)
    photo = snapshot.photo_of(n)
    if doubt.box and photo and photo.photo:
        return Question(n, doubt, reads, Sight(photo.photo, doubt.box))
    return Question(n, doubt, reads, _sight(snapshot, n, doubt.seat, doubt.cell))


def _as_move(snapshot: Snapshot, doubt: Doubt, value: str) -> Text | None:
    if doubt.cell:
        return None
    edition = snapshot.folded.edition
    return edition.describe(edition.parse_move(value))


def _sight(snapshot: Snapshot, n: int, seat: int, cell: str) -> Sight | None:
    photo = snapshot.photo_of(n)
    if photo is None or photo.photo is None:
        return None
    return Sight(photo.photo, box_of(reading_of(snapshot, photo.n), seat, cell))


def reading_of(snapshot: Snapshot, n: int) -> Mapping[str, Any] | None:
    """What was read in the photo of event n."""
    shown = snapshot.shown
    event = shown.event if shown and shown.n == n else snapshot.game.entry(n).event
    return event.reading if isinstance(event, PhotoRead) else None
