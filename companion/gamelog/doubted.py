"""Rules that a move broke, told only where they do not rest on a cell that people are asked about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.gamelog.events import Doubt
from engine import Edition, EngineError, Step, Violation


def sure_of_move(
    edition: Edition[Any, Any], before: Any, step: Step, now: Any, doubts: Iterable[Doubt]
) -> tuple[Violation, ...]:
    """The rules that a move broke, whatever lies in the cells of doubts that nobody has answered.

    A doubt counts where the cell has not changed since the move: else it is about another tile.
    """
    sure = {(each.rule, each.seat) for each in step.violations}
    for doubt in doubts:
        if doubt.cell and _lies(edition, step.state, doubt) == _lies(edition, now, doubt):
            for read in doubt.reads:
                sure &= _broken(edition, before, step.moves[0], doubt, read, sure)
    return tuple(each for each in step.violations if (each.rule, each.seat) in sure)


def _lies(edition: Edition[Any, Any], state: Any, doubt: Doubt) -> str | None:
    return edition.table(state).part(doubt.seat).cells.get(doubt.cell)


def _broken(
    edition: Edition[Any, Any], before: Any, move: Any, doubt: Doubt, read: str, otherwise: set[tuple[str, int]]
) -> set[tuple[str, int]]:
    """What the move would break if the cell held this; what cannot lie there tells nothing."""
    try:
        state = edition.correct(before, {doubt.cell: read}, doubt.seat)
        return {(each.rule, each.seat) for each in edition.violations(state, move)}
    except EngineError:
        return otherwise
