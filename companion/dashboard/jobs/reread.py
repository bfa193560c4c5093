"""A game's photos read anew by the present networks, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from companion.dashboard.drawing.pictures import Pictures
from companion.dashboard.jobs.album import read_apart, seconds_left
from companion.errors import CompanionError
from companion.gamelog import Game
from companion.photolog.reading import Done, Work
from companion.photolog.reread import outdated, reread
from engine.text import Words
from vision.network import Families


@dataclass
class Anew:
    """Photos that are being read anew, and how far that is."""

    game: Game
    total: int = 0
    done: int = 0
    found: int = 0
    """How many photos tell something else now."""
    problem: Words = ""
    is_over: bool = False
    begun_s: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> int | None:
        """How long reading will go on; None where nobody knows yet."""
        return seconds_left(self.begun_s, self.done, self.total)

    def start(self, pictures: Pictures, networks: Families) -> None:
        """Begin to read."""
        self.total = len(outdated(self.game))
        threading.Thread(target=self._run, args=(pictures, networks), name="anew", daemon=True).start()

    def _run(self, pictures: Pictures, networks: Families) -> None:
        try:
            self.found = len(reread(self.game, lambda works: self._read(works, pictures, networks)))
        except CompanionError as error:
            self.problem = error.words
        finally:
            self.is_over = True

    def _read(self, works: Iterable[Work], pictures: Pictures, networks: Families) -> Iterator[Done]:
        for done in read_apart(works, pictures, networks):
            yield done
            self.done += 1
