"""The driver of the Pi's own camera, against a stand-in whose calls are those of picamera2's published source."""

import ast
import importlib.util
import inspect
import shutil
import subprocess
import sys
from zipfile import ZipFile

import numpy as np
import pytest

from hardware.camera import Camera, CameraError, CameraLostError, LesserCameraWarning
from hardware.cameras import fake_picamera2 as fake
from hardware.cameras.light import LASTING_S, LightWatch
from hardware.cameras.picamera import PiCamera, import_libraries, what_is_missing

PUBLISHED = "0.3.38"


@pytest.fixture
def pi(monkeypatch):
    """A Pi with a Camera Module 3; what a test changes is put back."""
    fresh = {"plugged": [fake.MODULE_3], "busy": False, "unplugged": False, "stuck": False, "opened": []}
    for name, value in fresh.items():
        monkeypatch.setattr(fake.Picamera2, name, value)
    return fake.Picamera2


def libraries():
    return fake.Picamera2, fake.controls


def opened():
    return PiCamera(libraries=libraries)


def test_both_streams_show_the_same_table_blue_first(pi):
    camera: Camera = opened()
    small, full = camera.preview(), camera.capture()
    assert small.picture.shape == (360, 640, 3)
    assert full.picture.shape == (2592, 4608, 3)
    assert np.array_equal(full.picture[5, 5], [40, 120, 200])
    assert np.abs(small.picture.reshape(-1, 3).astype(int) - [40, 120, 200]).max() <= 3
    assert (small.number, full.number) == (1, 2)
    assert full.focal_px == pytest.approx(3548, abs=1)
    assert pi.opened[0].out == 0, "every frame must be given back"
    camera.close()
    assert not pi.opened[0].is_open


def test_exposure_white_balance_and_focus_are_measured_at_rest_and_held(pi):
    opened()
    held = pi.opened[0].set
    assert held["AeEnable"] is False
    assert held["AwbEnable"] is False
    assert held["ExposureTime"] == pytest.approx(20_000, rel=0.03)
    assert held["ColourGains"] == pytest.approx((2.0, 1.5), rel=0.03)
    assert held["AfMode"] == fake.AfModeEnum.Manual
    assert held["LensPosition"] == 1.25
    assert held["FrameDurationLimits"] == (100_000, 100_000)


def test_a_lens_that_is_focused_by_hand_is_left_alone(pi, monkeypatch):
    monkeypatch.setattr(pi, "plugged", [fake.HQ])
    camera = opened()
    assert "AfMode" not in pi.opened[0].set
    assert camera.preview().picture.shape == (480, 640, 3)
    assert camera.capture().focal_px is None, "the lens can be exchanged, so nobody knows"


def test_a_lens_that_finds_nothing_sharp_is_told(pi, monkeypatch):
    monkeypatch.setattr(pi, "focuses", False)
    with pytest.warns(LesserCameraWarning, match="could not focus"):
        opened()


def test_a_lens_that_searches_for_ever_is_told_and_no_lost_camera(pi, monkeypatch):
    monkeypatch.setattr(pi, "focuses", None)
    with pytest.warns(LesserCameraWarning, match="could not focus"):
        camera = opened()
    assert camera.preview().number == 1
    assert pi.opened[0].set["AfMode"] == fake.AfModeEnum.Manual


def test_after_the_lamp_was_switched_on_all_is_measured_anew(pi, monkeypatch):
    now = [0.0]
    camera = PiCamera(libraries=libraries, light=LightWatch(lambda: now[0]))
    device, lit = pi.opened[0], pi.table

    def watch(table, seconds):
        """How often it was measured meanwhile."""
        monkeypatch.setattr(pi, "table", table)
        before, measured = device.automatic_since, 0
        for _ in range(seconds * 5):
            now[0] += 0.2
            camera.preview()
            measured += device.automatic_since != before
            before = device.automatic_since
        return measured

    assert watch(lit, 10) == 0
    assert watch(lit // 20, int(LASTING_S) - 1) == 0, "a hand before the lens"
    assert watch(lit, 10) == 0
    assert watch(lit // 20, 60) == 1, "in the dark it is measured once, not over and over"
    device.set |= {"ExposureTime": 1}
    assert watch(np.full_like(lit, 255), 10) == 1
    assert device.set["AeEnable"] is False
    assert device.set["ExposureTime"] == pytest.approx(20_000, rel=0.03)
    assert device.set["AfMode"] == fake.AfModeEnum.Manual


def test_no_camera_and_a_busy_one_are_told(pi, monkeypatch):
    monkeypatch.setattr(pi, "busy", True)
    with pytest.raises(CameraError, match=r"did not complete.*another program"):
        opened()
    with pytest.raises(CameraError, match="no camera 1: on the Pi's connectors there are 1"):
        PiCamera(1, libraries=libraries)
    assert what_is_missing(libraries) == ""
    monkeypatch.setattr(pi, "plugged", [])
    with pytest.raises(CameraError, match=r"on the Pi's connectors there is none; .*ribbon cable"):
        opened()
    assert what_is_missing(libraries) == "none answers on the Pi's connector"


def test_a_webcam_that_libcamera_lists_is_left_to_its_own_driver(pi, monkeypatch):
    monkeypatch.setattr(pi, "plugged", [fake.MODULE_3, fake.WEBCAM])
    assert opened().preview().picture.shape == (360, 640, 3)
    monkeypatch.setattr(pi, "plugged", [fake.WEBCAM])
    assert what_is_missing(libraries)
    with pytest.raises(CameraError, match="on the Pi's connectors there is none"):
        opened()


def test_a_cable_that_comes_loose_loses_the_camera(pi, monkeypatch):
    camera = opened()
    monkeypatch.setattr(pi, "unplugged", True)
    with pytest.raises(CameraLostError, match="stopped answering: no answer in time"):
        camera.preview()
    assert not pi.opened[0].is_open
    camera.close()
    with pytest.raises(CameraLostError):
        opened()
    assert not pi.opened[1].is_open


def test_a_lost_camera_that_cannot_even_be_closed_is_still_only_lost(pi, monkeypatch):
    camera = opened()
    monkeypatch.setattr(pi, "unplugged", True)
    monkeypatch.setattr(pi, "stuck", True)
    with pytest.raises(CameraLostError, match="stopped answering"):
        camera.capture()
    camera.close()


@pytest.mark.parametrize("error", ["ImportError('no pykms')", "ValueError('numpy.dtype size changed')"])
def test_a_picamera2_that_cannot_be_imported_is_told(tmp_path, monkeypatch, error):
    (tmp_path / "libcamera.py").write_text(f"raise {error}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "libcamera", raising=False)
    with pytest.raises(CameraError, match=r"cannot be imported.*trixie"):
        import_libraries()


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is not None, reason="this is a Pi")
def test_without_picamera2_it_says_how_to_get_it():
    assert "picamera2 cannot be imported" in what_is_missing()
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        import_libraries()


@pytest.fixture(scope="module")
def published(request):
    """The classes of picamera2's published source, by name: it can be had anywhere, though imported only on a Pi."""
    folder = request.config.cache.mkdir(f"picamera2-{PUBLISHED}")
    if not list(folder.glob("*.whl")):
        pip = [sys.executable, "-m", "pip"] if importlib.util.find_spec("pip") else [shutil.which("pip3") or "pip"]
        wanted = ["--no-deps", "--only-binary=:all:", "--dest", str(folder), f"picamera2=={PUBLISHED}"]
        got = subprocess.run([*pip, "download", *wanted], capture_output=True, text=True, check=False)
        if got.returncode:
            pytest.fail(f"picamera2 {PUBLISHED} cannot be had from the package index:\n{got.stderr}", pytrace=False)
    classes = {}
    with ZipFile(next(folder.glob("*.whl"))) as wheel:
        for name in ("picamera2/picamera2.py", "picamera2/request.py", "picamera2/job.py"):
            for node in ast.parse(wheel.read(name)).body:
                if isinstance(node, ast.ClassDef):
                    classes[node.name] = node
    return classes


def signature(function):
    """Names of arguments, and which of them may be left out."""
    arguments = function.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return names, len(arguments.defaults) + sum(default is not None for default in arguments.kw_defaults)


@pytest.mark.parametrize("ours", [fake.Picamera2, fake.CompletedRequest])
def test_the_stand_in_has_the_calls_of_the_published_source(published, ours):
    theirs = {node.name: node for node in published[ours.__name__].body if isinstance(node, ast.FunctionDef)}
    fakes = ast.walk(ast.parse(inspect.getsource(ours)))
    compared = [node for node in fakes if isinstance(node, ast.FunctionDef) and node.name != "_answer"]
    assert compared
    for node in compared:
        # Overloads come first, the function itself last: that is the one a dict keeps.
        assert node.name in theirs, f"picamera2 has no {ours.__name__}.{node.name}"
        assert signature(node) == signature(theirs[node.name]), node.name
        kinds = [{d.id for d in n.decorator_list if isinstance(d, ast.Name)} for n in (node, theirs[node.name])]
        assert kinds[0] - {"contextmanager"} == kinds[1], node.name


def test_the_driver_uses_no_call_that_the_stand_in_lacks():
    used = set()
    for node in ast.walk(ast.parse(inspect.getsource(PiCamera))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self._camera", "request", "picamera2"):
            used.add(node.attr)
    offered = {*vars(fake.Picamera2), *vars(fake.CompletedRequest), "sensor_resolution"}
    assert used
    assert used - offered == set()


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("Picamera2", "self.sensor_resolution = "),
        ("Picamera2", "key=lambda cam: ('/usb' not in cam['Id'], cam['Id']), reverse=True"),  # webcams come last
        ("Picamera2", "raise RuntimeError('Camera __init__ sequence did not complete.')"),
        ("Picamera2", "raise RuntimeError('width and height should be even')"),
        ("Picamera2", "raise RuntimeError('lores stream must be YUV')"),
        ("Picamera2", "frame_timestamp_ns = md['SensorTimestamp'] - 1000 * md['ExposureTime']"),  # what flush does
        ("Helpers", "'RGB888': 'BGR'"),
        ("Job", "self._future.result(timeout=timeout)"),  # a TimeoutError where the number of seconds is up
    ],
)
def test_what_the_driver_relies_on_is_in_the_published_source(published, where, what):
    assert what in ast.unparse(published[where])


@pytest.mark.device
def test_a_real_pi_camera():
    camera = PiCamera()
    assert camera.preview().picture.std() > 1
    assert camera.capture().picture.std() > 1
    camera.close()
