"""Searching the whole picture, small: where boards and discs may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Floats, Models
from vision.pose import Array, inverse, transform
from vision.rectify import Picture, Pyramid, balanced

FINDER_PX = 512
"""The longer side of the picture that is searched."""
PLAIN_WHITE = np.full(3, 204, np.float32)
"""What white is taken to be where no board has told it yet."""
STRIDE = 8
DISC_UNIT_PX = 64.0
"""How far discs' middles are from a place is in these, of the picture that is searched."""
INNER = 0.88
"""The share of a board, about its middle, that the finder marks, so that neighbours stay apart."""
MAYBE_BOARD = (0.5, 0.9, 0.99, 0.2, 0.05)
"""Places are worth a closer look from such a probability: first the usual one, then those that tell apart boards which
run into each other or into a table mat, last those for boards that are half covered or half out of the picture."""
LEFT_OVER = (0.5, 0.1)
"""The same beside boards that were found."""
NOTHING = -20.0
"""What surely is no board (natural logarithm of its odds)."""
MAYBE_DISC = 0.6
GRAIN = 4
"""How much finer the map of boards is made before its outlines are followed."""
MOST_HULL = 14
"""Corners that the outline of a board is simplified to, before four are chosen."""
FEWEST_CORNERS = 4
"""What has fewer, such as a tip that a board leaves of another, is no board."""
OUTLINES = (cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
SMALLEST_PX = 24
"""Of the picture that is searched: smaller boards cannot be read."""
MOST_GUESSES = 12
"""A picture of something else may be full of what looks a little like a board."""


@dataclass(frozen=True)
class Disc:
    """A disc's middle and radius."""

    centre_px: tuple[float, float]
    radius_px: float
    sure: float


@dataclass(frozen=True)
class BoardMap:
    """What the finder marked as boards, and how places in it are places in the picture."""

    marks: Floats
    to_picture: Array

    @cached_property
    def guesses(self) -> list[Array]:
        """Where boards may be, four corners each, the likeliest first, each perhaps several times."""
        found = (quad for level in MAYBE_BOARD for quad in _facing_out(_quads(self.marks, level)))
        return [transform(self.to_picture, quad) for quad in found]

    def beside(self, boards: Sequence[Array]) -> list[Array]:
        """Where others may be, if these corners are boards': what they run into is marked by itself then."""
        marks = self.marks.copy()
        for corners in boards:
            own = (transform(inverse(self.to_picture), corners) / STRIDE + 0.5) * GRAIN - 0.5
            cv2.fillConvexPoly(marks, np.round(own).astype(np.int32), NOTHING)
        found = (quad for level in LEFT_OVER for quad in _quads(marks, level))
        return [transform(self.to_picture, quad) for quad in found]


@dataclass(frozen=True)
class Found:
    """Where boards and discs may be in a picture, and the small picture in which they were searched."""

    small: Picture
    board_map: BoardMap
    discs: tuple[Disc, ...]


def find(pyramid: Pyramid, models: Models) -> Found:
    """Where boards and discs may be."""
    small, shrink = searched(pyramid)
    (maps,) = models.finder(balanced(small, PLAIN_WHITE)[None])
    discs = []
    for x, y, radius, sure in _rings(maps[0]):
        (place,) = transform(shrink, np.array([[x, y]]))
        discs.append(Disc((float(place[0]), float(place[1])), float(radius * shrink[0, 0]), sure))
    return Found(small, BoardMap(_finer(maps[0, 0]), shrink), tuple(discs))


def searched(pyramid: Pyramid) -> tuple[Picture, Array]:
    """The whole picture as it is searched, and the homography from its pixels to the picture's."""
    width, height = pyramid.size_px
    scale = FINDER_PX / max(width, height)
    wide, high = (max(32, round(side * scale / 32) * 32) for side in (width, height))
    shrink = np.array([[1 / scale, 0, 0.5 / scale - 0.5], [0, 1 / scale, 0.5 / scale - 0.5], [0, 0, 1]])
    return pyramid.warp(shrink, (wide, high)), shrink


def _finer(marks: Floats) -> Floats:
    """The map of boards as its outlines are followed."""
    return np.asarray(cv2.resize(marks, None, fx=GRAIN, fy=GRAIN, interpolation=cv2.INTER_LINEAR), np.float32)


def _quads(fine: Floats, level: float) -> list[Array]:
    """Four corners around each part that is held to be a board with this probability, the largest first."""
    parts, _ = cv2.findContours((fine > np.log(level / (1 - level))).astype(np.uint8), *OUTLINES)
    quads = []
    for part in sorted(parts, key=cv2.contourArea, reverse=True)[:MOST_GUESSES]:
        if cv2.contourArea(part) < (SMALLEST_PX * GRAIN / STRIDE) ** 2:
            break
        hull = _simple(cv2.convexHull(part).reshape(-1, 2).astype(np.float64))
        if len(hull) < FEWEST_CORNERS:
            continue
        corners = widest(hull)
        middle = corners.mean(axis=0)
        # The middle of a cell of the map is a pixel of the picture; the finer map has its own.
        quads.append(_clockwise(((middle + (corners - middle) / INNER + 0.5) / GRAIN - 0.5) * STRIDE))
    return quads


def _simple(hull: Array) -> Array:
    """A hull with as few points as there may be to choose four from."""
    slack = 0.5
    while len(hull) > MOST_HULL:
        hull = cv2.approxPolyDP(hull.astype(np.float32), slack, True).reshape(-1, 2).astype(np.float64)
        slack *= 1.4
    return hull


def widest(hull: Array) -> Array:
    """The four points that enclose most, of a hull of four or somewhat more."""
    choices = _fours(len(hull))
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (hull[choices[:, i]].T for i in range(4))
    areas = np.abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx))
    return np.asarray(hull[choices[int(np.argmax(areas))]], np.float64)


@cache
def _fours(count: int) -> NDArray[np.int64]:
    """Every choice of four among so many."""
    return np.array(list(combinations(range(count), 4)), np.int64).reshape(-1, 4)


def _clockwise(quad: Array) -> Array:
    """Corners in the order of a board's, from any of them."""
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by - ay * bx > 0 else quad[::-1]


def _facing_out(quads: list[Array]) -> list[Array]:
    """Corners in the order that they have if boards face away from each other, as their owners sit, or else downwards.

    Boards may lie otherwise: it only saves a look to have guessed right.
    """
    if not quads:
        return []
    middles = np.array([quad.mean(axis=0) for quad in quads])
    outwards = middles - middles.mean(axis=0) if len(quads) > 1 else np.array([[0.0, 1.0]])
    return [_facing(quad, outward) for quad, outward in zip(quads, outwards, strict=True)]


def _facing(quad: Array, outward: Array) -> Array:
    """Corners beginning with the one that makes the lower side, from the third to the fourth, lie farthest outward."""
    sides = (quad + np.roll(quad, -1, axis=0)) @ outward
    return np.roll(quad, 2 - int(np.argmax(sides)), axis=0)


def _rings(maps: Floats) -> list[tuple[float, float, float, float]]:
    """Discs by vote: x, y, radius, and how sure."""
    sure = 1 / (1 + np.exp(-maps[1]))
    rows, columns = np.nonzero(sure > MAYBE_DISC)
    said = np.column_stack([columns, rows]) * float(STRIDE) + maps[2:4, rows, columns].T * DISC_UNIT_PX
    radii = np.exp(maps[4, rows, columns].astype(float)) * STRIDE
    weight = sure[rows, columns].astype(float)
    free = np.ones(len(said), bool)
    rings = []
    while free.any():
        best = int(np.argmax(np.where(free, weight, 0)))
        near = free & (np.linalg.norm(said - said[best], axis=1) < 0.8 * radii[best])
        x, y = np.average(said[near], axis=0, weights=weight[near])
        rings.append((float(x), float(y), float(np.average(radii[near])), float(weight[best])))
        free &= ~near
    return rings
