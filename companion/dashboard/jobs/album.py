"""A folder of photos becoming a game, while people go on: reading takes a second or two for each."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from companion.dashboard.drawing.pictures import Pictures
from companion.dashboard.snapshot import Snapshot
from companion.errors import CompanionError
from companion.gamelog import GameLog, PhotoRead
from companion.photolog.memory import SCRIBE
from companion.photolog.reading import Done, Work, in_turn, workers
from companion.photolog.scribe import log_photos
from companion.pipeline import layout_of, read_picture
from companion.reconcile.photolog.looks import with_reads
from engine import Start, load
from engine.errors import EngineError
from engine.text import Words, say
from vision.errors import VisionError
from vision.network import Families

MOST_PHOTOS = 200

reading_turn = threading.BoundedSemaphore(workers(spared=1))
"""One core is left to everything else: a Pi has other things to do as well."""


@dataclass
class Album:
    """Photos that are being read, and what came of them."""

    works: Sequence[Work]
    names: tuple[str, ...] = ()
    first: int = 1
    done: list[Done] = field(default_factory=list)
    game: str = ""
    """The game that was made."""
    problem: Words = ""
    """Why none was."""
    begun_s: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> int | None:
        """How long reading will go on; None where nobody knows yet."""
        return seconds_left(self.begun_s, len(self.done), len(self.works))

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return bool(self.game or self.problem)

    @property
    def errors(self) -> list[tuple[str, Words]]:
        """The photos that cannot be used, and why."""
        return [(each.work.name, each.error) for each in self.done if each.error]

    def start(self, log: GameLog, pictures: Pictures, networks: Families) -> None:
        """Begin to read."""
        arguments = (log, pictures, networks)
        threading.Thread(target=self._run, args=arguments, name="album", daemon=True).start()

    def _run(self, log: GameLog, pictures: Pictures, networks: Families) -> None:
        try:
            for done in read_apart(self.works, pictures, networks):
                self.done.append(done)
            game = log.create(self._agreed())
            log_photos(game, self.done)
        except (CompanionError, EngineError) as error:
            self.problem = error.words
        else:
            self.game = game.id

    def _agreed(self) -> Start:
        """What is agreed before the game, as far as photos and people tell."""
        readings = [each.reading for each in self.done if each.reading is not None]
        if not readings:
            raise CompanionError(say("none of the photos can be read, so there is no game to make"))
        widest = max(readings, key=lambda reading: len(reading["boards"]))
        edition = load(widest["edition"])
        players = len(self.names) or max(len(widest["boards"]), edition.players[0])
        return Start(edition, edition.setup(widest["side"], players, self.first), self.names)


def read_apart(works: Iterable[Work], pictures: Pictures, networks: Families) -> Iterator[Done]:
    """Each photo read, in their order, on all cores but one."""
    return in_turn(partial(_read, pictures, networks), works, workers(spared=1))


def seconds_left(begun_s: float, done: int, total: int) -> int | None:
    """How long the rest of so many photos will take, by what those that are done took; None before the first is."""
    return round((time.monotonic() - begun_s) / done * (total - done)) if done else None


def _read(pictures: Pictures, networks: Families, work: Work) -> Done:
    """Read a photo, decoded apart from everything else; one that cannot be read is told."""
    try:
        decoded = pictures.decode(work.data, work.name)
        with reading_turn:
            read = read_picture(decoded.picture, networks, work.edition, (), decoded.focal_px)
    except VisionError as error:
        return Done(work, None, error=error.words)
    reading = with_reads(read.table, read.sighting, layout_of(read.sighting.edition))
    return Done(work, reading, decoded.taken_at.isoformat() if decoded.taken_at else None)


def bring_up_to_date(snapshot: Snapshot) -> None:
    """Let a game that was made of photos heed what people said; one that a camera follows does so by itself."""
    if is_of_photos(snapshot):
        log_photos(snapshot.game, [])


def is_of_photos(snapshot: Snapshot) -> bool:
    """Whether a game was made of photos, and not followed by a camera."""
    photos = [entry for entry in snapshot.entries.values() if isinstance(entry.event, PhotoRead)]
    return bool(photos) and all(entry.who == SCRIBE for entry in photos)
