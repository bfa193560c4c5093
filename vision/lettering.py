"""Texts over pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.rectify import Picture

SMALLEST_PX = 9.0
"""A smaller text is a smudge."""
HALO = 0.14
"""How wide the edge around letters is, of their size."""
PAD = 0.3
"""What a box has around its text, of the letters' size."""


@dataclass(frozen=True)
class Label:
    """A text with its middle at a place; colours are blue first. A boxed one stays within the picture."""

    text: str
    place_px: tuple[float, float]
    size_px: float
    colour: tuple[int, int, int]
    halo: tuple[int, int, int]
    boxed: bool = False


def write(picture: Picture, labels: Iterable[Label]) -> Picture:
    """The picture with its texts."""
    image = Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1]))
    pen = ImageDraw.Draw(image, "RGBA")
    for label in labels:
        if label.text:
            _write(pen, label, image.size)
    return np.ascontiguousarray(np.asarray(image)[:, :, ::-1])


def _write(pen: ImageDraw.ImageDraw, label: Label, size_px: tuple[int, int]) -> None:
    size = max(label.size_px, SMALLEST_PX)
    font, (x, y) = _font(round(size)), label.place_px
    colour, halo = label.colour[::-1], label.halo[::-1]
    if not label.boxed:
        width = max(1, round(HALO * size))
        pen.text((x, y), label.text, colour, font, anchor="mm", stroke_width=width, stroke_fill=halo)
        return
    half_wide, half_high = font.getlength(label.text) / 2 + PAD * size, (0.5 + PAD) * size
    x = float(np.clip(x, half_wide, max(size_px[0] - half_wide, half_wide)))
    y = float(np.clip(y, half_high, max(size_px[1] - half_high, half_high)))
    box = (x - half_wide, y - half_high, x + half_wide, y + half_high)
    pen.rounded_rectangle(box, radius=0.35 * size, fill=(*halo, BOX_OPACITY))
    pen.text((x, y), label.text, colour, font, anchor="mm")


BOX_OPACITY = 215


@lru_cache
def _font(size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    # Pillow brings its own type, so that pictures look the same on every machine.
    return ImageFont.load_default(size_px)
