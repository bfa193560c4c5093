"""What lets people in: generated on this machine, kept beside the games, readable by its owner alone."""

from __future__ import annotations

import hmac
import json
import logging
import re
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from companion.files import GROUP_AND_OTHERS, keep_private, replace_file
from companion.gamelog.errors import telling
from engine.text import say

PIN_DIGITS = 6
FILE = "keys.json"

logger = logging.getLogger(__name__)


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


def _checked(keys: Keys) -> Keys:
    """The keys, if each is as long as one that was made here."""
    patterns = {"secret": r"[0-9a-f]{64}", "token": r"[\w-]{32,}", "pin": rf"[0-9]{{{PIN_DIGITS},}}"}
    for name, pattern in patterns.items():
        if not re.fullmatch(pattern, getattr(keys, name)):
            raise ValueError(name)
    return keys


class KeyRing:
    """The keys in a file; the file is made when there is none that can be used."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self.keys = self._read() or self._write(Keys(secrets.token_hex(32), _token(), _pin()))

    def new_token(self) -> None:
        """Let nobody correct any more who came with the old token."""
        self._change(replace(self.keys, token=_token()))

    def new_pin(self) -> None:
        """Let nobody change settings any more who came with the old PIN."""
        self._change(replace(self.keys, pin=_pin()))

    def _read(self) -> Keys | None:
        """The keys of the file; none where there is none, or where it lets anybody in, or nobody."""
        with telling(say("keeping {file}", file=self._path)):
            if not self._path.exists():
                return None
            if keep_private(self._path, GROUP_AND_OTHERS):
                logger.warning("%s could be read by others: make a new PIN and a new code in the settings", self._path)
            try:
                return _checked(Keys(**json.loads(self._path.read_bytes())))
            except (ValueError, TypeError, RecursionError):
                logger.warning("%s was damaged: a new PIN and a new code are made, for everybody", self._path)
                return None

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
