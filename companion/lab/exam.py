"""Photos whose truth is known, read and judged."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cli.photos import save_picture
from companion.lab.measure import Judged, JudgedCell, compare
from companion.lab.simulate import position_of_seed
from companion.lab.staging import stage_table, truth_table
from companion.overlay import draw_reading
from companion.pipeline import PHOTO_ENDINGS, Reading, layout_of, read_photo, readable_editions
from companion.reconcile.photo import weighed
from engine import Edition, load
from engine.layout import Layout
from hardware.tabletop.art import Art, load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.restyle import restyled
from hardware.tabletop.tiers import TIERS
from vision.cells import UNSEEN
from vision.draw import close_up
from vision.errors import VisionError
from vision.network import Families

UNSEEN_SEEDS = 900_000
"""Seeds from here on are kept out of training."""
ANOTHER = 10_000
"""How far the next seed is where a photo shows hardly any board, and so asks nothing."""
RENDERED_TIERS = tuple(name for name in TIERS if name != "hard")


@dataclass(frozen=True)
class ExamQuestion:
    """A photo's file and its truth."""

    name: str
    data: bytes
    truth: dict[str, Any]

    @property
    def group(self) -> str:
        """What it is counted with: its tier, or else its edition."""
        return str(self.truth.get("tier") or self.truth["edition"])


@dataclass(frozen=True)
class ExamAnswer:
    """What was read of a photo; there is no reading where it failed, and then the table says why."""

    question: ExamQuestion
    reading: Reading | None
    table: dict[str, Any]
    decoding_ms: float
    """What OpenCV takes to decode the same file: the yardstick for all times."""

    @cached_property
    def judged(self) -> Judged:
        """The reading judged by the truth."""
        return compare(self.question.truth, self.table)

    def claims(self) -> Iterator[tuple[float, bool]]:
        """For each cell that was read: the probability stated for it, and whether it is right."""
        if self.reading is None:
            return
        sighting = weighed(self.reading.sighting, load(self.reading.sighting.edition))
        for board in self.judged.boards:
            if board.index is None:
                continue
            stated = sighting.boards[board.index].cells
            for cell in board.cells:
                if cell.read != UNSEEN and cell.cell in stated:
                    yield stated[cell.cell][cell.read], cell.is_right


def questions_in(folder: Path, edition: str | None = None) -> list[Callable[[], ExamQuestion]]:
    """What a folder asks, read when wanted: every truth file with its photo beside it; of one edition if named."""
    truths = [(path, photo) for path in sorted(folder.rglob("*.json")) if (photo := _photo_of(path))]
    return [
        partial(_question, path, photo, photo.relative_to(folder).as_posix())
        for path, photo in truths
        if edition in (None, _truth(path).get("edition"))
    ]


def _question(path: Path, photo: Path, name: str) -> ExamQuestion:
    return ExamQuestion(name, photo.read_bytes(), _truth(path))


def _truth(path: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return truth


def _photo_of(path: Path) -> Path | None:
    return next((photo for ending in PHOTO_ENDINGS if (photo := path.with_suffix(ending)).exists()), None)


def rendered_questions(
    count: int, edition: str | None = None, first_seed: int = UNSEEN_SEEDS
) -> list[Callable[[], ExamQuestion]]:
    """Photos of our own art with seeds that nobody has learnt from, made when wanted; tiers and editions in turn."""
    editions = (edition,) if edition else readable_editions()
    return [partial(_rendered, number, editions, first_seed + number) for number in range(count)]


def _rendered(number: int, editions: Sequence[str], seed: int) -> ExamQuestion:
    tier = RENDERED_TIERS[number % len(RENDERED_TIERS)]
    edition = load(editions[number // len(RENDERED_TIERS) % len(editions)])
    shot = (_shot(edition, tier, seed + ANOTHER * attempt) for attempt in count())
    return next(question for question in shot if question.truth["boards"])


def _shot(edition: Edition[Any, Any], tier: str, seed: int) -> ExamQuestion:
    layout, table = layout_of(edition.slug), position_of_seed(edition, seed)
    photo = photograph(stage_table(table, layout), layout, _art_of(layout, seed), TIERS[tier], seed)
    truth = truth_table(table, photo.truth, edition) | {"tier": tier}
    return ExamQuestion(f"{edition.slug}_{tier}_{seed}.jpg", photo.jpeg, truth)


def _art_of(layout: Layout, seed: int) -> Art:
    """Our own drawings; where nobody has seen the real prints, in inks that nothing was learnt from."""
    art = load_art(layout)
    rng = np.random.default_rng([UNSEEN_SEEDS, seed])
    return art.changed(layout, partial(restyled, rng=rng)) if art.is_guessed else art


def ask(question: ExamQuestion, networks: Families, edition: str | None = None) -> ExamAnswer:
    """Read a photo; one that cannot be read is an answer too, and a wrong one."""
    reading: Reading | None = None
    try:
        reading = read_photo(question.data, question.name, networks, edition)
        table = reading.table
    except VisionError as error:
        table = {"photo": question.name, "error": str(error)}
    started = time.perf_counter()
    cv2.imdecode(np.frombuffer(question.data, np.uint8), cv2.IMREAD_COLOR)
    return ExamAnswer(question, reading, table, 1000 * (time.perf_counter() - started))


def keep_failure(answer: ExamAnswer, folder: Path) -> None:
    """What went wrong or was doubted, to be looked at: the overlay and each such cell."""
    reading = answer.reading
    if reading is None or (answer.judged.is_right and not answer.judged.is_doubtful):
        return
    layout, stem = layout_of(reading.sighting.edition), Path(answer.question.name).with_suffix("").as_posix()
    name = stem.replace("/", "_")
    save_picture(draw_reading(reading.picture, reading.sighting, answer.table), folder / f"{name}.jpg")
    for board in answer.judged.boards:
        if board.index is None:
            continue
        seen = reading.sighting.boards[board.index]
        wanted = [cell for cell in board.cells if cell.doubted or not cell.is_right]
        for cell in wanted:
            cut = close_up(reading.picture, seen.pose, layout.cell(cell.cell), layout)
            save_picture(cut, folder / f"{name}_{seen.seat}_{cell.cell}_{_verdict(cell)}.png")


def _verdict(cell: JudgedCell) -> str:
    """How a cell was read, in a file's name; nothing but letters is kept."""
    words = {".": "empty", UNSEEN: "unseen"}
    truth, read = (words.get(letter, letter) for letter in (cell.truth, cell.read))
    kind = "doubt" if cell.doubted else "silent"
    return f"{kind}_{truth}" if cell.is_right else f"{kind}_{truth}_read_{read}"
