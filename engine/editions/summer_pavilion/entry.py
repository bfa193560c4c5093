"""How people tell a move of Summer Pavilion: what they touch, what places are called, what is printed on a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.editions import names
from engine.editions.drafting import DISC_TILES, DISCS, source_cell
from engine.editions.summer_pavilion.moves import Bonus, Move, Pass, Place, Refill, Take
from engine.editions.summer_pavilion.state import (
    COLOURS,
    EMPTY,
    LETTERS,
    MIDDLE,
    STARS,
    SUPPLY_CELLS,
    Options,
    State,
)
from engine.entry import Act, Draw, Touch, filling, touched
from engine.moves import Fill
from engine.state import FILL, Setup
from engine.table import ALL, Kinds, Part, Print, kinds_of
from engine.text import Text, say
from engine.tiles import heap

TAKE, LAY, ON, PAY = say("Take"), say("Lay a tile"), say("Lay it on"), say("Pay with")
BONUS, KEEP, DRAW = say("Take bonus tiles"), say("Pass and keep"), say("Fill factories and supply")


def acts(state: State, move: Move) -> tuple[Act, ...]:
    """What people touch in a move."""
    match move:
        case Take(_, source, colour):
            return (Act(TAKE, (Touch(ALL, source_cell(source), colour),)),)
        case Place(seat, star, cell, colour, jokers):
            own = max(state.setup.options.cost(star, cell) - jokers - 1, 0)
            paid = touched(seat, "reserve", heap(colour * own + state.joker * jokers))
            laid = Act(LAY, (Touch(seat, "reserve", colour),))
            return laid, Act(ON, (Touch(seat, f"star.{star}.{cell}"),)), Act(PAY, paid)
        case Bonus(_, tiles):
            return (Act(BONUS, touched(ALL, "supply", tiles)),)
        case Pass(seat, keep):
            return (Act(KEEP, touched(seat, "reserve", keep)),)
        case Fill() | Refill():
            return (Act(DRAW),)


def awaited(state: State) -> tuple[Draw, ...]:
    """The discs that are to be filled, or the cells of the supply that are empty; before the first round both."""
    if state.phase != FILL or state.seat:
        return filling(["supply"], state.supply.count(EMPTY), state.bag, state.tower)
    discs = [source_cell(disc) for disc in range(1, DISCS[state.setup.players] + 1)]
    found = filling(discs, DISC_TILES, state.bag, state.tower)
    first = state.round == 0
    return (*found, Draw("supply", SUPPLY_CELLS, kinds_of(state.bag))) if first else found


def drawn(state: State, heaps: Sequence[Kinds]) -> Fill | Refill:
    """What fills the discs, the supply, or both."""
    tiles = tuple("".join(heap) for heap in heaps)
    if state.phase != FILL or state.seat:
        return Refill(tiles[0])
    return Fill(tiles[:-1], tiles[-1]) if state.round == 0 else Fill(tiles)


def place_name(name: str) -> Text:
    """A cell, a star, a heap or a number in words."""
    match name.split("."):
        case ["star", star, cell]:
            return say("{star}, cell {cell}", star=_star_name(star), cell=cell)
        case ["star", star]:
            return _star_name(star)
        case ["corner", corner]:
            return say("corner {corner}", corner=corner)
        case ["supply", cell]:
            return say("supply, cell {cell}", cell=cell)
        case ["supply"]:
            return say("the supply")
        case ["reserve"]:
            return say("the reserve")
    return names.place_name(name)


def _star_name(star: str) -> Text:
    return say("star in the middle") if star == MIDDLE else say("{colour} star", colour=LETTERS[star])


def kinds_at(_place: str) -> tuple[str, ...]:
    """The kinds of pieces that may come to lie in a cell or a heap."""
    return tuple(COLOURS)


def prints(setup: Setup[Options], part: Part) -> Mapping[str, Print | None]:
    """What each cell of a star costs, in its colour where the star takes one only."""
    stars = zip(STARS, setup.options.numbers, strict=True)
    return {
        f"star.{star}.{slot}": Print(str(cost), star if setup.options.coloured and star != MIDDLE else "")
        for star, costs in stars
        for slot, cost in enumerate(costs, 1)
        if part.cells.get(f"star.{star}.{slot}", EMPTY) == EMPTY
    }
