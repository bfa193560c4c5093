"""What lies on a table, in the words of every edition: cells, tracks and heaps of each seat and of all.

This is the one value between what a camera sees and what a rule names. An edition says how its states look in it; JSON
of it is read and written by the edition too, at the edges only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from engine.errors import TableError
from engine.layout import Layout

EMPTY, UNSEEN = ".", "?"
MARKER = "1"
"""The first player's marker, as a kind of piece."""
ALL = 0
"""The seat of what belongs to all."""
Kinds = tuple[str, ...]
"""The kinds of pieces in a heap, sorted; `?` for one that could not be told."""

V = TypeVar("V")


class Frozen(Mapping[str, V]):
    """A mapping that never changes and can be a key; its items keep the order in which they came."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._items = dict(items)
        self._hash: int | None = None

    def __getitem__(self, name: str) -> V:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, Frozen) else other)

    def __repr__(self) -> str:
        return repr(self._items)


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
        return next((part for part in self.parts if part.seat == seat), Part(seat, self.side))

    @property
    def boards(self) -> tuple[Part, ...]:
        """The parts of the seats that are in view."""
        return tuple(part for part in self.parts if part.seat != ALL)

    @property
    def common(self) -> Part:
        """What belongs to all."""
        return self.part(ALL)

    def items(self) -> Iterator[tuple[int, str, str]]:
        """Every cell as seat, name and kind."""
        for part in self.parts:
            yield from ((part.seat, name, kind) for name, kind in part.cells.items())


@dataclass(frozen=True)
class Way:
    """One of several things that some cells of a seat may show while hands are at work on them."""

    cells: Frozen[str]
    ahead: bool = False
    """Whether hands are then ahead of what the rules and a record say."""


Ways = tuple[tuple[Way, ...], ...]
"""Groups of cells that are worked on independently, each with the ways in which it may lie there."""


def kinds_of(kinds: Iterable[str]) -> Kinds:
    """The pieces of a heap in the order in which heaps are kept."""
    return tuple(sorted(kinds))


def common_part(side: str, factories: Sequence[str] | None, centre: str | None, marker: bool | None) -> Part:
    """What belongs to all where tiles are drafted from discs and a centre, each told by the letters of its tiles."""
    heaps = {f"factory.{i}": tuple(tiles) for i, tiles in enumerate(factories or (), 1)}
    if centre is not None:
        heaps["centre"] = kinds_of((*centre, *((MARKER,) if marker else ())))
    return Part(ALL, side, heaps=Frozen(heaps))


def drafted_from(part: Part) -> tuple[tuple[str, ...] | None, str | None, bool | None]:
    """Factories, centre, and whether the marker lies there: what `common_part` was made of."""
    discs = tuple("".join(kinds) for name, kinds in part.heaps.items() if name.startswith("factory."))
    centre = part.heaps.get("centre")
    if centre is None:
        return discs or None, None, None
    return discs or None, "".join(kind for kind in centre if kind != MARKER), MARKER in centre


def run_cells(name: str, kinds: str) -> Iterator[tuple[str, str]]:
    """A run of letters as cells: `name.1`, `name.2` and so on."""
    return ((f"{name}.{i}", kind) for i, kind in enumerate(kinds, 1))


def run_of(cells: Mapping[str, str], name: str, count: int) -> str:
    """The letters of a run of cells; `?` for one that is missing."""
    return "".join(cells.get(f"{name}.{i}", UNSEEN) for i in range(1, count + 1))


def score_tracks(score: int | None, sliders: tuple[int, int] | None) -> Frozen[int | None]:
    """The tracks that tell a score: the score itself, and its digits where they stand on sliders."""
    digits = dict(zip(SLIDERS, sliders, strict=True)) if sliders else {}
    return Frozen({"score": score, **digits})


def sliders_in(part: Part) -> tuple[int, int] | None:
    """Tens and units where the score stands on sliders."""
    tens, units = (part.tracks.get(name) for name in SLIDERS)
    return None if tens is None or units is None else (tens, units)


SLIDERS = ("slider.tens", "slider.units")


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
