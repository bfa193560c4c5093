"""What is learned comes from the layouts: kinds of boards, labels, positions, and boards that are none of ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.pipeline import MODELS_DIR
from engine import load, slugs
from engine.layout import parts_of
from hardware.tabletop.stage import Stage
from models.training.looks import NO_SIDE, looks, seats_of, taught, taught_in
from models.training.recipe import families, read_recipe
from models.training.shots import Mix, painted, write_shard
from models.training.stages import MOST_CARDS, MOST_PILES, colours_of, draw_stage, marker_of
from vision.network import kind_of, load_manifest

USUAL = ("azul=0.7", "azul-mini=0.3")
SEVERAL = [USUAL, ("summer-pavilion",), ("azul", "summer-pavilion=2", "tide-pool"), tuple(slugs())]


@pytest.mark.parametrize("family", families())
def test_kinds_and_labels_of_a_recipe_are_those_of_the_networks(family: str) -> None:
    manifest, learned = load_manifest(MODELS_DIR / family), taught(read_recipe(family).editions)
    assert list(learned.kinds) == manifest["kinds"]
    assert list(learned.labels) == manifest["labels"]
    assert read_recipe(family).steps.keys() == manifest["networks"].keys()


@pytest.mark.parametrize("told", SEVERAL)
def test_every_edition_is_learned_or_shown_as_none_of_ours(told: tuple[str, ...]) -> None:
    learned = taught(told)
    assert sorted([*learned.layouts, *learned.others]) == slugs()
    assert abs(sum(share for _, share in learned.shares) - 1) < 1e-9
    for slug, layout in learned.layouts.items():
        own = [kind_of(kind) for kind in learned.kinds if kind.startswith(f"{slug} ")]
        assert [kind.side for kind in own if not kind.surface] == [*(layout.surfaces[0].sides or (NO_SIDE,))]
        assert {kind.surface for kind in own} == {"", *(surface.name for surface in layout.surfaces[1:])}
        assert {*load(slug).letters, *layout.marks} <= {*learned.labels}


@pytest.mark.parametrize("told", [("chess",), ("azul", "azul=2"), ("azul=0",), ("azul=much",)])
def test_what_cannot_be_learned_is_refused(told: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"chess|once|float"):
        taught(told)


def test_lessons_of_other_editions_are_not_mixed(tmp_path: Path) -> None:
    assert taught_in(tmp_path, USUAL) == taught_in(tmp_path, USUAL) == taught(USUAL)
    with pytest.raises(ValueError, match="holds lessons of azul"):
        taught_in(tmp_path, ["summer-pavilion"])


def stages(slug: str, count: int = 60) -> list[Stage]:
    rng, layout = np.random.default_rng(3), load(slug).layout
    seats = seats_of(layout)
    return [draw_stage(layout, seats[number % len(seats)], rng) for number in range(count)]


@pytest.mark.parametrize("slug", slugs())
def test_positions_are_drawn_from_the_layout_alone(slug: str) -> None:
    layout, letters = load(slug).layout, {*taught([slug]).labels}
    known, markers = {cell.name for cell in layout}, 0
    own = {surface.name for surface in layout.surfaces if not surface.shared}
    ring = layout.numbered_heap
    for stage in stages(slug):
        if ring and layout.disc and not ring.counts:
            assert len(stage.discs) == len(stage.piles) <= MOST_CARDS + 1 + MOST_PILES
        else:
            assert len(stage.discs) == (dict(ring.counts)[len(stage.boards)] if ring and layout.disc else 0)
        for laid in stage.boards.values():
            assert laid.keys() <= known
            for track in layout.tracks:
                assert sum(cell.name in laid for cell in track.cells) == (track.surface in own)
                of_all = [kind for name, kind in stage.shared if name in {cell.name for cell in track.cells}]
                marks = len(stage.boards) if track.each else 1
                assert len(of_all) == (0 if track.surface in own else marks)
                assert not layout.piece(track.piece).kinds or {*of_all} == {*stage.marks.values()}
            tiles = [kind for name, kind in laid.items() if layout.zone(layout.cell(name).zone).role == "tiles"]
            assert {layout.kind_of(kind) for kind in tiles} <= letters
            markers += "1" in {layout.kind_of(kind) for kind in tiles}
    assert bool(markers) is bool(marker_of(layout))


def test_marks_stand_apart_together_and_as_where_a_game_begins_all_in_one_cell() -> None:
    track = {cell.name for cell in load("summer-pavilion").layout.track("score").cells}
    places = [[cell for cell, _ in stage.shared if cell in track] for stage in stages("summer-pavilion", 200)]
    in_one = sum(len({*cells}) == 1 for cells in places)
    assert 0.15 < in_one / len(places) < 0.35
    assert sum(len({*cells}) == len(cells) for cells in places) > 0.4 * len(places)


def test_most_rows_are_filled_as_their_zones_say() -> None:
    line = load("azul").layout.zone("line")
    rows = [
        [laid.get(cell.name, "") for cell in row]
        for stage in stages("azul", 200)
        for laid in stage.boards.values()
        for row in line.rows
    ]
    sensible = [row for row in rows if row == sorted(row, key=bool) and len({*row} - {""}) <= 1]
    assert 0.6 < len(sensible) / len(rows) < 0.98


@pytest.mark.parametrize("told", [("tide-pool",), ("azul-mini", "summer-pavilion"), ("queens-garden",)])
def test_shards_have_room_for_every_edition_that_is_learned(told: tuple[str, ...], tmp_path: Path) -> None:
    learned = taught(told)
    write_shard(3, looks(learned, None), tmp_path, painted, Mix(2, {"phone-board": 1.0}))
    shard = tmp_path / "00003"
    assert np.load(shard / "labels.npy").shape[1] == learned.most_cells
    assert np.load(shard / "labels.npy").max() < len(learned.labels)
    assert np.load(shard / "marks.npy").shape[1:] == (learned.most_tracks, learned.most_marks)
    assert {*np.load(shard / "kinds.npy").tolist()} <= {*range(len(learned.kinds))}
    # Only kinds that are made of several parts are looked at from close by.
    assert (shard / "closeups.npy").exists() == (learned.parts is not None) == (told == ("queens-garden",))
    if learned.parts is not None:
        assert all(len(parts_of(learned.labels[label])) == 3 for label in np.load(shard / "pieces.npy"))


@pytest.mark.parametrize("slug", slugs())
def test_tiles_of_every_edition_are_known(slug: str) -> None:
    assert colours_of(load(slug).layout) == sorted(load(slug).letters)
