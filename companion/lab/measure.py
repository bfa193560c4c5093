"""How good a reading is: a Table that was read, compared with the truth about the same photo.

Boards and discs are matched by where they lie, never by their numbers. What the truth calls `?` or `covered` is no fair
question and is not judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import dist, sqrt
from typing import Any

from companion.tables import places_of
from engine import Edition, Part, Table, load
from engine.layout import is_within, parts_of
from engine.table import UNSEEN, written

SCORE = "score"
KIND_PARTS = len(parts_of("A1"))
SAME_BOARD = 0.25
"""Boards are the same if their middles are no farther apart than this share of the true one's diagonal."""
SAME_DISC_PX = 80
"""Discs are the same if their middles are no farther apart, in a photo whose truth gives no `_scale`."""


@dataclass(frozen=True)
class JudgedCell:
    """A cell with what lies there and what was read."""

    cell: str
    truth: str
    read: str
    doubted: bool

    @property
    def is_right(self) -> bool:
        """Whether the truth was read."""
        return self.read == self.truth

    @property
    def is_silent(self) -> bool:
        """Whether it is wrong without a doubt having been raised: the worst of all."""
        return not (self.is_right or self.doubted)


@dataclass(frozen=True)
class JudgedBoard:
    """A true board; `index` is its place among the boards that were read, None where it was missed."""

    index: int | None
    cells: tuple[JudgedCell, ...]
    score: JudgedCell | None
    """None where the truth does not tell it, or the board was missed."""
    heaps: tuple[JudgedCell, ...] = ()
    """Those that belong to the seat."""

    @property
    def is_right(self) -> bool:
        """Whether it was found and every cell of it is right."""
        return self.index is not None and all(cell.is_right for cell in self.cells)


@dataclass(frozen=True)
class Judged:
    """A photo's reading, judged; a heap counts as one cell."""

    boards: tuple[JudgedBoard, ...]
    invented: int
    """Boards that were read where none lies."""
    discs: tuple[JudgedCell, ...]
    """The heaps of which there are several."""
    middle: JudgedCell | None
    """The heap of all of which there is one; None where the truth does not tell it."""
    shared: tuple[JudgedCell, ...]
    """The cells of surfaces that belong to all, and the numbers that their tracks tell."""

    @property
    def heaps(self) -> tuple[JudgedCell, ...]:
        """Every heap that is judged."""
        own = (heap for board in self.boards for heap in board.heaps)
        return (*self.discs, *((self.middle,) if self.middle else ()), *own)

    @property
    def is_right(self) -> bool:
        """Whether all of the table was read as it lies."""
        scores = [board.score for board in self.boards if board.score]
        parts = [*self.heaps, *self.shared, *scores]
        return all(board.is_right for board in self.boards) and all(part.is_right for part in parts)

    @property
    def is_doubtful(self) -> bool:
        """Whether any doubt was raised about what is judged."""
        scores = [board.score for board in self.boards if board.score]
        cells = [cell for board in self.boards for cell in board.cells]
        return any(part.doubted for part in (*cells, *scores, *self.heaps))


def compare(truth: Mapping[str, Any], read: Mapping[str, Any]) -> Judged:
    """A reading judged by the truth, both as JSON; one that failed has nothing in it and is judged so."""
    edition = load(truth["edition"])
    true = edition.parse_table(truth)
    seen = edition.parse_table(read) if read.get("boards") else Table(edition.slug, true.side, ())
    free = dict(enumerate(read.get("boards") or []))
    boards = []
    for board, part in zip(truth.get("boards", []), true.boards, strict=True):
        index = _nearest_board(board, free)
        found = free.pop(index) if index is not None else {}
        own = seen.boards[index] if index is not None else Part(part.seat)
        boards.append(_judge_board(part, board.get("covered", []), index, own, _doubted(found)))
    doubts, free_heap = _doubted(read), edition.layout.free_heap
    middle = free_heap.name if free_heap else ""
    return Judged(
        tuple(boards),
        len(free),
        tuple(_judge_discs((truth, true), (read, seen), edition, doubts)),
        _judge_heap(middle, true.common, seen.common, doubts) if middle in true.common.heaps else None,
        tuple(_judge_shared(true.common, truth.get("covered", ()), seen.common, doubts, edition)),
    )


def _doubted(part: Mapping[str, Any]) -> list[str]:
    return [doubt.get("cell", "") for doubt in part.get("doubts") or []]


def _nearest_board(board: Mapping[str, Any], free: Mapping[int, Mapping[str, Any]]) -> int | None:
    middle, diagonal = _middle(board), dist(board["corners_px"][0], board["corners_px"][2])
    away = {i: dist(middle, _middle(other)) / diagonal for i, other in free.items() if other.get("corners_px")}
    best = min(away, key=away.__getitem__, default=None)
    return best if best is not None and away[best] < SAME_BOARD else None


def _middle(board: Mapping[str, Any]) -> tuple[float, float]:
    corners = board["corners_px"]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _judge_board(
    truth: Part, covered: Sequence[str], index: int | None, read: Part, doubts: Sequence[str]
) -> JudgedBoard:
    cells = tuple(_judge_cells(truth, covered, read, doubts))
    if index is None:
        return JudgedBoard(None, cells, None)
    heaps = tuple(_judge_heap(name, truth, read, doubts) for name in truth.heaps if name not in covered)
    shown = truth.tracks.get(SCORE)
    if shown is None or SCORE in covered:
        return JudgedBoard(index, cells, None, heaps)
    said = read.tracks.get(SCORE)
    score = UNSEEN if said is None else str(said)
    judged = JudgedCell(SCORE, str(shown), score, _is_doubted(SCORE, score, doubts))
    return JudgedBoard(index, cells, judged, heaps)


def _judge_cells(truth: Part, covered: Sequence[str], read: Part, doubts: Sequence[str]) -> Iterable[JudgedCell]:
    for cell, kind in truth.cells.items():
        said = read.cells.get(cell, UNSEEN)
        if kind != UNSEEN and not any(is_within(cell, hidden) for hidden in covered):
            yield JudgedCell(cell, kind, said, _is_doubted(cell, said, doubts))


def _judge_shared(
    truth: Part, covered: Sequence[str], read: Part, doubts: Sequence[str], edition: Edition[Any, Any]
) -> Iterable[JudgedCell]:
    yield from _judge_cells(truth, covered, read, doubts)
    shown = {track.tells for track in edition.layout.tracks}
    for name, number in truth.tracks.items():
        if number is not None and name in shown and name not in covered:
            said = UNSEEN if (told := read.tracks.get(name)) is None else str(told)
            yield JudgedCell(name, str(number), said, _is_doubted(name, said, doubts))


def _is_doubted(cell: str, read: str, doubts: Iterable[str]) -> bool:
    return read == UNSEEN or any(is_within(cell, doubt) for doubt in doubts)


def _judge_heap(name: str, truth: Part, read: Part, doubts: Sequence[str]) -> JudgedCell:
    said = read.heaps.get(name)
    told = UNSEEN if said is None else written(said)
    return JudgedCell(name, written(truth.heaps[name]), told, said is None or name in doubts)


def _judge_discs(
    truth: tuple[Mapping[str, Any], Table],
    read: tuple[Mapping[str, Any], Table],
    edition: Edition[Any, Any],
    doubts: Sequence[str],
) -> Iterable[JudgedCell]:
    """The heaps of which there are several, matched by where they lie."""
    heap = edition.layout.numbered_heap
    if heap is None:
        return
    lying, found = (
        {place: table.common.heaps.get(name, ()) for name, place in places_of(json, edition)}
        for json, table in (truth, read)
    )
    reach = SAME_DISC_PX * truth[0].get("_scale", 1)
    # Discs have no numbers in a photo, so a doubt about any of them says that discs are to be looked at.
    doubted = any(is_within(doubt, heap.name) for doubt in doubts)
    left = set(found)
    for number, (place, kinds) in enumerate(lying.items(), 1):
        near = min(found, key=lambda other: dist(place, other), default=None)
        seen = near is not None and dist(place, near) < reach
        said = written(found[near]) if near is not None and seen else UNSEEN
        left -= {near} if near is not None and seen else set()
        if f"{heap.name}.{number}" not in truth[0].get("covered", ()):
            yield JudgedCell(f"{heap.name}.{number}", written(kinds), said, doubted or (not seen and bool(heap.counts)))
    # Of what may lie out in any number, one that does not lie there is a mistake too, and so is one that was missed.
    for place in left if not heap.counts else ():
        yield JudgedCell(heap.name, "", written(found[place]), doubted)


def tally(judged: Judged) -> Counter[str]:
    """The counts of one photo, to be summed over many."""
    found = [board for board in judged.boards if board.index is not None]
    cells = [cell for board in found for cell in board.cells]
    scores = [board.score for board in found if board.score]
    return Counter(
        cells=sum(len(board.cells) for board in judged.boards),
        cells_right=sum(cell.is_right for cell in cells),
        cells_silent=sum(cell.is_silent for cell in cells),
        cells_doubted=sum(cell.doubted for cell in cells),
        cells_missed=sum(len(board.cells) for board in judged.boards if board.index is None),
        boards=len(judged.boards),
        boards_right=sum(board.is_right for board in judged.boards),
        boards_missed=len(judged.boards) - len(found),
        boards_invented=judged.invented,
        scores=len(scores),
        scores_right=sum(score.is_right for score in scores),
        scores_silent=sum(score.is_silent for score in scores),
        discs=len(judged.discs),
        discs_right=sum(disc.is_right for disc in judged.discs),
        middles=int(judged.middle is not None),
        middles_right=int(judged.middle is not None and judged.middle.is_right),
        heaps_silent=sum(heap.is_silent for heap in judged.heaps),
        shared=len(judged.shared),
        shared_right=sum(cell.is_right for cell in judged.shared),
        shared_silent=sum(cell.is_silent for cell in judged.shared),
        own_heaps=sum(len(board.heaps) for board in found),
        own_heaps_right=sum(heap.is_right for board in found for heap in board.heaps),
        tables=1,
        tables_right=int(judged.is_right),
    )


def swapped(judged: Iterable[Judged]) -> Counter[tuple[tuple[str, str], tuple[str, str]]]:
    """Of cells with a kind that has a colour and a pattern, how often each was read as each, as a doubt or not."""
    pairs: Counter[tuple[tuple[str, str], tuple[str, str]]] = Counter()
    for board in (board for one in judged for board in one.boards if board.index is not None):
        for cell in board.cells:
            true, read = parts_of(cell.truth), parts_of(cell.read)
            if len(true) == len(read) == KIND_PARTS and true[0] == read[0]:
                pairs[(true[1], true[2]), (read[1], read[2])] += 1
    return pairs


def wilson(count: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which a share truly lies, at 95 % unless told otherwise."""
    if not total:
        return 0.0, 1.0
    share, spread = count / total, z * z / total
    middle = share + spread / 2
    half = z * sqrt(share * (1 - share) / total + spread / (4 * total))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


@dataclass(frozen=True)
class Bin:
    """Readings whose stated probabilities are alike."""

    low: float
    high: float
    count: int
    stated: float
    """The mean of what was stated."""
    right: int


BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.985, 0.995, 0.999, 1.0)
"""Finer towards certainty, where nearly all readings are."""


def calibration(claims: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Claims, each a stated probability and whether it was right, in bins."""
    held: list[list[tuple[float, bool]]] = [[] for _ in BINS[1:]]
    for stated, right in claims:
        held[next(i for i, high in enumerate(BINS[1:]) if stated <= high or high == BINS[-1])].append((stated, right))
    return [
        Bin(low, high, len(found), sum(stated for stated, _ in found) / len(found), sum(right for _, right in found))
        for low, high, found in zip(BINS, BINS[1:], held, strict=False)
        if found
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """How far stated probabilities are from the shares that were right, on average over all claims."""
    total = sum(found.count for found in bins)
    return sum(abs(found.stated * found.count - found.right) for found in bins) / total if total else 0.0
