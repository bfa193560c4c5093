"""What two readings of one photo tell differently, and the first with some of it taken over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from math import dist
from typing import Any

from companion.tables import edition_of, parts_of
from engine import Part
from engine.table import Frozen

MIDDLE = ("factories", "centre")


@dataclass(frozen=True)
class Difference:
    """A cell of a board, its score, or part of the middle (seat 0) that reads differently; `boards` is all of them."""

    seat: int
    cell: str
    before: str
    after: str

    @property
    def name(self) -> str:
        """What an answer calls it."""
        return f"{self.seat}:{self.cell}"


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    """Everything that differs, board by board."""
    was, now = parts_of(before), parts_of(after)
    if now.keys() != was.keys():
        yield Difference(0, "boards", str(len(was)), str(len(now)))
    for seat in was.keys() & now.keys():
        old, new = _cells(was[seat]), _cells(now[seat])
        yield from (
            Difference(seat, cell, str(old.get(cell)), str(value))
            for cell, value in new.items()
            if old.get(cell) != value
        )
    for name in MIDDLE:
        old_tiles, new_tiles = (_tiles(reading.get(name)) for reading in (before, after))
        if old_tiles != new_tiles:
            yield Difference(0, name, old_tiles, new_tiles)


def accepted(before: Mapping[str, Any], after: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The first reading with those differences taken over from the second that are named."""
    if "0:boards" in names:
        return dict(after)
    edition = edition_of(dict(before), None)
    old, new = edition.parse_table(before), parts_of(after)
    parts = tuple(_taken(part, new.get(part.seat), names) for part in old.parts)
    written = edition.format_table(replace(old, parts=parts))
    others = {board["seat"]: board for board in after["boards"]}
    boards = [
        _with_doubts({**board, **now}, others.get(board["seat"], {}), names)
        for board, now in zip(before["boards"], written["boards"], strict=True)
    ]
    taken = {**before, "boards": boards}
    return taken | {name: after[name] for name in MIDDLE if f"0:{name}" in names and name in after}


def reseated(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The second reading with the seats of the first: it is the same photo, so each board lies where it lay."""
    places = {board["seat"]: _middle(board) for board in before["boards"] if "corners_px" in board}
    middles = dict(enumerate(map(_middle, after["boards"])))
    pairs = sorted((dist(middle, place), i, seat) for i, middle in middles.items() for seat, place in places.items())
    seats: dict[int, int] = {}
    for _, i, seat in pairs:
        if i not in seats and seat not in seats.values():
            seats[i] = seat
    spare = (seat for seat in count(1) if seat not in places)
    boards = [{**board, "seat": seats.get(i) or next(spare)} for i, board in enumerate(after["boards"])]
    return {**after, "boards": sorted(boards, key=lambda board: board["seat"])}


def _middle(board: Mapping[str, Any]) -> tuple[float, float]:
    corners = board["corners_px"]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _cells(part: Part) -> dict[str, Any]:
    return {**part.cells, **part.tracks}


def _taken(part: Part, other: Part | None, names: Collection[str]) -> Part:
    """A board with the cells and numbers that are named as the other has them."""
    if other is None:
        return part
    cells = {cell: kind for cell, kind in other.cells.items() if f"{part.seat}:{cell}" in names}
    tracks = {name: told for name, told in other.tracks.items() if f"{part.seat}:{name}" in names}
    return replace(part, cells=Frozen({**part.cells, **cells}), tracks=Frozen({**part.tracks, **tracks}))


def _with_doubts(board: Mapping[str, Any], other: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """A board whose doubts about what was taken over are those of the other."""

    def is_taken(cell: str) -> bool:
        return f"{board['seat']}:{cell}" in names

    taken = dict(board)
    taken["doubts"] = [
        *(doubt for doubt in board.get("doubts", ()) if not is_taken(doubt["cell"])),
        *(doubt for doubt in other.get("doubts", ()) if is_taken(doubt["cell"])),
    ]
    if "reads" in board:
        kept = {cell: reads for cell, reads in board["reads"].items() if not is_taken(cell)}
        taken["reads"] = kept | {cell: reads for cell, reads in other.get("reads", {}).items() if is_taken(cell)}
    return taken


def _tiles(heaps: Any) -> str:
    if isinstance(heaps, list):
        return " ".join(sorted(heap["tiles"] for heap in heaps))
    return str(heaps["tiles"]) if heaps else ""
