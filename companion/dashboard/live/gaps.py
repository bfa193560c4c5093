"""Points of stretches in which moves were missed: how many they can be, and what they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.dashboard.live.alerts import Missed, missed_of
from companion.dashboard.snapshot import Snapshot
from companion.gamelog import Bridged
from companion.reconcile.live.gained import reasons_of_gap
from companion.scores import Score
from engine.stretch import Reasons


@dataclass(frozen=True)
class PointsGap:
    """The points that a seat made between the two looks of a bridge."""

    round: int
    """The round in which the second look was taken."""
    gain: Score
    """How many points, exact or the least and the most."""
    reasons: Reasons | None
    """What they come from, where that is known."""
    missed: Missed
    """The bridge with its photos: those of the seat's own board, where boards are shown."""


def points_gaps(snapshot: Snapshot, seat: int) -> list[PointsGap]:
    """The points of a seat in every bridge in which it made or may have made some."""
    return list(_gaps(snapshot, seat))


def _gaps(snapshot: Snapshot, seat: int) -> Iterator[PointsGap]:
    edition = snapshot.folded.edition
    for bridged in snapshot.folded.bridges:
        gain = _gain(snapshot, bridged, seat)
        if (gain.low, gain.high) != (0, 0):
            before: Any = snapshot.before(bridged.n)
            after: Any = snapshot.before(bridged.last + 1)
            reasons = reasons_of_gap(edition, before, after, seat)
            yield PointsGap(max(after.round, 1), gain, reasons, _own(missed_of(snapshot, bridged), seat))


def _gain(snapshot: Snapshot, bridged: Bridged, seat: int) -> Score:
    """From the score before a bridge to the one after it; where both are open, all that both allow."""
    old, new = (snapshot.ledger.at(n).track[seat - 1] for n in (bridged.n - 1, bridged.last))
    return Score(new.low - old.high, new.high - old.low)


def _own(missed: Missed, seat: int) -> Missed:
    """A bridge with the photos of a seat's own board, if there are such."""
    own = tuple(pair for pair in missed.pairs if any(sight and sight.seat == seat for sight in pair))
    return replace(missed, pairs=own or missed.pairs)
