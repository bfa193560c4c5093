"""Boards on one table: a wrong one is noticed, and one that is half hidden is found by the others' help."""

import cv2
import numpy as np
import pytest

from vision import together as module
from vision.pose import camera_of, transform
from vision.sighting import Located
from vision.together import _begun, _completed, _off, together

TABLE = np.array([[300.0, 40.0, 2000.0], [-30.0, 260.0, 1500.0], [0.005, 0.03, 1.0]])
"""From sides of a board to pixels of a picture of 4000 by 3000, seen slantwise."""
SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
UNIT = (1.0, 1.0)
KINDS = {"azul coloured": UNIT}


class Photo:
    size_px = (4000, 3000)


def corners(x, y, turn):
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return transform(TABLE, SQUARE @ way + (x, y))


def board(corners_px):
    return Located(corners_px, "azul coloured", 0.99, "print")


LEFT, TOP, RIGHT = (corners(*place) for place in ((-3.0, 0.3, 1.5), (0.2, -2.5, 3.2), (3.0, 0.1, -1.4)))
HIDDEN = corners(-0.4, 2.0, 0.1)
CUT = HIDDEN.copy()
CUT[3] = HIDDEN[3] + 0.35 * (HIDDEN[2] - HIDDEN[3])
"""The lower left corner is under a hand."""


@pytest.fixture
def print_agrees(monkeypatch):
    """Print that is found only where it is."""
    sought = []

    def laid(_pyramid, _table, corners_px, _models, _kinds):
        sought.append(corners_px)
        off = np.linalg.norm(corners_px - HIDDEN, axis=1).max() / np.linalg.norm(HIDDEN[0] - HIDDEN[2])
        return board(HIDDEN) if off < 0.05 else None

    monkeypatch.setattr(module, "laid", laid)
    monkeypatch.setattr(module, "looks_like", lambda *_: True)
    monkeypatch.setattr(module, "nearer", lambda *_: None)
    return sought


class Marked:
    """What the finder marked: these guesses, and beside boards that were found those."""

    def __init__(self, guesses, beside=()):
        self.guesses, self._beside = guesses, beside

    def beside(self, _boards):
        return self._beside


def joined(boards, guesses, beside=(), kinds=KINDS):
    return together(Photo(), boards, Marked(guesses, beside), None, kinds)  # type: ignore[arg-type]


@pytest.mark.usefixtures("print_agrees")
def test_a_board_of_another_sort_that_ran_into_others_is_found_beside_them(monkeypatch):
    shared = Located(HIDDEN, "tide-pool day beach", 0.9, "print")
    monkeypatch.setattr(module, "laid", lambda *_: None)
    monkeypatch.setattr(module, "refine", lambda _pyramid, _quad, _models, kinds: shared if len(kinds) == 1 else None)
    kinds = {**KINDS, shared.kind: (1.0, 0.4)}
    run_into, boards = (LEFT + TOP) / 2, [board(LEFT), board(TOP)]
    found = joined(boards, [run_into], [HIDDEN], kinds)
    assert found[-1] is shared
    assert joined(boards, [run_into], [HIDDEN], KINDS) == found[:-1]


@pytest.mark.usefixtures("print_agrees")
def test_a_board_that_ran_into_others_is_found_by_what_they_leave_of_it():
    found = joined([board(LEFT), board(TOP)], [(LEFT + TOP) / 2], [CUT])
    assert found[-1].corners_px.tolist() == HIDDEN.tolist()
    assert len(found) == 3


def test_boards_that_lie_on_one_table_are_kept_as_they_are(print_agrees):
    boards = [board(LEFT), board(TOP), board(RIGHT), board(HIDDEN)]
    assert joined(boards, [LEFT + 3, HIDDEN]) == boards
    assert not print_agrees


@pytest.mark.parametrize("others", [[LEFT, TOP, RIGHT], [LEFT, TOP], [TOP]])
@pytest.mark.usefixtures("print_agrees")
def test_a_board_that_was_placed_by_what_a_hand_leaves_of_it_is_placed_anew(others):
    found = joined([board(CUT), *map(board, others)], [])
    assert [each.corners_px.tolist() for each in found] == [*map(np.ndarray.tolist, others), HIDDEN.tolist()]


@pytest.mark.usefixtures("print_agrees")
def test_a_board_that_was_only_guessed_is_found_too():
    assert len(joined([board(LEFT), board(TOP)], [LEFT, CUT])) == 3


def test_what_fits_no_table_is_no_board(monkeypatch):
    monkeypatch.setattr(module, "looks_like", lambda *_: True)
    monkeypatch.setattr(module, "laid", lambda *_: None)
    assert len(joined([board(LEFT), board(TOP), board(CUT)], [CUT])) == 2


def test_nothing_is_said_of_a_table_without_a_square_board():
    boards = [board(CUT)]
    assert joined(boards, []) == boards
    assert joined([], [CUT]) == []


def test_squares_are_begun_where_the_corners_are_right():
    squares = list(_begun(TABLE, CUT, UNIT))
    assert len(squares) >= 2
    assert np.abs(squares[0] - HIDDEN).max() < 1
    assert all(_off(TABLE, square, UNIT) < 1e-6 for square in squares)
    assert _off(TABLE, CUT, UNIT) > 0.1


def test_a_board_that_runs_out_of_the_picture_is_sought_from_the_one_side_that_is_seen():
    wild = HIDDEN.copy()
    wild[2:] += (900.0, 1500.0)
    first, *_ = _begun(TABLE, wild, UNIT)
    assert np.abs(first - HIDDEN).max() < 1.0


@pytest.mark.usefixtures("print_agrees")
def test_where_a_guess_leads_to_nothing_looks_from_there_may(monkeypatch):
    guess = HIDDEN + 3000
    assert len(joined([board(LEFT), board(TOP)], [guess])) == 2
    monkeypatch.setattr(module, "nearer", lambda *_: HIDDEN + 2)
    assert len(joined([board(LEFT), board(TOP)], [guess])) == 3


@pytest.mark.parametrize("hidden", range(4))
def test_three_corners_of_a_square_tell_of_the_fourth(hidden):
    camera = camera_of(3200.0, Photo.size_px)
    turn = cv2.Rodrigues(np.array([0.6, 0.2, 0.4]))[0]
    true = transform(camera @ np.column_stack([turn[:, :2], (-0.3, 0.2, 4.0)]), SQUARE)
    guess = true.copy()
    guess[hidden] = true.mean(axis=0)
    assert min(np.abs(square - true).max() for square in _completed(guess, hidden, camera, UNIT)) < 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("guess", [np.full((4, 2), 700.0), np.repeat([[400.0], [600.0]], 2, axis=0) * [1.0, 0.5]])
def test_corners_in_one_place_or_on_a_line_tell_of_no_fourth_far_off(guess):
    squares = [
        square for hidden in range(4) for square in _completed(guess, hidden, camera_of(3200.0, Photo.size_px), UNIT)
    ]
    assert np.isfinite(squares).all()


OBLONG = (1.0, 0.75)
FLAT = transform(TABLE, np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.75], [0.0, 0.75]]) + (0.3, 0.2))


def test_a_board_that_is_no_square_fits_the_table_by_its_own_shape():
    assert _off(TABLE, FLAT, OBLONG) < 1e-6
    assert _off(TABLE, FLAT, UNIT) > 0.1
    assert _off(TABLE, HIDDEN, OBLONG) > 0.1


@pytest.mark.parametrize("turn", range(4))
def test_oblong_boards_are_begun_from_a_side_of_either_length(turn):
    cut = np.roll(FLAT, turn, axis=0)
    cut[2:] += 0.4 * (cut[2:] - cut[1::-1])
    begun = list(_begun(TABLE, cut, OBLONG))
    assert min(np.abs(corners - np.roll(FLAT, turn, axis=0)).max() for corners in begun) < 1


def test_oblong_boards_with_a_hidden_corner_are_completed():
    camera = camera_of(3200.0, Photo.size_px)
    turn, _ = cv2.Rodrigues(np.array([0.5, 0.1, 0.2]))
    flat = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.75], [0.0, 0.75]])
    true = transform(camera @ np.column_stack([turn[:, :2], (-0.3, 0.2, 4.0)]), flat)
    guess = true.copy()
    guess[2] = true.mean(axis=0)
    assert min(np.abs(corners - true).max() for corners in _completed(guess, 2, camera, OBLONG)) < 1
