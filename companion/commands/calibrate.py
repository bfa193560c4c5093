"""`azul calibrate`: a camera's lens and colours, from photos of printed sheets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from companion.gamelog import data_dir
from companion.inputs import data_option
from companion.keeper import CAMERAS
from hardware.calibration import gains_of_card, load_calibration, measure_lens, save_calibration
from hardware.cameras.folder import read_picture


@click.command()
@click.argument("photos", nargs=-1, metavar="[PHOTO]…", type=click.Path(path_type=Path))
@click.option("--card", type=click.Path(path_type=Path), metavar="PHOTO", help="A photo of the neutral card.")
@click.option("--camera", "spec", required=True, metavar="SPEC", help="Which camera took them, as `azul run` names it.")
@data_option
def command(photos: tuple[Path, ...], card: Path | None, spec: str, data: Path | None) -> None:
    """Measure a camera on PHOTOs of the Charuco sheet, of the neutral card, or both, and keep what was found.

    `azul print charuco neutral` makes the sheets.
    """
    if not photos and card is None:
        raise click.UsageError("name photos of the Charuco sheet, or with --card one of the neutral card")
    folder = data_dir(data) / CAMERAS
    known = load_calibration(spec, folder)
    if photos:
        lens = measure_lens([read_picture(path) for path in photos])
        known = replace(known, lens=lens)
        click.echo(f"lens: focal length {lens.focal_px:.0f} px, fits to {lens.error_px:.2f} px")
    if card is not None:
        gains = gains_of_card(read_picture(card))
        known = replace(known, gains=gains)
        click.echo("colours: gains {:.2f} blue, {:.2f} green, {:.2f} red".format(*gains))
    save_calibration(known, spec, folder)
