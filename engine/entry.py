"""How people tell what they did: what they touch in a move, and what they draw by chance.

A page asks for a move by what is touched, one thing after the other, and so knows no game: it lists the moves that are
possible and narrows them down. Whatever is drawn by chance is told heap by heap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.table import Kinds, kinds_of
from engine.text import Text


@dataclass(frozen=True, slots=True)
class Touch:
    """A thing that is touched: a kind of piece in a heap, or a place; with seat 0 it belongs to all."""

    seat: int
    place: str
    kind: str = ""
    """Empty where the place itself is meant."""


@dataclass(frozen=True, slots=True)
class Act:
    """A part of a move: what is done, and what is touched, in any order."""

    does: Text
    """Such as "Take"; acts with the same words are choices of one question."""
    touches: tuple[Touch, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """Pieces that chance is to bring to a place: how many, and out of what."""

    place: str
    count: int
    pool: Kinds
    """All draws out of equal pools share one pool."""


def touched(seat: int, place: str, kinds: Iterable[str]) -> tuple[Touch, ...]:
    """The touches of several pieces of one heap."""
    return tuple(Touch(seat, place, kind) for kind in kinds)


def filling(names: Iterable[str], count: int, first: Iterable[str], then: Iterable[str]) -> tuple[Draw, ...]:
    """The same number of pieces for each of these heaps, as far as a bag and what is poured into it afterwards go."""
    bag, lid = kinds_of(first), kinds_of(then)
    names, draws = tuple(names), []
    pool = bag if len(names) * count <= len(bag) else kinds_of((*bag, *lid))
    left = len(bag) + len(lid)
    for name in names:
        draws.append(Draw(name, min(count, left), pool))
        left -= draws[-1].count
    return tuple(draws)
