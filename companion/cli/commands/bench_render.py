"""`azul bench render`: what photographs of simulated tables cost."""

from __future__ import annotations

import json
from random import Random
from time import process_time
from typing import Any

import click
import cv2
import numpy as np

from companion.lab.play import play_game, play_randomly
from companion.lab.staging import stage_table
from engine import Edition, Layout, load, slugs
from engine.layout import TILES
from hardware.tabletop.art import Art, load_art
from hardware.tabletop.photograph import Photograph, photograph
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS, Tier


@click.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--tier", type=click.Choice(list(TIERS)), default="rig", show_default=True)
@click.option("--count", type=click.IntRange(1), default=5, show_default=True, help="How many photographs.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def command(slug: str, tier: str, count: int, as_json: bool) -> None:
    """What a photograph of a simulated four-player table costs on one core, and one of a board to learn from."""
    cv2.setNumThreads(1)
    edition = load(slug)
    layout = edition.layout
    art = load_art(layout)
    stage = stage_table(edition.table(_midgame(edition)), layout)
    cost, cells, photos = _photographed(stage, layout, art, TIERS[tier], count)
    crop_cost, crop_cells, _ = _photographed(stage, layout, art, TIERS["cells"], 4 * count)
    started = process_time()
    for photo in photos:
        cv2.imdecode(np.frombuffer(photo.jpeg, np.uint8), cv2.IMREAD_COLOR)
    decoding = (process_time() - started) / count
    size = "{}x{}".format(*TIERS[tier].size_px)
    result = {
        "edition": slug,
        "tier": tier,
        "size": size,
        "seconds": round(cost, 3),
        "decodings": round(cost / decoding),
        "cells_per_second": round(cells / cost),
        "crop_seconds": round(crop_cost, 4),
        "crop_cells_per_second": round(crop_cells / crop_cost),
    }
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(f"{edition.name}, {tier}, {size}, four players: {cost:.2f} s of one core per photograph ({count} made)")
    click.echo(f"as much as decoding such a photograph {result['decodings']} times in the same run")
    click.echo(f"cells for tiles that can be read: {result['cells_per_second']} per second of such photographs")
    click.echo(f"{result['crop_cells_per_second']} per second of the tier cells, {crop_cost * 1000:.0f} ms each")


def _photographed(
    stage: Stage, layout: Layout, art: Art, tier: Tier, count: int
) -> tuple[float, float, list[Photograph]]:
    """Seconds and readable cells for tiles per photograph, and the photographs."""
    photograph(stage, layout, art, tier, 0)
    started = process_time()
    photos = [photograph(stage, layout, art, tier, seed) for seed in range(1, count + 1)]
    cost = (process_time() - started) / count
    tiles = {cell.name for zone in layout.zones if zone.role == TILES for cell in zone.cells}
    boards = [(cells, photo.truth.covered[seat]) for photo in photos for seat, cells in photo.truth.cells_px.items()]
    seen = sum(len(tiles & cells.keys() - {*covered}) for cells, covered in boards)
    return cost, seen / count, photos


def _midgame(edition: Edition[Any, Any]) -> Any:
    """A four-player table with much on it."""
    rng = Random(4)
    state = edition.start(edition.setup(edition.sides[0], 4))
    for move, _ in zip(play_game(edition, state.setup, play_randomly, rng), range(60), strict=False):
        state = edition.settle(edition.apply(state, move))
    return state
