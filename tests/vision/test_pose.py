"""Homographies, heights and focal lengths, against a camera whose truth is known."""

import numpy as np
import pytest

from hardware.tabletop.lens import SimulatedLens
from vision.pose import estimate_focal, homography_of, inverse, join, pose_of, rectangle, rigid, transform

WIDTH, HEIGHT = 2304, 1296
BOARD_MM = 262.0


def lens(elevation_deg: float, focal_px: float) -> SimulatedLens:
    elevation = np.radians(elevation_deg)
    eye = (0.0, 1100 * float(np.cos(elevation)), 1100 * float(np.sin(elevation)))
    return SimulatedLens(WIDTH, HEIGHT, focal_px, eye, (0.0, 0.0, 0.0), roll_deg=3.0)


def corners_mm(middle, turn_deg):
    turn = np.radians(turn_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (rectangle(BOARD_MM, BOARD_MM) - BOARD_MM / 2) @ rotation.T + middle


def seen(camera, places_mm, z_mm=0.0):
    return camera.project(np.column_stack([places_mm, np.full(len(places_mm), z_mm)]))


SPOTS = [((0, 330), 2), ((-420, 0), 95), ((10, -340), 178), ((430, 20), 268)]


@pytest.mark.parametrize("elevation_deg", [35, 60, 89])
def test_a_tile_top_is_found_where_its_height_moves_it(elevation_deg):
    camera = lens(elevation_deg, 1700)
    corners = corners_mm(*SPOTS[1])
    pose = pose_of(homography_of(seen(camera, corners), BOARD_MM, BOARD_MM), 1700, (WIDTH, HEIGHT))
    inner = np.array([[100.0, 60.0], [20.0, 230.0]])
    to_table = homography_of(corners, BOARD_MM, BOARD_MM)
    for height in (0.0, 7.2, 20.0):
        truth = seen(camera, transform(to_table, inner), height)
        assert np.abs(pose.project(inner, height) - truth).max() < 0.05


@pytest.mark.parametrize("elevation_deg", [35, 50, 65])
@pytest.mark.parametrize("focal_px", [1300, 1900, 2900])
def test_a_slanted_view_tells_the_focal_length(elevation_deg, focal_px):
    camera = lens(elevation_deg, focal_px)
    homographies = [homography_of(seen(camera, corners_mm(*spot)), BOARD_MM, BOARD_MM) for spot in SPOTS]
    assert estimate_focal(homographies, (WIDTH, HEIGHT)) == pytest.approx(focal_px, rel=0.04)


def test_from_straight_above_the_usual_focal_length_is_taken():
    camera = lens(89.9, 1500)
    homographies = [homography_of(seen(camera, corners_mm(*spot)), BOARD_MM, BOARD_MM) for spot in SPOTS]
    assert estimate_focal(homographies, (WIDTH, HEIGHT)) == pytest.approx(0.8 * WIDTH, rel=0.05)


def distances(places):
    return np.linalg.norm(places[:, None] - places[None], axis=2)


def test_boards_on_one_table_mend_each_others_errors():
    camera = lens(50, 1700)
    rng = np.random.default_rng(5)
    far = np.array([[420.0, -300.0], [-500.0, 250.0], [0.0, 0.0], [300.0, 400.0]])
    pixels = seen(camera, far)
    alone: list[float] = []
    together: list[float] = []
    for _ in range(20):
        off = [seen(camera, corners_mm(*spot)) + rng.normal(0, 1.0, (4, 2)) for spot in SPOTS]
        homographies = [homography_of(corners, BOARD_MM, BOARD_MM) for corners in off]
        for errors, table in ((alone, homographies[0]), (together, join(homographies, BOARD_MM, BOARD_MM))):
            errors.append(np.abs(distances(transform(inverse(table), pixels)) - distances(far)).mean())
    assert np.mean(together) < 0.25 * np.mean(alone)


@pytest.mark.parametrize("elevation_deg", [35, 60, 89])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_boards_that_are_seen_exactly_tell_the_table_exactly(elevation_deg, count):
    camera = lens(elevation_deg, 1900.0)
    homographies = [homography_of(seen(camera, corners_mm(*spot)), BOARD_MM, BOARD_MM) for spot in SPOTS[:count]]
    far = np.array([[-600.0, -500.0], [500.0, 400.0], [0.0, 0.0]])
    table = transform(inverse(join(homographies, BOARD_MM, BOARD_MM)), seen(camera, far))
    apart = np.linalg.norm(far - np.roll(far, 1, axis=0), axis=1)
    assert np.linalg.norm(table - np.roll(table, 1, axis=0), axis=1) == pytest.approx(apart, rel=1e-4)


def test_where_no_equal_boards_fit_the_best_of_both_is_told():
    camera = lens(60, 1900.0)
    true = seen(camera, corners_mm(*SPOTS[0]))
    wrong = seen(camera, 1.3 * corners_mm(*SPOTS[1]))
    table = join([homography_of(corners, BOARD_MM, BOARD_MM) for corners in (true, wrong)], BOARD_MM, BOARD_MM)
    assert np.isfinite(table).all()
    assert np.abs(transform(table, rectangle(BOARD_MM, BOARD_MM)) - true).max() < 100


def test_corners_that_are_not_seen_do_not_move_a_rectangle():
    square = rectangle(2.0, 2.0)
    near = square @ np.array([[0.0, 1.0], [-1.0, 0.0]]) + (5.0, 3.0)
    wrong = near.copy()
    wrong[3] += (2.0, -1.0)
    seen = np.array([True, True, True, False])
    assert np.allclose(rigid(square, wrong[None], seen)[0], near)
    assert not np.allclose(rigid(square, wrong[None])[0], near, atol=0.1)
