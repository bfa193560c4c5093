"""Boards that people place, where the print does not tell where they are."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.pipeline import layout_of, load_networks
from vision import placed
from vision.photo import decode_photo
from vision.placed import around, place_by, told_stranger
from vision.rectify import Pyramid
from vision.sighting import Located, Stranger

PHOTOS = Path(__file__).parents[2] / "fixtures" / "photos"
SURE = (np.zeros((4, 2)), np.array([1.0, 0.0, 0.0, 0.0]), {"azul coloured": 0.99, "azul grey": 0.01})
KINDS = ("azul coloured", "azul grey")


@pytest.fixture(scope="module")
def networks():
    return load_networks().knowing("azul")[0]


def placed_in(path, networks, kinds):
    corners = np.array(json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["boards"][0]["corners_px"])
    pyramid = Pyramid(decode_photo(path.read_bytes(), path.name).picture)
    return place_by(pyramid, corners, networks, kinds, "by hand", layout_of)


def test_a_board_half_under_a_hand_stays_where_a_person_puts_it(networks, monkeypatch):
    monkeypatch.setattr(placed, "refine", lambda *_: None)
    path = PHOTOS / "azul-mini" / "azul-mini_phone-board_101.jpg"
    found = placed_in(path, networks, ("azul-mini coloured", "azul-mini grey"))
    assert isinstance(found, Located)
    assert (found.kind, found.how) == ("azul-mini coloured", "by hand")


def test_what_only_looks_like_a_board_is_refused_with_the_share_of_unclear_cells(networks, monkeypatch):
    monkeypatch.setattr(placed, "refine", lambda *_: None)
    monkeypatch.setattr(placed, "upright", lambda _, corners, __: (corners, SURE))
    found = placed_in(PHOTOS / "summer-pavilion" / "summer-pavilion_phone-board_101.jpg", networks, KINDS)
    assert isinstance(found, Stranger)
    assert found.unclear > 0.5
    share = round(100 * found.unclear)
    assert str(told_stranger(found, ["azul"])).startswith(f"this is hardly a board of azul, as {share} of 100 cells")


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 3, 2, 1), (0, 2, 1, 3), (0, 2, 3, 1)], ids=str)
def test_corners_go_clockwise_from_the_first(order):
    corners = np.array([[10.0, 20.0], [110.0, 25.0], [120.0, 130.0], [5.0, 120.0]])
    assert np.array_equal(around(corners[list(order)]), corners)
