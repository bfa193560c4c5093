"""Art in other inks: no two prints are alike, and what lies on a board must not be told by its shade alone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.art import Art, Face
from hardware.tabletop.canvas import Texture
from models.training.augment import hue_turned, saturated

Rng = np.random.Generator
LARGEST_PX = 1200
"""As large as a tinted board's picture need be."""
STRENGTHS = (0.0, 0.7)
"""How far an art's tints stray, drawn between these for each art."""
VEILS = (0.0, 0.15)
"""How much white lies over the print: ink on card is paler than its scan, and than plastic under the same lamp."""
PAPER = 0.85
PALER, DARKER = (-0.7, 0.15), (-0.3, 0.1)
"""How strong its colours are, and how light it is (natural logarithms): photographed print is greyer than scans."""
COLDER = (0.0, 0.14)
"""How far its greenish blues are turned to violet."""


class Tinted(Art):
    """An art with its print in one tint and every kind of piece in its own."""

    def __init__(self, art: Art, rng: Rng) -> None:
        self.__dict__.update(art.__dict__)
        self._plain = art
        self._seed = int(rng.integers(2**31))
        self._strength = float(rng.uniform(*STRENGTHS))
        self._veil = float(rng.uniform(*VEILS))
        self._boards = {}
        self._faces = {}

    def board(self, surface: str, side: str) -> Texture:
        """The print of a surface, in this art's tint."""
        if (surface, side) not in self._boards:
            picture = self._plain.board(surface, side).picture
            shrink = min(1.0, LARGEST_PX / max(picture.shape[:2]))
            small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            rng = np.random.default_rng([self._seed, 0])
            inked = _printed(_tinted(small, rng, self._strength), rng)
            self._boards[surface, side] = Texture(inked * (1 - self._veil) + self._veil * PAPER)
        return self._boards[surface, side]

    def face(self, piece: str, kind: str) -> Face:
        """The top of a kind of piece, in its own tint."""
        if (piece, kind) not in self._faces:
            plain = self._plain.face(piece, kind)
            seed = [self._seed, *kind.encode()]
            top = _tinted(plain.texture.picture, np.random.default_rng(seed), 0.6 * self._strength)
            side = _tinted(plain.side.reshape(1, 1, 3), np.random.default_rng(seed), 0.6 * self._strength).reshape(3)
            self._faces[piece, kind] = Face(Texture(top), side)
        return self._faces[piece, kind]


def _printed(picture: NDArray[np.float32], rng: Rng) -> NDArray[np.float32]:
    """A scan in linear light as its print looks on card."""
    blue, green, red = cv2.split(picture)
    cold = np.maximum(blue - red, 0) * rng.uniform(*COLDER)
    mix = saturated(float(np.exp(rng.uniform(*PALER)))) * np.exp(rng.uniform(*DARKER))
    inked = cv2.transform(cv2.merge([blue, green - cold, red + 0.8 * cold]), mix.astype(np.float32))
    return np.asarray(np.clip(inked, 0, 1), np.float32)


def _tinted(picture: NDArray[np.generic], rng: Rng, strength: float) -> NDArray[np.float32]:
    """A picture in linear light with its hue, saturation, brightness and contrast changed."""
    mix = hue_turned(float(rng.normal(0, 0.1 * strength))) @ saturated(float(np.exp(rng.normal(0.05, 0.25 * strength))))
    mix = mix * np.exp(rng.normal(0, 0.16 * strength))
    mixed = np.clip(cv2.transform(np.asarray(picture, np.float32), mix.astype(np.float32)), 0, 1)
    return np.asarray(mixed ** np.exp(rng.normal(0, 0.15 * strength)), np.float32)
