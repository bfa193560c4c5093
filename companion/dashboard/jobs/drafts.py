"""Photos that somebody looks at and has not decided to keep: files by a number that nobody can guess."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.files import replace_file
from companion.gamelog.errors import GameLogError, telling
from engine.text import say

DRAFT = re.compile(r"[0-9a-f]{32}")
KEPT_S = 24 * 3600
MOST_DRAFTS = 40


@dataclass(frozen=True)
class Draft:
    """A photo with what was read in it, or why nothing was."""

    id: str
    data: bytes
    told: Mapping[str, Any]


class Drafts:
    """A folder of drafts; old ones are deleted when new ones come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, data: bytes, told: Mapping[str, Any], id_: str = "") -> str:
        """Keep a photo for a while; the number by which it is found again."""
        self._sweep()
        new = secrets.token_hex(16)
        try:
            with telling(say("keeping {file}", file=self._folder / new)):
                if not id_:
                    replace_file(self._folder / f"{new}.photo", data)
                replace_file(self._folder / f"{id_ or new}.json", json.dumps(told).encode())
        except GameLogError:
            self.discard(new)
            raise
        return id_ or new

    def load(self, id_: str) -> Draft | None:
        """The draft of that number, if there is one."""
        if not DRAFT.fullmatch(id_) or not (self._folder / f"{id_}.json").exists():
            return None
        told = json.loads((self._folder / f"{id_}.json").read_text(encoding="utf-8"))
        return Draft(id_, (self._folder / f"{id_}.photo").read_bytes(), told)

    def discard(self, id_: str) -> None:
        """Delete a draft; it is gone when this returns."""
        if DRAFT.fullmatch(id_):
            for path in self._folder.glob(f"{id_}.*"):
                path.unlink(missing_ok=True)

    def _sweep(self) -> None:
        by_age = sorted(self._folder.glob("*.photo"), key=lambda path: path.stat().st_mtime)
        old = [path for path in by_age if time.time() - path.stat().st_mtime > KEPT_S]
        for path in {*old, *by_age[: max(0, len(by_age) - MOST_DRAFTS + 1)]}:
            self.discard(path.stem)
