"""Things on the table as upright prisms with bevelled edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline, Texture
from hardware.tabletop.lens import Points

Colour = NDArray[np.float32]


@dataclass(frozen=True)
class Solid:
    """A prism on a convex outline, clockwise as seen from above."""

    outline_mm: Outline
    base_mm: float
    height_mm: float
    colour: Colour
    """Of the sides, and of the top where it has no texture."""
    texture: Texture | None = None
    quad_mm: Outline | None = None
    """Where the corners of the texture lie: its top left, top right, bottom right, bottom left."""
    gloss: float = 0.0
    roughness: float = 0.12
    bevel_mm: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    """How the top is tilted: the x and y of its normal."""
    tint: Colour | None = None
    """What the colours of top and sides are multiplied by."""
    grain: Texture | None = None
    """The feel of the material, around 1: a texture of `GRAIN_MM` that repeats over the top."""

    @property
    def top_mm(self) -> float:
        """The height of its top above the table."""
        return self.base_mm + self.height_mm

    @property
    def centre_mm(self) -> Points:
        """The middle of its top."""
        return np.append(self.outline_mm.mean(axis=0), self.top_mm)

    @property
    def corners_mm(self) -> Outline:
        """Four corners around its top: its texture's, or of a box about it."""
        if self.quad_mm is not None:
            return self.quad_mm
        (left, near), (right, far) = self.outline_mm.min(axis=0), self.outline_mm.max(axis=0)
        return np.array([[left, near], [right, near], [right, far], [left, far]])

    @property
    def normal(self) -> Points:
        """Where its top looks to."""
        normal = np.array([*self.lean, 1.0])
        return np.asarray(normal / np.linalg.norm(normal))


def lifted(outline_mm: Outline, z_mm: float) -> Points:
    """A flat outline at a height."""
    return np.column_stack([outline_mm, np.full(len(outline_mm), z_mm)])


def tray_rim(corners_mm: Outline, base_mm: float, height_mm: float, width_mm: float, colour: Colour) -> list[Solid]:
    """The raised frame of a tray, as four bars along the inside of its corners (clockwise)."""
    inner = corners_mm + (corners_mm.mean(axis=0) - corners_mm) * (2 * width_mm / np.ptp(corners_mm, axis=0).min())
    ends = [(corners_mm[i], corners_mm[(i + 1) % 4], inner[(i + 1) % 4], inner[i]) for i in range(4)]
    return [Solid(np.array(bar), base_mm, height_mm, colour, gloss=0.3, bevel_mm=width_mm * 0.2) for bar in ends]
