"""Where flat things lie in a picture: homographies, and what height does to them.

Points are (n, 2) float64. A surface's own frame is in millimetres, x to the right and y down as its owner sees it;
pixels are of the picture, x to the right and y down. Heights are above the surface's face, towards the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

USUAL_FOCAL = 0.8
"""The focal length of phones and of the Pi's cameras, as a share of the picture's longer side."""
FOCAL_SPREAD = 0.25
"""How far (natural logarithm, one standard deviation) cameras stray from it."""
NOTED_SPREAD = 0.08
"""How far a camera's own note of its focal length is off: zoomed or cropped pictures often keep the old one."""
SQUARE_NOISE = 0.012
"""How exactly a located board's homography keeps right angles and equal sides, as one standard deviation."""
_FOCALS = np.exp(np.linspace(np.log(0.35), np.log(3.0), 87))


@dataclass(frozen=True)
class Pose:
    """Where a surface lies: the homography from its face to pixels, and what each millimetre of height adds."""

    homography: Array
    rise: Array
    """What a millimetre of height adds to the homography's last column."""

    def at(self, height_mm: float) -> Array:
        """The homography of the plane this high above the face."""
        lifted = self.homography.copy()
        lifted[:, 2] += height_mm * self.rise
        return lifted

    def project(self, points_mm: Array, height_mm: float = 0.0) -> Array:
        """The pixels of points this high above the face."""
        return transform(self.at(height_mm), points_mm)


def transform(homography: Array, points: Array) -> Array:
    """Points sent through a homography."""
    sent = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(sent[:, :2] / sent[:, 2:])


def inverse(homography: Array) -> Array:
    """The homography back."""
    return np.asarray(np.linalg.inv(homography), np.float64)


def rectangle(width: float, height: float) -> Array:
    """The corners of a surface in its own frame, in the order of `corners_px`."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def homography_of(corners_px: Array, width_mm: float, height_mm: float) -> Array:
    """The homography from a surface's millimetres to the pixels of its four corners."""
    corners_mm = rectangle(width_mm, height_mm).astype(np.float32)
    found = cv2.getPerspectiveTransform(corners_mm, corners_px.astype(np.float32))
    return np.asarray(found, np.float64)


def pose_of(homography: Array, focal_px: float, size_px: tuple[int, int]) -> Pose:
    """The pose that belongs to a homography in a picture (width, height) taken with this focal length."""
    camera = camera_of(focal_px, size_px)
    right, down = (inverse(camera) @ homography[:, :2]).T
    # Towards the camera is against the cross product: x to the right and y down make a third axis into the table.
    up = -np.cross(right, down)
    up *= np.sqrt(np.linalg.norm(right) * np.linalg.norm(down)) / np.linalg.norm(up)
    # A homography has no sign of its own; the surface's origin lies in front of the camera.
    if homography[2] @ (0.0, 0.0, 1.0) < 0:
        up = -up
    return Pose(homography, camera @ up)


def camera_of(focal_px: float, size_px: tuple[int, int]) -> Array:
    """The camera of a picture (width, height): from directions in its own frame to pixels."""
    x, y = (np.array(size_px) - 1) / 2
    return np.array([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]])


def estimate_focal(homographies: Sequence[Array], size_px: tuple[int, int], noted_px: float | None = None) -> float:
    """The focal length in pixels that makes surfaces most nearly rectangular, weighed against what was noted.

    Seen from straight above every focal length does, and the noted one, or the usual one, is the answer.
    """
    return float(_FOCALS[int(np.argmin(focal_costs(homographies, size_px, noted_px)))] * max(size_px))


def focal_costs(homographies: Sequence[Array], size_px: tuple[int, int], noted_px: float | None = None) -> Array:
    """How unlikely (natural logarithm) each focal length is, by what was noted and how square it makes surfaces."""
    focals = _FOCALS * max(size_px)
    expected, spread = (noted_px, NOTED_SPREAD) if noted_px else (USUAL_FOCAL * max(size_px), FOCAL_SPREAD)
    cost = 0.5 * (np.log(focals / expected) / spread) ** 2
    centre = (np.array(size_px) - 1) / 2
    for homography in homographies:
        plain = homography.copy()
        plain[:2] -= centre[:, None] * homography[2]
        sides = plain[None, :, :2].repeat(len(focals), axis=0)
        sides[:, :2] /= focals[:, None, None]
        right, down = sides[:, :, 0], sides[:, :, 1]
        squares = (right**2).sum(1), (down**2).sum(1)
        skew = (right * down).sum(1) / np.sqrt(squares[0] * squares[1])
        stretch = 0.5 * np.log(squares[0] / squares[1])
        cost = cost + 0.5 * (skew**2 + stretch**2) / SQUARE_NOISE**2
    return np.asarray(cost)


def join(homographies: Sequence[Array], width_mm: float, height_mm: float) -> Array:
    """One homography for the whole table, from the frame of the first surface, that fits equal surfaces lying on it."""
    if len(homographies) == 1:
        return homographies[0]
    # In units of a surface all that is sought is of one order.
    unit = np.diag([max(width_mm, height_mm)] * 2 + [1.0])
    corners = rectangle(width_mm, height_mm) / unit[0, 0]
    first = homographies[0] @ unit
    seen = np.array([transform(homography @ unit, corners) for homography in homographies])
    laid = rigid(corners, transform(inverse(first), seen[1:].reshape(-1, 2)).reshape(-1, 4, 2))
    (ax, ay), (bx, by) = corners[1] - corners[0], (laid[:, 1] - laid[:, 0]).T
    turns = np.arctan2(by * ax - bx * ay, bx * ax + by * ay)
    found = np.concatenate([(first / first[2, 2]).ravel()[:8], np.column_stack([turns, laid[:, 0]]).ravel()])
    off, slopes = _joint(found, corners, seen)
    damping = 1e-3
    for _ in range(ROUNDS_TO_JOIN):
        squares = slopes.T @ slopes
        step = np.linalg.solve(squares + damping * np.diag(np.diag(squares)), -slopes.T @ off)
        next_off, next_slopes = _joint(found + step, corners, seen)
        if next_off @ next_off > off @ off:
            damping *= 10
            continue
        gained = 1 - float(next_off @ next_off) / max(float(off @ off), 1e-12)
        found, off, slopes, damping = found + step, next_off, next_slopes, damping / 10
        if gained < JOINED:
            break
    return np.asarray(np.append(found[:8], 1.0).reshape(3, 3) @ inverse(unit))


ROUNDS_TO_JOIN = 30
JOINED = 1e-4
"""What is gained by less than this share of the squared error is not worth another round."""


def _joint(found: Array, corners: Array, seen: Array) -> tuple[Array, Array]:
    """How far surfaces' corners, (n, 4, 2), are from where a table and places on it put them, and how that changes.

    What is found: eight numbers of the table's homography, then turn, x and y of all surfaces but the first, whose
    first corner is the origin.
    """
    places = np.vstack([np.zeros(3), found[8:].reshape(-1, 3)])
    cos, sin = np.cos(places[:, :1]), np.sin(places[:, :1])
    x = corners[:, 0] * cos - corners[:, 1] * sin + places[:, 1:2]
    y = corners[:, 0] * sin + corners[:, 1] * cos + places[:, 2:]
    a, b, c, d, e, f, g, h = found[:8]
    depth = g * x + h * y + 1
    u, v = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
    slopes = np.zeros((*x.shape, 2, len(found)))
    for row, (value, rise, run) in enumerate(((u, a, b), (v, d, e))):
        slopes[..., row, 3 * row] = x / depth
        slopes[..., row, 3 * row + 1] = y / depth
        slopes[..., row, 3 * row + 2] = 1 / depth
        slopes[..., row, 6], slopes[..., row, 7] = -value * x / depth, -value * y / depth
        by_x, by_y = (rise - value * g) / depth, (run - value * h) / depth
        for i in range(1, len(places)):
            slopes[i, :, row, 5 + 3 * i] = (places[i, 2] - y[i]) * by_x[i] + (x[i] - places[i, 1]) * by_y[i]
            slopes[i, :, row, 6 + 3 * i], slopes[i, :, row, 7 + 3 * i] = by_x[i], by_y[i]
    return (np.stack([u, v], axis=2) - seen).ravel(), slopes.reshape(-1, len(found))


def rigid(corners: Array, near: Array, seen: NDArray[np.bool_] | None = None) -> Array:
    """A rectangle moved and turned, never stretched, to lie as near as it can to four points, for each four of them.

    Corners that are not seen do not count, as long as two are.
    """
    counted = seen if seen is not None and seen.sum() > 1 else np.ones(4, bool)
    goal = near[:, counted].mean(axis=1, keepdims=True)
    middle = corners[counted].mean(axis=0)
    (ax, ay), (bx, by) = (corners - middle)[counted].T, (near - goal)[:, counted].transpose(2, 0, 1)
    along, across = (bx * ax + by * ay).sum(axis=1), (by * ax - bx * ay).sum(axis=1)
    cos, sin = np.array([along, across]) / np.hypot(along, across)
    return np.asarray((corners - middle) @ np.array([[cos, sin], [-sin, cos]]).transpose(2, 0, 1) + goal)
