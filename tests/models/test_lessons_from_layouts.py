"""What is learned comes from the layouts: kinds of boards, labels, positions, and boards that are none of ours."""

from __future__ import annotations

import numpy as np
import pytest

from companion.pipeline import MODELS_DIR
from engine import load, slugs
from hardware.tabletop.stage import Stage
from models.training.looks import EDITIONS, kinds, labels, layouts, most_discs, others
from models.training.stages import colours_of, draw_stage
from vision.network import load_manifest


def test_kinds_and_labels_are_those_of_the_networks() -> None:
    manifest = load_manifest(MODELS_DIR)
    assert list(kinds()) == manifest["kinds"]
    assert list(labels()) == manifest["labels"]


def test_every_edition_is_learned_or_shown_as_none_of_ours() -> None:
    assert sorted([*EDITIONS, *others()]) == slugs()
    assert others()
    assert most_discs() == 9


def stages(slug: str, count: int = 60) -> list[Stage]:
    rng = np.random.default_rng(3)
    return [draw_stage(layouts()[slug], 2 + number % 3, rng) for number in range(count)]


@pytest.mark.parametrize("slug", EDITIONS)
def test_positions_are_drawn_from_the_layout_alone(slug: str) -> None:
    layout = layouts()[slug]
    known, letters = {cell.name for cell in layout}, {*labels()}
    markers = 0
    for stage in stages(slug):
        assert len(stage.discs) == dict(layout.heaps[0].counts)[len(stage.boards)]
        for laid in stage.boards.values():
            assert laid.keys() <= known
            for track in layout.tracks:
                assert sum(cell.name in laid for cell in track.cells) == 1
            tiles = [kind for name, kind in laid.items() if layout.zone(layout.cell(name).zone).role == "tiles"]
            assert {layout.kind_of(kind) for kind in tiles} <= letters
            markers += "1" in {layout.kind_of(kind) for kind in tiles}
    assert markers


def test_most_rows_are_filled_as_their_zones_say() -> None:
    layout = layouts()["azul"]
    line = layout.zone("line")
    rows = [
        [laid.get(cell.name, "") for cell in row]
        for stage in stages("azul", 200)
        for laid in stage.boards.values()
        for row in line.rows
    ]
    sensible = [row for row in rows if row == sorted(row, key=bool) and len({*row} - {""}) <= 1]
    assert 0.6 < len(sensible) / len(rows) < 0.98


@pytest.mark.parametrize("slug", slugs())
def test_tiles_of_every_edition_are_known(slug: str) -> None:
    assert colours_of(load(slug).layout) == sorted(load(slug).letters)
