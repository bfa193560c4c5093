"""`azul bench`: how fast and how good the parts are, each with a module of its own."""

from __future__ import annotations

import click

from companion.cli import LazyGroup

MEASURES = {
    "engine": "Random games a second on one core.",
    "live": "How well games are followed by a camera.",
    "look": "What a look during play costs against reading the whole table.",
    "vision": "How well and how fast photos are read.",
    "photolog": "How well photos taken now and then tell the scores.",
    "pi": "Whether a Raspberry Pi keeps up.",
    "dashboard": "How soon many spectators see what was logged.",
    "render": "What a simulated photograph costs.",
    "fuzz": "Whether bad inputs are answered, at every entrance.",
}
"""What can be measured, each with its line in the list."""


@click.group(cls=LazyGroup, groups={"Measures": MEASURES}, modules="companion.cli.commands.bench_")
def command() -> None:
    """Measure the parts of the companion on this machine."""
