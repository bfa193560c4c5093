"""What a game of Azul consists of: options, boards, state.

Tiles are letters and everything is a string as it lies on the table, so a state prints as it is. `Board` and `State`
are named tuples and not dataclasses because they are made for every move tried: a frozen dataclass costs four times as
much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.editions.drafting import DISCS
from engine.errors import EditionError
from engine.options import one_of, read_options, whole
from engine.state import FILL, Setup
from engine.text import Text, say
from engine.tiles import heap

LETTERS: Mapping[str, Text] = {
    "B": say("blue"),
    "Y": say("yellow"),
    "R": say("red"),
    "K": say("black"),
    "W": say("white"),
}
COLOURS = "".join(LETTERS)
TILES_OF_EACH = 20
MARKER = "1"
EMPTY = "."

ROWS = range(1, 6)
FLOOR_CELLS = 7
CENTRE = 0
"""The source that is no factory disc."""
FLOOR = 0
"""The destination that is no pattern line."""
NO_COLUMN = 0
"""The column of a line that fits nowhere on the wall."""

DRAFT = "draft"
TILE = "tile"

COLOURED = "coloured"
GREY = "grey"
WALL_PATTERN = tuple(COLOURS[-r:] + COLOURS[:-r] for r in range(5))

NO_PENALTY = "noPenalty"
LAST_PENALTY = "lastPenalty"
TO_FLOOR = "floor"
TO_LID = "lid"


@dataclass(frozen=True, slots=True)
class Options:
    """What rulebooks leave open or a house may change."""

    wall_pattern: tuple[str, ...] | None
    """The colour printed on every wall cell; None where the wall shows none."""
    floor_penalties: tuple[int, ...] = (1, 1, 2, 2, 2, 3, 3)
    row_bonus: int = 2
    column_bonus: int = 7
    colour_bonus: int = 10
    score_min: int = 0
    track_max: int = 100
    grey_no_fit: str = TO_FLOOR
    marker_when_floor_full: str = NO_PENALTY
    explicit_tiling: bool = False
    """A record says every wall tile and every sweep, also where nobody had a choice."""


class Board(NamedTuple):
    """One player's board."""

    lines: tuple[str, ...]
    """As printed: five strings of one to five characters, a dot for an empty cell, filled from the right."""
    wall: tuple[str, ...]
    floor: str
    score: int


class State(NamedTuple):
    """A whole game at one moment."""

    setup: Setup[Options]
    boards: tuple[Board, ...]
    factories: tuple[str, ...]
    centre: str
    marker: int
    """The seat that holds the first-player marker; 0 while it lies in the centre."""
    bag: str
    lid: str
    phase: str
    seat: int
    starter: int
    round: int
    unswept: tuple[int, ...] = ()
    """While walls are tiled: the seats that have not yet cleared their floor line."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, without the bonuses of the end."""
        return tuple(board.score for board in self.boards)


EMPTY_BOARD = Board(
    lines=tuple(EMPTY * row for row in ROWS),
    wall=(EMPTY * 5,) * 5,
    floor="",
    score=0,
)


def start(setup: Setup[Options]) -> State:
    """A table set up, before the first factories are filled."""
    return State(
        setup=setup,
        boards=(EMPTY_BOARD,) * setup.players,
        factories=("",) * DISCS[setup.players],
        centre="",
        marker=setup.first,
        bag=heap(COLOURS * TILES_OF_EACH),
        lid="",
        phase=FILL,
        seat=0,
        starter=setup.first,
        round=0,
    )


def heaps(state: State) -> dict[str, str]:
    """Where every tile of the game is."""
    places = {
        "bag": state.bag,
        "lid": state.lid,
        "centre": state.centre,
        "factories": "".join(state.factories),
    }
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        lying = "".join((*board.lines, *board.wall, board.floor))
        places[f"seat {seat}"] = lying.replace(EMPTY, "").replace(MARKER, "")
    return places


def sources(state: State) -> tuple[str, ...]:
    """What lies in the centre (first) and on each disc."""
    return (state.centre, *state.factories)


def parse_options(options: Mapping[str, object], side: str) -> Options:
    """The options of a record's start, spelled as the rules file does."""
    values: dict[str, Any] = {"wall_pattern": WALL_PATTERN if side == COLOURED else None}
    values |= read_options(options, _OPTIONS)
    if (values["wall_pattern"] is None) is (side == COLOURED):
        raise EditionError(f"the option wallPattern cannot be {options['wallPattern']!r} on the side {side}")
    return Options(**values)


def format_options(setup: Setup[Options]) -> dict[str, object]:
    """The options that differ from what everybody plays, as `parse_options` reads them."""
    options, usual = setup.options, parse_options({}, setup.side)
    written: dict[str, object] = {}
    if options.wall_pattern and options.wall_pattern != usual.wall_pattern:
        written["wallPattern"] = list(options.wall_pattern)
    if options.floor_penalties != usual.floor_penalties:
        written["floorPenalties"] = list(options.floor_penalties)
    bonuses = {"row": options.row_bonus, "col": options.column_bonus, "colour": options.colour_bonus}
    if bonuses != {"row": usual.row_bonus, "col": usual.column_bonus, "colour": usual.colour_bonus}:
        written["bonuses"] = bonuses
    for name, field in _PLAIN_OPTIONS.items():
        if getattr(options, field) != getattr(usual, field):
            written[name] = getattr(options, field)
    return written


_PLAIN_OPTIONS = {
    "scoreMin": "score_min",
    "trackMax": "track_max",
    "greyNoFit": "grey_no_fit",
    "markerWhenFloorFull": "marker_when_floor_full",
    "explicitTiling": "explicit_tiling",
}


def _penalties(value: Any) -> tuple[int, ...]:
    # Printed as minus points, spoken of as a cost: both are understood.
    costs = tuple(abs(whole(cost)) for cost in value)
    if len(costs) != FLOOR_CELLS:
        raise ValueError(value)
    return costs


def _pattern(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    rows = tuple("".join(row) for row in value)
    if len(rows) != len(ROWS) or any(sorted(row) != sorted(COLOURS) for row in rows):
        raise ValueError(value)
    return rows


def _bonuses(value: Any) -> dict[str, int]:
    names = {"row": "row_bonus", "col": "column_bonus", "colour": "colour_bonus"}
    return {names[name]: whole(points) for name, points in value.items()}


_OPTIONS: dict[str, Any] = {
    "wallPattern": lambda value: {"wall_pattern": _pattern(value)},
    "floorPenalties": lambda value: {"floor_penalties": _penalties(value)},
    "bonuses": _bonuses,
    "scoreMin": lambda value: {"score_min": whole(value)},
    "trackMax": lambda value: {"track_max": whole(value)},
    "greyNoFit": lambda value: {"grey_no_fit": one_of(value, TO_FLOOR, TO_LID)},
    "markerWhenFloorFull": lambda value: {"marker_when_floor_full": one_of(value, NO_PENALTY, LAST_PENALTY)},
    "explicitTiling": lambda value: {"explicit_tiling": one_of(value, True, False)},
}
