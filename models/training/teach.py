"""The loop that teaches a network, and what each of them is blamed for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from models.training.lessons import (
    AlignerLessons,
    CloseUpLessons,
    FinderLessons,
    FitterLessons,
    Lesson,
    Lessons,
    LooseLessons,
    ReaderLessons,
)
from models.training.looks import Taught
from models.training.nets import Aligner, CloseUp, Finder, Fitter, Loose, Reader
from models.training.restore import restore
from vision.cells import asked_of, tracks
from vision.network import CLOSEUP, kind_of

SAMPLE = 48
"""Lessons that show a network from a file what its activations are like."""
ONWARD = 0.4
"""How fast a network that knows something goes on learning, against one that knows nothing."""
KEPT = 0.08
"""The weights that are kept are the mean of about this share of the last ones."""


@dataclass(frozen=True)
class Course:
    """How a network is taught."""

    net: Callable[[], nn.Module]
    lessons: Callable[..., Lessons]
    loss: Callable[[nn.Module, Lesson], Tensor]
    batch: int
    rate: float


def teach(
    course: Course,
    folders: Sequence[Path],
    steps: int,
    seed: int,
    report: Callable[[str], None],
    known: Path | None = None,
) -> nn.Module:
    """A network taught with so many batches, from nothing or from what a file knows."""
    torch.manual_seed(seed)
    net = restored(course, known, folders) if known else course.net()
    net = nn.utils.convert_conv2d_weight_memory_format(net, torch.channels_last)
    kept, quick = deepcopy(net), _Quick(net)
    lessons = course.lessons(folders, vary=True)
    loader = DataLoader(
        lessons, course.batch, shuffle=True, num_workers=1, drop_last=True, prefetch_factor=4, persistent_workers=True
    )
    rate = course.rate * (ONWARD if known else 1.0)
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)
    running = 0.0
    for step, lesson in zip(range(steps), _again(loader), strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 200) * max(0.01, 1 - step / steps)
        optimizer.zero_grad()
        loss = course.loss(quick, lesson)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        _follow(kept, net, 1 - 1 / (KEPT * step + 2))
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if step % 100 == 99:
            report(f"{type(net).__name__}: {step + 1} of {steps} batches, loss {running:.4f}")
    return kept.eval()


def _again(loader: DataLoader[Lesson]) -> Iterator[Lesson]:
    """The lessons of a loader, over and over."""
    while True:
        yield from loader


def restored(course: Course, known: Path, folders: Sequence[Path]) -> nn.Module:
    """A network as its file has it."""
    net = course.net()
    lesson = next(iter(DataLoader(course.lessons(folders, vary=True), SAMPLE, shuffle=True)))
    # What normalisations do stays as it was measured: batches are small, and sorted by kinds of boards.
    restore(net, known, lambda net: course.loss(net, lesson))
    return net


class _Quick(nn.Module):
    """A network that works with half the digits where the processor does that faster; its weights keep all."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net
        self.halved = torch.backends.cpu.get_cpu_capability() == "AVX512" and torch.cpu._is_avx512_bf16_supported()

    def forward(self, *given: Tensor) -> Tensor | tuple[Tensor, ...]:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.halved):
            found = self.net(*given)
        return found.float() if isinstance(found, Tensor) else tuple(each.float() for each in found)


@torch.no_grad()
def _follow(kept: nn.Module, net: nn.Module, keep: float) -> None:
    for old, new in zip(kept.state_dict().values(), net.state_dict().values(), strict=True):
        if old.dtype.is_floating_point:
            old.mul_(keep).add_(new, alpha=1 - keep)
        else:
            old.copy_(new)


def finder_loss(net: nn.Module, lesson: Lesson) -> Tensor:
    """Boards and discs by where they are held to be, discs also by how far their middles and sizes are off."""
    picture, target = lesson
    found = net(picture)
    total = torch.zeros(())
    for channel, rare, weight in ((0, 2.0, 10.0), (1, 4.0, 40.0)):
        wanted = target[:, channel]
        blame = functional.binary_cross_entropy_with_logits(
            found[:, channel], wanted.clamp(0, 1), reduction="none", pos_weight=torch.tensor(rare)
        )
        total = total + weight * (blame * (wanted >= 0)).mean()
    here = (target[:, 1] > 0).float()[:, None]
    off = functional.smooth_l1_loss(found[:, 2:], target[:, 2:], reduction="none", beta=0.05)
    return total + (off * here).sum() / (3 * here.sum() + 1)


def aligner_loss(net: nn.Module, lesson: Lesson) -> Tensor:
    """Corners only where there is a board and it is not turned."""
    view, off, quarters, kind = lesson
    corners, turns, kinds = net(view)
    straight = ((kind > 0) & (quarters == 0)).float()[:, None]
    distance = functional.smooth_l1_loss(corners, off, reduction="none", beta=0.02)
    board = (kind > 0).float()
    turned = functional.cross_entropy(turns, quarters, reduction="none")
    return (
        4 * (distance * straight).sum() / (8 * straight.sum() + 1)
        + 0.3 * (turned * board).mean()
        + 0.3 * functional.cross_entropy(kinds, kind)
    )


def fitter_loss(net: nn.Module, lesson: Lesson) -> Tensor:
    """How far off the print is, where there is a board; being unsure costs too."""
    view, wanted = lesson
    found = net(view)
    inside = slice(1, -1)
    away = (found[:, :2] - wanted).abs().sum(dim=1)[:, inside, inside]
    unsure = found[:, 2, inside, inside].clamp(-5, 3)
    return (away * (-unsure).exp() + 2 * unsure).mean()


@dataclass(frozen=True)
class Query:
    """What the reader is asked of a kind of board, as tensors, and which marks belong to each of its tracks."""

    given: tuple[Tensor, ...]
    runs: tuple[slice, ...]
    marks: tuple[int, ...]
    """How many marks there are on each track."""


class ReaderLoss:
    """What was misread in cells and on tracks; boards of one kind are asked together."""

    def __init__(self, learned: Taught) -> None:
        self.learned = learned
        self.queries = [_query(kind, learned) for kind in learned.kinds]

    def __call__(self, net: nn.Module, lesson: Lesson) -> Tensor:
        view, boards, lying, marks = lesson
        total = torch.zeros(())
        for kind in boards.unique().tolist():
            mine = boards == kind
            query = self.queries[kind]
            cells, mark, none = net(view[mine], *query.given)
            blame = functional.cross_entropy(
                cells.flatten(0, 1), lying[mine][:, : cells.shape[1]].flatten(), ignore_index=-1, reduction="sum"
            )
            for scores, wanted in track_scores(query, mark, none, marks[mine]):
                blame = blame + 2 * functional.cross_entropy(scores, wanted, reduction="sum")
            total = total + blame / cells.shape[1]
        return total / len(view)


def _query(kind: str, learned: Taught) -> Query:
    layout, surface = learned.surface_of(kind)
    asked = asked_of(layout, kind_of(kind).side, learned.labels, surface)
    along = tracks(layout, surface)
    ends = list(accumulate((len(track.cells) for track in along), initial=0))
    given = (torch.from_numpy(each) for each in (asked.places, asked.hints, asked.marks))
    marks = tuple(max(1, len(layout.piece(track.piece).kinds)) for track in along)
    return Query(tuple(given), tuple(slice(start, stop) for start, stop in pairwise(ends)), marks)


def track_scores(query: Query, mark: Tensor, none: Tensor, places: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """For each mark on each track its scores, the last for not being seen, and the right answers."""
    each = mark.unflatten(1, (-1, none.shape[1]))
    for i, (run, marks) in enumerate(zip(query.runs, query.marks, strict=True)):
        for m in range(marks):
            at = places[:, i, m]
            yield torch.cat([each[:, run, m], none[:, m : m + 1]], dim=1), torch.where(at < 0, run.stop - run.start, at)


def loose_loss(net: nn.Module, lesson: Lesson) -> Tensor:
    """A tile's middle is a hill, of which only the top counts as one; kinds only where tiles are.

    What is on the slope of a hill hardly counts. Nothing else is weighed, so that what is learned are probabilities.
    """
    view, heat, kinds = lesson
    found = net(view)
    top = (heat > 0.8).float()
    weight = torch.where(top > 0, torch.ones(()), (1 - heat.clamp(0, 1)) ** 4) * (heat >= 0).float()
    blame = functional.binary_cross_entropy_with_logits(found[:, 0], top, weight, reduction="sum") / (top.sum() + 1)
    kind = functional.cross_entropy(found[:, 1:], kinds, ignore_index=-1)
    return blame + (kind if (kinds >= 0).any() else torch.zeros(()))


def closeup_loss(net: nn.Module, lesson: Lesson) -> Tensor:
    """Which piece or print it is, of all that close-ups tell apart."""
    seen, label = lesson
    return functional.cross_entropy(net(seen), label, label_smoothing=0.02)


def courses(learned: Taught) -> dict[str, Course]:
    """All networks by name."""
    kinds, labels = len(learned.kinds), len(learned.labels)
    parts = None if learned.parts is None else torch.from_numpy(learned.parts)
    reading = partial(ReaderLessons, learned=learned)
    closer = (
        {} if parts is None else {CLOSEUP: Course(partial(CloseUp, parts), CloseUpLessons, closeup_loss, 128, 2e-3)}
    )
    return closer | {
        "finder": Course(Finder, FinderLessons, finder_loss, 16, 2e-3),
        "aligner": Course(partial(Aligner, kinds), AlignerLessons, aligner_loss, 64, 2e-3),
        "fitter": Course(Fitter, FitterLessons, fitter_loss, 32, 2e-3),
        "reader": Course(partial(Reader, labels, learned.most_marks, parts), reading, ReaderLoss(learned), 16, 2e-3),
        "loose": Course(partial(Loose, labels, parts), LooseLessons, loose_loss, 16, 2e-3),
    }
