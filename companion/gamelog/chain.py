"""Events chained by hash, and the newest link of each game in a file beside the database.

Each event is hashed together with the one before it, so a changed letter breaks the chain from there on. What the
database lost altogether, the anchors still know: how far each game had come.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from companion.files import replace_file

FILE = "anchors.jsonl"
GAME_FIELDS = ("id", "edition", "side", "players", "first", "options", "created_at")
EVENT_FIELDS = ("game", "n", "kind", "body", "photo", "at", "who")
MOST_BYTES = 2**20
"""A file of anchors that has grown beyond this is written anew, with one line for each game."""

logger = logging.getLogger(__name__)


class Anchor(NamedTuple):
    """How far a game had come."""

    n: int
    link: str


def first_link(game: Mapping[Any, Any]) -> str:
    """The link from which a game's events go on, by the game's row."""
    return _hash([game[name] for name in GAME_FIELDS])


def next_link(link: str, event: Mapping[Any, Any]) -> str:
    """The link of an event, by the one before and the event's row."""
    return _hash([link, *(event[name] for name in EVENT_FIELDS)])


def _hash(values: list[Any]) -> str:
    return sha256(json.dumps(values, ensure_ascii=True, default=repr).encode()).hexdigest()


class Anchors:
    """The newest link of each game, in a file that only grows."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def add(self, game: str, anchor: Anchor) -> None:
        """Note how far a game has come; it is logged already, so a disk that refuses is only warned of."""
        try:
            self._append(game, anchor)
        except OSError as error:
            logger.warning("%s cannot be written: %s", self.path, error)

    def forget(self, game: str) -> None:
        """Note that a game is deleted on purpose."""
        self._append(game, None)

    def read(self) -> dict[str, Anchor]:
        """The newest link of each game that is not deleted."""
        found: dict[str, Anchor] = {}
        for game, anchor in self._lines():
            if anchor is None:
                found.pop(game, None)
            elif game not in found or anchor.n >= found[game].n:
                found[game] = anchor
        return found

    def tidy(self) -> None:
        """Write the file anew where it has grown long."""
        with suppress(FileNotFoundError):
            if self.path.stat().st_size > MOST_BYTES:
                self.write(self.read().items())

    def write(self, anchors: Iterable[tuple[str, Anchor]]) -> None:
        """Write the whole file."""
        replace_file(self.path, b"".join(_line(game, anchor) for game, anchor in anchors))

    def _append(self, game: str, anchor: Anchor | None) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, _line(game, anchor))
            os.fsync(handle)
        finally:
            os.close(handle)

    def _lines(self) -> Iterator[tuple[str, Anchor | None]]:
        with suppress(FileNotFoundError):
            for line in self.path.read_bytes().splitlines():
                # A line that a power cut tore says nothing; what it would have said is in the database.
                with suppress(ValueError, TypeError, RecursionError):
                    game, n, link = json.loads(line)
                    yield str(game), Anchor(int(n), str(link)) if link else None


def _line(game: str, anchor: Anchor | None) -> bytes:
    # The line break comes first too, so that a torn line spoils only itself.
    return f"\n{json.dumps([game, *(anchor or (0, ''))])}\n".encode()
