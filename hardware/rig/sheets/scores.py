"""Score sheets to be filled in by hand, for when the camera has the evening off."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.rig.sheets.page import BOLD, MARGIN_MM, Sheets

TOP_MM, ROW_MM, LABEL_MM = 34.0, 12.0, 64.0
LABEL_PT = 9
UNTOLD: dict[str, Any] = {"rounds": 9, "end": []}
"""The rows of an edition of which the words say nothing."""


def print_scores(path: Path, edition: str, players: int, paper: str, language: str) -> None:
    """One page: a column for each player, rows for rounds, for what counts at the end, and for the sum."""
    sheets = Sheets(path, "Score sheet", paper, language)
    told = sheets.words["scores"]
    sheets.heading(f"{told['title']}: {name_of(edition, told)}", told["advice"])
    game = told["rows"].get(edition.removesuffix("-mini"), UNTOLD)
    rounds = [told["round"].format(number=number) for number in range(1, game["rounds"] + 1)]
    rows = [told["player"], told["start"], *rounds, *game["end"], told["sum"]]
    width = (sheets.width_mm - 2 * MARGIN_MM - LABEL_MM) / players
    for i, label in enumerate(rows):
        top = TOP_MM + ROW_MM * i
        strong = label in (told["player"], told["sum"])
        if strong:
            sheets.rectangles([(MARGIN_MM, top, sheets.width_mm - 2 * MARGIN_MM, ROW_MM)], grey=0.9)
        sheets.text(label, (MARGIN_MM + 2, top + ROW_MM - 4), LABEL_PT, *([BOLD] if strong else []))
        sheets.frame((MARGIN_MM, top, LABEL_MM, ROW_MM))
        for seat in range(players):
            sheets.frame((MARGIN_MM + LABEL_MM + seat * width, top, width, ROW_MM))
    sheets.ruler()
    sheets.end_page()
    sheets.save()


def name_of(edition: str, told: Mapping[str, Any]) -> str:
    """What an edition is called on a score sheet."""
    return str(told["names"].get(edition, edition.replace("-", " ").title()))
