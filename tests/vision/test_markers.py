"""Boards by printed markers."""

import cv2
import numpy as np

from vision.markers import find_markers

FAMILY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
TAG, QUIET = 60, 15
BOARD = (300, 250, 500, 500)


def table_with(numbers):
    """A white table with the markers of a board at its four corners, then photographed aslant."""
    left, top, width, height = BOARD
    picture = np.full((1000, 1200), 235, np.uint8)
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    away = [(-1, -1), (0, -1), (0, 0), (-1, 0)]
    for number in numbers:
        (x, y), (right, down) = corners[number % 4], away[number % 4]
        x, y = x + right * TAG, y + down * TAG
        picture[y : y + TAG, x : x + TAG] = cv2.aruco.generateImageMarker(FAMILY, number, TAG)
    slant = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1200, 0], [1200, 1000], [0, 1000]], np.float32),
        np.array([[150, 60], [1050, 20], [1190, 980], [10, 940]], np.float32),
    )
    seen = cv2.warpPerspective(picture, slant, (1200, 1000), borderValue=200)
    truth = cv2.perspectiveTransform(np.array([corners], np.float32) - 0.5, slant)[0]
    return cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR), truth


def test_four_markers_give_the_corners():
    picture, truth = table_with([8, 9, 10, 11])
    (found,) = find_markers(picture)
    assert np.abs(found - truth).max() < 1.5


def test_three_markers_give_the_fourth_corner_nearly():
    picture, truth = table_with([4, 5, 7])
    (found,) = find_markers(picture)
    assert np.abs(found - truth)[[0, 1, 3]].max() < 1.5
    assert np.linalg.norm(found[2] - truth[2]) < 0.2 * np.linalg.norm(truth[0] - truth[2])


def test_two_markers_or_none_are_no_board():
    assert find_markers(table_with([0, 1])[0]) == []
    assert find_markers(np.zeros((500, 500, 3), np.uint8)) == []


def test_markers_are_found_in_a_large_picture():
    picture, truth = table_with([0, 1, 2, 3])
    large = cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    (found,) = find_markers(large)
    assert np.abs((found + 0.5) / 3 - 0.5 - truth).max() < 1.5
