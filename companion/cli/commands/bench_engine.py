"""`azul bench engine`: how many random games a second the rules play."""

from __future__ import annotations

import json
from random import Random
from time import process_time

import click

from companion.cli.inputs import PLAYERS, Players
from companion.lab.play import play_game, play_randomly
from engine import load, slugs


@click.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--side", help="The side of the boards.  [default: the edition's first]")
@click.option("--players", type=PLAYERS, default="2", show_default=True)
@click.option("--seconds", type=click.FloatRange(0.1), default=5.0, show_default=True, help="How long to play.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def command(slug: str, side: str | None, players: Players, seconds: float, as_json: bool) -> None:
    """Complete random games per second of one core, counted in its own time so that other work does not matter."""
    edition = load(slug)
    setup = edition.setup(side or edition.sides[0], players.count)
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
        "players": players.count,
        "games": games,
        "moves_per_game": round(moves / games, 1),
        "games_per_second": round(games / elapsed),
        "moves_per_second": round(moves / elapsed),
        "calls_per_move": round(elapsed / moves / call),
    }
    if as_json:
        click.echo(json.dumps(result))
        return
    played = f"{games} random games of {result['moves_per_game']} moves"
    click.echo(f"{edition.name}, {setup.side}, {players.count} players: {played}")
    click.echo(f"{result['games_per_second']} games, {result['moves_per_second']} moves per second on one core")
    click.echo(f"a move costs as much as {result['calls_per_move']} empty Python calls on this machine in the same run")


def _seconds_per_call() -> float:
    """What an empty Python call costs here and now: the yardstick that makes runs on other machines comparable."""

    def nothing() -> None:
        pass

    count = 1_000_000
    started = process_time()
    for _ in range(count):
        nothing()
    return (process_time() - started) / count
