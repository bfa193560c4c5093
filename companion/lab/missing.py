"""Games of which looks are left out: whether the next clear look brings the game back. `azul bench live --missing`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

from companion.lab.confusions import Confusions
from companion.lab.imagine import imagine
from companion.lab.play import play_well
from companion.lab.rehearsal import MOST_MOVES, Plan
from companion.lab.simulate import simulate
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.outcome import Outcome
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
    """Rules said to be broken that nobody of that seat had broken."""
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


def rehearse_missing(plan: Plan, confusions: Confusions | None, share: float) -> MissingVerdict:
    """Follow a game by sightings of which a share is left out, in every other game in runs; nobody answers."""
    edition, rng, verdict = plan.edition, plan.rng, MissingVerdict()
    gaps = Gaps(share, bool(plan.number % 2), Random(f"gaps {plan.number}"))
    start = edition.start(plan.setup)
    follower, state = Follower(edition, start), start
    guilty: set[tuple[int, str]] = set()
    right, before = True, start
    for moves, step in enumerate(simulate(edition, plan.setup, plan.rng, plan.mischief, play_well)):
        guilty |= {(each.seat, each.rule) for each in edition.violations(before, step.move)}
        before = state = step.state
        if moves >= MOST_MOVES:
            break
        if moves and state.phase != OVER and gaps.miss():
            verdict.missed += 1
            continue
        now = _look(follower, state, rng, confusions, guilty, verdict)
        verdict.at_once += now
        verdict.late += not (now or right)
        if not now:
            verdict.notes.append(f"move {moves}: {_differing(edition, follower.state, state)}")
        right = now
    verdict.to_the_end = follower.state.phase == state.phase
    for seat, score in enumerate(state.scores, 1):
        told = follower.open_scores.get(seat, frozenset({follower.state.scores[seat - 1]}))
        verdict.finals += 1
        verdict.exact += told == {score}
        verdict.inside += min(told) <= score <= max(told)
    return verdict


def _look(
    follower: Follower,
    state: Any,
    rng: Random,
    confusions: Confusions | None,
    guilty: Iterable[tuple[int, str]],
    verdict: MissingVerdict,
) -> bool:
    """Look at a table as often as is asked for; whether the boards of the game are the true ones then."""
    edition, again, started = follower.edition, False, process_time()
    while True:
        outcome = follower.see(imagine(edition.table(state), rng, confusions), again)
        _count(outcome, guilty, verdict)
        again = outcome.look_again
        if not again:
            break
    spent = process_time() - started
    verdict.looks, verdict.seconds = verdict.looks + 1, verdict.seconds + spent
    verdict.slowest = max(verdict.slowest, spent)
    return boards(edition, follower.state) == boards(edition, state)


def _count(outcome: Outcome, guilty: Iterable[tuple[int, str]], verdict: MissingVerdict) -> None:
    accused = {(each.violation.seat, each.violation.rule) for each in (*outcome.findings, *outcome.scores)}
    verdict.false += len(accused - {*guilty})
    verdict.notes += [f"accused: {seat} {rule}" for seat, rule in sorted(accused - {*guilty})]
    verdict.bridges += outcome.bridge is not None
    verdict.questions += outcome.question is not None


def _differing(edition: Edition[Any, Any], told: Any, true: Any) -> str:
    """The cells in which the boards of the game are not the true ones, as what they were told to hold and hold."""
    said, lying = boards(edition, told), boards(edition, true)
    cells = [(seat, name) for seat, board in lying.items() for name in board if board[name] != said[seat].get(name)]
    shown = (f"{seat} {name} {said[seat].get(name)}/{lying[seat][name]}" for seat, name in cells[:MOST_SHOWN])
    return f"{len(cells)} cells differ: {', '.join(shown)}"


def boards(edition: Edition[Any, Any], state: Any) -> Mapping[int, Frozen[str]]:
    """What lies in the cells of each seat."""
    return {part.seat: part.cells for part in edition.table(state).boards}
