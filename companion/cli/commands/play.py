"""`azul play`: games played by the computer."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from companion.cli.inputs import PLAYERS, Players
from companion.lab.play import POLICIES, play_game
from companion.profiles import load_profile
from companion.terminal import narrate
from engine import Start, load, parse_start, replay, slugs
from engine.record import dump_event, format_start


@click.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--side", help="The side of the boards.  [default: the edition's first]")
@click.option("--players", type=PLAYERS, default="2", show_default=True, help="How many, or their names: Ann,Ben.")
@click.option("--first", type=int, help="The seat that begins.  [default: by the seed]")
@click.option("--policy", type=click.Choice(list(POLICIES)), default="greedy", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same game.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many games, seeds ascending.")
@click.option("--profile", metavar="NAME", help="Play by the options of a profile, on its edition and side.")
@click.option("--json", "as_json", is_flag=True, help="Print records instead of telling the game.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="A folder for the records.")
def command(
    slug: str,
    side: str | None,
    players: Players,
    first: int | None,
    policy: str,
    seed: int,
    count: int,
    profile: str | None,
    as_json: bool,
    out: Path | None,
) -> None:
    """Play whole games and explain every point, or write them as records."""
    options = {}
    if profile:
        known = load_profile(profile)
        slug, side, options = known.edition, known.side, known.options
    edition = load(slug)
    side = side or edition.sides[0]
    for game in range(seed, seed + count):
        rng = Random(game)
        opener = rng.randint(1, players.count)
        setup = edition.setup(side, players.count, opener if first is None else first, options)
        start = Start(edition, setup, players.names)
        events = [format_start(start)]
        events += (edition.format_event(move) for move in play_game(edition, start.setup, POLICIES[policy], rng))
        lines = list(map(dump_event, events))
        if out:
            out.mkdir(parents=True, exist_ok=True)
            path = out / f"{slug}-{side}-{players.count}p-{policy}-{game}.jsonl"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            click.echo(path)
        elif as_json:
            click.echo("\n".join(lines))
        else:
            for line in narrate(parse_start(lines[0]), replay(lines)):
                click.echo(line)
