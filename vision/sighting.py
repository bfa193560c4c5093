"""What was seen in one picture: the one value that leaves vision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from vision.pose import Array, Pose

if TYPE_CHECKING:
    from vision.scene import KnownTable

ALL = 0
"""The seat of what belongs to all."""
Reads = Mapping[str, float]
"""Probabilities by letter; `.` is empty and `?` cannot be seen."""


@dataclass(frozen=True, eq=False)
class Located:
    """A board in a picture, with how it was found and how sure that is."""

    corners_px: Array
    """Top left, top right, bottom right, bottom left as its owner sees it."""
    kind: str
    """Edition and side, by the print."""
    sure: float
    how: str


@dataclass(frozen=True)
class Stranger:
    """What was said to be a board and is none that was sought."""

    corners_px: Array
    kind: str
    """The edition and side that it looks like; empty for none that the networks know."""
    unclear: float = 0.0
    """The share of its cells that cannot be read surely, where it looked enough like a board to be read."""


@dataclass(frozen=True)
class SeenSurface:
    """A surface with what lies on it: a board of a seat, or with seat 0 one that belongs to all."""

    seat: int
    located: Located
    pose: Pose
    cells: Mapping[str, Reads]
    """For each cell in which pieces or cards are laid."""
    tracks: Mapping[Mark, Reads]
    """For each mark on a track by the numbers of its cells; `?` where no mark can be seen."""
    surface: str = "board"
    """Its name in the layout."""
    owner: Reads | None = None
    """The kind of the marks that its seat has on tracks of all, where its print tells it."""
    carried: int = 0
    """How many looks ago it was read: since then it looks the same."""

    def __post_init__(self) -> None:
        """Refuse readings that are no probabilities."""
        for name, reads in (*self.cells.items(), *self.tracks.items()):
            total = sum(reads.values())
            if not reads or not abs(total - 1) < SLACK:
                raise SightingError(f"the readings of {name} sum to {total:.4f}, not to 1: {dict(reads)}")

    def seated(self, seats: Mapping[int, int]) -> SeenSurface:
        """The same with the seats of boards and marks by other numbers, told for the old ones; others stay."""
        tracks = {(seats.get(seat, seat), name): reads for (seat, name), reads in self.tracks.items()}
        return replace(self, seat=seats.get(self.seat, self.seat), tracks=tracks)


Mark = tuple[int, str]
"""The mark of a seat on a track, by the track's name; seat 0 for the only mark of a track."""
SLACK = 0.01
"""How far probabilities may be from summing to one, after rounding."""


class SightingError(ValueError):
    """A sighting that contradicts itself: a fault of the program that made it."""


@dataclass(frozen=True)
class LooseTile:
    """A piece lying free."""

    place_px: tuple[float, float]
    place_mm: tuple[float, float]
    """On the table, in the frame of the first board."""
    sure: float
    """How sure it is that a piece lies here at all."""
    reads: Reads
    rims: tuple[tuple[float, float], ...] = ()
    """The middles, in pixels, of discs that it lies so near the rim of that it may be on them or beside them."""


@dataclass(frozen=True)
class SeenHeap:
    """Pieces that lie together in no order: on a disc or a card, in the middle, beside a board."""

    centre_px: tuple[float, float]
    sure: float
    """How sure it is that what carries it is there."""
    tiles: tuple[LooseTile, ...]
    cut_off: bool = False
    """Whether it runs out of the picture or under a board, so that pieces may be unseen."""
    crowded: bool = False
    """Whether a piece may as well be another heap's: it lies at the rim of the disc, or beside a board and not far from
    others or from the middle."""
    name: str = ""
    """Its name in the layout, without a number."""
    seat: int = 0
    """Whose it is; 0 where it belongs to all."""


@dataclass(frozen=True)
class Sighting:
    """One picture's surfaces and heaps."""

    size_px: tuple[int, int]
    edition: str
    side: str
    """The side of the boards that lies up; empty where pictures cannot tell it."""
    boards: tuple[SeenSurface, ...]
    """The first surface of each seat, by which seats are told."""
    discs: tuple[SeenHeap, ...] = ()
    """The heaps of which there are several, each on a piece that carries it."""
    centre: tuple[LooseTile, ...] | None = None
    """The pieces of the heap in the middle; None where the middle is not in view."""
    spent_ms: Mapping[str, float] = field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()
    """What is left out, since it is no board of this edition."""
    others: tuple[SeenSurface, ...] = ()
    """The other surfaces of seats, and those that belong to all."""
    heaps: tuple[SeenHeap, ...] = ()
    """Heaps beside boards, and others of which there is one."""
    known: KnownTable | None = field(default=None, repr=False)
    """What the next look at this table may rest on."""

    def __post_init__(self) -> None:
        """Refuse two boards of one seat, and a tile in two heaps."""
        seats = [board.seat for board in self.boards]
        if len(set(seats)) < len(seats):
            raise SightingError(f"each seat has one board, but the seats are {seats}")
        found = [(each.surface, each.seat) for each in self.others]
        if len(set(found)) < len(found):
            raise SightingError(f"each seat has one of each surface, but there are {found}")


def softmax(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]], temperature: float) -> Array:
    """Probabilities along the last axis."""
    raised = scores.astype(np.float64) / temperature
    powers = np.exp(raised - raised.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
