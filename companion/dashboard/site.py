"""What the pages work with: handed to the app once, asked for by `site()`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flask import abort, current_app

from companion.capture.cameras import Window
from companion.capture.phone import Phone
from companion.dashboard.drawing.pictures import Pictures
from companion.dashboard.jobs.album import Album
from companion.dashboard.jobs.drafts import Drafts
from companion.dashboard.jobs.reread import Anew
from companion.dashboard.live.watch import Watcher
from companion.dashboard.security.audit import Audit
from companion.dashboard.security.keys import KeyRing, Keys
from companion.dashboard.security.tries import Tries
from companion.dashboard.security.visits import Visits
from companion.dashboard.settings import SettingsFile
from companion.dashboard.snapshot import Book
from companion.dashboard.text.words import gettext as _
from companion.gamelog import GameLog
from companion.gamelog.trash import put_away
from engine.text import Words
from hardware.calibration import SheetView
from vision.network import Families


@dataclass(frozen=True)
class TestShot:
    """A picture that the camera took as a test, small, and what was read in it."""

    jpeg: bytes
    reading: dict[str, Any] | None
    size_px: tuple[int, int]
    """Of the picture that was read."""
    problem: Words = ""
    """Why nothing was read in it."""


@dataclass
class Site:
    """The game log and what is kept beside it."""

    log: GameLog
    ring: KeyRing
    visits: Visits
    tries: Tries
    audit: Audit
    settings: SettingsFile
    watcher: Watcher
    pictures: Pictures
    networks: Callable[[], Families]
    """The networks; loaded by the first who asks."""
    address: str
    """Where devices in the same network find the dashboard; empty where the browser's own address will do."""
    drafts: Drafts
    phone: Phone
    """The photos of phones, as the camera of a game."""
    own_browser: bool = False
    """Whether browsers on this machine are devices of the table: where somebody started the dashboard by hand."""
    window: Window | None = None
    """Through which to see what the camera sees, where one looks at the table."""
    test_shot: TestShot | None = None
    """The last test of the camera, while it is being set up."""
    sheet: list[SheetView] = field(default_factory=list)
    """How the camera has seen the sheet that its lens is measured with."""
    simulated: str = ""
    """The game that is played at a simulated table, before the only camera that can see it."""
    albums: dict[str, Album] = field(default_factory=dict)
    """Folders of photos that are being made into games."""
    anew: dict[str, Anew] = field(default_factory=dict)
    """Games whose photos are being read anew."""
    _books: dict[str, Book] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def keys(self) -> Keys:
        """The keys as they are now."""
        return self.ring.keys

    def book(self, name: str) -> Book:
        """A game by its whole id; no such game is a 404."""
        with self._lock:
            if name not in self._books:
                found = next((game for game in self.log.games() if game.id == name), None)
                if found is None:
                    abort(404, _("There is no such game."))
                self._books[name] = Book(found)
            return self._books[name]

    @property
    def elsewhere(self) -> str:
        """The newest game that the camera at the table is to leave alone; empty where there is none."""
        games = self.log.games()
        kept = (self.phone.game, self.settings.now.hand_game)
        return games[0].id if games and games[0].id in kept else ""

    def follow_by_phone(self, game: str) -> None:
        """Follow a game by photos of phones, or with an empty name none; remembered for the next start."""
        self.settings.change(phone_game=game)
        self.phone.follow(game)

    def forget(self, name: str, at: datetime | None = None) -> None:
        """Delete a game and its photos: kept for a while as deleted at that moment, or for good."""
        if name == self.phone.game:
            self.follow_by_phone("")
        with self._lock:
            game = self.log.game(name)
            if at is None:
                self.log.delete(game)
            else:
                put_away(game, at)
            self._books.pop(name, None)
            self.anew.pop(name, None)
            self.pictures.forget()
        self.watcher.poke()


def site() -> Site:
    """What this app works with."""
    found: Site = current_app.extensions["site"]
    return found
