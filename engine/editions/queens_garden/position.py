"""What lies on a table of Queen's Garden for everybody to see, and what each garden would score.

A position may come from a state or from a photograph of a part of the table: what is unknown is None, `?` for a cell.
What is just being drawn or turned when a state awaits chance is unknown too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.editions.queens_garden.garden import (
    AT_UNSEEN,
    CELLS,
    HEX_CELLS,
    SLOT_UNSEEN,
    UNSEEN,
    Garden,
    slot_of,
)
from engine.editions.queens_garden.hexes import BIT, Heap
from engine.editions.queens_garden.options import Options
from engine.editions.queens_garden.scoring import final_lines, round_lines
from engine.editions.queens_garden.state import Card, State
from engine.score import Outlook, total
from engine.state import FILL


@dataclass(frozen=True, slots=True)
class SeenStorage:
    """A storage as it lies there; what could not be told is a `?` among its tiles or cards."""

    tiles: Heap
    jokers: int
    cards: Heap


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """What belongs to one player, as it lies there."""

    seat: int
    garden: Garden
    slots: tuple[int, ...]
    storage: SeenStorage | None
    score: int | None


@dataclass(frozen=True, slots=True)
class Position:
    """What can be seen of a table; parts of the middle are None where they are not in view."""

    edition: str
    side: str
    boards: tuple[SeenBoard, ...]
    display: tuple[Card, ...] | None = None
    """A card of which not even the face can be told has the hex `?`."""
    top: Heap | None = None
    stack: int | None = None
    round: int | None = None
    marker: int | None = None
    options: Options = field(default_factory=Options)
    """No photograph shows these, but a table may be told which wheel it is played with."""


def position(state: State) -> Position:
    """What of a state lies on the table."""
    boards = tuple(
        SeenBoard(seat, board.garden, board.slots, SeenStorage(board.tiles, board.jokers, board.cards), board.score)
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
    )
    drawing = state.phase == FILL
    return Position(
        state.setup.edition,
        state.setup.side,
        boards,
        tuple(Card(UNSEEN, ()) if drawing and not any(card) else card for card in state.display),
        None if drawing and state.due else state.top,
        None if drawing and not state.turn else state.stack,
        state.round,
        state.marker,
        state.setup.options,
    )


def outlook(position: Position) -> list[Outlook]:
    """What each garden would score if the round ended now, and what the final scoring would bring."""
    return [_board_outlook(board, position) for board in position.boards]


# Where the score cannot be read, it is taken to be high enough for every cost.
_HIGH = 1000


def _board_outlook(seen: SeenBoard, position: Position) -> Outlook:
    score = _HIGH if seen.score is None else seen.score
    options, storage = position.options, seen.storage or SeenStorage((), 0, ())
    rounds = round_lines(seen.seat, seen.garden, seen.slots, position.round or 0, options)
    known = tuple(tile for tile in storage.tiles if tile in BIT), storage.jokers, _known(storage.cards)
    final = final_lines(seen.seat, seen.garden, known, score, options)
    return Outlook(seen.seat, seen.score, tuple(rounds), total(rounds), tuple(final), unseen_cells(seen))


def _known(cards: Heap) -> Heap:
    return tuple(card for card in cards if card in BIT)


def unseen_cells(board: SeenBoard) -> tuple[str, ...]:
    """What of a board could not be seen."""
    slots = {slot for slot, at in enumerate(board.slots) if at in (SLOT_UNSEEN, AT_UNSEEN)}
    cells = [f"X{slot}" for slot in sorted(slots)]
    cells += [CELLS[cell] for cell in HEX_CELLS if board.garden[cell] == UNSEEN and slot_of(cell) not in slots]
    if board.storage is None or UNSEEN in (*board.storage.tiles, *board.storage.cards):
        cells.append("storage")
    return (*cells, "score") if board.score is None else tuple(cells)
