"""Whose board is which, and which disc is which number: told by where they lie, from one picture to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import dist

import cv2
import numpy as np

from engine.table import MARKER
from vision.pose import Array, transform
from vision.sighting import LooseTile, SeenHeap, SeenSurface, Sighting

Point = tuple[float, float]

SAME_BOARD = 0.5
"""A board is the one that lay there before if it lies no farther off than this share of its own diagonal."""
SAME_TABLE = 0.06
"""Boards lie as before, only seen from elsewhere, if one homography brings their corners this near, of a diagonal."""
SAME_DISC = 0.25
"""The same for discs, as a share of the diagonal of the first board."""


@dataclass(frozen=True)
class Places:
    """Where boards and discs lay when they were last seen, in pixels."""

    boards: Mapping[int, Point]
    discs: Mapping[int, Point]
    corners: Mapping[int, Array] = field(default_factory=dict)
    """Of the boards, as their owners see them; four points each."""
    tiles: Mapping[int, tuple[Point, ...]] = field(default_factory=dict)
    """By disc where its tiles lay."""


@dataclass(frozen=True)
class Near:
    """A tile near a disc, with the logarithms of how likely it lies there as one of the disc's, or of the middle's."""

    tile: LooseTile
    held: float
    free: float


@dataclass(frozen=True)
class Seen:
    """A sighting whose boards have their seats and whose discs have their numbers; what is out of view is missing."""

    boards: Mapping[int, SeenSurface]
    discs: Mapping[int, SeenHeap]
    centre: tuple[LooseTile, ...] | None = None
    near: Mapping[int, tuple[Near, ...]] = field(default_factory=dict)
    """By disc the tiles that may lie on it, or in the middle."""
    loose: tuple[LooseTile, ...] | None = None
    """The tiles that lie in the middle for certain; None where it is out of view."""
    others: tuple[SeenSurface, ...] = ()
    """The other surfaces of seats, and those that belong to all."""
    heaps: Mapping[tuple[int, str], SeenHeap] = field(default_factory=dict)
    """The heaps of seats, and others of which there is one, by seat and name."""

    @property
    def surfaces(self) -> tuple[SeenSurface, ...]:
        """Every surface that is in view."""
        return (*self.boards.values(), *self.others)

    def reseated(self, seats: Mapping[int, int]) -> Seen:
        """The same sighting with boards that belong to other seats, by the seat that they had."""
        boards = {seats[seat]: board.seated(seats) for seat, board in self.boards.items()}
        others = tuple(each.seated(seats) for each in self.others)
        heaps = {(seats.get(seat, seat), name): heap for (seat, name), heap in self.heaps.items()}
        return replace(self, boards=dict(sorted(boards.items())), others=others, heaps=heaps)

    @property
    def tiles(self) -> tuple[LooseTile, ...]:
        """Every piece on discs and in the middle."""
        return (*(tile for disc in self.discs.values() for tile in disc.tiles), *(self.centre or ()))

    def of(self, sighting: Sighting) -> Sighting:
        """The sighting itself with the seats of the game, and its discs in the order of their numbers."""
        return replace(
            sighting,
            boards=tuple(self.boards.values()),
            others=self.others,
            discs=tuple(self.discs.values()),
            centre=self.centre,
            heaps=tuple(self.heaps.values()),
        )

    def is_whole(self, players: int, discs: int | None) -> bool:
        """Whether all of the table is in view."""
        return len(self.boards) == players and discs in (None, len(self.discs)) and self.centre is not None


def seat_all(sighting: Sighting, players: int, discs: int | None) -> Seen | None:
    """Everybody at the first look: seats and discs as vision numbers them; None unless every board is there.

    Of more discs than are used the surest are kept; with None there may be any number of them.
    """
    if len(sighting.boards) != players:
        return None
    surest = sorted(sighting.discs, key=lambda disc: -disc.sure)[:discs]
    kept = [disc for disc in sighting.discs if disc in surest]
    return _seen(sighting, {board.seat: board for board in sighting.boards}, dict(enumerate(kept, 1)))


def seat_again(sighting: Sighting, places: Places, discs: int | None) -> Seen:
    """Boards and discs matched with where they lay before; a disc at a new place takes a number that was never seen.

    Where there may be any number of discs (None), they come and go, and are numbered as vision does.
    """
    if not sighting.boards:
        return Seen({}, {})
    diagonal = max(_diagonal(board) for board in sighting.boards)
    boards = matched(
        {i: middle_of(board) for i, board in enumerate(sighting.boards)}, places.boards, SAME_BOARD * diagonal
    )
    seated = {seat: sighting.boards[i] for i, seat in boards.items()}
    if discs is None:
        return _seen(sighting, seated, dict(enumerate(sighting.discs, 1)))
    found = matched({i: disc.centre_px for i, disc in enumerate(sighting.discs)}, places.discs, SAME_DISC * diagonal)
    new = [i for i in range(len(sighting.discs)) if i not in found]
    new.sort(key=lambda i: -sighting.discs[i].sure)
    free = [number for number in range(1, discs + 1) if number not in places.discs]
    found |= dict(zip(new, free, strict=False))
    return _seen(sighting, seated, {number: sighting.discs[i] for i, number in found.items()})


def carried(sighting: Sighting, places: Places) -> Places:
    """Where everything has to be in a picture that was taken from elsewhere, such as the next photo of a phone.

    The table is flat, so where all boards are in view their corners tell how the view changed. A table may look much
    the same from two sides; then the view is taken that changed least. What fits no view stays where it was.
    """
    seats, found = [*places.corners], [np.asarray(board.located.corners_px, float) for board in sighting.boards]
    if len(found) != len(seats) or len(seats) < 2:
        return places
    diagonal = max(_diagonal(board) for board in sighting.boards)
    before = np.concatenate([places.corners[seat] for seat in seats])
    views = []
    for order in permutations(range(len(found))):
        after = np.concatenate([found[i] for i in order])
        view = np.asarray(cv2.findHomography(before, after)[0], float)
        if view.shape == (3, 3) and _apart(transform(view, before), after) <= SAME_TABLE * diagonal:
            views.append((_apart(before, after), view))
    if not views:
        return places
    _, view = min(views, key=lambda each: each[0])

    def seen(points: Mapping[int, Point]) -> dict[int, Point]:
        moved = transform(view, np.array([*points.values()], float)) if points else ()
        return {name: (float(x), float(y)) for name, (x, y) in zip(points, moved, strict=True)}

    corners = {seat: transform(view, each) for seat, each in places.corners.items()}
    return Places(seen(places.boards), seen(places.discs), corners)


def places_of(seen: Seen, before: Places | None = None) -> Places:
    """Where everything lies now, or lay when it was last in view."""
    old = before or Places({}, {})
    return Places(
        {**old.boards, **{seat: middle_of(board) for seat, board in seen.boards.items()}},
        {**old.discs, **{number: disc.centre_px for number, disc in seen.discs.items()}},
        {**old.corners, **{seat: np.asarray(board.located.corners_px, float) for seat, board in seen.boards.items()}},
        old.tiles,
    )


def middle_of(board: SeenSurface) -> Point:
    """The middle of a board in pixels."""
    x, y = np.mean(board.located.corners_px, axis=0)
    return float(x), float(y)


def _diagonal(board: SeenSurface) -> float:
    corners = board.located.corners_px
    return float(np.linalg.norm(corners[2] - corners[0]))


def _apart(some: Array, others: Array) -> float:
    """How far points are from others, as a rule."""
    return float(np.sqrt(((some - others) ** 2).sum(axis=1).mean()))


def matched(found: Mapping[int, Point], known: Mapping[int, Point], reach: float) -> dict[int, int]:
    """Nearest first, each once: by the index of what was found, the name of what lay there."""
    pairs = sorted((dist(place, old), i, name) for i, place in found.items() for name, old in known.items())
    matched: dict[int, int] = {}
    for away, i, name in pairs:
        if away <= reach and i not in matched and name not in matched.values():
            matched[i] = name
    return matched


def _seen(sighting: Sighting, boards: Mapping[int, SeenSurface], discs: Mapping[int, SeenHeap]) -> Seen:
    """The marker belongs to the middle even where it lies on a disc, and so do tiles on what is no disc."""
    held = {
        number: replace(disc, tiles=tuple(t for t in disc.tiles if not is_marker(t))) for number, disc in discs.items()
    }
    used = [disc.centre_px for disc in discs.values()]
    strays = [tile for disc in sighting.discs for tile in disc.tiles if disc.centre_px not in used or is_marker(tile)]
    centre = None if sighting.centre is None else (*sighting.centre, *strays)
    seats = {board.seat: seat for seat, board in boards.items()}
    others = tuple(each.seated(seats) for each in sighting.others)
    heaps = {(seats.get(heap.seat, heap.seat), heap.name): heap for heap in sighting.heaps}
    own = {seat: board.seated(seats) for seat, board in boards.items()}
    return Seen(dict(sorted(own.items())), dict(sorted(held.items())), centre, others=others, heaps=heaps)


def is_marker(tile: LooseTile) -> bool:
    """Whether a loose piece is the first player's marker rather than a tile."""
    return max(tile.reads, key=tile.reads.__getitem__) == MARKER
