"""A camera in the network, as phones and surveillance cameras are: MJPEG over HTTP, RTSP, whatever FFmpeg plays."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import cv2

from engine.text import say
from hardware.camera import CameraError, Frame, shrink
from hardware.cameras.feed import PATIENCE_S, VideoFeed

SCHEMES = ("http://", "https://", "rtsp://", "rtsps://")
PATIENCE = [
    cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
    int(PATIENCE_S * 1000),
    cv2.CAP_PROP_READ_TIMEOUT_MSEC,
    int(PATIENCE_S * 1000),
]


class StreamCamera:
    """The newest picture of a video stream."""

    def __init__(self, address: str) -> None:
        # A path or a list of files would be played as well, and the address may come from a web page.
        if not address.startswith(SCHEMES):
            raise CameraError(
                say("{address} is no address of a stream; one begins with {schemes}", address=address, schemes=SCHEMES)
            )
        advice = say("does a browser or VLC on this machine show it? Are both in the same network?")
        video = cv2.VideoCapture()
        shown = without_password(address)
        if not video.open(address, cv2.CAP_FFMPEG, PATIENCE):
            raise CameraError(say("{camera} cannot be opened; {advice}", camera=shown, advice=advice))
        self._feed = VideoFeed(video, shown, advice)

    def preview(self) -> Frame:
        """The newest picture, made small."""
        frame = self._feed.frame()
        return replace(frame, picture=shrink(frame.picture))

    def capture(self) -> Frame:
        """The newest picture."""
        return self._feed.frame()

    def close(self) -> None:
        """Let the stream go."""
        self._feed.close()


def without_password(address: str) -> str:
    """An address as it may be shown: what is wrong with a camera is read by everybody at the table."""
    parts = urlsplit(address)
    # Cameras are also told passwords behind a question mark.
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
