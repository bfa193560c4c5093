"""Who came in, what was changed about that, and what was deleted: a file that only grows, with the one before it."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.gamelog.events import now

FILE, EARLIER = "audit.jsonl", "audit.1.jsonl"
MOST_BYTES = 2**20

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Audited:
    """Something that was done."""

    what: str
    """The name of a kind, such as `pin_wrong`."""
    who: str = ""
    """What the device is called."""
    address: str = ""
    about: str = ""
    """The game or the device."""
    at: str = ""


class Audit:
    """The file."""

    def __init__(self, folder: Path) -> None:
        self._path, self._earlier = folder / FILE, folder / EARLIER
        self._lock = threading.Lock()

    def note(self, done: Audited) -> None:
        """Write down that something was done now; a disk that refuses does not undo it, and is warned of."""
        line = json.dumps(asdict(done) | {"at": now()}).encode() + b"\n"
        try:
            with self._lock:
                self._append(line)
        except OSError as error:
            logger.warning("%s cannot be written: %s", self._path, error)

    def last(self, most: int) -> list[Audited]:
        """What was done last, the latest first."""
        found = [*self._lines(self._earlier), *self._lines(self._path)]
        return found[: -most - 1 : -1]

    def _append(self, line: bytes) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line)
            os.fsync(handle)
            is_long = os.fstat(handle).st_size > MOST_BYTES
        finally:
            os.close(handle)
        if is_long:
            self._path.replace(self._earlier)

    def _lines(self, path: Path) -> Iterator[Audited]:
        with suppress(FileNotFoundError):
            for line in path.read_bytes().splitlines():
                # A line that a power cut tore.
                with suppress(ValueError, TypeError, RecursionError):
                    yield Audited(**json.loads(line))
