"""`azul check`: what can be said of one position."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from companion.cli import BROKEN_RULE
from companion.cli.inputs import judge_files
from companion.cli.verdict import judge, told_position, told_verdict, verdict_json
from companion.profiles import load_profile
from companion.tables import parse_tables
from engine import TableError


@click.command()
@click.argument("tables", nargs=-1, required=True, metavar="TABLE…", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--edition", metavar="E", help="The edition, where the table does not say.")
@click.option("--profile", metavar="NAME", help="Score by the options of a profile, where a table has none of its own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per table.")
def command(tables: tuple[Path, ...], edition: str | None, profile: str | None, as_json: bool) -> None:
    """Judge positions: rules visibly broken, and what every board would score.

    Exit status: 0 nothing is broken, 1 a rule is broken, 2 a file is not a table.
    """
    options = {"options": load_profile(profile).options} if profile else {}

    def judge_file(path: Path, data: bytes) -> int:
        return max(_check(path, options | table, edition, as_json) for table in parse_tables(data))

    sys.exit(judge_files(tables, "table", judge_file))


def _check(path: Path, table: dict[str, Any], named: str | None, as_json: bool) -> int:
    if "error" in table and "boards" not in table:
        raise TableError(f"the reading failed: {table['error']}")
    verdict = judge(table, named)
    if as_json:
        click.echo(json.dumps({"table": str(path), **verdict_json(verdict)}, ensure_ascii=False))
    else:
        click.echo(f"{path}: {verdict.edition.name}\n\n{told_position(verdict)}\n")
        click.echo("\n".join(told_verdict(verdict)))
    return BROKEN_RULE if verdict.violations else 0
