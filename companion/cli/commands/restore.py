"""`azul restore`: a backup put back."""

from __future__ import annotations

from pathlib import Path

import click

from companion.backup import restore
from companion.cli.inputs import data_option, progress
from companion.gamelog import data_dir


@click.command()
@click.argument("backup", metavar="FILE.zip", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def command(backup: Path, data: Path | None) -> None:
    """Put a backup into a data folder that is empty or not there yet; what is there is never overwritten."""
    folder = data_dir(data)
    kept = restore(backup, folder, progress("restoring"))
    click.echo(f"{kept.files} files put back into {folder}")
    if kept.lost:
        click.echo(f"warning: {kept.lost} photos had been lost before the backup was made", err=True)
