"""What the trays of Azul Mini add to the rules: sliders, recesses, cards that slide in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.editions.azul import position as azul
from engine.editions.azul import violations as azul_violations
from engine.editions.azul.moves import Move, Tile
from engine.editions.azul.position import Position
from engine.editions.azul.state import State
from engine.editions.azul.table import lay, sight
from engine.table import Table
from engine.text import say
from engine.violations import Violation

SLIDER_RANGE = 100
"""Two sliders show tens and units; what players do at a hundred is not printed, so only these digits are compared."""


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that a move breaks: those of Azul, and a blocked line that stays on the tray by its own id."""
    found = azul_violations.violations(state, move)
    return found if isinstance(move, Tile) else [*found, *_stayed_on_tray(found)]


def table_of(state: State) -> Table:
    """What of a state lies on the table: scores stand on sliders."""
    seen = azul.position(state)
    boards = (replace(board, sliders=divmod((board.score or 0) % SLIDER_RANGE, 10)) for board in seen.boards)
    return lay(replace(seen, boards=tuple(boards)))


def violations_in(table: Table, state: State | None = None) -> list[Violation]:
    """The rules visibly broken."""
    position = sight(table)
    found = azul.position_violations(position, state)
    found += _stayed_on_tray(found)
    for violation in list(found):
        if violation.rule == "AZ-SU-03":
            found.append(replace(violation, rule="AZM-SU-01"))
    return [*found, *_tray_violations(position, state)]


def _stayed_on_tray(found: list[Violation]) -> list[Violation]:
    return [replace(violation, rule="AZM-VA-01") for violation in found if violation.rule == "AZ-VA-03"]


def _tray_violations(position: Position, state: State | None) -> Iterator[Violation]:
    for board in position.boards:
        for cell in board.unseated:
            yield Violation("AZM-PL-01", say("this tile does not sit in its recess"), board.seat, cell)
        if board.sliders is None:
            continue
        shown = board.sliders[0] * 10 + board.sliders[1]
        kept = state.scores[board.seat - 1] if state and board.seat <= len(state.scores) else board.score
        if kept is not None and kept % SLIDER_RANGE != shown:
            text = say("the sliders show {shown}, the score is {score}", shown=shown, score=kept)
            yield Violation("AZM-SC-01", text, board.seat, "score")
