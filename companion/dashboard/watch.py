"""Noticing what is logged, by this program or another, and waking those who wait for it."""

from __future__ import annotations

import logging
import threading

from companion.gamelog import GameLog, GameLogError

POLL_S = 0.15
"""How often the log is looked at: an update has to reach everybody within a second of being logged."""
PATIENCE_S = 5.0
"""How long to leave a log alone that cannot be read."""

logger = logging.getLogger(__name__)


class Watcher:
    """Knows the last event of every game; one look at the log serves everybody who waits."""

    def __init__(self, log: GameLog) -> None:
        self._log = log
        self._latest: dict[str, int] = {}
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._look()
        self._thread.start()

    def close(self) -> None:
        """Stop looking, and let everybody go who waits."""
        self._ending.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will be noticed."""
        return self._ending.is_set()

    def wait(self, game: str, after: int, timeout_s: float) -> bool:
        """Wait until a game has more events than these, or the time is over; whether it has."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or self._latest.get(game, 0) > after, timeout_s)
            return self._latest.get(game, 0) > after

    def newest(self, known: int, timeout_s: float) -> int:
        """Wait until there are not as many games as that, or the time is over; how many there are."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or len(self._latest) != known, timeout_s)
            return len(self._latest)

    def poke(self) -> None:
        """Look now: something was logged here."""
        self._look()

    def _run(self) -> None:
        pause = POLL_S
        while not self._ending.wait(pause):
            try:
                self._look()
                pause = POLL_S
            except GameLogError as error:
                logger.warning("the log cannot be watched: %s", error)
                pause = PATIENCE_S

    def _look(self) -> None:
        latest = self._log.latest()
        with self._changed:
            if latest != self._latest:
                self._latest = latest
                self._changed.notify_all()
