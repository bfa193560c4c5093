"""What only the scoring board of the players prints: the wheel, and on side b the bonuses for groups."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

from engine.editions.queens_garden.hexes import COLOUR_NAMES, PATTERN_NAMES
from engine.editions.queens_garden.options import LARGEST_GROUP, LEAST_GROUP, MOST_GROUP_BONUS, SIDE_B
from engine.editions.queens_garden.wheel import BY_VALUE, CATEGORIES_OF_A_ROUND, KINDS, MOST_POINTS, ROUNDS
from engine.own_prints import OWN_VALUE, Entered, Outline, PrintedField, PrintedKind, Sheet, SheetLabel
from engine.text import say

INNER, OUTER = 20.0, 49.0
LABELS = 13.0
STEPS = 6
"""So many straight pieces an arc is drawn with."""
EMPTY_MARK = "?"


def own_prints(side: str) -> tuple[Sheet, ...]:
    """The sheets of a side of the scoring board."""
    return (WHEEL, GROUPS) if side == SIDE_B else (WHEEL,)


def _sector(index: int, of: int) -> Outline:
    """A part of the wheel, clockwise; the first round's are above the middle."""
    first = 2 * pi * index / of - pi / 2 - pi / ROUNDS
    angles = [first + 2 * pi / of * step / STEPS for step in range(STEPS + 1)]
    arcs = [*((OUTER, angle) for angle in angles), *((INNER, angle) for angle in reversed(angles))]
    return tuple((round(50 + radius * cos(angle), 2), round(50 + radius * sin(angle), 2)) for radius, angle in arcs)


def _category(entered: Entered) -> dict[str, object]:
    kind = next(kind for kind, ids in KINDS.items() if entered.kind in ids)
    points = BY_VALUE if entered.points == OWN_VALUE else int(entered.points)
    return {"kind": kind, "id": entered.kind, "points": points}


def _wheel(told: Mapping[str, Entered], name: str) -> dict[str, Any]:
    numbers = range(1, CATEGORIES_OF_A_ROUND + 1)
    rounds = [[_category(told[f"{round_}.{n}"]) for n in numbers] for round_ in range(1, ROUNDS + 1)]
    return {"name": name, "rounds": rounds}


def _groups(told: Mapping[str, Entered], _name: str) -> dict[str, int]:
    return {size: int(entered.points) for size, entered in told.items()}


WHEEL = Sheet(
    option="wheel",
    title=say("The wheel"),
    hint=say(
        "Turn the wheel to where it starts and enter the three colours or patterns that round 1 counts, with the "
        "points for each hex; then turn it on by a quarter for each further round."
    ),
    without=say("Rounds count pavilions only, and say so."),
    is_needed=True,
    height=100,
    fields=tuple(
        PrintedField(
            f"{round_ + 1}.{number + 1}",
            EMPTY_MARK,
            say("round {round}, field {number}", round=round_ + 1, number=number + 1),
            _sector(round_ * CATEGORIES_OF_A_ROUND + number, ROUNDS * CATEGORIES_OF_A_ROUND),
        )
        for round_ in range(ROUNDS)
        for number in range(CATEGORIES_OF_A_ROUND)
    ),
    labels=tuple(
        SheetLabel(str(round_ + 1), 50 + LABELS * cos(angle), 50 + LABELS * sin(angle))
        for round_, angle in enumerate(2 * pi * at / ROUNDS - pi / 2 for at in range(ROUNDS))
    ),
    kinds=(
        *(PrintedKind(value, text) for value, text in COLOUR_NAMES.items()),
        *(PrintedKind(value, text, is_motif=True) for value, text in PATTERN_NAMES.items()),
    ),
    least_points=1,
    most_points=MOST_POINTS,
    own_value=say("the value of each hex"),
    option_of=_wheel,
)
"""Each category is said to come once, but a wheel on which one comes twice can be used: `wheel_problems` warns."""

_SIZES = range(LEAST_GROUP, LARGEST_GROUP + 1)
GROUPS = Sheet(
    option="groupBonus",
    title=say("Bonuses for groups"),
    hint=say("Enter the points that side b prints for a group of each size, beyond the values of its hexes."),
    without=say("Groups bring their values without a bonus, and say so."),
    is_needed=True,
    height=26,
    fields=tuple(
        PrintedField(
            str(size),
            EMPTY_MARK,
            say("group of {size}", size=size),
            tuple((1 + 25 * at + x, y) for x, y in ((0, 7), (23, 7), (23, 25), (0, 25))),
        )
        for at, size in enumerate(_SIZES)
    ),
    labels=tuple(SheetLabel(str(size), 12.5 + 25 * at, 4.5) for at, size in enumerate(_SIZES)),
    most_points=MOST_GROUP_BONUS,
    option_of=_groups,
)
