"""How people tell a move of Azul: what they touch, what places are called, and what is printed on a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.editions import names
from engine.editions.azul.moves import End, Move, Pass, Sweep, Take, Tile
from engine.editions.azul.state import COLOURS, EMPTY, FLOOR_CELLS, MARKER, Options, State
from engine.editions.drafting import DISC_TILES, source_cell
from engine.entry import Act, Draw, Touch, filling
from engine.moves import Fill
from engine.state import Setup
from engine.table import ALL, Kinds, Part, Print
from engine.text import Text, say

TAKE, LAY, TILE, INTO = say("Take"), say("Lay it on"), say("Tile a line"), say("Into the column")
SWEEP, NOTHING, FILL = say("Clear the floor line"), say("Do nothing"), say("Fill the factories")
END = say("End the game")


def acts(_state: State, move: Move) -> tuple[Act, ...]:
    """What people touch in a move."""
    match move:
        case Take(seat, source, colour, line):
            to = Touch(seat, f"line.{line}" if line else "floor")
            return Act(TAKE, (Touch(ALL, source_cell(source), colour),)), Act(LAY, (to,))
        case Tile(seat, row, column):
            to = Touch(seat, f"wall.{row}.{column}" if column else "floor")
            return Act(TILE, (Touch(seat, f"line.{row}"),)), Act(INTO, (to,))
        case Sweep(seat):
            return (Act(SWEEP, (Touch(seat, "floor"),)),)
        case Pass(seat):
            return (Act(NOTHING, (Touch(seat, ""),)),)
        case Fill():
            return (Act(FILL),)
        case End():
            return (Act(END),)


def awaited(state: State) -> tuple[Draw, ...]:
    """The discs that are to be filled."""
    discs = map(source_cell, range(1, len(state.factories) + 1))
    return filling(discs, DISC_TILES, state.bag, state.lid)


def drawn(_state: State, heaps: Sequence[Kinds]) -> Fill:
    """The filling of the discs with these tiles."""
    return Fill(tuple("".join(heap) for heap in heaps))


def place_name(name: str) -> Text:
    """A cell, a row, a heap or a number in words."""
    match name.split("."):
        case ["wall", row, column]:
            return say("wall, row {row}, column {column}", row=row, column=column)
        case ["wall", row]:
            return say("wall, row {row}", row=row)
        case ["line", row, place]:
            return say("line {row}, cell {place}", row=row, place=place)
        case ["line", row]:
            return say("line {row}", row=row)
        case ["floor", place]:
            return say("floor line, cell {place}", place=place)
        case ["floor"]:
            return say("floor line")
    return names.place_name(name)


def kinds_at(place: str) -> tuple[str, ...]:
    """The kinds of pieces that may come to lie in a cell or a heap."""
    return (*COLOURS, MARKER) if place.startswith("floor") else tuple(COLOURS)


def prints(setup: Setup[Options], part: Part) -> Mapping[str, Print | None]:
    """The colours of the wall, if this side has them, and what each floor cell costs."""
    pattern, costs = setup.options.wall_pattern, setup.options.floor_penalties
    wall = {
        f"wall.{row}.{column}": Print(letter, letter)
        for row, letters in enumerate(pattern or (), 1)
        for column, letter in enumerate(letters, 1)
    }
    floor = {f"floor.{i}": Print(f"−{cost}") for i, cost in enumerate(costs[:FLOOR_CELLS], 1)}
    return {name: printed for name, printed in {**wall, **floor}.items() if part.cells.get(name, EMPTY) == EMPTY}
