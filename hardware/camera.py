"""What every camera does, real or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.errors import HardwareError


class CameraError(HardwareError):
    """A camera that does not answer as it should."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, (height, width, 3) uint8, blue first; frames of one camera are numbered from 1."""

    picture: NDArray[np.uint8]
    number: int
    taken_s: float


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
