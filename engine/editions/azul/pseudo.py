"""What hands can do in a state of Azul, legal or not: what a camera's sighting has to be explained by.

Every legal move comes first; then every move that is illegal as it stands; then each of them with one slip. Two things
done wrong in one turn are not listed: the list would not end, and a person is asked sooner than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.editions.azul.board import complete_lines
from engine.editions.azul.moves import (
    CLEARED,
    FLOOR_GAP,
    GAP,
    HIDDEN,
    KEPT,
    LEFT,
    MARKER_CELL,
    MARKER_LID,
    MARKER_SLIP,
    OTHER_ROW,
    REMOVED,
    REST,
    RETURNED,
    SHIFTED,
    SPLIT,
    STACKED,
    UNCLEARED,
    UNPUSHED,
    Move,
    Pass,
    Sweep,
    Take,
    Tile,
)
from engine.editions.azul.rules import legal_moves
from engine.editions.azul.state import (
    CENTRE,
    DRAFT,
    EMPTY,
    FLOOR,
    FLOOR_CELLS,
    NO_COLUMN,
    ROWS,
    TILE,
    State,
    sources,
)
from engine.editions.drafting import EXTRA
from engine.moves import Slip


def pseudo_moves(state: State) -> Iterator[Move]:
    """Every legal move, every illegal one that hands can make, and each take or tiling with one slip."""
    legal = dict.fromkeys(legal_moves(state))
    yield from legal
    if state.phase == DRAFT:
        turn = list(_takes(state, state.seat))
        yield from (take for take in turn if take not in legal)
        for seat in state.setup.seats:
            if seat != state.seat:
                yield from _takes(state, seat)
        yield Pass(state.seat)
        for take in turn:
            yield from (replace(take, slips=(slip,)) for slip in _take_slips(state, take))
    elif state.phase == TILE:
        for seat in state.unswept:
            yield from (move for move in _tilings(state, seat) if move not in legal)


def _takes(state: State, seat: int) -> Iterator[Take]:
    """All takes of a seat that end up looking different: on a full line nothing can be laid."""
    lines = state.boards[seat - 1].lines
    for source, tiles in enumerate(sources(state)):
        for colour in dict.fromkeys(tiles):
            yield Take(seat, source, colour, FLOOR)
            yield from (Take(seat, source, colour, row) for row in ROWS if EMPTY in lines[row - 1])


def _take_slips(state: State, take: Take) -> Iterator[Slip]:
    table, board = sources(state), state.boards[take.seat - 1]
    colour, count = take.colour, table[take.source].count(take.colour)
    rest = table[take.source].replace(colour, "")
    line = board.lines[take.line - 1] if take.line else ""
    room = line.count(EMPTY)
    spilled = max(0, count - room)
    marker_due = take.source == CENTRE and not state.marker
    floor_after = len(board.floor) + marker_due
    parts = [colour * n for n in range(1, count)]

    yield from (Slip(LEFT, part) for part in parts)
    yield from (Slip(EXTRA, other * rest.count(other), take.source) for other in dict.fromkeys(rest))
    for source, tiles in enumerate(table):
        if source != take.source and colour in tiles:
            yield Slip(EXTRA, colour * tiles.count(colour), source)
    if take.source != CENTRE and rest:
        yield Slip(UNPUSHED)
    if not state.marker:
        yield Slip(MARKER_SLIP)
    if marker_due:
        yield from (Slip(MARKER_CELL, at=cell) for cell in range(len(board.floor) + 2, FLOOR_CELLS + 1))
    for row in ROWS:
        if row != take.line and EMPTY in board.lines[row - 1]:
            yield from (Slip(SPLIT, part, row) for part in parts)
    if line and spilled > 0:
        yield from (Slip(STACKED, colour * n) for n in range(1, spilled + 1))
    if 0 < min(count, room) < room:
        yield Slip(GAP)
    if spilled and floor_after < FLOOR_CELLS - 1:
        yield Slip(FLOOR_GAP, at=floor_after + 2)
    if spilled and floor_after < FLOOR_CELLS:
        yield from (Slip(HIDDEN, colour * n) for n in range(1, spilled + 1))
    for n in range(1, count + 1):
        yield Slip(KEPT, colour * n)
        yield Slip(RETURNED, colour * n)
    yield from _shifts(board.lines, floor_has_room=floor_after < FLOOR_CELLS)


def _shifts(lines: tuple[str, ...], *, floor_has_room: bool) -> Iterator[Slip]:
    for row in ROWS:
        tile = lines[row - 1].strip(EMPTY)[:1]
        if tile:
            if floor_has_room:
                yield Slip(SHIFTED, tile, row, FLOOR)
            yield from (Slip(SHIFTED, tile, row, to) for to in ROWS if to != row and EMPTY in lines[to - 1])


def _tilings(state: State, seat: int) -> Iterator[Move]:
    board = state.boards[seat - 1]
    for row in ROWS:
        line = board.lines[row - 1]
        if line == EMPTY * row:
            continue
        free = [column for column in ROWS if board.wall[row - 1][column - 1] == EMPTY]
        if EMPTY not in line:
            yield Tile(seat, row, NO_COLUMN)
        for column in free:
            yield Tile(seat, row, column)
            rest = line.replace(EMPTY, "")[:-1]
            if rest:
                yield Tile(seat, row, column, (Slip(REST, rest),))
            for other in ROWS:
                if other != row and board.wall[other - 1][column - 1] == EMPTY:
                    yield Tile(seat, row, column, (Slip(OTHER_ROW, at=other),))
    yield Sweep(seat)
    if board.floor:
        yield Sweep(seat, (Slip(UNCLEARED),))
    if state.marker == seat:
        yield Sweep(seat, (Slip(MARKER_LID),))
    for row in ROWS:
        if row not in complete_lines(board) and board.lines[row - 1] != EMPTY * row:
            yield Sweep(seat, (Slip(CLEARED, at=row),))
        for column in ROWS:
            if board.wall[row - 1][column - 1] != EMPTY:
                yield Sweep(seat, (Slip(REMOVED, at=row, to=column),))
