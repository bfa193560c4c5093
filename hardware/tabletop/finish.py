"""From linear light to the bytes of a photograph: lens, focus, sensor, tone and file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Picture
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.tiers import Tier

NOISE_PX = 512
"""Noise is drawn once in a square of this side and laid over pictures shifted and mirrored."""
COARSE_PX = 16
METERED = 0.48
"""How light a picture, dark and bright parts together, cameras try to make."""
HEADROOM = 1.2
"""How much brighter than white, in bytes' own tones, light may be and still be rounded off."""
KNEE = 0.75
"""From where on bright tones are rounded off."""


@dataclass(frozen=True, slots=True)
class Film:
    """What camera and file do to a picture."""

    exposure: float = 1.0
    metering: float = 0.0
    """How far the camera has made up for a dark or bright picture: 0 not at all, 1 wholly."""
    local: float = 0.0
    """How far it has lifted dark parts and held back bright ones, as phones do."""
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    blur_px: float = 0.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0
    contrast: float = 0.0
    """0 keeps tones as they are, 1 bends them into a strong S."""
    bend: float = 1.0
    """Less than 1 lightens the middle tones, more darkens them."""
    shoulder: float = 0.0
    """0 cuts off what is too bright, 1 rounds it off."""
    black: float = 0.0
    """More than 0 is a veil over dark tones, less swallows them."""
    split: tuple[float, float] = (0.0, 0.0)
    """How much bluer dark tones are, and how much redder light ones."""
    saturation: float = 1.0
    hue_deg: float = 0.0
    sharpen: float = 0.0
    sharpen_px: float = 1.2
    jpeg: int = 92


def draw_film(tier: Tier, rng: np.random.Generator) -> Film:
    """What this camera does to pictures; it has balanced the light's colour about right."""
    motion = float(rng.uniform(*tier.motion_px))
    bearing = float(rng.uniform(0, np.pi))
    taste = tier.taste
    balance = 1 + rng.normal(0, 0.03 + 0.05 * taste, 3)
    phone = rng.random() < 0.5 * taste
    return Film(
        exposure=float(rng.uniform(0.75, 1.2)),
        metering=float(rng.uniform(0, 0.7)),
        local=float(rng.uniform(0.1, 0.45)) if phone else 0.0,
        white_balance=(float(balance[0]), float(balance[1]), float(balance[2])),
        vignette=float(rng.uniform(0, 0.5)),
        blur_px=float(rng.uniform(*tier.blur_px)),
        motion_px=(motion * float(np.cos(bearing)), motion * float(np.sin(bearing))),
        noise=float(rng.uniform(*tier.noise)),
        contrast=float(rng.uniform(*tier.contrast)),
        bend=float(np.exp(rng.normal(0, 0.12 * taste))),
        shoulder=float(rng.uniform(0.3, 1.0)) if phone else float(rng.uniform(0, 0.4)),
        black=float(rng.uniform(-0.08 * taste, 0.09)),
        split=(float(rng.normal(0, 0.02 * taste)), float(rng.normal(0, 0.02 * taste))),
        saturation=float(rng.uniform(1 - 0.4 * taste, 1 + 0.4 * taste)),
        hue_deg=float(rng.normal(0, 4 * taste)),
        sharpen=float(rng.uniform(0, 1.2 if phone else 0.6)),
        sharpen_px=float(rng.uniform(0.8, 1.2 + 1.2 * taste)),
        jpeg=int(rng.integers(tier.jpeg[0], tier.jpeg[1] + 1)),
    )


def develop(picture: Picture, lens: SimulatedLens, film: Film, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The photograph as bytes, blue first."""
    if lens.k1 or lens.k2:
        map_x, map_y = lens.distortion_maps()
        picture = _floats(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    if film.blur_px > 0.2:
        picture = _floats(cv2.GaussianBlur(picture, (0, 0), film.blur_px))
    if max(map(abs, film.motion_px)) > 0.7:
        picture = _floats(cv2.filter2D(picture, -1, _streak(film.motion_px)))
    cv2.multiply(picture, _gain(picture, film), picture)
    np.maximum(picture, 0, out=picture)
    np.sqrt(picture, out=picture)
    photo = _bytes(cv2.convertScaleAbs(picture, alpha=255 / HEADROOM))
    photo = _bytes(cv2.LUT(photo, _tone(film)))
    if film.saturation != 1.0 or film.hue_deg:
        photo = _bytes(cv2.transform(photo, _colour_matrix(film)))
    if film.sharpen:
        soft = cv2.GaussianBlur(photo, (0, 0), film.sharpen_px)
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


def _gain(picture: Picture, film: Film) -> Picture:
    """What each pixel is multiplied by: exposure, colour balance, falloff to the corners, local tones.

    All of it changes slowly, so it is worked out for one pixel in `COARSE_PX` each way.
    """
    height, width = picture.shape[:2]
    step = min(COARSE_PX, height, width)
    coarse = np.maximum(picture[step // 2 :: step, step // 2 :: step].mean(axis=2), 0)
    level = float(np.sqrt(coarse).mean()) + 0.02
    metered = float(np.clip((METERED / level) ** (2 * film.metering), 0.45, 2.6))
    rows, columns = coarse.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j].astype(np.float32)
    gain = 1 - film.vignette * ((x * width / height) ** 2 + y**2) / (1 + (width / height) ** 2)
    if film.local:
        soft = cv2.GaussianBlur(coarse, (0, 0), max(rows / 16, 0.5))
        gain *= np.clip(((level**2 + 0.03) / (soft + 0.03)) ** film.local, 0.5, 2.2)
    gain = gain[:, :, None] * np.asarray(film.white_balance) * (film.exposure * metered)
    return _floats(cv2.resize(gain.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))


def _tone(film: Film) -> NDArray[np.uint8]:
    """The bytes that bytes become, (256, 1, 3), blue first."""
    x = np.linspace(0, HEADROOM, 256)
    round_off = np.where(x > KNEE, KNEE + (1 - KNEE) * (1 - np.exp(-(x - KNEE) / (1 - KNEE))), x)
    x = np.clip(x + film.shoulder * (round_off - x), 0, 1) ** film.bend
    bent = x + film.contrast * (x * x * (3 - 2 * x) - x)
    toned = film.black + (1 - film.black) * bent
    blue, red = film.split[0] * (1 - x), film.split[1] * x
    channels = np.stack([toned + blue - red, toned, toned + red - blue], axis=1)
    return np.clip(channels * 255, 0, 255).astype(np.uint8)[:, None]


def _colour_matrix(film: Film) -> NDArray[np.float32]:
    """Saturation and a turn of all hues about grey; greys stay."""
    grey = np.tile(np.array([0.114, 0.587, 0.299]), (3, 1))
    turn = np.radians(film.hue_deg)
    axis = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) / np.sqrt(3)
    turned = np.cos(turn) * np.eye(3) + np.sin(turn) * axis + (1 - np.cos(turn)) / 3
    return np.asarray(grey + film.saturation * (np.eye(3) - grey) @ turned, np.float32)


def _streak(motion_px: tuple[float, float]) -> NDArray[np.float32]:
    reach = int(np.ceil(max(map(abs, motion_px)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for step in np.linspace(-0.5, 0.5, 4 * reach + 1):
        x, y = reach + motion_px[0] * step, reach + motion_px[1] * step
        kernel[round(y), round(x)] += 1
    return np.asarray(kernel / kernel.sum(), np.float32)


def _with_noise(photo: NDArray[np.uint8], strength: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    height, width = photo.shape[:2]
    top, left = rng.integers(0, NOISE_PX, 2)
    turned = _grain()[:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]
    noise = (turned * np.float32(strength)).astype(np.int8)
    sheet = cv2.repeat(noise, height // NOISE_PX + 2, width // NOISE_PX + 2)[top : top + height, left : left + width]
    return np.asarray(cv2.add(photo, sheet, dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=1)
def _grain() -> Picture:
    """The same noise for all pictures, since each lays it differently."""
    grain = np.random.default_rng(5).standard_normal((NOISE_PX, NOISE_PX, 3)).astype(np.float32)
    return _floats(0.7 * grain + cv2.GaussianBlur(grain, (0, 0), 1.0))
