"""From the finder's map to guesses of boards, and from guesses to boards, each tried once."""

import cv2
import numpy as np
import pytest

from vision import locate
from vision.locate import MAYBE_BOARD, _is_same, _quads, believed
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
    return [round(float(cv2.contourArea(quad.astype(np.float32))) / 64) for quad in _quads(marks(*parts), level)]


def test_boards_that_run_into_each_other_are_told_apart_at_a_higher_level():
    assert len(areas(MAYBE_BOARD[0], *BOARDS)) == 2
    assert len(areas(MAYBE_BOARD[0], *BOARDS, *BRIDGE)) == 1
    assert len(areas(MAYBE_BOARD[1], *BOARDS, *BRIDGE)) == 2


def test_a_board_that_is_half_covered_is_guessed_at_the_last_level():
    assert all(not areas(level, *COVERED) for level in MAYBE_BOARD[:-1])
    assert len(areas(MAYBE_BOARD[-1], *COVERED)) == 1


@pytest.mark.parametrize("turn", range(4))
def test_the_same_corners_from_another_one_on_are_the_same_guess(turn):
    assert _is_same(np.roll(SQUARE + 2, turn, axis=0), SQUARE)
    assert not _is_same(np.roll(SQUARE + 20, turn, axis=0), SQUARE)


def test_a_guess_is_tried_once_and_not_where_a_board_is_known(monkeypatch):
    tried = []

    def refine(_pyramid, corners, _models, kinds):
        tried.append(float(corners[0, 0]))
        return None if corners[0, 0] >= 500 else Located(corners, kinds[0], 0.9, "print")

    monkeypatch.setattr(locate, "refine", refine)
    guesses = [SQUARE, SQUARE + 500, SQUARE + 300, SQUARE + 10, SQUARE + 501]
    boards = believed(None, guesses, None, ["azul coloured"])  # type: ignore[arg-type]
    assert tried == [0.0, 500.0, 300.0]
    assert [board.corners_px[0, 0] for board in boards] == [0.0, 300.0]
