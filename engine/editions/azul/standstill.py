"""Whether a row of a wall can still be completed: where none can, play never ends by itself.

A row counts as one that can be completed unless one of two things proves the contrary, and neither ever passes.

Its wall: tiles stay where they are, so each free cell of the row needs a colour of its own that the row lacks and that
may go into its column.

Its tiles: a line of three takes three tiles of a colour at once. Those on walls never come back, and those on an
unfinished line come back only once that line is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from engine.editions.azul.board import legal_columns, moved_tile, open_colours
from engine.editions.azul.moves import End
from engine.editions.azul.scoring import Wall
from engine.editions.azul.state import COLOURS, EMPTY, ROWS, TILES_OF_EACH, State
from engine.state import FILL, OVER
from engine.text import say
from engine.violations import Violation

Lying = tuple[tuple[str, ...], Wall]
"""The lines and the wall of a board."""


class Supply(NamedTuple):
    """What can come of one colour."""

    most: int
    """No more tiles than these can ever lie together on a line where none lies now."""
    closable: frozenset[tuple[int, int]]
    """The unfinished lines with this colour, by board and row, that can be completed."""


def standstill(state: State) -> Violation | None:
    """Why the game never ends by itself, as advice; None where a row can still be completed, and after the end."""
    boards = tuple((board.lines, board.wall) for board in state.boards)
    if state.phase == OVER or _can_go_on(boards, state.setup.options.wall_pattern):
        return None
    return Violation("AZ-EN-01", say("no row of any wall can be completed any more: play does not end by itself"))


def ending(state: State) -> End | None:
    """The move by which people end such a game, once a round is over."""
    return End() if state.phase == FILL and standstill(state) else None


@lru_cache(maxsize=1 << 10)
def _can_go_on(boards: tuple[Lying, ...], pattern: Wall | None) -> bool:
    supplies = {colour: _supply(boards, colour, pattern) for colour in COLOURS}
    return any(_may_complete(boards, at, row, supplies, pattern) for at in range(len(boards)) for row in ROWS)


def _may_complete(
    boards: tuple[Lying, ...], at: int, row: int, supplies: Mapping[str, Supply], pattern: Wall | None
) -> bool:
    lines, wall = boards[at]
    line, cells = lines[row - 1], wall[row - 1]
    lying = moved_tile(line)
    if lying and EMPTY in line and (at, row) not in supplies[lying].closable:
        return False
    free = [column for column in ROWS if cells[column - 1] == EMPTY]
    places = {
        colour: legal_columns(wall, row, colour, pattern)
        for colour in COLOURS
        if colour == lying or row <= supplies[colour].most
    }
    return any(
        all(column in places[colour] for column, colour in zip(free, colours, strict=True))
        for colours in permutations(places, len(free))
    )


def _supply(boards: tuple[Lying, ...], colour: str, pattern: Wall | None) -> Supply:
    """Completes every line with a colour for which there are tiles enough, since that never leaves fewer."""
    most, unfinished = TILES_OF_EACH, dict[tuple[int, int], int]()
    for at, (lines, wall) in enumerate(boards):
        most -= "".join(wall).count(colour)
        for row, line in enumerate(lines, 1):
            if EMPTY not in line:
                most -= moved_tile(line) == colour and _stays(wall, row, colour, pattern)
                continue
            most -= line.count(colour)
            if colour in line and colour in open_colours(line, wall[row - 1]):
                unfinished[at, row] = line.count(colour)
    closable: set[tuple[int, int]] = set()
    while more := [key for key, held in unfinished.items() if key not in closable and key[1] - held <= most]:
        closable.update(more)
        most += sum(unfinished[at, row] - _stays(boards[at][1], row, colour, pattern) for at, row in more)
    return Supply(most, frozenset(closable))


def _stays(wall: Wall, row: int, colour: str, pattern: Wall | None) -> bool:
    """Whether one tile of a complete line is sure to stay on the wall: where columns are chosen, all may be dropped."""
    return pattern is not None and bool(legal_columns(wall, row, colour, pattern))
