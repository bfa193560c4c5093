"""What of a Table is sure: rules that it breaks whatever its doubtful cells, heaps and scores hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Edition, TableError, Violation
from engine.drafting import DISCS
from vision.cells import UNSEEN
from vision.table import is_within, letters, with_letters

MOST_SCORE = 240
"""No edition is known to be won with more."""


def sure_violations(edition: Edition[Any, Any], table: Mapping[str, Any], state: Any = None) -> tuple[Violation, ...]:
    """The rules that a Table visibly breaks, without those that rest on anything in doubt.

    Every doubtful part is taken for unseen, and of what is unseen an edition concludes nothing.
    """
    found = edition.table_violations(edition.parse_table(without_doubts(table)), state)
    # A tile that is not surely on one disc may be on another: with a heap in doubt all of the middle is.
    return tuple(violation for violation in found if violation.seat or not table.get("doubts"))


def possible_scores(edition: Edition[Any, Any], table: Mapping[str, Any], seat: int) -> list[int]:
    """The scores that a seat may have by what surely lies on its board."""
    sure = without_doubts(table)
    board = next(board for board in sure["boards"] if board["seat"] == seat)

    def is_possible(score: int) -> bool:
        alone = edition.parse_table({**sure, "boards": [{**board, "score": score}]})
        return all(violation.cell != "score" for violation in edition.table_violations(alone, None))

    return [score for score in range(MOST_SCORE + 1) if is_possible(score)] or [0]


def without_doubts(table: Mapping[str, Any]) -> dict[str, Any]:
    """A Table in which everything that is in doubt is unseen."""
    sure = {**table, "boards": [_sure_board(board) for board in table["boards"]]}
    for cell in _doubted(table):
        _hide_heap(sure, cell)
    pictured = any("corners_px" in board for board in table["boards"])
    if pictured and len(table.get("factories") or ()) != DISCS.get(len(table["boards"])):
        # A disc may be out of view or overlooked, so that too few of them prove nothing.
        sure.pop("factories", None)
    return sure


def _sure_board(board: Mapping[str, Any]) -> dict[str, Any]:
    doubtful = _doubted(board)
    told = {
        cell: UNSEEN if any(is_within(cell, each) for each in doubtful) else letter
        for cell, letter in letters(board).items()
    }
    sure = with_letters(board, told)
    if "score" in doubtful:
        sure["score"] = None
        sure.pop("sliders", None)
    if "garden" in board:
        sure["garden"] = {**board["garden"], **{cell: UNSEEN for cell in doubtful if cell not in (*board, "score")}}
    for cell in doubtful:
        if cell in board and cell not in ("score", "floor"):
            sure.pop(cell)
    return sure


def _doubted(part: Mapping[str, Any]) -> list[str]:
    """The cells in doubt of a board, or of the table."""
    doubts = part.get("doubts", [])
    cells = [doubt.get("cell") for doubt in doubts if isinstance(doubt, Mapping)] if isinstance(doubts, list) else []
    if not isinstance(doubts, list) or len(cells) < len(doubts) or not all(isinstance(cell, str) for cell in cells):
        raise TableError(f"doubts must be a list of objects that name a cell, not {doubts!r}")
    return [str(cell) for cell in cells]


def _hide_heap(table: dict[str, Any], cell: str) -> None:
    """Take a disc for one that cannot be seen, and leave out any other part of the middle."""
    zone, _, number = cell.partition(".")
    discs = table.get("factories") or []
    if zone == "factory" and number.isdigit() and 0 < int(number) <= len(discs):
        table["factories"] = [
            {**disc, "tiles": UNSEEN} if i == int(number) else disc for i, disc in enumerate(discs, 1)
        ]
    else:
        table.pop(zone, None)
