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
GRID_PX = 16
"""The bending of the lens is worked out for one pixel in so many, each way."""


@dataclass(frozen=True)
class SimulatedLens:
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
        seen = self.seen_mm(points_mm)
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal_px + self.matrix[:2, 2])

    def seen_mm(self, points_mm: Points) -> Points:
        """World points as the camera has them: to the right, down, and away."""
        return np.asarray((points_mm - np.asarray(self.eye_mm)) @ self._from_world)

    @cached_property
    def _from_world(self) -> NDArray[np.float64]:
        return np.asarray(self.rotation.T * np.array([[1.0], [1.0], [-1.0]]))

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
        return np.asarray(self.seen_mm(points_mm)[:, 2])

    def distortion_maps(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For every pixel of the photograph, the pinhole pixel it shows: the two maps of `cv2.remap`."""
        # The lens bends so gently that a coarse grid, scaled up, is exact to hundredths of a pixel.
        columns, rows = -(-self.width_px // GRID_PX) + 2, -(-self.height_px // GRID_PX) + 2
        x, y = np.meshgrid((np.arange(columns) - 0.5) * GRID_PX - 0.5, (np.arange(rows) - 0.5) * GRID_PX - 0.5)
        wanted = np.stack([x.ravel(), y.ravel()], axis=1)
        found = wanted.copy()
        for _ in range(5):
            found -= self.distort(found) - wanted
        return self._stretched(found[:, 0].reshape(rows, columns)), self._stretched(found[:, 1].reshape(rows, columns))

    def _stretched(self, grid: NDArray[np.float64]) -> NDArray[np.float32]:
        rows, columns = grid.shape
        size = (columns * GRID_PX, rows * GRID_PX)
        fine = cv2.resize(grid.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        # The outermost points lie around the picture, so that it is between points everywhere.
        return np.asarray(fine[GRID_PX : GRID_PX + self.height_px, GRID_PX : GRID_PX + self.width_px], np.float32)


def _down(points_mm: Points | tuple[float, float, float]) -> Points:
    return np.asarray(points_mm, float) * (1.0, 1.0, -1.0)
