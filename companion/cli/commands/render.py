"""`azul render`: photographs of simulated tables, with their truth."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.lab.simulate import broken_position
from companion.lab.staging import stage_table, truth_table
from engine import load, slugs
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS


@click.command()
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--tier", type=click.Choice(list(TIERS)), default="rig", show_default=True, help="How hard to read.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed gives the same bytes."
)
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many, seeds ascending.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="A folder for the pictures."
)
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path), help="The folder of an art pack.")
@click.option("--mischief", type=click.FloatRange(0, 1), default=0.0, help="How often a player breaks a rule.")
def command(slug: str, tier: str, seed: int, count: int, out: Path, art: Path | None, mischief: float) -> None:
    """Photograph positions of simulated games; pictures that are there already are kept."""
    edition = load(slug)
    layout = edition.layout
    looks = load_art(layout, art)
    out.mkdir(parents=True, exist_ok=True)
    with click.progressbar(range(seed, seed + count), label=f"{slug} {tier}") as seeds:
        for number in seeds:
            path = out / f"{slug}_{tier}_{number}.jpg"
            truth = path.with_suffix(".json")
            if path.exists() and truth.exists():
                continue
            table, broken = broken_position(edition, number, mischief)
            photo = photograph(stage_table(table, layout), layout, looks, TIERS[tier], number)
            told = truth_table(table, photo.truth, edition) | {"tier": tier} | ({"mischief": broken} if broken else {})
            truth.write_text(json.dumps(told, indent=1), encoding="utf-8")
            # Under its own name only when it is whole, so that a run that was stopped leaves no half picture behind.
            draft = path.with_suffix(".part")
            draft.write_bytes(photo.jpeg)
            draft.replace(path)
