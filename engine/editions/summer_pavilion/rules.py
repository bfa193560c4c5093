"""How a game of Summer Pavilion goes on: legal moves, and what each does.

`enact` does what hands did, `apply` only what is allowed. A round is `fill` (chance), `draft` (takes in turn), `place`
(tiles laid in turn until all have passed); laying may lead to `bonus` (tiles out of the supply) and again to `fill`
(the supply is drawn full).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from engine.editions.drafting import DISC_TILES, DISCS
from engine.editions.summer_pavilion.hands import slipped_pass, slipped_place, slipped_take
from engine.editions.summer_pavilion.moves import Bonus, Move, Pass, Place, Refill, Take
from engine.editions.summer_pavilion.scoring import lowered, ring_run, surrounded, tiles_taken
from engine.editions.summer_pavilion.state import (
    BONUS,
    CENTRE,
    COLOURS,
    CORNERS,
    DRAFT,
    EMPTY,
    FEATURES_AT,
    LETTERS,
    MAX_COST,
    PLACE,
    ROUNDS,
    SLOTS,
    STAR_INDEX,
    STARS,
    SUPPLY_CELLS,
    Board,
    State,
    laid_out,
    may_refill,
)
from engine.editions.summer_pavilion.violations import colours_for, next_to_place, violations
from engine.errors import IllegalMoveError, ImpossibleMoveError
from engine.moves import Fill
from engine.state import FILL, OVER
from engine.text import say
from engine.tiles import Sample, colours_in, disc, draw_discs, heap, lacking, put_in, split_refill, take_out, without
from engine.violations import Violation


def legal_moves(state: State) -> list[Move]:
    """Every move that the rules allow now."""
    if state.phase == DRAFT:
        return _legal_takes(state)
    if state.phase == PLACE:
        _, corners, reserve, _ = state.boards[state.seat - 1]
        return [*_legal_places(state), *_passes(state.seat, reserve, corners.count(EMPTY))]
    if state.phase == BONUS:
        return list(_bonuses(state.seat, heap(state.supply.replace(EMPTY, "")), state.owed))
    return []


def hasty_moves(state: State) -> list[Move]:
    """What whoever comes next may do once the supply is filled, where that was forgotten."""
    seat = next_to_place(state)
    return legal_moves(state._replace(phase=PLACE, seat=seat)) if seat else []


def choices(state: State) -> list[Move]:
    """The legal moves that a player weighs; of all passes only the one that keeps what is worth most."""
    if state.phase != PLACE:
        return legal_moves(state)
    return [*_legal_places(state), _pass_once(state.seat, _worth_keeping(state))]


def _worth_keeping(state: State) -> str:
    """Up to four tiles for the next round: its jokers, then colours of which there are many."""
    _, corners, reserve, _ = state.boards[state.seat - 1]
    joker = state.setup.options.joker_order[state.round] if state.round < ROUNDS else ""
    return _best_tiles(reserve, joker, corners.count(EMPTY))


def _best_tiles(reserve: str, joker: str, count: int) -> str:
    if len(reserve) <= count:
        return reserve
    others = reserve.replace(joker, "") if joker else reserve
    colours = sorted(dict.fromkeys(others), key=others.count, reverse=True)
    kept = joker * (len(reserve) - len(others)) + "".join([colour * others.count(colour) for colour in colours])
    return disc(kept[:count])


def apply(state: State, move: Move, judge: Callable[[State, Move], list[Violation]] = violations) -> State:
    """The state after a legal move; a judge names the rules that any other one breaks."""
    if not _is_plainly_legal(state, move) and (broken := judge(state, move)):
        reasons = "; ".join(f"{violation.rule}: {violation.text}" for violation in broken)
        raise IllegalMoveError(f"{move} is not allowed: {reasons}", broken)
    return enact(state, move)


def _is_plainly_legal(state: State, move: Move) -> bool:
    """A quick yes for what players do on their turn; anything else is looked at rule by rule."""
    if move.seat != state.seat:
        return False
    if type(move) is Take and state.phase == DRAFT and 0 <= move.source <= len(state.factories):
        tiles = state.factories[move.source - 1] if move.source else state.centre
        return not move.slips and move.colour in tiles and (move.colour != state.joker or not tiles.strip(move.colour))
    if state.phase != PLACE:
        return False
    if type(move) is Place:
        return not move.slips and _may_place(state, move)
    if type(move) is not Pass or move.slips:
        return False
    _, corners, reserve, _ = state.boards[move.seat - 1]
    return len(move.keep) <= corners.count(EMPTY) and not lacking(move.keep, reserve)


def _may_place(state: State, move: Place) -> bool:
    stars, _, reserve, _ = state.boards[move.seat - 1]
    options = state.setup.options
    cells = stars[STAR_INDEX[move.star]]
    own = options.cost(move.star, move.cell) - move.jokers
    if cells[move.cell - 1] != EMPTY or move.colour not in colours_for(move.star, cells, options.coloured):
        return False
    if move.colour == state.joker and move.jokers:
        return False
    return 1 <= own <= reserve.count(move.colour) and 0 <= move.jokers <= reserve.count(state.joker)


def enact(state: State, move: Move) -> State:
    """The state after a move as hands made it, legal or not."""
    phase = state.phase
    if move.seat > state.setup.players:
        raise ImpossibleMoveError(say("there is no seat {seat}", seat=move.seat))
    # A turn of placing may follow though bonus tiles or the filling of the supply were forgotten.
    placing = phase in (PLACE, BONUS) or (phase == FILL and state.seat)
    match move:
        case Take() if phase == DRAFT:
            return slipped_take(state, move, _after_take) if move.slips else _take(state, move)
        case Place() if placing:
            return slipped_place(state, move, _after_place) if move.slips else _place(state, move)
        case Pass() if placing:
            return slipped_pass(state, move, _after_pass) if move.slips else _pass(state, move)
        case Bonus() if phase != OVER:
            return _bonus(state, move)
        case Refill() if phase != OVER and state.round:
            return _refill(state, move)
        case Fill():
            return _fill(state, move)
    raise ImpossibleMoveError(say("this cannot be done now: the game is in the phase {now}", now=phase))


def implied(state: State) -> Move | None:  # noqa: ARG001 - the protocol's signature
    """Nothing: a record of this game says every move."""
    return None


def settle(state: State) -> State:
    """The state as it is, since no move is implied."""
    return state


def awaits_chance(state: State) -> bool:
    """Whether discs or supply are to be filled, also cells that had stayed empty for want of tiles."""
    # A supply cell left empty is refilled as soon as the tower has tiles again (rules file, section 11.10), but the
    # formats name a `supply` event only after a bonus: we refill when playing, and take a record that goes on without.
    return state.phase == FILL or (state.phase in (DRAFT, PLACE) and may_refill(state))


def deal(state: State, sample: Sample) -> Fill | Refill:
    """Draw what is awaited by chance."""
    if state.phase == FILL and not state.seat:
        first = state.round == 0
        discs = draw_discs(state.bag, state.tower, DISCS[state.setup.players], DISC_TILES, sample)
        if not first:
            return Fill(discs)
        supply = sample(without(state.bag, "".join(discs)), SUPPLY_CELLS)
        return Fill(discs, "".join(supply))
    return Refill(draw_discs(state.bag, state.tower, 1, state.supply.count(EMPTY), sample)[0])


def _legal_takes(state: State) -> list[Move]:
    moves: list[Move] = []
    joker, seat = state.joker, state.seat
    for source, tiles in enumerate((state.centre, *state.factories)):
        if tiles:
            moves += _takes(seat, source, colours_in(tiles), joker)
    return moves


@lru_cache(maxsize=1 << 14)
def _takes(seat: int, source: int, colours: str, joker: str) -> tuple[Take, ...]:
    return tuple(_take_once(seat, source, colour) for colour in colours.replace(joker, "") or joker)


def _legal_places(state: State) -> list[Move]:
    seat, joker, options = state.seat, state.joker, state.setup.options
    stars, _, reserve, _ = state.boards[seat - 1]
    # No cell costs more than six, so more tiles of a colour open no further ways.
    held = {colour: min(count, MAX_COST) for colour in COLOURS if (count := reserve.count(colour))}
    jokers = held.get(joker, 0)
    moves: list[Move] = []
    for star, cells, numbers in zip(STARS, stars, options.numbers, strict=True):
        free = _free_slots(cells)
        for colour in colours_for(star, cells, options.coloured) if free else "":
            if colour in held:
                others = 0 if colour == joker else jokers
                moves += _places(seat, star, free, numbers, colour, held[colour], others)
    return moves


@cache
def _free_slots(cells: str) -> tuple[int, ...]:
    return tuple(slot for slot in SLOTS if cells[slot - 1] == EMPTY)


@lru_cache(maxsize=1 << 16)
def _places(
    seat: int, star: str, free: tuple[int, ...], numbers: tuple[int, ...], colour: str, held: int, jokers: int
) -> tuple[Place, ...]:
    """All ways to lay a colour on free cells of a star with so many tiles of it and so many jokers."""
    found: list[Place] = []
    for slot in free:
        cost = numbers[slot - 1]
        found += _places_on(seat, star, slot, colour)[max(0, cost - held) : min(cost - 1, jokers) + 1]
    return tuple(found)


@cache
def _places_on(seat: int, star: str, slot: int, colour: str) -> tuple[Place, ...]:
    """The ways to lay a colour on a cell, by the jokers that pay: made once, since there are only a few thousand."""
    return tuple(Place(seat, star, slot, colour, jokers) for jokers in range(MAX_COST))


@lru_cache(maxsize=1 << 12)
def _passes(seat: int, reserve: str, corners: int) -> tuple[Pass, ...]:
    return tuple(_pass_once(seat, keep) for size in range(corners + 1) for keep in _parts(reserve, size))


# Moves are values, so the few that there are need to be made only once.
_take_once = cache(Take)
_pass_once = cache(Pass)


@lru_cache(maxsize=1 << 12)
def _bonuses(seat: int, supply: str, owed: int) -> tuple[Bonus, ...]:
    return tuple(Bonus(seat, tiles) for tiles in _parts(supply, min(owed, len(supply))))


def _parts(tiles: str, size: int) -> list[str]:
    """Every different heap of so many of these sorted tiles."""
    parts, left = [""], len(tiles)
    for colour in dict.fromkeys(tiles):
        count = tiles.count(colour)
        left -= count
        # Of this colour not more than are wanted, and not fewer than the colours to come can make up for.
        parts = [
            part + colour * taken
            for part in parts
            for taken in range(max(0, size - len(part) - left), min(count, size - len(part)) + 1)
        ]
    return [part for part in parts if len(part) == size]


def _take(state: State, move: Take) -> State:
    source, seat = move.source, move.seat
    if source > len(state.factories):
        raise ImpossibleMoveError(say("there is no factory {factory}", factory=source))
    table = [state.centre, *state.factories]
    taken = tiles_taken(state, move)
    rest, missing = take_out(table[source], taken)
    if missing or not taken:
        raise ImpossibleMoveError(say("no {colour} tile lies there", colour=LETTERS[move.colour]))
    table[source] = rest
    if source != CENTRE and rest:
        table[CENTRE], table[source] = heap(table[CENTRE] + rest), ""
    stars, corners, reserve, score = state.boards[seat - 1]
    marker = state.marker
    if source == CENTRE and not marker:
        marker, score = seat, lowered(score, len(taken), state.setup.options)
    return _after_take(state, seat, Board(stars, corners, heap(reserve + taken), score), table, marker)


def _after_take(state: State, seat: int, board: Board, table: list[str], marker: int) -> State:
    phase, next_seat = DRAFT, seat % state.setup.players + 1
    if not any(table):
        phase, next_seat = PLACE, marker or state.starter
    centre, *factories = table
    return State(
        state.setup,
        with_board(state, seat, board),
        tuple(factories),
        centre,
        marker,
        state.supply,
        state.bag,
        state.tower,
        phase,
        next_seat,
        state.starter,
        state.round,
    )


def with_board(state: State, seat: int, board: Board) -> tuple[Board, ...]:
    """All boards, one of them changed."""
    return (*state.boards[: seat - 1], board, *state.boards[seat:])


def _place(state: State, move: Place) -> State:
    board, options = state.boards[move.seat - 1], state.setup.options
    cost = options.cost(move.star, move.cell)
    own = cost - move.jokers
    reserve, missing = take_out(board.reserve, move.colour * own + state.joker * move.jokers)
    index = STAR_INDEX[move.star]
    cells = board.stars[index]
    if missing or own < 1:
        raise ImpossibleMoveError(say("the reserve does not hold these tiles"))
    if cells[move.cell - 1] != EMPTY:
        raise ImpossibleMoveError(say("a tile already lies there"))
    points = len(ring_run(cells, move.cell))
    laid = cells[: move.cell - 1] + move.colour + cells[move.cell :]
    stars = (*board.stars[:index], laid, *board.stars[index + 1 :])
    tower = put_in(put_in(state.tower, move.colour * (own - 1)), state.joker * move.jokers)
    return _after_place(state, move, Board(stars, board.corners, reserve, board.score + points), tower, state.supply)


def _after_place(state: State, move: Place, board: Board, tower: str, supply: str) -> State:
    owed = min(_owed(state, move, board), SUPPLY_CELLS - supply.count(EMPTY))
    phase, seat = (BONUS, move.seat) if owed else (PLACE, _turn_after(state, move.seat, state.passed))
    return State(
        state.setup,
        with_board(state, move.seat, board),
        state.factories,
        state.centre,
        state.marker,
        supply,
        state.bag,
        tower,
        phase,
        seat,
        state.starter,
        state.round,
        state.passed,
        owed,
    )


def _owed(state: State, move: Place, board: Board) -> int:
    """The bonus tiles for what the tile just laid surrounds; what was surrounded before is none of its doing."""
    options, near = state.setup.options, FEATURES_AT[move.star, move.cell]
    features = surrounded(board.stars, near)
    if not features:
        return 0
    had = surrounded(state.boards[move.seat - 1].stars, near)
    return sum(options.bonus_tiles(feature) for feature in features if feature not in had)


def _turn_after(state: State, seat: int, passed: tuple[int, ...]) -> int:
    """Whose turn comes after this seat's: passed players are left out; 0 when all have passed."""
    players = state.setup.players
    for step in range(1, players + 1):
        after = (seat + step - 1) % players + 1
        if after not in passed:
            return after
    return 0


def _bonus(state: State, move: Bonus) -> State:
    supply = state.supply
    for tile in move.tiles:
        if tile not in supply:
            raise ImpossibleMoveError(say("the supply does not hold these tiles"))
        supply = supply.replace(tile, EMPTY, 1)
    board = state.boards[move.seat - 1]
    board = board._replace(reserve=heap(board.reserve + move.tiles))
    after = state._replace(boards=with_board(state, move.seat, board), supply=supply)
    if state.phase != BONUS:
        # Tiles taken for nothing: the game is where it was.
        return after
    if may_refill(after):
        return after._replace(phase=FILL, owed=0)
    return _next_turn(after, state.seat)


def _refill(state: State, move: Refill) -> State:
    bag, tower, impossible = split_refill(state.bag, state.tower, (heap(move.tiles),))
    if impossible or len(move.tiles) > state.supply.count(EMPTY) or not move.tiles:
        raise ImpossibleMoveError(say("bag and tower cannot have given these tiles: {tiles}", tiles=move.tiles or "-"))
    after = state._replace(supply=laid_out(state.supply, move.tiles), bag=bag, tower=tower)
    return _next_turn(after, state.seat) if state.phase == FILL and state.seat else after


def _next_turn(state: State, seat: int) -> State:
    """The turn after this seat's, or the end of the round when all have passed."""
    if after := _turn_after(state, seat, state.passed):
        return state._replace(phase=PLACE, seat=after, owed=0)
    phase = OVER if state.round >= ROUNDS else FILL
    return state._replace(phase=phase, seat=0, owed=0, passed=(), starter=state.marker or state.starter)


def _pass(state: State, move: Pass) -> State:
    board = state.boards[move.seat - 1]
    given_up, missing = take_out(board.reserve, move.keep)
    if missing or len(move.keep) > board.corners.count(EMPTY):
        raise ImpossibleMoveError(say("the reserve does not hold these tiles, or the corners have no room"))
    score = lowered(board.score, len(given_up), state.setup.options)
    corners = laid_out(board.corners, heap(move.keep))
    return _after_pass(state, move.seat, Board(board.stars, corners, "", score), given_up)


def _after_pass(state: State, seat: int, board: Board, given_up: str) -> State:
    passed = tuple(sorted({*state.passed, seat}))
    tower = heap(state.tower + given_up) if given_up else state.tower
    return _next_turn(state._replace(boards=with_board(state, seat, board), tower=tower, passed=passed), seat)


def _fill(state: State, move: Fill) -> State:
    if state.phase != FILL or state.seat:
        raise ImpossibleMoveError(say("the factories were filled before everybody had passed"))
    discs = tuple(map(disc, move.factories))
    bag, tower, impossible = split_refill(state.bag, state.tower, (*discs, heap(move.supply)))
    if impossible or len(move.supply) > state.supply.count(EMPTY):
        tiles = impossible or move.supply
        raise ImpossibleMoveError(say("bag and tower cannot have given these tiles: {tiles}", tiles=tiles))
    supply = laid_out(state.supply, move.supply)
    boards = tuple(
        board._replace(corners=EMPTY * CORNERS, reserve=heap(board.reserve + board.corners.replace(EMPTY, "")))
        for board in state.boards
    )
    after = state._replace(
        boards=boards, factories=discs, supply=supply, bag=bag, tower=tower, marker=0, round=state.round + 1
    )
    if any(discs):
        return after._replace(phase=DRAFT, seat=state.starter)
    # Nothing could be laid out: what players kept can still be placed.
    return after._replace(phase=PLACE, seat=state.starter)
