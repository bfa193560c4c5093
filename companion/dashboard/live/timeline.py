"""A game as a row of frames, each with its photo, its position and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.dashboard.drawing.boards import BoardDrawing, own_drawings, shared_drawings
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.sentences import sentence
from companion.gamelog import Bridged, Entry, PhotoRead
from companion.scores import Score, Standing
from engine import ScoreLine, Step, Violation


@dataclass(frozen=True)
class TimelineFrame:
    """One moment of a game."""

    entry: Entry
    said: str
    round: int
    standing: Standing
    lines: tuple[ScoreLine, ...] = ()
    violations: tuple[Violation, ...] = ()
    corrected: bool = False
    bridged: Bridged | None = None
    """The bridge that it is, where moves were missed."""

    @property
    def last(self) -> int:
        """The number of the last event that is part of it."""
        return self.bridged.last if self.bridged else self.n

    @property
    def n(self) -> int:
        """The number of the event that made it."""
        return self.entry.n


def frames(snapshot: Snapshot) -> list[TimelineFrame]:
    """Every event that counts, a bridge as one, and every photo that led to none."""
    folded = snapshot.folded
    bridges = {bridged.n: bridged for bridged in folded.bridges}
    parts = {n for bridged in bridges.values() for n in bridged.records}
    told = {snapshot.entries[step.n].photo for step in folded.steps}
    # A bridge is told with the state to which its last correction leads.
    steps = {folded.bridge_of[step.n] if step.n in parts else step.n: step for step in folded.steps}
    entries = [
        entry
        for n, entry in snapshot.entries.items()
        if n in steps or (isinstance(entry.event, PhotoRead) and entry.photo not in told)
    ]
    standings = snapshot.ledger.until([entry.n for entry in entries])
    return list(_frames(snapshot, steps, bridges, zip(entries, standings, strict=True)))


def _frames(
    snapshot: Snapshot,
    steps: Mapping[int, Step],
    bridges: Mapping[int, Bridged],
    moments: Iterable[tuple[Entry, Standing]],
) -> Iterator[TimelineFrame]:
    state = snapshot.folded.start
    for entry, now in moments:
        said = sentence(snapshot, entry)
        if step := steps.get(entry.n):
            state = step.state
            broken, bridged = snapshot.folded.broken(entry.n), bridges.get(entry.n)
            corrected = step.correction is not None and bridged is None
            yield TimelineFrame(entry, said, state.round, now, step.lines, broken, corrected, bridged)
        else:
            yield TimelineFrame(entry, said, state.round, now)


def by_round(row: list[TimelineFrame]) -> list[tuple[int, tuple[Score, ...]]]:
    """The scores at the end of each round, without the bonuses of the end."""
    return sorted({number: frame.standing.track for number, frame in numbered(row)}.items())


def numbered(row: list[TimelineFrame]) -> Iterator[tuple[int, TimelineFrame]]:
    """Every frame with the round that its points belong to."""
    before = 0
    for frame in row:
        # What ends a round may already stand in the next one, but its points belong to the round before.
        yield max(before, 1), frame
        before = frame.round


def drawings(snapshot: Snapshot, frame: TimelineFrame) -> list[tuple[BoardDrawing, frozenset[str]]]:
    """The boards after a frame, each with the cells that changed in it."""
    before, after = snapshot.before(frame.n), snapshot.before(frame.last + 1)
    pairs = zip(_drawn(snapshot, before), _drawn(snapshot, after), strict=True)
    return [(new, _changed(old, new)) for old, new in pairs]


def _drawn(snapshot: Snapshot, state: Any) -> list[BoardDrawing]:
    edition = snapshot.folded.edition
    table, setup = edition.table(state), state.setup
    own = [drawing for part in table.boards for drawing in own_drawings(edition, setup, part)]
    return [*own, *shared_drawings(edition, setup, table)]


def _changed(old: BoardDrawing, new: BoardDrawing) -> frozenset[str]:
    kinds = {spot.name: spot.kind for spot in old.spots}
    return frozenset(spot.name for spot in new.spots if kinds.get(spot.name) != spot.kind)
