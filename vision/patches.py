"""Parts of the table seen straight, with the pieces that lie free there; of a known part only what changed is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.changes import SHRUNK, changes, glance
from vision.network import Floats, Models
from vision.pose import Array
from vision.rectify import Picture, Pyramid, balanced
from vision.sighting import LooseTile

Marked = NDArray[np.bool_]

STRIDE = SHRUNK
"""The network answers for every so many pixels; a part is compared at the same places."""
STEP = 4
"""It halves its picture four times: parts of a view begin and end at every so many of its answers."""
TOUCHED, AROUND = 4, 12
"""How far around what changed, in its answers, they are taken anew, and how much more it is shown to give them: with
so much they differ from those of the whole view by less than 0.05 (as probabilities), at pieces by less than 0.01."""
MOST_ANEW = 0.7
"""Where more than this share of a view would be shown again, it is shown as a whole."""


@dataclass(frozen=True)
class Patch:
    """A part of the table, with what the network for loose pieces answers and what that comes to."""

    homography: Array
    """From its pixels to the picture's."""
    view: Picture
    """What it looked like when it was read."""
    maps: Floats
    pieces: tuple[LooseTile, ...]


Pieces = Callable[[Floats], Sequence[LooseTile]]
"""The pieces that the network's maps of a part mark."""


def read_patch(
    pyramid: Pyramid,
    homography: Array,
    size_px: tuple[int, int],
    white: Floats,
    models: Models,
    pieces: Pieces,
    known: Sequence[Patch],
) -> Patch:
    """A part of the table in a view of this size; where it looks as a known one did, it rests on that."""
    view = glance(pyramid, homography, size_px)
    before = next((each for each in known if _is_there(each, homography, view)), None)
    if before is None:
        maps = _answers(pyramid, homography, size_px, white, models)
        return Patch(homography, view, maps, tuple(pieces(maps)))
    changed = changes(view, before.view)
    if not changed.any():
        return before
    maps, seen = before.maps.copy(), before.view.copy()
    for inner, outer in _parts(changed):
        (left, top, right, bottom), (x, y, to_x, to_y) = inner, outer
        shift = np.array([[1.0, 0.0, STRIDE * x], [0.0, 1.0, STRIDE * y], [0.0, 0.0, 1.0]])
        size = (STRIDE * (to_x - x), STRIDE * (to_y - y))
        anew = _answers(pyramid, homography @ shift, size, white, models)
        maps[:, top:bottom, left:right] = anew[:, top - y : bottom - y, left - x : right - x]
        seen[top:bottom, left:right] = view[top:bottom, left:right]
    return Patch(homography, seen, maps, tuple(pieces(maps)))


def _is_there(known: Patch, homography: Array, view: Picture) -> bool:
    return known.view.shape == view.shape and np.array_equal(known.homography, homography)


def _answers(pyramid: Pyramid, homography: Array, size_px: tuple[int, int], white: Floats, models: Models) -> Floats:
    (maps,) = models.loose(balanced(pyramid.warp(homography, size_px), white)[None])
    return np.asarray(maps[0], np.float32)


Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


def _parts(changed: Marked) -> Sequence[tuple[Box, Box]]:
    """The parts of a view that are taken anew, each with what is shown to the network for it."""
    height, width = changed.shape
    parts = list(_apart(changed))
    shown = sum((right - left) * (bottom - top) for _, (left, top, right, bottom) in parts)
    whole = (0, 0, width, height)
    return parts if shown < MOST_ANEW * changed.size else [(whole, whole)]


def _apart(changed: Marked) -> Iterator[tuple[Box, Box]]:
    height, width = changed.shape
    near = cv2.dilate(changed.astype(np.uint8), np.ones((2 * TOUCHED + 1, 2 * TOUCHED + 1), np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(near)
    for left, top, wide, high, _ in boxes[1:].tolist():
        begin = ((max(0, at - AROUND) // STEP) * STEP for at in (left, top))
        end = (min(most, -(-(at + AROUND) // STEP) * STEP) for at, most in ((left + wide, width), (top + high, height)))
        yield (left, top, left + wide, top + high), (*begin, *end)
