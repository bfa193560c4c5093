"""A picture in linear light, and how faces are painted into it.

Pictures are (height, width, 3) float32, blue first, 1.0 being white paper in plain light. Outlines are (n, 2) float64
in pixels of the pinhole picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, log2, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Mask = NDArray[np.uint8]
Outline = NDArray[np.float64]

SUBPIXEL_BITS = 4
EVEN_GLOW = 0.02
"""Light that differs less over a face is the same all over it."""
GLOW_PX = 16
SMALLEST_PX = 8
"""A texture is not halved further than to about this."""
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

    made: Picture | Callable[[], Picture]
    """The picture, or what makes it when it is first looked at."""

    @cached_property
    def picture(self) -> Picture:
        """The picture in full size."""
        return self.made() if callable(self.made) else self.made

    @cached_property
    def _levels(self) -> list[Picture]:
        """The picture, halved as often as was asked for."""
        return [self.picture]

    def fitting(self, extent_px: float) -> Picture:
        """The copy to draw so many pixels large."""
        ratio = max(self.picture.shape[:2]) / max(extent_px, 1.0)
        level = floor(log2(max(ratio, 1.0)))
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) > SMALLEST_PX:
            height, width = self._levels[-1].shape[:2]
            half = cv2.resize(self._levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.float32))
        return self._levels[min(level, len(self._levels) - 1)]


def box_of(outline: Outline, shape: tuple[int, ...], margin: int = 2) -> tuple[int, int, int, int] | None:
    """The pixels around an outline inside a picture: left, top, right, bottom; None where there are none."""
    # Outlines have few points: plain numbers are quicker here than arrays.
    x, y = outline.T.tolist()
    left, top = max(floor(min(x)) - margin, 0), max(floor(min(y)) - margin, 0)
    right, bottom = min(ceil(max(x)) + margin + 1, shape[1]), min(ceil(max(y)) + margin + 1, shape[0])
    return (left, top, right, bottom) if left < right and top < bottom else None


def fill(mask: Mask, outline: Outline, value: int = 255) -> None:
    """Fill a convex outline with soft edges."""
    cv2.fillConvexPoly(mask, _fine(outline), value, cv2.LINE_AA, SUBPIXEL_BITS)


def paint(canvas: Picture, outline: Outline, colour: NDArray[np.float32], alpha: float = 1.0) -> None:
    """Paint a convex face in one colour."""
    if box := box_of(outline, canvas.shape):
        region = canvas[box[1] : box[3], box[0] : box[2]]
        painted = np.empty_like(region)
        painted[:] = colour
        _blend(region, painted, _mask(outline, box), alpha)


def paint_faces(canvas: Picture, outlines: NDArray[np.float64], colours: NDArray[np.float32]) -> None:
    """Paint convex faces (n, corners, 2), each in its colour (n, 3): softly against what is there, not among them."""
    if not len(outlines) or (box := box_of(outlines.reshape(-1, 2), canvas.shape)) is None:
        return
    region = canvas[box[1] : box[3], box[0] : box[2]]
    painted = region.copy()
    mask = np.zeros(region.shape[:2], np.uint8)
    faces = [*zip(_fine(outlines - (box[0], box[1])), colours.tolist(), strict=True)]
    for points, colour in faces:
        # Colour past the edge too, for the mask to fade: without it edges have steps.
        cv2.polylines(painted, [points], True, colour, 2, cv2.LINE_8, SUBPIXEL_BITS)
    for points, colour in faces:
        cv2.fillConvexPoly(painted, points, colour, cv2.LINE_8, SUBPIXEL_BITS)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, SUBPIXEL_BITS)
    _blend(region, painted, mask)


def paint_texture(
    canvas: Picture,
    outline: Outline,
    texture: Texture,
    quad: Outline,
    shade: NDArray[np.float32],
    glow: NDArray[np.float32],
) -> None:
    """Paint a convex face with a texture whose corners lie on a quad, shaded, with the glow (4, 3) of the corners."""
    box = box_of(outline, canvas.shape)
    if box is None:
        return
    extent = sqrt(cv2.contourArea(quad.astype(np.float32)))
    picture = texture.fitting(extent)
    height, width = picture.shape[:2]
    corners = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])
    target = quad - (box[0], box[1])
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32))
    size = (box[2] - box[0], box[3] - box[1])
    drawn = cv2.warpPerspective(picture, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    region = canvas[box[1] : box[3], box[0] : box[2]]
    # What lies flat is painted in plain light: nothing is to be done for the largest faces.
    if (shade != 1).any():
        drawn = cv2.multiply(drawn, np.append(shade, 0).astype(np.float64))
    if (np.ptp(glow, axis=0) > EVEN_GLOW).any():
        drawn = cv2.add(drawn, _spread_glow(glow, target, size))
    elif glow.any():
        drawn = cv2.add(drawn, np.append(glow.mean(axis=0), 0).astype(np.float64))
    _blend(region, np.asarray(drawn, np.float32), _mask(outline, box))


def _spread_glow(glow: NDArray[np.float32], quad: Outline, size: tuple[int, int]) -> Picture:
    """Light given at the corners of a quad, over a picture."""
    grid = cv2.resize(glow[[0, 1, 3, 2]].reshape(2, 2, 3), (GLOW_PX, GLOW_PX), interpolation=cv2.INTER_LINEAR)
    # When a picture of two by two is made larger, its corners lie a quarter of the way in.
    low, high = GLOW_PX / 4 - 0.5, 3 * GLOW_PX / 4 - 0.5
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    transform = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    return np.asarray(cv2.warpPerspective(grid, transform, size, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _fine(outline: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as OpenCV takes fractions of them."""
    return np.rint(outline * (1 << SUBPIXEL_BITS)).astype(np.int32)


def _mask(outline: Outline, box: tuple[int, int, int, int]) -> Mask:
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    fill(mask, outline - (box[0], box[1]))
    return mask


def _blend(region: Picture, painted: Picture, mask: Mask, alpha: float = 1.0) -> None:
    """Lay what is painted over a region, where the mask has it."""
    cover = mask * np.float32(alpha / 255)
    cv2.blendLinear(painted, region, cover, 1 - cover, region)
