"""Corners that are tapped anywhere are refused with a sentence, by the command and by the page."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.pipeline import load_networks, read_picture
from engine import slugs
from vision.errors import VisionError
from vision.photo import decode_photo

PHOTO = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_phone-table_104.jpg"
CORNERS = {
    "equal": "9,9 9,9 9,9 9,9",
    "two equal": "10,10 10,10 500,10 500,500",
    "crossed": "10,10 500,500 500,10 10,500",
    "in a line": "0,0 100,100 200,200 300,300",
    "enormous": "-1e12,-1e12 1e12,-1e12 1e12,1e12 -1e12,1e12",
    "beyond numbers": "-1e308,-1e308 1e308,-1e308 1e308,1e308 -1e308,1e308",
    "tiny": "100,100 100.001,100 100.001,100.001 100,100.001",
    "elsewhere": "90000,90000 90500,90000 90500,90500 90000,90500",
    "all of the table": "-91.6,-17 2543.5,7.4 2469.2,1341.8 27.5,1442.1",
    "beyond the table": "-16,36 3195,19 3342,1875 1,1873",
}


@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("edition", ["azul", "summer-pavilion", None])
def test_no_corners_break_reading(name: str, edition: str | None) -> None:
    assert edition is None or edition in slugs()
    tapped = np.array([[float(part) for part in pair.split(",")] for pair in CORNERS[name].split()])
    picture = decode_photo(PHOTO.read_bytes(), PHOTO.name).picture
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for corners in ([tapped], [tapped, tapped]):
            with pytest.raises(VisionError, match="this"):
                read_picture(picture, load_networks(), edition, corners)


@pytest.mark.parametrize("corners", [*CORNERS.values(), "nan,1 2,3 4,5 6,7", "1e999,1 2,3 4,5 6,7", "1,2 3,4", ""])
def test_the_command_says_so_in_a_line(corners: str) -> None:
    result = CliRunner().invoke(main, ["read", "--corners", corners, str(PHOTO)])
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (1, 2)
