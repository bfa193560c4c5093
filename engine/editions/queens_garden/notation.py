"""States and moves of Queen's Garden in one line each.

A state: `queens-garden:a:2:1 r2 act1 s1 m0 p- LB1.YE2@4 LB3.YE2/+LG1 BAG TOWER UNSEEN 16 BOARD BOARD`, that is set-up
(edition, side, players, first), round, phase with the seat to act next, starter, marker (0: display), who passed, the
tiles on the top card and how many cards the stack has, the cards of the display (`+` face up), bag, tower and the hexes
never seen on a card (a digit for each hex), the cards in the supply, then a board per seat: `GARDEN|TILES|CARDS|SCORE`
with `F0=LB3,X0=LG1@4,X0.2=YE2,X1=down`. `-` stands for nothing; options that differ from the usual follow as JSON.

A move: `stack:LB1.YE2.DG3.LP4+LG1` (drawn, then turned), `1:LB3@0.xLG1@2` (seat 1 acquires from the stack and from card
2 of the display), `1:LB3>F0=J.YE3` (places and pays), `1:xLG1>X0@4=YE1`, `1:buy>X3`, `1:pass=LB1`, `count`; a slip
follows as `!kind=ITEM@at>to`.
"""

from __future__ import annotations

import re

from engine.editions.queens_garden.garden import (
    BARE_GARDEN,
    BARE_SLOTS,
    CELLS,
    FACE_DOWN,
    INDEX,
    NO_CARD,
    SIX,
    Garden,
    print_of,
    ring_cell,
    with_card,
)
from engine.editions.queens_garden.hexes import BIT, HEXES, ITEMS, JOKER, Heap, heap
from engine.editions.queens_garden.moves import Acquire, Buy, Count, Expand, Move, Pass, Pick, Plant, Stack, in_order
from engine.editions.queens_garden.options import format_options, parse_options
from engine.editions.queens_garden.state import ACT, COUNT, Board, Card, State
from engine.errors import NotationError
from engine.notation import NOTHING, format_line, format_slips, match_part, parse_line, parse_slip, seat_among
from engine.state import FILL, OVER

LETTERS = "BDEGJLPYx123456"
"""All signs with which items are written."""
_ITEMS = rf"[{LETTERS}.]*"
_DOWN = "down"


def format_state(state: State) -> str:
    """A state in one line."""
    parts = [
        "p" + ("".join(map(str, state.passed)) or NOTHING),
        f"{'.'.join(state.top) or NOTHING}@{state.stack}",
        "/".join(map(_format_card, state.display)) or NOTHING,
        _format_heap(state.bag),
        _format_heap(state.tower),
        _format_heap(state.unseen),
        str(state.supply),
        *map(_format_board, state.boards),
    ]
    phase = f"{state.phase}{state.turn or ''}{'+' if state.due else ''}"
    return format_line(state, phase, parts, format_options(state.setup))


def parse_state(text: str) -> State:
    """The state that `format_state` wrote."""
    setup, parts = parse_line(text, "[a-z-]+", "[ab]", parse_options)
    players = setup.players
    if len(parts) != 12 + players:
        raise NotationError(f"a state of {players} players has {12 + players} parts, not {len(parts)}")
    phase, turn, due = match_part(rf"({ACT}|{COUNT}|{FILL}|{OVER})([0-4]?)(\+?)", parts[2], "phase")
    top, stack = match_part(rf"({_ITEMS}|-)@([0-9]{{1,2}})", parts[6], "stack")
    passed = match_part(r"p([1-4]{1,4}|-)", parts[5], "passed seats")[0].replace(NOTHING, "")
    return State(
        setup=setup,
        boards=tuple(map(_parse_board, parts[12:])),
        top=heap(_hexes(top)),
        stack=int(stack),
        display=tuple(map(_parse_card, parts[7].split("/"))) if parts[7] != NOTHING else (),
        bag=_parse_heap(parts[8]),
        tower=_parse_heap(parts[9]),
        unseen=_parse_heap(parts[10]),
        supply=int(match_part(r"([0-9]{1,2})", parts[11], "supply")[0]),
        phase=phase,
        turn=seat_among(turn or "0", players),
        starter=seat_among(match_part(r"s([1-4])", parts[3], "starter")[0], players, 1),
        marker=seat_among(match_part(r"m([0-4])", parts[4], "marker")[0], players),
        passed=tuple(seat_among(seat, players, 1) for seat in passed),
        round=int(match_part(r"r([0-4])", parts[1], "round")[0]),
        due=bool(due),
    )


def format_move(move: Move) -> str:
    """A move in one word."""
    match move:
        case Stack(tiles, turned):
            word = "stack:" + ".".join(tiles) + ("+" + ".".join(turned) if turned else "")
        case Acquire(seat, picks):
            word = f"{seat}:" + ".".join(f"{item}@{source}" for item, source in picks)
        case Plant(seat, tile, cell, pay):
            word = f"{seat}:{tile}>{CELLS[cell]}" + _format_pay(pay)
        case Expand(seat, hex_, slot, at, pay):
            word = f"{seat}:x{hex_}>X{slot}@{at}" + _format_pay(pay)
        case Buy(seat, slot):
            word = f"{seat}:buy>X{slot}"
        case Pass(seat, discard):
            word = f"{seat}:pass" + _format_pay(discard)
        case Count():
            word = "count"
    return word + format_slips(move.slips)


def parse_move(text: str) -> Move:
    """The move that `format_move` wrote."""
    word, *written = text.split("!")
    slips = tuple(parse_slip(slip, LETTERS) for slip in written)
    if word == "count":
        return Count(slips)
    if match := re.fullmatch(rf"stack:({_ITEMS})(?:\+({_ITEMS}))?", word):
        return Stack(heap(_hexes(match[1])), _hexes(match[2] or ""), slips)
    if match := re.fullmatch(rf"([1-4]):pass(?:=({_ITEMS}))?", word):
        return Pass(int(match[1]), heap(_items(match[2] or "")), slips)
    if match := re.fullmatch(r"([1-4]):buy>X([0-9])", word):
        return Buy(int(match[1]), int(match[2]), slips)
    if match := re.fullmatch(rf"([1-4]):x([A-Z]{{2}}[1-6])>X([0-9])@([0-5])(?:=({_ITEMS}))?", word):
        (hex_,) = _hexes(match[2])
        return Expand(int(match[1]), hex_, int(match[3]), int(match[4]), heap(_items(match[5] or "")), slips)
    if match := re.fullmatch(rf"([1-4]):([{LETTERS}]+)>([a-zA-Z0-9.]+)(?:=({_ITEMS}))?", word):
        if match[2] in (*HEXES, JOKER) and match[3] in INDEX:
            return Plant(int(match[1]), match[2], INDEX[match[3]], heap(_items(match[4] or "")), slips)
    elif match := re.fullmatch(rf"([1-4]):([{LETTERS}]+@[0-9]{{1,2}}(?:\.[{LETTERS}]+@[0-9]{{1,2}})*)", word):
        return Acquire(int(match[1]), in_order(map(_parse_pick, match[2].split("."))), slips)
    raise NotationError(f"a move is written like 1:LB3@0.LB5@2, 1:LB3>F0=J.YE3, 1:buy>X3 or 1:pass, not {text!r}")


def _parse_pick(text: str) -> Pick:
    item, _, source = text.partition("@")
    if item not in ITEMS or item == JOKER:
        raise NotationError(f"a hex is written like LB3, an expansion like xLB3, not {item!r}")
    return Pick(item, int(source))


def _format_pay(pay: Heap) -> str:
    return "=" + ".".join(pay) if pay else ""


def _items(text: str) -> Heap:
    items = tuple(text.split(".")) if text and text != NOTHING else ()
    if not set(items) <= ITEMS:
        raise NotationError(f"items are written like LB3.J.xDP6, not {text!r}")
    return items


def _hexes(text: str) -> Heap:
    items = _items(text)
    if not all(item in BIT for item in items):
        raise NotationError(f"hexes are written like LB3.YE2, not {text!r}")
    return items


def _format_heap(tiles: Heap) -> str:
    return "".join(str(tiles.count(hex_)) for hex_ in HEXES) if tiles else NOTHING


def _parse_heap(text: str) -> Heap:
    if text == NOTHING:
        return ()
    if not re.fullmatch(r"[0-9]{36}", text):
        raise NotationError(f"a heap has a digit for each of the 36 hexes, or is - for none, not {text!r}")
    return heap(hex_ for hex_, count in zip(HEXES, text, strict=True) for _ in range(int(count)))


def _format_card(card: Card) -> str:
    return ".".join(((f"+{card.hex}",) if card.hex else ()) + card.tiles) or "_"


def _parse_card(text: str) -> Card:
    if text == "_":
        return Card("", ())
    if text.startswith("+"):
        hex_, *tiles = _hexes(text[1:])
        return Card(hex_, heap(tiles))
    return Card("", heap(_hexes(text)))


def _format_board(board: Board) -> str:
    tiles = ".".join((*board.tiles, *(JOKER,) * board.jokers))
    cards = ".".join(board.cards)
    return f"{_format_garden(board.garden, board.slots)}|{tiles or NOTHING}|{cards or NOTHING}|{board.score}"


def _format_garden(garden: Garden, slots: tuple[int, ...]) -> str:
    written, printed = [], set()
    for slot, at in enumerate(slots):
        if at in SIX:
            printed.add(ring_cell(slot, at))
            written.append(f"X{slot}={garden[ring_cell(slot, at)]}@{at}")
        elif at == FACE_DOWN:
            written.append(f"X{slot}={_DOWN}")
    for cell, content in enumerate(garden):
        if cell not in printed and content != print_of(cell, slots):
            written.append(f"{CELLS[cell]}={content}")
    return ",".join(written) or NOTHING


def _parse_board(text: str) -> Board:
    parts = text.split("|")
    if len(parts) != 4:
        raise NotationError(f"a board is GARDEN|TILES|CARDS|SCORE, not {text!r}")
    items = _items(parts[1])
    garden, slots = _parse_garden(parts[0])
    return Board(
        garden=garden,
        slots=slots,
        tiles=heap(_hexes(".".join(item for item in items if item != JOKER))),
        jokers=items.count(JOKER),
        cards=heap(_hexes(parts[2])),
        score=int(match_part(r"(-?[0-9]{1,4})", parts[3], "score")[0]),
    )


def _parse_garden(text: str) -> tuple[Garden, tuple[int, ...]]:
    garden, slots = BARE_GARDEN, list(BARE_SLOTS)
    lying: dict[int, str] = {}
    for word in text.split(",") if text != NOTHING else ():
        name, _, content = word.partition("=")
        if match := re.fullmatch(r"X([0-5])", name):
            slot = int(match[1])
            hex_, at = (
                ("", str(FACE_DOWN)) if content == _DOWN else content.split("@", 1) if "@" in content else ("", "")
            )
            if slots[slot] != NO_CARD or (content != _DOWN and (hex_ not in BIT or at not in tuple("012345"))):
                raise NotationError(f"a card in a slot is written like X0=LG1@4 or X0=down, not {word!r}")
            slots[slot] = int(at)
            garden = with_card(garden, slot, int(at), hex_)
        elif name in INDEX and content in (*HEXES, JOKER):
            lying[INDEX[name]] = content
        else:
            raise NotationError(f"a hex in a garden is written like F0=LB3, not {word!r}")
    cells = list(garden)
    for cell, content in lying.items():
        if cells[cell] in BIT:
            raise NotationError(f"two hexes lie on {CELLS[cell]}")
        cells[cell] = content
    return tuple(cells), tuple(slots)
