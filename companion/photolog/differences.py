"""What two readings of one photo tell differently, and the first with some of it taken over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from math import dist
from typing import Any

from vision.table import letters, with_letters

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
    boards = {board["seat"]: board for board in after["boards"]}
    if boards.keys() != {board["seat"] for board in before["boards"]}:
        yield Difference(0, "boards", str(len(before["boards"])), str(len(boards)))
    for board in before["boards"]:
        if (now := boards.get(board["seat"])) is None:
            continue
        old, new = _cells(board), _cells(now)
        yield from (
            Difference(board["seat"], cell, str(old.get(cell)), str(value))
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
    boards = {board["seat"]: board for board in after["boards"]}
    taken = {
        **before,
        "boards": [
            _taken(board, boards[board["seat"]], names) if board["seat"] in boards else board
            for board in before["boards"]
        ],
    }
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


def _cells(board: Mapping[str, Any]) -> dict[str, Any]:
    return letters(board) | {"score": board.get("score")}


def _taken(board: Mapping[str, Any], other: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """A board with the cells that are named as the other has them."""
    cells = {cell for cell in _cells(other) if f"{board['seat']}:{cell}" in names}
    told = letters(board) | {cell: letter for cell, letter in letters(other).items() if cell in cells}
    taken = with_letters(board, told)
    if "score" in cells:
        taken["score"] = other.get("score")
    taken["doubts"] = [
        *(doubt for doubt in board.get("doubts", ()) if doubt["cell"] not in cells),
        *(doubt for doubt in other.get("doubts", ()) if doubt["cell"] in cells),
    ]
    if "reads" in board:
        kept = {cell: reads for cell, reads in board["reads"].items() if cell not in cells}
        taken["reads"] = kept | {cell: reads for cell, reads in other.get("reads", {}).items() if cell in cells}
    return taken


def _tiles(heaps: Any) -> str:
    if isinstance(heaps, list):
        return " ".join(sorted(heap["tiles"] for heap in heaps))
    return str(heaps["tiles"]) if heaps else ""
