"""The hex grid of a garden: its cells, which of them touch, and the decorations that can be surrounded.

A garden is a tuple with the content of every cell in the order of `CELLS`: nothing where no board is, a dot on a free
cell, a star on a decoration, else the hex that lies or is printed there. Pointy-top hexes, axial coordinates; the
directions 0 to 5 are east, south-east, south-west, west, north-west, north-east.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.editions.queens_garden.hexes import ALL_BITS, ATTRIBUTE_BITS, BIT, COLOUR, KIN, PATTERN

Axial = tuple[int, int]
Garden = tuple[str, ...]

VOID = ""
FREE = "."
DECORATION = "*"

DIRECTIONS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SIX = range(6)


def _step(start: Axial, direction: int, length: int = 1) -> Axial:
    q, r = DIRECTIONS[direction % 6]
    return start[0] + length * q, start[1] + length * r


def _cells() -> dict[str, Axial]:
    fountain = (0, 0)
    cells = {f"F{d}": _step(fountain, d) for d in SIX}
    for d in SIX:
        centre = _step(fountain, d, 3)
        cells |= {f"X{d}.{k}": _step(centre, k) for k in SIX}
        cells[f"X{d}.c"] = centre
    cells["fountain"] = fountain
    cells |= {f"T{d}": _step(_step(fountain, d), d + 1) for d in SIX}
    return cells


AXIAL = _cells()
CELLS = tuple(AXIAL)
"""The names of all cells: the six of the fountain board, seven of each slot, then the decorations of the fountain."""
INDEX = {name: index for index, name in enumerate(CELLS)}
HEX_CELLS = range(INDEX["fountain"])
"""Cells in which a hex may come to lie; those after them never may."""


def ring_cell(slot: int, k: int) -> int:
    """The cell in direction k from the middle of a slot."""
    return 6 + 7 * slot + k


def centre_cell(slot: int) -> int:
    """The middle of a slot: a pavilion, or the seventh free cell of a card that lies face down."""
    return 6 + 7 * slot + 6


def slot_of(cell: int) -> int | None:
    """The slot that a cell belongs to, None on the fountain board."""
    return (cell - 6) // 7 if 6 <= cell < HEX_CELLS.stop else None


def _neighbours() -> tuple[tuple[int, ...], ...]:
    at = {AXIAL[name]: INDEX[name] for name in CELLS}
    return tuple(
        tuple(at[spot] for d in SIX if (spot := _step(AXIAL[name], d)) in at and at[spot] in HEX_CELLS)
        for name in CELLS
    )


NEIGHBOURS = _neighbours()
"""For every cell the cells beside it in which a hex may lie."""


class Element(NamedTuple):
    """A decoration that brings jokers when all six cells around it are filled."""

    kind: str
    cell: int
    around: tuple[int, ...]


FOUNTAIN, TIP, PAVILION = "fountain", "tip", "pavilion"


def _elements() -> tuple[Element, ...]:
    kinds = {"fountain": FOUNTAIN, **{f"T{d}": TIP for d in SIX}, **{f"X{d}.c": PAVILION for d in SIX}}
    return tuple(Element(kind, INDEX[name], NEIGHBOURS[INDEX[name]]) for name, kind in kinds.items())


ELEMENTS = _elements()
TOUCHED = tuple(tuple(e for e in ELEMENTS if cell in e.around) for cell in range(len(CELLS)))
"""For every cell the decorations beside it."""

# Slots: how a card lies there.
NO_CARD = -1
FACE_DOWN = 6
"""Else a number from 0 to 5: the card lies face up, its printed hex in that direction from the middle."""

# Slots of which a photograph does not show all.
SLOT_UNSEEN = -2
AT_UNSEEN = 7
"""The card lies face up, but where its printed hex is cannot be seen."""
UNSEEN = "?"

BARE_GARDEN: Garden = tuple(
    FREE if name[0] == "F" else DECORATION if index not in HEX_CELLS else VOID for index, name in enumerate(CELLS)
)
BARE_SLOTS = (NO_CARD,) * 6


def is_decoration(cell: int, slots: tuple[int, ...]) -> bool:
    """Whether a decoration is printed on a cell."""
    if cell not in HEX_CELLS:
        return True
    slot = slot_of(cell)
    return slot is not None and cell == centre_cell(slot) and slots[slot] not in (NO_CARD, FACE_DOWN, SLOT_UNSEEN)


def print_of(cell: int, slots: tuple[int, ...]) -> str:
    """What a cell shows when nothing lies on it."""
    slot = slot_of(cell)
    if is_decoration(cell, slots):
        return DECORATION
    return FREE if slot is None or slots[slot] != NO_CARD else VOID


def with_cell(garden: Garden, cell: int, content: str) -> Garden:
    """The garden with one cell changed."""
    return (*garden[:cell], content, *garden[cell + 1 :])


def with_card(garden: Garden, slot: int, at: int, hex_: str = "") -> Garden:
    """The garden with a card in a slot: face down, or face up with its printed hex in direction `at`."""
    cells = [garden[ring_cell(slot, k)] or FREE for k in SIX]
    centre = garden[centre_cell(slot)] or (FREE if at == FACE_DOWN else DECORATION)
    if at != FACE_DOWN:
        cells[at] = hex_
    first = ring_cell(slot, 0)
    return (*garden[:first], *cells, centre, *garden[first + 7 :])


def surrounded(garden: Garden, cell: int) -> list[Element]:
    """The decorations beside a cell that have a hex in each of their six cells."""
    found = []
    for element in TOUCHED[cell]:
        if garden[element.cell] == DECORATION:
            a, b, c, d, e, f = element.around
            if (
                garden[a] in BIT
                and garden[b] in BIT
                and garden[c] in BIT
                and garden[d] in BIT
                and garden[e] in BIT
                and garden[f] in BIT
            ):
                found.append(element)
    return found


def group(garden: Garden, start: int, attribute: dict[str, str]) -> list[int]:
    """The cells of the group of a hex by colour or by pattern."""
    wanted = attribute[garden[start]]
    cells = [start]
    for cell in cells:
        for beside in NEIGHBOURS[cell]:
            if attribute.get(garden[beside]) == wanted and beside not in cells:
                cells.append(beside)
    return cells


def groups(garden: Garden, attribute: dict[str, str]) -> list[list[int]]:
    """All groups of a garden by colour or by pattern, single hexes included."""
    found: list[list[int]] = []
    done: set[int] = set()
    for cell in HEX_CELLS:
        if garden[cell] in BIT and cell not in done:
            cells = group(garden, cell, attribute)
            done.update(cells)
            found.append(cells)
    return found


Members = dict[int, tuple[int, int]]
"""For every cell with a hex: the first cell of its group, which names the group, and the hexes in it."""


def members(garden: Garden, attribute: dict[str, str]) -> Members:
    """Which group every hex belongs to, and what that group holds."""
    found: Members = {}
    for cells in groups(garden, attribute):
        held = 0
        for cell in cells:
            held |= BIT[garden[cell]]
        for cell in cells:
            found[cell] = cells[0], held
    return found


@lru_cache(maxsize=1 << 12)
def openings(garden: Garden) -> tuple[int, ...]:
    """For every cell the hexes that may be placed there by its neighbours; whether it is free is not asked."""
    near: dict[int, list[int]] = {}
    for cell in HEX_CELLS:
        if garden[cell] in BIT:
            for beside in NEIGHBOURS[cell]:
                if garden[beside] not in BIT:
                    near.setdefault(beside, []).append(cell)
    found = [ALL_BITS] * len(HEX_CELLS)
    by_colour, by_pattern = members(garden, COLOUR), members(garden, PATTERN)
    for cell, around in near.items():
        fitting = 0
        for other in around:
            fitting |= KIN[garden[other]]
        barred = _barred(garden, around, COLOUR, by_colour) | _barred(garden, around, PATTERN, by_pattern)
        found[cell] = fitting & ~barred
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def free_openings(garden: Garden) -> list[tuple[int, int]]:
    """The free cells, each with the hexes that may be placed there."""
    return [(cell, fitting) for cell, fitting in enumerate(openings(garden)) if garden[cell] == FREE]


def _barred(garden: Garden, around: list[int], attribute: dict[str, str], members: Members) -> int:
    """The hexes that would make or join a group in which one hex stands twice."""
    if len(around) == 1:
        return members[around[0]][1]
    barred = 0
    joined: dict[str, dict[int, int]] = {}
    for cell in around:
        first, held = members[cell]
        name = attribute[garden[cell]]
        others = joined.setdefault(name, {})
        if first not in others and any(held & other for other in others.values()):
            barred |= ATTRIBUTE_BITS[name]
        others[first] = held
        barred |= held
    return barred
