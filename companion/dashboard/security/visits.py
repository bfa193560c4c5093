"""Devices that came in, kept across restarts, so that each can be sent away by itself."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.files import replace_file
from companion.gamelog.errors import telling
from companion.gamelog.events import now
from engine.text import say

FILE = "visits.json"
MOST = 500
"""Devices kept; where more come in, the first are forgotten."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Visit:
    """A device that has shown the table's token or the host's PIN."""

    id: str
    device: str
    address: str
    since: str
    marks: Mapping[str, str]
    """For `table` and `host` the mark of the key that was shown."""


class Visits:
    """The devices in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._known = self._read()

    def get(self, id_: object) -> Visit | None:
        """The device of that id, if it was let in and not sent away."""
        return self._known.get(id_) if isinstance(id_, str) else None

    def all(self) -> list[Visit]:
        """Every device, the last that came in first."""
        return list(reversed(self._known.values()))

    def let_in(self, before: Visit | None, kind: str, mark: str, device: str, address: str) -> Visit:
        """Note that a device has shown a key; it gets another id, so that one that somebody else knew is worthless."""
        marks = {**(before.marks if before else {}), kind: mark}
        visit = Visit(secrets.token_hex(16), device, address, now(), marks)
        self._change(before.id if before else "", visit)
        return visit

    def end(self, id_: str) -> None:
        """Send a device away."""
        self._change(id_, None)

    def _change(self, gone: str, new: Visit | None) -> None:
        with self._lock:
            visits = [visit for visit in self._known.values() if visit.id != gone]
            visits = [*visits, *([new] if new else [])][-MOST:]
            with telling(say("keeping {file}", file=self._path)):
                replace_file(self._path, json.dumps([asdict(visit) for visit in visits]).encode())
            self._known = {visit.id: visit for visit in visits}

    def _read(self) -> dict[str, Visit]:
        try:
            visits = [Visit(**written) for written in json.loads(self._path.read_bytes())]
            return {str(visit.id): visit for visit in visits if isinstance(visit.marks, dict)}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, RecursionError) as error:
            logger.warning("%s cannot be used (%s): every device has to come in anew", self._path, error)
            return {}
