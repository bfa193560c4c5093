"""What the tests of the engine share: playing a game by chance, and writing it down.

AZUL_EFFORT=20 plays twenty times as much, and by other chances each time.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import engine
from engine.record import Start, dump_event, format_start

MAX_ROUNDS = 25
"""Grey walls can become impossible to finish, and chance does not mind: after so many rounds a game is let go."""


@dataclass(frozen=True)
class Turn:
    """One move of a game: the state before it, right after it, and when all that it implies is done."""

    before: Any
    move: Any
    after: Any
    settled: Any


def _game(start: Start, rng: random.Random) -> Iterator[Turn]:
    edition, state = start.edition, start.edition.start(start.setup)
    while state.phase != engine.OVER and state.round <= MAX_ROUNDS:
        chance = edition.awaits_chance(state)
        move = edition.deal(state, rng.sample) if chance else rng.choice(edition.choices(state))
        after = edition.apply(state, move)
        turn = Turn(state, move, after, edition.settle(after))
        yield turn
        state = turn.settled


def _written(start: Start, moves: Iterable[Any]) -> list[str]:
    events = [format_start(start), *map(start.edition.format_event, moves)]
    return [dump_event(event) for event in events]


@pytest.fixture(scope="session")
def game() -> Callable[[Start, random.Random], Iterator[Turn]]:
    """Plays a game by chance, legally."""
    return _game


@pytest.fixture(scope="session")
def written() -> Callable[[Start, Iterable[Any]], list[str]]:
    """Writes a game down: the lines of its record."""
    return _written
