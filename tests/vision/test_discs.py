"""Discs are put where their rims are, whatever lies on them; where no rim is seen they stay."""

import cv2
import numpy as np
import pytest

from vision.discs import put_right
from vision.pose import homography_of, transform
from vision.rectify import Pyramid

RADIUS_MM = 40.5
TABLE_MM = 600.0
TRUE_MM = np.array([[200.0, 150.0], [300.0, 160.0], [330.0, 300.0]])


def slanted_table(rng):
    """A picture of three discs on a patterned table, and the homography of the table."""
    table = rng.integers(90, 130, (60, 60, 3)).astype(np.uint8)
    table = cv2.resize(table, (1200, 1200), interpolation=cv2.INTER_NEAREST)
    for x, y in TRUE_MM * 2:
        cv2.circle(table, (round(x), round(y)), round(2 * RADIUS_MM), (235, 240, 240), -1, cv2.LINE_AA)
        cv2.circle(table, (round(x), round(y)), 50, (40, 60, 160), 5, cv2.LINE_AA)
        cv2.rectangle(table, (round(x) + 5, round(y) - 60), (round(x) + 45, round(y) - 20), (20, 20, 200), -1)
    corners = np.array([[250.0, 60.0], [780.0, 90.0], [1010.0, 640.0], [30.0, 600.0]])
    face = homography_of(corners, TABLE_MM, TABLE_MM)
    picture = cv2.warpPerspective(table, face @ np.diag([0.5, 0.5, 1.0]), (1040, 680))
    return Pyramid(np.asarray(picture, np.uint8)), face


@pytest.mark.parametrize("seed", range(5))
def test_discs_are_brought_to_their_rims(seed):
    rng = np.random.default_rng(seed)
    pyramid, face = slanted_table(rng)
    found = TRUE_MM + rng.uniform(-14, 14, TRUE_MM.shape)
    off = np.linalg.norm(put_right(pyramid, face, found, RADIUS_MM) - TRUE_MM, axis=1)
    # A tile is 20 mm wide, and lies 5 mm inside a rim or outside it.
    assert off.max() < 2.5


def test_without_a_rim_a_disc_stays_where_it_was_found():
    _, face = slanted_table(np.random.default_rng(0))
    plain = Pyramid(np.full((680, 1040, 3), 120, np.uint8))
    assert np.array_equal(put_right(plain, face, TRUE_MM, RADIUS_MM), TRUE_MM)


def test_what_lies_as_far_as_the_horizon_stays_and_the_others_are_put_right():
    pyramid, face = slanted_table(np.random.default_rng(2))
    found = np.vstack([TRUE_MM + 8, [[4e7, 5e6], [np.inf, 3.0]]])
    right = put_right(pyramid, face, found, RADIUS_MM)
    assert np.array_equal(right[3:], found[3:])
    assert np.linalg.norm(right[:3] - TRUE_MM, axis=1).max() < 2.5


def test_discs_at_the_edge_of_the_picture_or_none_at_all():
    pyramid, face = slanted_table(np.random.default_rng(1))
    beyond = transform(np.linalg.inv(face), np.array([[1039.0, 5.0]]))
    assert np.isfinite(put_right(pyramid, face, beyond, RADIUS_MM)).all()
    assert put_right(pyramid, face, np.empty((0, 2)), RADIUS_MM).shape == (0, 2)
