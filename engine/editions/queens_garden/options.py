"""What rulebooks of Queen's Garden leave open or players enter: the options of a record's start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.editions.queens_garden.garden import FOUNTAIN, PAVILION, TIP
from engine.editions.queens_garden.wheel import Wheel, format_wheel, parse_wheel, wheel_problems
from engine.options import Reader, one_of, read_options, whole
from engine.state import Setup
from engine.text import Text

SIDE_A, SIDE_B = "a", "b"
ALLOW, FORBID = "allow", "forbid"

LEAST_GROUP = 3
LARGEST_GROUP = 6
MOST_GROUP_BONUS = 100

Rewards = tuple[tuple[str, int], ...]
GroupBonus = tuple[tuple[int, int], ...]

REWARDS: Rewards = ((FOUNTAIN, 1), (TIP, 2), (PAVILION, 3))
GROUP_BONUS_A: GroupBonus = ((6, 6),)


@dataclass(frozen=True, slots=True)
class Options:
    """What is open, or a house may change; None where nobody has told us yet."""

    wheel: Wheel | None = None
    group_bonus: GroupBonus | None = GROUP_BONUS_A
    """Points beyond the values of a group by its size; None on side b until somebody reads them off the board."""
    duplicate_payers: str = ALLOW
    rewards: Rewards = REWARDS
    """Jokers for a surrounded fountain, tip of the fountain board (statue or bench) and pavilion."""
    score_min: int = 0
    explicit_scoring: bool = False
    """A record says every round's scoring as an event."""

    def reward(self, kind: str) -> int:
        """The jokers for one surrounded decoration."""
        return dict(self.rewards)[kind]


def usual(side: str) -> Options:
    """What is played where nothing else is agreed."""
    return Options(group_bonus=GROUP_BONUS_A if side == SIDE_A else None)


def option_warnings(options: Mapping[str, object]) -> list[Text]:
    """What is odd about options that can be used all the same: a wheel that does not show each category once."""
    wheel = options.get("wheel")
    return [] if wheel is None else wheel_problems(wheel)[1]


def parse_options(options: Mapping[str, object], side: str) -> Options:
    """The options of a record's start, spelled as the rules file does."""
    values: dict[str, Any] = {"group_bonus": usual(side).group_bonus}
    values |= read_options(options, _OPTIONS)
    return Options(**values)


def format_options(setup: Setup[Options]) -> dict[str, object]:
    """The options that differ from what everybody plays, as `parse_options` reads them."""
    return written_options(setup.options, setup.side)


def written_options(options: Options, side: str) -> dict[str, object]:
    """The options that differ from the usual ones of a side."""
    plain = usual(side)
    written: dict[str, object] = {}
    if options.wheel:
        written["wheel"] = format_wheel(options.wheel)
    if options.group_bonus != plain.group_bonus:
        bonus = options.group_bonus
        written["groupBonus"] = None if bonus is None else {str(size): points for size, points in bonus}
    if options.rewards != plain.rewards:
        written["jokerRewards"] = dict(options.rewards)
    for name, field in _PLAIN_OPTIONS.items():
        if getattr(options, field) != getattr(plain, field):
            written[name] = getattr(options, field)
    return written


_PLAIN_OPTIONS = {
    "duplicatePayers": "duplicate_payers",
    "scoreMin": "score_min",
    "explicitScoring": "explicit_scoring",
}


def _group_bonus(value: Any) -> GroupBonus | None:
    if value is None:
        return None
    sizes = [str(size) for size in range(LEAST_GROUP, LARGEST_GROUP + 1)]
    if set(value) - set(sizes):
        raise ValueError(value)
    return tuple((int(size), whole(value[size], 0, MOST_GROUP_BONUS)) for size in sizes if size in value)


def _rewards(value: Any) -> Rewards:
    kinds = dict(REWARDS)
    if set(value) - set(kinds):
        raise ValueError(value)
    return tuple((kind, whole(value.get(kind, jokers), 0, 12)) for kind, jokers in kinds.items())


_OPTIONS: dict[str, Reader] = {
    "wheel": lambda value: {"wheel": parse_wheel(value)},
    "groupBonus": lambda value: {"group_bonus": _group_bonus(value)},
    "duplicatePayers": lambda value: {"duplicate_payers": one_of(value, ALLOW, FORBID)},
    "jokerRewards": lambda value: {"rewards": _rewards(value)},
    "scoreMin": lambda value: {"score_min": whole(value, -1000, 0)},
    "explicitScoring": lambda value: {"explicit_scoring": one_of(value, True, False)},
}
