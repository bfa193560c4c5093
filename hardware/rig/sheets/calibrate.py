"""The Charuco sheet for lenses, and the neutral card for colours."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hardware.calibration import (
    CARD_MARKER_MM,
    CARD_MARKERS,
    CARD_MM,
    FAMILY,
    MARKER_MM,
    PATCH_MM,
    SQUARE_MM,
    SQUARES,
    charuco_board,
)
from hardware.rig.sheets.page import Sheets

TOP_MM = 34.0
RIM_MM = 4.0


def print_charuco(path: Path, paper: str, language: str) -> None:
    """The sheet that `measure_lens` looks for."""
    sheets = Sheets(path, "Charuco", paper, language)
    sheets.heading(sheets.words["charuco"]["title"], sheets.words["charuco"]["advice"])
    columns, rows = SQUARES
    left = (sheets.width_mm - columns * SQUARE_MM) / 2
    board = charuco_board()
    corners = np.array(board.getObjPoints())[:, 0, :2]
    white = {(int(x // SQUARE_MM), int(y // SQUARE_MM)) for x, y in corners}
    black = {(x, y) for x in range(columns) for y in range(rows)} - white
    sheets.rectangles((left + x * SQUARE_MM, TOP_MM + y * SQUARE_MM, SQUARE_MM, SQUARE_MM) for x, y in sorted(black))
    for number, (x, y) in zip(np.ravel(board.getIds()).tolist(), corners.tolist(), strict=True):
        sheets.marker(FAMILY, number, left + x, TOP_MM + y, MARKER_MM)
    sheets.ruler()
    sheets.end_page()
    sheets.save()


def print_neutral(path: Path, paper: str, language: str) -> None:
    """The card that `gains_of_card` looks for. Its patch is bare paper: printed greys have the printer's tint."""
    sheets = Sheets(path, "Neutral card", paper, language)
    sheets.heading(sheets.words["neutral"]["title"], sheets.words["neutral"]["advice"])
    left, top = (sheets.width_mm - CARD_MM) / 2, 60.0
    sheets.frame((left - 10, top - 10, CARD_MM + 20, CARD_MM + 20), dashed=True)
    far = CARD_MM - CARD_MARKER_MM
    for number, (x, y) in zip(CARD_MARKERS, ((0, 0), (far, 0), (far, far), (0, far)), strict=True):
        sheets.marker(FAMILY, number, left + x, top + y, CARD_MARKER_MM)
    inset = (CARD_MM - PATCH_MM) / 2
    x, y = left + inset, top + inset
    sheets.rectangles([(x - RIM_MM, y - RIM_MM, PATCH_MM + 2 * RIM_MM, PATCH_MM + 2 * RIM_MM)])
    sheets.rectangles([(x, y, PATCH_MM, PATCH_MM)], grey=1.0)
    sheets.ruler()
    sheets.end_page()
    sheets.save()
