"""Photos of a folder, read; the work may be spread over processes or machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.decoding import Decoder
from companion.gamelog import Photo
from companion.gamelog.photos import digest
from companion.pipeline import PHOTO_ENDINGS, layout_of, load_networks, read_photo
from companion.reconcile.photolog.looks import with_reads
from engine import Setup
from engine.text import EditionName, Words, say
from vision.errors import VisionError
from vision.network import Families


@dataclass(frozen=True)
class Work:
    """A photo to read."""

    name: str
    data: bytes
    edition: str | None = None

    @property
    def sha256(self) -> str:
        """What the photo is called in the log."""
        return digest(self.data)


@dataclass(frozen=True)
class Done:
    """A photo that was read; `error` says why there is no reading."""

    work: Work
    reading: dict[str, Any] | None
    taken_at: str | None = None
    error: Words = ""

    @property
    def photo(self) -> Photo:
        """The photo as the log keeps it."""
        return Photo(self.work.data, self.taken_at, self.work.name)


def photos_in(folder: Path) -> list[Path]:
    """The photos of a folder and of the folders in it, by their names."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in PHOTO_ENDINGS and path.is_file())


def read_all(works: Iterable[Work], executor: Executor | None = None) -> Iterator[Done]:
    """Each photo read, in their order; by the executor's workers if there is one."""
    return executor.map(read_one, works) if executor else map(read_one, works)


def read_one(work: Work) -> Done:
    """Read a photo; one that cannot be read is told, so that the others still are."""
    try:
        read = read_photo(work.data, work.name, _networks(), work.edition, decode=_decoder().decode)
    except VisionError as error:
        return Done(work, None, error=error.words)
    reading = with_reads(read.table, read.sighting, layout_of(read.sighting.edition))
    return Done(work, reading, read.taken_at.isoformat() if read.taken_at else None)


def fitting(done: Done, setup: Setup[Any]) -> Done:
    """The photo itself, or why it is none of this game."""
    reading = done.reading
    if reading is None:
        return done
    boards = len(reading["boards"])
    if reading["edition"] != setup.edition:
        shown, own = EditionName(reading["edition"]), EditionName(setup.edition)
        why = say("the photo shows {edition}, but the game is {own}", edition=shown, own=own)
    elif reading["side"] != setup.side:
        why = say("the boards show another side than the one that the game was begun on")
    elif boards > setup.players:
        why = say(
            "the photo shows {boards} boards, but the game has {players} players", boards=boards, players=setup.players
        )
    else:
        return done
    return replace(done, reading=None, error=why)


@lru_cache
def _decoder() -> Decoder:
    """Each worker's own; it ends with the worker."""
    return Decoder()


@lru_cache
def _networks() -> Families:
    """Loaded once in each process."""
    return load_networks()
