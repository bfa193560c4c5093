"""A camera that may be pulled out and put back while the game goes on."""

from __future__ import annotations

from collections.abc import Callable

from hardware.camera import Camera, CameraError, CameraLostError, Frame


class LastingCamera:
    """Opens a camera, and after each failure opens it anew at the next picture; until then there are errors."""

    def __init__(self, reopen: Callable[[], Camera]) -> None:
        """Opened at once, so that a camera that was never there is told at the start."""
        self._reopen = reopen
        self._camera: Camera | None = reopen()
        self._before = self._last = 0

    def preview(self) -> Frame:
        """A small picture of the table as it is now."""
        return self._tried(lambda camera: camera.preview())

    def capture(self) -> Frame:
        """A full picture of the table as it is now."""
        return self._tried(lambda camera: camera.capture())

    def close(self) -> None:
        """Let the camera go."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _tried(self, take: Callable[[Camera], Frame]) -> Frame:
        if self._camera is None:
            self._camera = self._reopen()
            self._before = self._last
        try:
            frame = take(self._camera)
        except CameraLostError:
            raise
        except CameraError:
            self.close()
            raise
        self._last = self._before + frame.number
        return Frame(frame.picture, self._last, frame.taken_s, frame.focal_px)
