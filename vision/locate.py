"""Placing boards that were guessed in a picture, each by its own print.

A board is believed only after the aligner, looking at what the corners cut out, takes it for a board, rightly turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network import Floats, Models
from vision.pose import Array, focal_costs, homography_of, inverse, rigid, transform
from vision.rectify import ALIGN, FIT, Pyramid, balanced, white_of
from vision.sighting import Located, softmax

ALIGN_UNIT_PX = 16.0
TURNS = (np.arange(4) - np.arange(4)[:, None]) % 4
"""Which corner comes at each place after no, one, two and three quarter turns."""
SAME_GUESS = 0.04
"""Corners that are nowhere farther apart than this share of a diagonal are no new guess."""
SURE_BOARD = 0.8
"""What the aligner must give a board."""
SURE_TURN = 0.95
"""A board that looks less surely upright is looked at in its other turns too: glare may leave little to tell it by."""
SURE_LOOK = 0.95
"""What a look from near must give a board, and its turn, to be the last."""
TRIES = 2
"""How often looking and fitting are begun anew where corners do not come to rest; what never does is no board."""
LOOKS = 8
"""How often a board's corners are brought nearer, at most."""
NEAR_PX = 1.5
"""In the view of a look: from here on they can be fitted."""
FAR_PX = 5.0
"""In the same: from farther off a first look is never the only one."""
AGREE_PX = 2.5
"""In the same: how far a last look may disagree with what was fitted."""
FITS = 4
"""How often they are then fitted to the print, at most."""
STILL = 0.003
"""Corners that move less than this share of the board's diagonal are right."""
AT_ONCE = 0.01
"""Corners that a first look brought so near to where a first fit puts them are right too."""
NEARER, SLIDES = 5, 8
"""How often a square is moved on the table by looks, and then, at most, by its print."""
FIT_STRIDE, FIT_UNIT_PX = 16, 4.0
FIT_NOISE_PX = 1.0
"""How far off an answer of the fitter usually is."""
SURE_PRINT = -1.5
"""What the fitter says of its error (natural logarithm) where it sees print: on own renderings it is surer of
99 % of that, and of 0.2 % of what lies beside boards. Elsewhere is a hand, or the picture ends."""
FEWEST_SURE = 0.3
"""The share of a board that must show such print to be believed."""
AGREED = 0.95
"""The share of this print that must agree with where a board is put. On own renderings, when unsure print counted too,
all of some 620 boards that were put right had more, and two of three that were put wrong had less."""
MISSHAPEN = 100.0
"""What is so unlikely a board's shape (natural logarithm), whatever the lens, was fitted to what a hand leaves of a
board. On own renderings 966 boards that were put right have less than 34; one that was put wrong has 690."""


Shape = tuple[float, float]
"""Width and height of a surface, the longer of them being 1."""
Sought = Mapping[str, Shape]
"""The kinds of boards that are sought, each with its shape."""
Alignment = tuple[Array, Array, dict[str, float]]
"""How far corners are off in their view, how likely each quarter turn is, and each kind of board."""


def believed(pyramid: Pyramid, guesses: Sequence[Array], models: Models, kinds: Sought) -> list[Located]:
    """The boards of these kinds among guessed ones, each believed by its print."""
    boards: list[Located] = []
    tried: list[Array] = []
    for guess in guesses:
        if is_on(guess, boards) or is_known(guess, tried):
            continue
        tried.append(guess)
        board = refine(pyramid, guess, models, kinds)
        if board is not None:
            boards = _apart([*boards, board])
    return boards


def is_known(guess: Array, others: Sequence[Array]) -> bool:
    """Whether a guess means the same corners as one of these."""
    return any(_is_same(guess, other) for other in others)


def _is_same(guess: Array, other: Array) -> bool:
    """Whether two guesses mean the same corners, perhaps beginning with another one."""
    apart = np.hypot(*(guess[TURNS] - other).transpose(2, 0, 1)).max(axis=1).min()
    return bool(apart < SAME_GUESS * np.hypot(*(guess[0] - guess[2])))


def is_on(corners_px: Array, boards: Sequence[Located]) -> bool:
    """Whether the middle of some corners lies on one of these boards."""
    middle = corners_px.mean(axis=0).tolist()
    return any(cv2.pointPolygonTest(board.corners_px.astype(np.float32), middle, False) >= 0 for board in boards)


def refine(pyramid: Pyramid, corners_px: Array, models: Models, kinds: Sought) -> Located | None:
    """Guessed corners brought to the print; None where what they cut out is no board of these kinds."""
    seen, look = _turned(pyramid, corners_px, models)
    corners = _at_once(pyramid, seen, look, models, kinds)
    if corners is None:
        placed = _step_by_step(pyramid, seen, look, models, kinds)
        if placed is None:
            return None
        corners, look = placed
    best = max(kinds, key=look[2].__getitem__)
    return Located(corners, best, look[2][best], "print")


def _at_once(pyramid: Pyramid, seen: Array, look: Alignment, models: Models, kinds: Sought) -> Array | None:
    """Corners by a single look and a single fit, if the one leaves no doubt and the other agrees with it."""
    if np.abs(look[0]).mean() > FAR_PX or min(look[1][0], max(look[2][kind] for kind in kinds)) < SURE_LOOK:
        return None
    moved = _moved(seen, look)
    fitted, agreed, _ = _fit(pyramid, moved, models)
    is_right = agreed >= AGREED and _motion(moved, fitted) < AT_ONCE and _is_shaped(pyramid, fitted, _like(look, kinds))
    return fitted if is_right else None


def _step_by_step(
    pyramid: Pyramid, seen: Array, look: Alignment, models: Models, kinds: Sought
) -> tuple[Array, Alignment] | None:
    """Corners brought near by looks, then fitted until they are at rest, with the look that says what they cut out."""
    for _ in range(TRIES):
        near = _approach(pyramid, seen, look, models)
        if near is None:
            return None
        seen, look = near
        corners, is_still = _settle(pyramid, _moved(seen, look), models)
        if is_still:
            break
        seen, look = _turned(pyramid, corners, models)
    if not is_still or not _is_shaped(pyramid, corners, _like(look, kinds)):
        return None
    if not _is_plain(look, ALIGN.to_view(seen, corners), kinds):
        corners, look = upright(pyramid, corners, models)
        is_board = min(look[1][0], sum(look[2][kind] for kind in kinds)) >= SURE_BOARD
        if not is_board or np.abs(look[0]).mean() > AGREE_PX:
            return None
    return corners, look


def _is_plain(look: Alignment, fitted: Array, kinds: Sought) -> bool:
    """Whether the look before the fit, in whose view the fitted corners are given, leaves nothing for a last one."""
    off, turns, chances = look
    is_board = min(turns[0], max(chances[kind] for kind in kinds)) >= SURE_LOOK
    agrees = np.abs(ALIGN.corners() + off - fitted).mean() <= AGREE_PX
    return bool(is_board and agrees and np.abs(off).mean() < NEAR_PX)


def upright(pyramid: Pyramid, corners: Array, models: Models) -> tuple[Array, Alignment]:
    """Corners turned as they look most upright, with that look; where they plainly do, no other turn is tried."""
    look = _look(pyramid, corners, models)
    if look[1][0] >= SURE_TURN:
        return corners, look
    turned = (np.roll(corners, turn, axis=0) for turn in range(4))
    return max(((each, _look(pyramid, each, models)) for each in turned), key=lambda pair: float(pair[1][1][0]))


def _turned(pyramid: Pyramid, corners: Array, models: Models) -> tuple[Array, Alignment]:
    """Corners turned as a look at them says, with the look at that."""
    look = _look(pyramid, corners, models)
    quarters = int(np.argmax(look[1]))
    if not quarters:
        return corners, look
    corners = np.roll(corners, quarters, axis=0)
    return corners, _look(pyramid, corners, models)


def _approach(pyramid: Pyramid, corners: Array, look: Alignment, models: Models) -> tuple[Array, Alignment] | None:
    """Corners brought near the print, with the last look at them, which says how far off they still are.

    None where they come to look turned, or never near: what is no board sends them round in circles.
    """
    for _ in range(LOOKS):
        if np.argmax(look[1]):
            return None
        if np.abs(look[0]).mean() < NEAR_PX:
            return corners, look
        corners = _moved(corners, look)
        look = _look(pyramid, corners, models)
    return None


def _moved(corners: Array, look: Alignment) -> Array:
    """Corners where a look says that they should be."""
    return ALIGN.to_picture(corners, ALIGN.corners() + look[0])


def _settle(pyramid: Pyramid, corners: Array, models: Models) -> tuple[Array, bool]:
    """Corners fitted to the print until that moves no more, and whether it came to rest and agrees."""
    for _ in range(FITS):
        corners, agreed, motion = _fit(pyramid, corners, models)
        if motion < STILL:
            return corners, agreed >= AGREED
    return corners, False


def at_rest(pyramid: Pyramid, board: Located, models: Models) -> Located:
    """A board with its corners fitted until they move no more, where a single fit to what a hand leaves may not do."""
    corners, is_still = _settle(pyramid, board.corners_px, models)
    return replace(board, corners_px=corners) if is_still else board


def _motion(before: Array, after: Array) -> float:
    """How far corners moved, as a share of the board's diagonal."""
    return float(np.linalg.norm(after - before, axis=1).max() / np.linalg.norm(after[0] - after[2]))


def nearer(pyramid: Pyramid, corners_px: Array, models: Models, kinds: Sought) -> Array | None:
    """Corners that cut out a part of a board moved as looks at it say; None where they cut out none."""
    corners, look = _turned(pyramid, corners_px, models)
    for _ in range(LOOKS):
        if sum(look[2][kind] for kind in kinds) < 0.5 or not is_convex(corners):
            return None
        corners = _moved(corners, look)
        look = _look(pyramid, corners, models)
    return corners


def looks_like(pyramid: Pyramid, corners_px: Array, models: Models, kinds: Sought) -> bool:
    """Whether what these corners cut out is rather a board of these kinds than none."""
    chances = _look(pyramid, corners_px, models)[2]
    return sum(chances[kind] for kind in kinds) > 0.5


def turn_chances(pyramid: Pyramid, corners_px: Array, models: Models) -> Array:
    """How likely each quarter turn is of a board that these corners cut out."""
    return _look(pyramid, corners_px, models)[1]


def _look(pyramid: Pyramid, corners_px: Array, models: Models) -> Alignment:
    """How far corners are off in their view, how likely each quarter turn is, and each kind of board."""
    view = ALIGN.cut(pyramid, corners_px)
    off, turns, kinds = models.aligner(balanced(view, white_of(view))[None])
    chances = dict(zip(models.kinds, softmax(kinds[0], 1.0).tolist()[1:], strict=True))
    return off[0].reshape(4, 2).astype(float) * ALIGN_UNIT_PX, softmax(turns[0], 1.0), chances


def _fit(pyramid: Pyramid, corners_px: Array, models: Models) -> tuple[Array, float, float]:
    """Corners moved so that the print lies where it should, the share of it that agrees, and how far it was moved.

    A few tiles or a hand do not matter. Print is moved by a share of the board's diagonal; where a board is not seen,
    its corners may still stray while its print is at rest.
    """
    places, found = _pairs(_print_off(pyramid, corners_px, models))
    corners, agreed = _fitted(places, found)
    moved_px = np.linalg.norm(FIT.to_picture(corners, places) - places, axis=1).max(initial=0.0)
    return FIT.to_picture(corners_px, corners), agreed, float(moved_px) / (FIT.span_px * np.sqrt(2))


def _print_off(pyramid: Pyramid, corners_px: Array, models: Models) -> Floats:
    """How far off, and how uncertain that is, (3, rows, columns), the print is in the view that corners cut out."""
    view = FIT.cut(pyramid, corners_px)
    (maps,) = models.fitter(balanced(view, white_of(view))[None])
    return np.asarray(maps[0], np.float32)


def fitted_corners(off: Floats) -> tuple[Array, float]:
    """The corners in a view by how far off the print is in it, and the share of it that agrees.

    They stay where they are, and nothing agrees, where hardly any print is seen.
    """
    return _fitted(*_pairs(off))


def _fitted(places: Array, found: Array) -> tuple[Array, float]:
    """The same by places that show print, and where that belongs."""
    if not _is_enough(places):
        return FIT.corners(), 0.0
    homography, agree = cv2.findHomography(places, found, cv2.USAC_MAGSAC, FIT_NOISE_PX)
    if homography is None:
        return FIT.corners(), 0.0
    return transform(np.asarray(homography, np.float64), FIT.corners()), float(agree.mean())


def _pairs(off: Floats) -> tuple[Array, Array]:
    """Places in the fitter's view that surely show a board's print, and where that belongs."""
    across, down, unsure = off.reshape(3, -1)
    sure = _on_board() & (unsure < SURE_PRINT)
    places = fit_grid()[sure]
    return places, places + np.column_stack([across, down])[sure] * FIT_UNIT_PX


def _is_enough(places: Array) -> bool:
    """Whether so many places with print tell of a board."""
    return len(places) >= FEWEST_SURE * int(np.count_nonzero(_on_board()))


@cache
def _on_board() -> NDArray[np.bool_]:
    """Which places of the fitter's grid lie on the board."""
    places, (low, _, high, _) = fit_grid(), FIT.corners()
    return np.asarray(((places > low) & (places < high)).all(axis=1))


def laid(pyramid: Pyramid, table: Array, square_px: Array, models: Models, kinds: Sought) -> Located | None:
    """A rectangle on the table, whose homography is in sides of a board, moved to the print; None if it finds none.

    Less can go wrong than with four free corners, so that one of them may be covered.
    """
    corners, look = upright(pyramid, square_px, models)
    back = inverse(table)
    square = transform(back, corners)
    for _ in range(NEARER):
        moved = _moved(transform(table, square), look)
        square = rigid(square, transform(back, moved)[None], pyramid.shows(moved))[0]
        look = _look(pyramid, transform(table, square), models)
    corners = transform(table, square)
    for _ in range(SLIDES):
        places, prints = _pairs(_print_off(pyramid, corners, models))
        if not _is_enough(places):
            return None
        here, there = (transform(back, FIT.to_picture(corners, points)) for points in (places, prints))
        motion, agree = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=2 * FIT_NOISE_PX / FIT.span_px)
        if motion is None:
            return None
        true = agree.ravel() > 0
        turn = motion[:, :2] / np.sqrt(np.linalg.det(motion[:, :2]))
        shift = there[true].mean(axis=0) - here[true].mean(axis=0) @ turn.T
        before, corners = corners, transform(table, transform(back, corners) @ turn.T + shift)
        if _motion(before, corners) < STILL:
            break
    off, turns, chances = _look(pyramid, corners, models)
    best = max(kinds, key=chances.__getitem__)
    if min(turns[0], chances[best]) < SURE_BOARD:
        return None
    if np.sort(np.linalg.norm(off, axis=1))[2] > AGREE_PX:
        # Far from the boards that tell it, the table is known less exactly than the print.
        corners, is_still = _settle(pyramid, corners, models)
        if not is_still or not _is_shaped(pyramid, corners, kinds[best]):
            return None
    return Located(corners, best, chances[best], "print")


@cache
def fit_grid() -> Array:
    """The places in its view where the fitter answers, row by row."""
    y, x = np.mgrid[0 : FIT.size_px : FIT_STRIDE, 0 : FIT.size_px : FIT_STRIDE]
    return np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)


def _like(look: Alignment, kinds: Sought) -> Shape:
    """The shape of the board that a look shows, if it is one of these kinds."""
    return kinds[max(kinds, key=look[2].__getitem__)]


def _is_shaped(pyramid: Pyramid, corners_px: Array, shape: Shape) -> bool:
    """Whether some lens could show a rectangle of this shape like this."""
    if not is_convex(corners_px):
        return False
    return float(focal_costs([homography_of(corners_px, *shape)], pyramid.size_px).min()) < MISSHAPEN


def is_convex(corners_px: Array) -> bool:
    """Whether corners are those of something flat, seen from its front or its back."""
    return bool(cv2.isContourConvex(np.round(corners_px * 8).astype(np.int32)))


def _apart(boards: list[Located]) -> list[Located]:
    """The boards without those that lie on a surer one."""
    kept: list[Located] = []
    for board in sorted(boards, key=lambda board: -board.sure):
        if not is_on(board.corners_px, kept):
            kept.append(board)
    return kept


def seated(boards: list[Located]) -> list[Located]:
    """Boards in the order of their seats: clockwise from the bottom of the picture."""
    if len(boards) < 2:
        return boards
    middles = np.array([board.corners_px.mean(axis=0) for board in boards])
    away = middles - middles.mean(axis=0)
    # Clockwise from straight down; in pictures y grows downwards.
    bearing = np.arctan2(-away[:, 0], away[:, 1])
    first = int(np.argmax(middles[:, 1]))
    return [boards[i] for i in np.argsort((bearing - bearing[first]) % (2 * np.pi))]
