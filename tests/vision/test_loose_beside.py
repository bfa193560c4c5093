"""Heaps beside boards, by the real networks' interface: tiles given by a map, discs by the finder."""

import numpy as np
import pytest

from engine.layout import layout_of
from vision import loose
from vision.find import Disc
from vision.pose import homography_of, pose_of
from vision.rectify import Pyramid
from vision.sighting import LooseTile

LAYOUT = layout_of("summer-pavilion")
BOARD = np.array([[300.0, 500.0], [562.0, 500.0], [562.0, 762.0], [300.0, 762.0]])
PICTURE = np.full((900, 900, 3), 90, np.uint8)


class Networks:
    """A network of which only the labels are asked; what it would find is told."""

    labels = (".", "?", *LAYOUT.tile.kinds)

    def loose(self, _pictures):
        return (np.zeros((1, 1, 1, 1), np.float32),)


def tile(x, y):
    return LooseTile((x, y), (x - 300.0, y - 500.0), 0.99, {"R": 1.0})


@pytest.fixture
def beside(monkeypatch):
    def read(tiles, discs):
        monkeypatch.setattr(loose, "tiles_in_view", lambda *_: tiles)
        monkeypatch.setattr(loose, "put_right", lambda _pyramid, _face, places, _radius: places)
        pose = pose_of(homography_of(BOARD, 262.0, 262.0), 50_000.0, (900, 900))
        seen = loose.read_loose(
            Pyramid(PICTURE),
            pose,
            [BOARD],
            [BOARD],
            discs,
            LAYOUT,
            np.full(3, 200.0, np.float32),
            Networks(),  # type: ignore[arg-type]
            loose.KnownLoose(),
        )
        (heap,) = seen.beside
        return heap

    return read


@pytest.mark.parametrize(("sure", "crowded"), [(0.99, False), (0.8, True)])
def test_tiles_on_what_may_be_no_disc_make_the_heap_beside_the_board_doubtful(beside, sure, crowded):
    heap = beside([tile(640.0, 620.0), tile(660.0, 650.0)], [Disc((650.0, 635.0), 40.0, sure)])
    assert heap.tiles == ()
    assert heap.crowded is crowded


def test_tiles_beside_a_board_are_its_seats(beside):
    heap = beside([tile(640.0, 620.0)], [Disc((430.0, 120.0), 40.0, 0.99)])
    assert len(heap.tiles) == 1
    assert not heap.crowded
    assert not heap.cut_off


def test_where_not_all_around_a_board_is_viewed_its_heap_may_hold_more(beside, monkeypatch):
    monkeypatch.setattr(loose, "LARGEST_TABLE_PX", 300)
    heap = beside([tile(640.0, 620.0)], [Disc((430.0, 120.0), 40.0, 0.99)])
    assert heap.cut_off
    assert len(heap.tiles) == 1
