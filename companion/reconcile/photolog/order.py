"""The photos of a game put in order, and whose board is which: by the camera's clock, or by what explains them best.

Cells that keep what was laid there tell both: which photo came later, and which board of one photo is which of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log
from typing import Any

from companion.reconcile.photolog.gaps import stretches_of
from companion.reconcile.photolog.looks import Look, PhotoReading, kept_cells
from companion.reconcile.photolog.scale import scale_of
from engine import Edition, Part, load
from engine.table import EMPTY, UNSEEN, Frozen

KEPT = 1e-4
"""A piece that stays where it was laid is still there, save so often."""
NEW_PIECE = -0.4
"""What each new one costs, so that of several boards that fit the nearest is taken."""
STRANGE = -3.0
SCORE_STEP = -0.02
SCORE_DROP = -2.0
MOST_DROP = 14
"""Scores hardly ever fall by more."""
AS_NUMBERED = 2.0
"""What it is worth that the boards of a photo keep the numbers that the picture gives them."""
LONG_UNSEEN = 0.5
"""What it is worth that of boards that fit alike the one is shown that was not seen for longest."""
BEAM = 30
BACKWARDS = 0.7
"""Boards that lose more pieces than this from one photo to the next show that the clocks are wrong."""

Seating = tuple[int, ...]
"""The seat of each board of a photo."""


@dataclass(frozen=True)
class Arranged:
    """A photo in its place, with the seat of each of its boards."""

    snapshot: PhotoReading
    seats: Seating

    def looks(self) -> dict[int, Look]:
        """Its boards by their seats."""
        return dict(zip(self.seats, self.snapshot.boards, strict=True))


@dataclass(frozen=True)
class _Track:
    """A way to seat the boards of the photos so far."""

    worth: float
    seatings: tuple[Seating, ...] = ()
    last: Mapping[int, tuple[int, Look]] | None = None
    """For each seat that was seen: at which photo, and how."""


def in_order(snapshots: Sequence[PhotoReading]) -> tuple[list[PhotoReading], str]:
    """The photos in order, and how it is known: `time` or `walls`."""
    by_walls = sorted(snapshots, key=lambda shot: (*_progress(shot), shot.taken_at or "", shot.name))
    if any(shot.taken_at is None for shot in snapshots):
        return by_walls, "walls"
    by_time = sorted(snapshots, key=lambda shot: (str(shot.taken_at), *_progress(shot), shot.name))
    whole = [shot for shot in by_time if len(shot.boards) == max(len(other.boards) for other in snapshots)]
    wrong = any(_progress(late)[0] < _progress(early)[0] - BACKWARDS for early, late in pairwise(whole))
    return (by_walls, "walls") if wrong and len(whole[0].boards) > 1 else (by_time, "time")


def _progress(shot: PhotoReading) -> tuple[float, float]:
    """How far a game is: pieces that stay, then pieces elsewhere on boards, for each board that is seen."""
    kept, stay, others = kept_cells(shot.edition), 0.0, 0.0
    for look in shot.boards:
        for cell, reads in look.cells.items():
            lying = 1 - reads.get(EMPTY, 0.0) - reads.get(UNSEEN, 0.0)
            stay, others = (stay + lying, others) if cell in kept else (stay, others + lying)
    boards = max(len(shot.boards), 1)
    return round(stay / boards, 1), round(others / boards, 1)


def seat_boards(
    snapshots: Sequence[PhotoReading], players: int, hints: Mapping[str, int] | None = None
) -> list[Arranged]:
    """Each board of each photo with its seat; a hint says whose the one board of a photo (by its sha256) is."""
    tracks = [_Track(0.0, (), {})]
    for number, shot in enumerate(snapshots):
        told = (hints or {}).get(shot.sha256)
        grown = [
            _grown(track, number, shot, seating, players)
            for track in tracks
            for seating in _seatings(len(shot.boards), players, told)
        ]
        tracks = sorted(grown, key=lambda track: -track.worth)[:BEAM]
    best = tracks[0].seatings
    return [Arranged(shot, seats) for shot, seats in zip(snapshots, best, strict=True)]


def _seatings(boards: int, players: int, told: int | None) -> Iterator[Seating]:
    """Every way to seat boards that are numbered clockwise: all turned together, some seats perhaps out of view."""
    if boards == 1 and told is not None:
        yield (told,)
        return
    for seats in combinations(range(1, players + 1), boards):
        for turn in range(max(boards, 1)):
            yield seats[turn:] + seats[:turn]


def _grown(track: _Track, number: int, shot: PhotoReading, seating: Seating, players: int) -> _Track:
    last = dict(track.last or {})
    worth = track.worth
    if len(seating) == players and seating == tuple(range(1, players + 1)):
        worth += AS_NUMBERED
    edition = load(shot.edition)
    for seat, look in zip(seating, shot.boards, strict=True):
        seen, before = last.get(seat, (-1, Look(seat, {}, {0: 1.0})))
        worth += _fit(before, look, edition) + _moved(_shown(before), _shown(look), edition)
        worth += LONG_UNSEEN * min(number - seen, players) / players
        last[seat] = (number, look)
    return _Track(worth, (*track.seatings, seating), last)


def _letters(look: Look) -> dict[str, str]:
    return {cell: max(reads, key=reads.__getitem__) for cell, reads in look.cells.items()}


def _shown(look: Look) -> int | None:
    return max(look.scores, key=look.scores.__getitem__, default=None)


def _fit(before: Look, look: Look, edition: Edition[Any, Any]) -> float:
    """How well a board follows from how it was last seen."""
    worth, old, now = 0.0, _letters(before), _letters(look)
    for cell in kept_cells(edition.slug) & look.cells.keys():
        kind, reads = old.get(cell, EMPTY), look.cells[cell]
        if kind not in (EMPTY, UNSEEN):
            there, still = before.cells[cell][kind], reads.get(kind, 0.0) + reads.get(UNSEEN, 0.0)
            worth += log(max(there * still + 1 - there, KEPT))
        elif kind == EMPTY and now[cell] not in (EMPTY, UNSEEN):
            worth += NEW_PIECE
    if old:
        parts = (Part(look.seat, cells=Frozen(cells)) for cells in (old, now))
        worth += STRANGE * stretches_of(edition).strange(*parts)
    return worth


def _moved(before: int | None, after: int | None, edition: Edition[Any, Any]) -> float:
    """How usual it is that a mark goes from one number to another."""
    if before is None or after is None:
        return 0.0
    step = scale_of(edition.slug).step(before, after)
    return SCORE_STEP * abs(step) + (SCORE_DROP if step < -MOST_DROP else 0.0)
