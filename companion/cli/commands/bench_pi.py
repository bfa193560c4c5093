"""`azul bench pi`: whether a Pi keeps up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.cli import UNUSABLE
from companion.lab import pi_budget
from companion.lab.pi_budget import full_frame, measure, rendered_frames
from companion.pipeline import load_networks
from engine import slugs
from hardware.cameras.folder import ENDINGS, read_picture


@click.command()
@click.argument(
    "folder", required=False, metavar="[DIR]", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--edition", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--count", type=click.IntRange(1), default=3, show_default=True, help="How many tables to render.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
def command(folder: Path | None, edition: str, count: int, as_json: bool) -> None:
    """Read recorded frames (those of DIR, or rendered ones) on one core, and hold it against the budget of a Pi 4.

    Exit status: 0 the budget is kept, 2 it is not.
    """
    frames = _recorded(folder) if folder else rendered_frames(count, edition)
    cost = measure(frames, load_networks(), edition)
    told = {
        "frames": len(frames),
        "decoding_s": round(cost.decoding_s, 4),
        "product_s": round(cost.product_s, 5),
        "reading_s": round(cost.reading_s, 3),
        "networks_s": round(cost.networks_s, 3),
        "writing_s": round(cost.writing_s, 3),
        "tables_per_s": round(1 / cost.reading_s, 2),
        "preview_ms": round(1000 * cost.preview_s, 2),
        "memory_mb": round(cost.memory_mb),
        "latency_pi4_s": round(cost.latency_pi4_s(), 2),
        "latency_pi4_one_core_s": round(cost.latency_pi4_s(1), 2),
        "idle_pi4": round(cost.idle_pi4, 3),
        "tables_per_s_pi4": round(1 / cost.reading_pi4_s(), 2),
        "kept": cost.is_kept,
    }
    if as_json:
        click.echo(json.dumps(told))
    else:
        click.echo(
            f"{len(frames)} frames of {pi_budget.FULL_PX[0]}x{pi_budget.FULL_PX[1]}, one core, in its own time\n"
            f"the yardsticks: decoding one {1000 * cost.decoding_s:.0f} ms, a product of matrices "
            f"{1000 * cost.product_s:.2f} ms; on a Pi 4 they are taken to be {1000 * pi_budget.DECODING_PI4_S:.0f} and "
            f"{1000 * pi_budget.PRODUCT_PI4_S:.0f} ms\n"
            f"reading a table: {1000 * cost.reading_s:.0f} ms, of which {1000 * cost.networks_s:.0f} in networks; "
            f"{told['tables_per_s']} tables per second\n"
            f"making a file of the picture: {1000 * cost.writing_s:.0f} ms; looking at a preview: "
            f"{told['preview_ms']} ms\n"
            f"memory: {cost.memory_mb:.0f} MB of {pi_budget.MEMORY_MB:.0f}\n"
            f"on a Pi 4: read {cost.latency_pi4_s():.1f} s after the hand leaves (of {pi_budget.LATENCY_S:.0f}), with "
            f"networks on its {pi_budget.NETWORK_CORES} cores; on one of them it would be "
            f"{cost.latency_pi4_s(1):.1f} s; {told['tables_per_s_pi4']} tables per second\n"
            f"while nothing moves {cost.idle_pi4:.1%} of a core for previews (of {pi_budget.IDLE:.0%}), besides what "
            "the camera itself and the dashboard take\n"
            f"the budget is {'kept' if cost.is_kept else 'NOT kept'}"
        )
    sys.exit(0 if cost.is_kept else UNUSABLE)


def _recorded(folder: Path) -> list[bytes]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not paths:
        raise click.BadParameter(f"{folder} has no photos", param_hint="DIR")
    return [full_frame(read_picture(path)) for path in paths]
