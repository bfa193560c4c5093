"""One picture by itself: from a sighting to a Table with its doubts and the rules that it visibly breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from companion.reconcile.doubtful import violations_beyond
from companion.reconcile.heaps import CERTAIN, ReadHeap, cells_of_heaps, is_whole, may_lie, read_heaps
from companion.reconcile.reading import FoundSurface, TableReading, Unsure
from companion.reconcile.sense import weigh_board, weigh_supply
from companion.reconcile.tracks import (
    CERTAIN_NUMBER,
    SCORE,
    WORTH_SAYING,
    digits_of,
    settled,
    told_numbers,
    tracks_telling,
)
from engine import Edition, Layout, Part, Table
from engine.record import violation_json
from engine.table import ALL, MARKER, UNSEEN, Frozen, Kinds
from engine.text import format_text
from vision.placed import told_stranger
from vision.sighting import LooseTile, Mark, Reads, SeenSurface, Sighting, Stranger

PLAINLY_UNSEEN = 0.8
"""A cell that is less surely hidden is told as what can be seen of it looks like, and is a doubt."""


def to_table(sighting: Sighting, edition: Edition[Any, Any]) -> dict[str, Any]:
    """What a sighting shows, in the format of docs/formats.md."""
    return reading_json(read_table(sighting, edition), edition)


def read_table(sighting: Sighting, edition: Edition[Any, Any]) -> TableReading:
    """The Table that a sighting shows, with what is in doubt and where everything lies."""
    sighting = weighed(sighting, edition)
    layout, heaps = edition.layout, read_heaps(sighting, edition)
    side = sighting.side or edition.sides[0]
    surfaces = [_without_heaps(seen, layout) for seen in (*sighting.boards, *sighting.others)]
    read = [(seen, {name: _best(reads, name, edition) for name, reads in seen.cells.items()}) for seen in surfaces]
    marks = {mark: reads for seen in surfaces for mark, reads in seen.tracks.items()}
    doubts = [doubt for seen, best in read for doubt in _cell_doubts(seen, best)]
    doubts += [heap.doubt for heap in heaps if heap.doubt]
    numbers, unsure = _common_numbers(marks, layout)
    doubts += unsure
    common = replace(_part(ALL, side, read, heaps), tracks=Frozen(numbers))
    parts = [common] if common.cells or common.tracks or common.heaps else []
    seats = []
    for board in sighting.boards:
        part = _part(board.seat, side, read, heaps)
        alone = Table(sighting.edition, side, (*parts, part))
        part, unsure = _with_numbers(alone, marks, edition)
        seats.append(part)
        doubts += unsure
    return TableReading(
        Table(sighting.edition, side, (*parts, *seats)),
        tuple(doubts),
        tuple(_found(seen, best) for seen, best in read),
        {heap.name: heap.centre_px for heap in heaps if heap.centre_px},
        sighting.size_px,
        dict(_marks(sighting)),
        sighting.strangers,
    )


def _marks(sighting: Sighting) -> Iterator[tuple[int, str]]:
    """The kinds of the marks that print surely tells to be a seat's."""
    for board in sighting.boards:
        best = max(board.owner, key=board.owner.__getitem__) if board.owner else UNSEEN
        if board.owner and best != UNSEEN and board.owner[best] >= CERTAIN:
            yield board.seat, best


def _without_heaps(seen: SeenSurface, layout: Layout) -> SeenSurface:
    """A surface without the cells of heaps, which are read by themselves."""
    if not (heaped := cells_of_heaps(layout) & seen.cells.keys()):
        return seen
    return replace(seen, cells={name: reads for name, reads in seen.cells.items() if name not in heaped})


def weighed(sighting: Sighting, edition: Edition[Any, Any]) -> Sighting:
    """The sighting weighed by what must hold on each board, and by how many pieces of a kind there are in all."""
    layout, surfaces = edition.layout, (*sighting.boards, *sighting.others)
    boards = [weigh_board(seen.cells, layout, sighting.side) for seen in surfaces]
    heaps = (*(disc.tiles for disc in sighting.discs), sighting.centre or (), *(heap.tiles for heap in sighting.heaps))
    loose = [tile for tiles in heaps for tile in tiles]
    readings = [*(reads for cells in boards for reads in cells.values()), *(tile.reads for tile in loose)]
    there = [1.0] * (len(readings) - len(loose)) + [tile.sure for tile in loose]
    usual = dict.fromkeys(edition.letters, range(edition.tiles_of_each + 1))
    if _marker_cells(layout) or any(heap.marker for heap in layout.heaps):
        # One marker is in the game, in the middle or on a board: of a table that is all in view it is somewhere.
        usual[MARKER] = range(int(_is_all_in_view(sighting, layout)), 2)
    rest = iter(weigh_supply(readings, there, usual))
    seen = [replace(seen, cells={name: next(rest) for name in own}) for seen, own in zip(surfaces, boards, strict=True)]

    def heap(tiles: Sequence[LooseTile]) -> tuple[LooseTile, ...]:
        return tuple(replace(tile, reads=next(rest)) for tile in tiles)

    return replace(
        sighting,
        boards=tuple(seen[: len(sighting.boards)]),
        others=tuple(seen[len(sighting.boards) :]),
        discs=tuple(replace(disc, tiles=heap(disc.tiles)) for disc in sighting.discs),
        centre=None if sighting.centre is None else heap(sighting.centre),
        heaps=tuple(replace(each, tiles=heap(each.tiles)) for each in sighting.heaps),
    )


def _is_all_in_view(sighting: Sighting, layout: Layout) -> bool:
    """Whether all boards and discs of a game, and all cells, are in view."""
    discs, ring = sighting.discs, layout.numbered_heap
    if ring and not (len(discs) == dict(ring.counts).get(len(sighting.boards)) and is_whole(discs, ring)):
        return False
    cells = [reads for seen in (*sighting.boards, *sighting.others) for reads in seen.cells.values()]
    return all(max(reads, key=reads.__getitem__) != UNSEEN for reads in cells)


def _marker_cells(layout: Layout) -> set[str]:
    """The cells in which the first player's marker may lie."""
    return {cell.name for zone in layout.zones if zone.marker for cell in zone.cells}


def _best(reads: Reads, name: str, edition: Edition[Any, Any]) -> str:
    seen = reads if reads[UNSEEN] >= PLAINLY_UNSEEN else {**reads, UNSEEN: 0.0}
    kind = max(seen, key=seen.__getitem__)
    # What looks like a piece that cannot lie there has to be looked at.
    return kind if may_lie(kind, name, edition.slug) else UNSEEN


def _cell_doubts(seen: SeenSurface, best: Mapping[str, str]) -> Iterator[Unsure]:
    for name, reads in seen.cells.items():
        if best[name] == UNSEEN or reads[best[name]] < CERTAIN:
            yield Unsure(seen.seat, name, reads)


def _found(seen: SeenSurface, best: Mapping[str, str]) -> FoundSurface:
    confidence = min((reads[best[name]] for name, reads in seen.cells.items()), default=seen.located.sure)
    located = seen.located
    return FoundSurface(seen.seat, seen.surface, located.corners_px, located.how, confidence, seen.carried)


def _part(
    seat: int, side: str, read: Sequence[tuple[SeenSurface, Mapping[str, str]]], heaps: Sequence[ReadHeap]
) -> Part:
    """What was read of a seat, or of all, without its numbers."""
    cells = {name: kind for seen, best in read if seen.seat == seat for name, kind in best.items()}
    own: dict[str, Kinds] = {heap.name: heap.kinds for heap in heaps if heap.seat == seat}
    return Part(seat, side, Frozen(cells), heaps=Frozen(own))


def _common_numbers(marks: Mapping[Mark, Reads], layout: Layout) -> tuple[dict[str, int | None], list[Unsure]]:
    """The numbers that a single mark for all tells, and those in doubt; what cannot be seen at all is missing."""
    told: dict[str, int | None] = {}
    doubts = []
    for name in dict.fromkeys(track.tells for track in layout.tracks if not track.each):
        tracks = tracks_telling(name, layout)
        number, chances = settled(told_numbers(marks, ALL, name, layout), tracks, lambda _: True)
        if number is not None:
            told[name] = number
            doubts += [Unsure(ALL, name, chances)] if chances[str(number)] < CERTAIN_NUMBER else []
    return told, doubts


def _with_numbers(alone: Table, marks: Mapping[Mark, Reads], edition: Edition[Any, Any]) -> tuple[Part, list[Unsure]]:
    """The last part of a Table with what its tracks tell, weighed by what its pieces could have earned."""
    *others, part = alone.parts
    told: dict[str, int | None] = {}
    doubts = []

    most = edition.most_score(alone, part.seat)

    def is_possible(name: str, number: int) -> bool:
        if name == SCORE and most is not None and number > most:
            return False
        lying = replace(part, tracks=Frozen({**told, name: number}))
        found = edition.table_violations(replace(alone, parts=(*others, lying)), None)
        return all(violation.cell != name for violation in found)

    for name in dict.fromkeys(track.tells for track in edition.layout.tracks if track.each):
        tracks = tracks_telling(name, edition.layout)
        read = told_numbers(marks, part.seat, name, edition.layout)
        number, chances = settled(read, tracks, partial(is_possible, name))
        told[name] = number
        if number is not None:
            told |= digits_of(number, tracks)
        if number is None or chances[str(number)] < CERTAIN_NUMBER:
            doubts.append(Unsure(part.seat, name, chances))
    return replace(part, tracks=Frozen(told)), doubts


def reading_json(read: TableReading, edition: Edition[Any, Any]) -> dict[str, Any]:
    """A reading as docs/formats.md has it: the only place where its JSON is made."""
    table = edition.format_table(read.table) | {"size_px": list(read.size_px)}
    boards = {each.seat: each for each in reversed(read.surfaces) if each.seat != ALL}
    table["boards"] = [
        board | {"doubts": _doubts(read, board["seat"])} | _place(boards[board["seat"]]) for board in table["boards"]
    ]
    if owner := edition.layout.owner:
        for board in table["boards"]:
            board |= {owner.piece: read.marks[board["seat"]]} if board["seat"] in read.marks else {}
    for name, place in read.heaps_px.items():
        heap, _, number = name.rpartition(".")
        table[edition.heap_fields[heap]][int(number) - 1]["centre_px"] = [round(value, 1) for value in place]
    table["doubts"] = _doubts(read, ALL)
    if others := [each for each in read.surfaces if each is not boards.get(each.seat)]:
        table["surfaces"] = [{"surface": each.surface, "seat": each.seat, **_place(each)} for each in others]
    if read.strangers:
        table["left_out"] = [_left_out(stranger, read.table.edition) for stranger in read.strangers]
    doubted = [(doubt.seat, doubt.cell) for doubt in read.doubts]
    broken = violations_beyond(edition, read.table, doubted, pictured=True)
    return table | {"violations": [violation_json(each) | {"said": format_text(each.text)} for each in broken]}


def _place(found: FoundSurface) -> dict[str, Any]:
    told = {
        "corners_px": np.round(found.corners_px, 1).tolist(),
        "confidence": round(found.confidence, 4),
        "located": found.how,
    }
    return told | ({"carried": found.carried} if found.carried else {})


def _doubts(read: TableReading, seat: int) -> list[dict[str, Any]]:
    return [_doubt(doubt) for doubt in read.doubts if doubt.seat == seat]


def _doubt(doubt: Unsure) -> dict[str, Any]:
    if doubt.seen is not None:
        letters = all(len(kind) == 1 for kind in doubt.seen)
        seen: Any = "".join(doubt.seen) if letters else list(doubt.seen)
        return {"cell": doubt.cell, "reads": dict(doubt.reads), "seen": seen}
    likely = sorted(doubt.reads.items(), key=lambda entry: -entry[1])
    return {"cell": doubt.cell, "reads": {k: round(chance, 3) for k, chance in likely if chance >= WORTH_SAYING}}


def _left_out(stranger: Stranger, edition: str) -> dict[str, Any]:
    """What was taken for a board and is not read, with the reason."""
    why = told_stranger(stranger, [edition])
    return {"corners_px": np.round(stranger.corners_px, 1).tolist(), "why": str(why), "said": format_text(why)}
