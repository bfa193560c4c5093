"""`azul check`: what can be said of one position."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from companion.cli import BROKEN_RULE
from companion.inputs import judge_files
from companion.narrate import told_outlook, told_violation
from companion.profiles import load_profile
from companion.tables import edition_of, parse_tables
from engine import Outlook, TableError, Violation
from engine.record import line_json, violation_json


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

    def judge(path: Path, data: bytes) -> int:
        return max(_check(path, options | table, edition, as_json) for table in parse_tables(data))

    sys.exit(judge_files(tables, "table", judge))


def _check(path: Path, table: dict[str, Any], named: str | None, as_json: bool) -> int:
    if "error" in table and "boards" not in table:
        raise TableError(f"the reading failed: {table['error']}")
    edition = edition_of(table, named)
    position = edition.parse_table(table)
    violations = edition.position_violations(position, None)
    outlooks = edition.outlook(position)
    if as_json:
        click.echo(json.dumps(_as_json(path, violations, outlooks), ensure_ascii=False))
    else:
        click.echo(f"{path}: {edition.name}\n\n{edition.show(position).rstrip()}\n")
        for violation in violations:
            click.echo(f"! {told_violation(violation)}")
        for outlook in outlooks:
            click.echo("\n".join(told_outlook(outlook)))
    return BROKEN_RULE if violations else 0


def _as_json(path: Path, violations: list[Violation], outlooks: list[Outlook]) -> dict[str, Any]:
    boards = [
        {
            "seat": outlook.seat,
            "score": outlook.score,
            "round": {
                "points": outlook.round_points,
                "low": outlook.round_low,
                "lines": [line_json(line) for line in outlook.round_lines],
            },
            "bonus": {"points": outlook.bonus_points, "lines": [line_json(line) for line in outlook.bonus_lines]},
            "unseen": list(outlook.unseen),
        }
        for outlook in outlooks
    ]
    return {"table": str(path), "violations": [violation_json(v) for v in violations], "boards": boards}
