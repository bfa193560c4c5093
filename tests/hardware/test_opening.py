"""Cameras by their specs, and the best one that is there."""

from pathlib import Path

import pytest

from hardware.camera import CameraError, LesserCameraWarning
from hardware.cameras.folder import FolderCamera
from hardware.cameras.opening import KINDS, _makers, find_camera, open_camera
from hardware.cameras.upload import UploadCamera


def test_every_kind_is_described():
    assert list(KINDS) == list(_makers())


def test_a_folder_is_opened_by_its_spec(tmp_path):
    assert isinstance(open_camera(f"folder:{tmp_path}"), FolderCamera)
    assert isinstance(open_camera(f"watch:{tmp_path}"), FolderCamera)


def test_kinds_that_only_the_caller_can_make():
    uploads = UploadCamera()
    assert open_camera("upload", {"upload": lambda _: uploads}) is uploads


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("webcam", "no camera is called 'webcam'; there are auto, picamera"),
        ("picamera:left", "numbered"),
        ("stream:file:///etc/passwd", "no address of a stream"),
        ("usb:/dev/nothing", "cannot be opened"),
        ("folder:/nowhere", "there is no folder"),
    ],
)
def test_what_cannot_be_opened_is_told(spec, told):
    with pytest.raises(CameraError, match=told):
        open_camera(spec)


def test_the_pis_own_camera_comes_first_and_a_lesser_one_warns():
    usb = [Path("/dev/v4l/by-id/usb-A-video-index0")]
    assert find_camera(lambda: True, lambda: usb) == "picamera"
    with pytest.warns(LesserCameraWarning, match="using usb:"):
        assert find_camera(lambda: False, lambda: usb) == f"usb:{usb[0]}"
    with pytest.raises(CameraError, match="neither on the Pi's connector nor on USB"):
        find_camera(lambda: False, list)
