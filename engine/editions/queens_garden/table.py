"""What lies on a table of Queen's Garden as JSON and as readable text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.editions.queens_garden.garden import (
    AT_UNSEEN,
    AXIAL,
    CELLS,
    DECORATION,
    FACE_DOWN,
    FREE,
    HEX_CELLS,
    INDEX,
    NO_CARD,
    SIX,
    SLOT_UNSEEN,
    UNSEEN,
    Garden,
    print_of,
    ring_cell,
    slot_of,
)
from engine.editions.queens_garden.hexes import BIT, JOKER, Heap, heap
from engine.editions.queens_garden.lying import UNSEEN_GARDEN, bare, lay, read
from engine.editions.queens_garden.options import parse_options, written_options
from engine.editions.queens_garden.position import Position, SeenBoard, SeenStorage
from engine.editions.queens_garden.state import CARDS, Card
from engine.errors import TableError
from engine.table import Table
from engine.table_json import an_object, boards_of, number, score_or_unknown, side_of

SIDES = ("a", "b")
MANY = 60
"""More things than this in one place are no reading of a table."""


def parse_table(table: Mapping[str, Any]) -> Table:
    """The Table that JSON describes; fields of a reading and of its picture are passed over."""
    return lay(_parse_position(table))


def _parse_position(table: Mapping[str, Any]) -> Position:
    side = side_of(table.get("side", SIDES[0]), "side", SIDES)
    boards = tuple(_parse_board(seat, board) for seat, board in boards_of(table))
    display, stack = table.get("display"), table.get("stack")
    if display is not None and (not isinstance(display, list) or len(display) > CARDS):
        raise TableError(f"display must be a list of expansions, not {display!r}")
    stack = {} if stack is None else an_object(stack, "stack")
    told_round, marker, left = table.get("round"), table.get("first_player"), stack.get("left")
    return Position(
        edition=str(table.get("edition")),
        side=side,
        boards=boards,
        display=None if display is None else tuple(map(_parse_card, display)),
        top=None if stack.get("tiles") is None else _items(stack["tiles"], "stack.tiles", (*BIT, UNSEEN)),
        stack=None if left is None else number(left, "stack.left", range(CARDS + 1)),
        round=None if told_round is None else number(told_round, "round", range(5)),
        marker=None if marker is None else number(marker, "first_player", range(5)),
        options=parse_options(an_object(table.get("options", {}), "options"), side),
    )


def format_table(lying: Table) -> dict[str, Any]:
    """A Table as JSON, without what belongs to a reading."""
    position = read(lying)
    table: dict[str, Any] = {"edition": position.edition, "side": position.side}
    table["boards"] = [_format_board(board) for board in position.boards]
    if position.display is not None:
        table["display"] = [_format_card(card) for card in position.display]
    stack = {"tiles": None if position.top is None else list(position.top), "left": position.stack}
    if told := {name: value for name, value in stack.items() if value is not None}:
        table["stack"] = told
    if position.round is not None:
        table["round"] = position.round
    if position.marker is not None:
        table["first_player"] = position.marker
    if options := written_options(position.options, position.side):
        table["options"] = options
    return table


def show(table: Table) -> str:
    """A Table as readable text: gardens as they lie, `*` a decoration, `.` a free cell."""
    position = read(table)
    blocks = [_show_board(board) for board in position.boards]
    if position.display is not None:
        cards = (f"{i}:{_show_card(card)}" for i, card in enumerate(position.display, 1))
        blocks.append("display    " + ("  ".join(cards) or "-"))
    if position.top is not None or position.stack is not None:
        left = "?" if position.stack is None else position.stack
        top = "?" if position.top is None else " ".join(position.top) or "-"
        blocks.append(f"stack      {left} expansions, on top {top}")
    if position.marker is not None:
        held = f"with seat {position.marker}" if position.marker else "in the display"
        blocks.append(f"marker     {held}")
    return "\n".join(blocks)


def _parse_board(seat: int, board: Mapping[str, Any]) -> SeenBoard:
    name = f"the board of seat {seat}"
    garden, slots = _parse_garden(board.get("garden"), name)
    storage = board.get("storage")
    return SeenBoard(
        seat=seat,
        garden=garden,
        slots=slots,
        storage=None if storage is None else _parse_storage(an_object(storage, f"storage of {name}"), name),
        score=score_or_unknown(board.get("score"), f"score of {name}"),
    )


def _parse_garden(value: object, name: str) -> tuple[Garden, tuple[int, ...]]:
    if value is None:
        return UNSEEN_GARDEN, (SLOT_UNSEEN,) * 6
    told = dict(an_object(value, f"garden of {name}"))
    slots = [NO_CARD] * 6
    printed: dict[int, str] = {}
    for slot in SIX:
        slots[slot], hex_ = _parse_slot(told.pop(f"X{slot}", None), f"X{slot} of {name}")
        if slots[slot] in SIX:
            printed[ring_cell(slot, slots[slot])] = hex_
    garden = bare(tuple(slots), printed)
    for cell_name, content in told.items():
        index = INDEX.get(cell_name)
        if index is None or index in printed or content not in (*BIT, JOKER, FREE, UNSEEN):
            raise TableError(f"garden of {name}: {cell_name!r} cannot be {content!r}")
        if content != FREE or garden[index] == UNSEEN:
            garden[index] = content
    return tuple(garden), tuple(slots)


def _parse_slot(value: object, name: str) -> tuple[int, str]:
    """How a card lies in a slot, and the hex it shows."""
    if value is None or value == FREE:
        return NO_CARD, ""
    if value == UNSEEN:
        return SLOT_UNSEEN, ""
    card = an_object(value, name)
    face, hex_, at = card.get("face"), card.get("hex", UNSEEN), card.get("at", UNSEEN)
    if face == "down":
        return FACE_DOWN, ""
    if face == UNSEEN:
        return SLOT_UNSEEN, ""
    if face != "up" or hex_ not in (*BIT, UNSEEN):
        raise TableError(f"{name} has a face up or down and a hex, not {dict(card)}")
    return (AT_UNSEEN, hex_) if at == UNSEEN else (number(at, f"at of {name}", range(6)), hex_)


def _parse_storage(storage: Mapping[str, Any], name: str) -> SeenStorage:
    items = _items(storage.get("tiles", []), f"storage of {name}", (*BIT, JOKER, UNSEEN))
    cards = _items(storage.get("expansions", []), f"storage of {name}", (*BIT, UNSEEN))
    return SeenStorage(tuple(item for item in items if item != JOKER), items.count(JOKER), cards)


def _parse_card(value: object) -> Card:
    card = an_object(value, "display")
    tiles = _items(card.get("tiles", []), "display.tiles", (*BIT, UNSEEN))
    face = card.get("face")
    if face == "down":
        return Card("", tiles)
    hex_ = card.get("hex", UNSEEN)
    if face not in ("up", UNSEEN) or hex_ not in (*BIT, UNSEEN):
        raise TableError(f"an expansion in the display has a face and a hex or tiles, not {dict(card)}")
    return Card(hex_, tiles)


def _items(value: object, name: str, allowed: Iterable[str]) -> Heap:
    if not isinstance(value, list) or len(value) > MANY or any(item not in set(allowed) for item in map(str, value)):
        raise TableError(f"{name} must be a list of hexes like LB3, not {value!r}")
    return heap(map(str, value))


def _format_board(board: SeenBoard) -> dict[str, Any]:
    written: dict[str, Any] = {"seat": board.seat}
    if board.garden[: HEX_CELLS.stop] != (UNSEEN,) * len(HEX_CELLS) or set(board.slots) != {SLOT_UNSEEN}:
        written["garden"] = _format_garden(board.garden, board.slots)
    if board.storage:
        tiles = [*board.storage.tiles, *(JOKER,) * board.storage.jokers]
        written["storage"] = {"tiles": tiles, "expansions": list(board.storage.cards)}
    return written | {"score": board.score}


def _format_garden(garden: Garden, slots: tuple[int, ...]) -> dict[str, Any]:
    written: dict[str, Any] = {}
    printed = set()
    for slot, at in enumerate(slots):
        if at in SIX:
            printed.add(ring_cell(slot, at))
            written[f"X{slot}"] = {"face": "up", "hex": garden[ring_cell(slot, at)], "at": at}
        elif at != NO_CARD:
            written[f"X{slot}"] = {FACE_DOWN: {"face": "down"}, AT_UNSEEN: {"face": "up"}}.get(at, UNSEEN)
    for cell, content in enumerate(garden):
        usual = print_of(cell, slots)
        of = slot_of(cell)
        hidden = of is not None and slots[of] in (SLOT_UNSEEN, AT_UNSEEN) and usual != DECORATION
        if cell not in printed and content != (UNSEEN if hidden else usual):
            written[CELLS[cell]] = content
    return written


def _format_card(card: Card) -> dict[str, Any]:
    if card.hex:
        face = {"face": UNSEEN} if card.hex == UNSEEN and not card.tiles else {"face": "up", "hex": card.hex}
        return face | ({"tiles": list(card.tiles)} if card.tiles else {})
    return {"face": "down", "tiles": list(card.tiles)}


def _show_card(card: Card) -> str:
    shown = [f"[{card.hex}]"] if card.hex else []
    return " ".join((*shown, *card.tiles)) or "face down"


def _show_board(board: SeenBoard) -> str:
    rows = [f"seat {board.seat}     score {'?' if board.score is None else board.score}"]
    for r in range(-4, 5):
        line = ""
        # Half a hex further to the right with every row, as pointy-top rows lie.
        for cell in sorted(
            (i for i, name in enumerate(CELLS) if AXIAL[name][1] == r), key=lambda i: AXIAL[CELLS[i]][0]
        ):
            q = AXIAL[CELLS[cell]][0]
            content = board.garden[cell]
            shown = content if content in BIT else f" {content or ' '}"
            line = line.ljust(2 * (2 * q + r + 8)) + shown
        rows.append(line.rstrip())
    storage = board.storage
    if storage:
        items = (*storage.tiles, *(JOKER,) * storage.jokers, *(f"[{card}]" for card in storage.cards))
        rows.append(f"  storage {' '.join(items) or '-'}")
    return "\n".join(rows) + "\n"
