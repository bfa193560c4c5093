"""How far a game of Queen's Garden may be where its table is seen again after a while.

Gardens keep what they have and a storage loses only what was paid, so boards tell nearly how often each seat acted.
Passing leaves no mark but a lower score, and the stack does not show how many cards it has: both are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from engine.editions.queens_garden.garden import (
    FACE_DOWN,
    HEX_CELLS,
    UNSEEN,
    Garden,
    surrounded,
)
from engine.editions.queens_garden.hexes import ATTRIBUTE_BITS, BIT, VALUE, Heap, take_out
from engine.editions.queens_garden.lying import read
from engine.editions.queens_garden.position import Position, SeenBoard, SeenStorage
from engine.editions.queens_garden.state import (
    ACT,
    CARD_PRICE,
    COUNT,
    STACK_CARDS,
    TOP_TILES,
    Board,
    State,
    heaps,
    printed_in,
    tiles_in,
)
from engine.editions.queens_garden.wheel import ROUNDS
from engine.resume import UNLIKELY, Resumption
from engine.state import FILL, OVER
from engine.table import Table

LAP = 60
"""The score track has so many spaces."""
PASSED = 0.2
"""How often a seat has passed meanwhile, beside that it goes on."""
UNCHARGED = 0.1
"""How often nothing shows that a seat passed first: its mark was not moved yet, or it had no points."""
MISCOUNTED = 0.01
"""How often a score is lower than it was for another reason than passing."""
NOT_YET_TAKEN = 0.5
"""Each card that came to a board since was taken in the round under way so often, where another one ended meanwhile."""
PAID_WITH = 0.1
"""How often a card was taken out of the display and paid with, all unseen."""
ALL_HIDDEN = 0.002
"""How often neither display nor stack is in view though cards lie there."""
SEEN_BARE = 0.05
"""How often the top card is in view before tiles are drawn onto it."""
BY_CHANCE = 0.15
"""How often a tile lies by chance where the round before had such a one."""
SURELY_SAME = 4
"""A card that lies face up tells as much as so many tiles: none is ever turned up again."""
ALL_TAKEN = 0.1
"""How often all tiles of a card and the card itself are taken while nobody looks."""
MISREAD = 0.3
"""How often a tile was not where it was thought to be."""
MOST_MISSING = 4
"""More cards than these cannot be told otherwise: something was misread."""
MOST_UNDRAWN = 10
"""More tiles than these tell nothing more."""
LIKELIEST = 10
"""So many ways are told at most."""
FEWEST_MOVES = 3
"""So many moves a seat makes in a round, about."""

Numbers = dict[str, str | int]


class Acted(NamedTuple):
    """How often a seat acted, at least and at most, and what passing seems to have cost it."""

    least: int
    most: int
    lost: int | None


class Turn(NamedTuple):
    """Whose turn it may be, who has passed and who was first to, how many moves were made, and how likely that is."""

    seat: int
    passed: tuple[int, ...]
    marker: int
    moves: int
    weight: float


def resumes(before: State, table: Table, rounds: int) -> Iterator[Resumption]:
    """The ways in which the game may stand, if so many rounds were counted since."""
    lying, scored = read(table), counted_in(before) + rounds
    if scored >= ROUNDS:
        yield _over(before, 1.0)
    elif not lying.display and not lying.top and (rounds or not _is_under_way(before)):
        yield from _between_rounds(before, scored, rounds)
    else:
        if lying.display is None:
            lying = replace(lying, display=before.display if not rounds else ())
        ways = list(_within_a_round(before, lying, scored, rounds))
        if scored == ROUNDS - 1:
            # All may have passed, where nothing was counted that anybody sees.
            ways.append(_over(before, PASSED * max(way.weight for way in ways)))
        yield from sorted(ways, key=lambda way: -way.weight)[:LIKELIEST]


def _over(before: State, weight: float) -> Resumption:
    numbers: Numbers = {"phase": OVER, "round": ROUNDS, "left": before.stack if before.round == ROUNDS else 0}
    everybody = " ".join(map(str, before.setup.seats))
    rest: Numbers = {"starter": before.starter, "marker": before.marker, "passed": everybody, "turn": 0, "tower": ""}
    return Resumption({**numbers, **rest}, weight, _usual_moves(before, ROUNDS - counted_in(before)))


def told_by_all(before: State, table: Table, rounds: int) -> float:
    """How well it agrees with display and stack that so many rounds were counted: each has cards of its own."""
    lying = read(table)
    goes_on = _is_under_way(before) and (not rounds or counted_in(before) + rounds == ROUNDS == before.round)
    if lying.display is None and lying.top is None:
        is_cleared = bool(rounds) == _is_under_way(before) and counted_in(before) + rounds < ROUNDS
        return 1.0 if is_cleared else ALL_HIDDEN
    kept, gone = _stayed(before, lying)
    # A card that lies on somebody's board was taken, whether its round goes on or not.
    by_cards = BY_CHANCE**kept if not goes_on else ALL_TAKEN ** max(0, gone - len(_cards_come(before, lying)))
    left = min(abs(_surplus(before, lying, goes_on)), MOST_MISSING)
    drawn = MISREAD ** min(_undrawn(before, lying), MOST_UNDRAWN) if goes_on else 1.0
    return float(by_cards * drawn * PAID_WITH**left)


def _undrawn(before: State, lying: Position) -> int:
    """How many new tiles lie there beyond those that can have been drawn while one round goes on."""
    known = [tile for place, tiles in heaps(before).items() if place not in ("bag", "tower") for tile in tiles]
    now = [tile for tiles in (lying.top or (), *(card.tiles for card in lying.display or ())) for tile in tiles]
    for board in lying.boards:
        now += (*tiles_in(board.garden, board.slots), *(board.storage.tiles if board.storage else ()))
    moved = len(lying.display or ()) + len(_cards_come(before, lying)) - len(before.display)
    return max(0, len(take_out(tuple(now), known)[0]) - TOP_TILES * (moved + before.due))


def _surplus(before: State, lying: Position, goes_on: bool) -> int:
    """How many cards there are more, or less, than must have been in the stack."""
    out, came = len(lying.display or ()), len(_cards_come(before, lying))
    has, least = (before.stack + len(before.display), came) if goes_on else (STACK_CARDS[before.setup.players], 0)
    left, needed = has - out - least, int(bool(lying.top))
    if left < needed:
        return left - needed
    return max(0, left - (came - least)) if lying.top == () else 0


def _stayed(before: State, lying: Position) -> tuple[int, int]:
    """How much of the display stayed, in tiles, and how many of its cards must have been taken."""
    faces = {card.hex for card in lying.display or () if card.hex in BIT}
    known = {card.hex for card in before.display if card.hex in BIT}
    lie = [tiles for tiles in (lying.top or (), *(card.tiles for card in lying.display or ())) if tiles]
    kept, gone = SURELY_SAME * len(faces & known), len(known - faces)
    for tiles in sorted((before.top, *(card.tiles for card in before.display)), key=len, reverse=True):
        parts = [heap for heap in lie if not take_out(tiles, heap)[1]]
        if parts:
            best = max(parts, key=len)
            lie.remove(best)
            kept += len(best)
        elif tiles:
            gone += 1
    return kept, max(0, gone - len(faces - known))


def counted_in(state: State) -> int:
    """How many rounds were counted in a state."""
    return state.round - _is_under_way(state)


def _is_under_way(state: State) -> bool:
    """Whether a round was begun and is not counted."""
    return state.phase in (ACT, COUNT) or (state.phase == FILL and bool(state.turn))


def _usual_moves(before: State, rounds: int) -> int:
    return max(1, rounds) * FEWEST_MOVES * before.setup.players


def _between_rounds(before: State, scored: int, rounds: int) -> Iterator[Resumption]:
    for starter, weight in _starters(before, rounds):
        numbers: Numbers = {"phase": FILL, "round": scored, "stack": "", "left": 0, "starter": starter, "marker": 0}
        yield Resumption(
            {"display": "", **numbers, "passed": "", "turn": 0, "tower": ""}, weight, _usual_moves(before, rounds)
        )


def _starters(before: State, rounds: int) -> list[tuple[int, float]]:
    """Who may have begun the round under way, or begins the next one."""
    if not rounds:
        return [(before.starter, 1.0)]
    if rounds == 1 and before.marker:
        return [(before.marker, 1.0)]
    return [(seat, 1 / before.setup.players) for seat in before.setup.seats]


def _within_a_round(before: State, lying: Position, scored: int, rounds: int) -> Iterator[Resumption]:
    goes_on = not rounds and _is_under_way(before)
    turns = list(_turns_on(before, lying)) if goes_on else []
    for starter, usual in _starters(before, rounds):
        for left, top, chance in _stacks(before, lying, goes_on):
            for turn in turns or _any_turns(before, lying, starter, rounds):
                numbers: Numbers = {
                    "phase": _phase(lying, left, top, turn),
                    "round": scored + 1,
                    "stack": " ".join(top),
                    "left": left,
                    "starter": starter,
                    "marker": turn.marker,
                    "passed": " ".join(map(str, turn.passed)),
                    "turn": turn.seat,
                    "tower": "",
                }
                yield Resumption(numbers, usual * chance * turn.weight, turn.moves)


def _phase(lying: Position, left: int, top: Heap, turn: Turn) -> str:
    if not turn.seat:
        return COUNT
    unturned = any(card.hex in ("", UNSEEN) and not card.tiles for card in lying.display or ())
    return FILL if (left and not top) or unturned else ACT


def _stacks(before: State, lying: Position, goes_on: bool) -> Iterator[tuple[int, Heap, float]]:
    """How many cards the stack may have, with the tiles on top of it, and how likely that is."""
    for left, weight in _cards_left(before, lying, goes_on):
        if lying.top is None:
            # It is out of view, or tiles are just being drawn onto a new top card.
            yield left, before.top if goes_on and left == before.stack else (), weight
        else:
            yield left, lying.top, weight * (SEEN_BARE if left and not lying.top else 1.0)


def _cards_left(before: State, lying: Position, goes_on: bool) -> list[tuple[int, float]]:
    """How many cards the stack may have."""
    out = len(lying.display or ())
    came = _cards_come(before, lying)
    if goes_on:
        left = before.stack + len(before.display) - out - len(came)
        found = [(left, 1.0), (left - 1, PAID_WITH)]
    else:
        earlier = {card.hex for card in before.display}
        new = sum(hex_ not in earlier for hex_ in came)
        left = STACK_CARDS[before.setup.players] - out
        found = [(left - taken, NOT_YET_TAKEN**taken) for taken in range(new + 1)]
    least = int(bool(lying.top))
    if lying.top == ():
        found.append((0, PAID_WITH))
    return [(left, weight) for left, weight in found if left >= least] or [(least, 1.0)]


def _cards_come(before: State, lying: Position) -> Heap:
    """The hexes of the cards that came to boards."""
    had = [hex_ for board in before.boards for hex_ in _cards_of(board.cards, board.garden, board.slots)]
    has = [
        hex_
        for board in lying.boards
        for hex_ in _cards_of(board.storage.cards if board.storage else (), board.garden, board.slots)
    ]
    return take_out(tuple(has), had)[0]


def _cards_of(stored: Heap, garden: Garden, slots: tuple[int, ...]) -> Heap:
    return (*stored, *printed_in(garden, slots))


def _any_turns(before: State, lying: Position, starter: int, rounds: int) -> Iterator[Turn]:
    """Whose turn it may be in a round of which nothing was seen; it is the starter's as long as nothing was taken."""
    untouched = not lying.display
    moves = _usual_moves(before, rounds) if rounds else 1
    for seat in before.setup.seats:
        yield Turn(seat, (), 0, moves, 1.0 if seat == starter or not untouched else UNLIKELY)


def _turns_on(before: State, lying: Position) -> Iterator[Turn]:
    """Whose turn it may be in the round that was under way before."""
    acted = [_acted(board, seen, before) for board, seen in zip(before.boards, lying.boards, strict=True)]
    found: dict[tuple[int, tuple[int, ...], int], Turn] = {}
    for turn in _counted_turns(before, acted):
        known = found.get(turn[:3])
        if known is None or known.weight < turn.weight:
            found[turn[:3]] = turn
    if not found:
        # Something was misread, or somebody acted out of turn.
        yield from (Turn(seat, before.passed, before.marker, 1, 1.0) for seat in before.setup.seats)
    yield from found.values()
    for seat in before.passed:
        # Passing leaves no mark, so who seems to have passed may not have.
        others = tuple(each for each in before.passed if each != seat)
        usual = MISCOUNTED if found else 1.0
        yield Turn(seat, others, before.marker if before.marker != seat else 0, 1, usual)


def _counted_turns(before: State, acted: Sequence[Acted]) -> Iterator[Turn]:
    seats = before.setup.seats
    going = [seat for seat in seats if seat not in before.passed]
    order = sorted(seats, key=lambda seat: (seat - (before.turn or before.starter)) % len(seats))
    longest = max(each.most for each in acted) + 2
    for stopped in (each for count in range(len(going) + 1) for each in combinations(going, count)):
        passed = tuple(sorted((*before.passed, *stopped)))
        if len(passed) == len(seats):
            if before.setup.options.explicit_scoring:
                yield from _first_to_pass(before, Turn(0, passed, before.marker, len(passed), PASSED), stopped, acted)
            continue
        for cycles in range(longest + 1):
            for at, seat in enumerate(order):
                if seat in passed:
                    continue
                turns = {each: cycles + (i < at) for i, each in enumerate(order)}
                weight, moves = _fit(turns, acted, before.passed, stopped)
                if weight:
                    turn = Turn(seat, passed, before.marker, moves, weight)
                    yield from _first_to_pass(before, turn, stopped, acted)


def _fit(
    turns: dict[int, int], acted: Sequence[Acted], earlier: Sequence[int], stopped: Sequence[int]
) -> tuple[float, int]:
    """How well it fits what is seen that each seat had so many turns, and how many moves that are."""
    weight, moves = 1.0, 0
    for seat, (least, most, lost) in enumerate(acted, 1):
        own = turns[seat]
        if seat in earlier:
            weight *= 0.0 if least else 1.0
        elif seat in stopped:
            weight *= PASSED if own > least else 0.0
            moves += least + 1
        else:
            weight *= UNLIKELY ** (own - least) if least <= own <= most else 0.0
            weight *= MISCOUNTED if lost else 1.0
            moves += own
    return weight, moves


def _first_to_pass(before: State, turn: Turn, stopped: Sequence[int], acted: Sequence[Acted]) -> Iterator[Turn]:
    """The turn with each seat that may have passed first, where nobody had before."""
    if before.marker or not stopped:
        yield turn
        return
    for seat in stopped:
        usual = UNCHARGED if acted[seat - 1].lost == 0 else 1.0
        yield turn._replace(marker=seat, weight=turn.weight * usual / len(stopped))


def _acted(before: Board, seen: SeenBoard, state: State) -> Acted:
    """How often a seat acted in a round that was under way all the time."""
    storage = seen.storage or SeenStorage(before.tiles, before.jokers, before.cards)
    new = [cell for cell in HEX_CELLS if seen.garden[cell] in BIT and before.garden[cell] not in BIT]
    placed = [seen.garden[cell] for cell in new]
    bought = seen.slots.count(FACE_DOWN) - before.slots.count(FACE_DOWN)
    had = (*before.tiles, *before.cards)
    has = (*storage.tiles, *storage.cards)
    taken = [hex_ for hex_ in take_out((*has, *placed), had)[0] if hex_ in BIT]
    rewards = _rewards(seen.garden, new, state)
    paid = sum(VALUE[hex_] for hex_ in placed)
    count = len(has) + storage.jokers - len(had) - before.jokers + paid - rewards
    least = _fewest_acquires(taken) or int(count > 0)
    lost = None if seen.score is None else (before.score - CARD_PRICE * bought - seen.score) % LAP
    own = len(placed) + max(0, bought)
    return Acted(own + least, own + max(least, count), lost)


def _rewards(garden: Garden, new: Iterable[int], state: State) -> int:
    """The jokers for what new hexes surround, if there was room for them."""
    found = {element for cell in new for element in surrounded(garden, cell)}
    return sum(state.setup.options.reward(element.kind) for element in found)


def _fewest_acquires(taken: Iterable[str]) -> int:
    """How often somebody must have acquired to have these: different hexes of one colour or pattern each time."""
    left, times = list(taken), 0
    while left:
        kinds = list(dict.fromkeys(left))
        fitting = [[hex_ for hex_ in kinds if BIT[hex_] & bits] for bits in ATTRIBUTE_BITS.values()]
        most = max(fitting, key=len)
        left = list(take_out(tuple(left), most)[0])
        times += 1
    return times
