"""`python -m models.training.traced`: shards of path-traced photographs, for the networks that read.

Boards and the middle of a table are traced; the rest of the picture, which is not cut up, is painted as usual. A minute
of one core gives about a dozen such parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import numpy as np

from engine.layout import Layout
from hardware.tabletop.art import Art
from hardware.tabletop.finish import develop, draw_film
from hardware.tabletop.lens import Lens
from hardware.tabletop.photograph import Photograph, truth_of
from hardware.tabletop.scene import render
from hardware.tabletop.solids import lifted
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import Tier
from hardware.tabletop.world import World, set_table
from models.training.looks import Look, looks
from models.training.shots import TRACED_SHOTS, Fields, Rng, cut, readable, write_shard
from models.training.trace import Array, Box, trace

FIRST = 50_000
"""Painted shards have smaller numbers."""
BOARDS = 2
"""So many of a photograph's boards are traced, at most."""
PATCHES = 3
ONE_BOARD_PX, SHRUNK = (360, 640), (0.6, 1.0)
"""How wide pictures of one board are, and how much smaller others are made."""
MARGIN_PX = 24
REACH_MM = 70.0
"""How far around the middles of discs is traced."""


@click.command()
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), default=Path("build/training"))
@click.option("--packs", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--photographs", default=800, show_default=True)
@click.option("--threads", default=1, show_default=True)
def main(work: Path, packs: Path | None, photographs: int, threads: int) -> None:
    """Trace photographs for `make train`, which takes those that are there."""
    found = looks(packs)

    def shoot(stage: Stage, look: Look, art: Art, tier: Tier, seed: int, rng: Rng, fields: Fields) -> None:
        tier = _smaller(tier, rng)
        world = set_table(stage, look.layout, art, tier, seed)
        film = draw_film(tier, np.random.default_rng([seed, 1]))
        truth = truth_of(world, look.layout)
        boards = readable(truth)
        boards = [boards[i] for i in rng.permutation(len(boards))[:BOARDS]]
        boxes = list(_boxes(world, look.layout, boards, tier))
        picture = render(world.scene)
        for (left, top, right, bottom), part in zip(boxes, trace(world.scene, boxes, rng, threads), strict=True):
            picture[top:bottom, left:right] = part
        photo = Photograph(develop(picture, world.scene.lens, film, rng), film, truth)
        cut(photo, stage, look, boards, PATCHES if len(boxes) > len(boards) else 0, rng, fields)
        # The surroundings of a board are not traced: their border would tell where it is.
        fields.pop("edges", None)

    numbers = range(FIRST, FIRST + photographs // TRACED_SHOTS)
    with click.progressbar(numbers, label="tracing") as shards:
        for number in shards:
            write_shard(number, found, work / "traced", shoot, TRACED_SHOTS)


def _smaller(tier: Tier, rng: Rng) -> Tier:
    """The tier with a camera of so few pixels that hardly any is traced in vain: boards are cut out small."""
    wide = float(rng.uniform(*ONE_BOARD_PX)) if tier.one_board else tier.size_px[0] * float(rng.uniform(*SHRUNK))
    shrink = min(1.0, wide / tier.size_px[0])
    return replace(tier, size_px=(round(tier.size_px[0] * shrink), round(tier.size_px[1] * shrink)))


def _boxes(world: World, layout: Layout, boards: list[int], tier: Tier) -> Iterator[Box]:
    """What is traced: the boards of these seats, and in pictures of a table its middle, too."""
    lens, height = world.scene.lens, layout.surfaces[0].thickness_mm
    corners = {placed.seat: placed.corners_mm for placed in world.boards}
    for seat in boards:
        yield _around(lens.project(lifted(corners[seat], height)), lens)
    if boards and not tier.one_board:
        discs = np.array(world.discs_mm)
        middle = np.vstack([discs + step for step in np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * REACH_MM])
        yield _around(lens.project(lifted(middle, 0.0)), lens)


def _around(points_px: Array, lens: Lens) -> Box:
    left, top = np.clip(points_px.min(axis=0) - MARGIN_PX, 0, (lens.width_px - 2, lens.height_px - 2)).astype(int)
    right, bottom = np.clip(points_px.max(axis=0) + MARGIN_PX, (left + 1, top + 1), (lens.width_px, lens.height_px))
    return int(left), int(top), int(right), int(bottom)


if __name__ == "__main__":
    main()
