"""Photos taken with phones as a camera: the dashboard puts them in, the capture loop takes them out."""

from __future__ import annotations

from queue import Empty, Full, Queue

from hardware.camera import CameraError, Frame, Picture
from hardware.cameras.reel import Reel

WAITING = 8
"""How many photos may wait: a decoded one of twelve megapixels takes 36 MB."""


class UploadCamera:
    """Shows each uploaded photo once, in the order they came; the last one stays. Photos may come from any thread."""

    def __init__(self) -> None:
        self._queue: Queue[Picture] = Queue(WAITING)
        self._reel = Reel(self._draw, "no photo was uploaded yet; take one on the dashboard")

    def put(self, picture: Picture) -> None:
        """Hand in a photo, already decoded and upright."""
        try:
            self._queue.put_nowait(picture)
        except Full:
            raise CameraError(f"{WAITING} photos are waiting to be read already; try again in a moment") from None

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
            return self._queue.get_nowait()
        except Empty:
            return None
