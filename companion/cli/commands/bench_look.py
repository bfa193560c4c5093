"""`azul bench look`: what a look during play costs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from statistics import median

import click

from companion.lab.carrying import LookCost, looks_after_takes
from companion.lab.pi_budget import FULL_PX
from companion.pipeline import load_networks, refuse_unreadable
from engine import slugs


@click.command()
@click.option("--edition", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--takes", type=click.IntRange(1), default=12, show_default=True, help="How many moves are looked at.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="The number of the game.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def command(edition: str, takes: int, first: int, as_json: bool) -> None:
    """Look at a rendered game after every move, resting on the look before and as a whole; compare time and readings.

    Times are those of one core, in its own time, and both ways take turns; what is told is the median of their ratios.
    """
    refuse_unreadable(edition)
    looks = looks_after_takes(edition, load_networks(), first, takes)
    with click.progressbar(looks, takes, "looking", file=sys.stderr) as measured:
        after, idle = zip(*measured, strict=True)
    if as_json:
        told = {"edition": edition, "takes": len(after), "after_a_take": _told(after), "nothing_changed": _told(idle)}
        click.echo(json.dumps(told))
        return
    click.echo(f"{len(after)} looks at {FULL_PX[0]}x{FULL_PX[1]}, {after[0].boards} boards, one core, in its own time")
    for label, costs in (("after a take", after), ("nothing changed", idle)):
        cost = _told(costs)
        click.echo(
            f"  {label:<16}{cost['ratio']:.2f} of reading the whole table ({cost['least']:.2f} to {cost['most']:.2f}): "
            f"{cost['carried_ms']:.0f} of {cost['whole_ms']:.0f} ms; {cost['kept']} of {cost['boards']} boards carried "
            f"on; {cost['otherwise']} of {cost['cells']} cells and marks read otherwise"
        )


def _told(costs: Sequence[LookCost]) -> dict[str, float]:
    ratios = [cost.carried_s / cost.whole_s for cost in costs]
    counts = {name: sum(getattr(cost, name) for cost in costs) for name in ("boards", "kept", "cells", "otherwise")}
    return {
        "ratio": round(median(ratios), 3),
        "least": round(min(ratios), 3),
        "most": round(max(ratios), 3),
        "whole_ms": round(1000 * median(cost.whole_s for cost in costs), 1),
        "carried_ms": round(1000 * median(cost.carried_s for cost in costs), 1),
    } | counts
