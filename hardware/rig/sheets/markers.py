"""Cards with AprilTags for the corners of boards, as `vision.markers` looks for them.

A card lies under its board: the corner of the tag touches the board's corner, and the paper around it stays white.
"""

from __future__ import annotations

from pathlib import Path

import cv2

from hardware.rig.sheets.page import MARGIN_MM, Sheets

FAMILY = cv2.aruco.DICT_APRILTAG_36h11
TAG_MM = 30.0
QUIET_MM = 8.0
"""White paper beyond the tag; one of its modules, 3.75 mm, is the least that it needs."""
TONGUE_MM = 34.0
"""What lies under the board."""
CARD_MM = QUIET_MM + TAG_MM + TONGUE_MM
CORNERS = 4
AWAY = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Where the board lies as seen from each of its corners: to the right and below of its top left one, and so on."""


def print_markers(path: Path, players: int, paper: str, language: str) -> None:
    """One page per seat, with a card for each corner of its board."""
    sheets = Sheets(path, "Markers", paper, language)
    for seat in range(1, players + 1):
        told = sheets.words["markers"]
        sheets.heading(told["title"].format(seat=seat), told["advice"])
        for corner in range(CORNERS):
            _draw_card(sheets, seat, corner)
        sheets.ruler()
        sheets.end_page()
    sheets.save()


def touching_mm(sheet_width_mm: float, corner: int) -> tuple[float, float]:
    """Where on the page a tag's corner touches the board's."""
    left, top = _card(sheet_width_mm, corner)
    right, down = AWAY[corner]
    outer = QUIET_MM + TAG_MM
    return left + (outer if right > 0 else TONGUE_MM), top + (outer if down > 0 else TONGUE_MM)


def _card(sheet_width_mm: float, corner: int) -> tuple[float, float]:
    """The top left of a card; cards lie on the page as they will around the board."""
    right, down = AWAY[corner]
    far = sheet_width_mm - MARGIN_MM - CARD_MM
    return MARGIN_MM if right > 0 else far, 50.0 if down > 0 else 160.0


def _draw_card(sheets: Sheets, seat: int, corner: int) -> None:
    left, top = _card(sheets.width_mm, corner)
    x, y = touching_mm(sheets.width_mm, corner)
    right, down = AWAY[corner]
    sheets.frame((left, top, CARD_MM, CARD_MM), dashed=True)
    tag = (x - TAG_MM if right > 0 else x, y - TAG_MM if down > 0 else y)
    sheets.marker(FAMILY, CORNERS * (seat - 1) + corner, *tag, TAG_MM)
    # The board's edges; not right up to the tag, which must stand free.
    for reach_x, reach_y in ((right, 0), (0, down)):
        start, end = QUIET_MM / 2, TONGUE_MM - 1
        sheets.line((x + reach_x * start, y + reach_y * start), (x + reach_x * end, y + reach_y * end))
    told = sheets.words["markers"]
    middle = (x + right * TONGUE_MM / 2, y + down * TONGUE_MM / 2)
    sheets.text(told["here"], middle, 8, anchor="middle")
    sheets.text(f"{seat}: {told['corners'][corner]}", (middle[0], middle[1] + 5), 7, anchor="middle")
