"""A folder of photos becoming a game, in a thread of its own: reading takes a second or two for each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.dashboard.drawing.pictures import Pictures
from companion.dashboard.snapshot import Snapshot
from companion.errors import CompanionError
from companion.gamelog import GameLog, PhotoRead
from companion.photolog.memory import SCRIBE
from companion.photolog.reading import Done, Work
from companion.photolog.scribe import log_photos
from companion.pipeline import layout_of, read_picture
from companion.reconcile.photolog.looks import with_reads
from engine import Start, load
from engine.errors import EngineError
from engine.text import Words, say
from vision.errors import VisionError
from vision.network import Families

MOST_PHOTOS = 200

reading_turn = threading.Lock()
"""One photo is read at a time: a Pi has other things to do as well."""


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
            for work in self.works:
                self.done.append(read_apart(work, pictures, networks))
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


def read_apart(work: Work, pictures: Pictures, networks: Families) -> Done:
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
