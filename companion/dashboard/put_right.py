"""A reading of a photo that is in no game yet, with what people put right in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.dashboard.corrections import Form, form_of
from companion.dashboard.drawing.boards import BoardDrawing, beside, own_drawings, shared_drawings
from companion.reconcile.doubtful import violations_beyond
from engine import Edition, Outlook, Part, Table, load
from engine.record import violation_json
from engine.table import EMPTY, MARKER, UNSEEN, Frozen
from engine.text import format_text

Heap = tuple[str, tuple[str, ...]]
"""A heap by its name, with its pieces."""


@dataclass(frozen=True)
class SeatShown:
    """What a photo shows of one seat."""

    seat: int
    drawings: tuple[BoardDrawing, ...]
    beside: tuple[Heap, ...]
    outlook: Outlook


@dataclass(frozen=True)
class Doubtful:
    """A place that is in doubt, and what may lie there, the likeliest first."""

    seat: int
    place: str
    reads: tuple[str, ...]


@dataclass(frozen=True)
class TableShown:
    """What a photo shows, as pages draw it."""

    edition: Edition[Any, Any]
    seats: tuple[SeatShown, ...]
    shared: tuple[BoardDrawing, ...]
    heaps: tuple[Heap, ...]
    doubts: tuple[Doubtful, ...]


def shown_by(reading: Mapping[str, Any]) -> TableShown:
    """What a reading shows."""
    edition = load(reading["edition"])
    table = edition.parse_table(reading)
    count = min(max(len(table.boards), edition.players[0]), edition.players[-1])
    setup = edition.setup(reading["side"], count, 1)
    outlooks = {outlook.seat: outlook for outlook in edition.outlook(table)}
    seats = tuple(
        SeatShown(
            part.seat,
            tuple(own_drawings(edition, setup, part, tracks=True)),
            tuple(beside(edition.layout, part)),
            outlooks[part.seat],
        )
        for part in table.boards
    )
    heaps = tuple((name, kinds) for name, kinds in table.common.heaps.items())
    return TableShown(edition, seats, tuple(shared_drawings(edition, setup, table)), heaps, _doubts(reading))


def value_of(reading: Mapping[str, Any], seat: int, place: str) -> tuple[str, ...]:
    """What a reading has in a place: the kinds of a heap, else one kind or number."""
    part = load(reading["edition"]).parse_table(reading).part(seat)
    if place in part.heaps:
        return part.heaps[place]
    number = part.tracks.get(place)
    return (part.cells.get(place, "" if number is None else str(number)),)


def put_right(reading: Mapping[str, Any], seat: int, place: str, values: Sequence[str]) -> dict[str, Any]:
    """The reading with what a person says lies in a place; it is in doubt no more. What cannot be raises."""
    edition = load(reading["edition"])
    old = edition.parse_table(reading)
    parts = tuple(_with(part, place, values, edition) if part.seat == seat else part for part in old.parts)
    told = edition.format_table(replace(old, parts=parts))
    for field in edition.heap_fields.values():
        places = [heap.get("centre_px") for heap in reading.get(field) or ()]
        for heap, at in zip(told.get(field) or (), places, strict=False):
            heap |= {"centre_px": at} if at else {}
    boards = [
        _without(old_board, seat, place) | new for old_board, new in zip(reading["boards"], told["boards"], strict=True)
    ]
    doubts = [doubt for doubt in reading["doubts"] if seat or doubt["cell"] != place]
    right = {**reading, **told, "boards": boards, "doubts": doubts}
    return right | {"violations": _violations(edition, edition.parse_table(right), right)}


def _with(part: Part, place: str, values: Sequence[str], edition: Edition[Any, Any]) -> Part:
    form = form_of(edition, place)
    if form is Form.HEAP:
        marker = [kind for kind in part.heaps.get(place, ()) if kind == MARKER]
        return replace(part, heaps=Frozen({**part.heaps, place: tuple(sorted((*marker, *values)))}))
    if form is Form.NUMBER:
        return replace(part, tracks=Frozen({**part.tracks, place: int(values[0])}))
    return replace(part, cells=Frozen({**part.cells, place: values[0]}))


def _without(board: Mapping[str, Any], seat: int, place: str) -> dict[str, Any]:
    """A board's JSON without the doubt about a place, if it is of that seat."""
    doubts = [doubt for doubt in board["doubts"] if board["seat"] != seat or doubt["cell"] != place]
    return {**board, "doubts": doubts}


def _violations(edition: Edition[Any, Any], table: Table, reading: Mapping[str, Any]) -> list[dict[str, Any]]:
    doubted = [(doubt.seat, doubt.place) for doubt in _doubts(reading)]
    found = violations_beyond(edition, table, doubted, pictured=True)
    return [violation_json(each) | {"said": format_text(each.text)} for each in found]


def _doubts(reading: Mapping[str, Any]) -> tuple[Doubtful, ...]:
    pairs = [(board["seat"], doubt) for board in reading["boards"] for doubt in board["doubts"]]
    pairs += [(0, doubt) for doubt in reading["doubts"]]
    return tuple(Doubtful(seat, doubt["cell"], _likely(doubt["reads"])) for seat, doubt in pairs)


def _likely(reads: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted((read for read in reads if read != UNSEEN), key=lambda read: -reads[read])) or (EMPTY,)
