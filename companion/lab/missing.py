"""Games of which looks are left out: whether the next clear look brings the game back. `azul bench live --missing`."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from companion.lab.looking import LookedAt, misread
from companion.lab.play import play_well
from companion.lab.rehearsal import MOST_MOVES, Plan
from companion.lab.simulate import Played, simulate
from engine import OVER, Edition
from engine.table import Frozen

MOST_SHOWN = 4
"""No more cells than this are told in a note."""
LONGEST_RUN = 12
"""So many looks in a row are left out at the most, where they are left out in runs: about a round."""


@dataclass
class MissingVerdict:
    """What following one game with gaps came to."""

    looks: int = 0
    missed: int = 0
    """Looks that were left out."""
    at_once: int = 0
    """Looks after which the boards of the game were the true ones."""
    late: int = 0
    """Looks after which they were not, and had not been after the look before either."""
    to_the_end: bool = False
    """Whether the game was followed to where it truly ended."""
    finals: int = 0
    exact: int = 0
    inside: int = 0
    """Final scores within what was told, exact ones among them."""
    false: int = 0
    """Rules said to be broken that nobody of that seat had broken and no board of it visibly breaks."""
    bridges: int = 0
    questions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    notes: list[str] = field(default_factory=list)


class Gaps:
    """Which looks are left out: one by one, or in runs of up to a whole round."""

    def __init__(self, share: float, in_runs: bool, rng: Random) -> None:
        self._share, self._in_runs, self._rng, self._left = share, in_runs, rng, 0

    def miss(self) -> bool:
        """Whether the next look is left out."""
        if not self._in_runs:
            return self._rng.random() < self._share
        if self._left:
            self._left -= 1
            return True
        mean = (1 + LONGEST_RUN) / 2
        if self._rng.random() < self._share / (self._share + (1 - self._share) * mean):
            self._left = self._rng.randint(1, LONGEST_RUN) - 1
            return True
        return False


def rehearse_missing(plan: Plan, table: LookedAt, share: float) -> MissingVerdict:
    """Follow a game of whose looks a share is left out, in every other game in runs; nobody answers."""
    edition, verdict = plan.edition, MissingVerdict()
    gaps = Gaps(share, bool(plan.number % 2), Random(f"gaps {plan.number}"))
    state = edition.start(plan.setup)
    guilty: set[tuple[int, str]] = set()
    told_of_marks: set[tuple[int, str]] = set()
    right = True
    for moves, step in enumerate(simulate(edition, plan.setup, plan.rng, plan.mischief, play_well)):
        shown = edition.table_violations(edition.table(step.state), None)
        guilty |= {(each.seat, each.rule) for each in (*step.violations, *shown)}
        state = step.state
        if moves >= MOST_MOVES:
            break
        if moves and state.phase != OVER and gaps.miss():
            verdict.missed += 1
            continue
        now = _look(edition, table, step, guilty, told_of_marks, verdict)
        verdict.at_once += now
        verdict.late += not (now or right)
        if not now:
            verdict.notes.append(f"move {moves}: {_differing(edition, table, state)}")
        right = now
        if state.phase == OVER:
            table.look_at_the_end(step)
    verdict.to_the_end = table.state.phase == state.phase
    for score, (low, high) in zip(state.scores, table.scores, strict=True):
        verdict.finals += 1
        verdict.exact += low == score == high
        verdict.inside += low <= score <= high
        if not low <= score <= high:
            verdict.notes.append(f"final score told as {low} to {high}, true: {score}")
    return verdict


def _look(
    edition: Edition[Any, Any],
    table: LookedAt,
    step: Played,
    guilty: Set[tuple[int, str]],
    told_of_marks: set[tuple[int, str]],
    verdict: MissingVerdict,
) -> bool:
    """Look at a moment of a game, and count; whether the boards of the game are the true ones then.

    What is said of a mark is counted once, however long the mark stays.
    """
    started = process_time()
    told = table.look(step)
    spent = process_time() - started
    verdict.looks, verdict.seconds = verdict.looks + 1, verdict.seconds + spent
    verdict.slowest = max(verdict.slowest, spent)
    verdict.bridges, verdict.questions = verdict.bridges + told.bridges, verdict.questions + told.questions
    false = [*sorted(told.accused - guilty), *sorted(told.marks - told_of_marks - guilty)]
    told_of_marks |= told.marks
    verdict.false += len(false)
    verdict.notes += [f"accused: {seat} {rule}; {_read(edition, table, step.state)}" for seat, rule in false]
    return boards(edition, table.state) == boards(edition, step.state)


def _differing(edition: Edition[Any, Any], table: LookedAt, true: Any) -> str:
    """The cells in which the boards of the game are not the true ones, as what they were told to hold and hold."""
    said, lying = boards(edition, table.state), boards(edition, true)
    cells = [(seat, name) for seat, board in lying.items() for name in board if board[name] != said[seat].get(name)]
    shown = (f"{seat} {name} {said[seat].get(name)}/{lying[seat][name]}" for seat, name in cells[:MOST_SHOWN])
    return f"{len(cells)} cells differ: {', '.join(shown)}; {_read(edition, table, true)}"


def _read(edition: Edition[Any, Any], table: LookedAt, true: Any) -> str:
    """What the last look read otherwise than it lay there: this tells a misreading from wrong reconciling."""
    found = misread(edition, table.seen, edition.table(true))
    return f"misread: {', '.join(found[:MOST_SHOWN])}" if found else "nothing misread"


def boards(edition: Edition[Any, Any], state: Any) -> Mapping[int, Frozen[str]]:
    """What lies in the cells of each seat."""
    return {part.seat: part.cells for part in edition.table(state).boards}
