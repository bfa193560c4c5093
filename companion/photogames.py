"""Games that are photographed now and then, with what is true of every photo: what photo logs are measured with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.play import play_game, play_randomly
from engine import FILL, OVER, Edition, Setup, load
from engine.record import final

EDITIONS = ("azul", "azul-mini")
MOMENTS = ("after", "before", "either")
"""When photos are taken: after the walls are tiled, before that, or now so and now so."""
MISSING = 0.1
CARELESS = 0.3
"""The share of games in which somebody plays anyhow, so that much falls to the floor."""
CONSIDERED = 6
"""How many moves come to a player's mind."""
MOST_ROUNDS = 9


@dataclass(frozen=True)
class Taken:
    """One photo: the Table that lies there, and whose boards are in view."""

    table: dict[str, Any]
    seats: tuple[int, ...]
    round: int

    @property
    def shown(self) -> dict[str, Any]:
        """What of the Table is in view: the middle only where all boards are."""
        boards = [board for board in self.table["boards"] if board["seat"] in self.seats]
        if len(boards) == len(self.table["boards"]):
            return self.table
        hidden = {name: part for name, part in self.table.items() if name not in ("factories", "centre")}
        return hidden | {"boards": [board | {"seat": 1} for board in boards]}

    @property
    def scores(self) -> dict[int, int]:
        """The true scores of the boards in view."""
        return {board["seat"]: board["score"] for board in self.table["boards"] if board["seat"] in self.seats}


@dataclass(frozen=True)
class PhotoGame:
    """A game with the photos that were taken of it."""

    number: int
    edition: str
    setup: Setup[Any]
    moment: str
    single: bool
    """Whether each photo shows one board."""
    photos: tuple[Taken, ...]
    final: Mapping[int, int]
    """The true scores in the end, bonuses included if the game is over."""
    over: bool


def photo_game(number: int, seed: int, moment: str | None = None, single: bool = False) -> PhotoGame:
    """A game by its number: editions, sides, players and habits take turns."""
    rng = Random(f"photo game {seed + number}")
    edition = load(EDITIONS[number % 3 // 2])
    setup = edition.setup(edition.sides[number // 2 % 2], edition.players[number % 3], rng.choice([1, 2]))
    taken_at = moment or MOMENTS[number // 4 % len(MOMENTS)]
    photos, last = [], edition.start(setup)
    for table, state in _round_ends(edition, setup, taken_at, rng):
        views = [(seat,) for seat in setup.seats] if single else [tuple(setup.seats)]
        photos += [Taken(table, seats, state.round) for seats in views]
        last = state
    kept = [photo for photo in photos if rng.random() >= MISSING] or photos[-1:]
    return PhotoGame(number, edition.slug, setup, taken_at, single, tuple(kept), *_result(edition, last))


def _round_ends(
    edition: Edition[Any, Any, Any], setup: Setup[Any], moment: str, rng: Random
) -> Iterator[tuple[dict[str, Any], Any]]:
    """The Table that each photo shows, one a round, with the state that the round ends with."""
    policy = play_randomly if rng.random() < CARELESS else play_casually
    state = edition.start(setup)
    table: dict[str, Any] = {}
    early = False
    for move in play_game(edition, setup, policy, rng, MOST_ROUNDS):
        if edition.awaits_chance(state):
            early = moment == "before" or (moment == "either" and rng.random() < 0.5)
        drafting = state.phase not in (FILL, "tile")
        state = edition.apply(state, move)
        if drafting and state.phase == "tile":
            table = edition.format_table(edition.position(state))
        state = edition.settle(state)
        if state.phase in (FILL, OVER):
            yield (table if early else edition.format_table(edition.position(state))), state


def play_casually(edition: Edition[Any, Any, Any], state: Any, rng: Random) -> Any:
    """The best of a few moves that come to mind."""

    def worth(move: Any) -> int:
        own = next(o for o in edition.outlook(edition.position(edition.apply(state, move))) if o.seat == move.seat)
        return (own.score or 0) + own.round_points + own.bonus_points

    choices = list(edition.choices(state))
    return max(rng.sample(choices, min(len(choices), CONSIDERED)), key=worth)


def _result(edition: Edition[Any, Any, Any], state: Any) -> tuple[dict[int, int], bool]:
    result = final(edition, state)
    scores = {seat: points for seat, (points, _) in result.items()} if result else {}
    return scores or dict(zip(state.setup.seats, state.scores, strict=True)), state.phase == OVER
