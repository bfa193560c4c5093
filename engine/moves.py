"""What every edition's moves have in common."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, product, starmap
from math import prod
from typing import Any, Protocol, TypeVar

from engine.text import Words

M = TypeVar("M")


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


class Combined(Sequence[M]):
    """Moves made of every combination of their parts, each only when it is asked for."""

    __slots__ = ("_make", "_parts")

    def __init__(self, make: Callable[..., M], *parts: Sequence[Any]) -> None:
        self._make = make
        self._parts = parts

    def __len__(self) -> int:
        return prod(map(len, self._parts))

    def __getitem__(self, index: Any) -> Any:
        left = range(len(self))[index]
        chosen = []
        for part in reversed(self._parts):
            left, at = divmod(left, len(part))
            chosen.append(part[at])
        return self._make(*reversed(chosen))

    def __iter__(self) -> Iterator[M]:
        return starmap(self._make, product(*self._parts))


class Chained(Sequence[M]):
    """Several sequences of moves in a row, none of them copied."""

    __slots__ = ("_ends", "_sequences")

    def __init__(self, sequences: Sequence[Sequence[M]]) -> None:
        self._sequences = sequences
        self._ends = list(accumulate(map(len, sequences), initial=0))

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, index: Any) -> Any:
        at = range(len(self))[index]
        i = bisect_right(self._ends, at) - 1
        return self._sequences[i][at - self._ends[i]]

    def __iter__(self) -> Iterator[M]:
        return chain.from_iterable(self._sequences)
