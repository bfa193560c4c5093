"""What hands really did: moves of Summer Pavilion with slips in them; a slip that changes nothing is impossible."""

from __future__ import annotations

from collections.abc import Callable

from engine.editions.summer_pavilion.moves import (
    BESIDE,
    CHARGED,
    EXTRA,
    FROM_SUPPLY,
    JOKER_LEFT,
    JOKERS,
    LEFT,
    MOVED,
    OFF_CELL,
    OLD_JOKER,
    OTHER_PAYER,
    OVERPAID,
    SECOND,
    SHORT,
    TOKEN,
    UNCHARGED,
    UNDISCARDED,
    UNPUSHED,
    Pass,
    Place,
    Take,
)
from engine.editions.summer_pavilion.scoring import lowered, ring_run, tiles_taken
from engine.editions.summer_pavilion.state import (
    CENTRE,
    CORNERS,
    EMPTY,
    FEATURES,
    SLOTS,
    STARS,
    Board,
    State,
    sources,
)
from engine.errors import ImpossibleMoveError
from engine.moves import Slip
from engine.text import say
from engine.tiles import heap, lacking, take_out, without

AfterTake = Callable[[State, int, Board, list[str], int], State]
AfterPlace = Callable[[State, Place, Board, str, str], State]
AfterPass = Callable[[State, int, Board, str], State]


def slipped_take(state: State, move: Take, after_take: AfterTake) -> State:
    """The state after a take in which something was done wrong."""
    slips = {slip.kind: slip for slip in move.slips}
    table, joker = list(sources(state)), state.joker
    _need(move.source < len(table) and move.colour in table[move.source], move.slips)
    held = tiles_taken(state, move)
    if left := slips.get(LEFT):
        _need(set(left.tiles) == {move.colour} and len(left.tiles) < held.count(move.colour), move.slips)
        held = without(held, left.tiles)
    if JOKER_LEFT in slips:
        _need(move.colour != joker and joker in held, move.slips)
        held = held.replace(joker, "")
    for kind in (EXTRA, JOKERS):
        if slip := slips.get(kind):
            _need((set(slip.tiles) == {joker}) is (kind == JOKERS), move.slips)
            held += slip.tiles
    rest, missing = take_out(table[move.source], held)
    _need(not missing, move.slips)
    table[move.source] = rest
    if UNPUSHED in slips:
        _need(move.source != CENTRE and bool(rest), move.slips)
    elif move.source != CENTRE:
        table[CENTRE], table[move.source] = heap(table[CENTRE] + rest), ""
    due = move.source == CENTRE and not state.marker
    takes_token = due is not (TOKEN in slips)
    _need(not takes_token or not state.marker, move.slips)
    pays = (due and UNCHARGED not in slips) or CHARGED in slips
    _need((CHARGED not in slips or not due) and (UNCHARGED not in slips or due), move.slips)
    board = state.boards[move.seat - 1]
    score = lowered(board.score, len(tiles_taken(state, move)), state.setup.options) if pays else board.score
    board = Board(board.stars, board.corners, heap(board.reserve + held), score)
    return after_take(state, move.seat, board, table, move.seat if takes_token else state.marker)


def slipped_place(state: State, move: Place, after_place: AfterPlace) -> State:
    """The state after a tile laid with something done wrong."""
    slips = {slip.kind: slip for slip in move.slips}
    board, supply, options = state.boards[move.seat - 1], state.supply, state.setup.options
    own = options.cost(move.star, move.cell) - move.jokers
    _need(own > 0, move.slips)
    paid = move.colour * (own - 1) + state.joker * move.jokers
    laid = move.colour
    if FROM_SUPPLY in slips:
        _need(move.colour in supply, move.slips)
        supply, laid, spent = supply.replace(move.colour, EMPTY, 1), move.colour, paid
    else:
        spent = paid + laid
    for kind in (SHORT, OTHER_PAYER, OLD_JOKER):
        if slip := slips.get(kind):
            count = len(slip.tiles)
            _need(0 < count <= len(paid), move.slips)
            # Jokers are the first to be spared, since others stand in for them.
            spared = (state.joker * move.jokers + move.colour * (own - 1))[:count]
            _need(not lacking(spared, spent), move.slips)
            spent, paid = without(spent, spared), without(paid, spared)
            if kind != SHORT:
                spent, paid = spent + slip.tiles, paid + slip.tiles
    if over := slips.get(OVERPAID):
        spent, paid = spent + over.tiles, paid + over.tiles
    reserve, missing = take_out(board.reserve, spent)
    _need(not missing, move.slips)
    if kept := slips.get(UNDISCARDED):
        _need(bool(kept.tiles) and not lacking(kept.tiles, paid), move.slips)
        reserve, paid = heap(reserve + kept.tiles), without(paid, kept.tiles)
    tower = heap(state.tower + paid)
    board = board._replace(reserve=reserve)
    if off := slips.get(OFF_CELL):
        _need(off.at < len(FEATURES), move.slips)
        # A tile beside every cell belongs to nothing: it is out of play as those in the tower are.
        return after_place(state, move, board, heap(tower + laid), supply)
    board = _laid(board, move.star, move.cell, laid, move.slips)
    if second := slips.get(SECOND):
        board = _second(board, second, move.slips)
    if moved := slips.get(MOVED):
        board = _moved(board, moved, move.slips)
    return after_place(state, move, board, tower, supply)


def slipped_pass(state: State, move: Pass, after_pass: AfterPass) -> State:
    """The state after a pass with something done wrong."""
    slips = {slip.kind: slip for slip in move.slips}
    board = state.boards[move.seat - 1]
    given_up, missing = take_out(board.reserve, move.keep)
    _need(not missing and len(move.keep) <= CORNERS, move.slips)
    reserve = ""
    if beside := slips.get(BESIDE):
        _need(bool(beside.tiles) and not lacking(beside.tiles, given_up), move.slips)
        reserve, given_up = heap(beside.tiles), without(given_up, beside.tiles)
    score = board.score
    if UNCHARGED in slips:
        _need(bool(given_up), move.slips)
    else:
        cost = len(board.reserve) - len(move.keep)
        score = lowered(score, cost, state.setup.options)
    corners = heap(move.keep).ljust(CORNERS, EMPTY)
    return after_pass(state, move.seat, Board(board.stars, corners, reserve, score), given_up)


def _laid(board: Board, star: str, slot: int, tile: str, slips: tuple[Slip, ...]) -> Board:
    """The board with one more tile and its points."""
    index = STARS.index(star)
    cells = board.stars[index]
    _need(cells[slot - 1] == EMPTY, slips)
    points = len(ring_run(cells, slot))
    cells = cells[: slot - 1] + tile + cells[slot:]
    return board._replace(stars=(*board.stars[:index], cells, *board.stars[index + 1 :]), score=board.score + points)


def _second(board: Board, slip: Slip, slips: tuple[Slip, ...]) -> Board:
    _need(slip.at < len(STARS) and slip.to in SLOTS and len(slip.tiles) == 1, slips)
    reserve, missing = take_out(board.reserve, slip.tiles)
    _need(not missing, slips)
    before = board.score
    board = _laid(board._replace(reserve=reserve), STARS[slip.at], slip.to, slip.tiles, slips)
    # Nobody scores what was not theirs to lay: the points of a second tile are not counted.
    return board._replace(score=before)


def _moved(board: Board, slip: Slip, slips: tuple[Slip, ...]) -> Board:
    _need(slip.at < len(STARS) and slip.to in SLOTS, slips)
    cells = board.stars[slip.at]
    tile = cells[slip.to - 1]
    _need(tile != EMPTY and EMPTY in cells, slips)
    to = next((slip.to + step - 1) % 6 for step in range(1, 6) if cells[(slip.to + step - 1) % 6] == EMPTY)
    swapped = list(cells)
    swapped[slip.to - 1], swapped[to] = EMPTY, tile
    return board._replace(stars=(*board.stars[: slip.at], "".join(swapped), *board.stars[slip.at + 1 :]))


def _need(possible: bool, slips: tuple[Slip, ...]) -> None:
    if not possible:
        kinds = ", ".join(slip.kind for slip in slips)
        raise ImpossibleMoveError(say("the tiles on the table do not allow what was done ({slips})", slips=kinds))
