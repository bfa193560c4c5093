"""The camera's part of the service: it follows the newest game in a thread of its own, whichever game that is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.gamelog import Game, GameLog
from companion.live import Session
from engine.record import final
from hardware.camera import Camera, CameraError, CameraLostError, Frame, NoMorePhotosError
from hardware.rig.panel import Mood
from vision.network import Models

PACE_S = 0.1
"""From one preview to the next: twice as often as at a desk, since a Pi takes longer for what comes afterwards."""
PAUSE_S = 2.0
"""How long a camera that is not there is left alone, and how often a new game is looked for."""


class Watching:
    """Follows whatever game was begun last, until it is over or a newer one is begun."""

    def __init__(self, log: GameLog, open_camera: Callable[[], Camera], networks: Callable[[], Models]) -> None:
        self._log, self._open_camera, self._networks = log, open_camera, networks
        self._closing, self._halt = threading.Event(), threading.Event()
        self._session: Session | None = None
        self._game: Game | None = None
        self._trouble = ""
        self._alive_s = time.monotonic()
        self.is_lost = False
        """Whether the camera can be had again only by another process."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._closing.set()
        self._halt.set()
        if self._thread.is_alive():
            self._thread.join(PAUSE_S)

    @property
    def silent_s(self) -> float:
        """For how long there has been no sign of life: while a call into a camera hangs, this grows."""
        return time.monotonic() - self._alive_s if self._thread.is_alive() else 0.0

    @property
    def trouble(self) -> str:
        """What is wrong just now."""
        return self._trouble or (self._session.trouble if self._session else "")

    @property
    def mood(self) -> Mood:
        """What the lamp is to say."""
        if self.trouble:
            return Mood.TROUBLE
        if self._session is None or self._game is None:
            return Mood.OFF
        folded = self._game.folded
        asks = folded.doubts or any(not breach.allowed for breach in folded.breaches)
        return Mood.ATTENTION if asks else Mood.WATCHING

    def look(self) -> None:
        """Have the table looked at as soon as it is still: somebody pressed the button."""
        if self._session is not None:
            self._session.stir()

    def mind(self) -> None:
        """See whether the game that is followed is still the one to follow."""
        game = current_game(self._log)
        if (game and game.id) != (self._game and self._game.id):
            self._halt.set()

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._halt.clear()
                self._alive_s = time.monotonic()
                self._game = current_game(self._log)
                if self._game is None:
                    self._closing.wait(PAUSE_S)
                else:
                    self._follow(self._game)
        except CameraLostError as error:
            self._trouble, self.is_lost = str(error), True
        except NoMorePhotosError as error:
            self._trouble = str(error)
        except BaseException:
            self.is_lost = True
            raise

    def _follow(self, game: Game) -> None:
        try:
            camera = Living(self._open_camera(), self._beat)
        except CameraLostError:
            raise
        except CameraError as error:
            self._trouble = str(error)
            self._closing.wait(PAUSE_S)
            return
        self._trouble = ""
        try:
            self._session = Session(camera, game, self._networks(), pace_s=PACE_S)
            self._session.run(self._halt)
        finally:
            self._session = None
            camera.close()

    def _beat(self) -> None:
        self._alive_s = time.monotonic()


class Living:
    """A camera that gives a sign of life with each answer, be it a picture or an error."""

    def __init__(self, camera: Camera, beat: Callable[[], None]) -> None:
        self._camera, self._beat = camera, beat

    def preview(self) -> Frame:
        """A small picture of the table as it is now."""
        try:
            return self._camera.preview()
        finally:
            self._beat()

    def capture(self) -> Frame:
        """A full picture of the table as it is now."""
        try:
            return self._camera.capture()
        finally:
            self._beat()

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()


def current_game(log: GameLog) -> Game | None:
    """The game that was begun last, unless it is over."""
    for game in log.games()[:1]:
        folded = game.refresh()
        if final(folded.edition, folded.state) is None:
            return game
    return None
