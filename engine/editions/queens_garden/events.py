"""Moves of Queen's Garden as events of a record, and as sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from engine.editions.queens_garden.entry import place_name
from engine.editions.queens_garden.garden import CELLS, INDEX
from engine.editions.queens_garden.hexes import BIT, EXPANSION, HEXES, ITEMS, JOKER, LETTERS, Heap, heap, name_of
from engine.editions.queens_garden.moves import Acquire, Buy, Count, Expand, Move, Pass, Pick, Plant, Stack, in_order
from engine.editions.queens_garden.state import State
from engine.errors import RecordError
from engine.record import Fields, slips_json
from engine.text import Seat, Text, say

SIGNS = "BDEGJLPYx123456"
MOST = 40
"""No event names more things than this."""


def parse_event(state: State, event: Mapping[str, Any]) -> Move:
    """The move of an event."""
    fields = Fields(event)
    seats = state.setup.seats
    slips = fields.slips(SIGNS)
    if any(slip.tiles not in ("", *ITEMS) for slip in slips):
        raise RecordError("the tiles of a slip are one item, like LB3, xLB3 or J")
    match event["event"]:
        case "stack":
            tiles, turned = _items(fields, "tiles", HEXES), _items(fields, "turned", HEXES)
            move: Move = Stack(heap(tiles), turned, slips)
        case "acquire":
            move = Acquire(fields.number("seat", seats), _picks(fields), slips)
        case "plant":
            seat, tile = fields.number("seat", seats), _one_of(fields, "tile", (*HEXES, JOKER))
            cell = INDEX[_one_of(fields, "cell", CELLS)]
            move = Plant(seat, tile, cell, heap(_items(fields, "pay", ITEMS)), slips)
        case "expand":
            seat, hex_ = fields.number("seat", seats), _one_of(fields, "hex", HEXES)
            slot, at = fields.number("slot", range(10)), fields.number("at", range(6))
            move = Expand(seat, hex_, slot, at, heap(_items(fields, "pay", ITEMS)), slips)
        case "buy":
            move = Buy(fields.number("seat", seats), fields.number("slot", range(10)), slips)
        case "pass":
            move = Pass(fields.number("seat", seats), heap(_items(fields, "discard", ITEMS)), slips)
        case "count":
            move = Count(slips)
        case other:
            raise RecordError(f"no event of this game is called {other!r}")
    fields.done()
    return move


def format_event(move: Move) -> dict[str, Any]:
    """A move as an event."""
    match move:
        case Stack(tiles, turned):
            event: dict[str, Any] = {"event": "stack", "tiles": list(tiles)} | _told(turned=turned)
        case Acquire(seat, picks):
            taken = [{"hex": item, "from": source} for item, source in picks]
            event = {"event": "acquire", "seat": seat, "picks": taken}
        case Plant(seat, tile, cell, pay):
            event = {"event": "plant", "seat": seat, "tile": tile, "cell": CELLS[cell]} | _told(pay=pay)
        case Expand(seat, hex_, slot, at, pay):
            event = {"event": "expand", "seat": seat, "hex": hex_, "slot": slot, "at": at} | _told(pay=pay)
        case Buy(seat, slot):
            event = {"event": "buy", "seat": seat, "slot": slot}
        case Pass(seat, discard):
            event = {"event": "pass", "seat": seat} | _told(discard=discard)
        case Count():
            event = {"event": "count"}
    return event | slips_json(move.slips)


def describe(move: Move) -> Text:
    """A move as a sentence."""
    match move:
        case Stack(tiles, turned):
            return _describe_stack(tiles, turned)
        case Acquire(seat, picks):
            return say("{player} acquires {items}", player=Seat(seat), items=_names(item for item, _ in picks))
        case Plant(seat, tile, cell, pay):
            values: dict[str, object] = {
                "player": Seat(seat),
                "hex": LETTERS[tile] if tile in BIT else name_of(tile),
                "cell": place_name(CELLS[cell]),
            }
            if pay:
                return say("{player} places {hex} on {cell} and pays {items}", **values, items=_names(pay))
            return say("{player} places {hex} on {cell}", **values)
        case Expand(seat, hex_, slot, at, pay):
            values = {"player": Seat(seat), "hex": LETTERS[hex_], "cell": place_name(f"X{slot}"), "at": at + 1}
            if pay:
                return say(
                    "{player} lays the expansion {hex} into {cell}, turned to {at}, and pays {items}",
                    **values,
                    items=_names(pay),
                )
            return say("{player} lays the expansion {hex} into {cell}, turned to {at}", **values)
        case Buy(seat, slot):
            return say("{player} buys an expansion for {cell}", player=Seat(seat), cell=place_name(f"X{slot}"))
        case Pass(seat, discard):
            if discard:
                return say("{player} passes and discards {items}", player=Seat(seat), items=_names(discard))
            return say("{player} passes", player=Seat(seat))
        case Count():
            return say("the round is scored")


def _describe_stack(tiles: Heap, turned: Heap) -> Text:
    if tiles and turned:
        return say(
            "drawn onto the stack: {tiles}; turned face up: {turned}", tiles=" ".join(tiles), turned=" ".join(turned)
        )
    if turned:
        return say("turned face up: {turned}", turned=" ".join(turned))
    return say("drawn onto the stack: {tiles}", tiles=" ".join(tiles) or "-")


def _names(items: Iterable[str]) -> tuple[Text, ...]:
    return tuple(map(name_of, items))


def _told(**lists: Heap) -> dict[str, list[str]]:
    return {name: list(items) for name, items in lists.items() if items}


def _items(fields: Fields, name: str, allowed: Collection[str]) -> Heap:
    """A list of items, which may be missing."""
    items = fields.strings(name, SIGNS, MOST) if name in fields.left else ()
    for item in items:
        if item not in allowed:
            raise RecordError(f"{name} holds hexes like LB3, not {item!r}")
    return items


def _one_of(fields: Fields, name: str, allowed: Collection[str]) -> str:
    value = fields.text(name)
    if value not in allowed:
        raise RecordError(f"{name} cannot be {value[:20]!r}")
    return value


def _picks(fields: Fields) -> tuple[Pick, ...]:
    told = fields.left.pop("picks", None)
    if not isinstance(told, list) or not 0 < len(told) <= MOST or not all(isinstance(pick, dict) for pick in told):
        raise RecordError("picks must be a list of objects with hex and from")
    picks = []
    for pick in map(Fields, told):
        picks.append(Pick(_one_of(pick, "hex", (*HEXES, *(EXPANSION + hex_ for hex_ in HEXES))), _source(pick)))
        pick.done()
    return in_order(picks)


def _source(pick: Fields) -> int:
    return pick.number("from", range(MOST))
