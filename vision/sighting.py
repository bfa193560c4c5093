"""What was seen in one picture: the one value that leaves vision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from vision.pose import Array, Pose

Reads = Mapping[str, float]
"""Probabilities by letter; `.` is empty and `?` cannot be seen."""


@dataclass(frozen=True)
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
class SeenBoard:
    """A board with what lies on it."""

    seat: int
    located: Located
    pose: Pose
    cells: Mapping[str, Reads]
    """For each cell that holds tiles."""
    tracks: tuple[Reads, ...]
    """For each track, by the number of its cells from the layout; `?` where no mark can be seen."""


@dataclass(frozen=True)
class LooseTile:
    """A tile lying free."""

    place_px: tuple[float, float]
    place_mm: tuple[float, float]
    """On the table, in the frame of the first board."""
    sure: float
    """How sure it is that a tile lies here at all."""
    reads: Reads
    rims: tuple[tuple[float, float], ...] = ()
    """The middles, in pixels, of discs that it lies so near the rim of that it may be on them or beside them."""


@dataclass(frozen=True)
class SeenDisc:
    """A factory disc, with the tiles on it."""

    centre_px: tuple[float, float]
    sure: float
    tiles: tuple[LooseTile, ...]
    cut_off: bool = False
    """Whether it runs out of the picture or under a board, so that tiles may be unseen."""
    crowded: bool = False
    """Whether a tile lies so near its rim that it may be on the disc or beside it."""


@dataclass(frozen=True)
class Sighting:
    """One picture's boards, discs and middle."""

    size_px: tuple[int, int]
    edition: str
    side: str
    boards: tuple[SeenBoard, ...]
    discs: tuple[SeenDisc, ...] = ()
    centre: tuple[LooseTile, ...] | None = None
    """The tiles in the middle; None where the middle is not in view."""
    spent_ms: Mapping[str, float] = field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()
    """What is left out, since it is no board of this edition."""


def softmax(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]], temperature: float) -> Array:
    """Probabilities along the last axis."""
    raised = scores.astype(np.float64) / temperature
    powers = np.exp(raised - raised.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
