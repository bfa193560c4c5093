"""What a look at a table tells of chance: what may lie in a heap or a cell, for an edition that asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from engine.table import ALL, Kinds


class Glimpse(Protocol):
    """What may lie in heaps and in cells that belong to all, the likeliest first; nothing for what is out of view."""

    def heap(self, name: str, size: int, most: int = 1, emptied: str = "", seat: int = ALL) -> Sequence[Kinds]:
        """The likeliest contents of a heap of no more than so many pieces; some of the emptied heap may lie in it."""
        ...

    def heaps(self) -> Sequence[Kinds]:
        """The likeliest contents of each of the heaps of which there are several."""
        ...

    def cell(self, name: str, most: int = 1) -> Sequence[str]:
        """The likeliest kinds in a cell."""
        ...


class Drawn(NamedTuple):
    """What chance may have done, and the heap from which somebody has taken since, if anybody has."""

    move: Any
    taken: str = ""
