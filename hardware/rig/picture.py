"""Whether a picture is sharp and well lit."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera import Picture

SHARP = 0.1
"""Photographs of real tables had 0.14 to 1.5; blurred by two pixels, none had as much as this."""
DARK, DAZZLED = 60.0, 0.04
"""A mean brightness that is too low, and a share of pure white that is too high."""
WHITE = 250


@dataclass(frozen=True, slots=True)
class Looks:
    """How a picture is."""

    sharpness: float
    brightness: float
    white: float

    @property
    def is_sharp(self) -> bool:
        """Whether the finest detail is there."""
        return self.sharpness >= SHARP

    @property
    def light_told(self) -> str:
        """The light in words."""
        return f"brightness {self.brightness:.0f} of 255, {self.white:.1%} pure white"

    @property
    def light_advice(self) -> str:
        """What to do about it; nothing where it is fine."""
        if self.brightness < DARK:
            return "it is dark: switch a lamp on, and start anew so that the exposure is measured again"
        if self.white > DAZZLED:
            return "there is glare: move the lamp aside or let it shine at the ceiling, and start anew"
        return ""


def judge_picture(picture: Picture) -> Looks:
    """Judge the middle of a picture, where the table is."""
    height, width = picture.shape[:2]
    middle = picture[height // 8 : height - height // 8, width // 8 : width - width // 8]
    grey = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    # Fine detail against coarse, so that it does not matter what is on the table; the very finest is noise.
    fine, coarse = (_detail(cv2.resize(grey, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)) for f in (1 / 2, 1 / 8))
    return Looks(fine / max(coarse, 1.0), float(grey.mean()), float((np.asarray(middle) >= WHITE).all(axis=2).mean()))


def _detail(grey: cv2.typing.MatLike) -> float:
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())
