"""What two readings of one photo tell differently, and the first with some of it taken over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from math import dist
from typing import Any, TypeVar

from companion.scores import SCORE
from engine import Edition, Part, load
from engine.table import Frozen

V = TypeVar("V")

NOT_OF_ALL = ("edition", "side", "boards", "options")
"""What else a Table's JSON has."""


@dataclass(frozen=True)
class Difference:
    """A cell or a heap of a seat, its score, or what belongs to all (seat 0), that reads differently; `boards` is all
    of them."""

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
    edition = load(before["edition"])
    old, new = edition.parse_table(before), edition.parse_table(after)
    seats = [part.seat for part in new.boards]
    if sorted(seats) != sorted(part.seat for part in old.boards):
        yield Difference(0, "boards", str(len(old.boards)), str(len(seats)))
    for part in old.boards:
        if part.seat in seats:
            was, now = _told(part, edition), _told(new.part(part.seat), edition)
            yield from (
                Difference(part.seat, name, str(was.get(name)), str(value))
                for name, value in now.items()
                if was.get(name) != value
            )
    was, now = (_of_all(edition.format_table(table)) for table in (old, new))
    yield from (
        Difference(0, name, was.get(name, ""), now.get(name, ""))
        for name in dict.fromkeys([*was, *now])
        if was.get(name) != now.get(name)
    )


def accepted(before: Mapping[str, Any], after: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The first reading with those differences taken over from the second that are named."""
    if "0:boards" in names:
        return dict(after)
    edition = load(before["edition"])
    old, new = edition.parse_table(before), edition.parse_table(after)
    others = {board["seat"]: board for board in after["boards"]}
    taken = replace(old, parts=tuple(_taken(part, new.part(part.seat), names) for part in old.parts))
    boards = zip(before["boards"], edition.format_table(taken)["boards"], strict=True)
    written = [
        _with_doubts({**board, **told}, others[board["seat"]], names) if board["seat"] in others else board
        for board, told in boards
    ]
    both = _of_all(edition.format_table(old)).keys() | _of_all(edition.format_table(new)).keys()
    return {**before, "boards": written} | {
        name: after[name] for name in both if f"0:{name}" in names and name in after
    }


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


def _told(part: Part, edition: Edition[Any, Any]) -> dict[str, Any]:
    """What is told of a seat, by name."""
    heaps = {name: edition.written(kinds) for name, kinds in part.heaps.items()}
    return {**part.cells, **heaps, SCORE: part.tracks.get(SCORE)}


def _taken(part: Part, other: Part, names: Collection[str]) -> Part:
    """A part with what is named as the other has it."""

    def mixed(own: Mapping[str, V], new: Mapping[str, V]) -> Frozen[V]:
        return Frozen({**own, **{name: value for name, value in new.items() if f"{part.seat}:{name}" in names}})

    return replace(
        part,
        cells=mixed(part.cells, other.cells),
        tracks=mixed(part.tracks, other.tracks),
        heaps=mixed(part.heaps, other.heaps),
    )


def _with_doubts(board: Mapping[str, Any], other: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """A board with the doubts of what is named as the other has them."""

    def is_named(cell: str) -> bool:
        return f"{board['seat']}:{cell}" in names

    doubts = [
        *(doubt for doubt in board.get("doubts", ()) if not is_named(doubt["cell"])),
        *(doubt for doubt in other.get("doubts", ()) if is_named(doubt["cell"])),
    ]
    if "reads" not in board:
        return {**board, "doubts": doubts}
    kept = {cell: reads for cell, reads in board["reads"].items() if not is_named(cell)}
    reads = kept | {cell: reads for cell, reads in other.get("reads", {}).items() if is_named(cell)}
    return {**board, "doubts": doubts, "reads": reads}


def _of_all(table: Mapping[str, Any]) -> dict[str, str]:
    """What belongs to all, by the names that a Table's JSON has for it."""
    return {name: _text(value) for name, value in table.items() if name not in NOT_OF_ALL}


def _text(value: Any) -> str:
    """Heaps by their pieces, in an order that does not matter; other things as they are."""
    if isinstance(value, list):
        return " ".join(sorted(map(_text, value)))
    return str(value["tiles"]) if isinstance(value, dict) and "tiles" in value else str(value)
