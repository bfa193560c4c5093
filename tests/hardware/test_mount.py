"""The printable mount: what was rendered is whole, lies flat, and has the holes that boards need."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import hardware.rig

FOLDER = Path(hardware.rig.__file__).parent / "mount"
HEADER, TRIANGLE = 84, np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])


def corners(part):
    """The triangles of a binary STL, (count, 3, 3)."""
    data = (FOLDER / f"{part}.stl").read_bytes()
    return np.frombuffer(data, TRIANGLE, offset=HEADER)["corners"]


@pytest.mark.parametrize("part", ["head", "tray"])
def test_every_edge_has_two_sides(part):
    edges: Counter[tuple[bytes, ...]] = Counter()
    for triangle in corners(part):
        points = [point.tobytes() for point in triangle]
        edges.update(tuple(sorted((points[i], points[i - 1]))) for i in range(3))
    assert edges
    assert set(edges.values()) == {2}


@pytest.mark.parametrize(
    ("part", "middle", "apart", "diameter"), [("head", (38, 0), (21, 12.5), 2.2), ("tray", (0, 0), (58, 49), 2.7)]
)
def test_boards_find_their_holes(part, middle, apart, diameter):
    points = corners(part).reshape(-1, 3)
    bottom = points[np.abs(points[:, 2]) < 1e-3]
    assert points[:, 2].min() == pytest.approx(0, abs=1e-3), "it lies flat on the printer's bed"
    for x in (-1, 1):
        for y in (-1, 1):
            hole = np.array(middle) + np.array(apart) / 2 * (x, y)
            distances = np.linalg.norm(bottom[:, :2] - hole, axis=1)
            assert distances.min() == pytest.approx(diameter / 2, abs=0.01)


@pytest.mark.parametrize("part", ["head", "tray"])
def test_it_fits_on_a_small_printer(part):
    points = corners(part).reshape(-1, 3)
    assert np.ptp(points, axis=0).max() < 120
