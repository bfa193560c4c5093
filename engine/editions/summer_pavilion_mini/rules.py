"""What Summer Pavilion Mini changes: the score floor is 0, sliders show scores, a card that flips shows the jokers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.editions.summer_pavilion import notation
from engine.editions.summer_pavilion import position as big
from engine.editions.summer_pavilion import rules as big_rules
from engine.editions.summer_pavilion import state as big_state
from engine.editions.summer_pavilion import table as big_table
from engine.editions.summer_pavilion import violations as big_violations
from engine.editions.summer_pavilion.moves import Move
from engine.editions.summer_pavilion.position import UNSEEN, Position, SeenBoard
from engine.editions.summer_pavilion.scoring import end_lines
from engine.editions.summer_pavilion.state import Options, State
from engine.score import Outlook, total
from engine.state import OVER, Setup
from engine.table import Table
from engine.text import say
from engine.violations import Violation

SLUG = "summer-pavilion-mini"
SCORE_FLOOR = 0
SLIDER_RANGE = 100
"""How far the sliders go is not known, so only the last two digits of a score are compared."""

ALSO = {"SP-PAY-04": "SPM-VA-02", "SP-SU-02": "SPM-SU-01", "SP-SU-05": "SPM-SU-02"}
"""Rules of the big box that the Mini has under an id of its own as well."""


def parse_options(options: Mapping[str, object], side: str) -> Options:
    """The options of a record's start."""
    return big_state.parse_options(options, side, SCORE_FLOOR)


def format_options(setup: Setup[Options]) -> dict[str, object]:
    """The options that differ from what everybody plays."""
    return big_state.format_options(setup, SCORE_FLOOR)


def format_state(state: State) -> str:
    """A state in one line."""
    return notation.format_state(state, format_options(state.setup))


def parse_state(text: str) -> State:
    """The state that `format_state` wrote."""
    return notation.parse_state(text, SLUG, parse_options)


def violations(state: State, move: Move) -> list[Violation]:
    """Every rule that a move breaks: those of the big box, some by the Mini's own id as well."""
    return _also(big_violations.violations(state, move))


def apply(state: State, move: Move) -> State:
    """The state after a legal move."""
    return big_rules.apply(state, move, violations)


def table_of(state: State) -> Table:
    """What of a state lies on the table: scores stand on sliders, jokers on the storage card."""
    seen = big.position(state)
    boards = (replace(board, sliders=divmod((board.score or 0) % SLIDER_RANGE, 10)) for board in seen.boards)
    order = state.setup.options.joker_order
    return big_table.lay(replace(seen, boards=tuple(boards), joker_order=order))


def violations_in(table: Table, state: State | None = None) -> list[Violation]:
    """The rules visibly broken."""
    position = big_table.sight(table, SCORE_FLOOR)
    return [*_also(big.position_violations(position, state)), *_tray_violations(position, state)]


def outlook_of(table: Table) -> list[Outlook]:
    """What each board would score if everybody passed now, and what the end would bring."""
    return big.outlook(big_table.sight(table, SCORE_FLOOR))


def _also(found: list[Violation]) -> list[Violation]:
    return [*found, *(replace(broken, rule=ALSO[broken.rule]) for broken in found if broken.rule in ALSO)]


def _tray_violations(position: Position, state: State | None) -> Iterator[Violation]:
    for board in position.boards:
        if board.side != position.side:
            text = say("this board shows the side {side}, another one {other}", side=board.side, other=position.side)
            yield Violation("SPM-SU-03", text, board.seat)
        right = _right_scores(board, state)
        if board.sliders is None or not right:
            continue
        shown = board.sliders[0] * 10 + board.sliders[1]
        if all(score % SLIDER_RANGE != shown for score in right):
            text = say("the sliders show {shown}, the score is {score}", shown=shown, score=right[-1])
            yield Violation("SPM-SC-01", text, board.seat, "score")
    order = position.joker_order
    if state and order and UNSEEN not in order and order != state.setup.options.joker_order:
        text = say(
            "the storage card shows the jokers {shown}, the game began with {order}",
            shown=order,
            order=state.setup.options.joker_order,
        )
        yield Violation("SPM-VA-01", text, 0, "round")


def _right_scores(board: SeenBoard, state: State | None) -> tuple[int, ...]:
    """What the sliders of a board may show: at the end what was earned in the rounds, or the total."""
    if state is None or board.seat > len(state.boards):
        return () if board.score is None else (board.score,)
    kept = state.boards[board.seat - 1]
    if state.phase != OVER:
        return (kept.score,)
    return kept.score, kept.score + total(end_lines(board.seat, kept, state.setup.options))
