"""Reading the cells of a located board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from engine.layout import Cell, Layout, Surface, Track, Zone
from vision.alike import Alike, compared, looks_of
from vision.cells import UNSEEN, Asked, asked_of, labels_of, tracks
from vision.network import Floats, Models
from vision.pose import Pose
from vision.rectify import VIEW_PX, Picture, Pyramid, balanced, board_view, levels_of, white_of
from vision.sighting import Reads, softmax

SIDE_BY_SIDE = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
"""The colours of both cuts as the channels of one picture, each where it comes from and where it goes."""

SMALL_TILE_PX = 10.0
"""Tiles of fewer pixels are read worse than the reader knows: when this was set, it held 98.7 % of 1,022 such cells of
own renderings to be right, while 98.1 % were."""


def classify(
    pyramid: Pyramid, poses: Sequence[Pose], layout: Layout, side: str, models: Models, surface: Surface | None = None
) -> tuple[list[tuple[dict[str, Reads], dict[str, Reads]]], Floats]:
    """For each surface of a name its cells and tracks as probabilities; without a name for each seat's first surface.

    Besides the colour of white, blue first, that they tell.
    """
    surface = surface or layout.surfaces[0]
    (first, zones), *more = levels_of(layout, surface).items()
    views = [board_view(pyramid, pose, surface, first) for pose in poses]
    whites = [white_of(view[0]) for view in views]
    small = [smallness(pose, layout, surface) for pose in poses]
    asked = asked_of(layout, side, models.labels, surface, zones)
    cells, marked = _read(views, whites, small, zones, asked, layout, surface, side, models)
    for heights, others in more:
        views = [board_view(pyramid, pose, surface, heights) for pose in poses]
        asked = asked_of(layout, side, models.labels, surface, others)
        higher, _ = _read(views, whites, small, others, asked, layout, surface, side, models)
        cells = [own | each for own, each in zip(cells, higher, strict=True)]
    return list(zip(cells, marked, strict=True)), np.mean(whites, axis=0)


def _read(
    views: Sequence[Picture],
    whites: Sequence[Floats],
    small: Sequence[float],
    zones: Sequence[Zone],
    what: Asked,
    layout: Layout,
    surface: Surface,
    side: str,
    models: Models,
) -> tuple[list[dict[str, Reads]], list[dict[str, Reads]]]:
    """The cells of these zones, and all tracks, in views that are cut at the height of the zones."""
    asked = np.empty((len(views), VIEW_PX, VIEW_PX, 6), np.uint8)
    for view, white, out in zip(views, whites, asked, strict=True):
        cuts = balanced(view.reshape(-1, VIEW_PX, 3), white).reshape(view.shape)
        cv2.mixChannels(list(cuts), [out], SIDE_BY_SIDE)
    labels, marks, none = models.reader(asked, what.places, what.hints, what.marks)
    cells = [cell for zone in zones for cell in zone.cells]
    boards = [
        Alike(_cells(scores, smaller, cells, layout, models), looks_of(view, white, what.places))
        for scores, smaller, view, white in zip(labels, small, views, whites, strict=True)
    ]
    marked = [_tracks(*scores, tracks(layout, surface), models) for scores in zip(marks, none, strict=True)]
    return compared(boards, cells, side), marked


def smallness(pose: Pose, layout: Layout, surface: Surface | None = None) -> float:
    """How many times smaller than it should be a tile is seen; 1 where it is large enough."""
    surface, tile = surface or layout.surfaces[0], layout.tile.size_mm
    middle, right, below = pose.project(
        np.array([surface.width_mm, surface.height_mm]) / 2 + np.array([[0, 0], [tile, 0], [0, tile]])
    )
    # Where it looks smallest: a board far off is seen slantwise.
    across = float(np.linalg.svd(np.array([right, below]) - middle, compute_uv=False)[-1])
    return max(1.0, SMALL_TILE_PX / max(across, 1.0))


def _cells(scores: Floats, smallness: float, cells: Sequence[Cell], layout: Layout, models: Models) -> dict[str, Reads]:
    known = labels_of(layout, models.labels)
    labels = [models.labels[i] for i in known]
    chances = softmax(scores[:, known], models.temperatures["cells"] * smallness)
    return {cell.name: dict(zip(labels, row, strict=True)) for cell, row in zip(cells, chances.tolist(), strict=True)}


def _tracks(marks: Floats, none: Floats, along: Sequence[Track], models: Models) -> dict[str, Reads]:
    start = 0
    read: dict[str, Reads] = {}
    for track in along:
        scores = np.append(marks[start : start + len(track.cells)], none)
        start += len(track.cells)
        chances = softmax(scores, models.temperatures["tracks"]).tolist()
        read[track.name] = dict(zip([*map(str, track.numbers), UNSEEN], chances, strict=True))
    return read
