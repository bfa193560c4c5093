"""Why a hex may not lie on a cell, why a payment is wrong, and which rule each slip breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.editions.queens_garden.garden import (
    CELLS,
    NEIGHBOURS,
    Garden,
    group,
    openings,
    surrounded,
    with_cell,
)
from engine.editions.queens_garden.hexes import BIT, COLOUR, HEX_OF, JOKER, KIN, PATTERN, VALUE
from engine.editions.queens_garden.moves import (
    BORROWED,
    DISCARDED,
    FACE_DOWN_CARD,
    FROM_DISPLAY,
    JOKERS,
    LAID_FACE_DOWN,
    LAID_FACE_UP,
    MARKER,
    MOVED,
    PRICE,
    REMOVED,
    ROTATED,
    STACK_SIZE,
    TURNED,
    UNCHARGED,
    UNMOVED,
    UNPAID,
    UNTURNED,
    Move,
    Pass,
    Plant,
)
from engine.editions.queens_garden.options import FORBID
from engine.editions.queens_garden.state import CARD_PRICE, STACK_CARDS, State, room
from engine.editions.queens_garden.storage import Pay, without_items
from engine.moves import Slip
from engine.text import Text, say
from engine.violations import Violation


def hex_breaches(garden: Garden, cell: int, hex_: str, seat: int) -> Iterator[Violation]:
    """Why a hex may not lie on a cell, whatever the cell is."""
    if openings(garden)[cell] & BIT[hex_]:
        return
    name = CELLS[cell]
    beside = [garden[other] for other in NEIGHBOURS[cell] if garden[other] in BIT]
    if hex_ in beside:
        yield Violation("QG-PL-03", say("an identical {hex} lies beside it", hex=hex_), seat, name)
    elif not any(KIN[hex_] & BIT[other] for other in beside):
        text = say("{hex} shares neither colour nor pattern with {others}", hex=hex_, others=tuple(beside))
        yield Violation("QG-PL-02", text, seat, name)
    else:
        yield from _doubles(garden, cell, hex_, seat)


def _doubles(garden: Garden, cell: int, hex_: str, seat: int) -> Iterator[Violation]:
    after = with_cell(garden, cell, hex_)
    for attribute in (COLOUR, PATTERN):
        counts = Counter(after[other] for other in group(after, cell, attribute))
        if twice := tuple(sorted(other for other, count in counts.items() if count > 1)):
            text = say("a group would hold {hexes} twice", hexes=twice)
            yield Violation("QG-PL-04", text, seat, CELLS[cell])


def payment_breaches(hex_: str, pay: Pay, seat: int, duplicates: str) -> Iterator[Violation]:
    """Why a payment for a hex is wrong, wherever it comes from."""
    wanted = VALUE[hex_] - 1
    if len(pay) != wanted:
        text = say("{hex} costs {wanted} items besides itself, not {count}", hex=hex_, wanted=wanted, count=len(pay))
        yield Violation("QG-PAY-01", text, seat, "storage")
    payers = [HEX_OF[item] for item in pay if item != JOKER]
    if hex_ in payers:
        yield Violation("QG-PAY-03", say("{hex} cannot pay for itself", hex=hex_), seat, "storage")
    others = [payer for payer in payers if payer != hex_]
    if not any(all(of[payer] == of[hex_] for payer in others) for of in (COLOUR, PATTERN)):
        text = say("{payers} share neither all the colour nor all the pattern of {hex}", payers=tuple(others), hex=hex_)
        yield Violation("QG-PAY-02", text, seat, "storage")
    twice = tuple(sorted({payer for payer in others if others.count(payer) > 1}))
    if twice and duplicates == FORBID:
        yield Violation("QG-PAY-05", say("paid twice: {payers}", payers=twice), seat, "storage")


_TOLD: dict[str, tuple[str, Text]] = {
    DISCARDED: ("QG-PA-03", say("something was discarded without passing")),
    UNCHARGED: ("QG-PA-03", say("what was discarded cost nothing")),
    MOVED: ("QG-PL-09", say("a hex was moved")),
    REMOVED: ("QG-PL-09", say("a hex was taken away")),
    ROTATED: ("QG-PL-09", say("a card was turned")),
    UNMOVED: ("QG-DR-05", say("the top card stayed on the stack")),
    FACE_DOWN_CARD: ("QG-DR-07", say("an expansion that lay face down was taken")),
    FROM_DISPLAY: ("QG-PL-06", say("it came straight from the display")),
    BORROWED: ("QG-PAY-04", say("a payer came out of another storage")),
    LAID_FACE_DOWN: ("QG-PL-08", say("an expansion of the storage was laid face down")),
    LAID_FACE_UP: ("QG-PL-08", say("a bought expansion was laid face up")),
    UNPAID: ("QG-PA-01", say("the first to pass did not lose a point")),
    MARKER: ("QG-PA-01", say("the marker is not with the first to pass")),
    UNTURNED: ("QG-DR-06", say("an empty expansion was not turned face up")),
    TURNED: ("QG-DR-06", say("an expansion was turned although tiles lie on it")),
}


def slip_breaches(state: State, move: Move) -> Iterator[Violation]:
    """Which rules the slips of a move break."""
    for slip in move.slips:
        if slip.kind == JOKERS and isinstance(move, Plant):
            yield from _jokers(state, move, slip)
        elif slip.kind == PRICE and slip.at != CARD_PRICE:
            text = say("an expansion costs {price} points, not {paid}", price=CARD_PRICE, paid=slip.at)
            yield Violation("QG-PAY-06", text, move.seat, "score")
        elif slip.kind == STACK_SIZE and slip.at != STACK_CARDS[state.setup.players]:
            wanted = STACK_CARDS[state.setup.players]
            text = say("the stack has {count} expansions, it should be {wanted}", count=slip.at, wanted=wanted)
            yield Violation("QG-SU-01", text, 0, "stack")
        elif slip.kind == UNPAID and (state.marker or not isinstance(move, Pass)):
            continue
        elif slip.kind in _TOLD:
            rule, text = _TOLD[slip.kind]
            yield Violation(rule, text, move.seat, _where(move, slip))


def _where(move: Move, slip: Slip) -> str:
    if slip.kind in (MOVED, REMOVED) and slip.at < len(CELLS):
        return CELLS[slip.at]
    if slip.kind == ROTATED:
        return f"X{slip.at}"
    if slip.kind in (FACE_DOWN_CARD, FROM_DISPLAY, UNTURNED, TURNED):
        return f"display.{slip.at}" if slip.at else "stack"
    if slip.kind in (LAID_FACE_DOWN, LAID_FACE_UP) and not isinstance(move, (Plant, Pass)):
        return f"X{getattr(move, 'slot', '')}"
    return {UNMOVED: "stack", MARKER: "display", UNPAID: "score"}.get(slip.kind, "storage")


def _jokers(state: State, move: Plant, slip: Slip) -> Iterator[Violation]:
    board, _ = without_items(state.boards[move.seat - 1], (*move.pay, move.tile))
    elements = surrounded(with_cell(board.garden, move.cell, move.tile), move.cell)
    due, space = sum(state.setup.options.reward(e.kind) for e in elements), room(board)
    if slip.at > space:
        text = say("{count} jokers were kept, but only {room} cells are free", count=slip.at, room=space)
        yield Violation("QG-JO-02", text, move.seat, "storage")
    if slip.at > due or slip.at < min(due, space):
        text = say("{count} jokers were taken, {due} are due", count=slip.at, due=due)
        yield Violation("QG-JO-01", text, move.seat, "storage")
