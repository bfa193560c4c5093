"""What lies on a table, in the words of every edition: cells, tracks and heaps of each seat and of all.

This is the one value between what a camera sees and what a rule names. An edition says how its states look in it; JSON
of it is read and written by the edition too, at the edges only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn, TypeVar

from engine.errors import TableError
from engine.layout import CARD as CARD
from engine.layout import Layout

EMPTY, UNSEEN = ".", "?"
MARKER = "1"
"""The first player's marker, as a kind of piece."""
ALL = 0
"""The seat of what belongs to all."""
Kinds = tuple[str, ...]
"""The kinds of pieces in a heap, sorted; `?` for one that could not be told."""

V = TypeVar("V")


class Frozen(dict[str, V]):
    """A dictionary that never changes and can be a key."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a frozen mapping cannot be changed; make another one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


@dataclass(frozen=True)
class Part:
    """What of a table belongs to one seat, or with seat 0 to all; what is out of view is missing or `?`."""

    seat: int
    side: str = ""
    """The side of the seat's boards that lies up."""
    cells: Frozen[str] = field(default_factory=Frozen)
    """The kind of piece in each cell, `.` for none."""
    tracks: Frozen[int | None] = field(default_factory=Frozen)
    """The number that each track tells; None where it cannot be told."""
    heaps: Frozen[Kinds] = field(default_factory=Frozen)
    """The pieces that lie together in no order."""
    unseated: tuple[str, ...] = ()
    """The cells whose piece does not lie in them as it should."""

    @cached_property
    def numbered(self) -> dict[str, dict[int, Kinds]]:
        """The heaps of which there are several, by their common name and their number."""
        found: dict[str, dict[int, Kinds]] = {}
        for name, kinds in self.heaps.items():
            common, _, number = name.partition(".")
            if number.isdigit():
                found.setdefault(common, {})[int(number)] = kinds
        return found

    @cached_property
    def _hash(self) -> int:
        return hash((self.seat, self.side, self.cells, self.tracks, self.heaps, self.unseated))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Table:
    """What lies on a table, part by part; parts that are out of view are missing."""

    edition: str
    side: str
    parts: tuple[Part, ...]
    """That of all first, if anything of it is in view, then the seats."""
    options: Frozen[object] = field(default_factory=Frozen)
    """What is known besides, since it is printed on the owner's boards or agreed on."""

    def part(self, seat: int) -> Part:
        """The part of a seat; an empty one where nothing of it is in view."""
        return next((part for part in self.parts if part.seat == seat), None) or Part(seat, self.side)

    @cached_property
    def boards(self) -> tuple[Part, ...]:
        """The parts of the seats that are in view."""
        return tuple(part for part in self.parts if part.seat != ALL)

    @cached_property
    def common(self) -> Part:
        """What belongs to all."""
        return self.part(ALL)

    def items(self) -> Iterator[tuple[int, str, str]]:
        """Every cell as seat, name and kind."""
        for part in self.parts:
            yield from ((part.seat, name, kind) for name, kind in part.cells.items())


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed in a cell: a letter or number, and the kind of piece whose colour it has."""

    label: str
    kind: str = ""
    counts: bool = False
    """Whether it counts like a piece that lies there."""


def written(kinds: Iterable[str]) -> str:
    """A heap as a correction tells it: letters one after the other, longer names apart."""
    each = kinds_of(kinds)
    return ("" if all(len(kind) == 1 for kind in each) else " ").join(each)


@dataclass(frozen=True)
class Way:
    """One of several things that some cells of a seat may show while hands are at work on them."""

    cells: Frozen[str]
    ahead: bool = False
    """Whether hands are then ahead of what the rules and a record say."""


Ways = tuple[tuple[Way, ...], ...]
"""Groups of cells that are worked on independently, each with the ways in which it may lie there."""


def card_of(kind: str) -> tuple[str, str] | None:
    """What a card prints and the direction in which that points, each empty where the kind does not tell it.

    None for a kind that is no card.
    """
    card, _, shown = kind.partition(":")
    printed, _, direction = shown.partition("@")
    return (printed, direction) if card == CARD else None


def kinds_of(kinds: Iterable[str]) -> Kinds:
    """The pieces of a heap in the order in which heaps are kept."""
    return tuple(sorted(kinds))


def run_cells(name: str, kinds: str) -> Iterator[tuple[str, str]]:
    """A run of letters as cells: `name.1`, `name.2` and so on."""
    return ((f"{name}.{i}", kind) for i, kind in enumerate(kinds, 1))


def run_of(cells: Mapping[str, str], name: str, count: int) -> str:
    """The letters of a run of cells; `?` for one that is missing."""
    return "".join(cells.get(f"{name}.{i}", UNSEEN) for i in range(1, count + 1))


def tracks_telling(layout: Layout, name: str, number: int) -> Frozen[int | None]:
    """The tracks as they stand where they tell a number: the number itself, and its digits where they have tracks."""
    digits = {track.name: number // track.worth % 10 for track in layout.tracks if track.tells == name != track.name}
    return Frozen({name: number, **digits})


def check_table(table: Table, layout: Layout) -> Table:
    """The table itself, if the layout has all its cells and tracks; otherwise an error says what is unknown."""
    known = {cell.name for cell in layout}
    tracks = {name for track in layout.tracks for name in (track.name, track.tells)}
    tracks |= {*layout.numbers}
    for part in table.parts:
        for kind, names, there in (("cell", part.cells, known), ("track", part.tracks, tracks)):
            if unknown := [name for name in names if name not in there]:
                raise TableError(f"{table.edition} has no {kind} called {unknown[0]!r}")
    return table
