"""What lets people in: generated on this machine, kept beside the games, readable by its owner alone."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from companion.files import replace_file
from companion.gamelog.errors import telling
from engine.text import say

PIN_DIGITS = 6
FILE = "keys.json"


@dataclass(frozen=True, slots=True)
class Keys:
    """The secret that signs sessions, the table's token, the host's PIN."""

    secret: str
    token: str
    pin: str

    def mark(self, kind: str) -> str:
        """What a session keeps to show that it was let in; a new token or PIN makes it worthless."""
        word = {"table": self.token, "host": self.pin}[kind]
        return hmac.new(self.secret.encode(), f"{kind} {word}".encode(), sha256).hexdigest()


class KeyRing:
    """The keys in a file; the file is made when there is none."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        if self._path.exists():
            self.keys = Keys(**json.loads(self._path.read_text(encoding="utf-8")))
        else:
            self.keys = self._write(Keys(secrets.token_hex(32), _token(), _pin()))

    def new_token(self) -> None:
        """Let nobody correct any more who came with the old token."""
        self._change(replace(self.keys, token=_token()))

    def new_pin(self) -> None:
        """Let nobody change settings any more who came with the old PIN."""
        self._change(replace(self.keys, pin=_pin()))

    def _change(self, keys: Keys) -> None:
        with self._lock:
            self.keys = self._write(keys)

    def _write(self, keys: Keys) -> Keys:
        """The keys, once they are on the disk: nobody is told of any that a restart would forget."""
        with telling(say("keeping {file}", file=self._path)):
            replace_file(self._path, json.dumps(asdict(keys)).encode())
        return keys


def same(given: str, wanted: str) -> bool:
    """Whether two words are the same, in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _token() -> str:
    return secrets.token_urlsafe(24)


def _pin() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
