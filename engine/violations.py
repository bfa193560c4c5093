"""Rules, and what breaks them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.text import Text, say


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in our own words, and where it comes from."""

    id: str
    text: Text
    source: str


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: by whom (0: nobody in particular), where, and what was seen."""

    rule: str
    text: Text
    seat: int = 0
    cell: str = ""


RECORD = "RECORD"
"""The id of what breaks no rule of the game but cannot have happened."""

RECORD_RULE = Rule(
    RECORD,
    say(
        "The events must be possible one after the other: each in its phase, none after the end, and only tiles that "
        "can be drawn."
    ),
    "Azul Companion, the format of records",
)


def rulebook(*groups: Iterable[Rule]) -> Mapping[str, Rule]:
    """The rules of an edition by id."""
    return MappingProxyType({rule.id: rule for group in (*groups, (RECORD_RULE,)) for rule in group})
