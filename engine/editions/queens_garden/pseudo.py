"""What hands can do in a state of Queen's Garden, legal or not: what a camera's sighting has to be explained by.

Every legal move comes first; then moves that are illegal as they stand, one thing wrong in each; then moves with one
slip. Wrong payments are a usual one with an item too few, too many or exchanged; a wrong cell goes with the first
payment there is. What shows a hidden hex by mistake (a card bought and laid face up, a card taken face down) is not
listed, since only the sighting knows the hex: such moves are made from what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.editions.queens_garden.display import full_selections, sources
from engine.editions.queens_garden.garden import (
    FREE,
    HEX_CELLS,
    NO_CARD,
    SIX,
    openings,
    ring_cell,
    surrounded,
    with_cell,
)
from engine.editions.queens_garden.hexes import BIT, EXPANSION, JOKER, VALUE, heap, take_out
from engine.editions.queens_garden.moves import (
    BORROWED,
    DISCARDED,
    FROM_DISPLAY,
    JOKERS,
    LAID_FACE_DOWN,
    MARKER,
    MISCOUNTED,
    MOVED,
    PRICE,
    REMOVED,
    ROTATED,
    UNCHARGED,
    UNMOVED,
    UNPAID,
    Acquire,
    Buy,
    Count,
    Expand,
    Move,
    Pass,
    Plant,
    in_order,
)
from engine.editions.queens_garden.rules import legal_moves
from engine.editions.queens_garden.scoring import round_points
from engine.editions.queens_garden.state import ACT, CARD_PRICE, COUNT, TOP, Board, State, room, storage
from engine.editions.queens_garden.storage import Pay, payments, without_items
from engine.moves import Slip


def pseudo_moves(state: State) -> Iterator[Move]:
    """Every legal move, then what else hands can do, none of them twice."""
    done: set[Move] = set()
    for move in _all(state):
        if move not in done:
            done.add(move)
            yield move


def _all(state: State) -> Iterator[Move]:
    yield from legal_moves(state)
    if state.phase == COUNT:
        yield from _miscounts(state)
    if state.phase != ACT:
        return
    for seat in state.setup.seats:
        in_turn = seat == state.turn
        yield from _acquires(state, seat, in_turn)
        yield from _plants(state, seat, in_turn)
        yield from _expands(state, seat, in_turn)
        yield from _buys(state, seat, in_turn)
        yield from _passes(state, seat, in_turn)


def _miscounts(state: State) -> Iterator[Move]:
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        earned = round_points(board.garden, board.slots, state.round, state.setup.options)
        for points in (earned - 1, earned + 1):
            if points >= 0:
                yield Count((Slip(MISCOUNTED, at=seat, to=points),))


def _acquires(state: State, seat: int, in_turn: bool) -> Iterator[Move]:
    lying = [pick for picks in sources(state).values() for pick in picks]
    items = dict.fromkeys(storage(state.boards[seat - 1]))
    for picks, _ in full_selections(state):
        yield Acquire(seat, picks)
        if not in_turn:
            continue
        if len(picks) > 1:
            yield from (Acquire(seat, tuple(p for p in picks if p != left)) for left in picks)
        yield from (Acquire(seat, in_order((*picks, more))) for more in lying if more not in picks)
        if any(source == TOP for _, source in picks):
            yield Acquire(seat, picks, (Slip(UNMOVED),))
        yield from (Acquire(seat, picks, (Slip(DISCARDED, item),)) for item in items)


def _plants(state: State, seat: int, in_turn: bool) -> Iterator[Move]:
    board = state.boards[seat - 1]
    fitting = openings(board.garden)
    bare = [cell for cell, content in enumerate(board.garden) if content not in BIT and content != JOKER]
    free = [cell for cell in bare if cell in HEX_CELLS and board.garden[cell] == FREE]
    for tile in dict.fromkeys(board.tiles):
        rest = take_out(board.tiles, (tile,))[0]
        pays, pay = _usual(state, board, tile)
        good = [cell for cell in free if fitting[cell] & BIT[tile]]
        yield from (Plant(seat, tile, cell, p) for cell in good for p in (pays if in_turn else pays[:1]))
        if in_turn:
            yield from (Plant(seat, tile, cell, pay) for cell in bare)
            wrong = _wrong_payments(pay, board._replace(tiles=rest))
            yield from (Plant(seat, tile, cell, p) for cell in good for p in wrong)
            for cell in good:
                yield from (
                    Plant(seat, tile, cell, pay, (slip,)) for slip in _plant_slips(state, seat, tile, cell, pay)
                )
    if in_turn:
        if board.jokers:
            yield from (Plant(seat, JOKER, cell) for cell in free)
        yield from _from_display(state, seat, free)


def _from_display(state: State, seat: int, free: list[int]) -> Iterator[Move]:
    board = state.boards[seat - 1]
    for hex_, picks in sources(state).items():
        _, pay = _usual(state, board, hex_)
        for item, source in picks:
            if item != hex_:
                continue
            for cell in free:
                if openings(board.garden)[cell] & BIT[hex_]:
                    yield Plant(seat, hex_, cell, pay, (Slip(FROM_DISPLAY, at=source),))


def _plant_slips(state: State, seat: int, tile: str, cell: int, pay: Pay) -> Iterator[Slip]:
    board, _ = without_items(state.boards[seat - 1], (*pay, tile))
    reward = state.setup.options.reward
    due = sum(reward(e.kind) for e in surrounded(with_cell(board.garden, cell, tile), cell))
    kept = min(due, room(board))
    yield from (Slip(JOKERS, at=n) for n in range(due + 2) if n != kept)
    if pay and len(pay) == VALUE[tile] - 1:
        for other in state.setup.seats:
            if other != seat and pay[0] in storage(state.boards[other - 1]):
                yield Slip(BORROWED, pay[0], other)


def _usual(state: State, board: Board, hex_: str) -> tuple[list[Pay], Pay]:
    """All ways to pay, and one to make mistakes with: if none is there, as much as jokers can give."""
    pays = payments(board.tiles, board.jokers, board.cards, hex_, state.setup.options.duplicate_payers)
    return pays, pays[0] if pays else (JOKER,) * min(board.jokers, VALUE[hex_] - 1)


def _wrong_payments(pay: Pay, rest: Board) -> list[Pay]:
    """A payment with an item too few, too many, or its first item exchanged for another of the storage."""
    left = dict.fromkeys(storage(without_items(rest, pay)[0]))
    fewer = [take_out(pay, (item,))[0] for item in dict.fromkeys(pay)]
    more = [heap((*pay, item)) for item in left]
    exchanged = [heap((*pay[1:], item)) for item in left] if pay else []
    return list(dict.fromkeys((*fewer, *more, *exchanged)))


def _expands(state: State, seat: int, in_turn: bool) -> Iterator[Move]:
    board = state.boards[seat - 1]
    free = [slot for slot, at in enumerate(board.slots) if at == NO_CARD]
    fitting = openings(board.garden)
    for card in dict.fromkeys(board.cards):
        rest = take_out(board.cards, (card,))[0]
        _, pay = _usual(state, board, card)
        wrong = _wrong_payments(pay, board._replace(cards=rest))[:2]
        for slot in free:
            for at in SIX:
                # Where a stray tile lies, no printed hex can come to lie.
                if board.garden[ring_cell(slot, at)]:
                    continue
                yield Expand(seat, card, slot, at, pay)
                if in_turn and fitting[ring_cell(slot, at)] & BIT[card]:
                    yield from (Expand(seat, card, slot, at, p) for p in wrong)
            if in_turn:
                yield Expand(seat, card, slot, 0, pay, (Slip(LAID_FACE_DOWN),))
    if not in_turn:
        return
    for number, shown in enumerate(state.display, 1):
        if shown.hex and not shown.tiles:
            _, pay = _usual(state, board, shown.hex)
            slip = Slip(FROM_DISPLAY, at=number)
            yield from (
                Expand(seat, shown.hex, slot, 0, pay, (slip,)) for slot in free if not board.garden[ring_cell(slot, 0)]
            )


def _buys(state: State, seat: int, in_turn: bool) -> Iterator[Move]:
    if not state.supply:
        return
    for slot, at in enumerate(state.boards[seat - 1].slots):
        if at == NO_CARD:
            yield Buy(seat, slot)
            if in_turn:
                yield from (Buy(seat, slot, (Slip(PRICE, at=paid),)) for paid in range(CARD_PRICE))


def _passes(state: State, seat: int, in_turn: bool) -> Iterator[Move]:
    board = state.boards[seat - 1]
    items = (*board.tiles, *(EXPANSION + card for card in board.cards))
    yield Pass(seat)
    if not in_turn:
        return
    if not state.marker:
        yield Pass(seat, (), (Slip(UNPAID),))
    owner = state.marker or seat
    yield from (Pass(seat, (), (Slip(MARKER, at=to),)) for to in (0, *state.setup.seats) if to != owner)
    parts: list[Pay] = [items, *((item,) for item in items)]
    yield from (Pass(seat, discarded, (Slip(UNCHARGED),)) for discarded in parts if discarded)
    yield from (Pass(seat, (), (slip,)) for slip in _disturbances(board))


def _disturbances(board: Board) -> Iterator[Slip]:
    """What can be moved, removed or turned in a garden."""
    printed = {ring_cell(slot, at) for slot, at in enumerate(board.slots) if at in SIX}
    free = [cell for cell in HEX_CELLS if board.garden[cell] == FREE]
    for cell, content in enumerate(board.garden):
        if content in BIT and cell not in printed:
            yield Slip(REMOVED, at=cell)
            yield from (Slip(MOVED, at=cell, to=to) for to in free)
    for slot, at in enumerate(board.slots):
        if at in SIX:
            yield from (Slip(ROTATED, at=slot, to=to) for to in SIX if to != at)
