"""Reading single pieces from close by: what kind they are, where that takes more than a board seen whole shows.

The reader and the network for loose pieces say what is there at all: a piece, a card's print or something else. Which
piece or print it is, the close-up says with them: it sees more of one piece, they compare it with its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.layout import CARD, Layout, Zone
from vision.network import Floats, Models
from vision.pose import Array, Pose, inverse, transform
from vision.rectify import Picture, Pyramid, balanced, heights_of
from vision.sighting import LooseTile, Reads, softmax

CLOSEUP_PX = 64
SPAN = 1.4
"""How much is seen, in widths of a tile."""
WORTH_A_LOOK = 0.01
"""What is less likely there is not looked at from close by."""
COMPARED, LEAST = 0.5, 1e-4
"""How much it counts beside a close-up what the reader says of a kind, which compares all pieces of a board, and how
little it may at least say."""


def closeup_scale(layout: Layout) -> float:
    """Pixels of a close-up for each millimetre."""
    corners = np.array(layout.tile_outline_mm())
    return float(CLOSEUP_PX / (SPAN * np.ptp(corners, axis=0).min()))


def closeup(pyramid: Pyramid, plane: Array, place_mm: Sequence[float], layout: Layout, size_px: int) -> Picture:
    """A piece of a plane around a place, seen straight; `plane` brings its millimetres to the picture's pixels."""
    scale = 1 / closeup_scale(layout)
    x, y = (value - (size_px - 1) / 2 * scale for value in place_mm)
    return pyramid.warp(plane @ np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]]), (size_px, size_px))


@dataclass(frozen=True)
class Looked:
    """A place that is looked at from close by: where its pieces' tops and its print lie, and what was read there."""

    tops: Array
    face: Array
    top_mm: tuple[float, float]
    face_mm: tuple[float, float]
    reads: Reads


Closeups = dict[tuple[int, tuple[str, ...]], Floats]
"""What the network tells of places, by their number and the labels that are told apart there."""


def looked_at(
    pyramid: Pyramid, places: Sequence[Looked], white: Floats, layout: Layout, models: Models, closeups: Closeups
) -> list[Reads]:
    """The readings of places, with kinds of pieces and prints told by close-ups; those that are new are added."""
    if models.closeup is None:
        return [place.reads for place in places]
    groups = groups_of(layout, models.labels)
    wanted = [
        (i, kinds)
        for i, place in enumerate(places)
        for kinds in groups
        if sum(place.reads.get(kind, 0.0) for kind in kinds) > WORTH_A_LOOK
    ]
    told = [dict(place.reads) for place in places]
    if new := [each for each in wanted if each not in closeups]:
        views = [balanced(_cut(pyramid, places[i], kinds, layout), white) for i, kinds in new]
        (rows,) = models.closeup(np.stack(views))
        closeups.update(zip(new, rows, strict=True))
    for i, kinds in wanted:
        read = np.array([told[i].get(kind, 0.0) for kind in kinds])
        here = float(read.sum())
        scores = closeups[i, kinds][[models.labels.index(kind) for kind in kinds]] / models.temperatures["closeup"]
        if models.compares:
            scores = scores + COMPARED * np.log(np.maximum(read / here, LEAST))
        chances = softmax(scores, 1.0)
        told[i] |= {kind: here * float(chance) for kind, chance in zip(kinds, chances, strict=True)}
    return list(told)


def groups_of(layout: Layout, labels: Sequence[str]) -> list[tuple[str, ...]]:
    """The labels that a close-up tells apart: kinds of tiles, and prints of these on cards."""
    own = tuple(kind for kind in layout.tile.kinds if kind in labels)
    prints = tuple(f"{CARD}:{kind}" for kind in own if f"{CARD}:{kind}" in labels)
    return [group for group in (own, prints) if group]


def _cut(pyramid: Pyramid, place: Looked, kinds: Sequence[str], layout: Layout) -> Picture:
    plane, middle = (place.face, place.face_mm) if kinds[0].startswith(CARD) else (place.tops, place.top_mm)
    return closeup(pyramid, plane, middle, layout, CLOSEUP_PX)


def closer_cells(
    pyramid: Pyramid,
    pose: Pose,
    cells: Mapping[str, Reads],
    zones: Iterable[Zone],
    white: Floats,
    layout: Layout,
    models: Models,
    closeups: Closeups,
) -> dict[str, Reads]:
    """The cells of a surface with kinds told by close-ups; those that are new are added to the known ones."""
    if models.closeup is None:
        return dict(cells)
    names, places = [], []
    for zone in zones:
        heights = heights_of(layout, zone)
        tops, face = pose.at(heights.top_mm), pose.at(heights.print_mm)
        for cell in zone.cells:
            if cell.name in cells:
                middle = (cell.x_mm, cell.y_mm)
                names.append(cell.name)
                places.append(Looked(tops, face, middle, middle, cells[cell.name]))
    told = looked_at(pyramid, places, white, layout, models, closeups)
    return {**cells, **dict(zip(names, told, strict=True))}


def closer_tiles(
    pyramid: Pyramid, tops: Array, tiles: Sequence[LooseTile], white: Floats, layout: Layout, models: Models
) -> list[LooseTile]:
    """Loose pieces with kinds told by close-ups."""
    if models.closeup is None or not tiles:
        return list(tiles)
    middles = transform(inverse(tops), np.array([tile.place_px for tile in tiles]))
    places = [
        Looked(tops, tops, middle, middle, tile.reads)
        for tile, middle in zip(tiles, map(tuple, middles.tolist()), strict=True)
    ]
    told = looked_at(pyramid, places, white, layout, models, {})
    return [replace(tile, reads=reads) for tile, reads in zip(tiles, told, strict=True)]
