"""A camera on the Raspberry Pi's own connector (Camera Module 3, HQ Camera), through picamera2.

One configuration runs all the time: a small stream for previews, and the full one, copied only when it is wanted.
Changing between configurations has run others out of memory.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import cv2
import numpy as np

from engine.text import say
from hardware.camera import PREVIEW_WIDTH_PX, CameraError, CameraLostError, Frame, LesserCameraWarning, Picture
from hardware.cameras.light import LightWatch
from hardware.rig.optics import focal_px

FRAME_US = 100_000
"""Ten frames a second: the most that an HQ Camera gives in full size, and time enough to expose a dim room."""
BUFFERS = 3
SETTLING = 50
"""Frames after which exposure and white balance are taken as they are, at rest or not."""
AT_REST, RESTING = 0.02, 6
"""How little they still change, and over how many frames: it takes four until a frame shows what was set."""
PREVIEW_WAIT_S, CAPTURE_WAIT_S, METADATA_WAIT_S, FOCUS_WAIT_S = 2.0, 5.0, 3.0, 8.0
INSTALL = say(
    "install it with `sudo apt install python3-picamera2` on Raspberry Pi OS trixie (that of older ones does not go "
    "together with today's numpy), and make the environment with --system-site-packages"
)
PLUG = say(
    "switch the Pi off, push the ribbon cable in straight at both ends, and see what `rpicam-hello --list-cameras` says"
)
FIELDS_DEG = {"imx708": 66.0, "imx708_noir": 66.0}
"""The horizontal fields of lenses that cannot be exchanged and hardly distort, by the model of their sensor."""

Libraries = tuple[Any, Any]


def import_libraries() -> Libraries:
    """The class Picamera2 and libcamera's controls: they are there only on a Pi, from apt, so never at the top."""
    try:
        from libcamera import controls
        from picamera2 import Picamera2
    except (ImportError, ValueError, AttributeError) as error:
        # Not only where it is missing: a numpy that it was not built for is a ValueError, a false `kms` the last.
        raise CameraError(
            say("picamera2 cannot be imported ({error}); {advice}", error=error, advice=INSTALL)
        ) from error
    return Picamera2, controls


def what_is_missing(libraries: Callable[[], Libraries] = import_libraries) -> str:
    """Why there is no camera on the Pi's own connector; nothing where there is one."""
    try:
        picamera2, _ = libraries()
    except CameraError as error:
        return str(error).partition(";")[0]
    return "" if _plugged_in(picamera2) else "none answers on the Pi's connector"


def _plugged_in(picamera2: Any) -> list[dict[str, Any]]:
    """Cameras by their numbers. libcamera lists webcams too, as the last, but has no second stream for them."""
    return [camera for camera in picamera2.global_camera_info() if "/usb" not in camera["Id"]]


class PiCamera:
    """Exposure, white balance and focus are measured when it is opened, and then held until the light is another."""

    def __init__(
        self,
        number: int = 0,
        libraries: Callable[[], Libraries] = import_libraries,
        light: LightWatch | None = None,
    ) -> None:
        picamera2, self._controls = libraries()
        known = _plugged_in(picamera2)
        if number >= len(known):
            there = say("there are {count}", count=len(known)) if known else say("there is none")
            raise CameraError(
                say(
                    "there is no camera {number}: on the Pi's connectors {there}; {advice}",
                    number=number,
                    there=there,
                    advice=PLUG,
                )
            )
        try:
            self._camera = picamera2(number)
        except RuntimeError as error:
            busy = say("another program may use it: stop that one (`sudo systemctl stop azul`), or restart the Pi")
            raise CameraError(
                say("the Pi's camera cannot be opened: {error}; {advice}", error=error, advice=busy)
            ) from error
        self._number, self._is_lost = 0, False
        self._light = light or LightWatch()
        width, height = self._camera.sensor_resolution
        self._small = (PREVIEW_WIDTH_PX, round(height * PREVIEW_WIDTH_PX / width) // 2 * 2)
        field = FIELDS_DEG.get(known[number].get("Model", ""))
        self._focal_px = focal_px(width, field) if field else None
        with self._answering():
            self._start((width, height))
            self._hold()

    def preview(self) -> Frame:
        """A small picture of the table as it is now."""
        with self._answering(), self._camera.captured_request(wait=PREVIEW_WAIT_S) as request:
            small = request.make_array("lores")
        width, height = self._small
        # Rows may be padded, and can be cut only after the conversion.
        picture = np.asarray(cv2.cvtColor(small, cv2.COLOR_YUV2BGR_I420), np.uint8)[:height, :width]
        if self._light.has_changed(picture):
            with self._answering():
                self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
                self._hold()
        return self._frame(picture, None)

    def capture(self) -> Frame:
        """A full picture, exposed after this was asked."""
        with self._answering(), self._camera.captured_request(wait=CAPTURE_WAIT_S, flush=True) as request:
            return self._frame(request.make_array("main"), self._focal_px)

    def close(self) -> None:
        """Let the camera go; a lost one is gone already, and might hang."""
        if not self._is_lost:
            self._camera.close()

    def _start(self, size: tuple[int, int]) -> None:
        configuration = self._camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},  # blue first in memory
            lores={"size": self._small, "format": "YUV420"},  # a Pi 4 gives no other format here
            buffer_count=BUFFERS,
            controls={"FrameDurationLimits": (FRAME_US, FRAME_US)},
        )
        self._camera.configure(configuration)
        self._camera.start()

    def _hold(self) -> None:
        held: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if "AfMode" in self._camera.camera_controls:
            held |= self._focused()
        measured = self._measured()
        held |= {name: measured[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains")}
        self._camera.set_controls(held)

    def _focused(self) -> dict[str, Any]:
        try:
            is_sharp = self._camera.autofocus_cycle(wait=FOCUS_WAIT_S)
        except TimeoutError:
            # A lens that searches on and on, which would keep all else waiting; a lost camera gives no next frame.
            self._camera.cancel_all_and_flush()
            is_sharp = False
        lens = self._camera.capture_metadata(wait=METADATA_WAIT_S)["LensPosition"]
        if not is_sharp:
            warnings.warn(
                "the camera could not focus; light the table, put something with print on it, and start anew",
                LesserCameraWarning,
                stacklevel=4,
            )
        return {"AfMode": self._controls.AfModeEnum.Manual, "LensPosition": lens}

    def _measured(self) -> dict[str, Any]:
        """What the camera reports once its exposure and white balance have come to rest."""
        seen = [self._camera.capture_metadata(wait=METADATA_WAIT_S)]
        while len(seen) < SETTLING:
            seen.append(self._camera.capture_metadata(wait=METADATA_WAIT_S))
            last = [_exposure(metadata) for metadata in seen[-RESTING:]]
            if len(last) == RESTING and np.allclose(last[:-1], last[-1], rtol=AT_REST):
                break
        return dict(seen[-1])

    def _frame(self, picture: Picture, focal: float | None) -> Frame:
        self._number += 1
        return Frame(picture, self._number, time.monotonic(), focal)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """A camera that stops answering is let go; opened again in the same process, it has been seen to hang."""
        try:
            yield
        except (TimeoutError, RuntimeError, OSError) as error:
            self._is_lost = True
            # What does not answer may not let itself be closed either; that tells nothing more.
            with suppress(RuntimeError, OSError):
                self._camera.cancel_all_and_flush()
                self._camera.close()
            said = str(error) or "no answer in time"
            raise CameraLostError(
                say("the Pi's camera stopped answering: {error}; {advice}", error=said, advice=PLUG)
            ) from error


def _exposure(metadata: dict[str, Any]) -> list[float]:
    return [metadata["ExposureTime"] * metadata["AnalogueGain"], *metadata["ColourGains"]]
