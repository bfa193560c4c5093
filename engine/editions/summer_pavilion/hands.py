"""What hands really did: moves of Summer Pavilion with slips in them; a slip that changes nothing is impossible."""

from __future__ import annotations

from collections.abc import Callable

from engine.editions.drafting import EXTRA
from engine.editions.summer_pavilion.moves import (
    BESIDE,
    CHARGED,
    FROM_CORNERS,
    FROM_SUPPLY,
    JOKER_LEFT,
    JOKERS,
    LEFT,
    MOVED,
    OFF_CELL,
    OLD_JOKER,
    OTHER_PAYER,
    OVERPAID,
    PASS_SLIPS,
    PLACE_SLIPS,
    SECOND,
    SHORT,
    TAKE_SLIPS,
    TOKEN,
    UNCHARGED,
    UNDISCARDED,
    UNPUSHED,
    WITH_TILES,
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
    laid_out,
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
    slips = _by_kind(move.slips, TAKE_SLIPS)
    table = list(sources(state))
    _need(move.source < len(table) and move.colour in table[move.source], move.slips)
    held = _picked_up(state, move, slips)
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
    board = state.boards[move.seat - 1]
    score = _charged(board.score, len(tiles_taken(state, move)), due, state, move.slips)
    board = Board(board.stars, board.corners, heap(board.reserve + held), score)
    return after_take(state, move.seat, board, table, move.seat if takes_token else state.marker)


def slipped_place(state: State, move: Place, after_place: AfterPlace) -> State:
    """The state after a tile laid with something done wrong."""
    slips = _by_kind(move.slips, PLACE_SLIPS)
    board, supply, laid = state.boards[move.seat - 1], state.supply, move.colour
    paid = _paid(state, move, slips)
    if FROM_CORNERS in slips:
        return _placed_after_passing(state, move, paid + laid, after_place)
    if FROM_SUPPLY in slips:
        _need(laid in supply, move.slips)
        supply, spent = supply.replace(laid, EMPTY, 1), paid
    else:
        spent = paid + laid
    reserve, missing = take_out(board.reserve, spent)
    _need(not missing, move.slips)
    if kept := slips.get(UNDISCARDED):
        reserve, paid = heap(reserve + kept.tiles), _less(paid, kept.tiles, move.slips)
    board = board._replace(reserve=reserve)
    if off := slips.get(OFF_CELL):
        _need(off.at < len(FEATURES), move.slips)
        # A tile beside every cell belongs to nothing: it is out of play as those in the tower are.
        paid += laid
    else:
        board = _laid(board, move.star, move.cell, laid, move.slips)
    if second := slips.get(SECOND):
        board = _second(board, second, move.slips)
    if moved := slips.get(MOVED):
        board = _moved(board, moved, move.slips)
    return after_place(state, move, board, heap(state.tower + paid), supply)


def _placed_after_passing(state: State, move: Place, spent: str, after_place: AfterPlace) -> State:
    """The state after a tile of the corners was laid by somebody who has passed, paid with others of them."""
    board = state.boards[move.seat - 1]
    kept, missing = take_out(heap(board.corners.replace(EMPTY, "")), spent)
    _need(move.seat in state.passed and len(move.slips) == 1 and not missing, move.slips)
    board = board._replace(corners=laid_out(EMPTY * CORNERS, kept))
    board = _laid(board, move.star, move.cell, move.colour, move.slips)
    return after_place(state, move, board, heap(state.tower + without(spent, move.colour)), state.supply)


def slipped_pass(state: State, move: Pass, after_pass: AfterPass) -> State:
    """The state after a pass with something done wrong."""
    slips = _by_kind(move.slips, PASS_SLIPS)
    board = state.boards[move.seat - 1]
    given_up, missing = take_out(board.reserve, move.keep)
    _need(not missing and len(move.keep) <= board.corners.count(EMPTY), move.slips)
    score = _charged(board.score, len(given_up), True, state, move.slips)
    reserve = ""
    if beside := slips.get(BESIDE):
        reserve, given_up = heap(beside.tiles), _less(given_up, beside.tiles, move.slips)
    board = Board(board.stars, laid_out(board.corners, heap(move.keep)), reserve, score)
    return after_pass(state, move.seat, board, given_up)


def try_slips(state: State, move: Take | Place | Pass) -> None:
    """Raise if no hands can have slipped so."""
    match move:
        case Take():
            slipped_take(state, move, _as_it_was)
        case Place():
            slipped_place(state, move, _as_it_was)
        case Pass():
            slipped_pass(state, move, _as_it_was)


def _as_it_was(state: State, *_: object) -> State:
    return state


def _by_kind(slips: tuple[Slip, ...], known: frozenset[str]) -> dict[str, Slip]:
    """The slips of a move, each of a kind that such a move can have, no kind twice."""
    by_kind = {slip.kind: slip for slip in slips}
    _need(len(by_kind) == len(slips) and by_kind.keys() <= known, slips)
    _need(all(bool(slip.tiles) is (slip.kind in WITH_TILES) for slip in slips), slips)
    return by_kind


def _picked_up(state: State, move: Take, slips: dict[str, Slip]) -> str:
    """What a hand takes off a source, whether or not so many lie there."""
    held, joker = tiles_taken(state, move), state.joker
    if left := slips.get(LEFT):
        _need(set(left.tiles) == {move.colour} and len(left.tiles) < held.count(move.colour), move.slips)
        held = without(held, left.tiles)
    if JOKER_LEFT in slips:
        _need(move.colour != joker and joker in held and JOKERS not in slips, move.slips)
        held = held.replace(joker, "")
    if extra := slips.get(EXTRA):
        _need(not {move.colour, joker} & set(extra.tiles), move.slips)
        held += extra.tiles
    if jokers := slips.get(JOKERS):
        _need(set(jokers.tiles) == {joker}, move.slips)
        held += jokers.tiles
    return held


def _charged(score: int, tiles: int, due: bool, state: State, slips: tuple[Slip, ...]) -> int:
    """The score after a loss of a point per tile, if that is due or wrongly taken; at the floor neither can be seen."""
    kinds = {slip.kind for slip in slips}
    lower = lowered(score, tiles, state.setup.options)
    _need(UNCHARGED not in kinds or (due and lower < score), slips)
    _need(CHARGED not in kinds or (not due and lower < score), slips)
    return lower if due is not bool(kinds & {CHARGED, UNCHARGED}) else score


def _paid(state: State, move: Place, slips: dict[str, Slip]) -> str:
    """What was paid besides the tile laid."""
    own = state.setup.options.cost(move.star, move.cell) - move.jokers
    _need(own > 0, move.slips)
    # Jokers are the first to be spared, since others stand in for them.
    due, instead = state.joker * move.jokers + move.colour * (own - 1), ""
    for kind in (SHORT, OTHER_PAYER, OLD_JOKER):
        if slip := slips.get(kind):
            spared, due = due[: len(slip.tiles)], due[len(slip.tiles) :]
            _need(len(spared) == len(slip.tiles) and _may_stand_in(state, move, slip, spared), move.slips)
            instead += slip.tiles if kind != SHORT else ""
    return due + instead + (slips[OVERPAID].tiles if OVERPAID in slips else "")


def _may_stand_in(state: State, move: Place, slip: Slip, spared: str) -> bool:
    """Whether these tiles are what the slip calls them: what the rules allow to pay with is no slip."""
    if slip.kind == SHORT:
        return slip.tiles == spared
    old = {state.old_joker} - {move.colour}
    if slip.kind == OLD_JOKER:
        return set(slip.tiles) == old
    return not {move.colour, state.joker, *old} & set(slip.tiles)


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


def _less(tiles: str, gone: str, slips: tuple[Slip, ...]) -> str:
    _need(not lacking(gone, tiles), slips)
    return without(tiles, gone)


def _need(possible: bool, slips: tuple[Slip, ...]) -> None:
    if not possible:
        kinds = ", ".join(slip.kind for slip in slips)
        raise ImpossibleMoveError(say("the tiles on the table do not allow what was done ({slips})", slips=kinds))
