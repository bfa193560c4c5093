"""How far a game may be where a table is seen again after a while, and nobody saw the moves in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

UNLIKELY = 0.3
"""Each move more than there must have been makes a number of moves so many times as likely."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """One way in which a game may stand: what a correction of the table sets besides pieces."""

    numbers: Mapping[str, str | int]
    """Phase, round, turn, marker and the like, in the order in which a correction sets them."""
    weight: float = 1.0
    """How likely it is, compared with the other ways."""
    missed: int = 0
    """How many moves were missed, about."""


def turns(
    first: int, players: int, moves_of: Sequence[tuple[int, int]], least: int, most: int
) -> Iterator[tuple[int, int, float]]:
    """Whose turn it may be: the seat, how many moves were made, and how likely that is.

    Seats move in turn, beginning with `first`. `moves_of` holds the fewest and the most moves of each seat, by what
    came to its board; `least` and `most` bound the moves of all.
    """
    found = [count for count in range(least, most + 1) if _fits(first, players, moves_of, count)]
    for count in found:
        yield (first - 1 + count) % players + 1, count, UNLIKELY ** (count - found[0])


def _fits(first: int, players: int, moves_of: Sequence[tuple[int, int]], count: int) -> bool:
    for seat, (fewest, most) in enumerate(moves_of, 1):
        before = (seat - first) % players
        own = max(0, -(-(count - before) // players))
        if not fewest <= own <= most:
            return False
    return True
