"""Boards that lie on one table: there all are of one shape and size, which tells of those that were placed wrongly.

A hand over a corner, and the rest of a board passes for all of it. Where the table is known by other boards, such a
board does not fit it, and may be sought anew as a rectangle of the right size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

import cv2
import numpy as np

from vision.find import BoardMap
from vision.locate import Shape, Sought, at_rest, is_convex, is_on, laid, looks_like, nearer, refine
from vision.network import Models, kind_of
from vision.pose import (
    USUAL_FOCAL,
    Array,
    camera_of,
    focal_costs,
    homography_of,
    inverse,
    join,
    rectangle,
    rigid,
    transform,
)
from vision.rectify import Pyramid
from vision.sighting import Located

SLACK = 0.06
"""How far, in longer sides of a board, a corner may lie from where it would with a board on the table."""
MOST_SKEWED = 30.0
"""A board that is less likely of its shape (natural logarithm), whatever the lens, tells nothing of the table."""
RIGHT_ANGLE = 0.35
"""How far, as a cosine, a corner is from a right angle at most where a rectangle is begun from it."""
SAME_SIDE = 0.15
"""How much longer or shorter (natural logarithm) than a board's a side may be to be taken for it."""
SIDES = (0.4, 2.6)
"""How long the sides of a part of the picture must be on the table to be worth a rectangle, in the shorter and the
longer side of a board; a mat may run into it."""
HORIZON_PX = 1e5
"""Corners are nowhere so far off."""
MOST_RUN_INTO = 2
"""Parts of the picture beside boards that were found, the largest."""
MOST_LOOKED_AT, MOST_SOUGHT = 24, 6
"""Rectangles: a picture may be full of what looks a little like a board."""


def together(
    pyramid: Pyramid, boards: Sequence[Located], board_map: BoardMap, models: Models, kinds: Sought
) -> list[Located]:
    """The boards that lie on one table, with those that are found by its help among wrong ones and guesses.

    How large a surface is that is not the first of a seat, against those, differs by printing: it stays where it is.
    """
    others = [board for board in boards if kind_of(board.kind).surface]
    firsts = [board for board in boards if not kind_of(board.kind).surface]
    shape = _common_shape(firsts, kinds)
    upright, kept = _lying(firsts, shape, pyramid.size_px)
    lost = [board.corners_px for board in firsts if all(board is not other for other in kept)]
    kept += others
    lost += [guess for guess in board_map.guesses if not is_on(guess, kept)]
    if not upright:
        return kept
    # Boards that ran into some that were found are guessed once those are left out.
    beside = board_map.beside([board.corners_px for board in kept])[:MOST_RUN_INTO]
    lost += [guess for guess in beside if not is_on(guess, kept)]
    table = join(upright, *shape)
    # What a look from where corners were guessed tells is a better start than the guess, but costs more.
    moved = (quad for each in lost if (quad := nearer(pyramid, each, models, kinds)) is not None)
    begun = islice((each for quad in chain(lost, moved) for each in _begun(table, quad, shape)), MOST_LOOKED_AT)
    likely = (each for each in begun if not is_on(each, kept) and looks_like(pyramid, each, models, kinds))
    for corners in islice(likely, MOST_SOUGHT):
        found = laid(pyramid, table, corners, models, kinds)
        if found is not None and not is_on(found.corners_px, kept):
            kept.append(found)
    return [*kept, *_of_other_sorts(pyramid, kept, board_map, models, kinds)]


def lie_together(boards: Sequence[Located], kinds: Sought, size_px: tuple[int, int]) -> bool:
    """Whether all first boards of seats lie on one table."""
    firsts = [board for board in boards if not kind_of(board.kind).surface]
    upright, kept = _lying(firsts, _common_shape(firsts, kinds), size_px)
    return bool(upright) and len(kept) == len(firsts)


def _of_other_sorts(
    pyramid: Pyramid, kept: Sequence[Located], board_map: BoardMap, models: Models, kinds: Sought
) -> list[Located]:
    """Surfaces of a sort that is sought and was not found: perhaps they ran into others."""
    found = {kind_of(board.kind).surface for board in kept}
    wanted = {kind: shape for kind, shape in kinds.items() if kind_of(kind).surface not in found}
    beside = board_map.beside([board.corners_px for board in kept]) if wanted else []
    sought = (quad for quad in beside[:MOST_SOUGHT] if not is_on(quad, kept))
    boards = (refine(pyramid, quad, models, wanted) for quad in sought)
    return list(islice((board for board in boards if board and not is_on(board.corners_px, kept)), 1))


def _common_shape(boards: Sequence[Located], kinds: Sought) -> Shape:
    """The shape that most boards have; without boards that of the first kind."""
    shapes = Counter(kinds[board.kind] for board in boards)
    return shapes.most_common(1)[0][0] if shapes else next(iter(kinds.values()))


def _turns(shape: Shape) -> list[Shape]:
    """A shape with its longer side along and across: one where it is a square."""
    return list(dict.fromkeys((shape, shape[::-1])))


def by_three_corners(
    pyramid: Pyramid, guesses: Sequence[Array], models: Models, kinds: Sought, focal_px: float | None
) -> list[Located]:
    """A board of which one corner is hidden, where no other tells of the table: three corners tell of the fourth."""
    camera = camera_of(focal_px or USUAL_FOCAL * max(pyramid.size_px), pyramid.size_px)
    shapes = dict.fromkeys(turned for shape in kinds.values() for turned in _turns(shape))
    begun = (
        corners
        for guess in guesses
        for hidden in range(4)
        for shape in shapes
        for corners in _completed(guess, hidden, camera, shape)
    )
    likely = (each for each in islice(begun, MOST_LOOKED_AT) if looks_like(pyramid, each, models, kinds))
    placed = (refine(pyramid, corners, models, kinds) for corners in islice(likely, MOST_SOUGHT))
    return list(islice((at_rest(pyramid, board, models) for board in placed if board is not None), 1))


def _completed(quad: Array, hidden: int, camera: Array, shape: Shape) -> Iterator[Array]:
    """A guess with one corner put where it is if the others are those of a rectangle before this camera."""
    known = np.delete(np.arange(4), hidden)
    flat = np.column_stack([rectangle(*shape), np.zeros(4)])
    _, turns, moves = cv2.solveP3P(flat[known], quad[known], camera, None, cv2.SOLVEPNP_P3P)
    for turn, move in zip(turns, moves, strict=True):
        corners = np.asarray(cv2.projectPoints(flat, turn, move, camera, None)[0].reshape(4, 2), np.float64)
        # Corners in one place, or on a line, are no rectangle's: what they tell may be nothing, or lie at the horizon.
        if np.abs(corners).max() < HORIZON_PX and is_convex(corners):
            yield corners


def _lying(boards: Sequence[Located], shape: Shape, size_px: tuple[int, int]) -> tuple[list[Array], list[Located]]:
    """The homographies, in sides, of boards that lie on one table, and these; none and all if none has its shape."""
    homographies = [homography_of(board.corners_px, *shape) for board in boards]
    best: tuple[float, float] = (0, 0)
    upright, kept = list[Array](), list(boards)
    for homography in homographies:
        fits = [_off(homography, board.corners_px, shape) < SLACK for board in boards]
        skew = float(focal_costs([homography], size_px).min())
        if skew < MOST_SKEWED and (sum(fits), -skew) > best:
            best = sum(fits), -skew
            upright = [each for each, fit in zip(homographies, fits, strict=True) if fit]
            kept = [board for board, fit in zip(boards, fits, strict=True) if fit]
        if len(upright) == len(boards):
            break
    return upright, kept


def _off(table: Array, corners_px: Array, shape: Shape) -> float:
    """How far a board's corners are from those of its shape on the table, in its longer side."""
    placed = transform(inverse(table), corners_px)
    return float(np.linalg.norm(rigid(rectangle(*shape), placed[None])[0] - placed, axis=1).max())


def _begun(table: Array, quad: Array, shape: Shape) -> Iterator[Array]:
    """Rectangles on the table, as pixels, that have a side or else a corner in common with a part of the picture."""
    placed = transform(inverse(table), quad)
    along, back = np.roll(placed, -1, axis=0) - placed, np.roll(placed, 1, axis=0) - placed
    sides = np.linalg.norm(along, axis=1)
    along, back = along / sides[:, None], back / np.roll(sides, 1)[:, None]
    slants = np.abs((along * back).sum(axis=1))
    for wide, high in _turns(shape):
        for i in np.argsort(np.abs(np.log(sides / wide))):
            if abs(np.log(sides[i] / wide)) < SAME_SIDE:
                yield _corners(table, placed[i] + along[i] * (sides[i] - wide) / 2, along[i], i, (wide, high))
    if sides.min() < SIDES[0] * min(shape) or sides.max() > SIDES[1] * max(shape):
        return
    for i in np.argsort(slants):
        if slants[i] > RIGHT_ANGLE:
            return
        # From a corner the next is a side away, and the one before a side away a quarter turn on.
        way = along[i] + (back[i][1], -back[i][0])
        for turned in _turns(shape):
            yield _corners(table, placed[i], way / np.linalg.norm(way), i, turned)


def _corners(table: Array, corner: Array, way: Array, first: int, shape: Shape) -> Array:
    """The rectangle on the table that goes on from this corner, its first, this way."""
    frame = np.array([way, (-way[1], way[0])])
    return np.roll(transform(table, corner + rectangle(*shape) @ frame), first, axis=0)
