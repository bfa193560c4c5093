"""Overlays: what was read shows where it was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.overlay import draw_reading, told_of
from engine import load
from engine.layout import is_within
from vision.cells import tile_cells
from vision.draw import BOARD, CLOSE_UP_PX, DOUBT, GREY, SCORE, TINTS, close_up, overlay
from vision.lettering import Label, write
from vision.pose import Array, homography_of, pose_of
from vision.rectify import Picture
from vision.sighting import Located, LooseTile, SeenHeap, SeenSurface, Sighting

LAYOUT = load("azul").layout
GROUND = 100


def table() -> dict[str, Any]:
    """A Table of one board and one disc, all of it certain."""
    board = {
        "seat": 1,
        "lines": [".", "..", "...", "....", "...KK"],
        "wall": ["B....", ".....", ".....", ".....", "....."],
        "floor": "",
        "score": 14,
        "doubts": [],
    }
    factory = {"tiles": "BKRY", "centre_px": [960.0, 240.0]}
    middle = {"factories": [factory], "centre": {"tiles": "R"}}
    return {"edition": "azul", "side": "coloured", "boards": [board], **middle, "doubts": []}


def sight(width: int = 1200, how: str = "print") -> Sighting:
    """A board seen from straight above in the left of a picture, a disc and a loose tile in the right."""
    height = width * 2 // 3
    side = 0.6 * height
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + 0.1 * height
    pose = pose_of(homography_of(corners, 262, 262), 0.8 * width, (width, height))
    board = SeenSurface(1, Located(corners, "azul coloured", 0.99, how), pose, {}, {})
    tile = LooseTile((0.8 * width, 0.7 * height), (0.0, 0.0), 0.99, {"R": 1.0})
    disc = SeenHeap((0.8 * width, 0.3 * height), 0.99, ())
    return Sighting((width, height), "azul", "coloured", (board,), (disc,), (tile,))


def drawn(told: dict[str, Any], sighting: Sighting) -> Picture:
    width, height = sighting.size_px
    return draw_reading(np.full((height, width, 3), GROUND, np.uint8), sighting, told)


def has(picture: Picture, colour: tuple[int, int, int], box_px: Array) -> bool:
    """Whether a colour, or nearly that where a thin line is smoothed, is to be found between two corners."""
    (left, top), (right, bottom) = box_px.round().astype(int).tolist()
    away = np.abs(picture[top : bottom + 1, left : right + 1].astype(int) - colour)
    return bool((away < 40).all(axis=2).any())


def box(cell: str, sighting: Sighting, height_mm: float = 0.0) -> Array:
    outline = sighting.boards[0].pose.project(np.array(LAYOUT.cell(cell).outline_mm()), height_mm)
    return np.array([outline.min(axis=0), outline.max(axis=0)])


def test_everything_is_drawn_where_it_lies() -> None:
    sighting = sight()
    picture = drawn(table(), sighting)
    assert has(picture, TINTS["B"], box("wall.1.1", sighting, 7.2))
    assert has(picture, TINTS["K"], box("line.5.5", sighting, 7.2))
    assert has(picture, SCORE, box("score.14", sighting))
    assert not has(picture, SCORE, box("score.50", sighting))
    assert not has(picture, DOUBT, np.array([[0, 0], sighting.size_px]))
    assert has(picture, BOARD, sighting.boards[0].located.corners_px[[0, 0]] + [[-4, -4], [4, 4]])
    assert has(picture, BOARD, np.array([[840, 160], [1080, 320]]))
    assert has(picture, TINTS["R"], np.array([[940, 540], [980, 580]]))


def test_of_more_discs_than_there_are_only_those_told_are_drawn_and_all_tiles() -> None:
    sighting = sight()
    stray = LooseTile((1100.0, 700.0), (0.0, 0.0), 0.99, {"B": 1.0})
    more = (SeenHeap((1100.0, 700.0), 0.6, (stray,)), *sighting.discs)
    told = table()
    told["doubts"] = [{"cell": "factory.1", "reads": {"B": 0.6}}]
    picture = drawn(told, replace(sighting, discs=more))
    assert has(picture, DOUBT, np.array([[840, 160], [1080, 320]]))
    assert has(picture, TINTS["B"], np.array([[1080, 680], [1120, 720]]))
    assert not has(picture, BOARD, np.array([[1000, 600], [1199, 799]]))


def test_the_picture_itself_stays_as_it_was() -> None:
    sighting = sight()
    picture = np.full((800, 1200, 3), GROUND, np.uint8)
    draw_reading(picture, sighting, table())
    assert (picture == GROUND).all()


def test_doubts_and_unseen_cells_stand_out() -> None:
    told, sighting = table(), sight()
    told["boards"][0]["wall"][1] = "?...."
    told["boards"][0]["doubts"] = [{"cell": "line.3", "reads": {".": 0.7, "R": 0.3}}, {"cell": "score", "reads": {}}]
    told["doubts"] = [{"cell": "factory.1", "reads": {"B": 0.6}}, {"cell": "centre", "reads": {"R": 0.6}}]
    picture = drawn(told, sighting)
    assert all(has(picture, DOUBT, box(f"line.3.{i}", sighting)) for i in (1, 2, 3))
    assert not has(picture, DOUBT, box("line.2.1", sighting))
    assert has(picture, GREY, box("wall.2.1", sighting))
    assert has(picture, DOUBT, box("score.14", sighting))
    assert not has(picture, SCORE, np.array([[0, 0], sighting.size_px]))
    assert has(picture, DOUBT, np.array([[840, 160], [1080, 320]]))
    assert has(picture, DOUBT, np.array([[940, 540], [980, 580]]))


def test_a_score_that_is_not_known_is_said_so() -> None:
    told = table()
    told["boards"][0]["score"] = None
    picture = drawn(told, sight())
    assert has(picture, SCORE, np.array([[0, 0], [1199, 799]]))


def test_sliders_are_marked_each() -> None:
    mini = load("azul-mini").layout
    told, sighting = table(), sight()
    told["boards"][0] |= {"sliders": {"tens": 1, "units": 4}}
    told["edition"] = "azul-mini"
    picture = overlay(np.full((800, 1200, 3), GROUND, np.uint8), sighting, mini, told_of(told))
    pose = sighting.boards[0].pose
    for name in ("slider.tens.1", "slider.units.4"):
        outline = pose.project(np.array(mini.cell(name).outline_mm()))
        assert has(picture, SCORE, np.array([outline.min(axis=0) - 2, outline.max(axis=0) + 2]))


def test_large_pictures_are_halved() -> None:
    sighting = sight(4800)
    picture = drawn(table(), sighting)
    assert picture.shape == (1600, 2400, 3)
    assert has(picture, TINTS["B"], box("wall.1.1", sighting, 7.2) / 2)


@pytest.mark.parametrize("shift", [-300.0, 500.0])
def test_what_is_partly_out_of_the_picture_is_drawn_as_far_as_it_goes(shift: float) -> None:
    sighting = sight()
    board = sighting.boards[0]
    corners = board.located.corners_px + shift
    pose = pose_of(homography_of(corners, 262, 262), 960, sighting.size_px)
    moved = SeenSurface(1, Located(corners, "azul coloured", 0.9, "by hand"), pose, {}, {})
    told = table()
    told["boards"][0]["wall"] = ["?????"] * 5
    picture = drawn(told, Sighting(sighting.size_px, "azul", "coloured", (moved,), sighting.discs, sighting.centre))
    assert (picture != GROUND).any()


def test_a_close_up_shows_the_cell_at_its_print_and_at_the_top_of_a_tile() -> None:
    sighting = sight()
    cell = LAYOUT.cell("wall.3.3")
    picture = np.zeros((800, 1200, 3), np.uint8)
    left, top, right, bottom = box("wall.3.3", sighting).round().astype(int).ravel().tolist()
    picture[top:bottom, left:right] = 255
    cut = close_up(picture, sighting.boards[0].pose, cell, LAYOUT)
    assert cut.shape == (CLOSE_UP_PX, 2 * CLOSE_UP_PX, 3)
    assert cut[CLOSE_UP_PX // 2, CLOSE_UP_PX // 2].tolist() == [255] * 3
    assert cut[:, :CLOSE_UP_PX].mean() == pytest.approx(255 / 1.7**2, rel=0.05)


def test_labels_in_boxes_stay_within_the_picture() -> None:
    picture = np.zeros((60, 300, 3), np.uint8)
    shown = write(picture, [Label("seat 1", (-50.0, 500.0), 20.0, (1, 2, 255), (9, 9, 9), boxed=True)])
    rows, columns = np.nonzero((shown == (1, 2, 255)).all(axis=2))
    assert len(rows) > 0
    assert columns.min() > 0
    assert rows.max() < 59


def test_what_is_drawn_covers_the_tile_cells_of_a_board() -> None:
    named = {name: kind for (seat, name), kind in told_of(table()).cells.items() if seat == 1}
    assert set(named) == {cell.name for cell in tile_cells(LAYOUT)}
    assert (named["wall.1.1"], named["line.5.5"], named["floor.7"]) == ("B", "K", ".")


def test_a_zone_stands_for_its_cells() -> None:
    assert is_within("line.3.1", "line.3")
    assert is_within("floor.1", "floor")
    assert not is_within("line.10", "line.1")
    assert not is_within("line.3.1", "")
