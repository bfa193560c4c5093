"""`azul bench`: how fast and how good the parts are."""

from __future__ import annotations

import json
from random import Random
from time import process_time
from typing import Any

import click
import cv2
import numpy as np

from companion.play import play_game, play_randomly
from companion.staging import stage_table
from engine import Edition, load, slugs
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS


@click.group()
def command() -> None:
    """Measure the parts of the companion on this machine."""


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
    """What a photograph of a simulated four-player table costs on one core."""
    cv2.setNumThreads(1)
    edition = load(slug)
    layout = edition.layout
    art = load_art(layout)
    stage = stage_table(edition.format_table(edition.position(_midgame(edition))), layout)
    photograph(stage, layout, art, TIERS[tier], 0)
    started = process_time()
    photos = [photograph(stage, layout, art, TIERS[tier], seed) for seed in range(1, count + 1)]
    cost = (process_time() - started) / count
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
    }
    if as_json:
        click.echo(json.dumps(result))
        return
    click.echo(f"{edition.name}, {tier}, {size}, four players: {cost:.2f} s of one core per photograph ({count} made)")
    click.echo(f"as much as decoding such a photograph {result['decodings']} times in the same run")


def _midgame(edition: Edition[Any, Any, Any]) -> Any:
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
