"""Discs put right by their own rims: the finder says roughly where they are, and how large they are is known.

On the table, seen straight, a disc is a circle of one size, and its rim shows whatever lies on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes import is_same
from vision.find import Disc
from vision.pose import Array, inverse, transform
from vision.rectify import Picture, Pyramid, box_to_mm, table_view

VIEW_PX, SEEN_RADII = 32, 1.3
"""How large the picture is by which a disc is known again, and how much of it, in radii, is seen around its middle."""
SAME_DISC = 0.5
"""A disc that is found so near to a known one, in radii, is that one."""

Slopes = tuple[NDArray[np.float32], NDArray[np.float32]]

RADIUS_PX = 28
"""How large a disc is in the view in which its rim is sought."""
REACH_PX = 18.0
"""How far off the finder may be."""
FARTHEST_PX = 350.0
"""How far from the middle of all a disc may be."""
STEPS_PX = (1.5, 0.75, 0.4)
"""Moves are tried so far apart, then about the best of them."""
BEARINGS = 36
PLAIN_EDGE = 60.0
"""A step of brightness, of 255, beyond which an edge counts no more: a few hard ones must not outvote a whole rim."""
TRUST_PX = 42.0
"""How far from where it was found a rim counts half."""
CLEARER = 1.1
"""A rim is moved only to where it is so much clearer than where it was found."""


@dataclass(frozen=True)
class KnownDisc:
    """A disc where its rim was seen, and what it looked like then."""

    disc: Disc
    view: Picture


def known_disc(pyramid: Pyramid, disc: Disc) -> KnownDisc:
    """A disc with what it looks like now."""
    scale = 2 * SEEN_RADII * disc.radius_px / VIEW_PX
    x, y = (middle - scale * (VIEW_PX - 1) / 2 for middle in disc.centre_px)
    return KnownDisc(disc, pyramid.warp(np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]]), (VIEW_PX, VIEW_PX)))


def held(pyramid: Pyramid, disc: Disc, known: Sequence[KnownDisc]) -> KnownDisc | None:
    """What is known of a disc that was found again, if it looks as it did."""
    for each in known:
        if dist(disc.centre_px, each.disc.centre_px) < SAME_DISC * each.disc.radius_px:
            return each if is_same(known_disc(pyramid, each.disc).view, each.view) else None
    return None


def put_right(pyramid: Pyramid, face: Array, places_mm: Array, radius_mm: float) -> Array:
    """The middles of discs on the plane of their faces, each moved to where its rim is seen."""
    px_per_mm = RADIUS_PX / radius_mm
    # What is taken for a disc may be anything, as far off as the horizon.
    apart = np.abs(places_mm - np.median(places_mm, axis=0)) if len(places_mm) else places_mm
    near = (apart * px_per_mm < FARTHEST_PX).all(axis=1)
    if not near.any():
        return places_mm
    half = (RADIUS_PX + REACH_PX + 3) / px_per_mm
    box = np.array([places_mm[near].min(axis=0) - half, places_mm[near].max(axis=0) + half])
    # The picture goes on as it ends: a black border would be taken for a rim.
    slopes = _slopes(table_view(pyramid, face, box, px_per_mm, cv2.BORDER_REPLICATE))
    middles = transform(inverse(box_to_mm(box, px_per_mm)), places_mm[near])
    right = places_mm.copy()
    right[near] += np.array([_move(slopes, middle) for middle in middles]) / px_per_mm
    return right


def _move(slopes: Slopes, middle: Array) -> Array:
    """From where a disc was found to where its rim is, in pixels of the view."""
    first, *finer = STEPS_PX
    start = np.rint(middle)
    wide = slopes[0].shape[1]
    moves, rims = _tried(first, wide)
    clear = _clearness(slopes, rims + _flat(start.astype(np.intp), wide))
    off = moves + start - middle
    best = int(np.argmax(clear / (1 + (off**2).sum(axis=1) / TRUST_PX**2)))
    if clear[best] <= CLEARER * _clearness(slopes, _rims(middle[None], wide))[0]:
        return np.zeros(2)
    move = off[best]
    for step in finer:
        near = move + _grid(step, step)
        move = near[int(np.argmax(_clearness(slopes, _rims(middle + near, wide))))]
    return np.asarray(move)


@lru_cache(maxsize=8)
def _tried(step: float, wide: int) -> tuple[Array, NDArray[np.intp]]:
    """Every move within reach that is first tried, and where a rim would be seen after it in a view so wide."""
    moves = _grid(REACH_PX, step)
    return moves, _rims(moves, wide)


@lru_cache
def _grid(reach: float, step: float) -> Array:
    """Every move within reach."""
    along = np.arange(-reach, reach + step / 2, step)
    return np.stack(np.meshgrid(along, along), axis=2).reshape(-1, 2)


def _slopes(view: NDArray[np.uint8]) -> Slopes:
    """How steeply a picture rises to the right, and downwards, in the colour where it does most."""
    across, down, steepest = (np.zeros(view.shape[:2], np.float32) for _ in range(3))
    for plane in cv2.split(cv2.GaussianBlur(view, (0, 0), 0.8)):
        right, below = (cv2.Sobel(plane, cv2.CV_32F, *way, ksize=3, scale=0.25) for way in ((1, 0), (0, 1)))
        steep = right * right + below * below
        steeper = cv2.compare(steep, steepest, cv2.CMP_GT)
        for found, kept in ((right, across), (below, down), (steep, steepest)):
            cv2.copyTo(found, steeper, kept)
    return across, down


@lru_cache
def _outward() -> NDArray[np.float32]:
    """The way out of a disc at each bearing."""
    turns = np.linspace(0, 2 * np.pi, BEARINGS, endpoint=False)
    return np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32)


def _rims(middles: Array, wide: int) -> NDArray[np.intp]:
    """The pixels, (middles, bearings), of rims around these middles, counted row by row."""
    return _flat(np.rint(middles[:, None] + RADIUS_PX * _outward()).astype(np.intp), wide)


def _flat(places: NDArray[np.intp], wide: int) -> NDArray[np.intp]:
    return places[..., 1] * wide + places[..., 0]


def _clearness(slopes: Slopes, rims: NDArray[np.intp]) -> Array:
    """How clearly each of these rims is seen."""
    across, down = slopes
    cos, sin = _outward().T
    # All are inside: the view reaches that far around every disc.
    steep = np.take(across, rims) * cos
    steep += np.take(down, rims) * sin
    np.minimum(np.abs(steep, out=steep), PLAIN_EDGE, out=steep)
    return np.asarray(steep.mean(axis=1), np.float64)
