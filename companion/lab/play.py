"""Games played by the computer: for demonstrations, fixtures and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from engine import FILL, OVER, Edition, Setup

Policy = Callable[[Edition[Any, Any], Any, Random], Any]

MAX_ROUNDS = 60
"""Where no row can be completed any more a game would never end; people would stop long before this."""


def play_randomly(edition: Edition[Any, Any], state: Any, rng: Random) -> Any:
    """Any legal move."""
    choices = edition.choices(state)
    return choices[int(rng.random() * len(choices))]


def play_greedily(edition: Edition[Any, Any], state: Any, rng: Random) -> Any:
    """A move that leaves most points if the round ended then, any of equal ones; a pass only where nothing else is."""
    return _best(edition, state, edition.choices(state), rng)


def _best(edition: Edition[Any, Any], state: Any, choices: Sequence[Any], rng: Random) -> Any:
    def worth(move: Any) -> tuple[int, float]:
        after = edition.table(edition.apply(state, move))
        own = next(outlook for outlook in edition.outlook(after) if outlook.seat == move.seat)
        return (own.score or 0) + own.round_points + own.bonus_points, rng.random()

    return max([move for move in choices if not edition.is_pass(move)] or choices, key=worth)


MOST_WEIGHED = 30
"""Of more choices than this only so many are weighed, by chance: some games have hundreds."""


def play_well(edition: Edition[Any, Any], state: Any, rng: Random) -> Any:
    """A good move of some; the same as `play_greedily` where there are few choices."""
    choices = edition.choices(state)
    if len(choices) <= MOST_WEIGHED:
        return play_greedily(edition, state, rng)
    return _best(edition, state, rng.sample(list(choices), MOST_WEIGHED), rng)


POLICIES: dict[str, Policy] = {"random": play_randomly, "greedy": play_greedily}


def play_game(
    edition: Edition[Any, Any], setup: Setup[Any], policy: Policy, rng: Random, max_rounds: int = MAX_ROUNDS
) -> Iterator[Any]:
    """The moves of one game, implied ones left out; it stops unfinished where no round may follow."""
    apply, settle, awaits_chance = edition.apply, edition.settle, edition.awaits_chance
    state = edition.start(setup)
    while (phase := state.phase) != OVER and not (phase == FILL and state.round >= max_rounds):
        move = edition.deal(state, rng.sample) if awaits_chance(state) else policy(edition, state, rng)
        yield move
        state = settle(apply(state, move))
