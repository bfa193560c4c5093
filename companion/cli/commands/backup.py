"""`azul backup`: everything in one file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from companion.backup import back_up
from companion.cli.inputs import data_option, progress
from companion.gamelog import data_dir


@click.command()
@click.argument("out", required=False, metavar="[FILE.zip]", type=click.Path(path_type=Path, dir_okay=False))
@data_option
def command(out: Path | None, data: Path | None) -> None:
    """Write games, photos, settings and keys into one zip; games may go on meanwhile.

    Keep it in private: with its keys, anybody can change what the dashboard shows.
    """
    path = out or Path(f"azul-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip")
    kept = back_up(data_dir(data), path, progress("backing up"))
    click.echo(f"{kept.files} files written to {path}")
    if kept.lost:
        click.echo(f"warning: {kept.lost} photos that games speak of were lost or damaged already", err=True)
