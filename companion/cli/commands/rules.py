"""`azul rules`: the rules in our own words."""

from __future__ import annotations

import json
import textwrap

import click

from companion.errors import CompanionError
from companion.terminal import columns
from engine import Rule, load, slugs

WIDTH = 100


@click.command()
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--edition", "slug", type=click.Choice(slugs()), help="Only the rules of this edition.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per rule.")
def command(rule_id: str | None, slug: str | None, as_json: bool) -> None:
    """Say what a rule is and where it comes from; without an id, list them all."""
    rules: dict[str, Rule] = {}
    for name in [slug] if slug else slugs():
        rules |= load(name).rulebook
    if rule_id:
        rule = rules.get(rule_id.upper())
        if rule is None:
            raise CompanionError(f"no rule is called {rule_id}; `azul rules` lists them all")
        rules = {rule.id: rule}
    if as_json:
        for rule in rules.values():
            click.echo(json.dumps({"id": rule.id, "text": str(rule.text), "source": rule.source}, ensure_ascii=False))
    elif rule_id:
        rule = rules[rule_id.upper()]
        click.echo(f"{rule.id}\n{textwrap.fill(str(rule.text), WIDTH)}\nSource: {rule.source}")
    else:
        click.echo("\n".join(columns([(rule.id, str(rule.text)) for rule in rules.values()])))
