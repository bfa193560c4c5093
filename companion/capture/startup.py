"""Starting after a crash: logs how the last run ended, and after several crashes starts without the camera."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.files import make_folder, sync, write_through
from companion.gamelog.errors import telling

RUNNING = "running.json"
SAFE_AFTER = 3
"""After so many crashes in a row, only what cannot be left out is started."""


@dataclass(frozen=True, slots=True)
class RunStart:
    """How often in a row the companion crashed before this start."""

    crashes: int

    @property
    def is_safe(self) -> bool:
        """Whether to start without the camera, so that the dashboard at least can tell what is wrong."""
        return self.crashes >= SAFE_AFTER


@contextmanager
def starting(folder: Path) -> Iterator[RunStart]:
    """Run within this: a run that does not come to its end, by an error or a power cut, counts as a crash."""
    path = folder / RUNNING
    with telling(f"starting in {folder}"):
        make_folder(folder)
        crashes = _crashes(path)
        _write(path, crashes + 1)
    try:
        yield RunStart(crashes)
    except KeyboardInterrupt:
        _end(path)
        raise
    _end(path)


def went_well(folder: Path) -> None:
    """Forget earlier crashes: the run has come so far that another crash would have another cause."""
    _write(folder / RUNNING, 1)


def _end(path: Path) -> None:
    with telling(f"ending in {path.parent}"):
        path.unlink()
        sync(path.parent)


def _write(path: Path, crashes: int) -> None:
    write_through(path, json.dumps({"crashes": crashes}).encode())
    sync(path.parent)


def _crashes(path: Path) -> int:
    """How many runs in a row did not end well; a file that was cut off is itself the trace of one."""
    try:
        return int(json.loads(path.read_bytes())["crashes"])
    except FileNotFoundError:
        return 0
    except (ValueError, KeyError, TypeError):
        return 1
