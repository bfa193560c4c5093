"""What a photo shows of each board, with all that it may be: what a photo log weighs, and keeps beside the reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from companion.reconcile.heaps import CERTAIN, may_lie
from companion.reconcile.sense import weigh_board
from companion.reconcile.tracks import SCORE, track_scores
from engine import Cell, Edition, Layout, Part, View, load
from engine.layout import PRINTED, SLOT, Zone
from engine.stretch import pieces_left
from engine.table import ALL, EMPTY, UNSEEN, Frozen, Kinds
from vision.sighting import Reads, SeenSurface, Sighting

SURE = 0.9995
"""A cell is open to be something else if it is read at less than this."""
MISREAD = 1e-5
"""However surely a cell is read, it is something else so often; so much is left to it where photos contradict."""
WORTH_TRYING = 1e-4
"""Of a board's most likely look: boards less likely than this share are not tried."""
MOST_BOARDS = 24
MOST_UNSEEN = 8
"""A board of which more cells are hidden says too little."""


@dataclass(frozen=True)
class Look:
    """One board in one photo."""

    seat: int
    """As the photo numbers boards."""
    cells: Mapping[str, Reads]
    scores: Mapping[int, float]
    """What the marks of its score show; what is left to one cannot be seen."""
    said: bool = False
    """Whether a person told the score: then it is the one that was earned, whatever the cube shows."""
    heaps: Frozen[Kinds] = field(default_factory=Frozen)
    """The heaps of the seat of which it is certain how much lies there; `?` for a piece whose kind is not."""
    common: Part = field(default_factory=lambda: Part(ALL))
    """What belongs to all, as far as it was surely seen."""
    left: int | None = None
    """How many pieces still lie there to be taken; None where not all of them are surely seen."""

    def told(self, words: Mapping[str, str]) -> Look:
        """The look with what people said of its cells and its score."""
        cells = {cell: {words[cell]: 1.0} if cell in words else reads for cell, reads in self.cells.items()}
        scores = {int(words["score"]): 1.0} if "score" in words else self.scores
        return replace(self, cells=cells, scores=scores, said=self.said or "score" in words)


@dataclass(frozen=True)
class PhotoReading:
    """One photo: its boards, and what is left to be taken."""

    name: str
    sha256: str
    taken_at: str | None
    edition: str
    side: str
    boards: tuple[Look, ...]
    left: int | None
    """How many pieces still lie there to be taken; None where not all of them are surely seen."""
    model: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """One thing that a board may be, and how likely that is by its cells alone."""

    board: View
    letters: Mapping[str, str]
    """What lies in each cell."""
    chance: float


def with_reads(table: Mapping[str, Any], sighting: Sighting, layout: Layout) -> dict[str, Any]:
    """A reading's Table with `reads`: for each board what its cells that are not quite sure, and its score, may be."""
    boards = []
    for board, seen in zip(table["boards"], sighting.boards, strict=True):
        cells = weigh_board(seen.cells, layout, sighting.side)
        unsure = {name: _worth(reads) for name, reads in cells.items() if max(reads.values()) < SURE}
        boards.append(board | {"reads": unsure | {SCORE: _worth(score_reads(seen, sighting, layout))}})
    return {**table, "boards": boards}


def score_reads(board: SeenSurface, sighting: Sighting, layout: Layout) -> Reads:
    """What the marks of a seat show of its score, on its own board or on one that all share."""
    names = {track.name for track in layout.tracks if track.tells == SCORE}
    seen = (surface.tracks for surface in (board, *sighting.others))
    marks = {mark: reads for tracks in seen for mark, reads in tracks.items() if mark[0] == board.seat}
    if not any(name in names for _, name in marks):
        return {UNSEEN: 1.0}
    return track_scores(replace(board, tracks=marks), layout)


def _worth(reads: Reads) -> dict[str, float]:
    return {kind: round(chance, 6) for kind, chance in reads.items() if chance >= MISREAD}


def snapshot(
    reading: Mapping[str, Any],
    players: int,
    *,
    sha256: str = "",
    taken_at: str | None = None,
    model: str = "",
    round_ends: bool = False,
) -> PhotoReading:
    """What a photo shows, from its reading; `round_ends`: nothing lies in a middle that is not in view."""
    edition = load(reading["edition"])
    table = edition.parse_table(reading)
    common = _surely_seen(table.common, reading.get("doubts", ()))
    left = pieces_left(common, edition.layout, players)
    left = 0 if left is None and round_ends else left
    pairs = zip(table.boards, reading["boards"], strict=True)
    boards = tuple(replace(_look(part, board), common=common, left=left) for part, board in pairs)
    return PhotoReading(
        name=str(reading.get("photo", "")),
        sha256=sha256,
        taken_at=taken_at,
        edition=reading["edition"],
        side=reading["side"],
        boards=tuple(look for look in boards if _hidden(look) <= MOST_UNSEEN),
        left=left,
        model=model,
        reading=reading,
    )


def _surely_seen(part: Part, doubts: Iterable[Mapping[str, Any]]) -> Part:
    """A part without the heaps and tracks that are in doubt."""
    unsure = {doubt["cell"] for doubt in doubts}
    if unsure & part.heaps.keys():
        # A piece that is in doubt in one heap may lie in another.
        unsure |= part.heaps.keys()
    heaps = Frozen((name, kinds) for name, kinds in part.heaps.items() if name not in unsure)
    tracks = Frozen((name, number) for name, number in part.tracks.items() if name not in unsure)
    return replace(part, heaps=heaps, tracks=tracks)


def _look(part: Part, board: Mapping[str, Any]) -> Look:
    doubts = board.get("doubts", ())
    told: dict[str, Reads] = {cell: {kind: 1.0} for cell, kind in part.cells.items()}
    told |= {doubt["cell"]: doubt["reads"] for doubt in doubts if doubt["cell"] in told}
    reads = dict(board.get("reads", {}))
    shown = reads.pop(SCORE, None)
    if shown is None:
        score = part.tracks.get(SCORE)
        shown = {} if score is None else {str(score): 1.0}
    scores = {int(score): chance for score, chance in shown.items() if score != UNSEEN}
    return Look(board["seat"], told | reads, scores, heaps=_surely_seen(part, doubts).heaps)


def surplus(shot: PhotoReading) -> str | None:
    """A kind of which surely more pieces are in view than there are; None where what is shown can lie there."""
    edition, lying = load(shot.edition), Counter[str]()
    for look in shot.boards:
        best = (max(reads.items(), key=lambda entry: entry[1]) for reads in look.cells.values())
        lying.update(kind for kind, chance in best if chance >= CERTAIN)
        lying.update(kind for kinds in look.heaps.values() for kind in kinds)
    common = shot.boards[0].common if shot.boards else Part(ALL)
    lying.update(common.cells.values())
    lying.update(kind for kinds in common.heaps.values() for kind in kinds)
    return next((kind for kind in edition.letters if lying[kind] > edition.tiles_of_each), None)


def _hidden(look: Look) -> int:
    return sum(reads.get(UNSEEN, 0.0) > 0.5 for reads in look.cells.values())


def candidates(
    look: Look, edition: Edition[Any, Any], side: str, opened: frozenset[str] = frozenset()
) -> list[Candidate]:
    """The boards that a look may show, the most likely first; some cells may be opened although they look sure."""
    names = list(look.cells)
    choices = [_choices(name, look.cells[name], name in opened, edition, side) for name in names]
    found: list[Candidate] = []
    for chance, picked in _likeliest(choices):
        if found and (chance < found[0].chance * WORTH_TRYING * (MISREAD if opened else 1)):
            break
        told = dict(zip(names, picked, strict=True))
        part = Part(look.seat, side, Frozen(told), heaps=look.heaps)
        found.append(Candidate(View(part, look.common, look.left), told, chance))
        if len(found) == MOST_BOARDS:
            break
    return found


def _choices(name: str, reads: Reads, opened: bool, edition: Edition[Any, Any], side: str) -> list[tuple[str, float]]:
    """What may lie in a cell, the most likely first; what is unseen may be anything that belongs there."""
    zone, cell = _zones(edition.slug)[name]
    printed = cell.printed(side)
    kinds = [printed] if zone.takes == PRINTED and printed else [] if zone.role == SLOT else [*edition.letters]
    chances = {kind: chance for kind, chance in reads.items() if kind != UNSEEN and may_lie(kind, name, edition.slug)}
    if unseen := reads.get(UNSEEN, 0.0) or 1.0 * (not chances):
        for kind, share in {EMPTY: 0.5, **dict.fromkeys(kinds, 0.5 / max(len(kinds), 1))}.items():
            chances[kind] = chances.get(kind, 0.0) + unseen * share
    if opened:
        chances = {kind: max(chances.get(kind, 0.0), MISREAD) for kind in (EMPTY, *kinds, *chances)}
    best = max(chances.values())
    likely = [entry for entry in chances.items() if entry[1] >= best * (MISREAD if opened else WORTH_TRYING)]
    return sorted(likely, key=lambda entry: -entry[1])


def _likeliest(choices: Sequence[Sequence[tuple[str, float]]]) -> Iterator[tuple[float, list[str]]]:
    """Every way to choose one of each, the likeliest first."""
    certain = 1.0
    for options in choices:
        certain *= options[0][1]
    open_ = [i for i, options in enumerate(choices) if len(options) > 1]
    waiting: list[tuple[float, int, tuple[int, ...]]] = [(-certain, 0, (0,) * len(open_))]
    while waiting:
        chance, first, picks = heappop(waiting)
        chosen = [options[0][0] for options in choices]
        for i, pick in zip(open_, picks, strict=True):
            chosen[i] = choices[i][pick][0]
        yield -chance, chosen
        for at in range(first, len(open_)):
            options, pick = choices[open_[at]], picks[at] + 1
            if pick < len(options):
                changed = chance * options[pick][1] / options[pick - 1][1]
                heappush(waiting, (changed, at, (*picks[:at], pick, *picks[at + 1 :])))


@lru_cache
def kept_cells(edition: str) -> frozenset[str]:
    """The cells in which pieces stay for the rest of the game."""
    return frozenset(cell.name for zone in load(edition).layout.zones if zone.keeps for cell in zone.cells)


def zone_of(edition: str, cell: str) -> Zone:
    """The zone of a cell."""
    return _zones(edition)[cell][0]


@lru_cache
def _zones(edition: str) -> Mapping[str, tuple[Zone, Cell]]:
    return {cell.name: (zone, cell) for zone in load(edition).layout.zones for cell in zone.cells}
