"""How the machine and the camera are doing, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module, metadata
from pathlib import Path

from hardware.camera import Camera, CameraError
from hardware.rig.picture import judge_picture

ROOT = Path("/")
LOW_BYTES, LEAST_BYTES = 1_000_000_000, 200_000_000
WARM_C, HOT_C = 70.0, 80.0
"""From 80 degrees on, a Pi slows itself down."""
EARLIEST_S = 1_767_225_600
"""The beginning of 2026: a Pi without a network starts in the past."""
UNDER_VOLTAGE_SEEN = 1 << 16
"""A flag of the firmware, set from the first time on."""
LIBRARIES = ("cv2", "numpy", "onnxruntime", "sqlalchemy", "reportlab", "segno")


class Level(IntEnum):
    """How bad something is."""

    FINE = 0
    UNKNOWN = 1
    """It cannot be told here."""
    NOTE = 2
    BAD = 3


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """What was looked at, how it is, and what to do where it is not fine."""

    name: str
    level: Level
    said: str
    advice: str = ""


def examine_machine(folder: Path, root: Path = ROOT) -> Iterator[HealthFinding]:
    """Look at all but the camera; `folder` is where games are kept, `root` where system files are read."""
    yield check_python(platform.machine(), sys.version_info[:2])
    yield from check_libraries()
    yield check_disk(folder)
    yield check_clock(time.time(), root)
    yield check_temperature(root)
    yield check_voltage(root)
    yield check_swap(root)


def examine_camera(open_camera: Callable[[], Camera]) -> Iterator[HealthFinding]:
    """Take a picture, and judge its focus and its light."""
    try:
        camera = open_camera()
        try:
            frame = camera.capture()
        finally:
            camera.close()
    except CameraError as error:
        said, _, advice = str(error).partition("; ")
        yield HealthFinding("camera", Level.BAD, said, advice)
        return
    height, width = frame.picture.shape[:2]
    yield HealthFinding("camera", Level.FINE, f"gives pictures of {width}x{height}")
    looks = judge_picture(frame.picture)
    yield HealthFinding(
        "focus",
        Level.FINE if looks.is_sharp else Level.BAD,
        f"sharpness {looks.sharpness:.2f}",
        "" if looks.is_sharp else "clean the lens; turn its ring until print is sharp, or start anew for autofocus",
    )
    yield HealthFinding("light", Level.NOTE if looks.light_advice else Level.FINE, looks.light_told, looks.light_advice)


def check_python(machine: str, version: tuple[int, ...]) -> HealthFinding:
    """New enough, and of 64 bits: there is no onnxruntime for ARM with 32."""
    said = f"Python {version[0]}.{version[1]} on {machine}"
    if machine.startswith(("armv6", "armv7", "armv8l")) or sys.maxsize < 2**32:
        advice = "install the 64-bit Raspberry Pi OS: onnxruntime, which reads tiles, is not made for 32 bits"
        return HealthFinding("python", Level.BAD, f"{said}, 32 bits", advice)
    if version < (3, 11):
        return HealthFinding("python", Level.BAD, said, "install Python 3.11 or newer; Raspberry Pi OS trixie has 3.13")
    return HealthFinding("python", Level.FINE, said)


def check_libraries(
    installed: Callable[[], set[str]] | None = None, load: Callable[[str], object] = import_module
) -> Iterator[HealthFinding]:
    """Whether libraries can be imported; of OpenCV there must be one build only."""
    names = (installed or _installed)()
    builds = sorted(names & {"opencv-python", "opencv-python-headless", "opencv-contrib-python"})
    if len(builds) > 1:
        advice = "they overwrite each other: uninstall all, then install opencv-python-headless alone"
        yield HealthFinding("opencv", Level.BAD, f"several builds are installed: {', '.join(builds)}", advice)
    for name in LIBRARIES:
        try:
            load(name)
        except ImportError as error:
            yield HealthFinding("libraries", Level.BAD, f"{name} cannot be imported: {error}", _import_advice(error))
            return
    yield HealthFinding("libraries", Level.FINE, "all can be imported")


def check_disk(folder: Path) -> HealthFinding:
    """Whether games can be written, and for how long."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"azul")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        advice = "who may write there? A worn SD card makes itself read-only: back up and replace it"
        return HealthFinding("disk", Level.BAD, f"{there} cannot be written to: {error.strerror}", advice)
    free = shutil.disk_usage(there).free
    said = f"{free / 1e9:.1f} GB free in {there}"
    if free < LOW_BYTES:
        advice = "back up and delete old games and photos, or let photos be deleted after some days (settings)"
        return HealthFinding("disk", Level.BAD if free < LEAST_BYTES else Level.NOTE, said, advice)
    return HealthFinding("disk", Level.FINE, said)


def check_clock(now_s: float, root: Path = ROOT) -> HealthFinding:
    """Whether the date can be right."""
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(now_s))
    if now_s < EARLIEST_S:
        advice = "connect the Pi to the internet once, or set the clock with `sudo date -s`; games are dated by it"
        return HealthFinding("clock", Level.BAD, f"it says {date}", advice)
    if (root / "run/systemd/timesync").is_dir() and not (root / "run/systemd/timesync/synchronized").exists():
        return HealthFinding(
            "clock", Level.NOTE, f"{date}, not compared with the network yet", "look whether it is right"
        )
    return HealthFinding("clock", Level.FINE, date)


def check_temperature(root: Path = ROOT) -> HealthFinding:
    """Whether the processor is too hot."""
    told = _number(root / "sys/class/thermal/thermal_zone0/temp")
    if told is None:
        return HealthFinding("temperature", Level.UNKNOWN, "this machine does not tell")
    degrees = told / 1000
    said = f"{degrees:.0f} °C"
    if degrees < WARM_C:
        return HealthFinding("temperature", Level.FINE, said)
    advice = "put on a heat sink or a fan, and keep the case open"
    return HealthFinding("temperature", Level.BAD if degrees >= HOT_C else Level.NOTE, said, advice)


def check_voltage(root: Path = ROOT) -> HealthFinding:
    """Whether the power supply holds: with too little, SD cards are ruined and cameras drop out."""
    alarms = [
        _number(sensor.parent / "in0_lcrit_alarm")
        for sensor in sorted(root.glob("sys/class/hwmon/hwmon*/name"))
        if sensor.read_text().strip() == "rpi_volt"
    ]
    # The alarm is over as soon as the voltage is back; the firmware also remembers that there was one.
    remembered = [_number(path, 16) for path in root.glob("sys/devices/platform/soc*/soc*firmware/get_throttled")]
    advice = "use the official power supply (Pi 4: 5.1 V, 3 A; Pi 5: 5 A), with no hub or long cable between"
    if any(alarms):
        return HealthFinding("voltage", Level.BAD, "too low just now", advice)
    if any(flags and flags & UNDER_VOLTAGE_SEEN for flags in remembered):
        return HealthFinding("voltage", Level.BAD, "enough just now, but it was too low since the start", advice)
    if any(told is not None for told in (*alarms, *remembered)):
        return HealthFinding("voltage", Level.FINE, "enough")
    return HealthFinding("voltage", Level.UNKNOWN, "this machine does not tell")


def check_service(ask: Callable[[], str] | None = None) -> HealthFinding | None:
    """Whether the service is well, where there is one."""
    told = dict(line.split("=", 1) for line in (ask or _ask_systemd)().splitlines() if "=" in line)
    if told.get("LoadState") != "loaded":
        return None
    state, status, restarts = (told.get(name, "") for name in ("ActiveState", "StatusText", "NRestarts"))
    said = f"{state}{f': {status}' if status else ''}"
    if state not in ("active", "activating"):
        advice = "`journalctl --namespace=azul -e` tells why; `sudo systemctl start azul` tries again"
        return HealthFinding("service", Level.BAD, said, advice)
    if restarts not in ("", "0"):
        advice = "`journalctl --namespace=azul -e` tells why"
        return HealthFinding("service", Level.NOTE, f"{said}, started anew {restarts} times", advice)
    return HealthFinding("service", Level.FINE, said)


def check_swap(root: Path = ROOT) -> HealthFinding:
    """Whether memory is swapped to the SD card, which wears it out; to compressed memory is fine."""
    swaps = root / "proc/swaps"
    lines = swaps.read_text().splitlines()[1:] if swaps.exists() else []
    onto = [line.split()[0] for line in lines if not line.startswith("/dev/zram")]
    if onto and any(root.glob("dev/mmcblk*")):
        advice = "switch it off (`sudo swapoff -a`, and remove dphys-swapfile); zram is kinder to the card"
        return HealthFinding("sd card", Level.NOTE, f"memory is swapped to {', '.join(onto)}", advice)
    return HealthFinding("sd card", Level.FINE, "nothing is swapped to it")


def _number(path: Path, base: int = 10) -> int | None:
    """What a file of the system says, if it does."""
    try:
        return int(path.read_text(), base)
    except (OSError, ValueError):
        return None


def _ask_systemd() -> str:
    """Nothing where there is no systemd."""
    systemctl = shutil.which("systemctl")
    if systemctl is None:
        return ""
    command = [systemctl, "show", "azul.service", "--property=LoadState,ActiveState,StatusText,NRestarts"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603 - our own words


def _installed() -> set[str]:
    return {str(found.metadata["Name"]).lower() for found in metadata.distributions()}


def _import_advice(error: ImportError) -> str:
    if "libGL" in str(error) or "libxcb" in str(error):
        return "this build of OpenCV wants a screen: uninstall opencv-python, install opencv-python-headless"
    return "run the installation again: it installs exactly what is needed"
