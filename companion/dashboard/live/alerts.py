"""What people have to look at: broken rules, doubts, proposals, and what cannot be played any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.dashboard.drawing.crops import Sight, sights_of
from companion.dashboard.drawing.evidence import part_of
from companion.dashboard.snapshot import Snapshot
from companion.gamelog import Breach, Bridged, Doubt, PhotoRead
from companion.reconcile.doubtful import sure_violations
from companion.reconcile.live.choices import Choice, Offer, Spot, changed_by, lying, offer_of
from companion.reconcile.live.outcome import Box, legal_instead
from companion.scores import SCORE, Score, score_of
from engine import Rule, Text, Violation
from engine.table import ALL

MOST_BUTTONS = 4
"""So many numbers are offered as buttons beside the field for a number."""
MOST_SIGHTS = 2
"""So many parts of a photo are shown with a question, or of two photos with a bridge."""


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
class BrokenMove:
    """The rules that one event broke and that nobody has allowed yet."""

    n: int
    broken: tuple[Broken, ...]

    @property
    def sight(self) -> Sight | None:
        """The part of the photo that shows it."""
        return next((each.sight for each in self.broken if each.sight), None)


@dataclass(frozen=True)
class OpenQuestion:
    """A doubt that waits for an answer, and the parts of its photo to look at."""

    n: int
    doubt: Doubt
    offer: Offer | None
    """For a question about moves its choices."""
    sights: tuple[Sight, ...] = ()

    @property
    def reads(self) -> list[tuple[str, float]]:
        """For a question about a cell what may lie there, the likeliest first; none of many scores."""
        likely = sorted(self.doubt.reads.items(), key=lambda read: -read[1])
        return [] if self.offer or (self.score and len(likely) > MOST_BUTTONS) else likely

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices that are offered first."""
        return self.offer.likely if self.offer else ()

    @property
    def further(self) -> tuple[Choice, ...]:
        """Those that are offered as something else."""
        return self.offer.further if self.offer else ()

    @property
    def sight(self) -> Sight | None:
        """The part of the photo that tells most."""
        return self.sights[0] if self.sights else None

    @property
    def score(self) -> Score | None:
        """How far a score is open, where that is the question."""
        return score_of(self.doubt.reads) if self.doubt.cell == SCORE else None


@dataclass(frozen=True)
class QuestionGroup:
    """Questions of one kind, the latest first; each question about moves is a group of its own."""

    questions: tuple[OpenQuestion, ...]

    @property
    def first(self) -> OpenQuestion:
        """The question to answer next."""
        return self.questions[0]


@dataclass(frozen=True)
class Missed:
    """A bridge, and what the photos before and after it show."""

    bridged: Bridged
    pairs: tuple[tuple[Sight | None, Sight | None], ...]
    """The same part of the table before and after: the boards that changed most, or the table where many did."""

    @property
    def n(self) -> int:
        """The number of its event."""
        return self.bridged.n


def missed(snapshot: Snapshot) -> list[Missed]:
    """Every bridge that nobody has accepted yet, the latest first."""
    return [missed_of(snapshot, each) for each in reversed(snapshot.folded.bridges) if not each.accepted]


def missed_of(snapshot: Snapshot, bridged: Bridged) -> Missed:
    """A bridge with what its photos show: the boards that changed, upright."""
    edition = snapshot.folded.edition
    states = snapshot.before(bridged.n), snapshot.before(bridged.last + 1)
    tables = [lying(edition, state) for state in states]
    spots = [spot for spot, kind in tables[1].items() if tables[0].get(spot) != kind]
    boards = [seat for seat, _ in Counter(seat for seat, _ in spots if seat).most_common()]
    pairs = [_pair(snapshot, bridged, [spot for spot in spots if spot[0] == seat]) for seat in boards]
    if not 0 < len(boards) <= MOST_SIGHTS:
        pairs = [(photo_sight(snapshot, bridged.before), photo_sight(snapshot, bridged.after))]
    return Missed(bridged, tuple(pair for pair in pairs if any(pair)))


def _pair(snapshot: Snapshot, bridged: Bridged, spots: Sequence[Spot]) -> tuple[Sight | None, Sight | None]:
    """The board with these cells before and after a bridge."""

    def shown(photo: str | None) -> Sight | None:
        entry = snapshot.photo_entry(photo)
        found = sights_of(photo, reading_of(snapshot, entry.n), spots) if photo and entry else []
        return found[0] if found else photo_sight(snapshot, photo)

    return shown(bridged.before), shown(bridged.after)


def photo_sight(snapshot: Snapshot, photo: str | None) -> Sight | None:
    """A photo without the table around the game, where it is known where that lies."""
    entry = snapshot.photo_entry(photo)
    if photo is None or entry is None:
        return None
    reading = reading_of(snapshot, entry.n)
    size = reading.get("size_px") if reading else None
    return Sight(photo, part_of(reading, *size) if reading and size else None)


def broken(snapshot: Snapshot) -> list[Broken]:
    """Every rule broken by an event that counts, the latest first."""
    return [_broken(snapshot, breach) for breach in reversed(snapshot.folded.breaches)]


def broken_moves(snapshot: Snapshot) -> list[BrokenMove]:
    """The events that broke rules and that nobody has allowed yet, the latest first."""
    open_ = [each for each in broken(snapshot) if not each.allowed]
    return [BrokenMove(n, tuple(group)) for n, group in groupby(open_, key=lambda each: each.n)]


def advised(snapshot: Snapshot) -> list[Violation]:
    """What is worth a word about the last move though it is allowed; where play stands still is told by itself."""
    folded = snapshot.folded
    step = folded.steps[-1] if folded.steps else None
    move = step.moves[0] if step and step.moves and not step.correction else None
    return folded.edition.advisories(snapshot.before(step.n), move) if step and move is not None else []


def questions(snapshot: Snapshot) -> list[OpenQuestion]:
    """Every doubt that nobody has answered, the latest first."""
    return [_question(snapshot, n, doubt) for n, doubt in reversed(snapshot.folded.doubts.items())]


def question_groups(snapshot: Snapshot) -> list[QuestionGroup]:
    """The questions that wait for an answer, those about cells in one group and those about scores in another."""
    groups: dict[str, list[OpenQuestion]] = {}
    for question in questions(snapshot):
        groups.setdefault(kind_of(question.doubt, question.n), []).append(question)
    return [QuestionGroup(tuple(each)) for each in groups.values()]


def next_question(snapshot: Snapshot, doubt: Doubt) -> int | None:
    """The number of the next question of the same kind, once this one is answered."""
    kind = kind_of(doubt, 0)
    return next((n for n, each in reversed(snapshot.folded.doubts.items()) if kind_of(each, n) == kind), None)


def kind_of(doubt: Doubt, n: int) -> str:
    """Which questions are asked one after the other: those about cells, and those about scores."""
    return (SCORE if doubt.cell == SCORE else "cell") if doubt.cell else f"moves {n}"


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
        next(iter(_sights(snapshot, breach.n, _spots(snapshot, breach, move))), None),
    )


def _spots(snapshot: Snapshot, breach: Breach, move: Any) -> Sequence[Spot]:
    """Where a broken rule shows: the cell that it names, else what the move changed on the player's board."""
    seat, cell = breach.violation.seat, breach.violation.cell
    if cell or move is None:
        return [(seat, cell)]
    changed = changed_by(snapshot.folded.edition, snapshot.before(breach.n), move)
    return [spot for spot in changed if spot[0] == seat] or [(seat, cell)]


def _legal(snapshot: Snapshot, n: int, made: Any) -> tuple[Text, ...]:
    """Legal moves of the same player, those most like what was done."""
    edition = snapshot.folded.edition
    moves = legal_instead(edition, snapshot.before(n), made)
    return tuple(edition.describe(move) for move in moves if move.seat == made.seat)


def _question(snapshot: Snapshot, n: int, doubt: Doubt) -> OpenQuestion:
    if doubt.cell:
        spots = _values(snapshot, doubt.seat, doubt.cell, doubt.reads)
        return OpenQuestion(n, doubt, None, _sights(snapshot, n, spots, doubt.box))
    offer = offer_of(snapshot.folded.edition, snapshot.before(n), doubt.reads)
    return OpenQuestion(n, doubt, offer, _sights(snapshot, n, offer.spots, doubt.box))


def _sights(snapshot: Snapshot, n: int, spots: Sequence[Spot], box: Box | None = None) -> tuple[Sight, ...]:
    """Where to look in the photo of an event; if its reading does not tell, the box that was logged with it."""
    photo = snapshot.photo_of(n)
    if photo is None or photo.photo is None:
        return ()
    found = sights_of(photo.photo, reading_of(snapshot, photo.n), spots)
    return tuple(found[:MOST_SIGHTS]) or ((Sight(photo.photo, box),) if box else ())


def _values(snapshot: Snapshot, seat: int, cell: str, values: Iterable[str]) -> list[Spot]:
    """A cell; of a track on which each value has its cell, the cells of these values."""
    known = {each.name for each in snapshot.folded.edition.layout}
    return [(seat, f"{cell}.{value}") for value in values if f"{cell}.{value}" in known] or [(seat, cell)]


def wrong_scores(snapshot: Snapshot) -> list[Broken]:
    """Scores that are not what was earned, and other marks that stay wrong, as the last photo shows them."""
    shown, edition = snapshot.shown, snapshot.folded.edition
    reading = reading_of(snapshot, shown.n) if shown else None
    tracks = {track.tells for track in edition.layout.tracks}
    found = {(each.get("seat"), each.get("cell")) for each in (reading or {}).get("violations", ())}
    marks = {mark for mark in found if mark[1] in tracks}
    if shown is None or not reading or not marks:
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
            next(iter(_sights(snapshot, shown.n, _mark_spots(snapshot, reading, violation))), None),
        )
        for violation in seen
        if (violation.seat, violation.cell) in marks
    ]


def _against_scores(snapshot: Snapshot, reading: Mapping[str, Any]) -> Iterator[Violation]:
    """What a reading's marks break: where a score of the game is open, only what no score explains."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    track = snapshot.ledger.last.track
    known = {ALL, *(seat for seat, score in enumerate(track, 1) if score.value == state.scores[seat - 1])}
    yield from (each for each in sure_violations(edition, reading, state) if each.seat in known)
    yield from (each for each in sure_violations(edition, reading) if each.seat not in known)


def _mark_spots(snapshot: Snapshot, reading: Mapping[str, Any], violation: Violation) -> list[Spot]:
    """Where a mark stands in a reading; of the score of a seat also where it should."""
    seat = violation.seat
    if violation.cell != SCORE:
        return [(seat, violation.cell)]
    shown = [board.get("score") for board in reading["boards"] if board["seat"] == seat]
    right = snapshot.ledger.last.track[seat - 1].value
    values = (str(value) for value in (*shown, right) if value is not None)
    return _values(snapshot, seat, SCORE, values)


def reading_of(snapshot: Snapshot, n: int) -> Mapping[str, Any] | None:
    """What was read in the photo of event n."""
    shown = snapshot.shown
    event = shown.event if shown and shown.n == n else snapshot.game.entry(n).event
    return event.reading if isinstance(event, PhotoRead) else None
