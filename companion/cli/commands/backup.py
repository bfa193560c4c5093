"""`azul backup`: everything in one file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from companion.backup import back_up
from companion.backups import back_up_into
from companion.cli.inputs import data_option, progress
from companion.gamelog import data_dir


@click.command()
@click.argument("out", required=False, metavar="[FILE.zip]", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Into this folder under its date: restored once as a test, then older ones are thinned out.",
)
@data_option
def command(out: Path | None, into: Path | None, data: Path | None) -> None:
    """Write games, photos, settings and keys into one zip; games may go on meanwhile.

    Keep it in private: with its keys, anybody can change what the dashboard shows.
    """
    if into is not None:
        click.echo(f"written to {back_up_into(data_dir(data), into, datetime.now(UTC))}, and restored once as a test")
        return
    path = out or Path(f"azul-{datetime.now().astimezone():%Y-%m-%d-%H%M}.zip")
    kept = back_up(data_dir(data), path, progress("backing up"))
    click.echo(f"{kept.files} files written to {path}")
    if kept.lost:
        click.echo(f"warning: {kept.lost} photos that games speak of were lost or damaged already", err=True)
