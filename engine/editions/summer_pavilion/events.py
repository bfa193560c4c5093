"""Moves of Summer Pavilion as events of a record, and a person's corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.editions.summer_pavilion.moves import Bonus, Move, Pass, Place, Refill, Take
from engine.editions.summer_pavilion.state import (
    BONUS,
    COLOURS,
    DRAFT,
    EMPTY,
    LETTERS,
    PLACE,
    ROUNDS,
    SLOTS,
    STARS,
    SUPPLY_CELLS,
    TILES_OF_EACH,
    Board,
    State,
    heaps,
)
from engine.errors import ImpossibleMoveError, RecordError
from engine.moves import Fill
from engine.record import Fields, slips_json
from engine.state import FILL, OVER
from engine.text import Seat, Text, say
from engine.tiles import heap, lacking, make_up, take_out, without

MAX_DISCS = 9
"""As many as the box holds: a record may name too many for its players, but no more than these."""

MAX_SCORE = 1000

SUPPLY = "supply"
"""The name by which corrections know the phase in which the supply is filled during somebody's turn."""


def parse_event(state: State, event: Mapping[str, Any]) -> Move:
    """The move of an event."""
    fields = Fields(event)
    seats = state.setup.seats
    match event["event"]:
        case "fill":
            discs = fields.strings("factories", COLOURS, MAX_DISCS)
            move: Move = Fill(discs, fields.text("supply", COLOURS, default=""))
        case "take":
            move = Take(
                fields.number("seat", seats),
                fields.number("from", range(MAX_DISCS + 1)),
                fields.letter("colour", COLOURS),
                fields.slips(COLOURS),
            )
        case "place":
            move = Place(
                fields.number("seat", seats),
                fields.letter("star", STARS),
                fields.number("cell", SLOTS),
                fields.letter("colour", COLOURS),
                fields.number("jokers", range(7)),
                fields.slips(COLOURS),
            )
        case "bonus":
            move = Bonus(fields.number("seat", seats), fields.text("tiles", COLOURS))
        case "pass":
            move = Pass(fields.number("seat", seats), fields.text("keep", COLOURS), fields.slips(COLOURS))
        case "supply":
            move = Refill(fields.text("tiles", COLOURS))
        case other:
            raise RecordError(f"no event of this game is called {other!r}")
    fields.done()
    return move


def format_event(move: Move) -> dict[str, Any]:
    """A move as an event."""
    match move:
        case Fill(factories, supply):
            return {"event": "fill", "factories": list(factories)} | ({"supply": supply} if supply else {})
        case Take(seat, source, colour, slips):
            return {"event": "take", "seat": seat, "from": source, "colour": colour} | slips_json(slips)
        case Place(seat, star, cell, colour, jokers, slips):
            event = {"event": "place", "seat": seat, "star": star, "cell": cell, "colour": colour, "jokers": jokers}
            return event | slips_json(slips)
        case Bonus(seat, tiles):
            return {"event": "bonus", "seat": seat, "tiles": tiles}
        case Pass(seat, keep, slips):
            return {"event": "pass", "seat": seat, "keep": keep} | slips_json(slips)
        case Refill(tiles):
            return {"event": "supply", "tiles": tiles}


def describe(move: Move) -> Text:
    """A move as a sentence."""
    match move:
        case Fill(factories, supply):
            discs = " ".join(disc or "-" for disc in factories)
            if supply:
                return say("the factories are filled: {discs}; the supply: {supply}", discs=discs, supply=supply)
            return say("the factories are filled: {discs}", discs=discs)
        case Take(seat, source, colour, _):
            if source:
                taken: dict[str, object] = {"player": Seat(seat), "colour": LETTERS[colour], "source": source}
                return say("{player} takes {colour} from factory {source}", **taken)
            return say("{player} takes {colour} from the centre", player=Seat(seat), colour=LETTERS[colour])
        case Place(seat, star, cell, colour, jokers, _):
            values: dict[str, object] = {"player": Seat(seat), "colour": LETTERS[colour], "cell": cell, "star": star}
            if jokers:
                return say(
                    "{player} lays {colour} on cell {cell} of star {star}, paying with {jokers} jokers",
                    **values,
                    jokers=jokers,
                )
            return say("{player} lays {colour} on cell {cell} of star {star}", **values)
        case Bonus(seat, tiles):
            return say("{player} takes the bonus tiles {tiles}", player=Seat(seat), tiles=tiles)
        case Pass(seat, keep, _):
            return say("{player} passes and keeps {keep}", player=Seat(seat), keep=keep or "-")
        case Refill(tiles):
            return say("the supply is filled: {tiles}", tiles=tiles)


def correct(state: State, cells: Mapping[str, str | int], seat: int) -> State:
    """The state with cells as a person says they are; bag and tower make up for tiles that came or went."""
    if seat not in (0, *state.setup.seats):
        raise RecordError(f"there is no seat {seat} to correct")
    if seat:
        board = state.boards[seat - 1]
        for cell, value in cells.items():
            board = _with_cell(board, cell, value)
        state = state._replace(boards=(*state.boards[: seat - 1], board, *state.boards[seat:]))
    else:
        for cell, value in cells.items():
            state = _with_table_cell(state, cell, value)
    lying = "".join(tiles for place, tiles in heaps(state).items() if place not in ("bag", "tower"))
    hidden, impossible = take_out(heap(COLOURS * TILES_OF_EACH), lying)
    if impossible:
        raise ImpossibleMoveError(say("there are not so many tiles: {tiles}", tiles=impossible))
    bag, tower = make_up(state.bag, state.tower, hidden)
    return state._replace(bag=bag, tower=tower)


def _with_cell(board: Board, cell: str, value: str | int) -> Board:
    match cell.split("."):
        case ["score"] if type(value) is int and -MAX_SCORE <= value <= MAX_SCORE:
            return board._replace(score=value)
        case ["reserve"] if _is_tiles(value):
            return board._replace(reserve=heap(str(value)))
        case ["corner", i] if i in ("1", "2", "3", "4") and value in (*COLOURS, EMPTY):
            return board._replace(corners=_replaced(board.corners, int(i), str(value)))
        case ["star", star, slot] if star in tuple(STARS) and slot in map(str, SLOTS) and value in (*COLOURS, EMPTY):
            index = STARS.index(star)
            laid = _replaced(board.stars[index], int(slot), str(value))
            return board._replace(stars=(*board.stars[:index], laid, *board.stars[index + 1 :]))
    raise RecordError(f"a correction cannot set {cell} to {value!r}")


def _with_table_cell(state: State, cell: str, value: str | int) -> State:
    match cell.split("."):
        case ["centre"] if _is_tiles(value):
            return state._replace(centre=heap(str(value)))
        case ["factory", disc] if _is_tiles(value) and disc in map(str, range(1, len(state.factories) + 1)):
            index = int(disc) - 1
            return state._replace(factories=(*state.factories[:index], heap(str(value)), *state.factories[index + 1 :]))
        case ["supply", i] if i in map(str, range(1, SUPPLY_CELLS + 1)) and value in (*COLOURS, EMPTY):
            return state._replace(supply=_replaced(state.supply, int(i), str(value)))
        case ["bag"] if _is_tiles(value) and not lacking(str(value), state.bag + state.tower):
            return state._replace(bag=heap(str(value)), tower=heap(without(state.bag + state.tower, str(value))))
        case ["round"] if type(value) is int and 0 < value <= ROUNDS:
            return state._replace(round=value)
        case ["phase"] if value in (FILL, DRAFT, PLACE, BONUS, SUPPLY, OVER):
            return _in_phase(state, str(value))
    return _with_turn(state, cell, value)


def _in_phase(state: State, phase: str) -> State:
    """The state in another phase: the turn stays, or begins with who begins the round."""
    if phase in (FILL, OVER):
        return state._replace(phase=phase, seat=0, passed=(), owed=0)
    owed = state.owed or 1 if phase == BONUS else 0
    return state._replace(phase=FILL if phase == SUPPLY else phase, seat=state.seat or state.starter, owed=owed)


def _with_turn(state: State, cell: str, value: str | int) -> State:
    """The state with another player to move or to begin, or with others who have passed."""
    match cell:
        case "marker" if type(value) is int and value in (0, *state.setup.seats):
            return state._replace(marker=value)
        case "starter" if type(value) is int and value in state.setup.seats:
            return state._replace(starter=value)
        case "turn" if type(value) is int and state.seat and value in state.setup.seats:
            # Whose turn it is cannot have passed.
            return state._replace(seat=value, passed=tuple(passed for passed in state.passed if passed != value))
        case "passed" if state.seat and _are_others(seats := str(value).replace(" ", ""), state):
            return state._replace(passed=tuple(sorted(map(int, seats))))
        case "owed" if type(value) is int and state.phase == BONUS and 0 < value <= SUPPLY_CELLS:
            return state._replace(owed=value)
    raise RecordError(f"a correction cannot set {cell} to {value!r}")


def _are_others(seats: str, state: State) -> bool:
    """Whether these digits are different seats of players who are not to move."""
    return len(set(seats)) == len(seats) and not set(seats) - {str(n) for n in state.setup.seats if n != state.seat}


def _replaced(cells: str, i: int, value: str) -> str:
    return cells[: i - 1] + value + cells[i:]


def _is_tiles(value: str | int) -> bool:
    return isinstance(value, str) and not set(value) - set(COLOURS)
