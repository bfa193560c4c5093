"""`azul verify`: replay records, name every broken rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.cli import BROKEN_RULE, UNUSABLE
from companion.narrate import told_final, told_violation
from engine import EngineError, parse_start, replay
from engine.record import final_json, parse_lines, step_json


@click.command()
@click.argument("records", nargs=-1, required=True, metavar="RECORD…", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per event.")
def command(records: tuple[Path, ...], as_json: bool) -> None:
    """Replay records and name every event that breaks a rule.

    Exit status: 0 all is legal, 1 a rule is broken, 2 a file is not a record.
    """
    status = 0
    for path in records:
        if len(records) > 1:
            click.echo(json.dumps({"record": str(path)}) if as_json else f"{path}:")
        try:
            lines = parse_lines(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes())
            status = max(status, _verify(lines, as_json))
        except EngineError as error:
            click.echo(f"azul: {path} is not a record: {error}", err=True)
            status = UNUSABLE
        except OSError as error:
            click.echo(f"azul: {path} cannot be read: {error.strerror or error}", err=True)
            status = UNUSABLE
    sys.exit(status)


def _verify(lines: list[str], as_json: bool) -> int:
    start, status, step = parse_start(lines[0]), 0, None
    for step in replay(lines):
        if as_json:
            click.echo(json.dumps(step_json(step), ensure_ascii=False))
        else:
            for violation in step.violations:
                click.echo(f"  event {step.n}: {told_violation(violation)}")
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
        click.echo(
            "\n".join(f"  {line}".rstrip() for line in "\n".join(told_final(start, step.state)).strip().split("\n"))
        )
    return status
