"""The simulated camera's eye: a pinhole with lens distortion above a table in millimetres.

The world's x runs to the right and y towards the viewer's own edge of the table, as in a picture; heights are given as
`z_mm` above the table. Arrays of points are (n, 3) float64 in millimetres or (n, 2) in pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """Where the camera stands, where it looks, and how it draws."""

    width_px: int
    height_px: int
    focal_px: float
    eye_mm: tuple[float, float, float]
    target_mm: tuple[float, float, float]
    roll_deg: float = 0.0
    k1: float = 0.0
    k2: float = 0.0

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The 3x3 camera matrix."""
        return np.array(
            [[self.focal_px, 0, (self.width_px - 1) / 2], [0, self.focal_px, (self.height_px - 1) / 2], [0, 0, 1]]
        )

    @cached_property
    def rotation(self) -> NDArray[np.float64]:
        """World to camera; the world's third axis points down here, to be right-handed with y towards the viewer."""
        forward = _down(self.target_mm) - _down(self.eye_mm)
        forward /= np.linalg.norm(forward)
        right = np.cross(np.array([0.0, 1.0, 0.0]), forward)
        right /= np.linalg.norm(right)
        axes = np.stack([right, np.cross(forward, right), forward])
        roll = np.radians(self.roll_deg)
        turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
        return np.asarray(turn @ axes)

    def project(self, points_mm: Points) -> Points:
        """Pixels of world points as an ideal pinhole sees them."""
        seen = (_down(points_mm) - _down(self.eye_mm)) @ self.rotation.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.matrix[:2, 2])

    def photograph(self, points_mm: Points) -> Points:
        """Pixels of world points in the photograph, distortion included."""
        return self.distort(self.project(points_mm))

    def distort(self, points_px: Points) -> Points:
        """Where the lens moves pinhole pixels to."""
        centre = self.matrix[:2, 2]
        offset = (points_px - centre) / self.focal_px
        radius2 = (offset**2).sum(axis=1, keepdims=True)
        return np.asarray(offset * (1 + self.k1 * radius2 + self.k2 * radius2**2) * self.focal_px + centre)

    def plane_homography(self, z_mm: float) -> NDArray[np.float64]:
        """From millimetres on a plane of this height to pinhole pixels."""
        corners = np.array([[-500, -500, z_mm], [500, -500, z_mm], [500, 500, z_mm], [-500, 500, z_mm]], float)
        return cv2.getPerspectiveTransform(
            corners[:, :2].astype(np.float32), self.project(corners).astype(np.float32)
        ).astype(np.float64)

    def depth_mm(self, points_mm: Points) -> Points:
        """How far in front of the camera points are."""
        return np.asarray(((_down(points_mm) - _down(self.eye_mm)) @ self.rotation.T)[:, 2])

    def distortion_maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For every pixel of the photograph, the pinhole pixel it shows: the two maps of `cv2.remap`."""
        # The lens bends so gently that a coarse grid, scaled up, is exact to hundredths of a pixel.
        columns, rows = 65, 37
        x, y = np.meshgrid(np.linspace(0, self.width_px - 1, columns), np.linspace(0, self.height_px - 1, rows))
        wanted = np.stack([x.ravel(), y.ravel()], axis=1)
        found = wanted.copy()
        for _ in range(8):
            found -= self.distort(found) - wanted
        maps = []
        for axis in (0, 1):
            grid = found[:, axis].reshape(rows, columns).astype(np.float32)
            maps.append(_stretched(grid, self.width_px, self.height_px))
        return maps[0], maps[1]


def _down(points_mm: Points | tuple[float, float, float]) -> Points:
    return np.asarray(points_mm, float) * (1.0, 1.0, -1.0)


def _stretched(grid: NDArray[np.float32], width_px: int, height_px: int) -> NDArray[np.float32]:
    """A grid whose corners are corner pixels, stretched to the whole picture."""
    rows, columns = grid.shape
    across = np.linspace(0, columns - 1, width_px, dtype=np.float32)
    down = np.linspace(0, rows - 1, height_px, dtype=np.float32)
    x, y = np.meshgrid(across, down)
    return np.asarray(cv2.remap(grid, x, y, cv2.INTER_LINEAR), np.float32)
