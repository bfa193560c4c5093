"""`azul read`: what lies on the tables that photos show."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from companion.cli.photos import PICTURES, read_photos, save_picture
from companion.cli.verdict import judge, told_position, told_violations
from companion.overlay import draw_reading
from companion.pipeline import Reading, load_networks
from companion.terminal import told_doubts
from engine import slugs
from vision.pose import Array

UNREAD = 1
"""The exit status where a photo cannot be read."""
CORNERS = 4


def _parse_corners(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[Array]:
    return [_corners(value, ctx, param) for value in values]


def _corners(value: str, ctx: click.Context, param: click.Parameter) -> Array:
    """Four places in a picture, `x,y x,y x,y x,y`, as an array (4, 2)."""
    example = 'four corners look like "10,20 500,22 505,510 8,505"'
    try:
        points = np.array([[float(number) for number in point.split(",")] for point in value.split()], np.float64)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not made of pairs of numbers; {example}", ctx, param) from None
    if points.shape != (CORNERS, 2) or not np.isfinite(points).all():
        raise click.BadParameter(f"{value!r} does not name four places; {example}", ctx, param)
    return points


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO…", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--edition", type=click.Choice(slugs()), help="The edition; otherwise it is told by the print.")
@click.option(
    "--corners",
    "corners_px",
    callback=_parse_corners,
    multiple=True,
    metavar='"X,Y X,Y X,Y X,Y"',
    help="Where a board is: top left, top right, bottom right, bottom left as its owner sees it. Once per board.",
)
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Draw what was read over the photo, into this file; with several photos into this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="One Table per photo, one per line.")
def command(
    photos: tuple[Path, ...],
    edition: str | None,
    corners_px: Sequence[Array],
    overlay: Path | None,
    as_json: bool,
) -> None:
    """Read photos of tables: what lies where, what is in doubt, which rules are visibly broken.

    Exit status: 0 all were read, 1 a photo cannot be read (the others still are).
    """
    if corners_px and len(photos) > 1:
        raise click.UsageError("--corners are of one photo; read it alone")
    to_folder = overlay is not None and (len(photos) > 1 or overlay.is_dir())
    if overlay is not None and not to_folder and overlay.suffix.lower() not in PICTURES:
        raise click.BadParameter(f"{overlay} must end with one of {', '.join(PICTURES)}", param_hint="--overlay")
    status = 0
    for path, read in read_photos(photos, load_networks(), edition, corners_px):
        if isinstance(read, str):
            status = UNREAD
            if as_json:
                click.echo(json.dumps({"photo": path.name, "error": read}, ensure_ascii=False))
            continue
        click.echo(json.dumps(read.table, ensure_ascii=False) if as_json else "\n".join(_told(path, read)))
        if overlay is not None:
            _draw(read, overlay / f"{path.stem}.png" if to_folder else overlay)
    sys.exit(status)


def _told(path: Path, read: Reading) -> list[str]:
    verdict = judge(read.table)
    times = read.table["timing_ms"]
    stages = ", ".join(f"{stage} {spent:.0f}" for stage, spent in times.items() if stage != "total")
    return [
        f"{path}: {verdict.edition.name}, {read.table['side']} side\n",
        f"{told_position(verdict)}\n",
        *told_doubts(read.table),
        *told_violations(verdict),
        f"read in {times['total']:.0f} ms: {stages}",
    ]


def _draw(read: Reading, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_picture(draw_reading(read.picture, read.sighting, read.table), path)
