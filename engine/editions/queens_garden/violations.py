"""Which rules a move of Queen's Garden breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engine.editions.queens_garden.breaches import hex_breaches, payment_breaches, slip_breaches
from engine.editions.queens_garden.display import draw, drawable, sources, turning
from engine.editions.queens_garden.garden import CELLS, FREE, NO_CARD, SIX, VOID, ring_cell
from engine.editions.queens_garden.hexes import COLOUR, EXPANSION, HEX_OF, JOKER, PATTERN
from engine.editions.queens_garden.moves import (
    BORROWED,
    FACE_DOWN_CARD,
    FROM_DISPLAY,
    LAID_FACE_DOWN,
    MISCOUNTED,
    PRICE,
    SLIPS,
    STACK_SIZE,
    TURNED,
    UNTURNED,
    Acquire,
    Buy,
    Count,
    Expand,
    Move,
    Pass,
    Pick,
    Plant,
    Stack,
    slip_of,
)
from engine.editions.queens_garden.options import FORBID
from engine.editions.queens_garden.scoring import round_points
from engine.editions.queens_garden.state import (
    ACT,
    CARD_PRICE,
    COUNT,
    STACK_CARDS,
    STORAGE_CARDS,
    STORAGE_CELLS,
    TILES_OF_EACH,
    TOP,
    State,
    heaps,
)
from engine.editions.queens_garden.storage import without_items
from engine.state import FILL
from engine.text import Seat, say
from engine.violations import RECORD, Violation


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that the move breaks in this state; none for a legal one."""
    if move.seat not in (0, *state.setup.seats):
        return [Violation(RECORD, say("there is no seat {seat}", seat=move.seat), move.seat)]
    match move:
        case Plant():
            found = [*_turn(state, move.seat), *_plant(state, move)]
        case Acquire():
            found = [*_turn(state, move.seat), *_acquire(state, move)]
        case Expand():
            found = [*_turn(state, move.seat), *_expand(state, move)]
        case Buy():
            found = [*_turn(state, move.seat), *_buy(state, move)]
        case Pass():
            found = [*_turn(state, move.seat), *_pass(state, move)]
        case Stack():
            found = list(_stack(state, move))
        case Count():
            found = list(_count(state, move))
    if move.slips:
        found += slip_breaches(state, move)
        if not found or any(slip.kind not in SLIPS[type(move)] for slip in move.slips):
            found.append(Violation(RECORD, say("a slip says nothing that was done wrong"), move.seat))
    return found


def advisories(state: State, move: Move) -> list[Violation]:
    """What is allowed as agreed, but forbidden in other editions of the rulebook: worth a word, no breach."""
    if not isinstance(move, (Plant, Expand)) or state.setup.options.duplicate_payers == FORBID:
        return []
    hex_ = move.tile if isinstance(move, Plant) else move.hex
    found = payment_breaches(hex_, move.pay, move.seat, FORBID) if hex_ != JOKER else ()
    return [violation for violation in found if violation.rule == "QG-PAY-05"]


def _out_of_phase(state: State, phase: str, seat: int = 0) -> Iterator[Violation]:
    if state.phase != phase:
        text = say("this cannot be done now: the game is in the phase {now}", now=state.phase)
        yield Violation(RECORD, text, seat)


def _turn(state: State, seat: int) -> Iterator[Violation]:
    if state.phase != ACT:
        yield from _out_of_phase(state, ACT, seat)
    elif seat in state.passed:
        yield Violation("QG-PA-02", say("this player has passed already"), seat)
    elif seat != state.turn:
        yield Violation("QG-TU-01", say("it is the turn of {player}", player=Seat(state.turn)), seat)


def _plant(state: State, move: Plant) -> Iterator[Violation]:
    seat, tile, board = move.seat, move.tile, state.boards[move.seat - 1]
    cell = CELLS[move.cell]
    if tile == JOKER:
        yield Violation("QG-PL-05", say("a joker was placed"), seat, cell)
    if board.garden[move.cell] != FREE:
        yield Violation("QG-PL-01", say("no tile may lie there"), seat, cell)
    elif tile != JOKER:
        yield from hex_breaches(board.garden, move.cell, tile, seat)
    if tile != JOKER:
        yield from payment_breaches(tile, move.pay, seat, state.setup.options.duplicate_payers)
    elif move.pay:
        yield Violation("QG-PAY-01", say("nothing is paid for a joker"), seat, "storage")
    yield from _out_of_storage(state, move, tile)


def _expand(state: State, move: Expand) -> Iterator[Violation]:
    seat, board = move.seat, state.boards[move.seat - 1]
    yield from _slot(state, seat, move.slot)
    if move.slot in SIX and board.slots[move.slot] == NO_CARD and not slip_of(move, LAID_FACE_DOWN):
        cell = ring_cell(move.slot, move.at)
        if board.garden[cell] == VOID:
            yield from hex_breaches(board.garden, cell, move.hex, seat)
        else:
            yield Violation("QG-PL-07", say("a tile lies where the card should go"), seat, CELLS[cell])
    yield from payment_breaches(move.hex, move.pay, seat, state.setup.options.duplicate_payers)
    yield from _out_of_storage(state, move, EXPANSION + move.hex)


def _slot(state: State, seat: int, slot: int) -> Iterator[Violation]:
    board = state.boards[seat - 1]
    if slot not in SIX:
        yield Violation("QG-PL-07", say("that is none of the six slots"), seat)
    elif board.slots[slot] != NO_CARD:
        yield Violation("QG-PL-07", say("a card already lies there"), seat, f"X{slot}")


def _out_of_storage(state: State, move: Plant | Expand, item: str) -> Iterator[Violation]:
    """What was placed or paid without lying in the own storage, beyond what slips tell."""
    borrowed = [slip.tiles for slip in move.slips if slip.kind == BORROWED]
    pay = list(move.pay)
    for payer in borrowed:
        if payer in pay:
            pay.remove(payer)
    board = state.boards[move.seat - 1]
    if not slip_of(move, FROM_DISPLAY):
        board, missing = without_items(board, (item,))
        if missing and item != JOKER:
            yield Violation("QG-PL-06", say("no {item} lies in the storage", item=item), move.seat, "storage")
        elif missing:
            yield Violation(RECORD, say("no {item} lies in the storage", item=item), move.seat, "storage")
    _, missing = without_items(board, tuple(pay))
    for payer in missing:
        yield Violation("QG-PAY-04", say("no {item} lies in the storage", item=payer), move.seat, "storage")


def _buy(state: State, move: Buy) -> Iterator[Violation]:
    seat, board = move.seat, state.boards[move.seat - 1]
    yield from _slot(state, seat, move.slot)
    if not state.supply:
        yield Violation(RECORD, say("the supply of expansions is empty"), seat)
    if board.score < CARD_PRICE and not slip_of(move, PRICE):
        text = say("an expansion costs {price}, but the score is {score}", price=CARD_PRICE, score=board.score)
        yield Violation("QG-PAY-06", text, seat, "score")


def _pass(state: State, move: Pass) -> Iterator[Violation]:
    if JOKER in move.discard:
        yield Violation("QG-PA-03", say("only hexes are discarded, not jokers"), move.seat, "storage")
    _, missing = without_items(state.boards[move.seat - 1], move.discard)
    if missing:
        text = say("the storage does not hold {items}", items=tuple(missing))
        yield Violation(RECORD, text, move.seat, "storage")


def _acquire(state: State, move: Acquire) -> Iterator[Violation]:
    seat, board = move.seat, state.boards[move.seat - 1]
    missing = list(_not_there(state, move.picks))
    for item, source in missing:
        if item[0] == EXPANSION and 0 < source <= len(state.display) and not state.display[source - 1].hex:
            yield Violation("QG-DR-07", say("that expansion lies face down"), seat, source_cell(source))
        else:
            yield Violation(RECORD, say("no {item} lies there", item=item), seat, source_cell(source))
    if missing or not move.picks:
        if not move.picks:
            yield Violation(RECORD, say("nothing was taken"), seat)
        return
    hexes = [HEX_OF[item] for item, _ in move.picks]
    yield from _selection(state, hexes, seat)
    cards = len([item for item, _ in move.picks if item[0] == EXPANSION])
    tiles = len(move.picks) - cards
    cards += slip_of(move, FACE_DOWN_CARD) is not None
    if tiles and len(board.tiles) + board.jokers + tiles > STORAGE_CELLS:
        text = say("{count} tiles and jokers are too many", count=len(board.tiles) + board.jokers + tiles)
        yield Violation("QG-DR-04", text, seat, "storage")
    if cards and len(board.cards) + cards > STORAGE_CARDS:
        yield Violation(
            "QG-DR-04", say("{count} expansions are too many", count=len(board.cards) + cards), seat, "storage"
        )


def _not_there(state: State, picks: Sequence[Pick]) -> Iterator[Pick]:
    for pick in dict.fromkeys(picks):
        item, source = pick
        lying = state.top if source == TOP else ()
        if 0 < source <= len(state.display):
            card = state.display[source - 1]
            lying = (*card.tiles, EXPANSION + card.hex) if card.hex and not card.tiles else card.tiles
        if lying.count(item) < picks.count(pick):
            yield pick


def _selection(state: State, hexes: list[str], seat: int) -> Iterator[Violation]:
    for hex_ in dict.fromkeys(hexes):
        if (count := hexes.count(hex_)) > 1:
            yield Violation("QG-DR-03", say("{hex} was taken {count} times", hex=hex_, count=count), seat, "display")
    shared = [of for of in (COLOUR, PATTERN) if len({of[hex_] for hex_ in hexes}) == 1]
    if not shared:
        text = say("{hexes} share neither colour nor pattern", hexes=tuple(hexes))
        yield Violation("QG-DR-01", text, seat, "display")
        return
    # A single hex may have been taken for its colour or for its pattern: it counts for the one that leaves less.
    lying = sources(state)
    left = min(([h for h in lying if of[h] == of[hexes[0]] and h not in hexes] for of in shared), key=len)
    if left:
        yield Violation("QG-DR-02", say("left lying: {hexes}", hexes=tuple(left)), seat, "display")


def source_cell(source: int) -> str:
    """The name of a source, as cells are named."""
    return f"display.{source}" if source else "stack"


def _stack(state: State, move: Stack) -> Iterator[Violation]:
    if state.phase != FILL:
        yield from _out_of_phase(state, FILL)
        return
    wanted = drawable(state)
    if len(move.tiles) != wanted:
        if move.tiles or state.turn == 0:
            text = say("the top card gets {wanted} tiles, not {count}", wanted=wanted, count=len(move.tiles))
            yield Violation("QG-SU-03", text, 0, "stack")
        else:
            yield Violation("QG-DR-05", say("the new top card got no tiles"), 0, "stack")
    drawn = draw(state.bag, state.tower, move.tiles)
    if drawn.skipped and not drawn.missing:
        text = say("the tower was poured in too early: {tiles} were still in the bag", tiles=drawn.skipped)
        yield Violation(RECORD, text, 0, "stack")
    if drawn.missing:
        text = say("bag and tower cannot have given these tiles: {tiles}", tiles=drawn.missing)
        yield Violation(RECORD, text, 0, "stack")
        lying = [tile for place, tiles in heaps(state).items() if place not in ("bag", "tower") for tile in tiles]
        yield from too_many_tiles([*lying, *move.tiles])
    unturned = [slip.at for slip in move.slips if slip.kind == UNTURNED]
    due = turning(state) - len(unturned)
    size = slip_of(move, STACK_SIZE)
    if size and not state.bag and not state.tower:
        due += size.at - STACK_CARDS[state.setup.players]
    if len(move.turned) < due:
        yield Violation("QG-DR-06", say("an empty expansion was not turned face up"), 0, "display")
    elif len(move.turned) > due:
        yield Violation(RECORD, say("more expansions were turned than lie empty"), 0, "display")
    turned = (*move.turned, *(slip.tiles for slip in move.slips if slip.kind == TURNED))
    for hex_ in dict.fromkeys(turned):
        if hex_ not in state.unseen or turned.count(hex_) > 1:
            yield Violation("QG-INV-01", say("the expansion {hex} was seen elsewhere", hex=hex_), 0, "display")


def too_many_tiles(tiles: Iterable[str]) -> Iterator[Violation]:
    """More tiles of a kind than there are."""
    for hex_, count in sorted(Counter(tiles).items()):
        if count > TILES_OF_EACH:
            text = say("{count} tiles {hex}: there are only {all}", count=count, hex=hex_, all=TILES_OF_EACH)
            yield Violation("QG-INV-01", text)


def _count(state: State, move: Count) -> Iterator[Violation]:
    if state.phase != COUNT:
        yield from _out_of_phase(state, COUNT)
        return
    for slip in move.slips:
        if slip.kind == MISCOUNTED and slip.at in state.setup.seats:
            board = state.boards[slip.at - 1]
            earned = round_points(board.garden, board.slots, state.round, state.setup.options)
            if slip.to != earned:
                text = say("the marker moved by {shown}, the round brought {points}", shown=slip.to, points=earned)
                yield Violation("QG-SC-01", text, slip.at, "score")
