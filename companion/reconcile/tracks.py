"""The numbers that marks on tracks tell: one track tells a number, or several tell its digits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.reconcile.sense import FITS, normal
from engine import Layout
from engine.layout import Track
from engine.table import UNSEEN
from vision.sighting import Mark, Reads, SeenSurface

CERTAIN_NUMBER = 0.95
"""A number less likely than this is a doubt."""
WORTH_SAYING = 0.01
"""Readings less likely than this are not listed."""
MOST_TOLD = 240
"""No score of any edition is known to be higher."""
SCORE = "score"
TRIED = 9
"""Of the numbers that a hidden mark may tell, one in so many is tried."""


def track_scores(seen: SeenSurface, layout: Layout) -> dict[str, float]:
    """Scores by their chances, as the tracks of a seat's own board tell them."""
    return told_numbers(seen.tracks, seen.seat, SCORE, layout)


def told_numbers(marks: Mapping[Mark, Reads], seat: int, name: str, layout: Layout) -> dict[str, float]:
    """What a number of a seat may be, by its chances."""
    tracks = tracks_telling(name, layout)
    if any((seat, track.name) not in marks for track in tracks):
        return {UNSEEN: 1.0}
    numbers: dict[str, float] = {"0": 1.0}
    for track in tracks:
        reads = marks[seat, track.name]
        told: dict[str, float] = {UNSEEN: 1 - (1 - numbers.get(UNSEEN, 0.0)) * (1 - reads[UNSEEN])}
        for number, chance in numbers.items():
            for cell, each in reads.items():
                if UNSEEN not in (number, cell):
                    sum_ = str(int(number) + track.worth * int(cell))
                    told[sum_] = told.get(sum_, 0.0) + chance * each
        numbers = told
    return numbers


def tracks_telling(name: str, layout: Layout) -> list[Track]:
    """The tracks that tell a number, the highest digit first."""
    return sorted((track for track in layout.tracks if track.tells == name), key=lambda each: -each.worth)


def settled(
    numbers: Mapping[str, float], tracks: list[Track], is_possible: Callable[[int], bool]
) -> tuple[int | None, Reads]:
    """The likeliest number, None where none can be told, and all chances, weighed by what else lies there.

    A mark may have gone round its track more than once: where several laps are possible, each is as likely.
    """
    likely = {number: chance for number, chance in numbers.items() if chance >= WORTH_SAYING}
    weighed = dict(numbers)
    if len(likely) > 1:
        weighed = normal({n: c * _fitting(n, tracks, is_possible) for n, c in likely.items()})
    best = max(weighed, key=weighed.__getitem__)
    if best == UNSEEN:
        return None, weighed
    laps = [number for number in laps_of(int(best), tracks) if is_possible(number)] or [int(best)]
    chance = weighed.pop(best)
    return laps[0], {**weighed, **{str(number): chance / len(laps) for number in laps}}


def _fitting(number: str, tracks: list[Track], is_possible: Callable[[int], bool]) -> float:
    """How well a number fits what else lies there; a mark that is not seen fits as numbers do on average."""
    numbers = [*_shown_by(tracks)][::TRIED] if number == UNSEEN else [int(number)]
    fits = [any(map(is_possible, laps_of(each, tracks))) for each in numbers]
    return 1 + (FITS - 1) * sum(fits) / len(fits)


def _shown_by(tracks: list[Track]) -> Iterable[int]:
    """Every number that marks may show."""
    return range(10 * max(track.worth for track in tracks)) if len(tracks) > 1 else tracks[0].numbers


def laps_of(shown: int, tracks: list[Track]) -> list[int]:
    """Every number that marks which show this one may tell: they begin anew after a lap, or after their last digit."""
    if len(tracks) > 1:
        return list(range(shown, MOST_TOLD + 1, 10 * max(track.worth for track in tracks)))
    (track,) = tracks
    lap = track.lap or MOST_TOLD + 1
    return [number for number in range(shown, MOST_TOLD + 1, lap) if track.cell_of(number) == track.cell_of(shown)]


def digits_of(number: int, tracks: list[Track]) -> dict[str, int]:
    """What each of several tracks shows of a number; nothing where a single one shows all of it."""
    return {track.name: number // track.worth % 10 for track in tracks} if len(tracks) > 1 else {}
