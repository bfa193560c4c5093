"""The scores of a logged game at any moment. Every page, export and command asks here.

The state of a photo log holds the likeliest score. Where photos leave it open, the log holds a doubt on `score` with
all that it may be, so the state alone must not be shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.gamelog import Answer, Doubt, Folded, Note, Record
from companion.scores import (
    SCORE,
    Marker,
    Score,
    Standing,
    exact_standing,
    is_number,
    score_of,
    standing_json,
    standing_of,
)
from engine import Step
from engine.record import final_json, play_event


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
        yield n, standing_of(folded.edition, state, track)


def _open_scores(folded: Folded) -> Iterator[_Said]:
    """Doubts on scores: what each may be, or what it was answered to be."""
    answers = {event.id: event.value for _, event in folded.standing() if isinstance(event, Answer)}
    for n, doubt in folded.standing():
        if not isinstance(doubt, Doubt) or doubt.cell != SCORE or doubt.seat not in folded.setup.seats:
            continue
        answer = answers.get(doubt.id, "")
        if bounds := score_of([answer] if is_number(answer) else doubt.reads):
            photo = folded.photos.get(n)
            yield _Said(_since(folded, n, photo, doubt.seat), photo, doubt.seat, bounds.low, bounds.high)


def _wrong_markers(folded: Folded) -> Iterator[_Said]:
    for n, note in folded.standing():
        if isinstance(note, Note) and note.shown is not None and note.seat in folded.setup.seats:
            photo = folded.photos.get(n)
            yield _Said(_since(folded, n, photo, note.seat), photo, note.seat, shown=note.shown)


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
