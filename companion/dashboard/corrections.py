"""What can be corrected: what the log says of a cell, a heap or a number, what else may be true, what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, degrees
from typing import Any

from companion.dashboard.drawing.helpers import SEATS, is_number
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.words import gettext as _
from companion.scores import SCORE, Score
from engine import Edition, Violation
from engine.errors import EngineError
from engine.table import EMPTY, MARKER, UNSEEN
from engine.text import Words

TURNED = "@"
"""Stands between a card and how it lies turned."""


class Form(StrEnum):
    """How a person says what is right."""

    KIND = "kind"
    """By choosing a kind of piece."""
    HEAP = "heap"
    """By putting pieces into a heap and taking others out."""
    NUMBER = "number"
    SEAT = "seat"


@dataclass(frozen=True)
class Change:
    """What a correction does to one seat."""

    seat: int
    what: str
    before: Score | int
    after: int


@dataclass(frozen=True)
class Preview:
    """What a correction would do."""

    changes: tuple[Change, ...]
    violations: tuple[Violation, ...]
    """Rules that would visibly be broken and are not now."""
    problem: Words = ""
    """Why it cannot be."""


def form_of(edition: Edition[Any, Any], place: str) -> Form:
    """How a person says what a place holds."""
    if place in SEATS:
        return Form.SEAT
    if is_heap(edition, place):
        return Form.HEAP
    return Form.NUMBER if is_number(edition, place) else Form.KIND


def is_heap(edition: Edition[Any, Any], place: str) -> bool:
    """Whether pieces lie together there in no order."""
    cells = {cell.name for cell in edition.layout}
    single = {heap.name for heap in edition.layout.heaps if not heap.numbered}
    single |= {zone.name for zone in edition.layout.zones if zone.heap}
    numbered = {heap.name for heap in edition.layout.heaps if heap.numbered}
    return place not in cells and (place in single or place.partition(".")[0] in numbered - {place})


def heaps_of(snapshot: Snapshot, seat: int) -> list[tuple[str, tuple[str, ...]]]:
    """The heaps of a seat or of the table, and one that could lie beside those that are told apart by numbers."""
    edition = snapshot.folded.edition
    part = edition.table(snapshot.folded.state).part(seat)
    names = [name for name in part.heaps if is_heap(edition, name)]
    for heap in edition.layout.heaps:
        after = f"{heap.name}.{1 + sum(name.startswith(f'{heap.name}.') for name in names)}"
        if heap.numbered and bool(seat) is heap.each and is_possible(snapshot, seat, after, ""):
            names.append(after)
    return [(name, kinds_of(snapshot, seat, name)) for name in names]


def kinds_of(snapshot: Snapshot, seat: int, place: str) -> tuple[str, ...]:
    """The pieces of a heap, without the marker and what nobody has seen."""
    part = snapshot.folded.edition.table(snapshot.folded.state).part(seat)
    return tuple(kind for kind in part.heaps.get(place, ()) if kind != MARKER and UNSEEN not in kind)


def current_of(snapshot: Snapshot, seat: int, place: str) -> str:
    """What the log says of a cell, a heap or a number."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    if place == SCORE and seat:
        return str(snapshot.ledger.last.track[seat - 1])
    if place in SEATS:
        return str(edition.holder(state) if place == SEATS[1] else state.seat)
    part = edition.table(state).part(seat)
    if is_heap(edition, place):
        return edition.written(kinds_of(snapshot, seat, place))
    if is_number(edition, place):
        names = {edition.corrected_as.get(name, name): name for name in part.tracks}
        return str(part.tracks[names[place]] if place in names else getattr(state, place, ""))
    return part.cells.get(place, "")


def choices_of(snapshot: Snapshot, seat: int, place: str) -> list[str]:
    """The kinds of piece that a person may say lie in a cell; none for what is told in another way."""
    edition = snapshot.folded.edition
    if form_of(edition, place) is not Form.KIND:
        return []
    return [kind for kind in (EMPTY, *edition.kinds(place)) if is_possible(snapshot, seat, place, kind)]


def additions_of(snapshot: Snapshot, seat: int, place: str, lying: Sequence[str]) -> list[str]:
    """The kinds of piece that may lie in a heap beside these."""
    edition = snapshot.folded.edition
    return [
        kind
        for kind in edition.kinds(place)
        if is_possible(snapshot, seat, place, edition.written(sorted([*lying, kind])))
    ]


def numbers_of(snapshot: Snapshot, seat: int) -> list[str]:
    """The numbers of a seat, or of the table, that can be corrected."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    digits = {track.name for track in edition.layout.tracks if track.tells != track.name}
    told = [
        edition.corrected_as.get(name, name) for name in edition.table(state).part(seat).tracks if name not in digits
    ]
    names = dict.fromkeys(told if seat else [*told, *SEATS, "round"])
    return [name for name in names if (now := current_of(snapshot, seat, name)) and _holds(snapshot, seat, name, now)]


def _holds(snapshot: Snapshot, seat: int, name: str, now: str) -> bool:
    """Whether a correction of a number is known; an open score counts as one."""
    return not now.lstrip("-").isdigit() or is_possible(snapshot, seat, name, int(now))


def is_possible(snapshot: Snapshot, seat: int, place: str, value: str | int) -> bool:
    """Whether a correction can be."""
    try:
        snapshot.folded.edition.correct(snapshot.folded.state, {place: value}, seat)
    except EngineError:
        return False
    return True


def turn_deg(edition: Edition[Any, Any], place: str, kind: str) -> int:
    """Where a card that lies turned shows its print, in degrees clockwise from the top; 0 where no cell tells it."""
    cells = {cell.name: cell for cell in edition.layout}
    slot, shown = cells.get(place), cells.get(f"{place}.{kind.rpartition(TURNED)[2]}")
    if slot is None or shown is None:
        return 0
    return round(degrees(atan2(shown.x_mm - slot.x_mm, slot.y_mm - shown.y_mm))) % 360


def preview_of(snapshot: Snapshot, seat: int, place: str, value: str | int) -> Preview:
    """What would change if a place held this."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    try:
        after = edition.correct(state, {place: value}, seat)
    except EngineError as error:
        return Preview((), (), error.words)
    shown = set(_visible(edition, state))
    violations = tuple(each for each in _visible(edition, after) if each not in shown)
    changes = _changes(edition, state, after)
    if place == SCORE and seat:
        changes.insert(0, Change(seat, _("score"), snapshot.ledger.last.track[seat - 1], after.scores[seat - 1]))
    return Preview(tuple(change for change in changes if str(change.before) != str(change.after)), violations)


def _visible(edition: Edition[Any, Any], state: Any) -> list[Violation]:
    return list(edition.table_violations(edition.table(state), None))


def _changes(edition: Edition[Any, Any], before: Any, after: Any) -> list[Change]:
    old, new = (edition.outlook(edition.table(state)) for state in (before, after))
    found = []
    for was, now in zip(old, new, strict=True):
        found += [
            Change(was.seat, _("if the round ended now"), was.round_points, now.round_points),
            Change(was.seat, _("bonuses so far"), was.bonus_points, now.bonus_points),
        ]
    return found
