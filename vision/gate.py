"""Is the table still, and has anything happened since it was last read?

A look costs half a second and a preview comes five times a second, so previews are made small and compared with the
one before and with the one of the last look. While anything moves nothing is concluded; once it is still again, the
table is worth a look: a hand was there.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Picture

MOVING = "moving"
STILL = "still"
CHANGED = "changed"

WIDTH_PX = 320
BLUR_PX = 5
"""Noise is averaged away over so many pixels."""
STRANGE = 14.0
"""A pixel so much brighter or darker than it was shows something else."""
MOTION = 0.0008
"""Where a larger share of the picture is strange than in the preview before, something moves."""
NEWS = 0.0004
"""Where a larger share is strange than at the last look, something lies otherwise: a tile is a little more."""
CALM_FRAMES = 4
"""So many previews must be alike before the table is called still."""

Small = NDArray[np.float32]


class Gate:
    """Watches previews, and says when a look is worth it."""

    def __init__(self) -> None:
        self._before: Small | None = None
        self._looked: Small | None = None
        self._calm = 0
        self._stirred = True

    def watch(self, picture: Picture) -> str:
        """MOVING while anything moves, CHANGED once when it is still again and worth a look, else STILL."""
        now = _small(picture)
        moving = self._before is None or _strange(now, self._before) > MOTION
        self._before = now
        self._calm = 0 if moving else self._calm + 1
        if moving:
            self._stirred = True
        if self._calm < CALM_FRAMES:
            return MOVING
        if not self._stirred and self._looked is not None and _strange(now, self._looked) <= NEWS:
            return STILL
        self._looked, self._stirred = now, False
        return CHANGED

    def stir(self) -> None:
        """Have the next still moment looked at, whatever it shows."""
        self._stirred = True


def _small(picture: Picture) -> Small:
    """Grey, small, without noise, and as bright as ever: light drifts without anything having happened."""
    height, width = picture.shape[:2]
    size = (WIDTH_PX, max(round(WIDTH_PX * height / width), 1))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    calm = np.asarray(cv2.blur(grey, (BLUR_PX, BLUR_PX)), np.uint8)
    return calm.astype(np.float32) * np.float32(MIDDLE_GREY / max(_median(calm), 1.0))


def _median(grey: NDArray[np.uint8]) -> float:
    """The median of grey values, by counting them: a tenth of the work of sorting."""
    counts = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]))
    return float(np.searchsorted(counts, [(grey.size - 1) // 2, grey.size // 2], side="right").mean())


MIDDLE_GREY = 110.0


def _strange(one: Small, other: Small) -> float:
    """The share of pixels that show something else; pictures of another shape are strange altogether."""
    return float((np.abs(one - other) > STRANGE).mean()) if one.shape == other.shape else 1.0
