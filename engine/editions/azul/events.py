"""Moves of Azul as events of a record, and a person's corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.editions.azul.board import with_line, with_wall_tile
from engine.editions.azul.moves import End, Move, Pass, Sweep, Take, Tile
from engine.editions.azul.state import (
    COLOURS,
    DRAFT,
    EMPTY,
    FLOOR_CELLS,
    LETTERS,
    MARKER,
    ROWS,
    TILE,
    TILES_OF_EACH,
    Board,
    State,
    heaps,
    sources,
)
from engine.errors import ImpossibleMoveError, RecordError
from engine.moves import Fill
from engine.record import Fields, slips_json
from engine.state import FILL, OVER
from engine.text import Seat, Text, say
from engine.tiles import heap, lacking, make_up, take_out, without

MAX_SCORE = 1000
MAX_ROUND = 99
MAX_DISCS = 9
"""As many as the box holds: a record may name too many for its players, but no more than these."""


def parse_event(state: State, event: Mapping[str, Any]) -> Move:
    """The move of an event."""
    fields = Fields(event)
    seats = state.setup.seats
    match event["event"]:
        case "fill":
            discs = fields.strings("factories", COLOURS, MAX_DISCS)
            move: Move = Fill(discs)
        case "take":
            move = Take(
                fields.number("seat", seats),
                fields.number("from", range(MAX_DISCS + 1)),
                fields.letter("colour", COLOURS),
                fields.number("line", range(6)),
                fields.slips(COLOURS),
            )
        case "tile":
            move = Tile(
                fields.number("seat", seats),
                fields.number("row", ROWS),
                fields.number("column", range(6)),
                fields.slips(COLOURS),
            )
        case "sweep":
            move = Sweep(fields.number("seat", seats), fields.slips(COLOURS))
        case "pass":
            move = Pass(fields.number("seat", seats))
        case "end":
            move = End()
        case other:
            raise RecordError(f"no event of this game is called {other!r}")
    fields.done()
    return move


def format_event(move: Move) -> dict[str, Any]:
    """A move as an event."""
    match move:
        case Fill(factories):
            return {"event": "fill", "factories": list(factories)}
        case Take(seat, source, colour, line, slips):
            event = {"event": "take", "seat": seat, "from": source, "colour": colour, "line": line}
            return event | slips_json(slips)
        case Tile(seat, row, column, slips):
            return {"event": "tile", "seat": seat, "row": row, "column": column} | slips_json(slips)
        case Sweep(seat, slips):
            return {"event": "sweep", "seat": seat} | slips_json(slips)
        case Pass(seat):
            return {"event": "pass", "seat": seat}
        case End():
            return {"event": "end"}


def describe(move: Move) -> Text:
    """A move as a sentence."""
    match move:
        case Fill(factories):
            return say("the factories are filled: {discs}", discs=" ".join(disc or "-" for disc in factories))
        case Take(seat, source, colour, line, _):
            values: dict[str, object] = {
                "player": Seat(seat),
                "colour": LETTERS[colour],
                "source": source,
                "line": line,
            }
            if source and line:
                return say("{player} takes {colour} from factory {source} to line {line}", **values)
            if source:
                return say("{player} takes {colour} from factory {source} to the floor", **values)
            if line:
                return say("{player} takes {colour} from the centre to line {line}", **values)
            return say("{player} takes {colour} from the centre to the floor", **values)
        case Tile(seat, row, column, _):
            if column:
                return say("{player} tiles line {row} into column {column}", player=Seat(seat), row=row, column=column)
            return say("{player} drops line {row} to the floor", player=Seat(seat), row=row)
        case Sweep(seat, _):
            return say("{player} clears the floor line", player=Seat(seat))
        case Pass(seat):
            return say("{player} does nothing", player=Seat(seat))
        case End():
            return say("the players end the game")


def correct(state: State, cells: Mapping[str, str | int], seat: int) -> State:
    """The state with cells as a person says they are; bag and lid make up for tiles that came or went."""
    if seat not in (0, *state.setup.seats):
        raise RecordError(f"there is no seat {seat} to correct")
    if seat:
        board = state.boards[seat - 1]
        for cell, value in cells.items():
            board = _with_cell(board, cell, value)
        corrected = state._replace(boards=(*state.boards[: seat - 1], board, *state.boards[seat:]))
    else:
        corrected = state
        for cell, value in cells.items():
            corrected = _with_table_cell(corrected, cell, value)
    return _balanced(corrected)


def _balanced(state: State) -> State:
    lying = "".join(tiles for place, tiles in heaps(state).items() if place not in ("bag", "lid"))
    hidden, impossible = take_out(heap(COLOURS * TILES_OF_EACH), lying)
    if impossible:
        raise ImpossibleMoveError(say("there are not so many tiles: {tiles}", tiles=impossible))
    bag, lid = make_up(state.bag, state.lid, hidden)
    state = state._replace(bag=bag, lid=lid)
    if state.phase == DRAFT and not any(sources(state)):
        return state._replace(phase=TILE, seat=0, unswept=tuple(state.setup.seats))
    return state


def _with_cell(board: Board, cell: str, value: str | int) -> Board:
    match cell.split("."):
        case ["score"] if type(value) is int and abs(value) <= MAX_SCORE:
            return board._replace(score=value)
        case ["floor"] if _is_tiles(value, EMPTY + MARKER) and len(str(value)) <= FLOOR_CELLS:
            if str(value).count(MARKER) <= 1:
                return board._replace(floor=str(value).rstrip(EMPTY))
        case ["floor", i] if i in map(str, range(1, FLOOR_CELLS + 1)) and value in (*COLOURS, EMPTY, MARKER):
            floor = board.floor.ljust(FLOOR_CELLS, EMPTY)
            floor = floor[: int(i) - 1] + str(value) + floor[int(i) :]
            if floor.count(MARKER) <= 1:
                return board._replace(floor=floor.rstrip(EMPTY))
        case ["line", row] if _is_row(row) and _is_tiles(value, EMPTY) and len(str(value)) == int(row):
            return with_line(board, int(row), str(value))
        case ["line", row, i] if _is_row(row) and _is_row(i) and int(i) <= int(row) and value in (*COLOURS, EMPTY):
            line = board.lines[int(row) - 1]
            return with_line(board, int(row), line[: int(i) - 1] + str(value) + line[int(i) :])
        case ["wall", row, column] if _is_row(row) and _is_row(column) and value in (*COLOURS, EMPTY):
            return board._replace(wall=with_wall_tile(board.wall, int(row), int(column), str(value)))
    raise RecordError(f"a correction cannot set {cell!r} to {value!r}")


def _with_table_cell(state: State, cell: str, value: str | int) -> State:
    match cell.split("."):
        case ["centre"] if _is_tiles(value):
            return state._replace(centre=heap(str(value)))
        case ["factory", disc] if _is_tiles(value) and disc in map(str, range(1, len(state.factories) + 1)):
            index = int(disc) - 1
            discs = (*state.factories[:index], heap(str(value)), *state.factories[index + 1 :])
            return state._replace(factories=discs)
        case ["bag"] if _is_tiles(value) and not lacking(str(value), state.bag + state.lid):
            return state._replace(bag=heap(str(value)), lid=heap(without(state.bag + state.lid, str(value))))
        case ["marker"] if type(value) is int and value in (0, *state.setup.seats):
            return state._replace(marker=value)
        case ["turn"] if type(value) is int and value in state.setup.seats and state.phase in (DRAFT, FILL):
            # Between two rounds the next turn is that of whoever begins.
            return state._replace(seat=value) if state.phase == DRAFT else state._replace(starter=value)
        case ["round"] if type(value) is int and value in range(MAX_ROUND + 1):
            return state._replace(round=value)
        case ["phase"] if value in (FILL, DRAFT, TILE, OVER):
            unswept = tuple(state.setup.seats) if value == TILE else ()
            return state._replace(phase=str(value), seat=state.starter if value == DRAFT else 0, unswept=unswept)
    raise RecordError(f"a correction cannot set {cell!r} to {value!r}")


def _is_tiles(value: str | int, also: str = "") -> bool:
    return isinstance(value, str) and not set(value) - set(COLOURS + also)


def _is_row(text: str) -> bool:
    return text in ("1", "2", "3", "4", "5")
