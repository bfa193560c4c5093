"""`azul print`: sheets to exact scale."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from companion.cli.inputs import PLAYERS, Players
from companion.errors import CompanionError
from engine import slugs
from hardware.rig.sheets.calibrate import print_charuco, print_neutral
from hardware.rig.sheets.markers import print_markers
from hardware.rig.sheets.page import LANGUAGES, PAPERS
from hardware.rig.sheets.scores import print_scores

MOST_PLAYERS = 4
SHEETS = ("markers", "charuco", "neutral", "scores")


@click.command()
@click.argument("sheets", nargs=-1, metavar="[markers|charuco|neutral|scores]…", type=click.Choice(SHEETS))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="A folder for the PDFs.")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--players", type=PLAYERS, default="4", show_default=True)
@click.option("--edition", type=click.Choice(slugs()), default="azul", show_default=True, help="Of the score sheet.")
def command(sheets: tuple[str, ...], out: Path, paper: str, language: str, players: Players, edition: str) -> None:
    """Make sheets to be printed at 100 %: those named, or all.

    Markers for the corners of boards, the Charuco sheet for the lens, the neutral card for colours, a score sheet.
    """
    if not 2 <= players.count <= MOST_PLAYERS:
        raise CompanionError(f"sheets are for 2 to {MOST_PLAYERS} players")
    out.mkdir(parents=True, exist_ok=True)
    makers: dict[str, Callable[[Path, str, str], None]] = {
        "markers": lambda path, *rest: print_markers(path, players.count, *rest),
        "charuco": print_charuco,
        "neutral": print_neutral,
        "scores": lambda path, *rest: print_scores(path, edition, players.count, *rest),
    }
    for sheet in sheets or SHEETS:
        path = out / f"{sheet}.pdf"
        makers[sheet](path, paper, language)
        click.echo(f"written to {path}")
