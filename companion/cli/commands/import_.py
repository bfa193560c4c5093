"""`azul import`: a game out of a zip."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.inputs import data_option
from companion.gamelog import GameLog, data_dir, import_game


@click.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE.zip")
@data_option
def command(file: Path, data: Path | None) -> None:
    """Take a game that `azul export` wrote into the log, as a new game; one that is there already is refused."""
    with GameLog(data_dir(data)) as log:
        game, missing = import_game(log, file)
    for photo in missing:
        click.echo(f"azul: the photo {photo} is not in the zip; the game is logged without it", err=True)
    click.echo(f"imported as {game.id}")
