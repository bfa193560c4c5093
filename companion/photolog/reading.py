"""Photos of a folder, read on all cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from queue import SimpleQueue
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
from vision.photo import DecodedPhoto

MOST_WORKERS = 8
"""So many photos are read at a time at most: each takes up to 200 MB meanwhile."""
AHEAD = 2
"""So many photos for each worker are taken up before the first of them is done."""


@dataclass(frozen=True)
class Work:
    """A photo to read, or where it lies: then it is in memory only while it is read."""

    name: str
    source: bytes | Path
    edition: str | None = None

    @property
    def data(self) -> bytes:
        """The file."""
        return self.source.read_bytes() if isinstance(self.source, Path) else self.source

    @cached_property
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


def read_all(works: Iterable[Work], jobs: int | None = None) -> Iterator[Done]:
    """Each photo read, in their order: by so many threads, or on all cores, that share the networks."""
    jobs, networks = jobs or workers(), _networks()
    decoders: SimpleQueue[Decoder] = SimpleQueue()
    for _ in range(jobs):
        decoders.put(Decoder())

    def read(work: Work) -> Done:
        decoder = decoders.get()
        try:
            return read_one(work, networks, decoder.decode)
        finally:
            decoders.put(decoder)

    try:
        yield from in_turn(read, works, jobs)
    finally:
        while not decoders.empty():
            decoders.get().close()


def in_turn(read: Callable[[Work], Done], works: Iterable[Work], jobs: int) -> Iterator[Done]:
    """Each photo read by so many threads, in their order; few are taken up at a time, so that memory stays bounded."""
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(jobs) as threads:
        for work in works:
            waiting.append(threads.submit(read, work))
            if len(waiting) >= AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def workers(spared: int = 0) -> int:
    """How many photos are read at a time, where so many cores are left to others."""
    return max(1, min(MOST_WORKERS, (os.cpu_count() or 1) - spared))


def read_one(work: Work, networks: Families, decode: Callable[[bytes, str], DecodedPhoto]) -> Done:
    """Read a photo; one that cannot be read is told, so that the others still are."""
    try:
        read = read_photo(work.data, work.name, networks, work.edition, decode=decode)
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
def _networks() -> Families:
    """Loaded once in each process."""
    return load_networks()
