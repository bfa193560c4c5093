"""What on the table goes on to contradict the game: a cell that is read otherwise, a score that was kept wrongly."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from companion.reconcile.likelihood import Evidence, rows
from companion.reconcile.outcome import Finding, box_of
from companion.reconcile.places import Seen
from companion.reconcile.story import Story, is_tiling
from engine import Edition
from vision.sighting import SeenBoard

CONTRADICTS = -5.0
"""A cell that speaks against the game as plainly as this contradicts it."""
LASTING = 3
"""What contradicts the game in so many looks on end is lasting."""
CERTAIN_SCORE = 0.97


class Disputes:
    """Contradictions counted from look to look."""

    def __init__(self, edition: Edition[Any, Any, Any]) -> None:
        self._edition = edition
        self._cells: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._scores: defaultdict[int, int] = defaultdict(int)
        self.since: dict[int, int] = {}
        """By seat the round since which its score is wrong."""

    @property
    def muted(self) -> frozenset[tuple[int, str]]:
        """Cells that have contradicted the game for so long that they tell nothing more about moves."""
        return frozenset(cell for cell, looks in self._cells.items() if looks >= LASTING)

    def note(self, story: Story, seen: Seen, evidence: Evidence) -> None:
        """Count the cells that contradict a story in which nothing happened."""
        if story.unsettled is not None or is_tiling(story.state):
            return
        whole = Evidence(seen) if self._cells else evidence
        for board in story.table["boards"]:
            seat = board["seat"]
            for name, letters in rows(board) if seat in seen.boards else ():
                for i, letter in enumerate(letters, 1):
                    self._count(whole, seat, f"{name}.{i}", letter)

    def _count(self, evidence: Evidence, seat: int, cell: str, letter: str) -> None:
        if evidence.cell(seat, cell, letter) < CONTRADICTS:
            self._cells[seat, cell] += 1
        elif (seat, cell) in self._cells:
            del self._cells[seat, cell]

    def scores(self, state: Any, seen: Seen) -> tuple[Finding, ...]:
        """Scores on the table that have been wrong for several looks of a round that is under way."""
        if getattr(state, "phase", "") != "draft":
            return ()
        evidence = Evidence(seen)
        return tuple(
            finding
            for seat, board in seen.boards.items()
            for finding in self._score(state, seat, board, evidence, seen)
        )

    def _score(self, state: Any, seat: int, board: SeenBoard, evidence: Evidence, seen: Seen) -> list[Finding]:
        shown = evidence.shown_score(seat)
        if shown is None or shown[1] < CERTAIN_SCORE:
            return []
        if evidence.score(seat, state.scores[seat - 1]) > CONTRADICTS:
            self._scores[seat] = 0
            self.since.pop(seat, None)
            return []
        self._scores[seat] += 1
        if self._scores[seat] < LASTING:
            return []
        since = self.since.setdefault(seat, max(state.round - 1, 1))
        table = self._edition.format_table(self._edition.position(state))
        table["boards"][seat - 1] |= {"score": shown[0], "sliders": {"tens": shown[0] // 10, "units": shown[0] % 10}}
        if len(board.tracks) == 1:
            del table["boards"][seat - 1]["sliders"]
        position = self._edition.parse_table(table)
        box = box_of(seen, self._edition.layout, seat, "score")
        return [
            Finding(violation, box, since=since)
            for violation in self._edition.position_violations(position, state)
            if violation.seat == seat and violation.cell == "score"
        ]
