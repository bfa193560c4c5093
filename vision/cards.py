"""Cards on boards: what their places show tells which card lies in a slot, how it is turned, and which side is up.

A card is a kind of piece: `card` lies face down, `card:B3` shows its print, `card:B3@4` points it in direction 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from engine.layout import CARD, ORNAMENT, SLOT, Cell, Layout
from vision.cells import EMPTY, UNSEEN
from vision.sighting import Reads

LEAST = 0.004
"""No place is read so surely that it could not be otherwise."""
DIRECTION_DEG = 60.0


def print_of(label: str) -> str:
    """The kind that a label says is printed; empty for a label of anything else."""
    return label.partition(":")[2]


def with_cards(cells: Mapping[str, Reads], layout: Layout) -> dict[str, Reads]:
    """The cells of a surface as they were read, with what that tells of its slots; other cells as pieces in them."""
    told = dict(cells)
    for slot, around in _slots(cells, layout).items():
        told[slot] = _card_in(around)
    return {name: reads if name in told.keys() - cells.keys() else _pieces(reads) for name, reads in told.items()}


def _pieces(reads: Reads) -> Reads:
    """A reading of a cell as pieces lie there: what a card shows is no piece."""
    bare = sum(chance for label, chance in reads.items() if label.startswith(CARD))
    if not bare:
        return reads
    kept = {label: chance for label, chance in reads.items() if not label.startswith(CARD)}
    return kept | {EMPTY: kept.get(EMPTY, 0.0) + bare}


def _slots(cells: Mapping[str, Reads], layout: Layout) -> dict[str, dict[int, Reads]]:
    """The readings of the places of each slot, by their directions, clockwise from the right; the middle is -1."""
    found: dict[str, dict[int, Reads]] = {}
    slots = {cell.name: cell for zone in layout.zones if zone.role == SLOT for cell in zone.cells}
    for name, reads in cells.items():
        slot = slots.get(name.rpartition(".")[0])
        if slot is not None:
            found.setdefault(slot.name, {})[_direction(layout.cell(name), slot)] = reads
    return found


def _direction(cell: Cell, slot: Cell) -> int:
    right, down = cell.x_mm - slot.x_mm, cell.y_mm - slot.y_mm
    if np.hypot(right, down) < slot.size_mm / 2:
        return -1
    return round(float(np.degrees(np.arctan2(down, right))) / DIRECTION_DEG) % 6


def _card_in(places: Mapping[int, Reads]) -> Reads:
    """How likely each card is in a slot, by all that its places show."""
    unseen = float(np.prod([reads.get(UNSEEN, 0.0) for reads in places.values()]))
    scores = dict(_weighed(places))
    top = max(scores.values())
    raised = {kind: float(np.exp(score - top)) for kind, score in scores.items()}
    total = sum(raised.values())
    return {kind: chance / total * (1 - unseen) for kind, chance in raised.items()} | {UNSEEN: unseen}


def _weighed(places: Mapping[int, Reads]) -> Iterator[tuple[str, float]]:
    """Each card that may lie there, with how well it explains its places (natural logarithm)."""
    ring = {way: reads for way, reads in places.items() if way >= 0}
    middle = places.get(-1, {UNSEEN: 1.0})
    none = {way: _log(reads.get(EMPTY, 0.0), reads) for way, reads in places.items()}
    free = {way: _log(_free(reads), reads) for way, reads in places.items()}
    yield EMPTY, sum(none.values())
    yield CARD, sum(free.values())
    up = _log(middle.get(ORNAMENT, 0.0), middle) + sum(free[way] for way in ring)
    for way, reads in ring.items():
        for label, chance in reads.items():
            if printed := print_of(label):
                yield f"{CARD}:{printed}@{way}", up - free[way] + _log(chance, reads)


def _free(reads: Reads) -> float:
    """How likely a place of a card is one where tiles are laid: bare, or with a tile on it."""
    return sum(chance for label, chance in reads.items() if not _is_other(label))


def _is_other(label: str) -> bool:
    return label in (EMPTY, UNSEEN, ORNAMENT) or bool(print_of(label))


def _log(chance: float, reads: Reads) -> float:
    """The logarithm of how well a reading fits; what cannot be seen fits all alike."""
    return float(np.log(max(LEAST, chance + reads.get(UNSEEN, 0.0))))
