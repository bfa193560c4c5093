"""Wrong PINs of the last hour, kept across restarts: strangers' guesses never shut out those who are known."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

from companion.files import replace_file
from companion.gamelog.errors import telling
from engine.text import say

FILE = "wrong-pins.json"
HOUR_S = 3600
MOST_AN_HOUR = 60
"""By all of one kind together: many devices, or one that claims many addresses, must not guess faster."""


class Tries:
    """When wrong PINs were entered, by kind of device, in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._failed_s = self._read()

    def are_too_many(self, kind: str) -> bool:
        """Whether devices of this kind have to wait."""
        return len(self._recent(kind)) >= MOST_AN_HOUR

    def note(self, kind: str) -> None:
        """Note a wrong PIN."""
        with self._lock:
            self._failed_s[kind] = [*self._recent(kind), time.time()]
            with telling(say("keeping {file}", file=self._path)):
                replace_file(self._path, json.dumps(self._failed_s).encode())

    def _recent(self, kind: str) -> list[float]:
        now_s = time.time()
        # What seems to lie ahead was noted by a clock that has been set back since.
        return [min(at_s, now_s) for at_s in self._failed_s.get(kind, []) if now_s - at_s < HOUR_S]

    def _read(self) -> dict[str, list[float]]:
        try:
            kept = json.loads(self._path.read_bytes())
            return {str(kind): [float(at_s) for at_s in failed] for kind, failed in kept.items()}
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}
