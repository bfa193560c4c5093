"""Photos that are there already, shown as a camera would show them: time goes on with every preview."""

from __future__ import annotations

from collections.abc import Callable

from engine.text import Words
from hardware.camera import CameraError, Frame, Picture, shrink

PREVIEWS = 12
"""For how many previews a photo is shown, so that a gate sees the table at rest and it is looked at three times."""
FRAMES_PER_SECOND = 5


class Reel:
    """Shows photos one after the other; the last one stays until another comes."""

    def __init__(self, draw: Callable[[], Picture | None], missing: Words) -> None:
        """What draws the next photo, None where there is none yet, and what to say before the first one."""
        self._draw, self._missing = draw, missing
        self._photo: Picture | None = None
        self._small: Picture | None = None
        self._shown = self._number = 0
        self.focal_px: float | None = None
        """The focal length that the photo was taken with, where whoever draws photos knows it."""

    @property
    def is_fresh(self) -> bool:
        """Whether the photo has not been shown for long enough yet to be looked at."""
        return self._photo is not None and self._shown < PREVIEWS

    def preview(self) -> Frame:
        """A small picture of the photo that is shown now."""
        if self._photo is None or self._shown >= PREVIEWS:
            self._turn()
        if self._small is None:
            self._small = shrink(self._now())
        self._shown += 1
        self._number += 1
        return self._frame(self._small)

    def capture(self) -> Frame:
        """The photo of the last preview."""
        if self._photo is None:
            self._turn()
        return self._frame(self._now())

    def _turn(self) -> None:
        photo = self._draw()
        if photo is not None:
            self._photo, self._small, self._shown = photo, None, 0

    def _now(self) -> Picture:
        if self._photo is None:
            raise CameraError(self._missing)
        return self._photo

    def _frame(self, picture: Picture) -> Frame:
        return Frame(picture, self._number, self._number / FRAMES_PER_SECOND, self.focal_px)
