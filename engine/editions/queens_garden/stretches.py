"""Between two looks at a garden of Queen's Garden: what rounds counted, and what cards and passing cost.

Gardens only grow, so a round that was counted in between counted what lay there at the first look and some of what lay
there at the second. Cards that were bought lie face down. What was discarded, and who passed first, is never seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.editions.queens_garden.garden import CELLS, FACE_DOWN, HEX_CELLS, NO_CARD, Garden
from engine.editions.queens_garden.hexes import BIT, COLOUR, PATTERN, VALUE
from engine.editions.queens_garden.lying import read_board
from engine.editions.queens_garden.options import Options, parse_options
from engine.editions.queens_garden.position import SeenBoard
from engine.editions.queens_garden.resume import counted_in, told_by_all
from engine.editions.queens_garden.scoring import categories, final_lines, round_points
from engine.editions.queens_garden.state import (
    CARD_PRICE,
    COUNT,
    FIRST_PASS_COST,
    START_SCORE,
    STORAGE_CARDS,
    STORAGE_CELLS,
    pavilions,
)
from engine.editions.queens_garden.wheel import CATEGORIES_OF_A_ROUND, ROUNDS
from engine.score import Gain, total
from engine.state import OVER, Setup
from engine.stretch import Ending, Gains, Reasons, Stretch, Stretches, View, changed_cells, forgiving
from engine.table import UNSEEN, Part, Table
from engine.text import joined, say, say_n

DEAREST = (STORAGE_CELLS + STORAGE_CARDS) * max(VALUE.values())
"""No more than a full storage can be discarded on passing."""
NOTHING_DISCARDED, BY_VALUE = 0.9, 0.9
"""How often nothing is discarded on passing, and how much rarer each further point is."""
UNHEARD_OF = 1e-8
"""Costs of passing that are so rare are left out."""
NOT_COUNTED = 0.02
"""How often a photo of a round that was counted shows what was planted since."""
MOST_OF_A_HEX = 6
"""Where nobody has entered the wheel: what a hex may bring in a category, as much as the highest value."""
MOST_OF_A_CELL = 4 * MOST_OF_A_HEX + 2 * 6
"""What an unseen hex may bring at most: by its colour and its pattern, in rounds and in groups with their bonus."""
AMIDST, AFTER_COUNT = 0.4, 0.9
"""How often the round that is told was counted: where nothing tells, and where the display is bare or all passed."""
ROUND = "round"
DISPLAY = "display"

Sums = Mapping[int, float]
"""Numbers of points, each with how usual it is."""


def gains(before: View, after: View, stretch: Stretch, setup: Setup[Options]) -> Gains:
    """Every way in which the score can have changed."""
    if before.scored is None or after.scored is None or after.scored - before.scored != stretch.rounds:
        return {}
    return _gains(before, after, stretch, setup)


@lru_cache(maxsize=1 << 12)
def _gains(before: View, after: View, stretch: Stretch, setup: Setup[Options]) -> Gains:
    if conflicts(before.part, after.part):
        return {}
    counted = _counted(before, after, setup.options)
    costs = _costs(_most_passes(before, after), setup.players)
    paid, least = _bought(before, after) * CARD_PRICE, setup.options.score_min
    if not stretch.rich and (stretch.rounds > 1 or (stretch.rounds and not _is_counted(after))):
        totals = _added(counted, {-paid - cost: weight for cost, weight in costs.items()})
        return forgiving(totals, max(counted), least)
    found: dict[Gain, float] = {}
    for brought, usual in counted.items():
        for cost, weight in costs.items():
            # Passing comes before the count of its round.
            gain = Gain(brought - paid - cost, least if stretch.rich else least + brought)
            found[gain] = found.get(gain, 0.0) + usual * weight
    return found


def _counted(before: View, after: View, options: Options) -> dict[int, float]:
    """What the rounds in between can have counted."""
    first, last = before.scored or 0, after.scored or 0
    sums = {0: 1.0}
    for number in range(first + 1, last + 1):
        known = number == last and _is_counted(after)
        sums = _added(sums, _one_round(_seen(before), _seen(after), number, known, options))
    return sums


@lru_cache(maxsize=1 << 12)
def _one_round(before: SeenBoard, after: SeenBoard, number: int, known: bool, options: Options) -> dict[int, float]:
    """What one round can have counted: all that lies there at the second look, or only some of what came since."""
    whole = round_points(after.garden, after.slots, number, options)
    sums = {whole: 1.0}
    if not known:
        part = {round_points(before.garden, before.slots, number, options): 1.0}
        for more in _new_points(before, after, number, options):
            part = _added(part, {0: 1.0, more: 1.0})
        sums = dict.fromkeys(part, NOT_COUNTED) | sums
    if options.wheel is None:
        return dict.fromkeys(range(min(sums), max(sums) + _most_of_wheel(after.garden) + 1), 1.0)
    return sums


def _most_of_wheel(garden: Garden) -> int:
    """What a wheel that nobody has entered can bring in a round: its categories are those of which there are most."""
    hexes = [content for content in garden if content in BIT]
    counts = Counter(COLOUR[hex_] for hex_ in hexes) + Counter(PATTERN[hex_] for hex_ in hexes)
    return MOST_OF_A_HEX * sum(count for _, count in counts.most_common(CATEGORIES_OF_A_ROUND))


def _new_points(before: SeenBoard, after: SeenBoard, number: int, options: Options) -> Iterable[int]:
    """What each hex and each pavilion that is new brings in a round."""
    for cell in _new_hexes(before.garden, after.garden):
        hex_ = after.garden[cell]
        yield sum(each.points_of(hex_) for each in categories(options.wheel, number) if each.counts(hex_))
    yield from (1 for slot in pavilions(after.slots) if slot not in pavilions(before.slots))


def _new_hexes(before: Garden, after: Garden) -> list[int]:
    return [cell for cell in HEX_CELLS if after[cell] in BIT and before[cell] not in BIT]


@lru_cache(maxsize=64)
def _costs(passes: int, players: int) -> dict[int, float]:
    """What passing so many times at most can have cost."""
    discards = {0: NOTHING_DISCARDED} | {v: (1 - NOTHING_DISCARDED) * BY_VALUE**v for v in range(1, DEAREST + 1)}
    one = _added(discards, {0: 1 - 1 / players, FIRST_PASS_COST: 1 / players})
    costs = {0: 1.0}
    for _ in range(passes):
        costs = {cost: weight for cost, weight in _added(costs, one).items() if weight >= UNHEARD_OF}
    return costs


def _added(sums: Sums, more: Sums) -> dict[int, float]:
    added: dict[int, float] = {}
    for points, weight in sums.items():
        for extra, usual in more.items():
            added[points + extra] = added.get(points + extra, 0.0) + weight * usual
    return added


def _most_passes(before: View, after: View) -> int:
    """One for each round in between; whoever passed in a round that goes on has paid for it too."""
    rounds = (after.scored or 0) - (before.scored or 0)
    return rounds + (not _is_counted(after))


def _bought(before: View, after: View) -> int:
    return _seen(after).slots.count(FACE_DOWN) - _seen(before).slots.count(FACE_DOWN)


def _is_counted(view: View) -> bool:
    """Whether the round that is told was counted, so that nothing was planted since."""
    return view.common.tracks.get(ROUND) == view.scored


def _seen(view: View) -> SeenBoard:
    return read_board(view.part)


def conflicts(before: Part, after: Part) -> tuple[str, ...]:
    """What lies in a garden stays there."""
    return changed_cells(before, after, ("F", "X"))


def views(view: View, setup: Setup[Options]) -> list[tuple[View, float]]:  # noqa: ARG001 - the protocol's signature
    """How many rounds were counted, by the round that is told and by a display that was cleared."""
    return [(View(view.part, view.common, view.left, n), weight) for n, weight in _rounds_counted(view).items()]


def _rounds_counted(view: View) -> dict[int, float]:
    number = view.common.tracks.get(ROUND)
    if number is None:
        return dict.fromkeys(range(ROUNDS + 1), 1 / (ROUNDS + 1))
    if not number:
        return {0: 1.0}
    counted = AFTER_COUNT if _is_cleared(view) or view.left == 0 else AMIDST
    return (
        {number: counted, number - 1: 1 - counted} if counted > AMIDST else {number - 1: 1 - counted, number: counted}
    )


def _is_cleared(view: View) -> bool:
    """Whether the display is in view with no card in it."""
    return DISPLAY in view.common.heaps and not any(name.startswith(f"{DISPLAY}.") for name in view.common.heaps)


def fewest_rounds(before: View, after: View) -> int:
    """By the rounds that are told."""
    then, now = before.common.tracks.get(ROUND), after.common.tracks.get(ROUND)
    return 0 if then is None or now is None else max(0, now - 1 - then)


def most_rounds(before: View, after: View) -> int:
    """By the rounds that are told, else all of a game."""
    then, now = before.common.tracks.get(ROUND), after.common.tracks.get(ROUND)
    return (ROUNDS if now is None else now) - max(0, (then or 1) - 1)


def is_due(view: View) -> bool:
    """Whether the round that is told was not counted yet."""
    number = view.common.tracks.get(ROUND)
    return number is not None and view.scored is not None and view.scored < number


def most(view: View, setup: Setup[Options]) -> int:
    """Everything counted in every round."""
    seen = _seen(view)
    counted = sum(max(_one_round(seen, seen, number, True, setup.options)) for number in range(1, ROUNDS + 1))
    return START_SCORE + counted


def most_score(table: Table, seat: int) -> int:
    """Every hex counted by its colour and its pattern, each category once a game as it is said of the wheel, and the
    end; an unseen cell may hold what brings most."""
    seen, options = read_board(table.part(seat)), parse_options(table.options, table.side)
    hexes = sum(content in BIT for content in seen.garden)
    bare = {f"X{slot}" for slot, at in enumerate(seen.slots) if at == NO_CARD}
    unseen = sum(seen.garden[cell] == UNSEEN and CELLS[cell].partition(".")[0] not in bare for cell in HEX_CELLS)
    jokers = STORAGE_CELLS if seen.storage is None else seen.storage.jokers
    groups = total(final_lines(seat, seen.garden, ((), 0, ()), 0, options))
    built = ROUNDS * sum(at not in (NO_CARD, FACE_DOWN) for at in seen.slots)
    return START_SCORE + 2 * MOST_OF_A_HEX * hexes + MOST_OF_A_CELL * unseen + built + groups + jokers


def endings(view: View, setup: Setup[Options]) -> frozenset[Ending]:
    """The last round counted where it was not, and the final scoring."""
    seen, options, number = _seen(view), setup.options, view.common.tracks.get(ROUND)
    last = view.scored == ROUNDS - 1 and number in (None, ROUNDS)
    counted = _one_round(seen, seen, ROUNDS, True, options) if last else {0: 1.0}
    over = view.scored == ROUNDS or (last and number == ROUNDS)
    finals = _finals(seen, options)
    countable = view.scored == ROUNDS
    return frozenset(Ending(Gain(points), final, over, countable) for points in counted for final in finals)


def _finals(seen: SeenBoard, options: Options) -> list[Gain]:
    """What the final scoring brings; a storage that was not seen may hold anything."""
    groups = total(final_lines(seen.seat, seen.garden, ((), 0, ()), 0, options))
    if seen.storage is None:
        return [Gain(groups + points, options.score_min + groups) for points in range(-DEAREST, STORAGE_CELLS + 1)]
    items, jokers = (*seen.storage.tiles, *seen.storage.cards), seen.storage.jokers
    cost, unknown = sum(VALUE[item] for item in items if item in BIT), sum(item not in BIT for item in items)
    least = options.score_min
    # What cannot be told may be a joker or any hex.
    return [
        Gain().then(jokers + max(more, 0), cost - min(more, 0), least).then(groups, 0, least)
        for more in range(-unknown * max(VALUE.values()), unknown + 1)
    ]


def reasons(before: View, after: View, stretch: Stretch, setup: Setup[Options], number: int) -> Reasons:  # noqa: ARG001
    """What came to the garden and what rounds counted; what was discarded is never seen."""
    counted = [points for points, usual in _counted(before, after, setup.options).items() if usual]
    new, bought = len(_new_hexes(_seen(before).garden, _seen(after).garden)), _bought(before, after)
    came = [say_n("{count} new hex in the garden", "{count} new hexes in the garden", new)]
    if bought:
        paid = CARD_PRICE * bought
        came.append(
            say_n(
                "{count} bought expansion for {points} points",
                "{count} bought expansions for {points} points",
                bought,
                points=paid,
            )
        )
    if stretch.rounds:
        told = counted[0] if len(counted) == 1 else say("{low} to {high}", low=min(counted), high=max(counted))
        came.append(
            say_n("{count} round counted {points}", "{count} rounds counted {points}", stretch.rounds, points=told)
        )
    unseen = (
        (stretch.rounds and setup.options.wheel is None, say("the wheel is not entered")),
        (len(counted) > 1 and setup.options.wheel, say("what lay there when it was counted was not seen")),
        (
            _most_passes(before, after),
            say("what was discarded on passing, and who passed first, was not seen"),
        ),
    )
    return Reasons(joined(came), unseen=tuple(text for holds, text in unseen if holds))


def closing(views: Iterable[View], setup: Setup[Options]) -> str:  # noqa: ARG001 - the protocol's signature
    """The end, or the last count."""
    return COUNT if any(map(is_due, views)) else OVER


STRETCHES = Stretches(
    gains=gains,
    conflicts=conflicts,
    reasons=reasons,
    views=views,
    scored_in=counted_in,
    told_by_all=told_by_all,
    fewest_rounds=fewest_rounds,
    most_rounds=most_rounds,
    is_due=is_due,
    round_tiles=lambda _setup: None,
    taken=lambda _before, _after, _setup: None,
    dearest=lambda stretch, _setup: (stretch.rounds + 1) * (DEAREST + FIRST_PASS_COST),
    most=most,
    endings=endings,
    last_choice=say("what was left in the storage was not seen"),
    last_photo=say("with its storage"),
    closing=closing,
)
