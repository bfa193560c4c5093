"""How well a position explains a sighting, as the logarithm of a likelihood: 0 where nothing could explain it better.

A table falls into rows, discs and the centre, which are seen independently of each other. Each is weighed once for
each thing that may lie there, so positions that differ by one move cost hardly more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, log
from typing import Any

from companion.reconcile.heap import Heap
from companion.reconcile.nearby import DiscTiles
from companion.reconcile.places import Seen
from companion.reconcile.sense import MARKER
from vision.cells import EMPTY, UNSEEN
from vision.sighting import LooseTile, Reads
from vision.table import FLOOR_CELLS

MISREAD = 1e-4
"""However clear a cell looks, it is something else so often; so no cell ever weighs more than its logarithm."""
MISREAD_SCORE = 1e-3
HOPELESS_DISC = -12.0
"""Where a disc is explained no better than this, the middle need not be weighed: it would not be believed either."""

Table = Mapping[str, Any]
Row = tuple[str, str]


class Evidence:
    """What a sighting says for and against positions; scores are asked for apart, since hands move them late."""

    def __init__(self, seen: Seen, muted: Iterable[tuple[int, str]] = ()) -> None:
        silent = set(muted)
        self._cells = {
            seat: {name: _weights(reads) for name, reads in board.cells.items() if (seat, name) not in silent}
            for seat, board in seen.boards.items()
        }
        self._tracks = {seat: board.tracks for seat, board in seen.boards.items()}
        self._discs = {number: DiscTiles(seen.near[number], disc.cut_off) for number, disc in seen.discs.items()}
        self._loose = seen.loose
        self._centres: dict[frozenset[tuple[int, int]], Heap] = {}
        self._rows: dict[tuple[int, str, str], float] = {}
        self.known: dict[Any, float] = {}
        """Whole boards of positions that were weighed already."""

    def table(self, table: Table) -> float:
        """A whole Table without its scores; what it leaves out or calls `?` is not judged."""
        told = sum(self.board(board["seat"], board) for board in table["boards"])
        told += sum(self.disc(number, disc["tiles"]) for number, disc in enumerate(table.get("factories", ()), 1))
        discs = [disc["tiles"] for disc in table.get("factories", ())]
        return told + (self.middle(table["centre"], discs) if "centre" in table else 0.0)

    def board(self, seat: int, board: Table) -> float:
        """A board of a Table, without its score; 0 for one that is out of view."""
        return sum(self.row(seat, name, letters) for name, letters in rows(board)) if seat in self._cells else 0.0

    def row(self, seat: int, name: str, letters: str) -> float:
        """One row of a board by its name (`line.3`) and its letters; what is stacked beyond its cells is not seen."""
        key = seat, name, letters
        if key not in self._rows:
            self._rows[key] = self._weigh_row(seat, name, letters)
        return self._rows[key]

    def cell(self, seat: int, name: str, letter: str) -> float:
        """One cell; 0 where it is out of view."""
        return self._cells.get(seat, {}).get(name, {}).get(letter, 0.0)

    def disc(self, number: int, tiles: str) -> float:
        """The tiles on a disc; 0 for one that is out of view."""
        disc = self._discs.get(number)
        return disc.explained(tiles)[0] if disc else 0.0

    def lying(self, number: int, tiles: str) -> tuple[LooseTile, ...]:
        """The tiles that lie on a disc if it holds these."""
        disc = self._discs.get(number)
        return disc.held(tiles) if disc and tiles else ()

    def reread(self, number: int, size: int, kinds: str) -> str:
        """What the tiles of a disc look like now that lie where they lay before; as many as still do."""
        disc = self._discs.get(number)
        return next((tiles for tiles, _ in Heap(disc.unmoved).guesses(size, 1, kinds)), "") if disc else ""

    def guesses(self, cell: str, size: int, most: int, kinds: str, emptied: int = 0) -> list[tuple[str, float]]:
        """What most likely lies in a heap (`factory.3`, `centre`); nothing is known of one that is out of view.

        In the centre lies also what is seen on the disc that was emptied.
        """
        if cell == "centre":
            strays = self._discs[emptied].tiles if emptied in self._discs else ()
            return Heap((*self._loose, *strays)).guesses(size, most, kinds) if self._loose is not None else []
        disc = self._discs.get(int(cell.removeprefix("factory.")))
        return Heap(disc.tiles).guesses(size, most, kinds) if disc else []

    def centre(self, tiles: str, marker: bool, discs: Sequence[str]) -> float:
        """The tiles in the middle, with the marker or without, beside what discs hold; 0 where it is out of view."""
        if self._loose is None:
            return 0.0
        told = {
            number: self._discs[number].explained(held) for number, held in enumerate(discs, 1) if number in self._discs
        }
        if any(weight < HOPELESS_DISC for weight, _ in told.values()):
            return -inf
        strays = frozenset((number, i) for number, (_, astray) in told.items() for i in astray)
        if strays not in self._centres:
            astray = (self._discs[number].tiles[i] for number, i in strays)
            self._centres[strays] = Heap((*self._loose, *astray))
        return self._centres[strays].likelihood(tiles + MARKER if marker else tiles)

    def middle(self, centre: Table, discs: Sequence[str]) -> float:
        """The centre of a Table."""
        return self.centre(centre["tiles"], bool(centre.get("first_player")), discs)

    def score(self, seat: int, score: int) -> float:
        """What a seat's track or sliders show; a track begins again beyond its end. 0 where it is out of view."""
        if seat not in self._tracks:
            return 0.0
        tracks, told = self._tracks[seat], 0.0
        shown = _laps(score, tracks[0]) if len(tracks) == 1 else [str(score // 10 % 10), str(score % 10)]
        for reads, number in zip(tracks, shown, strict=True):
            told += _weights(reads, MISREAD_SCORE).get(number, log(MISREAD_SCORE))
        return told

    def shown_score(self, seat: int) -> tuple[int, float] | None:
        """The score that a seat's track or sliders most likely show, and how likely; None where none can be seen."""
        number, sure = 0, 1.0
        for reads in self._tracks.get(seat, ()):
            best = max(reads, key=reads.__getitem__)
            if best == UNSEEN:
                return None
            number, sure = number * 10 + int(best), sure * reads[best]
        return (number, sure) if seat in self._tracks else None

    def _weigh_row(self, seat: int, name: str, letters: str) -> float:
        cells = self._cells.get(seat, {})
        named = ((f"{name}.{i}", letter) for i, letter in enumerate(letters, 1) if letter != UNSEEN)
        return sum(cells[cell].get(letter, log(MISREAD)) for cell, letter in named if cell in cells)


def rows(board: Table) -> Iterator[Row]:
    """The rows of a Table's board: their names and their letters."""
    for row, cells in enumerate(board.get("wall", ()), 1):
        yield f"wall.{row}", cells
    for row, cells in enumerate(board.get("lines", ()), 1):
        yield f"line.{row}", cells
    if "floor" in board:
        # Its text ends with its last tile.
        yield "floor", board["floor"].ljust(FLOOR_CELLS, EMPTY)
    for star, cells in board.get("stars", {}).items():
        yield f"star.{star}", cells
    if "corners" in board:
        yield "corner", board["corners"]


def _laps(score: int, track: Reads) -> list[str]:
    last = max(int(number) for number in track if number != UNSEEN)
    return [str(score if score <= last else (score - 1) % last + 1)]


def _weights(reads: Reads, misread: float = MISREAD) -> dict[str, float]:
    """For each letter the logarithm of how well it explains a reading; what is unseen speaks for all alike."""
    letters = [letter for letter in reads if letter != UNSEEN]
    blind = reads.get(UNSEEN, 0.0) / max(len(letters), 1)
    chances = {letter: reads[letter] + blind for letter in letters}
    most = max(chances.values(), default=0.0)
    return {letter: log(max(chance / most, misread)) for letter, chance in chances.items()} if most > 0 else {}
