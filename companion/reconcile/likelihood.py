"""How well a position explains a sighting, as the logarithm of a likelihood: 0 where nothing could explain it better.

A table falls into rows, discs and the centre, which are seen independently of each other. Each is weighed once for
each thing that may lie there, so positions that differ by one move cost hardly more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, log
from typing import Any

from companion.reconcile.heap import Heap
from companion.reconcile.nearby import DiscTiles
from companion.reconcile.places import Seen
from companion.reconcile.sense import MARKER
from engine import Layout, Part, Table
from engine.layout import Track
from vision.cells import UNSEEN
from vision.sighting import LooseTile, Reads

MISREAD = 1e-4
"""However clear a cell looks, it is something else so often; so no cell ever weighs more than its logarithm."""
MISREAD_SCORE = 1e-3
HOPELESS_DISC = -12.0
"""Where a disc is explained no better than this, the middle need not be weighed: it would not be believed either."""

HARDLY = log(MISREAD)
SCORE = "score"


class Evidence:
    """What a sighting says for and against positions; scores are asked for apart, since hands move them late."""

    def __init__(self, seen: Seen, layout: Layout, muted: Iterable[tuple[int, str]] = ()) -> None:
        silent = set(muted)
        self._cells = {
            seat: {name: _weights(reads) for name, reads in board.cells.items() if (seat, name) not in silent}
            for seat, board in seen.boards.items()
        }
        self._scores = {seat: told for seat in seen.boards if (told := _score_tracks(seat, seen, layout))}
        self._discs = {number: DiscTiles(seen.near[number], disc.cut_off) for number, disc in seen.discs.items()}
        self._loose = seen.loose
        self._centres: dict[frozenset[tuple[int, int]], Heap] = {}
        self.known: dict[Any, float] = {}
        """Whole boards that were weighed already."""

    def table(self, table: Table) -> float:
        """All that lies there without scores; what is missing or `?` is not judged."""
        discs = discs_of(table)
        told = sum(map(self.board, table.boards)) + sum(self.disc(n, tiles) for n, tiles in enumerate(discs, 1))
        return told + (self.middle(table.common.heaps["centre"], discs) if "centre" in table.common.heaps else 0.0)

    def board(self, part: Part) -> float:
        """The board of a seat, without its score; 0 for one that is out of view."""
        if part not in self.known:
            self.known[part] = self.cells(part.seat, part.cells)
        return self.known[part]

    def cells(self, seat: int, kinds: Mapping[str, str]) -> float:
        """Some cells of a seat; those out of view and what is said to be unseen are not judged."""
        cells = self._cells.get(seat)
        if cells is None:
            return 0.0
        judged = (name for name, kind in kinds.items() if kind != UNSEEN and name in cells)
        return sum(cells[name].get(kinds[name], HARDLY) for name in judged)

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

    def middle(self, centre: Sequence[str], discs: Sequence[str]) -> float:
        """The kinds in the centre, beside what discs hold."""
        return self.centre("".join(kind for kind in centre if kind != MARKER), MARKER in centre, discs)

    def score(self, seat: int, score: int) -> float:
        """How well a score explains what a seat's tracks show, laps left out; 0 where they are out of view."""
        told = 0.0
        for track, reads in self._scores.get(seat, ()):
            cell = track.cell_of(score)
            number = cell.rpartition(".")[2] if cell else ""
            told += _weights(reads, MISREAD_SCORE).get(number, log(MISREAD_SCORE))
        return told

    def shown_score(self, seat: int) -> tuple[int, float] | None:
        """The score that a seat's tracks most likely show, and how likely; None where none can be seen."""
        number, sure = 0, 1.0
        for track, reads in self._scores.get(seat, ()):
            best = max(reads, key=reads.__getitem__)
            if best == UNSEEN:
                return None
            number, sure = number + track.worth * int(best), sure * reads[best]
        return (number, sure) if seat in self._scores else None


def discs_of(table: Table) -> list[str]:
    """The tiles on each disc, by their letters."""
    return ["".join(kinds) for name, kinds in table.common.heaps.items() if name.startswith("factory.")]


def _score_tracks(seat: int, seen: Seen, layout: Layout) -> list[tuple[Track, Reads]]:
    """The tracks that tell a seat's score, on its own boards or on shared ones, with what is read there."""
    marks = {mark: reads for surface in seen.surfaces for mark, reads in surface.tracks.items()}
    scores = (track for track in layout.tracks if track.tells == SCORE)
    return [(track, marks[seat, track.name]) for track in scores if (seat, track.name) in marks]


def _weights(reads: Reads, misread: float = MISREAD) -> dict[str, float]:
    """For each letter the logarithm of how well it explains a reading; what is unseen speaks for all alike."""
    letters = [letter for letter in reads if letter != UNSEEN]
    blind = reads.get(UNSEEN, 0.0) / max(len(letters), 1)
    chances = {letter: reads[letter] + blind for letter in letters}
    most = max(chances.values(), default=0.0)
    return {letter: log(max(chance / most, misread)) for letter, chance in chances.items()} if most > 0 else {}
