"""What the doctor finds, on machines made of files."""

import json
import time
from collections import namedtuple
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware.camera import CameraError, Frame
from hardware.rig import health
from hardware.rig.health import Level
from hardware.rig.picture import judge_picture

PHOTO = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_rig_102.jpg"


def machine(root, **files):
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("name", "version", "level"),
    [
        ("aarch64", (3, 13), Level.FINE),
        ("x86_64", (3, 11), Level.FINE),
        ("armv7l", (3, 13), Level.BAD),
        ("aarch64", (3, 9), Level.BAD),
    ],
)
def test_python_and_its_bits(name, version, level):
    assert health.check_python(name, version).level == level


def test_thirty_two_bits_are_told_what_to_do():
    assert "64-bit Raspberry Pi OS" in health.check_python("armv7l", (3, 13)).advice


def test_two_builds_of_opencv_are_bad():
    found = list(health.check_libraries(lambda: {"opencv-python", "opencv-python-headless", "numpy"}))
    assert [(finding.name, finding.level) for finding in found] == [("opencv", Level.BAD), ("libraries", Level.FINE)]
    assert "opencv-python-headless alone" in found[0].advice


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("libGL.so.1: cannot open shared object file", "install opencv-python-headless"),
        ("No module named 'cv2'", "run the installation again"),
    ],
)
def test_a_library_that_cannot_be_imported_is_bad(error, advice):
    def load(name):
        if name == "cv2":
            raise ImportError(error)

    (found,) = health.check_libraries(set, load)
    assert found.level == Level.BAD
    assert advice in found.advice


@pytest.mark.parametrize(("free", "level"), [(9e9, Level.FINE), (5e8, Level.NOTE), (1e8, Level.BAD)])
def test_the_disk(tmp_path, monkeypatch, free, level):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(free))
    assert health.check_disk(tmp_path / "not" / "yet").level == level


def test_a_disk_that_cannot_be_written_is_bad(tmp_path, monkeypatch):
    def refuse(**_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    found = health.check_disk(tmp_path)
    assert found.level == Level.BAD
    assert "SD card" in found.advice


def test_the_clock(tmp_path):
    assert health.check_clock(0.0, tmp_path).level == Level.BAD
    assert health.check_clock(time.time(), tmp_path).level == Level.FINE
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    assert health.check_clock(time.time(), tmp_path).level == Level.NOTE
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert health.check_clock(time.time(), tmp_path).level == Level.FINE


@pytest.mark.parametrize(("told", "level"), [("48700", Level.FINE), ("74000", Level.NOTE), ("83500", Level.BAD)])
def test_the_temperature(tmp_path, told, level):
    assert health.check_temperature(machine(tmp_path, sys__class__thermal__thermal_zone0__temp=told)).level == level


@pytest.mark.parametrize(("alarm", "level"), [("0\n", Level.FINE), ("1\n", Level.BAD)])
def test_the_voltage(tmp_path, alarm, level):
    root = machine(
        tmp_path,
        sys__class__hwmon__hwmon0__name="cpu_thermal\n",
        sys__class__hwmon__hwmon1__name="rpi_volt\n",
        sys__class__hwmon__hwmon1__in0_lcrit_alarm=alarm,
    )
    assert health.check_voltage(root).level == level


@pytest.mark.parametrize(("flags", "level"), [("0\n", Level.FINE), ("50000\n", Level.BAD), ("20000\n", Level.FINE)])
def test_a_voltage_that_was_too_low_once_is_told(tmp_path, flags, level):
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text(flags)
    found = health.check_voltage(tmp_path)
    assert found.level == level
    assert ("since the start" in found.said) == (level == Level.BAD)


@pytest.mark.parametrize("content", ["", "nonsense"])
def test_a_thermometer_that_says_nothing_useful_is_no_fault(tmp_path, content):
    root = machine(tmp_path, sys__class__thermal__thermal_zone0__temp=content)
    assert health.check_temperature(root).said == "this machine does not tell"


@pytest.mark.parametrize(
    ("told", "level", "said"),
    [
        ("LoadState=not-found\nActiveState=inactive", None, ""),
        ("", None, ""),
        ("LoadState=loaded\nActiveState=active\nStatusText=watching\nNRestarts=0", Level.FINE, "active: watching"),
        ("LoadState=loaded\nActiveState=active\nStatusText=a=b\nNRestarts=2", Level.NOTE, "started anew 2 times"),
        ("LoadState=loaded\nActiveState=failed\nStatusText=\nNRestarts=9", Level.BAD, "failed"),
    ],
)
def test_the_service(told, level, said):
    found = health.check_service(lambda: told)
    assert (found and found.level) == level
    assert not found or said in found.said


def test_a_camera_that_the_service_has_is_not_called_bad(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "companion.cli.commands.doctor.check_service",
        lambda: health.HealthFinding("service", Level.FINE, "active: watching"),
    )
    told = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "the service has it" in told.output
    assert "systemctl stop azul" in told.output


def test_swapping_to_an_sd_card_wears_it_out(tmp_path):
    head = "Filename Type Size Used Priority\n"
    root = machine(tmp_path, proc__swaps=f"{head}/var/swap file 524284 0 -2\n", dev__mmcblk0="")
    assert health.check_swap(root).level == Level.NOTE
    machine(tmp_path, proc__swaps=f"{head}/dev/zram0 partition 524284 0 100\n")
    assert health.check_swap(root).level == Level.FINE


def test_what_a_machine_does_not_tell_is_unknown_and_not_fine(tmp_path):
    found = [*health.examine_machine(tmp_path, tmp_path)]
    unknown = {"temperature", "voltage"}
    assert {finding.name for finding in found if finding.level == Level.UNKNOWN} == unknown
    assert all(finding.level == Level.FINE for finding in found if finding.name not in unknown)
    assert [finding.name for finding in found] == [
        "python", "libraries", "disk", "clock", "temperature", "voltage", "sd card",
    ]  # fmt: skip


class Shows:
    def __init__(self, picture):
        self.picture = picture

    def capture(self):
        return Frame(self.picture, 1, 0.0)

    preview = capture

    def close(self):
        pass


def test_a_good_camera_is_fine_and_a_blurred_one_is_not():
    photo = np.asarray(cv2.imread(str(PHOTO)), np.uint8)
    assert [finding.level for finding in health.examine_camera(lambda: Shows(photo))] == [Level.FINE] * 3
    blurred = np.asarray(cv2.GaussianBlur(photo, (0, 0), 3), np.uint8)
    levels = {finding.name: finding.level for finding in health.examine_camera(lambda: Shows(blurred))}
    assert levels == {"camera": Level.FINE, "focus": Level.BAD, "light": Level.FINE}


def test_darkness_and_glare_are_told():
    photo = np.asarray(cv2.imread(str(PHOTO)), np.uint8)
    assert "dark" in judge_picture(photo // 3).light_advice
    photo[300:700, 600:1500] = 255
    assert "glare" in judge_picture(photo).light_advice


def test_a_camera_that_cannot_be_opened_is_bad_with_its_advice():
    def fail():
        raise CameraError("there is no camera; plug it in")

    (found,) = health.examine_camera(fail)
    assert (found.level, found.said, found.advice) == (Level.BAD, "there is no camera", "plug it in")


def test_the_doctor_tells_people_and_programs(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(PHOTO.read_bytes())
    options = ["--camera", f"folder:{tmp_path / 'photos'}", "--data", str(tmp_path)]
    told = CliRunner().invoke(main, ["doctor", *options])
    assert told.exit_code == 0, told.output
    assert "2304x1296" in told.output
    asked = CliRunner().invoke(main, ["doctor", "--json", "--camera", "folder:/nowhere", "--data", str(tmp_path)])
    assert asked.exit_code == 2
    assert json.loads(asked.output.splitlines()[-1])["level"] == "bad"
