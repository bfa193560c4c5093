"""Finding a table again that the look before knew: what looks as it did is carried on, boards that do not are located
anew from where they were.

Whatever is not plain is left to a search of the whole picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from engine.layout import Layout
from vision.changes import changes, glance
from vision.find import Disc, Found, find, searched
from vision.locate import STILL, TURNS, Sought, is_known, is_on, refine
from vision.network import Families, Models, kind_of
from vision.placed import sought, surface_of
from vision.pose import Array, homography_of, inverse, rectangle, transform
from vision.rectify import VIEW_PX, Picture, Pyramid, view_to_mm, white_of
from vision.scene import KnownSurface, KnownTable, TableScene
from vision.sighting import Located
from vision.together import lie_together

MOST_LOOKS = 8
"""After so many looks the whole picture is searched again, and all of it read."""
MOST_CHANGED = 0.08
"""Where less of a board looks otherwise than when it was located, it lies where it did: pushed by three quarters of a
millimetre more of its print does, on own boards of every edition. A tile is a hundredth of a board."""
BEYOND, WITHIN = 1.1, 0.75
"""So much larger than it is, a board hides the table, since pieces on it stand high; so much of a disc's radius pieces
lie on, while its rim tells that it was moved."""
RING = 5
"""Fewer discs do not tell where the middle of the table is."""


def recognise(
    pyramid: Pyramid, known: KnownTable, networks: Families, layout_of: Callable[[str], Layout]
) -> TableScene | None:
    """The scene that a look knew as it is now; None where the whole picture is to be searched."""
    if known.size_px != pyramid.size_px or known.looks >= MOST_LOOKS:
        return None
    (models,) = networks.knowing(known.edition)
    layout = layout_of(known.edition)
    kinds = sought([kind for kind in models.kinds if kind_of(kind).edition == known.edition], layout_of)
    held: dict[Located, KnownSurface] = {}
    moved: list[Located] = []
    for surface in known.surfaces:
        view = seen_of(pyramid, surface.located, layout)
        changed = changes(view, surface.view)
        if not changed.any():
            held[surface.located] = _in_this_light(surface, view)
            continue
        if changes(view, surface.stood).mean() < MOST_CHANGED:
            held[surface.located] = KnownSurface(surface.located, surface.stood, view)
            continue
        located = _again(pyramid, surface.located, models, kinds)
        if located is None:
            return None
        if located is surface.located:
            held[located] = KnownSurface(located, view, view)
        else:
            moved.append(located)
    boards = [*held, *moved]
    if moved and not (_are_apart(boards) and lie_together(boards, kinds, pyramid.size_px)):
        return None
    found = _found(pyramid, known, boards, models, layout)
    if found is None:
        return None
    loose = replace(known.loose, patches=(), box=None) if moved else known.loose
    return TableScene(models, known.edition, known.side, boards, known.strangers, found, held, loose, known.looks + 1)


def seen_of(pyramid: Pyramid, board: Located, layout: Layout) -> Picture:
    """What a surface looks like, as it is compared."""
    surface = surface_of(board.kind, layout)
    face = homography_of(board.corners_px, surface.width_mm, surface.height_mm)
    return glance(pyramid, face @ view_to_mm(surface), (VIEW_PX, VIEW_PX))


def _in_this_light(surface: KnownSurface, view: Picture) -> KnownSurface:
    """A surface that looks as it did, with the colour that white has now."""
    answers = surface.answers
    return replace(
        surface,
        answers=answers and replace(answers, white=white_of(view)),
        carried=surface.carried + 1,
    )


def _again(pyramid: Pyramid, board: Located, models: Models, kinds: Sought) -> Located | None:
    """A board located anew from where it was: the known one where it did not move; None where it is not plain."""
    found = refine(pyramid, board.corners_px, models, {board.kind: kinds[board.kind]})
    if found is None:
        return None
    off = np.hypot(*(found.corners_px[TURNS] - board.corners_px).transpose(2, 0, 1)).max(axis=1).min()
    if off < STILL * np.hypot(*(board.corners_px[0] - board.corners_px[2])):
        return board
    return replace(found, how=board.how)


def _are_apart(boards: Sequence[Located]) -> bool:
    return not any(is_on(board.corners_px, [other for other in boards if other is not board]) for board in boards)


def _found(
    pyramid: Pyramid, known: KnownTable, boards: Sequence[Located], models: Models, layout: Layout
) -> Found | None:
    """What the finder says: anew where the table between boards and discs changed; None where there may be a board."""
    small, shrink = searched(pyramid)
    changed = changes(small, known.found.small).astype(np.uint8)
    back = inverse(shrink)
    for corners in _hidden(boards, known.found.discs, layout):
        cv2.fillConvexPoly(changed, np.round(transform(back, corners)).astype(np.int32), 0)
    if not changed.any():
        return known.found
    found = find(pyramid, models)
    before = known.found.board_map.guesses
    new = [guess for guess in found.board_map.guesses if not is_on(guess, boards) and not is_known(guess, before)]
    return None if new else found


def _hidden(boards: Sequence[Located], discs: Sequence[Disc], layout: Layout) -> list[Array]:
    """The parts of a picture in which the finder has nothing to find: boards, discs, and what these lie around."""
    parts = [_larger(board.corners_px) for board in boards]
    parts += [_inside(disc) for disc in discs]
    disc, heap = layout.disc, layout.numbered_heap
    is_ring = heap is not None and len(discs) >= RING and len(discs) in dict(heap.counts).values()
    if disc is not None and not disc.prints and is_ring:
        middles = np.array([disc.centre_px for disc in discs], np.float32)
        parts.append(cv2.convexHull(middles).reshape(-1, 2).astype(np.float64))
    return parts


def _larger(corners: Array) -> Array:
    middle = corners.mean(axis=0)
    return np.asarray(middle + BEYOND * (corners - middle))


def _inside(disc: Disc) -> Array:
    side = 2 * WITHIN * disc.radius_px
    return rectangle(side, side) - side / 2 + disc.centre_px
