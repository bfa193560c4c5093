"""Boards that look alike the other way up: the print that tells whose they are says which way they lie."""

import numpy as np
import pytest

from engine.layout import layout_of
from vision import look
from vision.classify import Classified, ReadSurface
from vision.pose import homography_of, pose_of
from vision.sighting import Located

LAYOUT = layout_of("summer-pavilion")
SIZE_PX = (1000, 1000)
CORNERS = np.array([[300.0, 300.0], [562.0, 300.0], [562.0, 562.0], [300.0, 562.0]])
BOARD = Located(CORNERS, "summer-pavilion beige", 0.99, "print")
POSE = pose_of(homography_of(CORNERS, 262.0, 262.0), 900.0, SIZE_PX)


class Picture:
    size_px = SIZE_PX


def read(cell, **owner: float):
    return ReadSurface({"star.O.1": {"R": cell, ".": 1 - cell}}, {}, {"black": 0.0, "white": 0.0, "?": 0.0, **owner})


UPRIGHT = {"white": 0.95, "grey": 0.05}


@pytest.fixture
def told(monkeypatch):
    def tell(upright, turned, chance=0.04):
        monkeypatch.setattr(look, "turn_chances", lambda *_: np.array([1 - chance, 0, chance, 0]))
        monkeypatch.setattr(look, "classify", lambda *_: Classified([turned], []))
        return look._other_way_up(Picture(), BOARD, POSE, upright, 900.0, LAYOUT, "beige", None)  # type: ignore[arg-type]

    return tell


def test_a_board_whose_print_is_clearer_at_the_other_side_lies_the_other_way(told):
    board, pose, seen = told(read(0.0, **UPRIGHT), read(1.0, white=0.999))
    assert np.allclose(board.corners_px, np.roll(CORNERS, 2, axis=0))
    assert np.allclose(pose.project(np.zeros((1, 2))), CORNERS[2])
    assert seen.cells["star.O.1"]["R"] == 1.0


def test_where_it_is_hardly_clearer_every_cell_that_differs_is_in_doubt(told):
    board, pose, seen = told(read(0.0, **UPRIGHT), read(1.0, white=0.99))
    assert np.allclose(board.corners_px, CORNERS)
    assert pose is POSE
    assert seen.cells["star.O.1"] == {"R": 0.5, ".": 0.5}
    assert seen.owner is not None
    assert seen.owner["white"] == pytest.approx(0.97)


@pytest.mark.parametrize(
    ("upright", "turned", "chance"),
    [
        ({"white": 0.999}, {"white": 0.9999}, 0.04),
        ({"white": 0.95}, {"white": 0.95}, 0.04),
        ({"white": 0.4, "?": 0.6}, {"white": 0.999}, 0.04),
        ({"white": 0.95}, {"white": 0.999}, 0.001),
    ],
    ids=["print is clear", "no clearer there", "print is hidden", "never looks turned"],
)
def test_other_boards_are_left_as_they_lie(told, upright, turned, chance):
    assert told(read(0.0, **upright), read(1.0, **turned), chance) is None
