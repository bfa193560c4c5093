"""Noticing what is logged, by this program at once, by another soon, and waking those who wait for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Set

from companion.gamelog import GameLog, GameLogError

POLL_S = 0.15
"""How often the log is looked at for what other programs logged: it has to reach everybody within a second."""
PATIENCE_S = 5.0
"""How long to leave a log alone that cannot be read."""

logger = logging.getLogger(__name__)


class Watcher:
    """Knows the last event of every game; one look at the log serves everybody who waits."""

    def __init__(self, log: GameLog) -> None:
        self._log = log
        self._latest: dict[str, int] = {}
        self.newest = ""
        """The game that was begun last; empty while there is none."""
        self._counted: Set[str] = frozenset()
        """The games of the last look at the log."""
        self._stop_listening: Callable[[], None] = lambda: None
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._look()
        self._stop_listening = self._log.listen(self._hear)
        self._thread.start()

    def close(self) -> None:
        """Stop looking, and let everybody go who waits."""
        self._ending.set()
        self._stop_listening()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will be noticed."""
        return self._ending.is_set()

    @property
    def games(self) -> frozenset[str]:
        """Every game that there is."""
        return frozenset(self._latest)

    def wait(self, game: str, after: int, newest: str, timeout_s: float) -> int:
        """Wait until a game has more events than these, or another game than `newest` is begun, or the time is over.

        Returns the number of the game's last event.
        """

        def is_news() -> bool:
            return self.is_closed or self._latest.get(game, 0) > after or self.newest != newest

        with self._changed:
            self._changed.wait_for(is_news, timeout_s)
            return self._latest.get(game, 0)

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

    def _hear(self, game: str, n: int) -> None:
        """What is logged by this program need not be looked for."""
        with self._changed:
            self._latest = {**self._latest, game: n}
            self._changed.notify_all()

    def _look(self) -> None:
        found = self._log.latest()
        begun = self.newest
        if found.keys() != self._counted:
            begun = next((game.id for game in self._log.games()), "")
        self._counted = found.keys()
        with self._changed:
            # Something may have been heard of while the log was being asked.
            latest = {game: max(n, self._latest.get(game, 0)) for game, n in found.items()}
            if latest != self._latest or begun != self.newest:
                self._latest, self.newest = latest, begun
                self._changed.notify_all()
