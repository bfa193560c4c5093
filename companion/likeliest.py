"""The likeliest Table of a sighting, in any edition, with its doubts: no rule weighs what was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.reconcile.looks import score_reads, zone_of
from companion.reconcile.photo import CERTAIN, CERTAIN_SCORE, SCORE
from engine import Edition, Part, Table
from engine.table import ALL, MARKER, UNSEEN, Frozen, Kinds, kinds_of
from vision.sighting import LooseTile, Reads, SeenSurface, Sighting

Doubts = list[dict[str, Any]]


def likeliest(sighting: Sighting, edition: Edition[Any, Any]) -> dict[str, Any]:
    """A Table as JSON, each thing as it most likely is; what is not certain is a doubt."""
    doubts: Doubts = []
    common = _common(sighting, edition, doubts)
    boards = [_board(board, sighting, edition) for board in sighting.boards]
    table = Table(sighting.edition, sighting.side, (common, *(part for part, _ in boards)))
    written = edition.format_table(table)
    told = zip(written["boards"], boards, strict=True)
    return {**written, "doubts": doubts, "boards": [board | {"doubts": own} for board, (_, own) in told]}


def _board(board: SeenSurface, sighting: Sighting, edition: Edition[Any, Any]) -> tuple[Part, Doubts]:
    doubts: Doubts = []
    surfaces = (board, *(other for other in sighting.others if other.seat == board.seat))
    cells = _cells((surface.cells for surface in surfaces), edition, doubts)
    scores = score_reads(board, sighting, edition.layout)
    shown = _best(scores)
    if shown == UNSEEN or scores[shown] < CERTAIN_SCORE:
        doubts.append({"cell": SCORE, "reads": dict(scores)})
    own = [heap for heap in sighting.heaps if heap.seat == board.seat]
    heaps = {heap.name: _heap(heap.name, heap.tiles, False, doubts) for heap in own}
    score = None if shown == UNSEEN else int(shown)
    return Part(board.seat, sighting.side, Frozen(cells), Frozen({SCORE: score}), Frozen(heaps)), doubts


def _common(sighting: Sighting, edition: Edition[Any, Any], doubts: Doubts) -> Part:
    shared = [surface for surface in sighting.others if surface.seat == ALL]
    return Part(
        ALL,
        sighting.side,
        Frozen(_cells((surface.cells for surface in shared), edition, doubts)),
        Frozen(_numbers(shared, edition)),
        Frozen(_heaps(sighting, edition, doubts)),
    )


def _numbers(shared: Sequence[SeenSurface], edition: Edition[Any, Any]) -> Iterator[tuple[str, int]]:
    """What the only marks of tracks tell, where they can be read."""
    tells = {track.name: track.tells for track in edition.layout.tracks if not track.each}
    for surface in shared:
        for (_, name), reads in surface.tracks.items():
            best = _best(reads)
            if name in tells and best != UNSEEN and reads[best] >= CERTAIN_SCORE:
                yield tells[name], int(best)


def _heaps(sighting: Sighting, edition: Edition[Any, Any], doubts: Doubts) -> Iterator[tuple[str, Kinds]]:
    for number, disc in enumerate(sighting.discs, 1):
        yield f"{disc.name}.{number}", _heap(f"{disc.name}.{number}", disc.tiles, False, doubts)
    if sighting.centre is not None:
        heap = next(heap for heap in edition.layout.heaps if not heap.each and not heap.numbered)
        yield heap.name, _heap(heap.name, sighting.centre, heap.marker, doubts)


def _cells(surfaces: Iterable[Mapping[str, Reads]], edition: Edition[Any, Any], doubts: Doubts) -> dict[str, str]:
    seen = {name: reads for cells in surfaces for name, reads in cells.items()}
    best = {name: _fitting(_best(reads), zone_of(edition.slug, name).marker) for name, reads in seen.items()}
    unsure = [name for name, kind in best.items() if kind == UNSEEN or seen[name][kind] < CERTAIN]
    doubts += [{"cell": name, "reads": dict(seen[name])} for name in unsure]
    return best


def _heap(name: str, tiles: Sequence[LooseTile], marker: bool, doubts: Doubts) -> Kinds:
    """The pieces that are there, `?` for one whose kind is not certain; a doubt for the heap if their number is not."""
    if any(max(tile.sure, 1 - tile.sure) < CERTAIN for tile in tiles):
        doubts.append({"cell": name, "reads": {}})
    return kinds_of(_certain(tile.reads, marker) for tile in tiles if tile.sure >= 0.5)


def _certain(reads: Reads, marker: bool) -> str:
    best = _best(reads)
    return _fitting(best, marker) if reads[best] >= CERTAIN else UNSEEN


def _fitting(kind: str, marker: bool) -> str:
    """What looks like the first player's marker where it does not belong has to be looked at."""
    return UNSEEN if kind == MARKER and not marker else kind


def _best(reads: Reads) -> str:
    return max(reads, key=reads.__getitem__)
