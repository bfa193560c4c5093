"""`azul export`: a game in one zip."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.inputs import data_option
from companion.gamelog import Game, GameLog, data_dir, export_game


@click.command()
@click.argument("game")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip", help="Where to write it.")
@data_option
def command(game: str, out: Path | None, data: Path | None) -> None:
    """Write a GAME (the beginning of its id is enough) into one zip: record, log and photos.

    `azul verify` replays the zip, `azul import` takes it into another log.
    """
    with GameLog(data_dir(data)) as log:
        found = log.game(game)
        path = out or Path(_name(found))
        missing = export_game(found, path)
    for photo in missing:
        click.echo(f"azul: the photo {photo} is missing or damaged, and was left out", err=True)
    click.echo(f"written to {path}")


def _name(game: Game) -> str:
    return f"{game.start.setup.edition}-{game.created_at[:10]}-{game.id[:8]}.zip"
