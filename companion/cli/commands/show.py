"""`azul show`: a position or a record as readable text."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from companion.errors import CompanionError
from companion.tables import edition_of, parse_tables
from companion.terminal import narrate
from engine import EngineError, load, parse_start, replay
from engine.record import parse_lines


@click.command()
@click.argument("what", metavar="FILE|NOTATION")
@click.option("--at", type=click.IntRange(1), metavar="N", help="Of a record: the position after event N.")
@click.option("--edition", metavar="E", help="Of a table that does not say it: the edition.")
@click.option("--json", "as_json", is_flag=True, help="The position as a Table.")
def command(what: str, at: int | None, edition: str | None, as_json: bool) -> None:
    """Show a record, a table or a position in one-line notation as text."""
    path = Path(what)
    if what == "-" or _is_file(path):
        data = sys.stdin.buffer.read() if what == "-" else path.read_bytes()
        try:
            lines = parse_lines(data)
            start = parse_start(lines[0])
        except EngineError:
            for table in parse_tables(data):
                of = edition_of(table, edition)
                _show(of, of.parse_table(table), as_json)
            return
        if at is None and not as_json:
            click.echo("\n".join(narrate(start, replay(lines))))
            return
        steps = [step for step in replay(lines) if not step.ends and step.n <= (at or len(lines))]
        if at and steps[-1].n != at:
            raise CompanionError(f"the record can be replayed up to event {steps[-1].n}, not to {at}")
        state = steps[-1].state
        if not as_json:
            click.echo(start.edition.format_state(state) + "\n")
        _show(start.edition, start.edition.table(state), as_json)
    elif ":" in what:
        of = load(what.partition(":")[0])
        _show(of, of.table(of.parse_state(what)), as_json)
    else:
        raise CompanionError(f"{what} is neither a file nor a position in one-line notation")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a notation may be longer than any file name
        return False


def _show(edition: Any, position: Any, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(edition.format_table(position), ensure_ascii=False))
    else:
        click.echo(edition.show(position).rstrip())
