"""What taught networks know: on shards that they were not taught with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.training.lessons import CloseUpLessons, FitterLessons, LooseLessons, ReaderLessons, bytes_of
from models.training.looks import NO_PIECES
from models.training.teach import ReaderLoss, track_scores
from vision.cells import UNSEEN
from vision.locate import fitted_corners
from vision.rectify import FIT

TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(4.0), 60))
BINS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True)
class Grade:
    """How a network did: right of asked, the best temperature, and what each stated probability was worth."""

    right: int
    asked: int
    temperature: float
    bins: tuple[tuple[float, float, int], ...]
    """For each range of stated probabilities: the mean stated, the share right, and how many."""


class Written:
    """A network as its file has it, asked as PyTorch's are."""

    def __init__(self, path: Path) -> None:
        self._session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self._one_by_one = self._session.get_inputs()[0].shape[0] == 1

    def __call__(self, pictures: Tensor, *others: Tensor) -> Any:
        """What it answers, as one tensor or several."""
        parts = pictures.split(1) if self._one_by_one else (pictures,)
        told = [[torch.from_numpy(found) for found in self._run(part, *others)] for part in parts]
        answers = [torch.cat(found) for found in zip(*told, strict=True)]
        return answers if len(answers) > 1 else answers[0]

    def _run(self, pictures: Tensor, *others: Tensor) -> list[NDArray[np.float32]]:
        given = (bytes_of(pictures), *(tensor.numpy() for tensor in others))
        return list(self._session.run(None, dict(zip(self._inputs, given, strict=True))))


@torch.no_grad()
def grade_reader(net: Written, folders: Sequence[Path], loss: ReaderLoss) -> tuple[Grade, Grade | None]:
    """Cells that can be seen, and tracks; from where on a cell counts as covered is a matter of degree.

    None for tracks where no board has one.
    """
    scores: list[Tensor] = []
    wanted: list[Tensor] = []
    marks: list[tuple[Tensor, int]] = []
    for view, kinds, lying, places in DataLoader(ReaderLessons(folders, vary=False, learned=loss.learned), 16):
        for kind in kinds.unique().tolist():
            mine = kinds == kind
            query = loss.queries[kind]
            cells, mark, none = net(view[mine], *query.given)
            true = lying[mine][:, : cells.shape[1]]
            seen = (true >= 0) & (true != NO_PIECES.index(UNSEEN))
            scores.append(cells[seen])
            wanted.append(true[seen])
            for rows, truths in track_scores(query, mark, none, places[mine]):
                marks += [(row, int(truth)) for row, truth in zip(rows, truths, strict=True)]
    read = grade(torch.cat(scores), torch.cat(wanted))
    if not marks:
        return read, None
    widest = max(len(row) for row, _ in marks)
    padded = torch.stack([functional.pad(row, (0, widest - len(row)), value=-1e4) for row, _ in marks])
    return read, grade(padded, torch.tensor([truth for _, truth in marks]))


@torch.no_grad()
def grade_loose(net: Written, folders: Sequence[Path], labels: Sequence[str]) -> tuple[Grade, Grade]:
    """Whether a place is the middle of a tile, and of which kind."""
    there, truths, kinds, wanted = [], [], [], []
    letters = list(range(len(NO_PIECES), len(labels)))
    for view, heat, lying in DataLoader(LooseLessons(folders, vary=False), 8):
        maps = net(view)
        # Between a tile's middle and bare table is a slope that is neither.
        plain = (heat > 0.8) | (heat == 0)
        hill = functional.max_pool2d(maps[:, :1], 5, 1, 2)[:, 0] == maps[:, 0]
        asked = plain & (hill | (heat > 0.8))
        there.append(torch.stack([torch.zeros_like(maps[:, 0][asked]), maps[:, 0][asked]], dim=1))
        truths.append((heat[asked] > 0.8).long())
        middle = (heat > 0.8) & (lying >= 0)
        kinds.append(maps[:, 1:].permute(0, 2, 3, 1)[middle][:, letters])
        wanted.append(torch.tensor([letters.index(int(label)) for label in lying[middle]], dtype=torch.long))
    return grade(torch.cat(there), torch.cat(truths)), grade(torch.cat(kinds), torch.cat(wanted))


@torch.no_grad()
def grade_closeup(net: Written, folders: Sequence[Path]) -> Grade:
    """Which piece or print a close-up shows."""
    lessons = DataLoader(CloseUpLessons(folders, vary=False), 64)
    scores, wanted = zip(*((net(seen), label) for seen, label in lessons), strict=True)
    return grade(torch.cat(scores), torch.cat(wanted))


def grade(scores: Tensor, wanted: Tensor) -> Grade:
    """A grade from raw scores and the right answers."""
    losses = [float(functional.cross_entropy(scores / t, wanted)) for t in TEMPERATURES.tolist()]
    temperature = float(TEMPERATURES[int(np.argmin(losses))])
    chances = functional.softmax(scores / temperature, dim=1)
    stated, said = chances.max(dim=1)
    right = (said == wanted).numpy()
    edges = np.array([0.0, *BINS, 1.0 + 1e-9])
    place = np.digitize(stated.numpy(), edges) - 1
    bins = tuple(
        (float(stated.numpy()[place == i].mean()), float(right[place == i].mean()), int((place == i).sum()))
        for i in range(len(edges) - 1)
        if (place == i).any()
    )
    return Grade(int(right.sum()), len(right), temperature, bins)


@torch.no_grad()
def corners_off_mm(net: Written, folders: Sequence[Path], width_mm: float) -> NDArray[np.float64]:
    """How far each board's corners are off after one look of the fitter."""
    off = []
    for view, wanted in DataLoader(FitterLessons(folders, vary=False), 64):
        for found, truth in zip(net(view).numpy(), wanted.numpy(), strict=True):
            exact = np.concatenate([truth, np.full_like(truth[:1], -np.inf)])
            away = np.linalg.norm(fitted_corners(found)[0] - fitted_corners(exact)[0], axis=1).mean()
            off.append(away / FIT.span_px * width_mm)
    return np.array(off)
