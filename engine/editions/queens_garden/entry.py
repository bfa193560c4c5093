"""How people tell a move of Queen's Garden: what they touch, what places and pieces are called, what cards print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.editions import names
from engine.editions.queens_garden.display import drawable, turning
from engine.editions.queens_garden.garden import CELLS, DECORATION, FREE, HEX_CELLS, SIX, VOID, print_of
from engine.editions.queens_garden.hexes import BIT, EXPANSION, HEXES, JOKER, LETTERS, heap
from engine.editions.queens_garden.lying import read_garden
from engine.editions.queens_garden.moves import Acquire, Buy, Count, Expand, Move, Pass, Plant, Stack
from engine.editions.queens_garden.options import Options
from engine.editions.queens_garden.state import TOP, State, empty_cards
from engine.entry import Act, Draw, Touch
from engine.state import Setup
from engine.table import ALL, CARD, EMPTY, Kinds, Part, Print, kinds_of
from engine.text import Text, say

TAKE, PLANT, ON, PAY = say("Take"), say("Place a tile"), say("Lay it on"), say("Pay with")
EXPAND, INTO, TURNED = say("Lay an expansion"), say("Lay it into"), say("Its printed hex lies on")
BUY, DISCARD, COUNT, DRAW = say("Buy an expansion for"), say("Pass and discard"), say("Score the round"), say("Draw")
"""What is done in each act."""


def acts(_state: State, move: Move) -> tuple[Act, ...]:
    """What people touch in a move."""
    match move:
        case Acquire(_, picks):
            taken = (Touch(ALL, f"display.{at}" if at != TOP else "stack", _kind(item)) for item, at in picks)
            return (Act(TAKE, tuple(taken)),)
        case Plant(seat, tile, cell, pay):
            laid = Act(PLANT, (Touch(seat, "storage", tile),))
            return laid, Act(ON, (Touch(seat, CELLS[cell]),)), Act(PAY, _items(seat, pay))
        case Expand(seat, hex_, slot, at, pay):
            laid = Act(EXPAND, (Touch(seat, "expansion", f"{CARD}:{hex_}"),))
            into, turned = Act(INTO, (Touch(seat, f"X{slot}"),)), Act(TURNED, (Touch(seat, f"X{slot}.{at}"),))
            return laid, into, turned, Act(PAY, _items(seat, pay))
        case Buy(seat, slot):
            return (Act(BUY, (Touch(seat, f"X{slot}"),)),)
        case Pass(seat, discard):
            return (Act(DISCARD, _items(seat, discard)),)
        case Count():
            return (Act(COUNT),)
        case Stack():
            return (Act(DRAW),)


def _items(seat: int, items: Iterable[str]) -> tuple[Touch, ...]:
    return tuple(Touch(seat, "expansion" if item[0] == EXPANSION else "storage", _kind(item)) for item in items)


def _kind(item: str) -> str:
    """An item as a kind of piece on a Table."""
    return f"{CARD}:{item[1:]}" if item[0] == EXPANSION else item


def awaited(state: State) -> tuple[Draw, ...]:
    """The tiles for the new top card, and the cards of the display that are to be turned face up."""
    count = drawable(state)
    pool = state.bag if count <= len(state.bag) else (*state.bag, *state.tower)
    tiles = (Draw("stack", count, kinds_of(pool)),) if count else ()
    bare = empty_cards(state.display)
    cards = kinds_of(f"{CARD}:{hex_}" for hex_ in state.unseen)
    after = range(len(state.display) + 1, len(state.display) + 1 + turning(state) - len(bare))
    return (*tiles, *(Draw(f"display.{number}", 1, cards) for number in (*bare, *after)))


def drawn(state: State, heaps: Sequence[Kinds]) -> Stack:
    """What is drawn onto the top card, and what the turned cards show."""
    told = list(heaps)
    tiles = told.pop(0) if drawable(state) else ()
    return Stack(heap(tiles), tuple(card.removeprefix(f"{CARD}:") for cards in told for card in cards))


def place_name(name: str) -> Text:
    """A cell, a slot, a heap or a number in words."""
    match name.split("."):
        case [slot] if slot[:1] == "X" and slot[1:].isdigit():
            return say("slot {slot}", slot=int(slot[1:]) + 1)
        case [slot, "c"] if slot[:1] == "X":
            return say("slot {slot}, middle", slot=int(slot[1:]) + 1)
        case [slot, cell] if slot[:1] == "X" and cell.isdigit():
            return say("slot {slot}, cell {cell}", slot=int(slot[1:]) + 1, cell=int(cell) + 1)
        case [cell] if cell[:1] == "F" and cell[1:].isdigit():
            return say("fountain board, cell {cell}", cell=int(cell[1:]) + 1)
        case [cell] if cell[:1] == "T" and cell[1:].isdigit():
            return say("statue or bench {number}", number=int(cell[1:]) + 1)
        case ["display", card]:
            return say("display, card {card}", card=card)
        case ["storage" | "expansion" as heap_, cell]:
            return say("{heap}, cell {cell}", heap=_WORDS[heap_], cell=cell)
        case [one] if one in _WORDS:
            return _WORDS[one]
    return names.place_name(name)


_WORDS = {
    "fountain": say("fountain"),
    "storage": say("the storage"),
    "expansion": say("expansions in the storage"),
    "display": say("the display"),
    "stack": say("tiles on the stack"),
    "left": say("cards left in the stack"),
    "evaluation": say("scoring marker"),
}


def kind_name(kind: str) -> Text:
    """A joker or a card in words."""
    if kind == JOKER:
        return say("joker")
    if kind == CARD:
        return say("expansion, face down")
    hex_, _, at = kind.removeprefix(f"{CARD}:").partition("@")
    if kind.startswith(CARD) and hex_ in LETTERS:
        if at.isdigit():
            return say("expansion {hex}, turned to {at}", hex=LETTERS[hex_], at=int(at) + 1)
        return say("expansion {hex}", hex=LETTERS[hex_])
    return say("{name}", name=kind)


def kinds_at(place: str) -> tuple[str, ...]:
    """The kinds of pieces that may come to lie in a cell or a heap."""
    cards = tuple(f"{CARD}:{hex_}" for hex_ in HEXES)
    if place == "expansion":
        return cards
    if place.startswith("X") and "." not in place:
        return (CARD, *(f"{card}@{at}" for card in cards for at in SIX))
    if place.startswith("display"):
        return (*HEXES, CARD, *cards)
    return HEXES if place == "stack" else (*HEXES, JOKER)


def prints(_setup: Setup[Options], part: Part) -> Mapping[str, Print | None]:
    """Decorations, the hexes that cards print, and None for cells of slots in which no card lies."""
    garden, slots = read_garden(part.cells)
    found: dict[str, Print | None] = {}
    for cell, name in enumerate(CELLS):
        lies = part.cells.get(name, EMPTY)
        usual = print_of(cell, slots)
        if lies == EMPTY and cell in HEX_CELLS and garden[cell] in BIT:
            found[name] = Print(garden[cell], garden[cell], counts=True)
        elif usual == DECORATION:
            found[name] = Print("✿")
        elif usual == VOID and lies in (EMPTY, FREE):
            found[name] = None
    return found
