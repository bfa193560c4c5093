"""Stands in for picamera2 where there is no Pi: the calls that our driver uses, and no others.

A test compares every signature here with picamera2's published source.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

CONTROLS = ("AeEnable", "AnalogueGain", "AwbEnable", "ColourGains", "ExposureTime", "FrameDurationLimits")
AUTOFOCUS = ("AfMode", "AfTrigger", "LensPosition")
MODULE_3 = {"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
HQ = {"Model": "imx477", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/i2c@1/imx477@1a", "Num": 0}
WEBCAM = {"Model": "C920", "Location": 2, "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:082d", "Num": 1}
SIZES = {"imx708": (4608, 2592), "imx477": (4056, 3040)}
PADDING = 64
"""Rows of a YUV stream are padded, as they are for some widths on a Pi."""
LATENCY = 4
"""So many frames come as they were before a control shows in them."""


class AfModeEnum(IntEnum):
    """As libcamera numbers them."""

    Manual = 0
    Auto = 1
    Continuous = 2


controls = SimpleNamespace(AfModeEnum=AfModeEnum)


class CompletedRequest:
    """One frame of both streams; it must be given back."""

    def __init__(self, request: Any, picam2: Picamera2) -> None:
        self.request, self.picam2 = request, picam2

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """The named stream's picture as its format lies in memory."""
        config = self.picam2.config[name]
        picture = cv2.resize(self.picam2.table, config["size"], interpolation=cv2.INTER_NEAREST)
        if config["format"] == "RGB888":
            return np.asarray(picture, np.uint8)
        padded = cv2.copyMakeBorder(picture, 0, 0, 0, PADDING, cv2.BORDER_CONSTANT)
        return np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420), np.uint8)

    def release(self) -> None:
        """Give the frame back; without that the camera runs dry."""
        self.picam2.out -= 1


class Picamera2:
    """A camera whose table, answers and failures a test sets; class variables are what is plugged into the Pi."""

    plugged: ClassVar[list[dict[str, Any]]] = []
    busy: ClassVar[bool] = False
    table: ClassVar[NDArray[np.uint8]] = np.full((270, 480, 3), (40, 120, 200), np.uint8)
    focuses: ClassVar[bool | None] = True
    """None where the lens searches for ever."""
    unplugged: ClassVar[bool] = False
    stuck: ClassVar[bool] = False
    """Whether it cannot be closed."""
    opened: ClassVar[list[Picamera2]] = []

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        del verbose_console, tuning, allocator
        if camera_num >= len(self.plugged):
            raise RuntimeError(f"No camera number {camera_num} found")
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.model = self.plugged[camera_num]["Model"]
        self.sensor_resolution = SIZES[self.model]
        self.config: dict[str, Any] = {}
        self.set: dict[str, Any] = {}
        self.started, self.is_open = False, True
        self.frames = self.out = self.automatic_since = 0
        self.is_searching = False
        self.opened.append(self)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        """What is plugged in."""
        return list(Picamera2.plugged)

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """The names of the controls that this model has."""
        return dict.fromkeys((*CONTROLS, *AUTOFOCUS) if self.model == "imx708" else CONTROLS, (0, 1, 0))

    def create_video_configuration(
        self,
        main: Any = {},  # noqa: B006 - as in picamera2
        lores: Any = None,
        raw: Any = {},  # noqa: B006
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: int = 6,
        controls: Any = {},  # noqa: B006
        display: str = "main",
        encode: str = "main",
        queue: bool = True,
        sensor: Any = {},  # noqa: B006
        use_case: str = "video",
    ) -> dict[str, Any]:
        """A configuration to be checked by `configure`."""
        del raw, transform, colour_space, display, encode, queue, sensor, use_case
        return {"main": main, "lores": lores, "buffer_count": buffer_count, "controls": controls}

    def configure(self, camera_config: Any = None) -> None:
        """Take a configuration, with picamera2's own checks of it."""
        for name in ("main", "lores"):
            if any(side % 2 for side in camera_config[name]["size"]):
                raise RuntimeError("width and height should be even")
        if not camera_config["lores"]["format"].startswith("YUV"):
            raise RuntimeError("lores stream must be YUV")
        self.config = camera_config
        self.set_controls(camera_config["controls"])

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        """Begin to give frames."""
        del config, show_preview
        if not self.config:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls for the frames to come."""
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        if controls.get("AeEnable"):
            self.automatic_since = self.frames
        self.set |= controls

    @contextmanager
    def captured_request(self, wait: Any = None, flush: Any = None) -> Iterator[CompletedRequest]:
        """A frame, given back at the end."""
        del flush
        self._answer(wait)
        self.out += 1
        request = CompletedRequest(None, self)
        try:
            yield request
        finally:
            request.release()

    def capture_metadata(self, wait: Any = None, signal_function: Any = None) -> dict[str, Any]:
        """What is told of the next frame; exposure and white balance come to rest after some frames."""
        del signal_function
        self._answer(wait)
        if self.set.get("AeEnable") is False:
            return dict(self.set)
        off = 0.5 ** max(0, self.frames - self.automatic_since - LATENCY)
        gains = (2.0 * (1 + off), 1.5 * (1 - off / 2))
        told: dict[str, Any] = {"ExposureTime": round(20_000 * (1 - off)), "AnalogueGain": 1.5, "ColourGains": gains}
        return told | ({"LensPosition": 1.25} if "AfMode" in self.camera_controls else {})

    def autofocus_cycle(self, wait: Any = None, signal_function: Any = None) -> bool:
        """Whether the lens found something sharp."""
        del signal_function
        self.set_controls({"AfMode": AfModeEnum.Auto, "AfTrigger": 0})
        self._answer(wait)
        if self.focuses is None:
            self.is_searching = True
            raise TimeoutError
        return self.focuses

    def cancel_all_and_flush(self) -> None:
        """Drop all that is waited for."""
        self.is_searching = False

    def close(self) -> None:
        """Let the camera go."""
        if self.stuck:
            raise RuntimeError("Unable to stop preview.")
        self.started = self.is_open = False

    def _answer(self, wait: Any) -> None:
        if isinstance(wait, bool) or not isinstance(wait, (int, float)):
            raise AssertionError("wait without a number may wait for ever")
        if not self.started:
            raise RuntimeError("Camera not started")
        if self.unplugged or self.is_searching:
            raise TimeoutError
        self.frames += 1
