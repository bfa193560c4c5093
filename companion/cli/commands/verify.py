"""`azul verify`: replay records, name every broken rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import indent

import click

from companion.cli import BROKEN_RULE
from companion.cli.inputs import judge_files, record_of
from companion.terminal import told_final, told_violation
from engine import parse_start, replay
from engine.record import final_json, parse_lines, step_json


@click.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORD…", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per event.")
def command(records: tuple[Path, ...], as_json: bool) -> None:
    """Replay records, or the zips of exported games, and name every event that breaks a rule.

    Exit status: 0 all is legal, 1 a rule is broken, 2 a file is not a record.
    """

    def judge(path: Path, data: bytes) -> int:
        if len(records) > 1:
            click.echo(json.dumps({"record": str(path)}) if as_json else f"{path}:")
        return _verify(parse_lines(record_of(data)), as_json)

    sys.exit(judge_files(records, "record", judge))


def _verify(lines: list[str], as_json: bool) -> int:
    start, status, step = parse_start(lines[0]), 0, None
    for step in replay(lines):
        if as_json:
            click.echo(json.dumps(step_json(step), ensure_ascii=False))
        else:
            for violation in step.violations:
                click.echo(f"  event {step.n}: {told_violation(violation, start)}")
            for advice in step.advisories:
                click.echo(f"  event {step.n} (advice): {told_violation(advice, start)}")
        if not step.ok:
            status = BROKEN_RULE
    if step is None or step.ends:
        if step and not as_json:
            click.echo(f"  the replay ends at event {step.n}: what follows cannot be judged")
        return status
    if as_json:
        if result := final_json(start.edition, step.state):
            click.echo(json.dumps(result, ensure_ascii=False))
    else:
        click.echo(f"  {step.n} events, " + ("all legal" if not status else "not all legal"))
        click.echo(indent("\n".join(told_final(start, step.state)).strip(), "  "))
    return status
