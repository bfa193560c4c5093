"""The photos of a game put in order, and whose board is which: by the camera's clock, or by what explains them best.

Walls only fill, so they tell both: which photo came later, and which board of one photo is which of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import log

from companion.reconcile.looks import Look, Snapshot
from vision.cells import EMPTY, UNSEEN

KEPT = 1e-4
"""A tile that lay on a wall is still there, save so often."""
NEW_TILE = -0.4
"""What each new wall tile costs, so that of several boards that fit the nearest is taken."""
OTHER_LINE = -3.0
SCORE_STEP = -0.02
SCORE_DROP = -2.0
MOST_DROP = 14
AS_NUMBERED = 2.0
"""What it is worth that the boards of a photo keep the numbers that the picture gives them."""
LONG_UNSEEN = 0.5
"""What it is worth that of boards that fit alike the one is shown that was not seen for longest."""
BEAM = 30
BACKWARDS = 0.7
"""Walls that lose more tiles than this from one photo to the next show that the clocks are wrong."""

Seating = tuple[int, ...]
"""The seat of each board of a photo."""


@dataclass(frozen=True)
class Arranged:
    """A photo in its place, with the seat of each of its boards."""

    snapshot: Snapshot
    seats: Seating

    def looks(self) -> dict[int, Look]:
        """Its boards by their seats."""
        return dict(zip(self.seats, self.snapshot.boards, strict=True))


@dataclass(frozen=True)
class _Track:
    """A way to seat the boards of the photos so far."""

    worth: float
    seatings: tuple[Seating, ...] = ()
    last: Mapping[int, tuple[int, Mapping[str, str], int | None]] | None = None
    """For each seat that was seen: at which photo, with which letters and score."""


def in_order(snapshots: Sequence[Snapshot]) -> tuple[list[Snapshot], str]:
    """The photos in order, and how it is known: `time` or `walls`."""
    by_walls = sorted(snapshots, key=lambda shot: (*_progress(shot), shot.taken_at or "", shot.name))
    if any(shot.taken_at is None for shot in snapshots):
        return by_walls, "walls"
    by_time = sorted(snapshots, key=lambda shot: (str(shot.taken_at), *_progress(shot), shot.name))
    whole = [shot for shot in by_time if len(shot.boards) == max(len(other.boards) for other in snapshots)]
    wrong = any(_progress(late)[0] < _progress(early)[0] - BACKWARDS for early, late in pairwise(whole))
    return (by_walls, "walls") if wrong and len(whole[0].boards) > 1 else (by_time, "time")


def _progress(shot: Snapshot) -> tuple[float, float]:
    """How far a game is: tiles on walls, then tiles elsewhere on boards, for each board that is seen."""
    counts = {"wall": 0.0, "line": 0.0, "floor": 0.0}
    for look in shot.boards:
        for cell, reads in look.cells.items():
            counts[cell.split(".")[0]] += 1 - reads.get(EMPTY, 0.0) - reads.get(UNSEEN, 0.0)
    boards = max(len(shot.boards), 1)
    return round(counts["wall"] / boards, 1), round((counts["line"] + counts["floor"]) / boards, 1)


def seat_boards(snapshots: Sequence[Snapshot], players: int, hints: Mapping[str, int] | None = None) -> list[Arranged]:
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


def _grown(track: _Track, number: int, shot: Snapshot, seating: Seating, players: int) -> _Track:
    last = dict(track.last or {})
    worth = track.worth
    if len(seating) == players and seating == tuple(range(1, players + 1)):
        worth += AS_NUMBERED
    for seat, look in zip(seating, shot.boards, strict=True):
        seen, old, score = last.get(seat, (-1, {}, 0))
        now = _letters(look)
        shown = max(look.scores, key=look.scores.__getitem__, default=None)
        worth += _fit(old, score, look, now, shown) + LONG_UNSEEN * min(number - seen, players) / players
        last[seat] = (number, now, shown)
    return _Track(worth, (*track.seatings, seating), last)


def _letters(look: Look) -> dict[str, str]:
    return {cell: max(reads, key=reads.__getitem__) for cell, reads in look.cells.items()}


def _fit(old: Mapping[str, str], score: int | None, look: Look, now: Mapping[str, str], shown: int | None) -> float:
    """How well a board follows from how it was last seen."""
    worth, grown = 0.0, set()
    for cell, reads in look.cells.items():
        before = old.get(cell, EMPTY)
        if not cell.startswith("wall") or before == UNSEEN:
            continue
        if before != EMPTY:
            worth += log(max(reads.get(before, 0.0) + reads.get(UNSEEN, 0.0), KEPT))
        elif now[cell] not in (EMPTY, UNSEEN):
            worth += NEW_TILE
            grown.add((cell.split(".")[1], now[cell]))
    for row in map(str, range(1, 6)):
        held = {old[cell] for cell in old if cell.startswith(f"line.{row}.")} - {EMPTY, UNSEEN}
        line = {now[cell] for cell in now if cell.startswith(f"line.{row}.")} - {EMPTY, UNSEEN}
        colours = {colour for at, colour in grown if at == row}
        if held and not held & (colours or line):
            worth += OTHER_LINE
    if score is not None and shown is not None:
        worth += SCORE_STEP * abs(shown - score) + (SCORE_DROP if shown < score - MOST_DROP else 0.0)
    return worth
