"""Whose marks stand on a track that all share: print on the seats' boards tells the kind of each seat's marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import prod

from vision.cells import UNSEEN
from vision.sighting import Reads

LEAST = 1e-6
"""No print is so clear that it could not be another."""
AT_TABLE, IN_VIEW = 0.1, 0.02
"""How much less often no mark is seen of a seat whose board is in the picture than of any kind: networks are taught on
tables of two, three and four, where every fourth mark is out of play. Of 352 marks on own tables one was hidden where
all else on the board with the track was in view."""


def owned(owners: Mapping[int, Reads], kinds: Sequence[str]) -> dict[int, dict[str, float]]:
    """How likely each kind of marks is each seat's: no two seats have the same."""
    seats = [*owners]
    shares: dict[int, dict[str, float]] = {seat: dict.fromkeys(kinds, 0.0) for seat in seats}
    total = 0.0
    for chosen in permutations(kinds, len(seats)):
        weight = prod(_fits(owners[seat], kind, kinds) for seat, kind in zip(seats, chosen, strict=True))
        total += weight
        for seat, kind in zip(seats, chosen, strict=True):
            shares[seat][kind] += weight
    return {seat: {kind: weight / total for kind, weight in own.items()} for seat, own in shares.items()}


def _fits(owner: Reads, kind: str, kinds: Sequence[str]) -> float:
    return max(LEAST, owner.get(kind, 0.0) + owner.get(UNSEEN, 0.0) / len(kinds))


def marks_of_seats(
    owners: Mapping[int, Reads], tracks: Mapping[tuple[str, str], Reads], in_view: bool = False
) -> Iterator[tuple[tuple[int, str], Reads]]:
    """Where each seat's mark stands on each track, by where the marks of each kind do.

    `in_view` says that all else on the board with the tracks is seen, so that hardly anything hides a mark.
    """
    unseen = IN_VIEW if in_view else AT_TABLE
    for name in dict.fromkeys(name for name, _ in tracks):
        told = {kind: reads for (track, kind), reads in tracks.items() if track == name}
        if len(owners) > len(told):
            return
        for seat, shares in owned(owners, [*told]).items():
            numbers = next(iter(told.values()))
            reads = {n: sum(shares[kind] * told[kind][n] for kind in told) for n in numbers}
            yield (seat, name), _at_table(reads, unseen)


def _at_table(reads: Reads, unseen: float) -> Reads:
    """Where the mark of a seat stands that is at the table: it is not out of play, though something may hide it."""
    weighed = {number: chance * (unseen if number == UNSEEN else 1.0) for number, chance in reads.items()}
    total = sum(weighed.values())
    return {number: chance / total for number, chance in weighed.items()}
