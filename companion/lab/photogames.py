"""Games that are photographed now and then, with what is true of every photo: what photo logs are measured with."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.lab.play import play_game, play_randomly
from companion.reconcile.tracks import SCORE
from engine import OVER, Edition, Setup, Table, load
from engine.record import final
from engine.stretch import pieces_left
from engine.table import Frozen

EDITIONS = ("azul", "azul-mini")
"""What is played where nothing else is asked for."""
MOMENTS = ("after", "before", "either")
"""When photos are taken: after a round is scored, before that, or now so and now so."""
MISSING = 0.1
SEVERAL = (1, 1, 2, 3)
"""How many photos are taken in a round by somebody who takes them often."""
ALONE = 0.4
"""How often such a photo is one of each board, one after the other, instead of one of the table."""
CARELESS = 0.3
"""The share of games in which somebody plays anyhow, so that much is charged for."""
CONSIDERED = 6
"""How many moves come to a player's mind."""
MOST_ROUNDS = 9


@dataclass(frozen=True)
class Taken:
    """One photo: the Table that lies there, and whose boards are in view."""

    table: Table
    seats: tuple[int, ...]
    round: int
    """How many rounds were scored then, on the boards in view that are farthest."""

    turn: int = 0
    """By how many seats the picture's numbers are turned: whoever takes it may stand at another side of the table."""

    @property
    def whose(self) -> dict[int, int]:
        """Whose boards they are, by the numbers that the picture gives them."""
        return dict(enumerate(self.seats[self.turn :] + self.seats[: self.turn], 1))

    @property
    def shown(self) -> Table:
        """What of the Table is in view: what belongs to all only where all boards are."""
        whole = len(self.seats) == len(self.table.boards)
        shared = frozenset() if whole else _on_shared(self.table.edition)
        boards = [
            replace(self.table.part(seat), seat=number, tracks=_without(self.table.part(seat).tracks, shared))
            for number, seat in self.whose.items()
        ]
        return replace(self.table, parts=(*((self.table.common,) if whole else ()), *boards))

    @property
    def scores(self) -> dict[int, int]:
        """The true scores of the boards in view."""
        return {seat: int(self.table.part(seat).tracks[SCORE] or 0) for seat in self.seats}


def _on_shared(edition: str) -> frozenset[str]:
    """What is told by tracks on surfaces that belong to all."""
    layout = load(edition).layout
    return frozenset(track.tells for track in layout.tracks if layout.surface(track.surface).shared)


def _without(tracks: Frozen[int | None], names: Container[str]) -> Frozen[int | None]:
    return Frozen((name, number) for name, number in tracks.items() if name not in names)


@dataclass(frozen=True)
class PhotoGame:
    """A game with the photos that were taken of it."""

    number: int
    edition: str
    setup: Setup[Any]
    moment: str
    single: bool
    """Whether each photo shows one board."""
    often: bool
    """Whether some rounds have several photos, at any moment of them, and some photos show one board."""
    photos: tuple[Taken, ...]
    final: Mapping[int, int]
    """The true scores in the end, bonuses included if the game is over."""
    over: bool


def photo_game(
    number: int,
    seed: int,
    moment: str | None = None,
    single: bool = False,
    often: bool = False,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
) -> PhotoGame:
    """A game by its number: editions, sides, players and habits take turns."""
    rng = Random(f"photo game {seed + number}")
    game = load(edition or EDITIONS[number % 3 // 2])
    setup = game.setup(
        game.sides[number // 2 % len(game.sides)], game.players[number % len(game.players)], rng.choice([1, 2]), options
    )
    taken_at = moment or MOMENTS[number // 4 % len(MOMENTS)]
    photos: list[Taken] = []
    last = game.start(setup)
    for played in _rounds(game, setup, taken_at, rng):
        photos += _often(played, rng) if often else _once(played, single)
        last = played.state
    kept = [photo for photo in photos if rng.random() >= MISSING] or photos[-1:]
    return PhotoGame(number, game.slug, setup, taken_at, single, often, tuple(kept), *_result(game, last))


@dataclass(frozen=True)
class _Round:
    """A round that was played: its Tables before it is scored, the last with all taken, and the one of its end."""

    taking: tuple[Table, ...]
    scored: Table
    early: bool
    """Whether who takes one photo a round takes it before the round is scored."""
    state: Any

    def taken(self, table: Table, seats: tuple[int, ...], done: Container[int], turn: int = 0) -> Taken:
        """A photo of a Table on which the boards of some seats are scored; all are where that changes nothing."""
        is_scored = table == self.scored or any(seat in done for seat in seats)
        return Taken(table, seats, self.state.round - (not is_scored), turn)


_Lying = tuple[Table, tuple[int, ...]]
"""A Table, and the seats whose boards are scored on it."""


def _rounds(edition: Edition[Any, Any], setup: Setup[Any], moment: str, rng: Random) -> Iterator[_Round]:
    policy = play_randomly if rng.random() < CARELESS else play_casually
    state, early = edition.start(setup), False
    taking: list[Table] = []
    for move in play_game(edition, setup, policy, rng, MOST_ROUNDS):
        if is_between_rounds(edition, state):
            early = moment == "before" or (moment == "either" and rng.random() < 0.5)
            taking = []
        state = edition.apply(state, move)
        if not taking or not _is_all_taken(taking[-1], edition):
            taking.append(edition.table(state))
        state = edition.settle(state)
        if state.phase == OVER or is_between_rounds(edition, state):
            yield _Round(tuple(taking), edition.table(state), early, state)


def is_between_rounds(edition: Edition[Any, Any], state: Any) -> bool:
    """Whether what chance brings now opens the next round."""
    if not edition.awaits_chance(state):
        return False
    return bool(edition.apply(state, edition.deal(state, Random(0).sample)).round > state.round)


def _is_all_taken(table: Table, edition: Edition[Any, Any]) -> bool:
    """Whether nothing is left of what was laid out for a round; never where it is not laid out at once."""
    return pieces_left(table.common, edition.layout, len(table.boards)) == 0


def _once(played: _Round, single: bool) -> list[Taken]:
    """One photo of the table, or one of each board."""
    seats = tuple(played.state.setup.seats)
    table, done = played.taking[-1] if played.early else played.scored, () if played.early else seats
    return [played.taken(table, view, done) for view in _views(seats, single)]


def _often(played: _Round, rng: Random) -> Iterator[Taken]:
    """Some photos of a round: while pieces are taken, when all are, while boards are scored, when that is done."""
    seats = tuple(played.state.setup.seats)
    quick = tuple(rng.sample(seats, rng.randint(1, len(seats))))
    stages = sorted(rng.choices(range(4), k=rng.choice(SEVERAL)))
    drafts = sorted(rng.choices(played.taking, k=stages.count(0)), key=played.taking.index)
    ends: list[_Lying] = [(played.taking[-1], ()), (_scored_by(played, quick), quick), (played.scored, seats)]
    lying: list[_Lying] = [(table, ()) for table in drafts]
    for table, done in lying + [ends[stage - 1] for stage in stages if stage]:
        views = _views(seats, rng.random() < ALONE)
        yield from (played.taken(table, view, done, rng.randrange(len(view))) for view in views)


def _scored_by(played: _Round, quick: Container[int]) -> Table:
    """The Table when the boards of some are scored and those of others are not."""
    last = played.taking[-1]
    return replace(last, parts=tuple(played.scored.part(p.seat) if p.seat in quick else p for p in last.parts))


def _views(seats: tuple[int, ...], single: bool) -> list[tuple[int, ...]]:
    return [(seat,) for seat in seats] if single else [seats]


def play_casually(edition: Edition[Any, Any], state: Any, rng: Random) -> Any:
    """The best of a few moves that come to mind."""

    def worth(move: Any) -> int:
        own = next(o for o in edition.outlook(edition.table(edition.apply(state, move))) if o.seat == move.seat)
        return (own.score or 0) + own.round_points + own.bonus_points

    choices = list(edition.choices(state))
    return max(rng.sample(choices, min(len(choices), CONSIDERED)), key=worth)


def _result(edition: Edition[Any, Any], state: Any) -> tuple[dict[int, int], bool]:
    result = final(edition, state)
    scores = {seat: points for seat, (points, _) in result.items()} if result else {}
    return scores or dict(zip(state.setup.seats, state.scores, strict=True)), state.phase == OVER
