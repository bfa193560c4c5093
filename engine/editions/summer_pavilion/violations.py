"""Which rules a move of Summer Pavilion breaks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.editions.drafting import EXTRA, disc_count_violations, disc_size_violations, draw_violations, source_cell
from engine.editions.summer_pavilion.hands import try_slips
from engine.editions.summer_pavilion.moves import (
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
    SECOND,
    SHORT,
    TOKEN,
    UNCHARGED,
    UNDISCARDED,
    UNPUSHED,
    Bonus,
    Move,
    Pass,
    Place,
    Refill,
    Take,
)
from engine.editions.summer_pavilion.state import (
    BONUS,
    CENTRE,
    COLOURS,
    DRAFT,
    EMPTY,
    LETTERS,
    MIDDLE,
    PLACE,
    STARS,
    SUPPLY_CELLS,
    TILES_OF_EACH,
    State,
    heaps,
    may_refill,
    sources,
)
from engine.errors import ImpossibleMoveError
from engine.moves import Fill, Slip
from engine.state import FILL, OVER
from engine.text import Seat, Text, say, say_n
from engine.tiles import lacking
from engine.violations import RECORD, Violation


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that the move breaks in this state; none for a legal one."""
    if move.seat not in (0, *state.setup.seats):
        return [Violation(RECORD, say("there is no seat {seat}", seat=move.seat), move.seat)]
    match move:
        case Take():
            return [*_take(state, move), *_slips(state, move)]
        case Place():
            return [*_place(state, move), *_slips(state, move)]
        case Pass():
            return [*_pass(state, move), *_slips(state, move)]
        case Bonus():
            return list(_bonus(state, move))
        case Refill():
            return list(_refill(state, move))
        case Fill():
            return list(_fill(state, move))


@cache
def colours_for(star: str, cells: str, coloured: bool) -> str:
    """The colours that may still be laid on a star."""
    lying = cells.replace(EMPTY, "")
    if star == MIDDLE and coloured:
        return "".join(c for c in COLOURS if c not in lying)
    if coloured:
        return star
    if len(lying) < 2:
        return COLOURS
    # Two equal tiles make a star of one colour, two different ones a star of many.
    if len(set(lying)) == 1:
        return lying[0]
    return "".join(c for c in COLOURS if c not in lying)


def _out_of_phase(state: State, phase: str, seat: int) -> Iterator[Violation]:
    if state.phase != phase:
        yield Violation(RECORD, say("this cannot be done now: the game is in the phase {now}", now=state.phase), seat)


def _take(state: State, move: Take) -> Iterator[Violation]:
    yield from _out_of_phase(state, DRAFT, move.seat)
    if state.phase == DRAFT and move.seat != state.seat:
        yield Violation("SP-TU-01", say("it is the turn of {player}", player=Seat(state.seat)), move.seat)
    table, joker, cell = sources(state), state.joker, source_cell(move.source)
    if move.source >= len(table) or move.colour not in table[move.source]:
        text = say("no {colour} tile lies there", colour=LETTERS[move.colour])
        yield Violation("SP-DR-09", text, move.seat, cell)
    elif move.colour == joker and table[move.source].strip(joker):
        text = say("the joker colour cannot be chosen while others lie there")
        yield Violation("SP-DR-05", text, move.seat, cell)


def _slips(state: State, move: Take | Place | Pass) -> Iterator[Violation]:
    """What hands did wrong, or that they cannot have done it: a move with a slip is never legal."""
    if not move.slips:
        return
    try:
        try_slips(state, move)
    except ImpossibleMoveError as impossible:
        yield Violation(RECORD, impossible.text, move.seat)
        return
    for slip in move.slips:
        match move:
            case Take():
                yield _take_slip(state, move, slip)
            case Place():
                # Nothing lies on the corners of somebody who has not passed, and that is told of the turn.
                if slip.kind != FROM_CORNERS:
                    yield _place_slip(move, slip)
            case Pass():
                yield from _pass_slip(state, move, slip)


def _take_slip(state: State, move: Take, slip: Slip) -> Violation:
    cell, count = source_cell(move.source), len(slip.tiles)
    if slip.kind == TOKEN:
        due = move.source == CENTRE and not state.marker
        text = say("the first take from the centre takes the token") if due else say("the token was taken too early")
        return Violation("SP-DR-07", text, move.seat, "centre")
    told: dict[str, tuple[str, Text]] = {
        EXTRA: ("SP-DR-01", say("tiles of two colours were taken")),
        LEFT: (
            "SP-DR-02",
            say_n("{count} tile of the colour was left behind", "{count} tiles of the colour were left behind", count),
        ),
        JOKER_LEFT: ("SP-DR-03", say("the joker that belongs to the take was left behind")),
        JOKERS: ("SP-DR-04", say("more than one joker was taken")),
        UNPUSHED: ("SP-DR-06", say("the rest of the factory was not moved to the centre")),
        UNCHARGED: ("SP-DR-07", say("the first take from the centre costs a point for each tile")),
        CHARGED: ("SP-DR-08", say("points were lost although the token was not taken")),
    }
    rule, text = told[slip.kind]
    return Violation(rule, text, move.seat, cell)


def next_to_place(state: State) -> int:
    """Whose turn it is to lay a tile or pass, also where the supply is still to be filled."""
    if state.phase == PLACE:
        return state.seat
    order = [(state.seat + step - 1) % state.setup.players + 1 for step in range(1, state.setup.players + 1)]
    return next((seat for seat in order if seat not in state.passed), 0)


def _placing_turn(state: State, seat: int) -> Iterator[Violation]:
    """What is wrong with this seat laying a tile or passing now."""
    if state.phase == BONUS:
        text = say_n("{count} bonus tile was not taken", "{count} bonus tiles were not taken", state.owed)
        yield Violation("SP-BO-01", text, state.seat, "supply")
    elif state.phase == FILL and state.seat:
        yield Violation("SP-SU-03", say("the supply was not filled before the next turn"), 0, "supply")
    elif state.phase != PLACE:
        yield from _out_of_phase(state, PLACE, seat)
        return
    if seat in state.passed:
        yield Violation("SP-PL-06", say("this player has passed"), seat)
    elif seat != next_to_place(state):
        yield Violation("SP-TU-01", say("it is the turn of {player}", player=Seat(next_to_place(state))), seat)


def _place(state: State, move: Place) -> Iterator[Violation]:
    yield from _placing_turn(state, move.seat)
    board, options, cell = state.boards[move.seat - 1], state.setup.options, f"star.{move.star}.{move.cell}"
    cells = board.stars[STARS.index(move.star)]
    if cells[move.cell - 1] != EMPTY:
        yield Violation("SP-PL-02", say("a tile already lies there"), move.seat, cell)
    elif move.colour not in colours_for(move.star, cells, options.coloured):
        yield _wrong_colour(move, cell, options.coloured)
        if move.colour == state.joker and options.coloured and move.star != MIDDLE:
            text = say("a joker was laid in the place of another colour")
            yield Violation("SP-PAY-03", text, move.seat, cell)
    yield from _payment(state, move, cell)


def _wrong_colour(move: Place, cell: str, coloured: bool) -> Violation:
    name = LETTERS[move.colour]
    if not coloured:
        text = say("with {colour} the star is neither of one colour nor of all different ones", colour=name)
        return Violation("SP-VA-01", text, move.seat, cell)
    if move.star == MIDDLE:
        return Violation("SP-PL-04", say("the middle star has a {colour} tile already", colour=name), move.seat, cell)
    return Violation("SP-PL-03", say("a {colour} tile does not belong there", colour=name), move.seat, cell)


def _payment(state: State, move: Place, cell: str) -> Iterator[Violation]:
    """Whether the reserve can pay for the cell in this way."""
    reserve, joker = state.boards[move.seat - 1].reserve, state.joker
    cost = state.setup.options.cost(move.star, move.cell)
    own = cost - move.jokers
    spared = any(slip.kind in (SHORT, OTHER_PAYER, OLD_JOKER, FROM_SUPPLY, FROM_CORNERS) for slip in move.slips)
    if own < 1:
        text = say("at least one of the tiles paid must be {colour}", colour=LETTERS[move.colour])
        yield Violation("SP-PAY-03", text, move.seat, cell)
    if move.colour == joker and move.jokers:
        text = say("jokers cannot stand for their own colour")
        yield Violation("SP-PAY-01", text, move.seat, cell)
    if spared:
        return
    if move.colour not in reserve:
        text = say("the reserve holds no {colour} tile", colour=LETTERS[move.colour])
        yield Violation("SP-PL-07", text, move.seat, cell)
        if own >= 1:
            yield Violation("SP-PAY-03", text, move.seat, cell)
    if lacking(move.colour * max(own, 0) + joker * move.jokers, reserve):
        text = say("the cell costs {cost}, which the reserve cannot pay so", cost=cost)
        yield Violation("SP-PAY-01", text, move.seat, cell)


def _place_slip(move: Place, slip: Slip) -> Violation:
    told: dict[str, tuple[str, Text]] = {
        OFF_CELL: ("SP-PL-01", say("the tile lies on no cell of a star")),
        MOVED: ("SP-PL-02", say("a tile that already lay there was moved")),
        SECOND: ("SP-PL-05", say("two tiles were laid in one turn")),
        FROM_SUPPLY: ("SP-PL-07", say("the tile did not come from the player's own reserve")),
        SHORT: ("SP-PAY-01", say("fewer tiles were paid than the cell costs")),
        OVERPAID: ("SP-PAY-01", say("more tiles were paid than the cell costs")),
        OTHER_PAYER: ("SP-PAY-02", say("a tile was paid that is neither of the colour nor a joker")),
        OLD_JOKER: ("SP-PAY-04", say("the joker of the last round is no joker now")),
        UNDISCARDED: ("SP-PAY-05", say("tiles that were paid did not go into the tower")),
    }
    rule, text = told[slip.kind]
    star, slot = (STARS[slip.at], slip.to) if slip.kind == MOVED else (move.star, move.cell)
    return Violation(rule, text, move.seat, f"star.{star}.{slot}")


def _pass_slip(state: State, move: Pass, slip: Slip) -> Iterator[Violation]:
    if slip.kind == UNCHARGED:
        yield Violation("SP-PA-03", say("every tile given up costs a point"), move.seat, "score")
        return
    yield Violation("SP-PA-02", say("tiles stayed beside the board after the pass"), move.seat, "reserve")
    if len(move.keep) == state.boards[move.seat - 1].corners.count(EMPTY):
        yield Violation("SP-PA-01", say("more tiles were kept than there are free corners"), move.seat, "corner")


def _bonus(state: State, move: Bonus) -> Iterator[Violation]:
    if state.phase != BONUS or move.seat != state.seat:
        if state.phase == BONUS:
            yield Violation("SP-TU-01", say("it is the turn of {player}", player=Seat(state.seat)), move.seat)
        text = say("bonus tiles were taken although nothing was surrounded")
        yield Violation("SP-BO-02", text, move.seat, "supply")
    elif len(move.tiles) != (due := min(state.owed, SUPPLY_CELLS - state.supply.count(EMPTY))):
        text = say("{owed} bonus tiles are due, not {count}", owed=due, count=len(move.tiles))
        yield Violation("SP-BO-01", text, move.seat, "supply")
    if lacking(move.tiles, state.supply):
        yield Violation(RECORD, say("the supply does not hold these tiles"), move.seat, "supply")


def _refill(state: State, move: Refill) -> Iterator[Violation]:
    if not may_refill(state) or not state.round or state.phase in (BONUS, OVER):
        yield Violation(RECORD, say("there is nothing to fill in the supply"), 0, "supply")
        return
    wanted = min(state.supply.count(EMPTY), len(state.bag) + len(state.tower))
    if len(move.tiles) != wanted:
        text = say("the supply gets {wanted} tiles, not {count}", wanted=wanted, count=len(move.tiles))
        yield Violation("SP-SU-03", text, 0, "supply")
    yield from _impossible_draw(state, (move.tiles,))


def _pass(state: State, move: Pass) -> Iterator[Violation]:
    yield from _placing_turn(state, move.seat)
    board = state.boards[move.seat - 1]
    if len(move.keep) > board.corners.count(EMPTY):
        yield Violation("SP-PA-01", say("more tiles were kept than there are free corners"), move.seat, "corner")
    if lacking(move.keep, board.reserve):
        yield Violation(RECORD, say("the reserve does not hold these tiles"), move.seat, "reserve")


def _fill(state: State, move: Fill) -> Iterator[Violation]:
    if state.phase != FILL or state.seat:
        if state.phase == FILL:
            yield Violation("SP-SU-03", say("the supply was not filled before the next turn"), 0, "supply")
        elif state.seat:
            yield Violation("SP-TU-01", say("{player} has not had a turn", player=Seat(state.seat)), state.seat)
        yield Violation(RECORD, say("the factories cannot be filled now"))
    first = state.round == 0
    yield from disc_count_violations("SP-SU-01", state.setup.players, len(move.factories))
    yield from disc_size_violations("SP-SU-04", move.factories, len(state.bag) + len(state.tower))
    if first and len(move.supply) != SUPPLY_CELLS:
        text = say("the supply gets {wanted} tiles, not {count}", wanted=SUPPLY_CELLS, count=len(move.supply))
        yield Violation("SP-SU-03", text, 0, "supply")
    if not first and move.supply:
        yield Violation(RECORD, say("the supply is filled with the factories in the first round only"), 0, "supply")
    yield from _impossible_draw(state, (*move.factories, move.supply))


def _impossible_draw(state: State, groups: tuple[str, ...]) -> Iterator[Violation]:
    def lying() -> str:
        return "".join(tiles for place, tiles in heaps(state).items() if place not in ("bag", "tower"))

    yield from draw_violations("SP-INV-01", state.bag, state.tower, groups, lying, LETTERS, TILES_OF_EACH)
