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

from vision.cells import UNSEEN
from vision.table import is_within, letters

Table = Mapping[str, Any]

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

    @property
    def is_right(self) -> bool:
        """Whether it was found and every cell of it is right."""
        return self.index is not None and all(cell.is_right for cell in self.cells)


@dataclass(frozen=True)
class Judged:
    """A photo's reading, judged; a disc or the centre counts as one cell."""

    boards: tuple[JudgedBoard, ...]
    invented: int
    """Boards that were read where none lies."""
    factories: tuple[JudgedCell, ...]
    centre: JudgedCell | None
    supply: tuple[JudgedCell, ...]

    @property
    def heaps(self) -> tuple[JudgedCell, ...]:
        """The discs, and the centre if it is in view."""
        return (*self.factories, self.centre) if self.centre else self.factories

    @property
    def is_right(self) -> bool:
        """Whether all of the table was read as it lies."""
        scores = [board.score for board in self.boards if board.score]
        parts = [*self.heaps, *self.supply, *scores]
        return all(board.is_right for board in self.boards) and all(part.is_right for part in parts)

    @property
    def is_doubtful(self) -> bool:
        """Whether any doubt was raised about what is judged."""
        scores = [board.score for board in self.boards if board.score]
        cells = [cell for board in self.boards for cell in board.cells]
        return any(part.doubted for part in (*cells, *scores, *self.heaps))


def compare(truth: Table, read: Table) -> Judged:
    """A reading judged by the truth; one that failed has nothing in it and is judged so."""
    free = dict(enumerate(read.get("boards") or []))
    boards = []
    for board in truth.get("boards", []):
        index = _nearest_board(board, free)
        boards.append(_judge_board(board, index, free.pop(index) if index is not None else {}))
    doubts = [doubt.get("cell", "") for doubt in read.get("doubts") or []]
    return Judged(
        tuple(boards),
        len(free),
        tuple(_judge_factories(truth, read, doubts)),
        _judge_centre(truth["centre"], read.get("centre"), doubts) if truth.get("centre") else None,
        tuple(_judge_supply(truth.get("supply") or "", read.get("supply") or "")),
    )


def _nearest_board(board: Table, free: Mapping[int, Table]) -> int | None:
    middle, diagonal = _middle(board), dist(board["corners_px"][0], board["corners_px"][2])
    away = {i: dist(middle, _middle(other)) / diagonal for i, other in free.items() if other.get("corners_px")}
    best = min(away, key=away.__getitem__, default=None)
    return best if best is not None and away[best] < SAME_BOARD else None


def _middle(board: Table) -> tuple[float, float]:
    corners = board["corners_px"]
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _judge_board(truth: Table, index: int | None, read: Table) -> JudgedBoard:
    covered, doubts = truth.get("covered", []), [doubt.get("cell", "") for doubt in read.get("doubts", [])]
    said = letters(read)
    cells = tuple(
        JudgedCell(cell, letter, said.get(cell, UNSEEN), _is_doubted(cell, said.get(cell, UNSEEN), doubts))
        for cell, letter in letters(truth).items()
        if letter != UNSEEN and not any(is_within(cell, hidden) for hidden in covered)
    )
    if index is None or truth.get("score") is None or "score" in covered:
        return JudgedBoard(index, cells, None)
    score = UNSEEN if read.get("score") is None else str(read["score"])
    return JudgedBoard(
        index, cells, JudgedCell("score", str(truth["score"]), score, _is_doubted("score", score, doubts))
    )


def _is_doubted(cell: str, read: str, doubts: Iterable[str]) -> bool:
    return read == UNSEEN or any(is_within(cell, doubt) for doubt in doubts)


def _judge_factories(truth: Table, read: Table, doubts: Sequence[str]) -> Iterable[JudgedCell]:
    found = [disc for disc in read.get("factories") or [] if disc.get("centre_px")]
    reach = SAME_DISC_PX * truth.get("_scale", 1)
    # Discs have no numbers in a photo, so a doubt about any of them says that discs are to be looked at.
    doubted = any(doubt.startswith("factory") for doubt in doubts)
    for number, disc in enumerate(truth.get("factories") or [], 1):
        away = [dist(disc["centre_px"], other["centre_px"]) for other in found]
        seen = bool(away) and min(away) < reach
        tiles = "".join(sorted(found[away.index(min(away))].get("tiles", ""))) if seen else UNSEEN
        yield JudgedCell(f"factory.{number}", disc["tiles"], tiles, doubted or not seen)


def _judge_centre(truth: Table, read: Table | None, doubts: Sequence[str]) -> JudgedCell:
    return JudgedCell("centre", _heap(truth), _heap(read) if read else UNSEEN, not read or "centre" in doubts)


def _heap(centre: Table) -> str:
    return "".join(sorted(centre.get("tiles", ""))) + ("1" if centre.get("first_player") else "")


def _judge_supply(truth: str, read: str) -> Iterable[JudgedCell]:
    for number, (letter, said) in enumerate(zip(truth, read.ljust(len(truth), UNSEEN), strict=False), 1):
        yield JudgedCell(f"supply.{number}", letter, said, said == UNSEEN)


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
        factories=len(judged.factories),
        factories_right=sum(disc.is_right for disc in judged.factories),
        centres=int(judged.centre is not None),
        centres_right=int(judged.centre is not None and judged.centre.is_right),
        heaps_silent=sum(heap.is_silent for heap in judged.heaps),
        supplies=len(judged.supply),
        supplies_right=sum(cell.is_right for cell in judged.supply),
        tables=1,
        tables_right=int(judged.is_right),
    )


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
