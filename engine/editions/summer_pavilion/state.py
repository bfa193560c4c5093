"""What a game of Summer Pavilion consists of: options, boards, state.

As in Azul, tiles are letters and everything is a string as it lies on the table; boards and states are named tuples
because they are made for every move tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.editions.drafting import DISCS
from engine.options import read_options, whole
from engine.state import FILL, Setup
from engine.text import Text, say
from engine.tiles import heap

LETTERS: Mapping[str, Text] = {
    "P": say("purple"),
    "G": say("green"),
    "O": say("orange"),
    "Y": say("yellow"),
    "B": say("blue"),
    "R": say("red"),
}
COLOURS = "".join(LETTERS)
TILES_OF_EACH = 22
EMPTY = "."

OUTER = "ORBYGP"
"""The outer stars clockwise from the upper left."""
MIDDLE = "C"
STARS = OUTER + MIDDLE
STAR_INDEX = {star: index for index, star in enumerate(STARS)}
SLOTS = range(1, 7)
"""The cells of a star, clockwise; the coloured side prints these numbers on the outer stars."""
MAX_COST = 6
CORNERS = 4
SUPPLY_CELLS = 10
ROUNDS = 6
CENTRE = 0
"""The source that is no factory disc."""

DRAFT = "draft"
PLACE = "place"
BONUS = "bonus"

COLOURED = "coloured"
BEIGE = "beige"
PILLAR, STATUE, WINDOW = "pillar", "statue", "window"

_NUMBERS = {
    COLOURED: dict.fromkeys(STARS, (1, 2, 3, 4, 5, 6)),
    BEIGE: dict.fromkeys(OUTER, (3, 2, 1, 4, 5, 6)) | {MIDDLE: (3,) * 6},
}


@dataclass(frozen=True, slots=True)
class Feature:
    """A pillar, statue or window, and the cells around it."""

    kind: str
    name: str
    cells: tuple[tuple[str, int], ...]
    spots: tuple[tuple[int, int], ...]
    """The same cells as places in a board's stars."""


def _feature(kind: str, name: str, *cells: tuple[str, int]) -> Feature:
    return Feature(kind, name, cells, tuple((STARS.index(star), slot - 1) for star, slot in cells))


def _features() -> tuple[Feature, ...]:
    found = []
    for i, star in enumerate(OUTER):
        after = OUTER[(i + 1) % len(OUTER)]
        inner = ((MIDDLE, (i - 1) % 6 + 1), (MIDDLE, i + 1))
        found.append(_feature(PILLAR, f"pillar.{star}", (star, 2), (star, 3), *inner))
        found.append(_feature(STATUE, f"statue.{star}{after}", (star, 1), (star, 2), (after, 3), (after, 4)))
        found.append(_feature(WINDOW, f"window.{star}", (star, 5), (star, 6)))
    return tuple(found)


FEATURES = _features()
FEATURES_AT = {
    (star, slot): tuple(feature for feature in FEATURES if (star, slot) in feature.cells)
    for star in STARS
    for slot in SLOTS
}


@dataclass(frozen=True, slots=True)
class Options:
    """What editions, prints and houses differ in."""

    coloured: bool
    """Whether outer stars take only their own colour."""
    numbers: tuple[tuple[int, ...], ...]
    """For each star in the order of STARS, what its cells cost."""
    score_start: int = 5
    score_floor: int = 1
    track_length: int = 80
    joker_order: str = COLOURS
    star_values: tuple[int, ...] = (20, 18, 17, 16, 15, 14, 12)
    """What a complete star brings: of each colour in the order of COLOURS, then of many colours."""
    number_bonuses: tuple[int, ...] = (4, 8, 12, 16)
    """What covering all cells of the number 1, 2, 3, 4 brings."""
    pillar_tiles: int = 1
    statue_tiles: int = 2
    window_tiles: int = 3

    def bonus_tiles(self, feature: Feature) -> int:
        """How many tiles a surrounded feature gives."""
        return {PILLAR: self.pillar_tiles, STATUE: self.statue_tiles, WINDOW: self.window_tiles}[feature.kind]

    def cost(self, star: str, slot: int) -> int:
        """The number printed on a cell."""
        return self.numbers[STAR_INDEX[star]][slot - 1]


class Board(NamedTuple):
    """One player's board."""

    stars: tuple[str, ...]
    """Six cells each, in the order of STARS, a dot where no tile lies."""
    corners: str
    reserve: str
    score: int


class State(NamedTuple):
    """A whole game at one moment."""

    setup: Setup[Options]
    boards: tuple[Board, ...]
    factories: tuple[str, ...]
    centre: str
    marker: int
    """The seat that holds the start-player token; 0 while it lies in the centre."""
    supply: str
    """Ten cells, a dot where no tile lies."""
    bag: str
    tower: str
    phase: str
    seat: int
    starter: int
    round: int
    passed: tuple[int, ...] = ()
    """The seats that have passed, in the order of seats: in which order they passed changes nothing."""
    owed: int = 0
    """The bonus tiles that the seat to move has to take."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, without the bonuses of the end."""
        return tuple(board.score for board in self.boards)

    @property
    def joker(self) -> str:
        """The colour that stands for others in this round."""
        return self.setup.options.joker_order[self.round - 1 if self.round else 0]

    @property
    def old_joker(self) -> str:
        """The colour that did so in the round before; nothing in the first."""
        return self.setup.options.joker_order[self.round - 2] if self.round > 1 else ""


def start(setup: Setup[Options]) -> State:
    """A table set up, before anything is drawn."""
    board = Board((EMPTY * 6,) * len(STARS), EMPTY * CORNERS, "", setup.options.score_start)
    return State(
        setup=setup,
        boards=(board,) * setup.players,
        factories=("",) * DISCS[setup.players],
        centre="",
        marker=setup.first,
        supply=EMPTY * SUPPLY_CELLS,
        bag=heap(COLOURS * TILES_OF_EACH),
        tower="",
        phase=FILL,
        seat=0,
        starter=setup.first,
        round=0,
    )


def heaps(state: State) -> dict[str, str]:
    """Where every tile of the game is."""
    places = {
        "bag": state.bag,
        "tower": state.tower,
        "centre": state.centre,
        "factories": "".join(state.factories),
        "supply": state.supply.replace(EMPTY, ""),
    }
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        places[f"seat {seat}"] = "".join((*board.stars, board.corners, board.reserve)).replace(EMPTY, "")
    return places


def sources(state: State) -> tuple[str, ...]:
    """What lies in the centre (first) and on each disc."""
    return (state.centre, *state.factories)


def laid_out(cells: str, tiles: str) -> str:
    """The cells with tiles laid in order on those that are empty, which must be as many."""
    for tile in tiles:
        cells = cells.replace(EMPTY, tile, 1)
    return cells


def may_refill(state: State) -> bool:
    """Whether tiles could be drawn into empty supply cells."""
    return EMPTY in state.supply and bool(state.bag or state.tower)


def parse_options(options: Mapping[str, object], side: str, score_floor: int = 1) -> Options:
    """The options of a record's start, spelled as the rules file does."""
    numbers = tuple(_NUMBERS[side][star] for star in STARS)
    values: dict[str, Any] = {"coloured": side == COLOURED, "numbers": numbers, "score_floor": score_floor}
    values |= read_options(options, _OPTIONS)
    return Options(**values)


def format_options(setup: Setup[Options], score_floor: int = 1) -> dict[str, object]:
    """The options that differ from what everybody plays, as `parse_options` reads them."""
    options, usual = setup.options, parse_options({}, setup.side, score_floor)
    written: dict[str, object] = {}
    for name, keys in _WRITTEN.items():
        if any(getattr(options, key) != getattr(usual, key) for key in keys):
            written[name] = _WRITERS[name](options)
    return written


def _joker_order(value: Any) -> str:
    order = "".join(value)
    if sorted(order) != sorted(COLOURS):
        raise ValueError(value)
    return order


def _star_values(value: Any) -> tuple[int, ...]:
    if set(value) != set(COLOURS + MIDDLE):
        raise ValueError(value)
    return tuple(whole(value[star]) for star in COLOURS + MIDDLE)


def _number_bonuses(value: Any) -> tuple[int, ...]:
    bonuses = [value[str(n)] for n in (1, 2, 3, 4)] if isinstance(value, dict) else list(value)
    if len(bonuses) != 4 or len(value) != 4:
        raise ValueError(value)
    return tuple(map(whole, bonuses))


def _numbers(value: Any) -> tuple[tuple[int, ...], ...]:
    if set(value) != set(STARS):
        raise ValueError(value)
    numbers = tuple(tuple(map(whole, value[star])) for star in STARS)
    if any(len(star) != 6 or not all(1 <= n <= 6 for n in star) for star in numbers):
        raise ValueError(value)
    return numbers


def _bonus_tiles(value: Any) -> dict[str, int]:
    names = {PILLAR: "pillar_tiles", STATUE: "statue_tiles", WINDOW: "window_tiles"}
    if any(whole(count) not in range(SUPPLY_CELLS + 1) for count in value.values()):
        raise ValueError(value)
    return {names[kind]: count for kind, count in value.items()}


_OPTIONS: dict[str, Any] = {
    "scoreStart": lambda value: {"score_start": whole(value)},
    "scoreFloor": lambda value: {"score_floor": whole(value)},
    "trackLength": lambda value: {"track_length": whole(value)},
    "jokerOrder": lambda value: {"joker_order": _joker_order(value)},
    "starValues": lambda value: {"star_values": _star_values(value)},
    "numberBonuses": lambda value: {"number_bonuses": _number_bonuses(value)},
    "bonusTiles": _bonus_tiles,
    "numbers": lambda value: {"numbers": _numbers(value)},
}
_WRITTEN = {
    "scoreStart": ("score_start",),
    "scoreFloor": ("score_floor",),
    "trackLength": ("track_length",),
    "jokerOrder": ("joker_order",),
    "starValues": ("star_values",),
    "numberBonuses": ("number_bonuses",),
    "bonusTiles": ("pillar_tiles", "statue_tiles", "window_tiles"),
    "numbers": ("numbers",),
}
_WRITERS: dict[str, Any] = {
    "scoreStart": lambda options: options.score_start,
    "scoreFloor": lambda options: options.score_floor,
    "trackLength": lambda options: options.track_length,
    "jokerOrder": lambda options: list(options.joker_order),
    "starValues": lambda options: dict(zip(COLOURS + MIDDLE, options.star_values, strict=True)),
    "numberBonuses": lambda options: list(options.number_bonuses),
    "bonusTiles": lambda options: {
        PILLAR: options.pillar_tiles,
        STATUE: options.statue_tiles,
        WINDOW: options.window_tiles,
    },
    "numbers": lambda options: dict(zip(STARS, map(list, options.numbers), strict=True)),
}
