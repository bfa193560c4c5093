"""Ornaments of our own for tiles, boards and discs, drawn from circles and polygons.

A motif is drawn on a square (size, size) mask: 255 where its ink will be, 0 where not. `stamp` prints it in a colour.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ink = tuple[int, int, int]
Motif = Callable[[Bytes, Ink], None]

FINE = 4
"""Bits below a pixel in the coordinates that OpenCV draws with."""
SMALL_PX = 4096
"""Masks with fewer pixels are printed the simple way."""
FULL: Ink = (255, 255, 255)
NONE: Ink = (0, 0, 0)


def stamp(
    picture: Bytes, mask: Bytes, middle: tuple[float, float], ink: Ink, turn: float = 0.0, alpha: float = 1.0
) -> None:
    """Print a mask in one colour on a picture (blue first), its middle there, turned clockwise."""
    height, width = mask.shape
    if turn % 360:
        size = int(np.ceil(np.hypot(height, width)))
        matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -turn, 1.0)
        matrix[:, 2] += (size - width) / 2, (size - height) / 2
        mask = np.asarray(cv2.warpAffine(mask, matrix, (size, size), flags=cv2.INTER_LINEAR), np.uint8)
        height, width = mask.shape
    left, top = round(middle[0] - width / 2), round(middle[1] - height / 2)
    cut = mask[max(-top, 0) : picture.shape[0] - top, max(-left, 0) : picture.shape[1] - left]
    if not cut.size or left >= picture.shape[1] or top >= picture.shape[0]:
        return
    region = picture[max(top, 0) :, max(left, 0) :][: cut.shape[0], : cut.shape[1]]
    if cut.size < SMALL_PX:
        cover = cut[:, :, None] * np.float32(alpha / 255)
        region[:] = (region + cover * (np.array(ink, np.float32) - region) + 0.5).astype(np.uint8)
        return
    # Most of a large mask is blank or full.
    soft = (cut > 0) & (cut < 255) if alpha == 1.0 else cut > 0
    if alpha == 1.0:
        flat = np.empty_like(region, order="C")
        cv2.rectangle(flat, (0, 0), (flat.shape[1], flat.shape[0]), ink, -1)
        cv2.copyTo(flat, np.asarray(cut == 255, np.uint8), region)
    under = region[soft].astype(np.float32)
    cover = cut[soft][:, None] * np.float32(alpha / 255)
    region[soft] = (under + cover * (np.array(ink, np.float32) - under) + 0.5).astype(np.uint8)


def star(points: int, outer: float, inner: float, turn: float = 0.0) -> Motif:
    """A filled star; lengths in parts of the square's side."""

    def draw(picture: Bytes, ink: Ink) -> None:
        angles = np.pi * np.arange(2 * points) / points + np.radians(turn)
        radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
        _polygon(picture, radii, angles, ink)

    return draw


def rings(*radii: float, width: float = 0.03) -> Motif:
    """Circles about the middle."""

    def draw(picture: Bytes, ink: Ink) -> None:
        size = len(picture)
        for radius in radii:
            _circle(picture, 0.5, 0.5, radius, ink, max(1, round(width * size)))

    return draw


def dots(count: int, radius: float, dot: float) -> Motif:
    """A wreath of dots."""

    def draw(picture: Bytes, ink: Ink) -> None:
        for angle in 2 * np.pi * np.arange(count) / count:
            _circle(picture, 0.5 + radius * np.sin(angle), 0.5 - radius * np.cos(angle), dot, ink, -1)

    return draw


def frame(inset: float, width: float = 0.05, turn: float = 0.0) -> Motif:
    """A square frame."""

    def draw(picture: Bytes, ink: Ink) -> None:
        angles = np.radians(45 + turn + 90 * np.arange(4))
        reach = (0.5 - inset) * np.sqrt(2)
        points = _points(picture, np.full(4, reach), angles)
        cv2.polylines(picture, [points], True, ink, max(1, round(width * len(picture))), cv2.LINE_AA, FINE)

    return draw


def petals(count: int, radius: float, width: float) -> Motif:
    """A flower of pointed petals."""

    def draw(picture: Bytes, ink: Ink) -> None:
        for angle in 2 * np.pi * np.arange(count) / count:
            radii = np.array([0.04, radius * 0.55, radius, radius * 0.55])
            angles = angle + np.array([0, width, 0, -width])
            _polygon(picture, radii, angles, ink)

    return draw


def tendrils(count: int, radius: float, width: float = 0.035) -> Motif:
    """Curls around the middle."""

    def draw(picture: Bytes, ink: Ink) -> None:
        size = len(picture)
        for angle in 2 * np.pi * np.arange(count) / count:
            sweep = np.linspace(0, 1, 24)
            angles = angle + sweep * 1.9
            radii = radius * (0.25 + 0.75 * sweep) * (1 - 0.35 * sweep**3)
            points = _points(picture, radii, angles)
            cv2.polylines(picture, [points], False, ink, max(1, round(width * size)), cv2.LINE_AA, FINE)

    return draw


def several(*motifs: Motif) -> Motif:
    """One motif over the other."""

    def draw(picture: Bytes, ink: Ink) -> None:
        for motif in motifs:
            motif(picture, ink)

    return draw


def blob(x: float, y: float, across: float, along: float, turn: float = 0.0) -> Motif:
    """A filled ellipse, half its width and length given."""

    def draw(picture: Bytes, ink: Ink) -> None:
        sweep = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        _shape(picture, np.stack([x + across * np.sin(sweep), y - along * np.cos(sweep)], axis=1), ink, (x, y), turn)

    return draw


def shape(*points: tuple[float, float]) -> Motif:
    """A filled polygon."""
    return lambda picture, ink: _shape(picture, np.array(points), ink)


def strokes(width: float, *lines: tuple[tuple[float, float], ...]) -> Motif:
    """Lines through points."""

    def draw(picture: Bytes, ink: Ink) -> None:
        for line in lines:
            points = _fine(np.array(line) * len(picture) - 0.5)
            cv2.polylines(picture, [points], False, ink, max(1, round(width * len(picture))), cv2.LINE_AA, FINE)

    return draw


def cut(motif: Motif) -> Motif:
    """A hole of that form in what was drawn before."""
    return lambda picture, _ink: motif(picture, NONE)


def placed(motif: Motif, x: float, y: float, size: float, turn: float = 0.0) -> Motif:
    """A motif made smaller and put elsewhere on the square."""

    def draw(picture: Bytes, ink: Ink) -> None:
        side = max(3, round(size * len(picture)))
        small = np.zeros((side, side), np.uint8)
        motif(small, FULL)
        whole = np.zeros((*picture.shape[:2], 3), np.uint8)
        stamp(whole, small, (x * len(picture), y * len(picture)), FULL, turn)
        cover = whole[:, :, 0] if picture.ndim == 2 else whole
        picture[:] = np.maximum(picture, cover) if ink != NONE else np.minimum(picture, 255 - cover)

    return draw


def around(motif: Motif, count: int, radius: float, size: float, first: float = 0.0) -> Motif:
    """A wreath of a motif, each pointing outwards."""
    bearings = [first + 360 * i / count for i in range(count)]
    places = [(b, 0.5 + radius * np.sin(np.radians(b)), 0.5 - radius * np.cos(np.radians(b))) for b in bearings]
    return several(*(placed(motif, x, y, size, b) for b, x, y in places))


def plain(_picture: Bytes, _ink: Ink) -> None:
    """Nothing."""


def _disc(radius: float) -> Motif:
    return lambda picture, ink: _circle(picture, 0.5, 0.5, radius, ink, -1)


def _at(motif: Motif, x: float, y: float) -> Motif:
    return placed(motif, x, y, 1.0)


_LEAF = shape((0.5, 0.04), (0.66, 0.34), (0.64, 0.62), (0.5, 0.96), (0.36, 0.62), (0.34, 0.34))
_PETAL = several(blob(0.5, 0.42, 0.3, 0.4), cut(blob(0.5, 0.5, 0.07, 0.22)))
_BUTTERFLY = several(
    blob(0.27, 0.32, 0.19, 0.27, -35),
    blob(0.73, 0.32, 0.19, 0.27, 35),
    blob(0.33, 0.7, 0.14, 0.2, 30),
    blob(0.67, 0.7, 0.14, 0.2, -30),
    cut(several(blob(0.26, 0.32, 0.07, 0.12, -35), blob(0.74, 0.32, 0.07, 0.12, 35))),
    strokes(0.08, ((0.5, 0.3), (0.5, 0.84))),
    strokes(0.035, ((0.5, 0.3), (0.38, 0.08)), ((0.5, 0.3), (0.62, 0.08))),
)
_BELL = several(
    shape((0.5, 0.06), (0.68, 0.2), (0.72, 0.6), (0.9, 0.88), (0.62, 0.78), (0.5, 0.96), (0.38, 0.78), (0.1, 0.88)),
    shape((0.5, 0.06), (0.1, 0.88), (0.28, 0.6), (0.32, 0.2)),
)
_SQUARE = shape((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

MOTIFS: dict[str, Motif] = {
    "plain": plain,
    "bloom": several(petals(8, 0.42, 0.28), rings(0.08)),
    "lace": several(frame(0.1, 0.03), dots(8, 0.3, 0.045), star(8, 0.18, 0.09), rings(0.4, width=0.025)),
    "curls": several(tendrils(4, 0.4), star(4, 0.14, 0.06), frame(0.07, 0.03)),
    "one": several(frame(0.12, 0.04), rings(0.26, width=0.03)),
    "sun": several(star(8, 0.36, 0.2), rings(0.1)),
    "gear": several(star(12, 0.34, 0.26), rings(0.12, width=0.06)),
    "squares": several(frame(0.18, 0.04), frame(0.3, 0.05, 45)),
    "wheel": several(
        rings(0.46, 0.38, 0.2, width=0.015), dots(16, 0.42, 0.02), tendrils(10, 0.36, 0.02), star(10, 0.16, 0.08)
    ),
    "spark": star(6, 0.34, 0.14),
    # Tiles with four, eight and twelve corners to their ornament.
    "nested": several(
        placed(_SQUARE, 0.5, 0.5, 0.84),
        cut(placed(_SQUARE, 0.5, 0.5, 0.7)),
        placed(_SQUARE, 0.5, 0.5, 0.46, 45),
        cut(placed(_SQUARE, 0.5, 0.5, 0.2)),
        around(placed(_SQUARE, 0.5, 0.5, 1.0, 45), 4, 0.38, 0.1, 45),
    ),
    "starburst": several(
        star(8, 0.47, 0.27),
        cut(several(star(8, 0.24, 0.16, 22.5))),
        star(4, 0.15, 0.07),
        cut(strokes(0.03, ((0.5, 0.0), (0.5, 0.3)), ((0.5, 0.7), (0.5, 1.0)))),
        cut(strokes(0.03, ((0.0, 0.5), (0.3, 0.5)), ((0.7, 0.5), (1.0, 0.5)))),
    ),
    "cog": several(star(14, 0.47, 0.35), cut(_disc(0.29)), rings(0.2, width=0.05), dots(7, 0.2, 0.05), _disc(0.07)),
    # Six patterns of plants and animals.
    "tree": several(
        _at(_disc(0.22), 0.5, 0.3),
        _at(_disc(0.17), 0.31, 0.42),
        _at(_disc(0.17), 0.69, 0.42),
        _at(_disc(0.17), 0.5, 0.46),
        shape((0.45, 0.5), (0.55, 0.5), (0.56, 0.82), (0.68, 0.92), (0.32, 0.92), (0.44, 0.82)),
        cut(strokes(0.025, ((0.5, 0.66), (0.5, 0.34)), ((0.5, 0.54), (0.37, 0.4)), ((0.5, 0.5), (0.63, 0.37)))),
    ),
    "bird": several(
        blob(0.5, 0.52, 0.11, 0.27),
        _at(_disc(0.09), 0.5, 0.22),
        shape((0.5, 0.06), (0.55, 0.16), (0.45, 0.16)),
        shape((0.48, 0.36), (0.3, 0.2), (0.04, 0.24), (0.12, 0.42), (0.2, 0.54), (0.46, 0.6)),
        shape((0.52, 0.36), (0.7, 0.2), (0.96, 0.24), (0.88, 0.42), (0.8, 0.54), (0.54, 0.6)),
        shape((0.46, 0.7), (0.54, 0.7), (0.66, 0.94), (0.5, 0.88), (0.34, 0.94)),
        cut(strokes(0.022, ((0.12, 0.42), (0.4, 0.4)), ((0.2, 0.54), (0.42, 0.48)))),
        cut(strokes(0.022, ((0.88, 0.42), (0.6, 0.4)), ((0.8, 0.54), (0.58, 0.48)))),
    ),
    "butterfly": _BUTTERFLY,
    "butterflies": around(_BUTTERFLY, 3, 0.27, 0.44),
    "flower": several(around(_PETAL, 4, 0.27, 0.5), cut(_disc(0.12)), _disc(0.08), around(_LEAF, 4, 0.33, 0.22, 45)),
    "buds": several(
        strokes(0.035, ((0.5, 0.95), (0.5, 0.3)), ((0.5, 0.8), (0.26, 0.62), (0.22, 0.5))),
        strokes(0.035, ((0.5, 0.8), (0.74, 0.62), (0.78, 0.5)), ((0.5, 0.56), (0.36, 0.34))),
        strokes(0.035, ((0.5, 0.56), (0.64, 0.34))),
        blob(0.5, 0.17, 0.085, 0.13),
        blob(0.31, 0.26, 0.085, 0.13, -22),
        blob(0.69, 0.26, 0.085, 0.13, 22),
        blob(0.18, 0.47, 0.085, 0.13, -35),
        blob(0.82, 0.47, 0.085, 0.13, 35),
        blob(0.4, 0.86, 0.05, 0.12, -55),
        blob(0.6, 0.86, 0.05, 0.12, 55),
    ),
    "lily": several(around(placed(_BELL, 0.5, 0.5, 1.0, 180), 6, 0.31, 0.33), rings(0.11, width=0.03), _disc(0.05)),
    # The same six otherwise: as they are on tiles of a single pale ink.
    "oak": several(
        _at(_disc(0.19), 0.5, 0.26),
        _at(_disc(0.17), 0.3, 0.36),
        _at(_disc(0.17), 0.71, 0.35),
        _at(_disc(0.14), 0.2, 0.5),
        _at(_disc(0.14), 0.81, 0.5),
        _at(_disc(0.18), 0.5, 0.44),
        blob(0.36, 0.58, 0.09, 0.06),
        blob(0.65, 0.59, 0.1, 0.06),
        shape((0.46, 0.55), (0.54, 0.55), (0.55, 0.8), (0.63, 0.95), (0.36, 0.95), (0.45, 0.8)),
        strokes(0.03, ((0.5, 0.72), (0.39, 0.58)), ((0.5, 0.7), (0.61, 0.57))),
    ),
    "dove": several(
        blob(0.47, 0.54, 0.085, 0.22, 28),
        _at(_disc(0.065), 0.56, 0.34),
        shape((0.62, 0.3), (0.68, 0.33), (0.6, 0.37)),
        shape((0.54, 0.44), (0.62, 0.28), (0.93, 0.16), (0.88, 0.36), (0.74, 0.47), (0.52, 0.58)),
        shape((0.46, 0.42), (0.34, 0.5), (0.07, 0.56), (0.1, 0.7), (0.28, 0.7), (0.46, 0.62)),
        shape((0.4, 0.68), (0.47, 0.72), (0.5, 0.94), (0.4, 0.87), (0.3, 0.92)),
        cut(strokes(0.02, ((0.86, 0.3), (0.62, 0.42)), ((0.14, 0.62), (0.4, 0.56)))),
    ),
    "moths": around(_BUTTERFLY, 3, 0.34, 0.29, 30),
    "clover": several(
        around(
            several(blob(0.5, 0.5, 0.34, 0.42), _at(_disc(0.2), 0.22, 0.62), _at(_disc(0.2), 0.78, 0.62)), 4, 0.27, 0.42
        ),
        cut(_disc(0.1)),
        _disc(0.065),
        around(_LEAF, 4, 0.36, 0.17, 45),
    ),
    "sprig": several(
        strokes(0.04, ((0.36, 0.95), (0.45, 0.7), (0.55, 0.42), (0.6, 0.28))),
        blob(0.63, 0.18, 0.09, 0.15, 14),
        blob(0.53, 0.22, 0.05, 0.12, -14),
        blob(0.73, 0.24, 0.045, 0.11, 38),
        shape((0.44, 0.76), (0.22, 0.56), (0.2, 0.34), (0.3, 0.4), (0.44, 0.6)),
        shape((0.46, 0.72), (0.76, 0.6), (0.84, 0.42), (0.68, 0.46), (0.5, 0.6)),
        shape((0.5, 0.56), (0.36, 0.4), (0.38, 0.26), (0.48, 0.34), (0.55, 0.46)),
    ),
    "bells": around(placed(_BELL, 0.5, 0.5, 1.0, 180), 6, 0.34, 0.29),
    "roof": several(star(8, 0.46, 0.42, 22.5), cut(star(8, 0.09, 0.08)), cut(rings(0.3, width=0.025))),
    # Things in a garden or a pavilion.
    "fountain": several(
        rings(0.44, width=0.05),
        around(blob(0.5, 0.5, 0.22, 0.46), 8, 0.27, 0.24),
        cut(_disc(0.17)),
        rings(0.15, width=0.04),
        _disc(0.07),
    ),
    "statue": several(
        _at(_disc(0.085), 0.52, 0.15),
        shape((0.42, 0.24), (0.62, 0.24), (0.66, 0.44), (0.6, 0.74), (0.4, 0.74), (0.42, 0.5), (0.36, 0.36)),
        strokes(0.06, ((0.6, 0.28), (0.74, 0.4), (0.64, 0.52))),
        strokes(0.06, ((0.42, 0.28), (0.3, 0.42), (0.36, 0.54))),
        shape((0.34, 0.76), (0.66, 0.76), (0.66, 0.8), (0.72, 0.82), (0.72, 0.93), (0.28, 0.93), (0.28, 0.82)),
        cut(strokes(0.02, ((0.36, 0.86), (0.64, 0.86)), ((0.52, 0.48), (0.5, 0.72)))),
    ),
    "bench": several(
        strokes(0.06, ((0.14, 0.42), (0.3, 0.34), (0.7, 0.34), (0.86, 0.42))),
        strokes(0.09, ((0.12, 0.6), (0.88, 0.6))),
        strokes(0.05, ((0.2, 0.4), (0.2, 0.82)), ((0.8, 0.4), (0.8, 0.82))),
        strokes(0.04, ((0.36, 0.34), (0.36, 0.58)), ((0.5, 0.34), (0.5, 0.58)), ((0.64, 0.34), (0.64, 0.58))),
    ),
    "pavilion": several(
        shape((0.5, 0.08), (0.62, 0.24), (0.92, 0.42), (0.08, 0.42), (0.38, 0.24)),
        strokes(0.05, ((0.18, 0.44), (0.18, 0.84)), ((0.82, 0.44), (0.82, 0.84))),
        strokes(0.05, ((0.39, 0.44), (0.39, 0.84)), ((0.61, 0.44), (0.61, 0.84))),
        strokes(0.07, ((0.08, 0.87), (0.92, 0.87))),
        cut(strokes(0.02, ((0.5, 0.14), (0.5, 0.4)), ((0.47, 0.2), (0.28, 0.4)), ((0.53, 0.2), (0.72, 0.4)))),
    ),
    "pillar": several(_disc(0.44), cut(rings(0.37, width=0.03)), cut(dots(20, 0.415, 0.018)), cut(_disc(0.25))),
    "rings": rings(0.42, 0.3, 0.16, width=0.06),
    "bead": _disc(0.44),
    "window": several(
        shape((0.2, 0.98), (0.2, 0.44), (0.5, 0.04), (0.8, 0.44), (0.8, 0.98)),
        cut(several(shape((0.3, 0.9), (0.3, 0.52), (0.7, 0.52), (0.7, 0.9)), _at(_disc(0.2), 0.5, 0.5))),
        cut(strokes(0.03, ((0.5, 0.08), (0.5, 0.2)))),
    ),
    "arch": several(shape((0.3, 0.9), (0.3, 0.52), (0.7, 0.52), (0.7, 0.9)), _at(_disc(0.2), 0.5, 0.5)),
    # What fills paper, corners and the middle of things.
    "leaf": _LEAF,
    "damask": several(
        around(_LEAF, 4, 0.25, 0.42),
        around(_LEAF, 4, 0.2, 0.26, 45),
        cut(_disc(0.06)),
        around(several(rings(0.4, width=0.14)), 4, 0.4, 0.14, 45),
    ),
    "spray": several(
        strokes(0.02, ((0.5, 0.98), (0.5, 0.3)), ((0.5, 0.8), (0.2, 0.5)), ((0.5, 0.8), (0.8, 0.5))),
        placed(_LEAF, 0.5, 0.2, 0.36),
        placed(_LEAF, 0.18, 0.44, 0.3, -40),
        placed(_LEAF, 0.82, 0.44, 0.3, 40),
        placed(_LEAF, 0.36, 0.7, 0.2, -50),
        placed(_LEAF, 0.64, 0.7, 0.2, 50),
    ),
    "rosette": several(
        petals(12, 0.42, 0.2), cut(_disc(0.19)), petals(6, 0.19, 0.45), dots(12, 0.46, 0.025), cut(_disc(0.04))
    ),
    "studs": dots(28, 0.39, 0.018),
    "scrolls": around(several(rings(0.3, width=0.16), cut(placed(_SQUARE, 0.72, 0.72, 0.4))), 18, 0.4, 0.13),
    "rays": several(star(24, 0.49, 0.36), cut(_disc(0.33))),
    "tufts": several(
        *(
            strokes(0.03, ((x, y), (x - 0.04, y - 0.09)), ((x, y), (x, y - 0.11)), ((x, y), (x + 0.04, y - 0.09)))
            for x, y in ((0.2, 0.3), (0.7, 0.22), (0.45, 0.6), (0.85, 0.75), (0.15, 0.85))
        )
    ),
    "band": shape((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
}


def _points(picture: Bytes, radii: NDArray[np.float64], angles: NDArray[np.float64]) -> NDArray[np.int32]:
    size = len(picture)
    x = (0.5 + radii * np.sin(angles)) * size - 0.5
    y = (0.5 - radii * np.cos(angles)) * size - 0.5
    return _fine(np.stack([x, y], axis=1))


def _fine(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * (1 << FINE)), np.int32)


def _shape(
    picture: Bytes, points: NDArray[np.float64], ink: Ink, pivot: tuple[float, float] = (0.5, 0.5), turn: float = 0.0
) -> None:
    angle = np.radians(turn)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned = (points - pivot) @ matrix + pivot
    cv2.fillPoly(picture, [_fine(turned * len(picture) - 0.5)], ink, cv2.LINE_AA, FINE)


def _polygon(picture: Bytes, radii: NDArray[np.float64], angles: NDArray[np.float64], ink: Ink) -> None:
    cv2.fillPoly(picture, [_points(picture, radii, angles)], ink, cv2.LINE_AA, FINE)


def _circle(picture: Bytes, x: float, y: float, radius: float, ink: Ink, width: int) -> None:
    size, unit = len(picture), 1 << FINE
    centre = (round((x * size - 0.5) * unit), round((y * size - 0.5) * unit))
    cv2.circle(picture, centre, round(radius * size * unit), ink, width, cv2.LINE_AA, FINE)
