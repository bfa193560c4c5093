"""Cameras by their specs, and the best one that is there."""

from pathlib import Path

import pytest

from hardware.camera import CameraError, LesserCameraWarning
from hardware.cameras.folder import FolderCamera
from hardware.cameras.opening import KINDS, _makers, exact_spec, find_camera, open_camera
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
        ("webcam", "no camera is called webcam; there are auto, picamera"),
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
    assert find_camera(str, lambda: usb) == "picamera"
    with pytest.warns(LesserCameraWarning, match=r"not used \(none answers\), but usb:"):
        assert find_camera(lambda: "none answers", lambda: usb) == f"usb:{usb[0]}"
    with pytest.raises(CameraError, match="no camera was found: none answers, and none is on USB"):
        find_camera(lambda: "none answers", list)


@pytest.mark.parametrize(
    ("spec", "exact"),
    [("picamera:0", "picamera"), ("picamera:1", "picamera:1"), ("usb", "usb:0"), ("watch:a:b", "watch:a:b")],
)
def test_a_camera_has_one_exact_name(spec, exact):
    assert exact_spec(spec) == exact_spec(exact) == exact
