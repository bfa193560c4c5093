"""A USB camera, through Video4Linux and OpenCV."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2

from engine.text import say
from hardware.camera import CameraError, Frame, shrink
from hardware.cameras.feed import VideoFeed
from hardware.cameras.light import LightWatch

LARGEST_PX = 10_000
"""Asked for more than it has, a camera gives its largest picture."""
FRAMES_PER_SECOND = 5
SETTLING = 30
"""Pictures until exposure, white balance and focus have come to rest."""
V4L2_MANUAL_EXPOSURE, V4L2_APERTURE_PRIORITY = 1, 3
ADVICE = say("is it plugged in, and does no other program use it? `v4l2-ctl --list-devices` names the cameras")
# What is measured automatically at first: what switches that on and off, and the value that is then held.
HELD = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_APERTURE_PRIORITY, V4L2_MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE),
    (cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    (cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
)
UNSUPPORTED = -1
"""What OpenCV answers for a property that the camera does not have."""


class UsbCamera:
    """A webcam at its largest size; exposure, white balance and focus are measured once, then held."""

    def __init__(self, device: str = "0", make: Callable[[], cv2.VideoCapture] = cv2.VideoCapture) -> None:
        """The device is a number (the 0 of /dev/video0) or a path."""
        video, name = make(), say("the USB camera {device}", device=device)
        if not video.open(int(device) if device.isdigit() else device, cv2.CAP_V4L2):
            raise CameraError(say("{camera} cannot be opened; {advice}", camera=name, advice=ADVICE))
        _ask_for_most(video)
        _let_go(video)
        if not all(video.grab() for _ in range(SETTLING)):
            video.release()
            raise CameraError(say("{camera} gives no pictures; {advice}", camera=name, advice=ADVICE))
        _hold(video)
        self._name, self._light = name, LightWatch()
        self._feed = VideoFeed(video, name, ADVICE)

    def preview(self) -> Frame:
        """The newest picture, made small."""
        frame = self._feed.frame()
        small = shrink(frame.picture)
        if self._light.has_changed(small):
            raise CameraError(
                say("the light before {camera} has changed; open it anew to measure it", camera=self._name)
            )
        return replace(frame, picture=small)

    def capture(self) -> Frame:
        """The newest picture."""
        return self._feed.frame()

    def close(self) -> None:
        """Let the camera go."""
        self._feed.close()


def usb_devices(folder: Path = Path("/dev/v4l/by-id")) -> list[Path]:
    """USB cameras by names that stay the same wherever they are plugged in; index0 are those that give pictures."""
    return sorted(folder.glob("usb-*-video-index0"))


def _ask_for_most(video: cv2.VideoCapture) -> None:
    # As JPEG: uncompressed, a large picture does not fit through USB 2.
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FRAME_WIDTH, LARGEST_PX)
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, LARGEST_PX)
    video.set(cv2.CAP_PROP_FPS, FRAMES_PER_SECOND)
    video.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _let_go(video: cv2.VideoCapture) -> None:
    """The camera itself remembers what it was told to hold, also when it is opened anew."""
    for automatic, on, _, value in HELD:
        if video.get(value) != UNSUPPORTED:
            video.set(automatic, on)


def _hold(video: cv2.VideoCapture) -> None:
    for automatic, _, off, value in HELD:
        measured = video.get(value)
        if measured != UNSUPPORTED and video.set(automatic, off):
            video.set(value, measured)
