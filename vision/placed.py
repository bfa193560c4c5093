"""Boards that people's taps or printed markers place: believed by their print, or where they at least look like boards.

Whoever taps four corners of something else, of another game or of an empty table, gets no board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from engine.layout import Layout, Surface
from engine.text import EditionName, Text, either, say
from vision.cells import UNSEEN
from vision.classify import classify
from vision.locate import SURE_BOARD, TURNS, Alignment, Sought, is_convex, refine, upright
from vision.network import Models, kind_of
from vision.pose import Array, estimate_focal, homography_of, pose_of
from vision.rectify import Pyramid, levels_of
from vision.sighting import Located, Stranger

PLACED_SLACK = 0.2
"""How far, as a share of its diagonal, the print may move a board that was placed: people tap with thumbs. On own
renderings corners that are off by 0.04 (standard deviation, each way) are brought to the print of all 118 boards."""

FARTHEST = 3
"""Sides of the picture that a corner may lie from its first pixel: boards may be cut off, but not by so much."""
SMALLEST_PX = 16
"""The side of a board of which nothing could be read."""

SURE_CELL = 0.99
"""A cell that is read less surely than this is unclear."""
MOST_UNCLEAR = 0.5
"""Something of which more cells are unclear, and whose print does not tell where it is, is no board. On own renderings
such boards half under arms have up to 0.38 where corners are tapped well, and what is no board has 0.63 or more."""
FEWEST_SEEN = 0.2
"""The share of cells that must be seen at all."""


def place_by(
    pyramid: Pyramid,
    corners_px: Array,
    models: Models,
    kinds: Sought,
    how: str,
    layout_of: Callable[[str], Layout],
) -> Located | Stranger:
    """A board that is said to be there; where that is none of these kinds, what it looks like instead."""
    if not (np.abs(corners_px) <= FARTHEST * max(pyramid.size_px)).all():
        return Stranger(corners_px, "")
    corners = around(corners_px)
    is_inside = ((corners.mean(axis=0) >= 0) & (corners.mean(axis=0) <= pyramid.size_px)).all()
    if not is_inside or not is_convex(corners) or cv2.contourArea(corners.astype(np.float32)) < SMALLEST_PX**2:
        return Stranger(corners_px, "")
    found = refine(pyramid, corners, models, kinds)
    if found is not None and _apart(found.corners_px, corners) < PLACED_SLACK:
        return replace(found, how=how)
    corners, look = upright(pyramid, corners, models)
    if min(look[1][0], sum(look[2][kind] for kind in kinds)) < SURE_BOARD:
        return Stranger(corners_px, _likeness(pyramid, corners, look, models, layout_of))
    best = max(kinds, key=look[2].__getitem__)
    unclear = _unclear(pyramid, corners, best, layout_of, models)
    if unclear > MOST_UNCLEAR:
        return Stranger(corners_px, "", unclear)
    return Located(corners, best, look[2][best], how)


def told_stranger(stranger: Stranger, sought: Sequence[str]) -> Text:
    """What something is instead of a board of the editions that were sought, and what to do."""
    names = either([EditionName(slug) for slug in sought])
    if stranger.kind:
        return say(
            "this looks like {edition}, not like {sought}; choose that edition, or take another photo",
            edition=EditionName(kind_of(stranger.kind).edition),
            sought=names,
        )
    if stranger.unclear:
        return say(
            "this is hardly a board of {sought}, as {percent} of 100 cells cannot be read surely; "
            "give the corners of the board exactly, or take a sharper photo in better light",
            sought=names,
            percent=round(100 * stranger.unclear),
        )
    return say(
        "this looks like no board of {sought}; give the four corners of such a board, or take another photo; "
        "boards of other games cannot be read yet",
        sought=names,
    )


def surface_of(kind: str, layout: Layout) -> Surface:
    """The surface of a layout that boards of a kind are."""
    name = kind_of(kind).surface
    return layout.surface(name) if name else layout.surfaces[0]


def sought(kinds: Iterable[str], layout_of: Callable[[str], Layout]) -> Sought:
    """Kinds of boards with their shapes."""
    surfaces = {kind: surface_of(kind, layout_of(kind_of(kind).edition)) for kind in kinds}
    longest = {kind: max(each.width_mm, each.height_mm) for kind, each in surfaces.items()}
    return {kind: (each.width_mm / longest[kind], each.height_mm / longest[kind]) for kind, each in surfaces.items()}


def _unclear(pyramid: Pyramid, corners: Array, kind: str, layout_of: Callable[[str], Layout], models: Models) -> float:
    """The share of a board's cells that are seen and cannot be read surely, or of which too few are seen."""
    layout = layout_of(kind_of(kind).edition)
    surface = surface_of(kind, layout)
    if not levels_of(layout, surface):
        return 1.0
    homography = homography_of(corners, surface.width_mm, surface.height_mm)
    pose = pose_of(homography, estimate_focal([homography], pyramid.size_px, None), pyramid.size_px)
    (read,) = classify(pyramid, [pose], layout, kind_of(kind).side, models, surface).surfaces
    cells = read.cells
    seen = [max(reads.values()) for reads in cells.values() if max(reads, key=reads.__getitem__) != UNSEEN]
    if not seen or len(seen) < FEWEST_SEEN * len(cells):
        return 1 - len(seen) / max(len(cells), 1)
    return float(np.mean(np.array(seen) < SURE_CELL))


def around(corners_px: Array) -> Array:
    """Corners in the order of a board's, clockwise from the first, in whichever order they were tapped."""
    away = corners_px - corners_px.mean(axis=0)
    # In pictures y grows downwards, so that growing angles go clockwise.
    angles = np.arctan2(away[:, 1], away[:, 0])
    return np.asarray(corners_px[np.argsort((angles - angles[0]) % (2 * np.pi))])


def _apart(found: Array, corners: Array) -> float:
    """How far corners lie from where they were said to be, from whichever of them one begins, as a share."""
    apart = np.hypot(*(corners[TURNS] - found).transpose(2, 0, 1)).max(axis=1).min()
    return float(apart / np.linalg.norm(corners[0] - corners[2]))


def _likeness(
    pyramid: Pyramid, corners: Array, look: Alignment, models: Models, layout_of: Callable[[str], Layout]
) -> str:
    """The kind of board that something plainly is, by its print; empty where it is none that the networks know."""
    best = max(models.kinds, key=look[2].__getitem__)
    if look[2][best] < SURE_BOARD:
        return ""
    found = refine(pyramid, corners, models, sought([best], layout_of))
    return best if found is not None and _apart(found.corners_px, corners) < PLACED_SLACK else ""
