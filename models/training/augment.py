"""What is varied anew each time a picture is learned from: light, tone, noise, blur, and what is in the way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Rng = np.random.Generator

_LUMA = np.array([0.114, 0.587, 0.299])


def recolour(picture: Bytes, rng: Rng, strength: float = 1.0) -> Bytes:
    """Another light, white balance, saturation, hue and tone; strong colours lighter or darker against greys."""
    mix = hue_turned(float(rng.normal(0, 0.12 * strength))) @ saturated(float(np.exp(rng.normal(0, 0.22 * strength))))
    mix = np.diag(np.exp(rng.normal(0, 0.12 * strength, 3))) @ mix * np.exp(rng.normal(0, 0.18 * strength))
    mixed = _vivid(cv2.transform(picture, mix), float(rng.normal(0, VIVID * strength)))
    return np.asarray(cv2.LUT(mixed, _curve(rng, strength)), np.uint8)


VIVID = 0.15
"""How much lighter the strongest colours are made (one standard deviation): inks differ in that, and so do films."""


def _vivid(picture: NDArray[Any], much: float) -> NDArray[Any]:
    """The picture with its colours, but not its greys, so much lighter or darker."""
    blue, green, red = cv2.split(picture)
    strength = cv2.subtract(cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red))
    gain = cv2.merge([cv2.LUT(strength, (1 + much * np.linspace(0, 1, 256)).astype(np.float32))] * 3)
    return cv2.multiply(picture, gain, dtype=cv2.CV_8U)


def hue_turned(turn: float) -> Array:
    """A turn about the grey axis."""
    axis = np.full(3, 3**-0.5)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * cross @ cross)


def saturated(factor: float) -> Array:
    """Colours this many times as strong."""
    return np.asarray(np.eye(3) * factor + (1 - factor) * np.tile(_LUMA, (3, 1)))


def _curve(rng: Rng, strength: float) -> Bytes:
    x = np.linspace(0, 1, 256)
    x = x ** np.exp(rng.normal(0, 0.22 * strength))
    bend = float(rng.uniform(-0.35, 0.6)) * strength
    x = x + bend * (x - x**2) * (2 * x - 1)
    low, high = float(rng.uniform(-0.03, 0.06)) * strength, 1 - float(rng.uniform(-0.06, 0.08)) * strength
    return np.clip((low + (high - low) * x) * 255, 0, 255).astype(np.uint8)


def roughen(picture: Bytes, rng: Rng) -> Bytes:
    """Blur, or a loss of pixels, or hard sharpening; and noise."""
    height, width = picture.shape[:2]
    rough = _softened(picture, rng)
    if rng.random() < 0.5:
        share = float(rng.exponential(4.0)) / GRAIN
        grain, flat = _grain(), rough.reshape(height, -1)
        top = int(rng.integers(0, grain.shape[0] - height + 1))
        left = int(rng.integers(0, grain.shape[1] - flat.shape[1] + 1))
        piece = grain[top : top + height, left : left + flat.shape[1]]
        rough = cv2.addWeighted(flat, 1, piece, share, -128 * share)
    return np.asarray(rough, np.uint8).reshape(height, width, 3)


def _softened(picture: Bytes, rng: Rng) -> NDArray[Any]:
    height, width = picture.shape[:2]
    way = rng.random()
    if way < 0.25:
        return cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3)))
    if way < 0.4:
        shrink = float(rng.uniform(0.45, 0.9))
        small = cv2.resize(picture, (round(width * shrink), round(height * shrink)), interpolation=cv2.INTER_AREA)
        return cv2.resize(small, (width, height))
    if way < 0.55:
        amount = float(rng.uniform(0.3, 1.2))
        return cv2.addWeighted(picture, 1 + amount, cv2.GaussianBlur(picture, (0, 0), 1.5), -amount, 0)
    return picture


GRAIN = 32.0
"""How strong the noise in store is; a new one for every picture would cost more than all else."""


@lru_cache(maxsize=1)
def _grain() -> Bytes:
    noise = np.random.default_rng(0).normal(128, GRAIN, (1024, 4096))
    return np.clip(noise, 0, 255).astype(np.uint8)


def shade(picture: Bytes, rng: Rng) -> Bytes:
    """A slope of light, and now and then a patch of glare."""
    height, width = picture.shape[:2]
    light = cv2.resize(1 + rng.normal(0, 0.12, (3, 3)).astype(np.float32), (width, height))
    lit = cv2.multiply(picture, cv2.merge([light] * 3), dtype=cv2.CV_8U)
    if rng.random() < 0.2:
        y, x = np.mgrid[0:16, 0:16] / 16
        away = ((x - rng.random()) ** 2 + (y - rng.random()) ** 2) / rng.uniform(0.05, 0.3) ** 2
        glare = cv2.resize((np.exp(-away) * rng.uniform(30, 160)).astype(np.uint8), (width, height))
        lit = cv2.add(lit, cv2.merge([glare] * 3))
    return np.asarray(lit, np.uint8)


def cut_off(picture: Bytes, middle: Array, bearing: float, far_px: float) -> Bytes:
    """The picture as if another's edge ran through it, so far from the middle: what lies beyond is black."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    beyond = (x - middle[0]) * np.cos(bearing) + (y - middle[1]) * np.sin(bearing) > far_px
    return np.asarray(np.where(beyond[..., None], 0, picture), np.uint8)


def overlaid(picture: Bytes, middle: Array, span_px: float, rng: Rng) -> Bytes:
    """The picture with something over it that comes in from beside, as arms and bottles do: soft-edged, shaded."""
    bearing = rng.uniform(0, 2 * np.pi)
    start = middle + span_px * np.array([np.cos(bearing), np.sin(bearing)])
    ends = [middle + rng.normal(0, 0.25, 2) * span_px]
    # Fingers end near each other.
    ends += [ends[0] + rng.normal(0, 0.12, 2) * span_px for _ in range(int(rng.integers(0, 4)))]
    colour = rng.uniform(30, 220) * np.exp(rng.normal(0, 0.35, 3))
    thing = np.clip(np.full(picture.shape, colour), 0, 255).astype(np.uint8)
    mask = np.zeros(picture.shape[:2], np.uint8)
    for i, end in enumerate(ends):
        thick = round(span_px * float(rng.uniform(0.15, 0.4) if i == 0 else rng.uniform(0.05, 0.12)))
        cv2.line(mask, _pixel(start if i == 0 else (start + 2 * ends[0]) / 3), _pixel(end), 255, max(1, thick))
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None] / 255
    return np.asarray(picture * (1 - soft) + shade(thing, rng) * soft, np.uint8)


def _pixel(place: Array) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))
