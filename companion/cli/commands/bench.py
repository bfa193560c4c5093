"""`azul bench`: how fast and how good the parts are."""

from __future__ import annotations

import json
from random import Random
from time import process_time
from typing import Any

import click
import cv2
import numpy as np

from companion.cli.commands.bench_dashboard import dashboard
from companion.cli.commands.bench_live import live
from companion.cli.commands.bench_photolog import photolog
from companion.cli.commands.bench_pi import pi
from companion.cli.commands.bench_vision import vision
from companion.lab.play import play_game, play_randomly
from companion.lab.staging import stage_table
from engine import Edition, Layout, load, slugs
from engine.layout import TILES
from hardware.tabletop.art import Art, load_art
from hardware.tabletop.photograph import Photograph, photograph
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS, Tier


@click.group()
def command() -> None:
    """Measure the parts of the companion on this machine."""


command.add_command(live)
command.add_command(vision)
command.add_command(pi)
command.add_command(dashboard)
command.add_command(photolog)


@command.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--side", help="The side of the boards.  [default: the edition's first]")
@click.option("--players", type=int, default=2, show_default=True)
@click.option("--seconds", type=click.FloatRange(0.1), default=5.0, show_default=True, help="How long to play.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def engine(slug: str, side: str | None, players: int, seconds: float, as_json: bool) -> None:
    """Complete random games per second of one core, counted in its own time so that other work does not matter."""
    edition = load(slug)
    setup = edition.setup(side or edition.sides[0], players)
    games = moves = 0
    rng = Random(1)
    started = process_time()
    while (elapsed := process_time() - started) < seconds:
        moves += sum(1 for _ in play_game(edition, setup, play_randomly, rng))
        games += 1
    call = _seconds_per_call()
    result = {
        "edition": slug,
        "side": setup.side,
        "players": players,
        "games": games,
        "moves_per_game": round(moves / games, 1),
        "games_per_second": round(games / elapsed),
        "moves_per_second": round(moves / elapsed),
        "calls_per_move": round(elapsed / moves / call),
    }
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(
        f"{edition.name}, {setup.side}, {players} players: {games} random games of {result['moves_per_game']} moves"
    )
    click.echo(f"{result['games_per_second']} games, {result['moves_per_second']} moves per second on one core")
    click.echo(f"a move costs as much as {result['calls_per_move']} empty Python calls on this machine in the same run")


@command.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--tier", type=click.Choice(list(TIERS)), default="rig", show_default=True)
@click.option("--count", type=click.IntRange(1), default=5, show_default=True, help="How many photographs.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def render(slug: str, tier: str, count: int, as_json: bool) -> None:
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


def _seconds_per_call() -> float:
    """What an empty Python call costs here and now: the yardstick that makes runs on other machines comparable."""

    def nothing() -> None:
        pass

    count = 1_000_000
    started = process_time()
    for _ in range(count):
        nothing()
    return (process_time() - started) / count
