"""Cells that are printed alike, on all boards of a table: those that are plain show what print and tile look like here.

Print and tiles of one set under one lamp differ in colour wherever they do so at all. So each cell is compared with the
plain ones. What that may say is bounded: a cell that is likelier than one in seven to be otherwise stays in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.layout import Cell
from vision.cells import EMPTY
from vision.network import Floats
from vision.pose import Array
from vision.rectify import Picture
from vision.sighting import Reads

PLAIN = 0.995
"""Cells that are read so surely are compared with."""
MOST_SAID = np.log(12.0)
"""How much comparing may weigh."""
STRANGE = 20.0
"""What is so far (squared, in spreads) from print and from tiles is like neither, and nothing is said."""
SPREAD = 0.05
"""How much, at least, cells of one kind differ (natural logarithm of their light)."""
SPOT_PX = 9
"""How much of a cell's middle is compared."""
DARKEST = 0.03
"""What is darker than this share of white looks alike."""
COLOURS = 6
"""Of what is compared: three in each cut."""


@dataclass(frozen=True)
class Alike:
    """What was read of a board, and how its cells for tiles look."""

    reads: Mapping[str, Reads]
    looks: Floats
    """(cells, COLOURS)"""


def looks_of(view: Picture, white: Floats, points: Floats) -> Floats:
    """How light cells are about these points against white, in both cuts, blue first: (cells, COLOURS)."""
    x, y = np.rint(points).astype(int).T[..., None, None]
    around = np.arange(SPOT_PX) - SPOT_PX // 2
    spots = view[:, y + around[:, None], x + around].mean(axis=(2, 3), dtype=np.float32) / white
    return np.log(np.concatenate(list(spots), axis=1) + DARKEST)


def compared(boards: Sequence[Alike], cells: Sequence[Cell], side: str) -> list[dict[str, Reads]]:
    """The readings of these cells on all boards, those of printed cells weighed by how plain ones look."""
    names = [cell.name for cell in cells]
    printed: dict[str, list[int]] = {}
    for i, cell in enumerate(cells):
        if letter := cell.printed(side):
            printed.setdefault(letter, []).append(i)
    groups = {
        letter: (_plain(boards, names, here, EMPTY), _plain(boards, names, range(len(cells)), letter))
        for letter, here in printed.items()
    }
    near = _nearness([group for pair in groups.values() for group in pair if len(group)])
    weighed = [dict(board.reads) for board in boards]
    for letter, (bare, tiles) in groups.items():
        if not len(bare) or not len(tiles):
            continue
        here = printed[letter]
        said = _said(np.concatenate([board.looks[here] for board in boards]), bare, tiles, near)
        for own, row in zip(weighed, said.reshape(-1, len(here)).tolist(), strict=True):
            own.update((names[i], _weighed(own[names[i]], letter, much)) for i, much in zip(here, row, strict=True))
    return weighed


def _plain(boards: Sequence[Alike], names: Sequence[str], cells: Sequence[int], kind: str) -> Array:
    """How those of these cells look that are plainly of a kind."""
    found = [board.looks[i] for board in boards for i in cells if board.reads[names[i]][kind] > PLAIN]
    return np.array(found, np.float64).reshape(-1, COLOURS)


def _nearness(groups: Sequence[Array]) -> Array:
    """What distances are measured by: looks count less where cells of one group differ more, by shade and lamp."""
    inner = np.concatenate([np.zeros((1, COLOURS)), *(group - group.mean(axis=0) for group in groups)])
    free = max(1, len(inner) - 1 - len(groups))
    return np.asarray(np.linalg.inv(inner.T @ inner / free + SPREAD**2 * np.eye(COLOURS)))


def _said(looks: Floats, bare: Array, tiles: Array, near: Array) -> Array:
    """How much rather each cell looks like a tile than bare (natural logarithm)."""
    away, odds = [], []
    for group in (bare, tiles):
        off = looks - group.mean(axis=0)
        # Of a group with few members it is hardly known where its middle is.
        wide = 1 + 1 / len(group)
        away.append((off @ near * off).sum(axis=1) / wide)
        odds.append(-0.5 * away[-1] - 0.5 * COLOURS * np.log(wide))
    said = np.clip(odds[1] - odds[0], -MOST_SAID, MOST_SAID)
    return np.where(np.minimum(*away) > STRANGE, 0.0, said)


def _weighed(reads: Reads, letter: str, said: float) -> Reads:
    """A cell's reading with its printed letter so much likelier."""
    chances = {kind: chance * (float(np.exp(said)) if kind == letter else 1.0) for kind, chance in reads.items()}
    total = sum(chances.values())
    return {kind: chance / total for kind, chance in chances.items()}
