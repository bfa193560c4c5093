"""Cutting boards out of pictures, on the simulated table."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.pipeline import layout_of
from engine import slugs
from vision.cells import TAKES, asked_of, points, read_cells, tile_cells, tracks
from vision.pose import homography_of, inverse, pose_of, rectangle, transform
from vision.rectify import (
    SPAN_PX,
    VIEW_PX,
    WHITE,
    Heights,
    Pyramid,
    balanced,
    board_view,
    heights_of,
    levels_of,
    view_to_mm,
    white_of,
)

AZUL = layout_of("azul")
BOARD = AZUL.surface("board")


def test_a_large_picture_is_made_smaller_without_becoming_jagged():
    fine = np.zeros((2000, 2000, 3), np.uint8)
    fine[:, ::2] = 255
    pyramid = Pyramid(fine)
    pose = pose_of(homography_of(rectangle(1999, 1999), 262, 262), 2000, pyramid.size_px)
    view = board_view(pyramid, pose, BOARD, heights_of(AZUL, AZUL.zones[0]))[0]
    middle = view[40:-40, 40:-40].astype(float)
    assert middle.std() < 12
    assert middle.mean() == pytest.approx(127, abs=4)


@pytest.mark.parametrize("size_px", [(1999, 1501), (640, 480)])
def test_cells_lie_in_the_view_where_they_are_asked_for(size_px):
    """A dot painted at a cell of a slanted board turns up at that cell's place in the view."""
    width, height = size_px
    corners = np.array([[0.2, 0.15], [0.75, 0.2], [0.85, 0.9], [0.1, 0.8]]) * (width, height)
    pose = pose_of(homography_of(corners, BOARD.width_mm, BOARD.height_mm), 0.8 * width, size_px)
    cells = tile_cells(AZUL)
    for index in (0, 12, 30, len(cells) - 1):
        picture = np.zeros((height, width, 3), np.uint8)
        (place,) = pose.project(np.array([[cells[index].x_mm, cells[index].y_mm]]))
        cv2.circle(picture, tuple(np.round(place).astype(int).tolist()), max(3, width // 150), (255, 255, 255), -1)
        view = board_view(Pyramid(picture), pose, BOARD, heights_of(AZUL, AZUL.zones[0]))[0].astype(float)[..., 0]
        y, x = np.mgrid[0:VIEW_PX, 0:VIEW_PX]
        found = np.array([(x * view).sum(), (y * view).sum()]) / view.sum()
        assert np.abs(found - points(cells, BOARD)[index]).max() < 1.2


def test_white_is_white_under_any_lamp():
    board = np.full((VIEW_PX, VIEW_PX, 3), (200, 210, 220), np.uint8)
    board[:90] = (40, 20, 10)
    warm = (board * np.array([0.3, 0.5, 0.8])).astype(np.uint8)
    day, lamp = balanced(board, white_of(board)), balanced(warm, white_of(warm))
    assert np.abs(day.astype(int) - lamp)[:, 200:].max() < 4
    assert (day[200, 200] == WHITE).all()


@pytest.mark.parametrize("slug", ["azul", "azul-mini"])
def test_every_cell_is_asked_for_once_and_hinted(slug):
    layout = layout_of(slug)
    asked = asked_of(layout, "coloured", (".", "?", "B", "Y", "R", "K", "W", "1"))
    assert len(np.unique(np.concatenate([asked.places, asked.marks]), axis=0)) == len(layout.cells)
    assert len(asked.places) == len(asked.hints) == len(tile_cells(layout))
    assert asked.hints[:, len(TAKES) :].sum() == 25
    assert (asked.hints[:, : len(TAKES)].sum(axis=1) == 1).all()
    assert len(tracks(layout)) == {"azul": 1, "azul-mini": 2}[slug]


def test_what_lies_at_the_horizon_is_cut_out_too():
    pyramid = Pyramid(np.full((64, 64, 3), 90, np.uint8))
    at_the_horizon = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, -8.0]])
    assert pyramid.warp(at_the_horizon, (16, 16)).shape == (16, 16, 3)


GARDEN = layout_of("queens-garden")


def test_every_zone_has_the_height_of_its_own_cells():
    board, storage, scoring = GARDEN.surfaces
    assert heights_of(GARDEN, GARDEN.zone("garden")) == Heights(2.0, 9.2)
    assert heights_of(GARDEN, GARDEN.zone("storage")) == Heights(0.0, 7.2)
    assert [zone.name for zones in levels_of(GARDEN, board).values() for zone in zones] == ["garden", "owner"]
    assert levels_of(GARDEN, storage) == {}
    assert list(levels_of(GARDEN, scoring).values()) == [()]


def test_an_oblong_surface_lies_in_the_middle_of_its_view():
    storage = GARDEN.surface("storage")
    corners = rectangle(storage.width_mm, storage.height_mm)
    (left, top), _, (right, bottom), _ = transform(inverse(view_to_mm(storage)), corners)
    assert bottom - top == pytest.approx(SPAN_PX)
    assert (right - left) / (bottom - top) == pytest.approx(storage.width_mm / storage.height_mm)
    assert left + right == pytest.approx(VIEW_PX - 1)


def test_discs_are_known_only_where_heaps_lie_on_a_piece():
    assert GARDEN.disc == GARDEN.piece("expansion")
    assert AZUL.disc == AZUL.piece("disc")
    assert replace(AZUL, heaps=()).disc is None


@pytest.mark.parametrize("slug", slugs())
def test_the_reader_can_be_asked_of_every_surface(slug):
    layout = layout_of(slug)
    for surface in layout.surfaces:
        asked, cells = asked_of(layout, "", (".", "?"), surface), read_cells(layout, surface)
        # Where there are no cells it is asked of one that is nowhere: it compares at least one.
        assert asked.places.shape == (max(1, len(cells)), 2)
        assert (asked.hints[:, : len(TAKES)].sum(axis=1) == bool(cells)).all()
        assert (asked.places > 0).all()
        assert (asked.places < VIEW_PX).all()
