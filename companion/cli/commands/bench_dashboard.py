"""`azul bench dashboard`: many spectators of one game."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from companion.lab.spectators import measure


@click.command()
@click.option("--spectators", type=click.IntRange(1, 100), default=60, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=600.0, show_default=True, help="How long to watch.")
@click.option("--pause", type=click.FloatRange(0.05), default=2.0, show_default=True, help="Seconds between events.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def command(spectators: int, seconds: float, pause: float, as_json: bool) -> None:
    """How soon what is logged reaches everybody who watches, and what watching costs; all on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        report = measure(Path(folder), spectators, seconds, pause)
    if as_json:
        click.echo(report.written())
        return
    click.echo(
        f"{report.spectators} spectators, {report.events} events; {report.slowed} times slower than without others"
    )
    click.echo(f"told in {report.median_ms} ms as a rule, in {report.worst_ms} ms at worst")
    click.echo(f"photo shown after {report.photo_median_ms} ms as a rule, {report.photo_worst_ms} ms at worst")
    click.echo(f"a photo is read in {report.reading_watched_ms} ms, without spectators in {report.reading_alone_ms} ms")
    click.echo(f"memory went from {report.memory_before_mb} to {report.memory_after_mb} MB")
    click.echo(f"{report.streams_after} streams were left open when all had gone")
