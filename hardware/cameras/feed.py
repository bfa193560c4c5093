"""What OpenCV's video sources have in common: a thread keeps up with the source, so that no picture is an old one."""

from __future__ import annotations

import time
from threading import Condition, Thread

import cv2
import numpy as np

from engine.text import Text, Words, say
from hardware.camera import CameraError, Frame, Picture

PATIENCE_S = 5.0
"""How long a source may take to give its next picture."""


class VideoFeed:
    """The newest picture of an opened video source, which from now on is the feed's alone."""

    def __init__(self, video: cv2.VideoCapture, name: Words, advice: Words) -> None:
        self._video, self._name, self._advice = video, name, advice
        self._change = Condition()
        self._wanted = False
        self._running = True
        self._picture: Picture | None = None
        self._number = 0
        self._thread = Thread(target=self._keep_up, name=f"feed of {name}", daemon=True)
        self._thread.start()

    def frame(self) -> Frame:
        """The next picture to arrive."""
        with self._change:
            self._wanted, self._picture = True, None
            came = self._change.wait_for(lambda: self._picture is not None or not self._running, PATIENCE_S)
            if self._picture is None:
                ended = say("{camera} gives no more pictures; {advice}", camera=self._name, advice=self._advice)
                raise CameraError(ended if came else self._silent())
            self._number += 1
            return Frame(self._picture, self._number, time.monotonic())

    def _silent(self) -> Text:
        return say(
            "{camera} gave no picture for {seconds} s; {advice}",
            camera=self._name,
            seconds=round(PATIENCE_S),
            advice=self._advice,
        )

    def close(self) -> None:
        """Let the source go."""
        with self._change:
            self._running = False
        self._thread.join()

    def _keep_up(self) -> None:
        """Grab all, which is cheap; decode only what is wanted. What breaks off ends the feed."""
        try:
            while self._running and self._video.grab():
                if self._wanted:
                    self._hand_over(*self._video.retrieve())
        finally:
            with self._change:
                self._running = False
                self._change.notify_all()
            self._video.release()

    def _hand_over(self, fine: bool, picture: object) -> None:
        """A picture that cannot be decoded is passed over: the next one may be whole."""
        if not fine or not isinstance(picture, np.ndarray):
            return
        with self._change:
            self._wanted, self._picture = False, np.asarray(picture, np.uint8)
            self._change.notify_all()
