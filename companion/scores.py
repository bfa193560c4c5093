"""The scores of a logged game at any moment: exact, or how far each is open. Every page, export and command asks here.

The state of a photo log holds the likeliest score. Where photos leave it open, the log holds a doubt on `score` with
all that it may be, so the state alone must not be shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from companion.gamelog import Answer, Doubt, Folded, Note, Record
from engine import OVER, Edition, Step
from engine.record import final, final_json, play_event

SCORE = "score"


@dataclass(frozen=True, slots=True)
class Marker:
    """A score marker that was read and does not fit: what it shows, and what the tiles gave in that photo."""

    shown: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's score: one number, or the least and the most that it can be."""

    low: int
    high: int
    marker: Marker | None = None
    """The marker of the last photo, where it does not fit."""

    @property
    def exact(self) -> bool:
        """Whether it is determined."""
        return self.low == self.high

    @property
    def value(self) -> int | None:
        """The score, None where it is open."""
        return self.low if self.exact else None

    def __str__(self) -> str:
        return str(self.low) if self.exact else f"{self.low}–{self.high}"


@dataclass(frozen=True)
class Standing:
    """The scores of all seats at one moment, and the result once the game is over."""

    track: tuple[Score, ...]
    """What each seat has earned on the track, without the bonuses of the end."""
    scores: tuple[Score, ...]
    """What counts: with the bonuses once the game is over."""
    over: bool = False
    winners: tuple[int, ...] = ()
    """Who has surely won; several share the victory. Empty while it is open."""
    contenders: tuple[int, ...] = ()
    """Everybody who may have won."""

    @property
    def intervals(self) -> dict[int, tuple[int, int]]:
        """The seats whose score is open: the least and the most it can be."""
        return {seat: (each.low, each.high) for seat, each in enumerate(self.scores, 1) if not each.exact}

    @property
    def values(self) -> list[int | None]:
        """The scores as programs get them: None where one is open."""
        return [score.value for score in self.scores]


@dataclass(frozen=True)
class Ledger:
    """The standings of a game, each from the event on that brought it about."""

    numbers: tuple[int, ...]
    standings: tuple[Standing, ...]

    def at(self, n: int) -> Standing:
        """The scores after event n."""
        return self.standings[max(0, bisect_right(self.numbers, n) - 1)]

    @property
    def last(self) -> Standing:
        """The scores as the game stands."""
        return self.standings[-1]

    def until(self, numbers: Sequence[int]) -> list[Standing]:
        """The scores after each of these events, with what was logged about them before the next."""
        return [self.at(after - 1) for after in numbers[1:]] + ([self.last] if numbers else [])


def ledger(folded: Folded) -> Ledger:
    """Every standing of a game."""
    rows = list(_standings(folded))
    return Ledger(tuple(n for n, _ in rows), tuple(standing for _, standing in rows))


def standing(folded: Folded) -> Standing:
    """The scores as the game stands."""
    return ledger(folded).last


def score_of(reads: Iterable[str]) -> Score | None:
    """What a score is that may be any of these; None where none of them is a number."""
    scores = [int(read) for read in reads if _is_number(read)]
    return Score(min(scores), max(scores)) if scores else None


def seen_score(board: Mapping[str, Any]) -> Score | None:
    """The score that a board of a reading shows, open where it is in doubt; None where it cannot be told."""
    doubt = next((doubt for doubt in board.get("doubts", ()) if doubt["cell"] == SCORE), None)
    if doubt is None:
        return None if board.get("score") is None else Score(board["score"], board["score"])
    return score_of(doubt.get("reads", ()))


def exact_standing(edition: Edition[Any, Any], state: Any) -> Standing:
    """The scores of a state that is known to hold the right ones, as that of a record."""
    return _standing(edition, state, tuple(Score(score, score) for score in state.scores))


def standing_json(now: Standing) -> dict[str, Any]:
    """Scores as programs get them: null where one is open, and then its least and its most."""
    written: dict[str, Any] = {"scores": now.values}
    if now.intervals:
        written["intervals"] = {str(seat): list(bounds) for seat, bounds in now.intervals.items()}
    if shown := {str(seat): score.marker.shown for seat, score in enumerate(now.track, 1) if score.marker}:
        written["markers"] = shown
    return written


def end_json(folded: Folded, now: Standing) -> dict[str, Any] | None:
    """The end of a game as `azul verify` prints it, with what is open left open."""
    written = final_json(folded.edition, folded.state)
    if written is None:
        return None
    pairs = zip(written["breakdown"], now.track, now.scores, strict=True)
    breakdown = [part | {"score": track.value, "total": score.value} for part, track, score in pairs]
    told = standing_json(now)
    return {"final": told.pop("scores"), "winners": list(now.winners), "breakdown": breakdown} | told


@dataclass(frozen=True)
class _Said:
    """What the log says of a seat's score beside the state: since which event, and of which photo."""

    since: int
    photo: str | None
    seat: int
    low: int | None = None
    high: int | None = None
    shown: int | None = None


def _standings(folded: Folded) -> Iterator[tuple[int, Standing]]:
    said = sorted((*_open_scores(folded), *_wrong_markers(folded)), key=lambda each: each.since)
    steps = {step.n: step for step in folded.steps}
    state = folded.start
    now = exact_standing(folded.edition, state)
    track = now.track
    yield 0, now
    for n in sorted({*steps, *(each.since for each in said)}):
        if step := steps.get(n):
            track = tuple(_after(folded, state, step, seat, score) for seat, score in enumerate(track, 1))
            track = _set_anew(folded, step, track, said)
            state = step.state
        for each in said:
            if each.since == n:
                track = _with(track, each)
        yield n, _standing(folded.edition, state, track)


def _open_scores(folded: Folded) -> Iterator[_Said]:
    """Doubts on scores: what each may be, or what it was answered to be."""
    answers = {event.id: event.value for _, event in folded.standing() if isinstance(event, Answer)}
    for n, doubt in folded.standing():
        if not isinstance(doubt, Doubt) or doubt.cell != SCORE or doubt.seat not in folded.setup.seats:
            continue
        answer = answers.get(doubt.id, "")
        if bounds := score_of([answer] if _is_number(answer) else doubt.reads):
            photo = folded.photos.get(n)
            yield _Said(_since(folded, n, photo, doubt.seat), photo, doubt.seat, bounds.low, bounds.high)


def _wrong_markers(folded: Folded) -> Iterator[_Said]:
    for n, note in folded.standing():
        if isinstance(note, Note) and note.shown is not None and note.seat in folded.setup.seats:
            photo = folded.photos.get(n)
            yield _Said(_since(folded, n, photo, note.seat), photo, note.seat, shown=note.shown)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _since(folded: Folded, n: int, photo: str | None, seat: int) -> int:
    """The first event of the seat made of the same photo: boards are logged before what is asked about them."""
    same = (step for step in folded.steps if photo and folded.photos.get(step.n) == photo and step.n < n)
    return next((step.n for step in same if step.correction and step.correction.seat == seat), n)


def _with(track: tuple[Score, ...], said: _Said) -> tuple[Score, ...]:
    now = track[said.seat - 1]
    if said.low is not None and said.high is not None:
        now = replace(now, low=said.low, high=said.high)
    if said.shown is not None:
        now = replace(now, marker=Marker(said.shown, now.low, now.high))
    return (*track[: said.seat - 1], now, *track[said.seat :])


def _after(folded: Folded, before: Any, step: Step, seat: int, score: Score) -> Score:
    """A seat's score after an event: an open one is played from both of its ends."""
    was = before.scores[seat - 1]
    if (score.low, score.high) == (was, was):
        now = step.state.scores[seat - 1]
        return replace(score, low=now, high=now)
    low, high = (_played(folded, before, step, seat, end) for end in (score.low, score.high))
    return replace(score, low=low, high=high)


def _played(folded: Folded, before: Any, step: Step, seat: int, score: int) -> int:
    event = folded.events[step.n]
    if not isinstance(event, Record) or (step.correction and not step.moves):
        return score
    state = folded.edition.correct(before, {SCORE: score}, seat)
    return int(play_event(folded.edition, state, step.n, event.event).state.scores[seat - 1])


def _set_anew(folded: Folded, step: Step, track: tuple[Score, ...], said: Sequence[_Said]) -> tuple[Score, ...]:
    """The scores after a correction that names one: it holds, unless the photo that it was made of leaves it open."""
    change = step.correction
    if change is None or not change.seat or SCORE not in dict(change.cells):
        return track
    now = step.state.scores[change.seat - 1]
    track = _with(track, _Said(step.n, None, change.seat, now, now))
    track = tuple(replace(each, marker=None) if seat == change.seat else each for seat, each in enumerate(track, 1))
    photo = folded.photos.get(step.n)
    for each in said:
        if photo and (each.photo, each.seat) == (photo, change.seat):
            track = _with(track, each)
    return track


def _standing(edition: Edition[Any, Any], state: Any, track: tuple[Score, ...]) -> Standing:
    if state.phase != OVER:
        return Standing(track, track)
    ends = [_scored(edition, state, end) for end in product(*({score.low, score.high} for score in track))]
    won = {edition.winners(end) for end in ends}
    results = [result for end in ends if (result := final(edition, end))]
    totals = tuple(
        replace(score, low=min(points), high=max(points))
        for seat, score in enumerate(track, 1)
        for points in [[result[seat][0] for result in results]]
    )
    contenders = tuple(sorted({seat for seats in won for seat in seats}))
    return Standing(track, totals, True, next(iter(won)) if len(won) == 1 else (), contenders)


def _scored(edition: Edition[Any, Any], state: Any, scores: Sequence[int]) -> Any:
    for seat, score in enumerate(scores, 1):
        if state.scores[seat - 1] != score:
            state = edition.correct(state, {SCORE: score}, seat)
    return state
