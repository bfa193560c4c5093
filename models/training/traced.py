"""`python -m models.training.traced`: shards of path-traced photographs, for the networks that read.

Boards and the middle of a table are traced; the rest of the picture, which is not cut up, is painted as usual. A minute
of one core gives about fifteen such parts.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from engine.layout import Layout
from hardware.tabletop.art import Art
from hardware.tabletop.finish import develop, draw_film
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.photograph import Photograph, truth_of
from hardware.tabletop.scene import render
from hardware.tabletop.solids import lifted
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import Tier
from hardware.tabletop.world import World, set_table
from models.training.looks import Taught, TileLook, looks, taught_in
from models.training.recipe import families, read_recipe
from models.training.shots import (
    FIRST_TRACED,
    TRACED_SHOTS,
    Board,
    Fields,
    Mix,
    Rng,
    cut,
    divided,
    readable,
    write_shard,
)
from models.training.varied import varied

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

    from models.training.trace import Array, Box

TIER_SHARES = {"rig": 0.35, "phone-table": 0.3, "hard": 0.2, "phone-board": 0.15}
MIDDLES, PATCHES = 0.9, 8
"""How often the middle of a table is traced, too, and how many pieces are then cut out of it."""
ONE_BOARD_PX, SHRUNK = (340, 480), (0.75, 1.0)
"""How wide pictures of one board are, and how much smaller others are made."""
EXAM_SHARES = {"rig": 0.4, "phone-table": 0.4, "phone-board": 0.2}
MIX, EXAM = Mix(TRACED_SHOTS, TIER_SHARES), Mix(TRACED_SHOTS, EXAM_SHARES)
"""What is taught, and what networks are examined on: no hard pictures there."""
OWN = 0.12
"""The share of our own drawings where there is an art pack: light that bounces is spent on print that people own."""
MARGIN_PX = 14
REACH_MM = 70.0
"""How far around the middles of discs is traced."""


@click.command()
@click.argument("family", type=click.Choice(families()))
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), help="[default: build/training/FAMILY]")
@click.option("--packs", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--photographs", default=800, show_default=True)
@click.option("--processes", type=int, default=os.cpu_count, show_default="one for each core")
def main(family: str, work: Path | None, packs: Path | None, photographs: int, processes: int) -> None:
    """Trace photographs for `make train`, which takes those that are there."""
    work = work or Path("build/training") / family
    try:
        recipe = read_recipe(family)
        learned = taught_in(work, recipe.editions)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    numbers = range(FIRST_TRACED + recipe.first, FIRST_TRACED + recipe.first + photographs // TRACED_SHOTS)
    # Blender is one scene for a whole process.
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawned, _settle, (spawned.Value("i", 0),)) as pool:
        unseen, taught = divided(numbers)
        mixes = [EXAM] * len(unseen) + [MIX] * len(taught)
        shards = pool.map(_write, numbers, mixes, repeat(work), repeat(learned), repeat(packs))
        with click.progressbar(shards, length=len(numbers), label="tracing") as done:
            for _ in done:
                pass


def _settle(settled: Synchronized[int]) -> None:
    """Keep this process to a core of its own: Blender's denoiser takes all it sees, and waits for them by spinning."""
    if not hasattr(os, "sched_setaffinity"):
        return
    with settled.get_lock():
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[settled.value % len(cores)]})
        settled.value += 1


def _write(number: int, mix: Mix, work: Path, learned: Taught, packs: Path | None) -> None:
    write_shard(number, _looks(learned, packs), work / "traced", _shoot, mix)


@lru_cache(maxsize=1)
def _looks(learned: Taught, packs: Path | None) -> list[TileLook]:
    return looks(learned, packs, OWN)


def _shoot(stage: Stage, look: TileLook, art: Art, tier: Tier, seed: int, rng: Rng, fields: Fields) -> None:
    # Not above: Blender changes where modules are found, and the processes that are started would find others.
    from models.training.trace import trace

    tier = _smaller(tier, rng)
    layout = varied(art.layout, rng)
    world = set_table(stage, layout, art, tier, seed)
    film = draw_film(tier, np.random.default_rng([seed, 1]))
    truth = truth_of(world, layout)
    boards = readable(truth)
    boxes = list(_boxes(world, layout, boards, rng.random() < MIDDLES and not tier.one_board))
    picture = render(world.scene)
    for (left, top, right, bottom), part in zip(boxes, trace(world.scene, boxes, rng), strict=True):
        picture[top:bottom, left:right] = part
    photo = Photograph(develop(picture, world.scene.lens, film, rng), film, truth)
    cut(photo, stage, look, boards, PATCHES if len(boxes) > len(boards) else 0, rng, fields)
    # The surroundings of a board are not traced: their border would tell where it is.
    fields.pop("edges", None)


def _smaller(tier: Tier, rng: Rng) -> Tier:
    """The tier with a camera of so few pixels that hardly any is traced in vain: boards are cut out small."""
    wide = float(rng.uniform(*ONE_BOARD_PX)) if tier.one_board else tier.size_px[0] * float(rng.uniform(*SHRUNK))
    shrink = min(1.0, wide / tier.size_px[0])
    return replace(tier, size_px=(round(tier.size_px[0] * shrink), round(tier.size_px[1] * shrink)))


def _boxes(world: World, layout: Layout, boards: list[Board], middle: bool) -> Iterator[Box]:
    """What is traced: these boards, perhaps the middle of the table, too."""
    lens = world.scene.lens
    corners = {(placed.seat, placed.surface): placed.corners_mm for placed in (*world.boards, *world.shared)}
    for board in boards:
        yield _around(lens.project(lifted(corners[board], layout.surface(board[1]).thickness_mm)), lens)
    if any(seat for seat, _ in boards) and middle:
        discs = np.array(world.discs_mm)
        around = np.vstack([discs + step for step in np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * REACH_MM])
        yield _around(lens.project(lifted(around, 0.0)), lens)


def _around(points_px: Array, lens: SimulatedLens) -> Box:
    left, top = np.clip(points_px.min(axis=0) - MARGIN_PX, 0, (lens.width_px - 2, lens.height_px - 2)).astype(int)
    right, bottom = np.clip(points_px.max(axis=0) + MARGIN_PX, (left + 1, top + 1), (lens.width_px, lens.height_px))
    return int(left), int(top), int(right), int(bottom)


if __name__ == "__main__":
    main()
