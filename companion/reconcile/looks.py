"""What a photo shows of each board, with all that it may be: what a photo log weighs, and keeps beside the reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import groupby
from typing import Any

from companion.reconcile.sense import weigh_board
from companion.reconcile.tracks import track_scores
from companion.tables import parts_of
from engine import Edition, Layout, Part
from engine.drafting import DISCS
from engine.table import MARKER
from vision.cells import EMPTY, UNSEEN
from vision.sighting import Reads, Sighting

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
    """What the track or the sliders show; what is left to one cannot be seen."""
    said: bool = False
    """Whether a person told the score: then it is the one that was earned, whatever the cube shows."""

    def told(self, words: Mapping[str, str]) -> Look:
        """The look with what people said of its cells and its score."""
        cells = {cell: {words[cell]: 1.0} if cell in words else reads for cell, reads in self.cells.items()}
        scores = {int(words["score"]): 1.0} if "score" in words else self.scores
        return replace(self, cells=cells, scores=scores, said=self.said or "score" in words)


@dataclass(frozen=True)
class Snapshot:
    """One photo: its boards, and how many tiles still lie in the middle."""

    name: str
    sha256: str
    taken_at: str | None
    edition: str
    side: str
    boards: tuple[Look, ...]
    left: int | None
    """Tiles on discs and in the centre; None where not all of them are surely seen."""
    model: str = ""
    reading: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """One thing that a board may be, and how likely that is by its cells alone."""

    board: Any
    letters: Mapping[str, str]
    chance: float


def with_reads(table: Mapping[str, Any], sighting: Sighting, layout: Layout) -> dict[str, Any]:
    """A reading's Table with `reads`: for each board what its cells that are not quite sure, and its score, may be."""
    boards = []
    for board, seen in zip(table["boards"], sighting.boards, strict=True):
        cells = weigh_board(seen.cells, layout, sighting.side)
        unsure = {name: _worth(reads) for name, reads in cells.items() if max(reads.values()) < SURE}
        boards.append(board | {"reads": unsure | {"score": _worth(track_scores(seen, layout))}})
    return {**table, "boards": boards}


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
) -> Snapshot:
    """What a photo shows, from its reading; `round_ends`: nothing lies in a middle that is not in view."""
    parts = parts_of(reading)
    boards = tuple(_look(board, parts[board["seat"]]) for board in reading["boards"])
    left = tiles_left(reading, players)
    return Snapshot(
        name=str(reading.get("photo", "")),
        sha256=sha256,
        taken_at=taken_at,
        edition=reading["edition"],
        side=reading["side"],
        boards=tuple(look for look in boards if _hidden(look) <= MOST_UNSEEN),
        left=0 if left is None and round_ends else left,
        model=model,
        reading=reading,
    )


def tiles_left(reading: Mapping[str, Any], players: int) -> int | None:
    """How many tiles lie in the middle, where all of it is seen and nothing of it is in doubt."""
    discs, centre = reading.get("factories"), reading.get("centre")
    if discs is None or centre is None or len(discs) != DISCS.get(players) or reading.get("doubts"):
        return None
    return sum(len(disc["tiles"]) for disc in discs) + len(centre["tiles"])


def _look(board: Mapping[str, Any], part: Part) -> Look:
    told: dict[str, dict[str, float]] = {cell: {kind: 1.0} for cell, kind in part.cells.items()}
    reads = dict(board.get("reads", {}))
    told |= {doubt["cell"]: doubt["reads"] for doubt in board.get("doubts", []) if doubt["cell"] in told}
    shown = reads.pop("score", None)
    if shown is None:
        shown = {} if board.get("score") is None else {str(board["score"]): 1.0}
    scores = {int(score): chance for score, chance in shown.items() if score != UNSEEN}
    return Look(board["seat"], told | reads, scores)


def _hidden(look: Look) -> int:
    return sum(reads.get(UNSEEN, 0.0) > 0.5 for reads in look.cells.values())


def candidates(
    look: Look, edition: Edition[Any, Any], layout: Layout, side: str, opened: frozenset[str] = frozenset()
) -> list[Candidate]:
    """The boards that a look may show, the most likely first; some cells may be opened although they look sure."""
    printed = {cell.name: cell.printed(side) for cell in layout if cell.name in look.cells}
    names = list(look.cells)
    choices = [_choices(name, look.cells[name], printed.get(name), name in opened, edition) for name in names]
    found: list[Candidate] = []
    for chance, picked in _likeliest(choices):
        if found and (chance < found[0].chance * WORTH_TRYING * (MISREAD if opened else 1)):
            break
        told = dict(zip(names, picked, strict=True))
        found.append(Candidate(_board(told, look.seat, edition, side), told, chance))
        if len(found) == MOST_BOARDS:
            break
    return found


def _choices(
    name: str, reads: Reads, printed: str | None, opened: bool, edition: Edition[Any, Any]
) -> list[tuple[str, float]]:
    """What may lie in a cell, the most likely first; what is unseen may be anything that belongs there."""
    floor, wall = name.startswith("floor"), name.startswith("wall")
    kinds = [printed] if wall and printed else [*edition.letters]
    chances = {kind: chance for kind, chance in reads.items() if kind != UNSEEN and (floor or kind != MARKER)}
    if unseen := reads.get(UNSEEN, 0.0):
        for kind, share in {EMPTY: 0.5, **dict.fromkeys(kinds, 0.5 / len(kinds))}.items():
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


def _board(told: Mapping[str, str], seat: int, edition: Edition[Any, Any], side: str) -> Any:
    """The board of a position that has these letters in its cells."""
    table = {"edition": edition.slug, "side": side, "boards": [{"seat": seat, **board_rows(told)}]}
    return edition.parse_table(table).boards[0]


def board_rows(told: Mapping[str, str]) -> dict[str, Any]:
    """Cells and their letters as a board of a Table."""
    rows = {row: "".join(told[cell] for cell in cells) for row, cells in groupby(told, lambda n: n.rsplit(".", 1)[0])}
    zones = {zone: [rows[row] for row in rows if row.startswith(f"{zone}.")] for zone in ("line", "wall")}
    return {"lines": zones["line"], "wall": zones["wall"], "floor": rows["floor"].rstrip(EMPTY)}
