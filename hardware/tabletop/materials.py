"""Table tops and mats, made of noise."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Picture, Texture, linear_colour
from hardware.tabletop.scene import Ground
from hardware.tabletop.solids import Solid

Rng = np.random.Generator
TEXTURE_PX = 512
SHEETS = 4
"""So many sheets of noise of each kind are drawn, and laid shifted and mirrored."""
GRAIN_PX = 256


def ground(rng: Rng, gloss: float) -> tuple[Ground, list[Solid]]:
    """A table of some material, and the mats on it."""
    maker = _MAKERS[int(rng.integers(len(_MAKERS)))]
    texture, tile_mm, shine = maker(rng)
    half = np.array([float(rng.uniform(620, 1100)), float(rng.uniform(560, 900))])
    if rng.random() < 0.35:
        angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
        outline = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * half * 1.15
    else:
        outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    floor = linear_colour(*np.clip(rng.uniform(25, 140) + rng.normal(0, 12, 3), 5, 200)) * 0.6
    made = Ground(Texture(texture), tile_mm, outline, floor, gloss * shine, float(rng.uniform(0.05, 0.35)))
    return made, [_mat(rng) for _ in range(int(rng.integers(0, 3)))]


def board_grain(rng: Rng) -> Texture | None:
    """The feel of this game's boards: linen, paper or smooth."""
    strength = float(rng.uniform(0.01, 0.09))
    kind = rng.random()
    if kind < 0.3:
        return None
    tone = rng.standard_normal((GRAIN_PX, GRAIN_PX)).astype(np.float32)
    if kind < 0.65:
        # Threads change along their length, and repeat where the texture does.
        threads = GRAIN_PX // int(rng.integers(4, 7))
        angles = np.arange(GRAIN_PX, dtype=np.float32) * (2 * np.pi * threads / GRAIN_PX)
        tone = 0.5 * tone + np.sin(angles)[:, None] + np.sin(angles)[None, :]
    else:
        tone = cv2.GaussianBlur(tone, (0, 0), float(rng.uniform(0.8, 1.6)), borderType=cv2.BORDER_REFLECT) * 2.5
    return Texture(np.asarray(np.clip(1 + strength * tone, 0.6, 1.4), np.float32))


def _mat(rng: Rng) -> Solid:
    middle = rng.uniform(-450, 450, 2)
    radius = float(rng.uniform(140, 200))
    if rng.random() < 0.5:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        outline = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * radius
    else:
        outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (radius, radius * 0.72)
    # Most mats are out of the picture: they are woven when one is seen.
    loom = np.random.default_rng(int(rng.integers(1 << 32)))
    weave = Texture(lambda: _cloth(loom)[0])
    quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * radius
    colour = linear_colour(*_muted(rng))
    return Solid(outline + middle, 0.0, 1.0, colour, weave, quad + middle)


def _wood(rng: Rng) -> tuple[Picture, float, float]:
    # Browns, from pale to nearly black, from grey to reddish: never green.
    red = rng.uniform(55, 225)
    green = red * rng.uniform(0.58, 0.88)
    base = np.array([green * rng.uniform(0.5, 0.95), green, red])
    grain = _stretched_noise(rng, (3, 90)) * 0.6 + _stretched_noise(rng, (1, 300)) * 0.4
    drift = np.linspace(0, 40, TEXTURE_PX, dtype=np.float32)[:, None]
    rings = np.sin(_stretched_noise(rng, (60, 400)) * 14 + drift)
    tone = 1 + 0.10 * grain + 0.06 * rings
    return _toned(base, tone), float(rng.uniform(380, 700)), 1.0


def _cloth(rng: Rng) -> tuple[Picture, float, float]:
    base = _muted(rng)
    steps = np.arange(TEXTURE_PX, dtype=np.float32)
    thread = np.sin(steps * np.float32(2 * np.pi / float(rng.integers(4, 9))))
    tone = 1 + np.outer(0.10 * thread, thread) + 0.05 * _stretched_noise(rng, (2, 2))
    if rng.random() < 0.35:
        odd = steps // (TEXTURE_PX / 8) % 2
        picture = _toned(base, tone)
        other = _toned(_muted(rng), tone)
        cv2.copyTo(other, np.not_equal.outer(odd, odd).astype(np.uint8), picture)
        return picture, float(rng.uniform(380, 600)), 0.05
    return _toned(base, tone), float(rng.uniform(180, 320)), 0.05


def _muted(rng: Rng) -> NDArray[np.float64]:
    """A colour of cloth: mostly quiet."""
    strength = 70 if rng.random() < 0.3 else 25
    return np.clip(rng.uniform(40, 215) + rng.uniform(-1, 1, 3) * strength, 15, 245)


def _plain(rng: Rng) -> tuple[Picture, float, float]:
    light = float(rng.uniform(120, 240)) if rng.random() < 0.7 else float(rng.uniform(20, 90))
    base = np.clip(light + rng.normal(0, 14, 3), 8, 250)
    tone = 1 + 0.015 * _stretched_noise(rng, (30, 30)) + 0.01 * _stretched_noise(rng, (2, 2))
    return _toned(base, tone), 600.0, 1.4


def _stone(rng: Rng) -> tuple[Picture, float, float]:
    base = rng.uniform(70, 210) + rng.normal(0, 10, 3)
    clouds = sum(_stretched_noise(rng, (s, s)) for s in (4, 16, 60)) / 2
    veins = np.exp(-np.abs(_stretched_noise(rng, (80, 80)) + 0.3 * _stretched_noise(rng, (12, 12))) * 14)
    tone = 1 + 0.08 * clouds - 0.25 * veins
    return _toned(base, np.asarray(tone, np.float32)), float(rng.uniform(500, 800)), 1.6


_MAKERS = (_wood, _wood, _cloth, _cloth, _plain, _plain, _stone)


def _toned(base: NDArray[np.float64], tone: NDArray[np.float32]) -> Picture:
    colour = (np.clip(base, 0, 255) / 255) ** 2
    tone = np.clip(tone, 0.05, 3)
    return np.asarray(cv2.merge([tone * np.float32(channel) for channel in colour]), np.float32)


def _stretched_noise(rng: Rng, scale: tuple[int, int]) -> NDArray[np.float32]:
    """Noise of about unit strength that changes over so many pixels down and across, and repeats at its edges."""
    sheet = _sheet(scale, int(rng.integers(SHEETS)))[:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]
    return np.roll(sheet, rng.integers(TEXTURE_PX, size=2), axis=(0, 1))


@lru_cache(maxsize=64)
def _sheet(scale: tuple[int, int], number: int) -> NDArray[np.float32]:
    rng = np.random.default_rng([*scale, number])
    rows, columns = max(2, TEXTURE_PX // scale[0]), max(2, TEXTURE_PX // scale[1])
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    wrapped = np.pad(coarse, 2, mode="wrap")
    down, across = TEXTURE_PX / rows, TEXTURE_PX / columns
    size = (round((columns + 4) * across), round((rows + 4) * down))
    whole = cv2.resize(wrapped, size, interpolation=cv2.INTER_CUBIC)
    top, left = round(2 * down), round(2 * across)
    return np.asarray(whole[top : top + TEXTURE_PX, left : left + TEXTURE_PX], np.float32)
