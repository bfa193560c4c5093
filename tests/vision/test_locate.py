"""From the finder's map to guesses of boards, and from guesses to boards, each tried once."""

import cv2
import numpy as np
import pytest

from vision import locate
from vision.find import MAYBE_BOARD, BoardMap, _finer, _quads
from vision.locate import _is_same, believed, fitted_corners
from vision.network import Floats
from vision.rectify import FIT
from vision.sighting import Located

SQUARE = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]])


def marks(*parts):
    """A map, 48 by 64 places, of rectangles (left, top, right, bottom) held to be boards with some probability."""
    chances = np.full((48, 64), 0.01, np.float32)
    for (left, top, right, bottom), chance in parts:
        chances[top:bottom, left:right] = np.maximum(chances[top:bottom, left:right], chance)
    return np.log(chances / (1 - chances))


BOARDS = [((5, 5, 20, 20), 0.999), ((30, 8, 45, 23), 0.999)]
BRIDGE = [((18, 10, 32, 14), 0.7)]
COVERED = [((10, 30, 24, 44), 0.35)]


def areas(level, *parts):
    return [
        round(float(cv2.contourArea(quad.astype(np.float32))) / 64) for quad in _quads(_finer(marks(*parts)), level)
    ]


def test_boards_that_run_into_each_other_are_told_apart_at_a_higher_level():
    assert len(areas(MAYBE_BOARD[0], *BOARDS)) == 2
    assert len(areas(MAYBE_BOARD[0], *BOARDS, *BRIDGE)) == 1
    assert len(areas(MAYBE_BOARD[1], *BOARDS, *BRIDGE)) == 2


def test_a_board_that_is_half_covered_is_guessed_at_the_last_levels():
    assert [len(areas(level, *COVERED)) for level in MAYBE_BOARD] == [0, 0, 0, 1, 1]


def test_a_tip_of_three_corners_that_a_board_leaves_of_another_is_no_guess():
    fine = np.full((40, 40), -9.0, np.float32)
    fine[10:30, 10:30] = 9.0
    # Cut through the middle from corner to corner by a board that was found.
    found = np.array([[9.0, 31.0], [31.0, 9.0], [60.0, 38.0], [38.0, 60.0]])
    board_map = BoardMap(fine, np.eye(3))
    assert len(board_map.guesses) == len(MAYBE_BOARD)
    assert board_map.beside([((found + 0.5) / 4 - 0.5) * 8]) == []


@pytest.mark.parametrize("turn", range(4))
def test_the_same_corners_from_another_one_on_are_the_same_guess(turn):
    assert _is_same(np.roll(SQUARE + 2, turn, axis=0), SQUARE)
    assert not _is_same(np.roll(SQUARE + 20, turn, axis=0), SQUARE)


def test_a_guess_is_tried_once_and_not_where_a_board_is_known(monkeypatch):
    tried = []

    def refine(_pyramid, corners, _models, kinds):
        tried.append(float(corners[0, 0]))
        return None if corners[0, 0] >= 500 else Located(corners, next(iter(kinds)), 0.9, "print")

    monkeypatch.setattr(locate, "refine", refine)
    guesses = [SQUARE, SQUARE + 500, SQUARE + 300, SQUARE + 10, SQUARE + 501]
    boards = believed(None, guesses, None, {"azul coloured": (1.0, 1.0)})  # type: ignore[arg-type]
    assert tried == [0.0, 500.0, 300.0]
    assert [board.corners_px[0, 0] for board in boards] == [0.0, 300.0]


class Photo:
    size_px = (400, 300)


class Counted:
    """Looks and fits with set answers, counted."""

    def __init__(self, monkeypatch, off_px, turned, fit_px, agreed=1.0, start=SQUARE):
        self.looks = self.fits = 0
        self._start = start
        self._off, self._turned, self._fit, self._agreed = off_px, turned, fit_px, agreed
        monkeypatch.setattr(locate, "_look", self.look)
        monkeypatch.setattr(locate, "_fit", self.fit)

    def look(self, _pyramid, _corners, _models):
        self.looks += 1
        off, self._off = self._off, 0.0
        return np.full((4, 2), off), np.eye(4)[self._turned], {"azul coloured": 0.99}

    def fit(self, _pyramid, corners, _models):
        self.fits += 1
        moved, self._fit = corners + self._fit, 0.0
        return moved, self._agreed, locate._motion(corners, moved)

    def refined(self):
        return locate.refine(Photo(), self._start, None, {"azul coloured": (1.0, 1.0)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("off_px", "fit_px", "calls"),
    [(3.0, 0.5, (1, 1)), (3.0, 2.0, (2, 2)), (7.0, 0.5, (2, 2))],
    ids=["agreed", "the fit disagrees", "the look was from afar"],
)
def test_one_look_and_one_fit_do_where_they_agree(off_px, fit_px, calls, monkeypatch):
    counted = Counted(monkeypatch, off_px, 0, fit_px)
    board = counted.refined()
    assert board is not None
    assert board.kind == "azul coloured"
    assert (counted.looks, counted.fits) == calls


def test_what_looks_turned_again_and_again_is_no_board_and_never_fitted(monkeypatch):
    counted = Counted(monkeypatch, 1.0, 1, 0.0)
    assert counted.refined() is None
    assert (counted.looks, counted.fits) == (2, 0)


def test_where_a_board_is_put_most_of_its_print_must_agree(monkeypatch):
    assert Counted(monkeypatch, 1.0, 0, 0.0, agreed=0.96).refined() is not None
    assert Counted(monkeypatch, 1.0, 0, 0.0, agreed=0.9).refined() is None


def test_what_no_lens_makes_of_a_square_is_no_board(monkeypatch):
    slanted = np.array([[60.0, 60.0], [260.0, 60.0], [300.0, 240.0], [20.0, 240.0]])
    assert Counted(monkeypatch, 1.0, 0, 0.0, start=slanted).refined() is not None
    pulled = slanted.copy()
    pulled[3] = (60.0, 150.0)
    assert Counted(monkeypatch, 1.0, 0, 0.0, start=pulled).refined() is None


def print_off(off_units: float = 0.0) -> Floats:
    """What the fitter says of a board whose print is this far off everywhere, and plainly seen."""
    return np.stack([np.full((14, 14), value, np.float32) for value in (off_units, off_units, -2.5)])


def test_print_that_a_hand_moves_does_not_move_the_corners_but_counts():
    off = print_off()
    corners, agreed = fitted_corners(off)
    assert np.allclose(corners, FIT.corners(), atol=0.01)
    assert agreed == 1.0
    off[:2, 8:, 9:] = 3.0
    corners, agreed = fitted_corners(off)
    assert np.allclose(corners, FIT.corners(), atol=0.2)
    assert 0.7 < agreed < 0.9


def test_what_is_plainly_no_print_says_nothing_of_where_a_board_is():
    off = print_off(0.5)
    off[:2, 5:, 4:], off[2, 5:, 4:] = 3.0, 0.0
    corners, agreed = fitted_corners(off)
    assert np.allclose(corners, FIT.corners() + 2.0, atol=0.1)
    assert agreed == 1.0


def test_where_hardly_any_print_is_seen_nothing_is_believed():
    off = print_off(0.5)
    off[2, 4:] = 0.0
    corners, agreed = fitted_corners(off)
    assert (corners == FIT.corners()).all()
    assert agreed == 0.0


def test_print_is_at_rest_though_corners_that_nobody_sees_stray(monkeypatch):
    strays = iter((-9.0, 8.0, -7.0))

    def off_but_for_a_corner(*_):
        """Print that lies right on the left of a board, so that its right corners are anybody's guess."""
        off = print_off()
        off[2, :, 6:] = 0.0
        off[1, :, 5] = next(strays) / 100
        return off

    monkeypatch.setattr(locate, "_print_off", off_but_for_a_corner)
    corners, is_still = locate._settle(None, SQUARE, None)  # type: ignore[arg-type]
    assert is_still
    assert np.abs(corners[[0, 3]] - SQUARE[[0, 3]]).max() < 0.5
