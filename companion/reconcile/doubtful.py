"""What of a Table is sure: rules that it breaks whatever its doubtful cells, heaps and scores hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import Edition, Layout, Part, Table, TableError, Violation
from engine.layout import is_within
from engine.table import ALL, UNSEEN, Frozen, Kinds

MOST_SCORE = 240
"""No edition is known to be won with more."""
SCORE = "score"
Doubted = tuple[int, str]
"""The seat, or 0 for all, and the name of a cell, a row, a zone, a number or a heap that is in doubt."""


def sure_violations(edition: Edition[Any, Any], table: Mapping[str, Any], state: Any = None) -> tuple[Violation, ...]:
    """The rules that a Table, as JSON with its doubts, visibly breaks, without those that rest on anything in doubt."""
    return violations_beyond(edition, edition.parse_table(table), doubted_in(table), state, is_pictured(table))


def violations_beyond(
    edition: Edition[Any, Any], table: Table, doubted: Iterable[Doubted], state: Any = None, pictured: bool = False
) -> tuple[Violation, ...]:
    """The rules that a Table visibly breaks, without those that rest on anything in doubt.

    Every doubtful part is taken for unseen, and of what is unseen an edition concludes nothing.
    """
    doubted = tuple(doubted)
    found = edition.table_violations(without_doubts(table, doubted, edition.layout, pictured), state)
    # A tile that is not surely on one disc may be on another: with a heap in doubt all of the middle is.
    is_open = any(seat == ALL for seat, _ in doubted)
    return tuple(violation for violation in found if violation.seat or not is_open)


def possible_scores(edition: Edition[Any, Any], table: Mapping[str, Any], seat: int) -> list[int]:
    """The scores that a seat may have by what surely lies on its board."""
    sure = without_doubts(edition.parse_table(table), doubted_in(table), edition.layout, is_pictured(table))
    own = sure.part(seat)
    others = tuple(part for part in sure.parts if part.seat == ALL)

    def is_possible(score: int) -> bool:
        part = replace(own, tracks=Frozen({**own.tracks, SCORE: score}))
        found = edition.table_violations(replace(sure, parts=(*others, part)), None)
        return all(violation.cell != SCORE for violation in found)

    return [score for score in range(MOST_SCORE + 1) if is_possible(score)] or [0]


def doubted_in(table: Mapping[str, Any]) -> list[Doubted]:
    """What the JSON of a Table says is in doubt."""
    found = [(ALL, cell) for cell in _cells(table)]
    return found + [(board.get("seat", 1), cell) for board in table["boards"] for cell in _cells(board)]


def is_pictured(table: Mapping[str, Any]) -> bool:
    """Whether the JSON of a Table tells where its boards lie in a picture."""
    return any("corners_px" in board for board in table["boards"])


def _cells(part: Mapping[str, Any]) -> list[str]:
    doubts = part.get("doubts", [])
    cells = [doubt.get("cell") for doubt in doubts if isinstance(doubt, Mapping)] if isinstance(doubts, list) else []
    if not isinstance(doubts, list) or len(cells) < len(doubts) or not all(isinstance(cell, str) for cell in cells):
        raise TableError(f"doubts must be a list of objects that name a cell, not {doubts!r}")
    return [str(cell) for cell in cells]


def without_doubts(table: Table, doubted: Sequence[Doubted], layout: Layout, pictured: bool = False) -> Table:
    """A Table in which everything that is in doubt is unseen."""
    named: dict[int, list[str]] = {}
    for seat, name in doubted:
        named.setdefault(seat, []).append(name)
    parts = [_hidden(part, named[part.seat], layout) if part.seat in named else part for part in table.parts]
    if pictured:
        # A disc may be out of view or overlooked, so that too few of them prove nothing.
        parts = [_without_few(part, len(table.boards), layout) if part.seat == ALL else part for part in parts]
    return replace(table, parts=tuple(parts))


def _hidden(part: Part, names: Sequence[str], layout: Layout) -> Part:
    """A part in which the cells, numbers and heaps of these names are unseen."""
    zones = {cell.name for zone in layout.zones if zone.name in names for cell in zone.cells}
    cells = {
        cell: UNSEEN if cell in zones or any(is_within(cell, name) for name in names) else kind
        for cell, kind in part.cells.items()
    }
    digits = {track.name: track.tells for track in layout.tracks}
    tracks = {name: told for name, told in part.tracks.items() if digits.get(name, name) not in names}
    if part.seat:
        tracks |= {name: None for name in names if name in part.tracks}
    heaps = dict(part.heaps)
    for name in names:
        heaps = _hide_heap(heaps, name, layout)
    return replace(part, cells=Frozen(cells), tracks=Frozen(tracks), heaps=Frozen(heaps))


def _hide_heap(heaps: Mapping[str, Kinds], name: str, layout: Layout) -> dict[str, Kinds]:
    """Heaps without one that cannot be seen; of a fixed number it stays, as one of which nothing is known."""
    group = name.partition(".")[0]
    several = layout.numbered_heap
    if several and several.name == group:
        if several.counts and name in heaps:
            return {**heaps, name: (UNSEEN,)}
        return {each: kinds for each, kinds in heaps.items() if not is_within(each, group)}
    return {each: kinds for each, kinds in heaps.items() if not is_within(name, each)}


def _without_few(part: Part, players: int, layout: Layout) -> Part:
    """What belongs to all without the heaps that are fewer or more than so many players have."""
    heap = layout.numbered_heap
    if not heap or not heap.counts or len(part.numbered.get(heap.name, ())) == dict(heap.counts).get(players):
        return part
    kept = {name: kinds for name, kinds in part.heaps.items() if not is_within(name, heap.name)}
    return replace(part, heaps=Frozen(kept))
