"""How a game of Queen's Garden goes on: legal moves, and what each does.

`enact` does what hands did, `apply` only what is allowed. A round is `fill` (chance: tiles on the first card), `act`
(turns, with `fill` after every acquire that uncovers a card), `count` (scoring), then `fill` again or `over`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.editions.queens_garden.display import acquired, cleared, drawable, full_selections, stacked, turning
from engine.editions.queens_garden.garden import (
    FACE_DOWN,
    NO_CARD,
    SIX,
    VOID,
    free_openings,
    openings,
    ring_cell,
    surrounded,
    with_card,
    with_cell,
)
from engine.editions.queens_garden.hands import after_hands, before_hands, need
from engine.editions.queens_garden.hexes import (
    BIT,
    EXPANSION,
    JOKER,
    heap,
)
from engine.editions.queens_garden.moves import (
    JOKERS,
    LAID_FACE_DOWN,
    LAID_FACE_UP,
    MARKER,
    PRICE,
    SLIPS,
    Acquire,
    Buy,
    Count,
    Expand,
    Move,
    Pass,
    Plant,
    Stack,
    slip_of,
)
from engine.editions.queens_garden.scoring import charged, pass_costs, price, score
from engine.editions.queens_garden.state import (
    ACT,
    CARD_PRICE,
    COUNT,
    STORAGE_CARDS,
    STORAGE_CELLS,
    Board,
    State,
    following,
    room,
)
from engine.editions.queens_garden.storage import Pay, discards, payments, without_items
from engine.editions.queens_garden.violations import violations
from engine.editions.queens_garden.wheel import ROUNDS
from engine.errors import IllegalMoveError, ImpossibleMoveError
from engine.moves import Chained, Combined
from engine.score import total
from engine.state import OVER
from engine.text import say
from engine.tiles import Sample


def legal_moves(state: State) -> list[Move]:
    """Every move that the rules allow now."""
    if state.phase == COUNT:
        return [Count()]
    if state.phase != ACT:
        return []
    passes = [Pass(state.turn, items) for items in discards(state.boards[state.turn - 1])]
    return [*actions(state), *passes]


def choices(state: State) -> Sequence[Move]:
    """The legal moves, but of the thousands of passes only those that discard nothing or every hex."""
    if state.phase != ACT:
        return legal_moves(state)
    board = state.boards[state.turn - 1]
    everything = (*board.tiles, *(EXPANSION + card for card in board.cards))
    passes = [Pass(state.turn), Pass(state.turn, everything)] if everything else [Pass(state.turn)]
    return Chained([actions(state), passes])


def apply(state: State, move: Move) -> State:
    """The state after a legal move."""
    if broken := violations(state, move):
        reasons = "; ".join(f"{v.rule}: {v.text}" for v in broken)
        raise IllegalMoveError(f"{move} is not allowed: {reasons}", broken)
    return enact(state, move)


def enact(state: State, move: Move) -> State:
    """The state after a move as hands made it, legal or not."""
    if not move.slips:
        return _enact(state, move)
    need(all(slip.kind in SLIPS[type(move)] for slip in move.slips), move)
    return after_hands(_enact(before_hands(state, move), move), move)


def implied(state: State) -> Move | None:
    """The scoring of a round is left unsaid in a record: nobody has a choice in it."""
    return Count() if state.phase == COUNT and not state.setup.options.explicit_scoring else None


def settle(state: State) -> State:
    """The state after all implied moves."""
    move = implied(state)
    return state if move is None else enact(state, move)


def deal(state: State, sample: Sample) -> Stack:
    """Draw tiles onto the new top card, and learn the hexes of the cards to be turned, by chance."""
    count = drawable(state)
    first = sample(state.bag, min(count, len(state.bag)))
    tiles = heap((*first, *sample(state.tower, count - len(first))))
    return Stack(tiles, tuple(sample(state.unseen, turning(state))))


def _enact(state: State, move: Move) -> State:
    match move:
        case Plant():
            return _plant(state, move)
        case Acquire():
            return acquired(state, move)
        case Expand():
            return _expand(state, move)
        case Buy():
            return _buy(state, move)
        case Pass():
            return _pass(state, move)
        case Stack():
            return stacked(state, move)
        case Count():
            return _count(state, move)


def actions(state: State) -> Sequence[Move]:
    """All legal moves of the seat to act but passes."""
    seat, board = state.turn, state.boards[state.turn - 1]
    moves: list[Sequence[Move]] = [_acquires(state, seat, board), *_plants(state, seat, board)]
    free = [slot for slot, at in enumerate(board.slots) if at == NO_CARD]
    if board.cards:
        moves.append(_expands(state, seat, board, free))
    if board.score >= CARD_PRICE and state.supply:
        moves.append([Buy(seat, slot) for slot in free])
    return Chained(moves)


def _acquires(state: State, seat: int, board: Board) -> Sequence[Acquire]:
    """Every way to take one of each hex of a colour or a pattern; a hex that is alone in both is listed once."""
    tile_room, card_room = STORAGE_CELLS - len(board.tiles) - board.jokers, STORAGE_CARDS - len(board.cards)
    fitting = [
        picks
        for picks, cards in full_selections(state)
        if (not cards or cards <= card_room) and (len(picks) == cards or len(picks) - cards <= tile_room)
    ]
    return Combined(Acquire, (seat,), fitting)


def _plants(state: State, seat: int, board: Board) -> list[Sequence[Plant]]:
    """Every tile on every cell where it may lie, with every payment; for each tile a sequence."""
    duplicates = state.setup.options.duplicate_payers
    garden, _, tiles, jokers, cards, _ = board
    free = free_openings(garden)
    moves: list[Sequence[Plant]] = []
    for tile in dict.fromkeys(tiles):
        bit = BIT[tile]
        cells = [cell for cell, fitting in free if fitting & bit]
        if cells and (pays := payments(tiles, jokers, cards, tile, duplicates)):
            moves.append(Combined(Plant, (seat,), (tile,), cells, pays))
    return moves


def _expands(state: State, seat: int, board: Board, slots: list[int]) -> list[Expand]:
    """Every expansion of the storage in every free slot and direction, with every payment."""
    fitting = openings(board.garden)
    spots = [(slot, at, ring_cell(slot, at)) for slot in slots for at in SIX]
    moves: list[Expand] = []
    for card in board.cards:
        pays = payments(board.tiles, board.jokers, board.cards, card, state.setup.options.duplicate_payers)
        for slot, at, cell in spots:
            if fitting[cell] & BIT[card] and board.garden[cell] == VOID:
                moves += [Expand(seat, card, slot, at, pay) for pay in pays]
    return moves


def _plant(state: State, move: Plant) -> State:
    seat, tile, cell = move.seat, move.tile, move.cell
    board = _paid(state.boards[seat - 1], (*move.pay, tile))
    content = board.garden[cell]
    if content in BIT or content == JOKER:
        raise ImpossibleMoveError(say("a hex already lies there"))
    garden = with_cell(board.garden, cell, tile)
    options = state.setup.options
    reward = sum(options.reward(element.kind) for element in surrounded(garden, cell))
    jokers = min(reward, room(board))
    if move.slips and (slip := slip_of(move, JOKERS)):
        need(slip.at != jokers, move)
        jokers = slip.at
    board = Board(garden, board.slots, board.tiles, board.jokers + jokers, board.cards, board.score)
    return _spent(state, seat, board, move.pay)


def _expand(state: State, move: Expand) -> State:
    seat, slot = move.seat, move.slot
    board = _paid(state.boards[seat - 1], (*move.pay, EXPANSION + move.hex))
    at = FACE_DOWN if slip_of(move, LAID_FACE_DOWN) else move.at
    return _spent(state, seat, _with_card(board, slot, at, move.hex), move.pay)


def _buy(state: State, move: Buy) -> State:
    board = state.boards[move.seat - 1]
    if not state.supply:
        raise ImpossibleMoveError(say("the supply of expansions is empty"))
    at, hex_, unseen = FACE_DOWN, "", state.unseen
    if slip := slip_of(move, LAID_FACE_UP):
        need(slip.tiles in unseen and slip.at in SIX, move)
        at, hex_, unseen = slip.at, slip.tiles, tuple(other for other in unseen if other != slip.tiles)
    need(not slip_of(move, PRICE) or price(move) != CARD_PRICE, move)
    score = charged(board.score, price(move), state.setup.options)
    board = _with_card(board, move.slot, at, hex_)._replace(score=score)
    after = _spent(state, move.seat, board, ())
    return after._replace(supply=state.supply - 1, unseen=unseen)


def _pass(state: State, move: Pass) -> State:
    seat, options = move.seat, state.setup.options
    board = _paid(state.boards[seat - 1], move.discard)
    for cost in pass_costs(state, move):
        board = board._replace(score=charged(board.score, cost, options))
    marker = state.marker or seat
    if slip := slip_of(move, MARKER):
        need(slip.at in (0, *state.setup.seats) and slip.at != marker, move)
        marker = slip.at
    passed = tuple(sorted({*state.passed, seat}))
    after = _spent(state, seat, board, move.discard)._replace(marker=marker, passed=passed)
    if len(passed) == state.setup.players:
        return after._replace(phase=COUNT, turn=0)
    return after._replace(turn=following(state.setup.players, passed, seat))


def _count(state: State, move: Count) -> State:
    if state.phase != COUNT:
        raise ImpossibleMoveError(say("the round is not over"))
    lines = score(state, move)
    boards = tuple(
        board._replace(score=board.score + total(line for line in lines if line.seat == seat))
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
    )
    if state.round >= ROUNDS:
        return state._replace(boards=boards, phase=OVER)
    return cleared(state)._replace(boards=boards)


def _paid(board: Board, items: Pay) -> Board:
    board, missing = without_items(board, items)
    if missing:
        raise ImpossibleMoveError(say("the storage does not hold {items}", items=tuple(missing)))
    return board


def _with_card(board: Board, slot: int, at: int, hex_: str) -> Board:
    if slot not in SIX or board.slots[slot] != NO_CARD:
        raise ImpossibleMoveError(say("no card can be laid there"))
    if at != FACE_DOWN and board.garden[ring_cell(slot, at)] != VOID:
        raise ImpossibleMoveError(say("a hex already lies there"))
    slots = (*board.slots[:slot], at, *board.slots[slot + 1 :])
    return board._replace(garden=with_card(board.garden, slot, at, hex_), slots=slots)


def _spent(state: State, seat: int, board: Board, items: Pay) -> State:
    """The state after an action: its board, what it paid in tower and supply, and the turn handed on."""
    setup, tower, supply = state.setup, state.tower, state.supply
    if items:
        tower = heap([*tower, *[item for item in items if item in BIT]])
        supply += len([item for item in items if item[0] == EXPANSION])
    boards = (*state.boards[: seat - 1], board, *state.boards[seat:])
    turn = following(setup.players, state.passed, seat)
    return state._replace(boards=boards, tower=tower, supply=supply, turn=turn)
