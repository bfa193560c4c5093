"""From linear light to the bytes of a photograph: lens, focus, sensor, tone and file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Picture
from hardware.tabletop.lens import Lens

NOISE_PX = 512
"""Noise is drawn once in a square of this side and laid over the picture shifted."""


@dataclass(frozen=True, slots=True)
class Film:
    """What camera and file do to a picture."""

    exposure: float = 1.0
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    blur_px: float = 0.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0
    contrast: float = 0.0
    """0 keeps tones as they are, 1 bends them into a strong S."""
    saturation: float = 1.0
    black: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 92


def develop(picture: Picture, lens: Lens, film: Film, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The photograph as bytes, blue first."""
    if lens.k1 or lens.k2:
        map_x, map_y = lens.distortion_maps()
        picture = _floats(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    if film.blur_px > 0.2:
        picture = _floats(cv2.GaussianBlur(picture, (0, 0), film.blur_px))
    if max(map(abs, film.motion_px)) > 0.7:
        picture = _floats(cv2.filter2D(picture, -1, _streak(film.motion_px)))
    picture *= np.asarray(film.white_balance, np.float32) * np.float32(film.exposure)
    if film.vignette:
        picture *= _falloff(picture.shape, film.vignette)
    np.maximum(picture, 0, out=picture)
    np.sqrt(picture, out=picture)
    photo = np.clip(picture * 255, 0, 255).astype(np.uint8)
    photo = _bytes(cv2.LUT(photo, _tone(film)))
    if film.saturation != 1.0:
        grey = cv2.cvtColor(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        photo = _bytes(cv2.addWeighted(photo, film.saturation, grey, 1 - film.saturation, 0))
    if film.sharpen:
        soft = cv2.GaussianBlur(photo, (0, 0), 1.2)
        photo = _bytes(cv2.addWeighted(photo, 1 + film.sharpen, soft, -film.sharpen, 0))
    if film.noise:
        photo = _with_noise(photo, film.noise, rng)
    return photo


def _floats(picture: NDArray[Any]) -> Picture:
    return np.asarray(picture, np.float32)


def _bytes(picture: NDArray[Any]) -> NDArray[np.uint8]:
    return np.asarray(picture, np.uint8)


def encode(photo: NDArray[np.uint8], film: Film) -> bytes:
    """The photograph as a JPEG file."""
    _, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, film.jpeg])
    return bytes(data)


def _falloff(shape: tuple[int, ...], vignette: float) -> Picture:
    """How much light reaches each pixel: less towards the corners."""
    height, width = shape[:2]
    y, x = np.mgrid[-1:1:36j, -1:1:64j].astype(np.float32)
    falloff = 1 - vignette * ((x * width / height) ** 2 + y**2) / (1 + (width / height) ** 2)
    return np.asarray(cv2.resize(falloff, (width, height))[:, :, None], np.float32)


def _tone(film: Film) -> NDArray[np.uint8]:
    x = np.linspace(0, 1, 256)
    bent = x + film.contrast * 0.5 * (x * x * (3 - 2 * x) - x) * 2
    return np.clip((film.black + (1 - film.black) * bent) * 255, 0, 255).astype(np.uint8)


def _streak(motion_px: tuple[float, float]) -> NDArray[np.float32]:
    reach = int(np.ceil(max(map(abs, motion_px)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for step in np.linspace(-0.5, 0.5, 4 * reach + 1):
        x, y = reach + motion_px[0] * step, reach + motion_px[1] * step
        kernel[round(y), round(x)] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


def _with_noise(photo: NDArray[np.uint8], strength: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    height, width = photo.shape[:2]
    grain = rng.standard_normal((NOISE_PX, NOISE_PX, 3)).astype(np.float32)
    grain = 0.7 * grain + 0.5 * cv2.GaussianBlur(grain, (0, 0), 1.0) * 2
    tiles = (height // NOISE_PX + 2, width // NOISE_PX + 2, 1)
    top, left = rng.integers(0, NOISE_PX, 2)
    sheet = np.tile((grain * strength).astype(np.int8), tiles)[top : top + height, left : left + width]
    return np.asarray(cv2.add(photo, sheet, dtype=cv2.CV_8U), np.uint8)
