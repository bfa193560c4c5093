"""What was read in one picture: the Table, what of it is in doubt, and where everything lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine import Table
from engine.table import Kinds
from vision.pose import Array
from vision.sighting import Reads, Stranger


@dataclass(frozen=True)
class Unsure:
    """A cell, a number or a heap of a seat, or with seat 0 of all, that is not certain enough to score from."""

    seat: int
    cell: str
    reads: Reads
    """What it may be and how likely; of a heap only the pieces that are not certain."""
    seen: Kinds | None = None
    """Of a heap, what seems to lie there."""


@dataclass(frozen=True)
class FoundSurface:
    """Where a surface of a seat, or with seat 0 of all, lies in the picture, and how surely it was read."""

    seat: int
    surface: str
    corners_px: Array
    how: str
    confidence: float
    """The probability of its least certain cell."""
    carried: int = 0
    """How many looks ago it was read: since then it looks the same."""


@dataclass(frozen=True)
class TableReading:
    """A Table that was read, with its doubts and places."""

    table: Table
    doubts: tuple[Unsure, ...]
    surfaces: tuple[FoundSurface, ...]
    heaps_px: Mapping[str, tuple[float, float]]
    """The middle of each heap of which there are several, by its name with its number."""
    size_px: tuple[int, int]
    marks: Mapping[int, str] = field(default_factory=dict)
    """The kind of the marks that a seat has on tracks of all, where print on its board surely tells it."""
    strangers: tuple[Stranger, ...] = ()
    """What is left out, since it is no board of this edition."""
