"""`azul score`: what the tables that photos show would score."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.cli import BROKEN_RULE, UNUSABLE
from companion.cli.photos import read_photos
from companion.cli.verdict import judge, told_position, told_verdict, verdict_json
from companion.pipeline import Reading, load_networks
from companion.terminal import told_doubts
from engine import slugs


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO…", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--edition", type=click.Choice(slugs()), help="The edition; otherwise it is told by the print.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per photo.")
def command(photos: tuple[Path, ...], edition: str | None, as_json: bool) -> None:
    """Score photos of tables: what every board brings if the round or the game ended now, and why.

    Exit status: 0 nothing is broken, 1 a rule is broken, 2 a photo cannot be read (the others still are).
    """
    status = 0
    for path, read in read_photos(photos, load_networks(), edition):
        if not isinstance(read, str):
            status = max(status, _score(path, read, as_json))
            continue
        status = UNUSABLE
        if as_json:
            click.echo(json.dumps({"photo": path.name, "error": read}, ensure_ascii=False))
    sys.exit(status)


def _score(path: Path, read: Reading, as_json: bool) -> int:
    verdict = judge(read.table)
    if as_json:
        told = {"photo": path.name, "reading": read.table, **verdict_json(verdict)}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        click.echo(f"{path}: {verdict.edition.name}\n\n{told_position(verdict)}\n")
        click.echo("\n".join([*told_doubts(read.table), *told_verdict(verdict)]))
    return BROKEN_RULE if verdict.violations else 0
