"""The heaps of a table as one picture shows them: on discs, in the middle, and those of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from companion.reconcile.reading import Unsure
from companion.reconcile.rims import is_usual, parted
from companion.reconcile.sense import FITS, normal, weigh_count
from engine import Edition, Layout, Zone, load
from engine.layout import Heap
from engine.table import ALL, EMPTY, MARKER, UNSEEN, Kinds, kinds_of
from vision.sighting import LooseTile, Reads, SeenHeap, SeenSurface, Sighting

CERTAIN = 0.99
"""A reading less likely than this is a doubt; of 90,789 cells of own renderings four are then silently wrong."""
PLAIN_DISC = 0.95
"""What is less surely a disc may be something else; set on own renderings, where 2 of 669 surer ones were."""


@dataclass(frozen=True)
class ReadHeap:
    """A heap of a seat, or with seat 0 of all, by its name."""

    seat: int
    name: str
    kinds: Kinds
    doubt: Unsure | None
    centre_px: tuple[float, float] | None = None
    """Of one of several."""


def read_heaps(sighting: Sighting, edition: Edition[Any, Any]) -> list[ReadHeap]:
    """Every heap in view, those of all first."""
    layout = edition.layout
    ring, middle = layout.numbered_heap, layout.free_heap
    found = list(_of_all(sighting, ring, middle, edition)) if ring and middle else []
    for heap in sighting.heaps:
        tiles = _told(heap.tiles, heap.name, edition)
        found.append(_read(heap.seat, heap.name, tiles, [tile.sure for tile in tiles], heap.cut_off or heap.crowded))
    for seen in (*sighting.boards, *sighting.others):
        zones = (zone for zone in layout.zones if zone.heap and zone.cells[0].name in seen.cells)
        found += [_in_cells(seen, zone, edition) for zone in zones]
    return found


@lru_cache(maxsize=1 << 10)
def kinds_lying(name: str, edition: str) -> frozenset[str]:
    """The kinds of pieces that may lie in a cell or a heap, with `.` and `?` for none and for one that is not told."""
    game = load(edition)
    plain = name.partition(".")[0]
    marked = any(heap.marker for heap in game.layout.heaps if heap.name == plain)
    marked = marked or any(zone.marker for zone in game.layout.zones for cell in zone.cells if cell.name == name)
    return frozenset(game.kinds(name)) - {MARKER} | {EMPTY, UNSEEN} | ({MARKER} if marked else set())


@lru_cache(maxsize=1 << 14)
def may_lie(kind: str, name: str, edition: str) -> bool:
    """Whether a kind of piece may lie in a cell or a heap; of a card that is not wholly told its beginning counts."""
    known, (begun, unsure, _) = kinds_lying(name, edition), kind.partition(UNSEEN)
    return kind in known or bool(unsure and begun and any(each.startswith(begun) for each in known))


def _told(tiles: Sequence[LooseTile], name: str, edition: Edition[Any, Any]) -> list[LooseTile]:
    """The pieces of a heap; one that looks like no kind of those that may lie there is of a kind that is not told."""
    return [replace(tile, reads=_possible(tile.reads, name, edition.slug)) for tile in tiles]


def _possible(reads: Reads, name: str, edition: str) -> Reads:
    """Readings of a piece, weighed by what may lie there if they tell of something else."""
    if may_lie(max(reads, key=reads.__getitem__), name, edition):
        return reads
    fitting = {kind for kind in reads if may_lie(kind, name, edition)}
    weighed = normal({kind: chance * (FITS if kind in fitting else 1) for kind, chance in reads.items()})
    return weighed if max(weighed, key=weighed.__getitem__) in fitting else dict(reads) | {UNSEEN: 1.0}


def cells_of_heaps(layout: Layout) -> set[str]:
    """The cells of which it does not matter in which a piece lies."""
    return {cell.name for zone in layout.zones if zone.heap for cell in zone.cells}


def _in_cells(seen: SeenSurface, zone: Zone, edition: Edition[Any, Any]) -> ReadHeap:
    """A heap that lies in cells of a surface."""
    kinds, reads, hidden = [], {}, False
    for cell in zone.cells:
        told = _possible(seen.cells.get(cell.name, {UNSEEN: 1.0}), zone.name, edition.slug)
        best = max(told, key=told.__getitem__)
        if best not in (EMPTY, UNSEEN):
            kinds.append(best)
        if told[best] < CERTAIN and best != UNSEEN:
            reads[best] = round(told[best], 3)
        hidden = hidden or best == UNSEEN
    doubt = Unsure(seen.seat, zone.name, reads, kinds_of(kinds)) if reads or hidden else None
    return ReadHeap(seen.seat, zone.name, kinds_of(kinds), doubt)


def _of_all(sighting: Sighting, ring: Heap, middle: Heap, edition: Edition[Any, Any]) -> Iterator[ReadHeap]:
    discs, strays = _usual_discs(sighting, ring)
    torn = [_is_torn(disc, ring) for disc in discs]
    free = [*(sighting.centre or ()), *strays]
    whole = is_whole(discs, ring)
    if whole:
        before = [disc.tiles for disc in discs]
        discs, free = parted(discs, free, ring.holds)
        torn = [each or disc.tiles != tiles for each, disc, tiles in zip(torn, discs, before, strict=True)]
    in_view = sighting.centre is not None
    if not ring.counts and (discs or in_view):
        # There may be none of them: that they would be in view is said by the name alone.
        yield ReadHeap(ALL, ring.name, (), None)
    for number, (disc, unsure) in enumerate(zip(discs, torn, strict=True), 1):
        own, others = _on_disc(disc, ring, middle)
        free += others
        own = _told(own, f"{ring.name}.{number}", edition)
        sure = weigh_count([tile.sure for tile in own], ring.holds)
        read = _read(ALL, f"{ring.name}.{number}", own, sure, disc.cut_off or unsure)
        yield replace(read, centre_px=disc.centre_px)
    if in_view:
        free = _told(free, middle.name, edition)
        shared = any(heap.crowded for heap in sighting.heaps)
        yield _read(ALL, middle.name, free, [tile.sure for tile in free], not whole or shared or any(torn))


def _usual_discs(sighting: Sighting, ring: Heap) -> tuple[list[SeenHeap], list[LooseTile]]:
    """No more discs than so many players use, the surest; tiles on what was no disc lie in the middle.

    More that are plainly seen than the boards allow tell of a board that was overlooked.
    """
    counts = dict(ring.counts)
    plain = sum(disc.sure > PLAIN_DISC for disc in sighting.discs)
    fewest = counts.get(len(sighting.boards), len(sighting.discs))
    most = next((count for count in counts.values() if count >= max(fewest, plain)), fewest)
    kept = sorted(sighting.discs, key=lambda disc: -disc.sure)[:most]
    strays = [tile for disc in sighting.discs if disc not in kept for tile in disc.tiles]
    return [disc for disc in sighting.discs if disc in kept], strays


def is_whole(discs: Sequence[SeenHeap], ring: Heap) -> bool:
    """Whether the whole ring of discs is in view, and so all that lies within it."""
    is_usual_count = not ring.counts or len(discs) in dict(ring.counts).values()
    return is_usual_count and not any(disc.cut_off for disc in discs)


def _is_torn(disc: SeenHeap, ring: Heap) -> bool:
    """Whether a tile at a disc's rim decides if it holds as many as discs do, so that nobody can be sure of it."""
    return disc.crowded and not is_usual(disc.tiles, ring.holds)


def _on_disc(disc: SeenHeap, ring: Heap, middle: Heap) -> tuple[list[LooseTile], list[LooseTile]]:
    """The tiles of a disc, and those that belong to the middle: the marker even where it lies on a disc."""
    if ring.marker or not middle.marker:
        return list(disc.tiles), []
    tiles = [replace(tile, reads=_without_marker(tile.reads)) for tile in disc.tiles]
    own = [tile for tile in tiles if max(tile.reads, key=tile.reads.__getitem__) != MARKER]
    return own, [tile for tile in tiles if tile not in own]


def _without_marker(reads: Reads) -> Reads:
    return normal({kind: chance * (1 if kind == MARKER else FITS) for kind, chance in reads.items()})


def _read(seat: int, name: str, tiles: Sequence[LooseTile], sure: Sequence[float], unsure: bool) -> ReadHeap:
    """The pieces that are there; one doubt for the heap if any of them is not certain."""
    kinds, reads = [], {}
    for tile, there in zip(tiles, sure, strict=True):
        best = max(tile.reads, key=tile.reads.__getitem__)
        if there >= 0.5:
            kinds.append(best)
        if best == UNSEEN or min(max(there, 1 - there), tile.reads[best] if there >= 0.5 else 1.0) < CERTAIN:
            reads[best] = round(there * tile.reads[best], 3)
    seen = kinds_of(kinds)
    return ReadHeap(seat, name, seen, Unsure(seat, name, reads, seen) if reads or unsure else None)
