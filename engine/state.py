"""What every edition's states have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

O_co = TypeVar("O_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Setup(Generic[O_co]):
    """What is agreed before the first tile: it never changes during a game."""

    edition: str
    side: str
    players: int
    first: int
    options: O_co

    @property
    def seats(self) -> range:
        """All seats, clockwise."""
        return range(1, self.players + 1)


class State(Protocol):
    """Everything about a game at one moment, hidden tiles included."""

    @property
    def setup(self) -> Setup[object]: ...

    @property
    def phase(self) -> str: ...

    @property
    def seat(self) -> int:
        """Whose turn it is; 0 where nobody or everybody is at work."""
        ...

    @property
    def round(self) -> int: ...

    @property
    def scores(self) -> Sequence[int]:
        """The score of each seat, without the bonuses of the end."""
        ...


FILL = "fill"
"""The phase in which chance is awaited."""


def in_fill(state: State) -> bool:
    """Whether chance is awaited, in editions where only a phase of its own awaits it."""
    return state.phase == FILL


OVER = "over"
"""The phase after which nothing comes."""
