"""What must hold on a table, used to weigh readings of a single picture; never to outvote clear sight.

Each rule of thumb makes what fits it FITS times as likely as what does not, and no more: a cell that is read at 0.9
becomes certain where its neighbours demand it, while one that is plainly seen to break a rule stays as it was read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from engine import Layout, Zone
from engine.layout import FREE, ONE, PRINTED, RIGHT, TILES
from engine.table import EMPTY, MARKER, UNSEEN
from vision.sighting import Reads

FITS = 30.0
BEYOND_WEIGHING = 0.99999
"""Cells that are read so surely stay certain whatever fits."""
TINY = 1e-12
"""No way to fill cells is taken to be less likely."""
PLAIN = 0.99
"""A tile this likely is counted, not weighed."""


def weigh_board(cells: Mapping[str, Reads], layout: Layout, side: str) -> dict[str, Reads]:
    """The cells of a surface, weighed by what lies around them and by what its layout says of them."""
    weighed = dict(cells)
    for zone in layout.zones:
        rows = [[cell for cell in row if cell.name in cells] for row in zone.rows] if zone.role == TILES else []
        for row in filter(None, rows):
            if zone.fills != FREE:
                names = [cell.name for cell in row][:: -1 if zone.fills == RIGHT else 1]
                weighed |= _weigh_run(names, cells, zone)
            if zone.takes == PRINTED:
                printed = {cell.name: cell.printed(side) for cell in row}
                weighed |= {name: _weigh_printed(weighed[name], kind) for name, kind in printed.items() if kind}
    return weighed


def _weigh_printed(reads: Reads, printed: str) -> Reads:
    """In a cell that takes what it prints lies a piece of that kind, or none."""
    return normal({kind: chance * (FITS if kind in (printed, EMPTY, UNSEEN) else 1) for kind, chance in reads.items()})


def _weigh_run(names: Sequence[str], cells: Mapping[str, Reads], zone: Zone) -> dict[str, Reads]:
    """Cells of a row that are filled one after the other: with one kind, or with any."""
    reads = [cells[name] for name in names]
    if all(max(read.values()) > BEYOND_WEIGHING for read in reads):
        return dict(zip(names, reads, strict=True))
    kinds = [kind for kind in reads[0] if kind not in (EMPTY, UNSEEN) and (zone.marker or kind != MARKER)]
    fills = [[kind] for kind in kinds] if zone.takes == ONE else [kinds]
    extra = [dict.fromkeys(read, 0.0) for read in reads]
    for allowed in fills:
        # That all are empty is the same with every kind, and counts once.
        _add_fills(reads, allowed, range(0 if allowed is fills[0] else 1, len(names) + 1), extra)
    return {
        name: normal({kind: chance + (FITS - 1) * more[kind] for kind, chance in read.items()})
        for name, read, more in zip(names, reads, extra, strict=True)
    }


def _add_fills(
    reads: Sequence[Reads], allowed: Sequence[str], counts: Sequence[int], extra: list[dict[str, float]]
) -> None:
    """Add the likelihood of the first cells, so many, holding tiles of these kinds and the others none."""
    tile = [max(sum(read[kind] for kind in allowed) + read[UNSEEN], TINY) for read in reads]
    bare = [max(read[EMPTY] + read[UNSEEN], TINY) for read in reads]
    ways = [prod(tile[:count]) * prod(bare[count:]) for count in counts]
    for i, (read, more) in enumerate(zip(reads, extra, strict=True)):
        # From the first of these on, there are so many that this cell is filled.
        first = bisect_right(counts, i)
        filled, left = sum(ways[first:]) / tile[i], sum(ways[:first]) / bare[i]
        for kind in allowed:
            more[kind] += read[kind] * filled
        more[EMPTY] += read[EMPTY] * left
        more[UNSEEN] += read[UNSEEN] * (filled + left)


def weigh_count(chances: Sequence[float], usual: Iterable[int]) -> list[float]:
    """How sure each tile of a heap is to be there, where heaps usually hold one of these numbers of tiles."""
    counts = counts_of(chances)
    bonus = {count: FITS - 1 for count in usual if count < len(counts)}
    total = 1 + sum(share * counts[count] for count, share in bonus.items())
    weighed = []
    for i, chance in enumerate(chances):
        rest = counts_of([*chances[:i], *chances[i + 1 :]])
        there = chance * (1 + sum(share * rest[count - 1] for count, share in bonus.items() if 0 < count <= len(rest)))
        weighed.append(there / total)
    return weighed


def weigh_supply(
    readings: Sequence[Reads], there: Sequence[float], usual: Mapping[str, range]
) -> list[Mapping[str, float]]:
    """Readings of places where tiles are there with these chances, of which so many of each kind usually lie about."""
    weighed: dict[int, dict[str, float]] = {}
    for kind, counts in usual.items():
        held = [sure * reads.get(kind, 0.0) for sure, reads in zip(there, readings, strict=True)]
        plain = sum(chance > PLAIN for chance in held)
        unclear = [i for i, chance in enumerate(held) if 1 - PLAIN < chance <= PLAIN]
        fewest, end = max(counts.start - plain, 0), max(counts.stop - plain, 0)
        if not fewest and len(unclear) < end:
            continue
        for i in unclear:
            others = counts_of([held[j] for j in unclear if j != i])
            with_it, without = sum(others[max(fewest - 1, 0) : max(end - 1, 0)]), sum(others[fewest:end])
            weighed.setdefault(i, dict(readings[i]))[kind] *= (1 + (FITS - 1) * with_it) / (1 + (FITS - 1) * without)
    return [normal(weighed[i]) if i in weighed else reads for i, reads in enumerate(readings)]


def counts_of(chances: Sequence[float]) -> list[float]:
    """How likely each number of tiles is, each being there with its own chance."""
    counts = [1.0]
    for chance in chances:
        grown = [value * (1 - chance) for value in counts] + [0.0]
        for n, value in enumerate(counts):
            grown[n + 1] += value * chance
        counts = grown
    return counts


def normal(chances: Mapping[str, float]) -> dict[str, float]:
    """Chances that sum to one."""
    total = sum(chances.values()) or 1.0
    return {kind: chance / total for kind, chance in chances.items()}
