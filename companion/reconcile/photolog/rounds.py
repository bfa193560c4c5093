"""In which round each photo was taken, by all boards together: at one table everybody plays the same rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log, prod

from companion.reconcile.photolog.gaps import Moment
from companion.reconcile.photolog.passage import Passage
from companion.reconcile.photolog.seat import SeatChain
from engine import Stretches

DUE, DONE, TAKING = 0.5, 0.05, 1e-3
"""How often a board is a round behind the one that is farthest: with something due, with nothing due, and while there
is something left to be taken."""
FAR_BEHIND = 1e-4
"""Each further round that it is behind."""
BEAM = 60


@dataclass(frozen=True)
class Tick:
    """A look at a seat's board: how many rounds may have been scored since the look before."""

    seat: int
    rounds: Mapping[int, float]
    behind: float
    """How likely it is that others were scored in a round in which it was not yet."""
    anybodys: bool = False
    """Whether nothing tells whose board it is: then rounds are counted from the start of the game."""


@dataclass(frozen=True)
class _Way:
    """A way to count the rounds so far, by the seats, and what that was at each photo."""

    worth: float = 0.0
    rounds: tuple[tuple[int, int], ...] = ()
    told: tuple[Mapping[int, int], ...] = ()
    most: int = 0
    """The rounds of the board that is farthest."""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells how it can go on."""
        return self.rounds, self.most

    def grown(self, ticks: Sequence[Tick], passed: Sequence[int]) -> _Way:
        rounds = dict(self.rounds)
        here = {tick.seat: rounds.get(tick.seat, 0) + more for tick, more in zip(ticks, passed, strict=True)}
        rounds |= {tick.seat: here[tick.seat] for tick in ticks if not tick.anybodys}
        most = max(self.most, *here.values(), 0)
        chances = (
            tick.rounds[more] * _lag(most - here[tick.seat], tick.behind)
            for tick, more in zip(ticks, passed, strict=True)
        )
        return _Way(self.worth + log(prod(chances)), tuple(sorted(rounds.items())), (*self.told, here), most)


def _lag(rounds: int, behind: float) -> float:
    return behind * FAR_BEHIND ** (rounds - 1) if rounds else 1.0


def agree(photos: Sequence[Sequence[Tick]]) -> tuple[Mapping[int, int], ...]:
    """For each photo the rounds that the boards in view were scored in so far, as is likeliest for all together."""
    ways = [_Way()]
    for ticks in photos:
        best: dict[tuple[object, ...], _Way] = {}
        for way in ways:
            for passed in product(*(tick.rounds for tick in ticks)):
                grown = way.grown(ticks, passed)
                if grown.key not in best or grown.worth > best[grown.key].worth:
                    best[grown.key] = grown
        ways = sorted(best.values(), key=lambda way: -way.worth)[:BEAM]
    return ways[0].told


def ticks_of(
    chains: Mapping[int, SeatChain],
    passed: Mapping[int, Sequence[Passage]],
    moments: Sequence[Moment],
    rules: Stretches,
) -> Iterator[list[Tick]]:
    """What each photo says about the rounds of the boards that it shows."""
    for number, moment in enumerate(moments):
        yield [
            Tick(seat, passage.rounds(), _behind(passage, moment, rules), look.anybodys)
            for seat, chain in chains.items()
            for look, passage in zip(chain.looks, passed[seat], strict=True)
            if look.photo == number
        ]


def _behind(passage: Passage, moment: Moment, rules: Stretches) -> float:
    if moment.left:
        return TAKING
    return DUE if rules.is_due(passage.after) else DONE
