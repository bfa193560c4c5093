"""One camera for all games of a log: it follows the newest, and others may look through it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

from companion.capture.scribe import Told
from companion.capture.session import PACE_S, Session
from companion.gamelog import Game, GameLog
from companion.pipeline import why_unreadable
from engine import OVER
from engine.text import Words
from hardware.calibration import CorrectedCamera, load_calibration, save_calibration
from hardware.camera import Camera, CameraError, Frame
from hardware.cameras.opening import exact_spec, open_camera
from vision.network import Families

CAMERAS = "cameras"
"""Where calibrations lie in the data folder."""
GLANCE_S = 2.0
"""How often to see whether a newer game was begun."""


def open_corrected(spec: str, folder: Path) -> CorrectedCamera:
    """A camera, put right by what was measured of it, by whichever name it is called."""
    exact = exact_spec(spec)
    known = load_calibration(exact, folder / CAMERAS)
    return CorrectedCamera(open_camera(exact), known, lambda found: save_calibration(found, exact, folder / CAMERAS))


class Window:
    """A camera that remembers its last small picture, for whoever wants to see where it looks."""

    def __init__(self, camera: Camera, lens: CorrectedCamera | None = None) -> None:
        self._camera, self.lens = camera, lens
        """And the camera whose lens can be measured, where it is one."""
        self._asked: SimpleQueue[tuple[Callable[[], Frame], Future[Frame]]] = SimpleQueue()
        self.seen: Frame | None = None
        self.seen_at: float | None = None
        """When that was, by the machine's own clock."""
        self.game = ""
        """The game that is followed through it now; empty while none is."""
        self.trouble: Callable[[], Words] = lambda: ""
        """What is wrong just now, for people to read."""
        self.stir: Callable[[], None] = lambda: None
        """Has the table looked at as soon as it is still."""

    def follow(self, game: str, session: Session) -> None:
        """Let a session follow a game through this window, and tell of its troubles."""
        self.game, self.trouble, self.stir = game, lambda: session.trouble, session.stir

    def rest(self, why: Words) -> None:
        """Say why no game can be followed."""
        self.trouble = lambda: why

    def preview(self) -> Frame:
        """A small picture of the table as it is now."""
        self.seen, self.seen_at = self._camera.preview(), time.monotonic()
        while not self._asked.empty():
            take, wanted = self._asked.get()
            try:
                wanted.set_result(take())
            except CameraError as error:
                wanted.set_exception(error)
                raise
        return self.seen

    def ask(self, raw: bool = False) -> Future[Frame]:
        """A full picture for somebody else, raw to measure the lens; taken after the next preview, in its thread."""
        take = self.lens.raw if raw and self.lens else self._camera.capture
        wanted: Future[Frame] = Future()
        self._asked.put((take, wanted))
        return wanted

    def capture(self) -> Frame:
        """A full picture of the table as it is now."""
        return self._camera.capture()

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()


def follow_newest(
    log: GameLog,
    window: Window,
    networks: Families,
    teller: Callable[[Game], Told],
    stop: threading.Event,
    pace_s: float = PACE_S,
    elsewhere: Callable[[], str] = lambda: "",
) -> None:
    """Follow the newest game that is not over, whichever that is, until told to stop.

    Not the game that is followed elsewhere, nor one of an edition that cannot be read yet, if it is the newest: then
    the camera waits, and in the latter case says why.
    """
    while not stop.is_set():
        game = newest(log, elsewhere())
        why = why_unreadable(game.start.setup.edition) if game else None
        if game is None or why:
            # Nothing can be followed: the picture goes on, so that the camera can be set up.
            window.rest(why or "")
            window.preview()
            stop.wait(GLANCE_S)
            continue
        session = Session(window, game, networks, teller(game), pace_s)
        _follow(game, session, window, stop, lambda: newest(log, elsewhere()))


def _follow(
    game: Game, session: Session, window: Window, stop: threading.Event, newest: Callable[[], Game | None]
) -> None:
    def is_past() -> bool:
        now = newest()
        return now is None or now.id != game.id

    window.follow(game.id, session)
    try:
        session.run(_Until(stop, is_past))
    finally:
        window.game = ""


def newest(log: GameLog, elsewhere: str = "") -> Game | None:
    """The newest game, unless it is over or followed elsewhere."""
    games = log.games()
    return games[0] if games and games[0].id != elsewhere and games[0].refresh().state.phase != OVER else None


class _Until(threading.Event):
    """Set when another event is, or as soon as something holds; the latter is asked now and then."""

    def __init__(self, stop: threading.Event, holds: Callable[[], bool]) -> None:
        super().__init__()
        self._stop, self._holds = stop, holds
        self._asked_s = time.monotonic()

    def is_set(self) -> bool:
        """Whether to stop."""
        if self._stop.is_set():
            return True
        if time.monotonic() - self._asked_s > GLANCE_S:
            self._asked_s = time.monotonic()
            return self._holds()
        return False

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a while, but no longer than until the other event is set."""
        return self._stop.wait(timeout)
