"""How well a position explains a sighting, as the logarithm of a likelihood: 0 where nothing could explain it better.

A table falls into rows, discs and the centre, which are seen independently of each other. Each is weighed once for
each thing that may lie there, so positions that differ by one move cost hardly more than one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import inf, log
from typing import Any

from companion.reconcile.live.effort import Effort
from companion.reconcile.live.heap import HeapEvidence
from companion.reconcile.live.nearby import DiscTiles
from companion.reconcile.live.places import Seen
from engine import Layout, Part, Table
from engine.layout import Track
from engine.table import ALL, MARKER, Kinds
from vision.cells import UNSEEN
from vision.sighting import LooseTile, Reads

MISREAD = 1e-4
"""However clear a cell looks, it is something else so often; so no cell ever weighs more than its logarithm."""
MISREAD_SCORE = 1e-3
HOPELESS_DISC = -12.0
"""Where a disc is explained no better than this, the middle need not be weighed: it would not be believed either."""

HARDLY = log(MISREAD)
UNTOLD = -9.0
"""Something lies in the middle of which a position tells nothing."""
LOST_CARD = -9.0
"""A card lies out that a position does not tell, or the other way round."""
DOUBTFUL = -3.0
"""What fits no better than this beside what fits best does not make a cell doubtful."""
SCORE = "score"


class Evidence:
    """What a sighting says for and against positions; scores are asked for apart, since hands move them late."""

    def __init__(self, seen: Seen, layout: Layout, muted: Iterable[tuple[int, str]] = ()) -> None:
        silent = set(muted)
        self._cells: dict[int, dict[str, dict[str, float]]] = {}
        for surface in seen.surfaces:
            cells = self._cells.setdefault(surface.seat, {})
            cells |= {n: _weights(reads) for n, reads in surface.cells.items() if (surface.seat, n) not in silent}
        self._scores = {seat: told for seat in seen.boards if (told := _score_tracks(seat, seen, layout))}
        self._discs = {number: DiscTiles(seen.near[number], disc.cut_off) for number, disc in seen.discs.items()}
        self._heaps = {place: HeapEvidence(heap.tiles, heap.cut_off) for place, heap in seen.heaps.items()}
        self._loose = seen.loose
        self._centres: dict[frozenset[tuple[int, int]], HeapEvidence] = {}
        self.known: dict[Any, float] = {}
        """Whole boards that were weighed already."""
        self.effort = Effort()
        """The steps that may still be tried to explain it."""
        self._numbered, self._free = (heap.name if heap else "" for heap in (layout.numbered_heap, layout.free_heap))
        self._in_order = bool(layout.numbered_heap and layout.numbered_heap.counts)
        """Whether discs keep their numbers; cards that are laid out come and go."""

    def table(self, table: Table) -> float:
        """All that lies there without scores; what is missing or `?` is not judged."""
        return sum(map(self.board, table.parts)) + self.discs(table) + self.middle(table)

    def discs(self, table: Table) -> float:
        """What lies on all discs."""
        held = self.discs_of(table)
        if self._in_order:
            return sum(self.disc(number, kinds) for number, kinds in held.items())
        return self._cards(tuple(held.values()))

    def _cards(self, cards: tuple[Kinds, ...]) -> float:
        """Cards that lie out in no order: each is explained by the one of those seen that fits best."""
        if cards not in self.known:
            left, told = dict(self._discs), 0.0
            # The most telling first, since they fit hardly any other.
            for kinds in sorted(cards, key=len, reverse=True):
                best = max(left, key=lambda number: left[number].explained(kinds)[0], default=None)
                told += LOST_CARD if best is None else max(left.pop(best).explained(kinds)[0], LOST_CARD)
            self.known[cards] = told + LOST_CARD * len(left)
        return self.known[cards]

    def discs_of(self, table: Table) -> Mapping[int, Kinds]:
        """The heaps of which there are several, by their numbers."""
        return table.common.numbered.get(self._numbered, {})

    def middle_of(self, table: Table) -> Kinds | None:
        """The heap in the middle; None where a Table tells of none."""
        return table.common.heaps.get(self._free)

    def board(self, part: Part) -> float:
        """What belongs to a seat, or to all, without tracks, discs and the middle; 0 for what is out of view."""
        known = self.known.get(part)
        if known is None:
            heaps = (self._heap(part.seat, name, kinds) for name, kinds in part.heaps.items())
            known = self.known[part] = self.cells(part.seat, part.cells) + sum(heaps)
        return known

    def worst_heap(self, table: Table) -> float:
        """The heap of a seat that a position explains worst; 0 where none is in view."""
        heaps = ((part.seat, name, kinds) for part in table.boards for name, kinds in part.heaps.items())
        return min((self._heap(*each) for each in heaps), default=0.0)

    def _heap(self, seat: int, name: str, kinds: Kinds) -> float:
        heap = self._heaps.get((seat, name))
        return heap.likelihood(kinds) if heap else 0.0

    def cells(self, seat: int, kinds: Mapping[str, str]) -> float:
        """Some cells of a seat; those out of view and what is said to be unseen are not judged."""
        cells = self._cells.get(seat)
        if cells is None:
            return 0.0
        told = 0.0
        for name, kind in kinds.items():
            if kind != UNSEEN and name in cells:
                told += cells[name].get(kind, HARDLY)
        return told

    def cell(self, seat: int, name: str, kind: str) -> float:
        """One cell; 0 where it is out of view."""
        return self._cells.get(seat, {}).get(name, {}).get(kind, 0.0)

    def kinds_in(self, seat: int, cell: str) -> list[tuple[str, float]]:
        """What may lie in a cell, the likeliest first, with its weight; nothing where it is out of view."""
        return sorted(self._cells.get(seat, {}).get(cell, {}).items(), key=lambda each: -each[1])

    def clearly(self, seat: int, cell: str) -> str | None:
        """What a cell clearly holds; None where it is out of view or may well hold something else."""
        kinds = self.kinds_in(seat, cell)
        return kinds[0][0] if kinds and all(weight < DOUBTFUL for _, weight in kinds[1:2]) else None

    def disc(self, number: int, kinds: Kinds) -> float:
        """The pieces on a disc; 0 for one that is out of view."""
        disc = self._discs.get(number)
        return disc.explained(kinds)[0] if disc else 0.0

    def lying(self, number: int, kinds: Kinds) -> tuple[LooseTile, ...]:
        """The pieces that lie on a disc if it holds these."""
        disc = self._discs.get(number)
        return disc.held(kinds) if disc and kinds else ()

    def reread(self, number: int, size: int, kinds: Collection[str]) -> Kinds:
        """What the pieces of a disc look like now that lie where they lay before; as many as still do."""
        disc = self._discs.get(number)
        return next((held for held, _ in HeapEvidence(disc.unmoved).guesses(size, 1, kinds)), ()) if disc else ()

    def guesses(
        self, name: str, size: int, most: int, kinds: Collection[str], emptied: int = 0, seat: int = ALL
    ) -> list[tuple[Kinds, float]]:
        """What most likely lies in a heap, with its weight; nothing is known of one that is out of view.

        In the middle lies also what is seen on the disc that was emptied.
        """
        if name == self._free and seat == ALL:
            strays = self._discs[emptied].tiles if emptied in self._discs else ()
            return HeapEvidence((*self._loose, *strays)).guesses(size, most, kinds) if self._loose is not None else []
        heap, _, number = name.partition(".")
        if heap == self._numbered and number:
            disc = self._discs.get(int(number))
            return HeapEvidence(disc.tiles).guesses(size, most, kinds) if disc else []
        known = self._heaps.get((seat, name))
        return known.guesses(size, most, kinds) if known else []

    def laid_out(self, kinds: Collection[str]) -> list[Kinds]:
        """The likeliest contents of every disc or card that is seen."""
        guesses = (HeapEvidence(disc.tiles).guesses(len(disc.tiles), 1, kinds) for disc in self._discs.values())
        return [each[0][0] if each else () for each in guesses]

    def middle(self, table: Table, flipped: bool = False) -> float:
        """The heap in the middle beside what discs hold; 0 where it is out of view. `flipped`: the marker otherwise."""
        kinds = self.middle_of(table)
        if self._loose is None:
            return 0.0
        if kinds is None:
            return UNTOLD if any(tile.sure > 0.5 for tile in self._loose) else 0.0
        if flipped:
            kinds = tuple(k for k in kinds if k != MARKER) if MARKER in kinds else (MARKER, *kinds)
        discs = self.discs_of(table) if self._in_order else {}
        told = {number: self._discs[number].explained(held) for number, held in discs.items() if number in self._discs}
        if any(weight < HOPELESS_DISC for weight, _ in told.values()):
            return -inf
        strays = frozenset((number, i) for number, (_, astray) in told.items() for i in astray)
        if strays not in self._centres:
            astray = (self._discs[number].tiles[i] for number, i in strays)
            self._centres[strays] = HeapEvidence((*self._loose, *astray))
        return self._centres[strays].likelihood(kinds)

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

    def off_by(self, seat: int, score: int) -> int:
        """By how much what a seat's tracks most likely show differs from a score, laps left out."""
        off = 0
        for track, reads in self._scores.get(seat, ()):
            cell, best = track.cell_of(score), max(reads, key=reads.__getitem__)
            if cell and best != UNSEEN:
                off += track.worth * (int(best) - int(cell.rpartition(".")[2]))
        return off


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
