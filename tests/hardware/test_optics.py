"""How high cameras hang: worked out, held against a pinhole of our own, and against what the documentation prints."""

import math
import re
from pathlib import Path

import pytest

import engine
from hardware.rig.optics import CAMERAS, MARGIN, Optics, focal_px, hang, table_mm

AZUL = engine.load("azul").layout
HARDWARE_MD = Path(__file__).parents[2] / "docs" / "hardware.md"


def test_a_field_of_ninety_degrees_sees_twice_its_height():
    square = Optics("", (1000, 1000), (90.0, 90.0))
    view = hang(square, (1000.0, 400.0), 20.0)
    assert view.height_mm == pytest.approx(500 * MARGIN)
    assert view.tile_px == pytest.approx(20 / MARGIN)
    assert focal_px(1000, 90) == pytest.approx(500)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=list(CAMERAS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_whole_table_is_in_the_picture(camera, players):
    table = table_mm(AZUL, players)
    view = hang(camera, table, 20.0)
    seen = [2 * view.height_mm * math.tan(math.radians(field) / 2) for field in camera.field_deg]
    sides = sorted(table, reverse=True) if view.along else sorted(table)
    assert all(side <= shown * 1.001 for side, shown in zip(sides, seen, strict=True))


def test_more_players_need_more_height():
    for camera in CAMERAS.values():
        heights = [hang(camera, table_mm(AZUL, players), 20.0).height_mm for players in (2, 3, 4)]
        assert heights == sorted(heights)


def test_only_a_small_webcam_does_not_suffice_for_four():
    views = {name: hang(camera, table_mm(AZUL, 4), 20.0) for name, camera in CAMERAS.items()}
    assert [name for name, view in views.items() if not view.suffices] == ["webcam-1080p"]


@pytest.mark.parametrize("slug", engine.slugs())
def test_every_edition_can_be_laid(slug):
    layout = engine.load(slug).layout
    tables = [table_mm(layout, players) for players in (2, 3, 4)]
    assert all(max(table) < 1200 for table in tables)
    assert [width * height for width, height in tables] == sorted(width * height for width, height in tables)


def test_the_documentation_prints_what_is_worked_out():
    rows = re.findall(r"^\| (.+?) \| (\d) \| (\d+) \| (\d+) \|", HARDWARE_MD.read_text(encoding="utf-8"), re.MULTILINE)
    told = {(name, int(players)): (int(height), int(tile)) for name, players, height, tile in rows}
    for camera in CAMERAS.values():
        for players in (2, 3, 4):
            view = hang(camera, table_mm(AZUL, players), 20.0)
            assert told[camera.name, players] == (round(view.height_mm / 10), round(view.tile_px))
