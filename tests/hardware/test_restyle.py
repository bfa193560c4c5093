"""Pieces that nobody has seen are drawn otherwise, so that what is learned does not rest on our drawings."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
import pytest

from engine import load
from hardware.tabletop.art import Art, load_art
from hardware.tabletop.restyle import restyled

EDITION = load("queens-garden")
ONE_HAND = 0.97
"""Two drawings whose ornaments overlap by more than this are the same one."""


@pytest.mark.parametrize("kind", sorted(EDITION.letters)[:6])
def test_the_ornaments_of_unseen_pieces_differ_not_only_their_inks(kind: str) -> None:
    art = load_art(EDITION.layout)
    drawn = [_ornament(art.changed(EDITION.layout, partial(restyled, rng=_rng(seed))), kind) for seed in range(12)]
    own = _ornament(art, kind)
    same = [_overlap(own, other) for other in drawn]
    assert sum(overlap > ONE_HAND for overlap in same) <= 2, same


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _ornament(art: Art, kind: str) -> np.ndarray:
    """Where the light ornament is on the face of a tile."""
    picture = (255 * np.sqrt(art.face("tile", kind).texture.picture)).astype(np.uint8)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[30:-30, 30:-30]
    return cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1].astype(bool)


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum() / max(1, (one | other).sum()))
