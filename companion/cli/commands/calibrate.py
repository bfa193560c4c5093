"""`azul calibrate`: a camera's lens and colours, from photos of printed sheets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from companion.capture.cameras import CAMERAS
from companion.cli.inputs import data_option
from companion.gamelog import data_dir
from companion.pipeline import load_networks, see_picture
from hardware.calibration import gains_of_boards, gains_of_card, load_calibration, measure_lens, save_calibration
from hardware.camera import Picture
from hardware.cameras.folder import read_picture
from hardware.cameras.opening import exact_spec


@click.command()
@click.argument("photos", nargs=-1, metavar="[PHOTO]…", type=click.Path(path_type=Path))
@click.option("--card", type=click.Path(path_type=Path), metavar="PHOTO", help="A photo of the neutral card.")
@click.option(
    "--boards", type=click.Path(path_type=Path), metavar="PHOTO", help="One of boards, whose white print does as well."
)
@click.option("--camera", "spec", required=True, metavar="SPEC", help="Which camera took them, as `azul run` names it.")
@data_option
def command(photos: tuple[Path, ...], card: Path | None, boards: Path | None, spec: str, data: Path | None) -> None:
    """Measure a camera on PHOTOs of the Charuco sheet, of the neutral card or of boards, and keep what was found.

    `azul print charuco neutral` makes the sheets.
    """
    if not photos and card is None and boards is None:
        raise click.UsageError("name photos of the Charuco sheet, or one with --card or --boards for the colours")
    if card is not None and boards is not None:
        raise click.UsageError("colours come from --card, which is the better, or from --boards, not from both")
    folder = data_dir(data) / CAMERAS
    camera = exact_spec(spec)
    known = load_calibration(camera, folder)
    if photos:
        lens = measure_lens([read_picture(path) for path in photos])
        known = replace(known, lens=lens)
        click.echo(f"lens: focal length {lens.focal_px:.0f} px, fits to {lens.error_px:.2f} px")
    colours = card or boards
    if colours is not None:
        measure = gains_of_card if card else _gains_of_boards
        gains = measure(read_picture(colours))
        known = replace(known, gains=gains)
        click.echo("colours: gains {:.2f} blue, {:.2f} green, {:.2f} red".format(*gains))
    save_calibration(known, camera, folder)
    click.echo(f"kept for {camera}")


def _gains_of_boards(picture: Picture) -> tuple[float, float, float]:
    seen = see_picture(picture, load_networks())
    return gains_of_boards(picture, [board.located.corners_px for board in seen.boards])
