"""Whether a part of a picture looks as it did before, however bright the light is now.

Parts are compared small, with what they looked like when they were last read: noise is averaged away, and slow changes
add up until they are noticed.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pose import Array
from vision.rectify import Picture, Pyramid

SHRUNK = 4
"""How many times smaller a part is compared than it is read: three millimetres of a board are a pixel then."""
STRANGE = 8.0
"""A pixel so much brighter or darker than it was, of 255, shows something else. On own renderings noise alone never
comes to more than five, and the least that a move changes is twenty."""
SPARSE = 3
"""How bright the light is, is told by every so many pixels each way."""
DARK = 8.0
"""What is darker than this differs less by how bright the light is."""
MOST_DRIFT = 0.15
"""Where the light changed by more than this, everything may look otherwise."""


def glance(pyramid: Pyramid, homography: Array, size_px: tuple[int, int]) -> Picture:
    """The part of a picture that a homography shows, from pixels of a view of this size, as it is compared."""
    middle = (SHRUNK - 1) / 2
    shrink = np.array([[SHRUNK, 0, middle], [0, SHRUNK, middle], [0, 0, 1]])
    width, height = size_px
    return pyramid.warp(homography @ shrink, (width // SHRUNK, height // SHRUNK))


def changes(now: Picture, before: Picture) -> NDArray[np.bool_]:
    """Where a part looks otherwise than before, (height, width); everywhere if the light is quite another."""
    bright, was = (picture.astype(np.float32) + DARK for picture in (now, before))
    gain = np.median((was[::SPARSE, ::SPARSE] / bright[::SPARSE, ::SPARSE]).reshape(-1, 3), axis=0)
    if np.abs(gain - 1).max() > MOST_DRIFT:
        return np.ones(now.shape[:2], bool)
    off = cv2.absdiff(cv2.transform(bright, np.diag(gain)), was)
    return np.asarray(cv2.transform((off > STRANGE).astype(np.uint8), np.ones((1, 3))) > 0)


def is_same(now: Picture, before: Picture) -> bool:
    """Whether a part looks as it did before."""
    return not changes(now, before).any()
