"""The camera's part of the service: a thread that follows the newest game, and what can be told of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.capture.cameras import Window, follow_newest, newest
from companion.dashboard.site import Site
from companion.gamelog import Entry, GameLogError
from engine.text import Words
from hardware.calibration import CalibrationError, CorrectedCamera
from hardware.camera import Camera, CameraError, CameraLostError, Frame, NoMorePhotosError
from hardware.rig.panel import Mood

PACE_S = 0.1
"""From one preview to the next: twice as often as at a desk, since a Pi takes longer for what comes afterwards."""
PAUSE_S = 2.0
"""How long a camera that is not there is left alone."""
FAREWELL_S = 15.0
"""How long a picture that is being read may take, on a slow machine, before it is ended in the midst of it."""


class Watching:
    """Keeps a camera open and the newest game followed, for as long as this process can."""

    def __init__(self, site: Site, open_camera: Callable[[], Camera]) -> None:
        self._site, self._open_camera = site, open_camera
        self._closing = threading.Event()
        self._trouble: Words = ""
        self._alive_s = time.monotonic()
        self.is_lost = False
        """Whether only another process can go on."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def rest(self, why: Words) -> None:
        """Do not watch at all, and say why."""
        self._trouble = why

    def close(self) -> None:
        """Watch no more."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(FAREWELL_S)

    @property
    def silent_s(self) -> float:
        """For how long there has been no sign of life: while a call into a camera hangs, this grows."""
        return time.monotonic() - self._alive_s if self._thread.is_alive() else 0.0

    @property
    def trouble(self) -> Words:
        """What is wrong just now."""
        window = self._site.window
        return self._trouble or (window.trouble() if window else "")

    def look(self) -> None:
        """Have the table looked at as soon as it is still: somebody pressed the button."""
        if self._site.window is not None:
            self._site.window.stir()

    def mood(self) -> Mood:
        """What the lamp is to say."""
        if self.trouble:
            return Mood.TROUBLE
        try:
            game = newest(self._site.log)
        except GameLogError:
            return Mood.TROUBLE
        if game is None:
            return Mood.OFF
        asks = game.folded.doubts or any(not breach.allowed for breach in game.folded.breaches)
        return Mood.ATTENTION if asks else Mood.WATCHING

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._watch()
        except CameraLostError as error:
            self._trouble, self.is_lost = error.words, True
        except NoMorePhotosError as error:
            self._trouble = error.words
        except BaseException as error:
            self._trouble, self.is_lost = f"{type(error).__name__}: {error}", True
            raise

    def _watch(self) -> None:
        """Watch until the camera fails; one that is only away is tried again after a while."""
        self._beat()
        try:
            camera = self._open_camera()
            window = Window(Living(camera, self._beat), camera if isinstance(camera, CorrectedCamera) else None)
            self._site.window, self._trouble = window, ""
            try:
                follow_newest(
                    self._site.log,
                    window,
                    self._site.networks(),
                    _quietly,
                    self._closing,
                    PACE_S,
                    lambda: self._site.elsewhere,
                )
            finally:
                self._site.window = None
                window.close()
        except (CameraLostError, NoMorePhotosError):
            raise
        except (CameraError, CalibrationError, GameLogError) as error:
            self._trouble = error.words
            self._closing.wait(PAUSE_S)

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


def _quietly(_: object) -> Callable[[Entry], None]:
    """The log and the dashboard tell what happens; the journal need not."""
    return lambda _: None
