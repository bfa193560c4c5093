"""Photos taken with phones as a camera: the dashboard puts them in, the capture loop takes them out."""

from __future__ import annotations

from queue import Empty, Full, Queue

from engine.text import say
from hardware.camera import CameraError, Frame, Picture
from hardware.cameras.reel import Reel

WAITING = 8
"""How many photos may wait: a decoded one of twelve megapixels takes 36 MB."""


class UploadCamera:
    """Shows each uploaded photo once, in the order they came; the last one stays. Photos may come from any thread."""

    def __init__(self) -> None:
        self._queue: Queue[tuple[Picture, float | None]] = Queue(WAITING)
        self._reel = Reel(self._draw, say("no photo was uploaded yet; take one on the dashboard"))

    @property
    def is_busy(self) -> bool:
        """Whether there is a photo that may not have been looked at yet."""
        return not self._queue.empty() or self._reel.is_fresh

    def put(self, picture: Picture, focal_px: float | None = None) -> None:
        """Hand in a photo, already decoded and upright, with its focal length where that is known."""
        try:
            self._queue.put_nowait((picture, focal_px))
        except Full:
            raise CameraError(say("other photos are still being read; try again in a moment")) from None

    def preview(self) -> Frame:
        """A small picture of the photo that is shown now; after some of them comes the next photo."""
        return self._reel.preview()

    def capture(self) -> Frame:
        """The photo of the last preview."""
        return self._reel.capture()

    def close(self) -> None:
        """Nothing is held."""

    def _draw(self) -> Picture | None:
        try:
            picture, self._reel.focal_px = self._queue.get_nowait()
        except Empty:
            return None
        return picture
