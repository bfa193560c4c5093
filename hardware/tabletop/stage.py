"""What is to lie on the simulated table, in names of cells and kinds of pieces; who plays it there knows the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Stage:
    """A position as things to put down."""

    side: str
    boards: Mapping[int, Mapping[str, str]]
    """For each seat, the kind of piece in each occupied cell: a tile's letter, or a piece's own name; `kind@60` lies
    turned by so many degrees."""
    discs: tuple[tuple[str, ...], ...] = ()
    """The kinds of tiles on each factory disc."""
    centre: tuple[str, ...] = ()
    """The kinds lying free in the middle."""
    beside: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The kinds lying free beside each seat's board."""
    shared: Mapping[str, str] = field(default_factory=dict)
    """The kinds in cells of boards that belong to all."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What passes over a table while the game goes on."""

    hand: int | None = None
    """The seat whose hand is over its board, 0 for no hand; None leaves it to the tier's chance."""
    nudges: Mapping[int, tuple[float, float, float]] = field(default_factory=dict)
    """For each seat how far its board was pushed: right and down in millimetres, and turned in degrees."""
    brightness: float = 1.0
    """How much brighter or darker the light has become."""
