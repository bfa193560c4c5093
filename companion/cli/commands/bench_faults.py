"""`azul bench faults`: what a game log survives."""

from __future__ import annotations

import sys

import click

from companion.lab.faults import measure
from companion.terminal import columns

HEAD = ("fault", "tried", "events told", "lost", "damage unnoticed")


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=50, show_default=True, help="How often each fault is tried.")
@click.option("--seed", type=int, default=1, show_default=True)
def command(rounds: int, seed: int) -> None:
    """Kill a program that logs, fill its disk, set its clock, change bytes in its files; say what was lost.

    Exit status: 0 nothing that was told is lost, 1 something is.
    """
    tallies = measure(rounds, seed)
    rows = [
        (name, str(tally.tried), str(tally.told), str(tally.lost), str(tally.unnoticed))
        for name, tally in tallies.items()
    ]
    click.echo("\n".join(columns([HEAD, *rows])))
    sys.exit(any(tally.lost or tally.unnoticed for tally in tallies.values()))
