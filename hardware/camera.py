"""What every camera does, real or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import HardwareError

Picture = NDArray[np.uint8]

PREVIEW_WIDTH_PX = 640


class CameraError(HardwareError):
    """A camera that does not answer as it should; opening it anew may help."""


class CameraLostError(CameraError):
    """A camera that this process cannot open again: end the program, and let the service start it anew."""


class NoMorePhotosError(CameraError):
    """All photos were shown: there is nothing more to wait for."""


class LesserCameraWarning(UserWarning):
    """Another camera is used than the best one, because that one is not there."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, (height, width, 3) uint8, blue first; frames of one camera are numbered from 1."""

    picture: Picture
    number: int
    taken_s: float
    focal_px: float | None = None
    """The focal length, where the camera knows it."""


class Camera(Protocol):
    """A camera over a table."""

    def preview(self) -> Frame:
        """A small picture of the table as it is now, cheap enough to be taken all the time."""
        ...

    def capture(self) -> Frame:
        """A full picture of the table as it is now."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


def shrink(picture: Picture, width_px: int = PREVIEW_WIDTH_PX) -> Picture:
    """The same picture, no wider than a preview, or than asked for."""
    height, width = picture.shape[:2]
    if width <= width_px:
        return picture
    small = (width_px, round(height * width_px / width))
    return np.asarray(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), np.uint8)
