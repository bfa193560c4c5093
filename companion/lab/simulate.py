"""A game played in front of the simulated camera, now and then against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from random import Random
from typing import Any

from companion.lab.play import MAX_ROUNDS, Policy, play_greedily
from companion.lab.staging import stage_table
from companion.reconcile.live.places import Point, matched
from engine import OVER, Edition, Setup, Table, Violation
from hardware.tabletop.stage import Stage


@dataclass(frozen=True, slots=True)
class Played:
    """One move of a simulated game: what was done, what it broke, and what lies there afterwards."""

    move: Any
    violations: tuple[Violation, ...]
    state: Any
    stage: Stage


def simulate(
    edition: Edition[Any, Any],
    setup: Setup[Any],
    rng: Random,
    mischief: float = 0.0,
    policy: Policy = play_greedily,
    state: Any = None,
) -> Iterator[Played]:
    """Play a game move by move, from a state if one is told; with this chance a player breaks a rule."""
    layout, state = edition.layout, edition.start(setup) if state is None else state
    while state.phase != OVER and state.round < MAX_ROUNDS:
        if edition.awaits_chance(state):
            move = edition.deal(state, rng.sample)
        elif rng.random() < mischief:
            move = mischievous(edition, state, rng)
        else:
            move = policy(edition, state, rng)
        broken = tuple(edition.violations(state, move))
        state = edition.settle(edition.enact(state, move))
        yield Played(move, broken, state, stage_table(edition.table(state), layout))


def disc_numbers(lying_px: Sequence[Point], known_px: Mapping[int, Point]) -> dict[int, int]:
    """For each disc of a simulated table its number in a game's log, where discs are told by where they lie."""
    lying = dict(enumerate(lying_px, 1))
    numbers = matched(lying, known_px, inf)
    # A disc that was never found has the number that is left.
    free = [number for number in lying if number not in numbers.values()]
    return numbers | dict(zip([i for i in lying if i not in numbers], free, strict=False))


def mischievous(edition: Edition[Any, Any], state: Any, rng: Random) -> Any:
    """A move that breaks a rule, each rule being as likely as any other."""
    by_rule: dict[str, list[Any]] = {}
    for move in edition.pseudo_moves(state):
        for violation in edition.violations(state, move)[:1]:
            by_rule.setdefault(violation.rule, []).append(move)
    return rng.choice(by_rule[rng.choice(sorted(by_rule))]) if by_rule else rng.choice(edition.choices(state))


def position_of_seed(edition: Edition[Any, Any], seed: int) -> Table:
    """A position somewhere in a game."""
    return broken_position(edition, seed, 0.0)[0]


def broken_position(edition: Edition[Any, Any], seed: int, mischief: float) -> tuple[Table, list[str]]:
    """A position somewhere in a game in which players break rules with this chance, and the rules that they broke."""
    rng = Random(f"position {seed}")
    setup = _setup(edition, rng)
    state, broken = edition.start(setup), []
    for step in islice(simulate(edition, setup, rng, mischief), rng.randint(2, 90)):
        state = step.state
        broken += [violation.rule for violation in step.violations]
    return edition.table(state), broken


def players_of_seed(edition: Edition[Any, Any], seed: int) -> int:
    """How many sit at the table of that position."""
    return _setup(edition, Random(f"position {seed}")).players


def _setup(edition: Edition[Any, Any], rng: Random) -> Setup[Any]:
    return edition.setup(rng.choice(edition.sides), rng.choice(edition.players), 1)
