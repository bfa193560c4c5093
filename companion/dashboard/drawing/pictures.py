"""Photos as pages show them, decoded by a program of its own that may fail without harm."""

from __future__ import annotations

import threading
from collections import OrderedDict

from companion.decoding import Decoder
from companion.gamelog import GameLog
from companion.reconcile.live.outcome import Box
from vision.photo import DecodedPhoto

KEPT = 60
"""Small pictures kept in memory, some hundred kilobytes each."""
USUAL_PX = 1000
"""How wide the last photo is shown."""

Key = tuple[str, int, Box | None, int]
"""Which picture: of a photo, so wide, a part of it, turned."""


class Pictures:
    """Decodes photos, and keeps the small ones that everybody looks at."""

    def __init__(self, log: GameLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._decoder = Decoder()
        self._sizes: dict[str, tuple[int, int]] = {}
        self._kept: OrderedDict[Key, bytes] = OrderedDict()

    def jpeg(self, sha256: str, width: int, box: Box | None = None, turn: int = 0) -> bytes:
        """A photo of the log, or a part of it that stands turned by so many degrees, so many pixels wide."""
        key = (sha256, width, box, turn)
        if kept := self._known(key):
            return kept
        with self._decoder.turn:
            # When a photo comes, everybody asks for it at once: the first has it decoded, the others find it here.
            if kept := self._known(key):
                return kept
            data = self._log.read_photo(sha256)
            told, jpeg = self._decoder.ask({"as": "jpeg", "width": width, "box": box, "turn": turn}, data, "")
            with self._lock:
                self._sizes[sha256] = (told["width"], told["height"])
                self._kept[key] = jpeg
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return jpeg

    def _known(self, key: Key) -> bytes | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def size(self, sha256: str) -> tuple[int, int]:
        """Width and height of a photo of the log."""
        known = self._sizes.get(sha256)
        if known is None:
            self.jpeg(sha256, USUAL_PX)
            known = self._sizes[sha256]
        return known

    def forget(self) -> None:
        """Keep nothing in memory: what was deleted has to be gone."""
        with self._lock:
            self._kept.clear()
            self._sizes.clear()

    def small(self, data: bytes, width: int, box: Box | None = None, turn: int = 0) -> bytes:
        """A photo that is in no log yet, or a part of it that stands turned, so many pixels wide."""
        return self._decoder.ask({"as": "jpeg", "width": width, "box": box, "turn": turn}, data, "")[1]

    def decode(self, data: bytes, name: str) -> DecodedPhoto:
        """The picture in a file's bytes."""
        return self._decoder.decode(data, name)

    def close(self) -> None:
        """End the program."""
        self._decoder.close()
