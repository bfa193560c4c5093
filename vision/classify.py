"""Reading the cells of a located board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from engine.layout import OWNER, TILES, Cell, Layout, Surface, Track, Zone
from vision.alike import Alike, compared, looks_of
from vision.cells import UNSEEN, asked_of, labels_of, marks_of, read_zones, tracks
from vision.closeup import Closeups, closer_cells
from vision.network import Floats, Models
from vision.pose import Pose
from vision.rectify import VIEW_PX, Picture, Pyramid, balanced, board_view, levels_of, white_of
from vision.sighting import Reads, softmax

SIDE_BY_SIDE = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
"""The colours of both cuts as the channels of one picture, each where it comes from and where it goes."""

SMALL_TILE_PX = 10.0
"""Tiles of fewer pixels are read worse than the reader knows: when this was set, it held 98.7 % of 1,022 such cells of
own renderings to be right, while 98.1 % were."""

CROWDED = 1.18
"""How much less sure marks are read of which several stand on a track, in each other's way. Of 353 such scores on own
tables three were silently wrong without this, one is with it, and no more are in doubt."""


@dataclass(frozen=True)
class ReadSurface:
    """What was read of a surface, as probabilities."""

    cells: dict[str, Reads]
    tracks: dict[tuple[str, str], Reads]
    """By track and kind of mark, which is empty where there is one mark only."""
    owner: Reads | None = None
    """Which kind of marks on shared tracks is its seat's, where print tells it."""


def half_turned(read: ReadSurface, turned: ReadSurface) -> ReadSurface:
    """What is read of a surface of which nobody knows which of two ways it lies: one is as likely as the other."""
    cells = {name: _halved(reads, turned.cells[name]) for name, reads in read.cells.items()}
    tracks = {mark: _halved(reads, turned.tracks[mark]) for mark, reads in read.tracks.items()}
    owner = _halved(read.owner, turned.owner) if read.owner and turned.owner else None
    return ReadSurface(cells, tracks, owner)


def _halved(reads: Reads, others: Reads) -> Reads:
    return {kind: (reads.get(kind, 0.0) + others.get(kind, 0.0)) / 2 for kind in {**reads, **others}}


@dataclass(frozen=True)
class Answers:
    """What the reader answers of a surface, before its cells are compared with those of others."""

    white: Floats
    """The colour of white in the picture, blue first."""
    levels: tuple[Alike, ...]
    """Its cells, by how high they lie."""
    tracks: dict[tuple[str, str], Reads]
    owner: Reads | None
    closeups: Closeups = field(default_factory=dict)
    """What was told from close by."""


@dataclass(frozen=True)
class Classified:
    """What is read of surfaces, and on which answers of the reader that rests."""

    surfaces: list[ReadSurface]
    answers: list[Answers]

    @property
    def white(self) -> Floats:
        """The colour of white that they tell, blue first."""
        return np.asarray(np.mean([answer.white for answer in self.answers], axis=0), np.float32)


def classify(
    pyramid: Pyramid,
    poses: Sequence[Pose],
    layout: Layout,
    side: str,
    models: Models,
    surface: Surface | None = None,
    known: Sequence[Answers | None] = (),
) -> Classified:
    """What is read of each surface of a name; without a name of each seat's first surface.

    `known` are answers for those of the surfaces that look as they did when the reader was asked.
    """
    surface = surface or layout.surfaces[0]
    known = known or [None] * len(poses)
    asked = [pose for pose, own in zip(poses, known, strict=True) if own is None]
    anew = iter(_answers(pyramid, asked, layout, side, models, surface) if asked else ())
    answers = [next(anew) if own is None else own for own in known]
    cells: list[dict[str, Reads]] = [{} for _ in answers]
    for number, zones in enumerate(levels_of(layout, surface).values()):
        boards = compared([own.levels[number] for own in answers], _laid_in(zones), side)
        cells = [own | more for own, more in zip(cells, boards, strict=True)]
    laid = [zone for zone in read_zones(layout, surface) if zone.role == TILES]
    return Classified(
        [
            ReadSurface(
                closer_cells(pyramid, pose, own, laid, told.white, layout, models, told.closeups),
                told.tracks,
                told.owner,
            )
            for own, pose, told in zip(cells, poses, answers, strict=True)
        ],
        answers,
    )


def _answers(
    pyramid: Pyramid, poses: Sequence[Pose], layout: Layout, side: str, models: Models, surface: Surface
) -> list[Answers]:
    """What the reader answers of each surface of a name."""
    (first, zones), *more = levels_of(layout, surface).items()
    views = [board_view(pyramid, pose, surface, first) for pose in poses]
    whites = [white_of(view[0]) for view in views]
    small = [smallness(pose, layout, surface) for pose in poses]
    answers = _asked(views, whites, small, zones, layout, surface, side, models)
    for heights, others in more:
        views = [board_view(pyramid, pose, surface, heights) for pose in poses]
        higher = _asked(views, whites, small, others, layout, surface, side, models)
        answers = [replace(own, levels=own.levels + each.levels) for own, each in zip(answers, higher, strict=True)]
    return answers


def _asked(
    views: Sequence[Picture],
    whites: Sequence[Floats],
    small: Sequence[float],
    zones: Sequence[Zone],
    layout: Layout,
    surface: Surface,
    side: str,
    models: Models,
) -> list[Answers]:
    """The cells of these zones, and all tracks, in views that are cut at the height of the zones."""
    what = asked_of(layout, side, models.labels, surface, zones)
    asked = np.empty((len(views), VIEW_PX, VIEW_PX, 6), np.uint8)
    for view, white, out in zip(views, whites, asked, strict=True):
        cuts = balanced(view.reshape(-1, VIEW_PX, 3), white).reshape(view.shape)
        cv2.mixChannels(list(cuts), [out], SIDE_BY_SIDE)
    labels, marks, none = models.reader(asked, what.places, what.hints, what.marks)
    cells = _laid_in(zones)
    return [
        Answers(
            white,
            (Alike(_cells(scores, smaller, cells, layout, models), looks_of(view, white, what.places[: len(cells)])),),
            _tracks(at, hidden, tracks(layout, surface), layout, models),
            _owner(scores, zones, layout, models),
        )
        for scores, at, hidden, smaller, view, white in zip(labels, marks, none, small, views, whites, strict=True)
    ]


def _laid_in(zones: Sequence[Zone]) -> list[Cell]:
    """The cells of zones in which pieces are laid."""
    return [cell for zone in zones if zone.role != OWNER for cell in zone.cells]


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
    chances = softmax(scores[: len(cells), known], models.temperatures["cells"] * smallness)
    return {cell.name: dict(zip(labels, row, strict=True)) for cell, row in zip(cells, chances.tolist(), strict=True)}


def _owner(scores: Floats, zones: Sequence[Zone], layout: Layout, models: Models) -> Reads | None:
    """What the print says that tells a seat's marks, which is asked for last; None where none of the zones is that."""
    if not zones or zones[-1].role != OWNER:
        return None
    known = marks_of(layout, models.labels)
    chances = softmax(scores[-1, known], models.temperatures["cells"]).tolist()
    return dict(zip([models.labels[i] for i in known], chances, strict=True))


def _tracks(
    marks: Floats, none: Floats, along: Sequence[Track], layout: Layout, models: Models
) -> dict[tuple[str, str], Reads]:
    start, by_mark = 0, marks.reshape(-1, len(none))
    read: dict[tuple[str, str], Reads] = {}
    for track in along:
        stop = start + len(track.cells)
        for i, kind in enumerate(layout.piece(track.piece).kinds or ("",)):
            scores = np.append(by_mark[start:stop, i], none[i])
            dulled = CROWDED if kind else 1.0
            chances = softmax(scores, models.temperatures["tracks"] * dulled).tolist()
            read[track.name, kind] = dict(zip([*map(str, track.numbers), UNSEEN], chances, strict=True))
        start = stop
    return read
