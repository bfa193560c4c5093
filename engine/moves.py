"""What every edition's moves have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

from engine.text import Words


class Move(Protocol):
    """Something that a player does (or, with seat 0, that chance or the table does)."""

    @property
    def seat(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Slip:
    """One way in which hands did something else than the move says; each edition lists its kinds."""

    kind: str
    tiles: str = ""
    at: int = 0
    to: int = 0


def plain(move: Any) -> Any:
    """A move as the rules name it, without what hands did otherwise."""
    if not getattr(move, "slips", ()):
        return move
    return move._replace(slips=()) if hasattr(move, "_replace") else replace(move, slips=())


@dataclass(frozen=True, slots=True)
class Fill:
    """Chance: what was drawn onto the factories at the start of a round."""

    factories: tuple[str, ...]
    supply: str = ""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Correct:
    """A person's word on what really lies in some cells; `seat` 0 speaks of the table's middle."""

    seat: int
    cells: tuple[tuple[str, str | int], ...]
    why: Words = ""
