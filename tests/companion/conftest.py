"""Readings made by hand, so that what is done with them can be tested without looking at pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.pipeline import Reading, layout_of, load_networks
from companion.reconcile.photo import to_table
from engine import load
from vision.cells import UNSEEN, tile_cells, tracks
from vision.network import Families
from vision.pose import homography_of, pose_of
from vision.sighting import Located, LooseTile, SeenHeap, SeenSurface, Sighting

SIZE = (900, 600)
CORNERS = np.array([[30, 40], [480, 45], [470, 500], [25, 490]], float)
LETTERS = ".BYRKW1?"

Board = Mapping[str, Any]
Read = Callable[..., Reading]


@pytest.fixture(scope="session")
def networks() -> Families:
    """The networks that come with the companion."""
    return load_networks()


@contextmanager
def _mounted(what: Path | str, folder: Path, *options: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", *options, str(what), str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def mounted() -> Callable[..., AbstractContextManager[Path]]:
    """Mounts a disk, or a file system in a file, at a folder for a while."""
    tools = all(shutil.which(tool) for tool in ("mkfs.ext4", "mount", "umount"))
    if not tools or os.geteuid() or not Path("/dev/loop-control").exists():
        pytest.skip("mounting a file system in a file takes root")
    return _mounted


def sight(board: Board, unsure: Mapping[str, tuple[str, float]]) -> Sighting:
    """A sighting of one board with a disc and a tile beside it; `unsure` cells are seen as another letter so likely."""
    layout = layout_of("azul")
    surface = layout.surfaces[0]
    pose = pose_of(homography_of(CORNERS, surface.width_mm, surface.height_mm), 720.0, SIZE)
    known = load("azul").parse_table({"boards": [board]}).part(1).cells
    cells = {}
    for cell in tile_cells(layout):
        reads = dict.fromkeys(LETTERS, 0.0) | {known[cell.name]: 1.0}
        if cell.name in unsure:
            other, chance = unsure[cell.name]
            reads |= {known[cell.name]: 1 - chance, other: chance}
        cells[cell.name] = reads
    (track,) = tracks(layout)
    score = {cell.name.split(".")[1]: float(cell.name == f"score.{board['score']}") for cell in track.cells}
    seen = SeenSurface(
        1, Located(CORNERS, "azul coloured", 0.99, "print"), pose, cells, {(1, "score"): score | {UNSEEN: 0.0}}
    )
    tile = LooseTile((700.0, 100.0), (400.0, 30.0), 0.999, dict.fromkeys("YRKW1", 0.0) | {"B": 1.0})
    loose = LooseTile((650.0, 400.0), (370.0, 220.0), 0.7, dict.fromkeys("BYRW1", 0.0) | {"K": 1.0})
    disc = SeenHeap((700.0, 110.0), 0.99, (tile,) * 4)
    return Sighting(SIZE, "azul", "coloured", (seen,), (disc,), (loose,), {"locate": 5.0, "read": 3.0})


@pytest.fixture
def read() -> Read:
    """Makes the reading of a board that was seen perfectly, but for the unsure cells."""

    def make(board: Board, unsure: Mapping[str, tuple[str, float]] | None = None, photo: str = "hand.jpg") -> Reading:
        sighting = sight(board, unsure or {})
        table = {"photo": photo, **to_table(sighting, load("azul"))}
        table["timing_ms"] = {"decode": 2.0, **sighting.spent_ms, "total": 10.0}
        return Reading(np.full((SIZE[1], SIZE[0], 3), 90, np.uint8), sighting, table)

    return make
