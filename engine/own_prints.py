"""What only the players' own boards print: no rulebook tells it, so it is entered once, field by field.

An edition lists sheets: drawings with fields, each of which prints a kind, points, or both. A page asks for the fields
and knows no game; the sheet makes an option of the game of what was entered. What is not entered is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import EditionError
from engine.text import Text

OWN_VALUE = "value"
"""Entered as points: each piece brings its own value."""

Outline = tuple[tuple[float, float], ...]
"""The corners of a field on a drawing that is 100 wide and as high as the sheet says."""


@dataclass(frozen=True, slots=True)
class PrintedKind:
    """Something that a field may print: how it is written and drawn, and what it is called."""

    value: str
    text: Text
    is_motif: bool = False
    """Whether it is a picture on pieces of whatever colour."""


@dataclass(frozen=True, slots=True)
class SheetLabel:
    """A word that is drawn beside fields."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PrintedField:
    """A field of a sheet: its name, what is drawn in it while it is empty, what it is called, its outline."""

    name: str
    mark: str
    text: Text
    outline: Outline

    @property
    def middle(self) -> tuple[float, float]:
        """The mean of its corners."""
        xs, ys = zip(*self.outline, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


@dataclass(frozen=True, slots=True)
class Entered:
    """What a field prints: a kind, points, or both, as they are written; empty where a sheet does not ask for them."""

    kind: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Fields that are read off a board together."""

    option: str
    """The option of a game that it tells."""
    title: Text
    hint: Text
    """How to read it off the board."""
    without: Text
    """What is played where it is not entered."""
    is_needed: bool
    """Whether something is missing without it; else only boards that lie otherwise than usual need it."""
    height: float
    fields: tuple[PrintedField, ...]
    labels: tuple[SheetLabel, ...] = ()
    kinds: tuple[PrintedKind, ...] = ()
    is_once: bool = False
    """Whether each kind is printed on one field only."""
    least_points: int = 0
    most_points: int | None = None
    """None where no points are asked for."""
    own_value: Text | None = None
    """What is said of a field on which each piece brings its own value; None where that is not possible."""
    option_of: Callable[[Mapping[str, Entered], str], Any]
    """The option's value, from what every field prints and the name that players give to it."""

    def check(self, entered: Entered) -> Entered:
        """What a field prints; raises where it cannot."""
        kinds = [kind.value for kind in self.kinds] or [""]
        if entered.kind not in kinds or not self._is_points(entered.points):
            raise EditionError(f"a field of {self.option} cannot print {entered.kind!r} with {entered.points!r} points")
        return entered

    def _is_points(self, points: str) -> bool:
        if self.most_points is None:
            return points == ""
        if points == OWN_VALUE:
            return self.own_value is not None
        return points in map(str, range(self.least_points, self.most_points + 1))
