"""Points of Queen's Garden: every one with its rule and its cells."""

from __future__ import annotations

from collections.abc import Iterable

from engine.editions.queens_garden.garden import CELLS, HEX_CELLS, Garden, centre_cell, groups
from engine.editions.queens_garden.hexes import (
    BIT,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    PATTERN,
    PATTERN_NAMES,
    PATTERNS,
    VALUE,
    Heap,
)
from engine.editions.queens_garden.moves import MISCOUNTED, PRICE, UNCHARGED, UNPAID, Buy, Count, Move, Pass
from engine.editions.queens_garden.options import LEAST_GROUP, Options
from engine.editions.queens_garden.state import CARD_PRICE, FIRST_PASS_COST, State, pavilions
from engine.editions.queens_garden.storage import Pay, value_of
from engine.editions.queens_garden.wheel import Category, Wheel
from engine.score import ScoreLine, total
from engine.text import Text, say, say_n


def charged(score: int, cost: int, options: Options) -> int:
    """The score after a cost: it never falls below the least score by being charged."""
    return max(min(score, options.score_min), score - cost)


def round_points(garden: Garden, slots: tuple[int, ...], round_: int, options: Options) -> int:
    """What a round's scoring brings, without the reasons."""
    points = len(pavilions(slots))
    for category in categories(options.wheel, round_):
        points += sum(
            category.points_of(garden[c]) for c in HEX_CELLS if garden[c] in BIT and category.counts(garden[c])
        )
    return points


def categories(wheel: Wheel | None, round_: int) -> tuple[Category, ...]:
    """What the wheel shows in a round: nothing where nobody has entered it."""
    return wheel.rounds[round_ - 1] if wheel and 1 <= round_ <= len(wheel.rounds) else ()


def round_lines(seat: int, garden: Garden, slots: tuple[int, ...], round_: int, options: Options) -> list[ScoreLine]:
    """What a round's scoring brings to one garden, with the reasons."""
    lines = []
    if options.wheel is None:
        text = say("round {round}: the wheel is not entered, so what it counts is missing here", round=round_)
        lines.append(ScoreLine(seat, 0, "QG-PT-01", ("wheel",), text))
    for category in categories(options.wheel, round_):
        cells = [c for c in HEX_CELLS if garden[c] in BIT and category.counts(garden[c])]
        if cells:
            points = sum(category.points_of(garden[c]) for c in cells)
            lines.append(
                ScoreLine(seat, points, "QG-PT-01", _names(cells), _category_text(category, len(cells), options))
            )
    if built := pavilions(slots):
        text = say_n("{count} pavilion in the garden", "{count} pavilions in the garden", len(built))
        lines.append(ScoreLine(seat, len(built), "QG-PT-02", _names(map(centre_cell, built)), text))
    return lines


def _category_text(category: Category, count: int, options: Options) -> Text:
    profile = options.wheel.name if options.wheel and options.wheel.name else "-"
    if category.points is None:
        return say_n(
            "{category}: {count} hex by its value (wheel as entered: {profile})",
            "{category}: {count} hexes by their values (wheel as entered: {profile})",
            count,
            category=category.name,
            profile=profile,
        )
    return say_n(
        "{category}: {count} hex at {points} (wheel as entered: {profile})",
        "{category}: {count} hexes at {points} each (wheel as entered: {profile})",
        count,
        category=category.name,
        points=category.points,
        profile=profile,
    )


def score(state: State, move: Move) -> list[ScoreLine]:
    """The points that a move brings, with their reasons."""
    match move:
        case Count():
            return _count_lines(state, move)
        case Buy(seat, slot, _):
            paid = state.boards[seat - 1].score - charged(
                state.boards[seat - 1].score, price(move), state.setup.options
            )
            text = say("an expansion for {price} points", price=price(move))
            return [ScoreLine(seat, -paid, "QG-PT-05", (f"X{slot}",), text)]
        case Pass():
            return _pass_lines(state, move)
        case _:
            return []


def price(move: Buy) -> int:
    """What was paid for a card of the supply."""
    return next((slip.at for slip in move.slips if slip.kind == PRICE), CARD_PRICE)


def pass_costs(state: State, move: Pass) -> tuple[int, int]:
    """What a pass costs for being the first, and for what is discarded."""
    kinds = {slip.kind: slip for slip in move.slips}
    first = FIRST_PASS_COST if state.marker == 0 and UNPAID not in kinds else 0
    return first, 0 if UNCHARGED in kinds else value_of(move.discard)


def _pass_lines(state: State, move: Pass) -> list[ScoreLine]:
    options, score = state.setup.options, state.boards[move.seat - 1].score
    first, discard = pass_costs(state, move)
    lines = []
    if first:
        lost = score - charged(score, first, options)
        text = say("first to pass") if lost == first else say("first to pass, but no score falls below 0")
        lines.append(ScoreLine(move.seat, -lost, "QG-PT-03", ("score",), text))
        score -= lost
    if discard:
        lost = score - charged(score, discard, options)
        items = " ".join(move.discard)
        if lost == discard:
            text = say("discarded: {items}", items=items)
        else:
            text = say("discarded: {items}; that costs {cost}, but no score falls below 0", items=items, cost=discard)
        lines.append(ScoreLine(move.seat, -lost, "QG-PT-04", ("storage",), text))
    return lines


def _count_lines(state: State, move: Count) -> list[ScoreLine]:
    told = {slip.at: slip.to for slip in move.slips if slip.kind == MISCOUNTED}
    lines = []
    for seat, board in zip(state.setup.seats, state.boards, strict=True):
        if seat in told:
            text = say("the marker was moved by {points}", points=told[seat])
            lines.append(ScoreLine(seat, told[seat], "QG-PT-01", ("score",), text))
        else:
            lines += round_lines(seat, board.garden, board.slots, state.round, state.setup.options)
    return lines


def final_lines(
    seat: int, garden: Garden, storage: tuple[Heap, int, Heap], score: int, options: Options
) -> list[ScoreLine]:
    """What the end of the game brings for one garden and its storage (tiles, jokers, expansions)."""
    return [*_storage_lines(seat, storage, score, options), *_group_lines(seat, garden, options)]


def _storage_lines(seat: int, storage: tuple[Heap, int, Heap], score: int, options: Options) -> list[ScoreLine]:
    tiles, jokers, cards = storage
    lines = []
    if jokers:
        text = say_n("{count} joker in the storage", "{count} jokers in the storage", jokers)
        lines.append(ScoreLine(seat, jokers, "QG-PT-06", ("storage",), text))
    items: Pay = (*tiles, *(f"x{card}" for card in cards))
    if cost := value_of(items):
        lost = score + jokers - charged(score + jokers, cost, options)
        if lost == cost:
            text = say("left in the storage: {items}", items=" ".join(items))
        else:
            text = say(
                "left in the storage: {items}; that costs {cost}, but no score falls below 0",
                items=" ".join(items),
                cost=cost,
            )
        lines.append(ScoreLine(seat, -lost, "QG-PT-07", ("storage",), text))
    return lines


def _group_lines(seat: int, garden: Garden, options: Options) -> list[ScoreLine]:
    lines = []
    names = {**COLOUR_NAMES, **PATTERN_NAMES}
    bonus = dict(options.group_bonus or ())
    for attribute, order in ((COLOUR, COLOURS), (PATTERN, PATTERNS)):
        large = [cells for cells in groups(garden, attribute) if len(cells) >= LEAST_GROUP]
        for name in order:
            for cells in large:
                if attribute[garden[cells[0]]] == name:
                    values = sum(VALUE[garden[cell]] for cell in cells)
                    text = say("{group}: a group of {size}", group=names[name], size=len(cells))
                    lines.append(ScoreLine(seat, values, "QG-PT-08", _names(cells), text))
                    if more := bonus.get(len(cells)):
                        text = say("{group}: bonus for a group of {size}", group=names[name], size=len(cells))
                        lines.append(ScoreLine(seat, more, "QG-PT-09", _names(cells), text))
    if lines and options.group_bonus is None:
        text = say("the bonuses of side b are not entered, so they are missing here")
        lines.append(ScoreLine(seat, 0, "QG-PT-09", ("score",), text))
    return lines


def bonuses(state: State) -> list[ScoreLine]:
    """What the final scoring brings for everybody."""
    return [line for seat in state.setup.seats for line in seat_bonuses(state, seat)]


def seat_bonuses(state: State, seat: int) -> list[ScoreLine]:
    """What the final scoring brings for one seat."""
    board = state.boards[seat - 1]
    return final_lines(seat, board.garden, (board.tiles, board.jokers, board.cards), board.score, state.setup.options)


def winners(state: State) -> tuple[int, ...]:
    """Who has most points; several share the victory."""
    totals = {seat: state.boards[seat - 1].score + total(seat_bonuses(state, seat)) for seat in state.setup.seats}
    return tuple(seat for seat, points in totals.items() if points == max(totals.values()))


def _names(cells: Iterable[int]) -> tuple[str, ...]:
    return tuple(CELLS[cell] for cell in sorted(cells))
