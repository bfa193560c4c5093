"""Discs have no numbers of their own: they are numbered so that a record can tell a filling.

A record fills discs in their order, and the lid is poured into the bag only once that is empty. People fill discs in
whatever order they like. So when the bag runs out in the middle of a filling, discs are numbered anew, by what lies on
them: all of them were empty before, so nothing depends on their old numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from companion.reconcile.places import Places
from engine.drafting import DISC_TILES
from engine.tiles import split_refill


def order_of_refill(bag: str, lid: str, discs: Sequence[str]) -> tuple[int, ...] | None:
    """Indexes of discs in an order in which bag and lid can have filled them; None where there is no such order."""
    for order in _orders(Counter(bag), discs):
        filled = [discs[i] for i in order]
        # The last discs stay empty where there are not enough tiles.
        if filled == sorted(filled, key=len, reverse=True) and not split_refill(bag, lid, filled)[2]:
            return order
    return None


def _orders(bag: Counter[str], discs: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The order as it is; then those in which the first discs took all of the bag, the last of them perhaps in part."""
    everything = range(len(discs))
    yield tuple(everything)
    whole, part = divmod(bag.total(), DISC_TILES)
    for first in combinations(everything, whole):
        rest = bag.copy()
        rest.subtract("".join(discs[i] for i in first))
        if min(rest.values(), default=0) < 0:
            continue
        others = sorted((i for i in everything if i not in first), key=lambda i: -len(discs[i]))
        for mixed in others if part else others[:1]:
            if rest <= Counter(discs[mixed]):
                yield (*first, mixed, *(i for i in others if i != mixed))


def renumbered(places: Places, order: Sequence[int]) -> Places:
    """The places of discs with their numbers in this order."""
    number = {old + 1: new for new, old in enumerate(order, 1)}
    return replace(
        places,
        discs={number[old]: place for old, place in places.discs.items()},
        tiles={number[old]: tiles for old, tiles in places.tiles.items()},
    )


def fillings(guesses: Sequence[Sequence[tuple[str, float]]]) -> Iterator[list[str]]:
    """What may lie on the discs: the likeliest of all, then one of them otherwise."""
    first = [disc[0][0] for disc in guesses]
    yield first
    for i, disc in enumerate(guesses):
        yield from ([*first[:i], other, *first[i + 1 :]] for other, _ in disc[1:])


def runs_out(state: Any) -> bool:
    """Whether the bag runs out in the next filling."""
    return len(state.bag) < DISC_TILES * len(state.factories)
