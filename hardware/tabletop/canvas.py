"""A picture in linear light, and how faces are painted into it.

Pictures are (height, width, 3) float32, blue first, 1.0 being white paper in plain light. Outlines are (n, 2) float64
in pixels of the pinhole picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Mask = NDArray[np.uint8]
Outline = NDArray[np.float64]

SUBPIXEL_BITS = 4
GAMMA = 2.0
"""Close enough to what screens do, and its root is quick to take of millions of pixels."""


def linear(picture: NDArray[np.uint8]) -> Picture:
    """A picture of ordinary bytes in linear light."""
    table = (np.arange(256, dtype=np.float32) / 255) ** GAMMA
    return np.asarray(table[picture], np.float32)


def linear_colour(red: float, green: float, blue: float) -> NDArray[np.float32]:
    """An ordinary colour (0 to 255) in linear light, blue first."""
    return np.asarray((np.array([blue, green, red]) / 255) ** GAMMA, np.float32)


@dataclass
class Texture:
    """A flat picture with its smaller copies, so that it is never sampled more coarsely than it is drawn."""

    picture: Picture

    @cached_property
    def levels(self) -> list[Picture]:
        """The picture, halved again and again."""
        levels = [self.picture]
        while min(levels[-1].shape[:2]) > 8:
            height, width = levels[-1].shape[:2]
            half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            levels.append(np.asarray(half, np.float32))
        return levels

    def fitting(self, extent_px: float) -> Picture:
        """The copy to draw so many pixels large."""
        ratio = max(self.picture.shape[:2]) / max(extent_px, 1.0)
        level = int(np.clip(np.floor(np.log2(max(ratio, 1.0))), 0, len(self.levels) - 1))
        return self.levels[level]


def box_of(outline: Outline, shape: tuple[int, ...], margin: int = 2) -> tuple[int, int, int, int] | None:
    """The pixels around an outline inside a picture: left, top, right, bottom; None where there are none."""
    left, top = np.floor(outline.min(axis=0)).astype(int) - margin
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + margin + 1
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, shape[1]), min(bottom, shape[0])
    return (int(left), int(top), int(right), int(bottom)) if left < right and top < bottom else None


def fill(mask: Mask, outline: Outline, value: int = 255) -> None:
    """Fill a convex outline with soft edges."""
    points = np.round(outline * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, value, cv2.LINE_AA, SUBPIXEL_BITS)


def paint(canvas: Picture, outline: Outline, colour: NDArray[np.float32], alpha: float = 1.0) -> None:
    """Paint a convex face in one colour."""
    if box := box_of(outline, canvas.shape):
        cover = _cover(outline, box, alpha)
        region = canvas[box[1] : box[3], box[0] : box[2]]
        region += cover * (colour - region)


def paint_texture(
    canvas: Picture, outline: Outline, texture: Texture, quad: Outline, shade: NDArray[np.float32]
) -> None:
    """Paint a convex face with a texture whose corners lie on a quad, each light channel shaded."""
    box = box_of(outline, canvas.shape)
    if box is None:
        return
    extent = float(np.sqrt(abs(_area(quad))))
    picture = texture.fitting(extent)
    height, width = picture.shape[:2]
    corners = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])
    target = quad - (box[0], box[1])
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    size = (box[2] - box[0], box[3] - box[1])
    drawn = cv2.warpPerspective(picture, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    region = canvas[box[1] : box[3], box[0] : box[2]]
    region += _cover(outline, box, 1.0) * (drawn * shade - region)


def _cover(outline: Outline, box: tuple[int, int, int, int], alpha: float) -> Picture:
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    fill(mask, outline - (box[0], box[1]))
    return np.asarray(mask[:, :, None] * np.float32(alpha / 255), np.float32)


def _area(outline: Outline) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
