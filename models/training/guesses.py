"""Corners of boards as they might be guessed, right or wrong, and boards of which only a part is to be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.training.augment import cut_off, overlaid
from models.training.shots import EDGE_SPAN_PX
from vision.find import widest

Array = NDArray[np.float64]
Rng = np.random.Generator


def in_part(edge: NDArray[np.uint8], true: Array, rng: Rng) -> tuple[NDArray[np.uint8], Array]:
    """A board that is perhaps not all to be seen, and the corners that the finder would take for its own."""
    middle, taken = true.mean(axis=0), true
    way = rng.random()
    if way < CUT_OFF:
        bearing, far = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.02, 0.6)) * EDGE_SPAN_PX
        edge = cut_off(edge, middle, bearing, far)
        part = _clipped(true, middle, bearing, far)
        if len(part) >= 4 and rng.random() < 0.7:
            four = widest(part)
            near = min((np.roll(four, turn, axis=0) for turn in range(4)), key=lambda each: np.abs(each - true).sum())
            taken = near if np.abs(near - true).max() < MOST_CUT_OFF * EDGE_SPAN_PX else true
    elif way < CUT_OFF + OVERLAID:
        edge = overlaid(edge, middle, EDGE_SPAN_PX, rng)
        if rng.random() < 0.5:
            taken = true + (np.arange(4) == rng.integers(4))[:, None] * rng.normal(0, 0.12 * EDGE_SPAN_PX, 2)
    return edge, taken


def _clipped(quad: Array, middle: Array, bearing: float, far_px: float) -> Array:
    """What is left of a board, corner by corner, where a picture's edge runs through it."""
    depth = (quad - middle) @ np.array([np.cos(bearing), np.sin(bearing)]) - far_px
    left: list[Array] = []
    for i in range(4):
        here, there = depth[i], depth[(i + 1) % 4]
        if here <= 0:
            left.append(quad[i])
        if here * there < 0:
            left.append(quad[i] + (quad[(i + 1) % 4] - quad[i]) * here / (here - there))
    return np.array(left)


CUT_OFF, OVERLAID = 0.2, 0.25
"""How often boards run out of the picture, and how often something lies over them, besides what their pictures show."""
MOST_CUT_OFF = 0.3
"""How much of a side may be missing where corners are still to be told from what is left."""


def guessed(true: Array, rng: Rng, smallest: float = 0.004, largest: float = 0.09) -> Array:
    """Corners as the finder might give them: all moved and turned together, and each a little by itself."""
    size = float(np.exp(rng.uniform(np.log(smallest), np.log(largest)))) * EDGE_SPAN_PX
    turn = rng.normal(0, size / EDGE_SPAN_PX * 1.2)
    middle = true.mean(axis=0)
    turned = (true - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    scale = np.exp(rng.normal(0, size / EDGE_SPAN_PX))
    return np.asarray(middle + turned * scale + rng.normal(0, size * 0.7, 2) + rng.normal(0, size * 0.5, (4, 2)))


def missed(true: Array, rng: Rng) -> Array:
    """Corners that are not a board's: mostly beside it, or a part of it."""
    middle = true.mean(axis=0)
    bearing = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(bearing), np.sin(bearing)]) * EDGE_SPAN_PX * float(rng.uniform(0.55, 0.9))
    scale = float(rng.uniform(0.3, 0.6)) if rng.random() < 0.5 else 1.0
    return np.asarray(middle + (true - middle) * scale + away * (0.7 if scale < 1 else 1.0))
