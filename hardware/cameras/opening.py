"""Opening a camera by a line of text, such as `usb:0`, and choosing the best one that is there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.text import say
from hardware.camera import Camera, CameraError, LesserCameraWarning
from hardware.cameras.folder import FolderCamera
from hardware.cameras.lasting import LastingCamera
from hardware.cameras.picamera import PiCamera, what_is_missing
from hardware.cameras.stream import StreamCamera
from hardware.cameras.usb import UsbCamera, usb_devices

Maker = Callable[[str], Camera]
"""Makes a camera of what stands behind the colon."""

KINDS = {
    "auto": "the Pi's own camera, else one on USB",
    "picamera": "the Pi's own camera; picamera:1 is the second",
    "usb": "a USB camera by number or path: usb:0",
    "stream": "a camera in the network: stream:http://phone:8080/video",
    "folder": "the photos of a folder, once: folder:DIR",
    "watch": "the photos of a folder, and those that come: watch:DIR",
}


def open_camera(spec: str, others: Mapping[str, Maker] | None = None) -> Camera:
    """Open the camera of a spec; `others` are kinds that only the caller can make.

    One that can be pulled out is opened anew by itself after a failure.
    """
    kind, _, rest = spec.partition(":")
    makers = _makers() | dict(others or {})
    if kind not in makers:
        raise CameraError(say("no camera is called {name}; there are {kinds}", name=spec, kinds=tuple(makers)))
    return makers[kind](rest)


def exact_spec(spec: str) -> str:
    """The same camera by the name under which its calibration is kept: which one `auto` is, say."""
    kind, _, rest = spec.partition(":")
    if kind == "auto":
        return find_camera()
    if kind == "picamera":
        number = _number(rest)
        return f"{kind}:{number}" if number else kind
    return f"usb:{rest or 0}" if kind == "usb" else spec


def find_camera(on_pi: Callable[[], str] = what_is_missing, on_usb: Callable[[], list[Path]] = usb_devices) -> str:
    """The spec of the best camera that is there; a warning tells when that is not the Pi's own."""
    missing = on_pi()
    if not missing:
        return "picamera"
    devices = on_usb()
    if not devices:
        raise CameraError(
            say(
                "no camera was found: {missing}, and none is on USB; plug one in, or name another: "
                "--camera stream:http://…, --camera watch:DIR",
                missing=missing,
            )
        )
    spec = f"usb:{devices[0]}"
    warnings.warn(f"the Pi's own camera is not used ({missing}), but {spec}", LesserCameraWarning, stacklevel=2)
    return spec


def _makers() -> dict[str, Maker]:
    return {
        "auto": lambda _: open_camera(find_camera()),
        "picamera": lambda number: LastingCamera(lambda: PiCamera(_number(number))),
        "usb": lambda device: LastingCamera(lambda: UsbCamera(device or "0")),
        "stream": lambda address: LastingCamera(lambda: StreamCamera(address)),
        "folder": lambda folder: FolderCamera(Path(folder)),
        "watch": lambda folder: FolderCamera(Path(folder), watch=True),
    }


def _number(text: str) -> int:
    if text and not text.isdigit():
        raise CameraError(say("the Pi's cameras are numbered: picamera:0, not picamera:{number}", number=text))
    return int(text or 0)
