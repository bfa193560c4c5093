"""What a correction says where one part of a table is to become another, and what corrections say of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import Edition, Part
from engine.table import ALL, EMPTY, MARKER, UNSEEN

ROUND = "round"
"""How far the game is, is told by all photos together."""


def differing(now: Part, then: Part, edition: Edition[Any, Any]) -> dict[str, str | int]:
    """The cells, heaps and numbers of a correction after which the first part is the second, as far as it is told."""
    cells = {name: kind for name, kind in then.cells.items() if kind not in (UNSEEN, now.cells.get(name))}
    heaps = dict(_heaps(now, then, edition))
    numbers = {
        edition.corrected_as.get(name, name): number
        for name, number in then.tracks.items()
        if then.seat == ALL and name != ROUND and number is not None and number != now.tracks.get(name)
    }
    return {**cells, **heaps, **numbers}


def _heaps(now: Part, then: Part, edition: Edition[Any, Any]) -> Iterator[tuple[str, str]]:
    known = {heap.name for heap in edition.layout.heaps} | {zone.name for zone in edition.layout.zones if zone.heap}
    gone = [name for name in now.heaps if name not in then.heaps and _is_numbered(name)]
    yield from ((name, EMPTY) for name in reversed(gone) if then.heaps)
    for name, kinds in then.heaps.items():
        if name in known or (_is_numbered(name) and name.partition(".")[0] in known):
            pieces, lying = ([kind for kind in held if kind != MARKER] for held in (kinds, now.heaps.get(name, ())))
            if pieces != lying and UNSEEN not in pieces:
                yield name, edition.written(pieces)


def _is_numbered(name: str) -> bool:
    return name.rpartition(".")[2].isdigit()


def cells_in(corrected: Mapping[str, Any], edition: Edition[Any, Any]) -> dict[str, str]:
    """What a correction says lies in cells, one by one: a row of them may be named as a whole."""
    names = [cell.name for cell in edition.layout]
    told: dict[str, str] = {}
    for name, value in corrected.items():
        row = [cell for cell in names if cell.startswith(f"{name}.") and cell[len(name) + 1 :].isdigit()]
        if name in names or not row:
            told[name] = str(value)
        else:
            told |= zip(row, str(value).ljust(len(row), EMPTY), strict=False)
    return told
