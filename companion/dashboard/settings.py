"""What the host has chosen, kept as TOML beside the games."""

from __future__ import annotations

import threading
import tomllib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit

from companion.errors import CompanionError
from companion.files import replace_file
from companion.gamelog.errors import telling
from engine import load, slugs
from engine.text import say

FILE = "dashboard.toml"
MOST_DAYS = 3650


class SettingsError(CompanionError):
    """Settings that cannot be used."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The host's choices."""

    language: str = ""
    """For devices that have not chosen one; empty for what their browsers ask for."""
    keep_days: int = 0
    """After how many days games are deleted, with their photos; 0 keeps them."""
    wizard_done: bool = False
    edition: str = "azul"
    side: str = "coloured"
    profile: str = ""
    """What the players' own boards print, by the name under which it is kept; empty where nothing is entered."""
    players: list[str] = field(default_factory=list)
    by_phone: bool = False
    """Whether new games are followed by photos that phones send, instead of a camera at the table."""
    phone_game: str = ""
    """The game that is followed in that way now."""
    by_hand: bool = False
    """Whether people enter the moves of new games, so that no camera follows them."""
    hand_game: str = ""
    """The newest game that is kept in that way."""


def _checked(settings: Settings) -> Settings:
    """The settings, if each is what it may be."""
    for name, standard in asdict(Settings()).items():
        if type(getattr(settings, name)) is not type(standard):
            raise TypeError(f"{name} must be written like {standard!r}")
    if not 0 <= settings.keep_days <= MOST_DAYS:
        raise ValueError(f"keep_days is {settings.keep_days}; 0 to {MOST_DAYS} are possible, and 0 keeps all games")
    if settings.edition not in slugs() or settings.side not in load(settings.edition).sides:
        raise ValueError(f"there is no edition {settings.edition!r} with a side {settings.side!r}")
    if not all(isinstance(name, str) for name in settings.players):
        raise TypeError("players must be names")
    return settings


class SettingsFile:
    """The settings in a file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self.now = self._read()

    def change(self, **changes: Any) -> None:
        """Change some of them; on the disk when this returns."""
        with self._lock:
            changed = replace(self.now, **changes)
            with telling(say("keeping {file}", file=self._path)):
                replace_file(self._path, tomlkit.dumps(asdict(changed)).encode())
            self.now = changed

    def _read(self) -> Settings:
        if not self._path.exists():
            return Settings()
        try:
            return _checked(Settings(**tomllib.loads(self._path.read_text(encoding="utf-8"))))
        except (ValueError, TypeError, RecursionError) as error:
            raise SettingsError(
                f"{self._path} cannot be used: {error}; correct it, or delete it to begin anew"
            ) from error
