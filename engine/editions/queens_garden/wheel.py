"""The wheel of the scoring board: what it shows is not in any text we have, so players enter it once as a profile.

A profile is a JSON value, `{"name": "ours", "rounds": [[{"kind": "colour", "id": "LB", "points": 2}, …3], …4]}`; points
are a number per hex, or "value" where each hex brings its own value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.editions.queens_garden.hexes import (
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    PATTERN,
    PATTERN_NAMES,
    PATTERNS,
    VALUE,
)
from engine.text import Text, say

ROUNDS = 4
CATEGORIES_OF_A_ROUND = 3
BY_VALUE = "value"
KINDS = {"colour": COLOURS, "pattern": PATTERNS}
MOST_POINTS = 60
MAX_NAME = 40


@dataclass(frozen=True, slots=True)
class Category:
    """One of the three things that a round counts: hexes of a colour or a pattern, and the points of each."""

    attribute: str
    points: int | None
    """None where each hex brings its own value."""

    @property
    def name(self) -> Text:
        """What is counted."""
        return COLOUR_NAMES.get(self.attribute) or PATTERN_NAMES[self.attribute]

    def counts(self, hex_: str) -> bool:
        """Whether a hex is of this category."""
        return self.attribute in (COLOUR[hex_], PATTERN[hex_])

    def points_of(self, hex_: str) -> int:
        """What one hex of this category brings."""
        return VALUE[hex_] if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class Wheel:
    """What the wheel shows in each round, as players read it off their board."""

    rounds: tuple[tuple[Category, ...], ...]
    name: str = ""


def wheel_problems(profile: object) -> tuple[list[Text], list[Text]]:
    """What makes a profile unusable, and what is odd about it: each category is said to come once in a game."""
    rounds = profile.get("rounds") if isinstance(profile, Mapping) else profile
    problems: list[Text] = []
    name = profile.get("name", "") if isinstance(profile, Mapping) else ""
    if not isinstance(name, str) or len(name) > MAX_NAME:
        problems.append(say("a name is a text of at most {most} letters", most=MAX_NAME))
    if isinstance(profile, Mapping) and (unknown := sorted(map(str, set(profile) - {"name", "rounds"}))):
        problems.append(say("a wheel has a name and rounds, not {unknown}", unknown=tuple(unknown)))
    if not isinstance(rounds, list) or len(rounds) != ROUNDS:
        return [*problems, say("a wheel has {rounds} rounds", rounds=ROUNDS)], []
    for number, categories in enumerate(rounds, 1):
        problems += _round_problems(number, categories)
    return problems, [] if problems else _warnings(rounds)


def parse_wheel(profile: Any) -> Wheel | None:
    """The wheel of a profile; raises ValueError where it is unusable, None where none is told."""
    if profile is None:
        return None
    problems, _ = wheel_problems(profile)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    rounds = profile["rounds"] if isinstance(profile, Mapping) else profile
    name = profile.get("name", "") if isinstance(profile, Mapping) else ""
    return Wheel(tuple(tuple(map(_category, categories)) for categories in rounds), name)


def format_wheel(wheel: Wheel) -> dict[str, object]:
    """A wheel as `parse_wheel` reads it."""
    rounds = [[_format_category(category) for category in categories] for categories in wheel.rounds]
    return {"name": wheel.name, "rounds": rounds} if wheel.name else {"rounds": rounds}


def _round_problems(number: int, categories: object) -> list[Text]:
    if not isinstance(categories, list) or len(categories) != CATEGORIES_OF_A_ROUND:
        return [say("round {round} counts {count} categories", round=number, count=CATEGORIES_OF_A_ROUND)]
    return [
        say(
            "round {round}: a category is a colour or a pattern with its points, not {told}",
            round=number,
            told=str(told),
        )
        for told in categories
        if not _is_category(told)
    ]


def _is_category(told: object) -> bool:
    if not isinstance(told, Mapping) or set(told) != {"kind", "id", "points"}:
        return False
    kind, points = told["kind"], told["points"]
    if not isinstance(kind, str) or kind not in KINDS or _id(told["id"]) not in KINDS[kind]:
        return False
    return points == BY_VALUE or (type(points) is int and 0 < points <= MOST_POINTS)


def _id(value: object) -> str:
    # Patterns are numbers as well as names: both spellings are understood.
    return str(value) if type(value) is int or isinstance(value, str) else ""


def _warnings(rounds: list[list[dict[str, object]]]) -> list[Text]:
    seen = Counter(_id(told["id"]) for categories in rounds for told in categories)
    names = {**COLOUR_NAMES, **PATTERN_NAMES}
    warnings = [say("{category} comes {count} times", category=names[of], count=n) for of, n in seen.items() if n > 1]
    if missing := tuple(name for of, name in names.items() if of not in seen):
        warnings.append(say("not on the wheel: {categories}", categories=missing))
    return warnings


def _category(told: Mapping[str, Any]) -> Category:
    return Category(_id(told["id"]), None if told["points"] == BY_VALUE else told["points"])


def _format_category(category: Category) -> dict[str, object]:
    kind = "colour" if category.attribute in COLOURS else "pattern"
    points = BY_VALUE if category.points is None else category.points
    return {"kind": kind, "id": category.attribute, "points": points}
