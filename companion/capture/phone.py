"""Photos of phones as the camera of a game: sent through the dashboard, followed like those of any camera."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.capture.session import Session
from companion.errors import CompanionError
from companion.gamelog import Game, GameLog
from companion.pipeline import refuse_unreadable, why_unreadable
from engine.text import Words, say
from hardware.cameras.upload import UploadCamera
from vision.network import Families
from vision.rectify import Picture

PACE_S = 0.1
"""From one preview to the next: a photo is looked at after five."""
ENDING_S = 10.0


class PhoneError(CompanionError):
    """A photo for a game that is not followed by photos of phones."""


class Phone:
    """Follows one game by the photos that phones send, in a thread of its own."""

    def __init__(self, log: GameLog, networks: Callable[[], Families]) -> None:
        self._log, self._networks = log, networks
        self._lock = threading.Lock()
        self._camera = UploadCamera()
        self._session: Session | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.game = ""
        """The game that is followed; empty for none."""
        self.sent_at: float | None = None
        """When the last photo came, by the machine's own clock."""
        self.before = 0
        """The number of the game's last event then."""

    def follow(self, id_: str) -> None:
        """Follow a game from now on, or with an empty name none; whatever was followed before is let go.

        None is followed either where photos of its edition cannot be read yet.
        """
        if id_ and why_unreadable(self._log.game(id_).start.setup.edition):
            id_ = ""
        with self._lock:
            if id_ == self.game:
                return
            self._end()
            self.game, self.sent_at = id_, None
            if id_:
                self._camera, self._stop = UploadCamera(), threading.Event()
                arguments = (self._log.game(id_), self._camera, self._stop)
                self._thread = threading.Thread(target=self._run, args=arguments, name="phone", daemon=True)
                self._thread.start()

    def put(self, game: str, picture: Picture, focal_px: float | None) -> None:
        """Take in a photo of the table, already decoded and upright."""
        if game:
            refuse_unreadable(self._log.game(game).start.setup.edition)
        with self._lock:
            if not game or game != self.game:
                raise PhoneError(
                    say("this game is not followed by photos of phones; the host chooses so in the settings")
                )
            self._camera.put(picture, focal_px)
            self.sent_at, self.before = time.monotonic(), self._log.latest().get(game, 0)
            if self._session is not None:
                # Also a photo that looks like the one before was sent for a reason.
                self._session.stir()

    @property
    def is_reading(self) -> bool:
        """Whether a photo was sent that is not read yet."""
        return self.sent_at is not None and (self._camera.is_busy or self._session is None)

    @property
    def trouble(self) -> Words:
        """What is wrong with the last photo."""
        return self._session.trouble if self._session is not None and self.sent_at is not None else ""

    def close(self) -> None:
        """Follow nothing any more."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(ENDING_S)
        self._thread, self._session = None, None

    def _run(self, game: Game, camera: UploadCamera, stop: threading.Event) -> None:
        session = Session(camera, game, self._networks(), pace_s=PACE_S, handheld=True)
        self._session = session
        session.run(stop)
