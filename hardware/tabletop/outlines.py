"""Convex outlines on the table: where they lie, and whether two of them cut into each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline
from hardware.tabletop.drawing import unit_outline

TOUCH_MM = 1e-6
"""Outlines that share no more than this touch."""


def rotation(turn_deg: float) -> NDArray[np.float64]:
    """The matrix that turns places clockwise."""
    turn = np.radians(turn_deg)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def are_apart(one: Outline, other: Outline) -> bool:
    """Whether two convex outlines have no area in common; they may touch."""
    edges = np.vstack([np.roll(outline, -1, axis=0) - outline for outline in (one, other)])
    lengths = np.linalg.norm(edges, axis=1, keepdims=True)
    across = (edges[:, ::-1] * (1.0, -1.0) / np.maximum(lengths, TOUCH_MM)).T
    here, there = one @ across, other @ across
    gaps = np.maximum(there.min(axis=0) - here.max(axis=0), here.min(axis=0) - there.max(axis=0))
    return bool(gaps.max() >= -TOUCH_MM)


def outline_at(shape: str, size_mm: float, middle_mm: NDArray[np.float64], turn_deg: float) -> Outline:
    """A shape of a layout at a place on the table."""
    return np.asarray(unit_outline(shape) * size_mm @ rotation(turn_deg).T + middle_mm)


def grown(rectangle: Outline, by_mm: float) -> Outline:
    """A rectangle, clockwise, with so much more on every side."""
    ahead = np.roll(rectangle, -1, axis=0) - rectangle
    ahead = ahead / np.linalg.norm(ahead, axis=1, keepdims=True)
    return np.asarray(rectangle + by_mm * (np.roll(ahead, 1, axis=0) - ahead))
