"""Positions of Queen's Garden as Tables and back.

A card is a kind of piece: `card` lies face down, `card:LG1` shows its printed hex, `card:LG1@4` lies in a slot with
that hex in direction 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.editions.queens_garden.garden import (
    AT_UNSEEN,
    CELLS,
    DECORATION,
    FACE_DOWN,
    FREE,
    HEX_CELLS,
    NO_CARD,
    SIX,
    SLOT_UNSEEN,
    UNSEEN,
    Garden,
    print_of,
    ring_cell,
    slot_of,
)
from engine.editions.queens_garden.hexes import BIT, JOKER, heap
from engine.editions.queens_garden.options import parse_options, written_options
from engine.editions.queens_garden.position import Position, SeenBoard, SeenStorage, outlook, position
from engine.editions.queens_garden.sight import position_violations
from engine.editions.queens_garden.state import Card, State
from engine.score import Outlook
from engine.table import ALL, CARD, EMPTY, Frozen, Kinds, Part, Table, kinds_of
from engine.violations import Violation

CARDS = (JOKER, CARD, *(f"{CARD}:{hex_}" for hex_ in BIT))
"""The kinds beside hexes: jokers and cards."""
UNSEEN_GARDEN: Garden = tuple(UNSEEN if cell in HEX_CELLS else DECORATION for cell in range(len(CELLS)))
"""A garden that is out of view."""
_LYING = (*BIT, JOKER, UNSEEN)
"""What may lie in a cell, as far as it can be told."""


def table_of(state: State) -> Table:
    """What of a state lies on the table."""
    return lay(position(state))


def violations_in(table: Table, state: State | None = None) -> list[Violation]:
    """The rules visibly broken."""
    return position_violations(read(table), state)


def outlook_of(table: Table) -> list[Outlook]:
    """What each garden would score if the round ended now, and what the final scoring would bring."""
    return outlook(read(table))


def bare(slots: tuple[int, ...], printed: Mapping[int, str]) -> list[str]:
    """A garden with cards in its slots and the hexes that they print, no tile laid yet."""
    unseen = {slot for slot in SIX if slots[slot] in (SLOT_UNSEEN, AT_UNSEEN)}
    garden = [
        UNSEEN if slot_of(cell) in unseen and print_of(cell, slots) != DECORATION else print_of(cell, slots)
        for cell in range(len(CELLS))
    ]
    for cell, hex_ in printed.items():
        garden[cell] = hex_
    return garden


def lay(seen: Position) -> Table:
    """A position as a Table."""
    heaps: dict[str, Kinds] = {}
    if seen.display is not None:
        heaps["display"] = ()
        heaps |= {f"display.{i}": _card_heap(card) for i, card in enumerate(seen.display, 1)}
    if seen.top is not None:
        heaps["stack"] = kinds_of(seen.top)
    numbers = {"stack": seen.stack, "round": seen.round, "first_player": seen.marker}
    known: Frozen[int | None] = Frozen((name, told) for name, told in numbers.items() if told is not None)
    common = Part(ALL, seen.side, Frozen(), known, Frozen(heaps))
    parts = (*((common,) if heaps or known else ()), *(_lay_board(board, seen.side) for board in seen.boards))
    return Table(seen.edition, seen.side, parts, Frozen(written_options(seen.options, seen.side)))


def read(table: Table) -> Position:
    """A Table as a position."""
    common = table.common
    display = common.heaps.get("display")
    cards = [kinds for name, kinds in common.heaps.items() if name.startswith("display.")]
    top = common.heaps.get("stack")
    return Position(
        table.edition,
        table.side,
        tuple(map(read_board, table.boards)),
        None if display is None else tuple(map(_card_of, cards)),
        None if top is None else heap(top),
        common.tracks.get("stack"),
        common.tracks.get("round"),
        common.tracks.get("first_player"),
        parse_options(table.options, table.side),
    )


@lru_cache(maxsize=1 << 12)
def _lay_board(board: SeenBoard, side: str) -> Part:
    printed = {ring_cell(slot, at) for slot, at in enumerate(board.slots) if at in SIX}
    cells = {f"X{slot}": _slot_kind(slot, at, board.garden) for slot, at in enumerate(board.slots)}
    cells |= {
        CELLS[cell]: content if content in _LYING and cell not in printed else EMPTY
        for cell, content in enumerate(board.garden)
        # Where the print leaves no place for a tile, only one that lies there all the same is told.
        if cell in HEX_CELLS or content in _LYING
    }
    if board.garden == UNSEEN_GARDEN and set(board.slots) == {SLOT_UNSEEN}:
        cells = {}
    heaps: dict[str, Kinds] = {}
    if board.storage:
        heaps["storage"] = kinds_of((*board.storage.tiles, *(JOKER,) * board.storage.jokers))
        heaps["expansion"] = kinds_of(f"{CARD}:{hex_}" for hex_ in board.storage.cards)
    return Part(board.seat, side, Frozen(cells), Frozen({"score": board.score}), Frozen(heaps))


@lru_cache(maxsize=256)
def read_board(part: Part) -> SeenBoard:
    """The part of a seat as a board of a position."""
    garden, slots = read_garden(part.cells)
    storage, cards = part.heaps.get("storage"), part.heaps.get("expansion", ())
    kept = None
    if storage is not None:
        tiles = heap(kind for kind in storage if kind != JOKER)
        kept = SeenStorage(tiles, storage.count(JOKER), heap(_hex_of(card) for card in cards))
    return SeenBoard(part.seat, garden, slots, kept, part.tracks.get("score"))


def read_garden(cells: Mapping[str, str]) -> tuple[Garden, tuple[int, ...]]:
    """The garden and the slots that cells show."""
    if not cells:
        return UNSEEN_GARDEN, (SLOT_UNSEEN,) * 6
    slots = tuple(_slot_of(cells.get(f"X{slot}", UNSEEN)) for slot in SIX)
    printed = {ring_cell(slot, at): _hex_of(cells[f"X{slot}"]) for slot, at in enumerate(slots) if at in SIX}
    garden = bare(slots, printed)
    for index, name in enumerate(CELLS):
        content = cells.get(name, EMPTY if index in printed or index not in HEX_CELLS else UNSEEN)
        if content != EMPTY:
            garden[index] = content
        elif garden[index] == UNSEEN and index not in printed:
            garden[index] = FREE
    return tuple(garden), slots


def _slot_kind(slot: int, at: int, garden: Garden) -> str:
    known = {NO_CARD: EMPTY, FACE_DOWN: CARD, SLOT_UNSEEN: UNSEEN, AT_UNSEEN: f"{CARD}:{UNSEEN}@{UNSEEN}"}
    return known.get(at) or f"{CARD}:{garden[ring_cell(slot, at)]}@{at}"


def _slot_of(kind: str) -> int:
    if kind in (EMPTY, CARD, UNSEEN):
        return {EMPTY: NO_CARD, CARD: FACE_DOWN, UNSEEN: SLOT_UNSEEN}[kind]
    at = kind.partition("@")[2]
    return int(at) if at.isdigit() else AT_UNSEEN


def _hex_of(kind: str) -> str:
    """The hex that a card prints."""
    return kind.removeprefix(f"{CARD}:").partition("@")[0]


def _card_heap(card: Card) -> Kinds:
    return kinds_of((f"{CARD}:{card.hex}" if card.hex else CARD, *card.tiles))


def _card_of(kinds: Kinds) -> Card:
    card = next((kind for kind in kinds if kind.startswith(CARD)), CARD)
    return Card("" if card == CARD else _hex_of(card), heap(kind for kind in kinds if kind != card))
