"""USB cameras at the boundary of OpenCV, streams against a real server on this machine, and cameras that come back."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from hardware.camera import CameraError, CameraLostError, Frame
from hardware.cameras import feed, usb
from hardware.cameras.lasting import LastingCamera
from hardware.cameras.stream import StreamCamera
from hardware.cameras.usb import UsbCamera, usb_devices


class FakeVideo:
    """Video4Linux as OpenCV shows it: a camera of 1920x1080 without autofocus that may be pulled out."""

    def __init__(self, plugged=True):
        self.plugged = plugged
        self.asked, self.told = {}, []
        self.shade = 70
        self.measured = {cv2.CAP_PROP_EXPOSURE: 312.0, cv2.CAP_PROP_WB_TEMPERATURE: 4100.0}
        self.released = threading.Event()
        self.out = threading.Event()

    def open(self, device, backend):
        self.device = device
        assert backend == cv2.CAP_V4L2
        return self.plugged

    def grab(self):
        return not self.out.is_set()

    def retrieve(self):
        return True, np.full((1080, 1920, 3), self.shade, np.uint8)

    def get(self, what):
        return self.measured.get(what, usb.UNSUPPORTED)

    def set(self, what, value):
        self.asked[what] = value
        self.told.append((what, value))
        return True

    def release(self):
        self.released.set()


def given(video):
    """What makes that video, and no other."""
    return lambda: video


def test_a_usb_camera_is_asked_for_its_largest_picture_and_then_held():
    video = FakeVideo()
    camera = UsbCamera("0", make=given(video))
    assert camera.capture().picture.shape == (1080, 1920, 3)
    assert camera.preview().picture.shape == (360, 640, 3)
    camera.close()
    assert video.released.is_set()
    assert video.device == 0
    assert video.asked[cv2.CAP_PROP_AUTO_EXPOSURE] == usb.V4L2_MANUAL_EXPOSURE
    assert video.asked[cv2.CAP_PROP_EXPOSURE] == 312
    assert video.asked[cv2.CAP_PROP_AUTO_WB] == 0
    assert video.asked[cv2.CAP_PROP_WB_TEMPERATURE] == 4100
    assert cv2.CAP_PROP_AUTOFOCUS not in video.asked


def test_a_usb_camera_that_held_something_before_is_measured_anew():
    video = FakeVideo()
    UsbCamera("0", make=given(video)).close()
    for automatic, on, off, value in usb.HELD[:2]:
        told = [entry for entry in video.told if entry[0] in (automatic, value)]
        assert told == [(automatic, on), (automatic, off), (value, video.measured[value])]


def test_a_usb_camera_is_opened_anew_when_the_lamp_is_switched_on(monkeypatch):
    monkeypatch.setattr("hardware.cameras.light.LASTING_S", 0.0)
    videos = []

    def make():
        videos.append(FakeVideo())
        return videos[-1]

    camera = LastingCamera(lambda: UsbCamera("0", make=make))
    camera.preview()
    videos[0].shade = 255
    with pytest.raises(CameraError, match="the light before the USB camera 0 has changed"):
        list(iter(camera.preview, None))
    assert videos[0].released.wait(5)
    assert camera.preview().picture.shape == (360, 640, 3)
    camera.close()
    assert len(videos) == 2


def test_a_usb_camera_that_is_not_there_or_busy_is_told():
    with pytest.raises(CameraError, match=r"/dev/video9 cannot be opened; is it plugged in"):
        UsbCamera("/dev/video9", make=given(FakeVideo(plugged=False)))
    dead = FakeVideo()
    dead.out.set()
    with pytest.raises(CameraError, match="gives no pictures"):
        UsbCamera("0", make=given(dead))
    assert dead.released.is_set()


def test_a_usb_camera_may_be_pulled_out_and_put_back():
    videos = []

    def make():
        videos.append(FakeVideo())
        return videos[-1]

    camera = LastingCamera(lambda: UsbCamera("0", make=make))
    assert camera.preview().number == 1
    videos[0].out.set()
    assert videos[0].released.wait(5)
    with pytest.raises(CameraError, match="gives no more pictures"):
        camera.preview()
    assert camera.preview().number == 2
    camera.close()
    assert len(videos) == 2


def test_what_is_lost_to_this_process_is_not_opened_again():
    class Lost:
        def preview(self):
            raise CameraLostError("gone")

        capture = preview

        def close(self):
            raise AssertionError("it is let go already")

    camera = LastingCamera(Lost)
    for _ in range(2):
        with pytest.raises(CameraLostError):
            camera.capture()


def test_usb_cameras_are_found_by_names_that_stay(tmp_path):
    for name in ("usb-Logi_C920-video-index0", "usb-Logi_C920-video-index1", "platform-isp-video-index0"):
        (tmp_path / name).touch()
    assert [path.name for path in usb_devices(tmp_path)] == ["usb-Logi_C920-video-index0"]
    assert usb_devices(tmp_path / "none") == []


class Mjpeg(BaseHTTPRequestHandler):
    """A network camera whose pictures get brighter, until it is told to break off."""

    broken = threading.Event()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        value = 0
        try:
            while not self.broken.wait(0.005):
                value = min(value + 1, 250)
                jpeg = cv2.imencode(".jpg", np.full((720, 1280, 3), value, np.uint8))[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
        except OSError:
            return

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Mjpeg) as made:
        Mjpeg.broken.clear()
        thread = threading.Thread(target=made.serve_forever, args=(0.02,))
        thread.start()
        yield made
        Mjpeg.broken.set()
        made.shutdown()
        thread.join()


def test_a_stream_is_watched_breaks_off_and_comes_back(server):
    camera = LastingCamera(lambda: StreamCamera(f"http://127.0.0.1:{server.server_port}/video"))
    first = camera.capture()
    assert first.picture.shape == (720, 1280, 3)
    small = camera.preview()
    assert small.picture.shape == (360, 640, 3)
    assert small.taken_s > first.taken_s
    Mjpeg.broken.set()
    with pytest.raises(CameraError, match="gives no more pictures; does a browser"):
        list(iter(camera.preview, None))
    Mjpeg.broken.clear()
    assert isinstance(camera.preview(), Frame)
    camera.close()


def test_an_address_that_is_none_or_does_not_answer_is_told():
    with pytest.raises(CameraError, match="is no address of a stream"):
        StreamCamera("/etc/passwd")
    with pytest.raises(CameraError, match=r"http://127\.0\.0\.1:9/nothing cannot be opened"):
        StreamCamera("http://ann:secret@127.0.0.1:9/nothing?pwd=secret")


def test_a_source_that_falls_silent_is_told(monkeypatch):
    silence = threading.Event()

    class Silent(FakeVideo):
        def grab(self):
            return silence.wait()

    monkeypatch.setattr(feed, "PATIENCE_S", 0.01)
    quiet = feed.VideoFeed(given(Silent())(), "the camera", "look at it")
    with pytest.raises(CameraError, match="gave no picture for 0 s; look at it"):
        quiet.frame()
    silence.set()
    quiet.close()


@pytest.mark.device
def test_a_real_usb_camera():
    camera = UsbCamera(str(usb_devices()[0]))
    assert camera.capture().picture.std() > 1
    camera.close()
