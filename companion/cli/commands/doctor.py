"""`azul doctor`: what is wrong with machine and camera, and what to do."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import click

from companion.cli import UNUSABLE
from companion.cli.inputs import data_option
from companion.gamelog import data_dir
from hardware.camera import LesserCameraWarning
from hardware.cameras.opening import open_camera
from hardware.rig.health import HealthFinding, Level, check_service, examine_camera, examine_machine

OWNED = ("auto", "picamera", "usb")
"""Cameras that only one program at a time can open."""
SIGNS = {
    Level.FINE: ("ok", "green"),
    Level.UNKNOWN: ("?", "cyan"),
    Level.NOTE: ("look", "yellow"),
    Level.BAD: ("bad", "red"),
}


@click.command()
@click.option("--camera", "spec", default="auto", show_default=True, help="Which one; - for none.")
@data_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object per finding.")
def command(spec: str, data: Path | None, as_json: bool) -> None:
    """Look at camera, focus, light, disk, clock, temperature, power, libraries and service, and say what to do.

    Exit status: 0 nothing is bad, 2 something is.
    """
    worst = Level.FINE
    for found in _examined(spec, data_dir(data)):
        worst = max(worst, found.level)
        if as_json:
            told = {"name": found.name, "level": found.level.name.lower(), "said": found.said, "advice": found.advice}
            click.echo(json.dumps(told, ensure_ascii=False))
        else:
            sign, colour = SIGNS[found.level]
            click.echo(f"{click.style(f'{sign:>4}', fg=colour)}  {found.name:<12}{found.said}")
            if found.advice:
                click.echo(f"{'':>18}{found.advice}")
    sys.exit(UNUSABLE if worst is Level.BAD else 0)


def _examined(spec: str, folder: Path) -> Iterator[HealthFinding]:
    yield from examine_machine(folder)
    service = check_service()
    if service is not None:
        yield service
    if spec == "-":
        return
    if service is not None and service.level is not Level.BAD and spec.partition(":")[0] in OWNED:
        advice = "for focus and light, stop it first: sudo systemctl stop azul; azul doctor; sudo systemctl start azul"
        yield HealthFinding("camera", Level.NOTE, "the service has it", advice)
        return
    with warnings.catch_warnings(record=True) as lesser:
        warnings.simplefilter("always", LesserCameraWarning)
        findings = list(examine_camera(lambda: open_camera(spec)))
    yield from (HealthFinding("camera", Level.NOTE, str(warning.message)) for warning in lesser)
    yield from findings
