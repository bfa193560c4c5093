"""The service as systemd runs it: a process of its own that says when it is ready, and can be stopped or killed."""

import importlib.util
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import companion.capture.service
import companion.capture.session
import engine
from companion.capture.cameras import CAMERAS, open_corrected
from companion.capture.startup import RUNNING
from companion.capture.watching import Watching
from companion.dashboard.live.watched import Watch, Watched, watched
from companion.dashboard.wiring import open_site
from companion.gamelog import Doubt, GameLogError
from engine.editions.azul.moves import Take
from engine.moves import Fill
from hardware.calibration import Calibration, CalibrationError, Lens, save_calibration
from hardware.camera import CameraError, CameraLostError, Frame
from hardware.cameras.lasting import LastingCamera
from hardware.cameras.usb import UNSUPPORTED, UsbCamera
from hardware.rig.panel import Mood, Presses

spec = importlib.util.spec_from_file_location("live_table", Path(__file__).with_name("live_table.py"))
assert spec
assert spec.loader
live_table: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(live_table)

START = '{"event": "start", "edition": "azul", "side": "coloured", "players": 2, "first": 1}'
PATIENCE_S = 60


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        listening.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        monkeypatch.setenv("WATCHDOG_USEC", "2000000")
        yield listening


def started(folder, photos):
    command = [Path(sys.executable).with_name("azul"), "serve", "--camera", f"watch:{photos}", "--no-panel"]
    command += ["--host", "127.0.0.1", "--port", "0", "--data", folder]
    return subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True, env=os.environ)


def heard(systemd, wanted):
    """Wait until systemd hears that."""
    while wanted not in (message := systemd.recv(500).decode()):
        assert message
    return message


def test_it_is_ready_pats_the_watchdog_answers_and_ends_when_told(tmp_path, systemd):
    (tmp_path / "photos").mkdir()
    data = tmp_path / "data"
    service = started(data, tmp_path / "photos")
    assert heard(systemd, "READY=1") == "READY=1\nSTATUS=watching"
    heard(systemd, "WATCHDOG=1")
    port = service.stdout.readline().split()[-1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_S) as page:
        assert page.status == 200
    service.send_signal(signal.SIGTERM)
    heard(systemd, "STOPPING=1")
    assert service.wait(PATIENCE_S) == 0
    service.stdout.close()
    assert not (data / RUNNING).exists()


def test_after_being_killed_it_says_so(tmp_path, systemd):
    (tmp_path / "photos").mkdir()
    data = tmp_path / "data"
    first = started(data, tmp_path / "photos")
    heard(systemd, "READY=1")
    first.kill()
    first.communicate(timeout=PATIENCE_S)
    (data / RUNNING).write_text('{"crashes": 3}')
    second = started(data, tmp_path / "photos")
    assert "STATUS=started without the camera, since it failed over and over" in heard(systemd, "READY=1")
    second.send_signal(signal.SIGTERM)
    told, _ = second.communicate(timeout=PATIENCE_S)
    assert "did not end well (3 in a row)" in told
    assert second.returncode == 0


class Bare:
    """A table with nothing on it, seen by a camera that can be pulled out."""

    def __init__(self):
        self.asked, self.error = threading.Event(), None

    def preview(self):
        self.asked.set()
        if self.error:
            raise self.error
        return Frame(np.full((36, 64, 3), 90, np.uint8), 1, 0.0)

    capture = preview

    def close(self):
        pass


def wait_for(condition):
    for _ in range(PATIENCE_S * 100):
        if condition():
            return True
        threading.Event().wait(0.01)
    return False


def test_troubles_are_shown_and_a_lost_camera_ends_it(tmp_path):
    camera, moods = Bare(), []
    with open_site(tmp_path) as site:
        watching = Watching(site, lambda: camera)
        moods.append(watching.mood())
        site.log.create(engine.parse_start(START))
        moods.append(watching.mood())
        camera.error = CameraError("pulled out")
        watching.start()
        assert camera.asked.wait(PATIENCE_S)
        assert wait_for(lambda: watching.trouble == "pulled out")
        moods.append(watching.mood())
        assert moods == [Mood.OFF, Mood.WATCHING, Mood.TROUBLE]
        assert watching.silent_s < PATIENCE_S
        watching.look()
        camera.error = CameraLostError("gone for good")
        assert wait_for(lambda: watching.is_lost)
        assert watching.trouble == "gone for good"
        watching.close()


def test_a_camera_that_is_not_there_is_waited_for(tmp_path):
    away = [CameraError("no camera; plug one in")]

    def plug():
        if away:
            raise away.pop()
        return Bare()

    with open_site(tmp_path) as site:
        watching = Watching(site, plug)
        watching.start()
        assert wait_for(lambda: watching.trouble == "no camera; plug one in")
        assert wait_for(lambda: site.window is not None and site.window.seen is not None)
        assert not watching.trouble
        assert not watching.is_lost
        watching.close()


def test_a_newest_game_that_no_camera_can_follow_is_said_and_the_next_one_is_followed(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.capture.cameras.GLANCE_S", 0.02)
    unread = engine.load("tide-pool")
    with open_site(tmp_path) as site:
        site.log.create(engine.Start(unread, unread.setup(unread.sides[0], 2)))
        watching = Watching(site, Bare)
        watching.start()
        assert wait_for(lambda: "photos of tide-pool cannot be read yet" in str(watching.trouble))
        assert watching.mood() == Mood.TROUBLE
        assert not watching.is_lost
        site.log.create(engine.parse_start(START))
        assert wait_for(lambda: "tide-pool" not in str(watching.trouble))
        watching.close()


def test_a_doubt_asks_for_attention(tmp_path):
    with open_site(tmp_path) as site:
        site.log.create(engine.parse_start(START)).append(Doubt("wall.1.1", {"B": 0.6, ".": 0.4}), "test")
        assert Watching(site, Bare).mood() is Mood.ATTENTION


class Plug:
    """A USB camera's cable, over a table that goes on changing when it is out."""

    def __init__(self, state):
        self.table, self.is_in, self.tried = live_table.BlankCamera(state), True, 0

    def video(self):
        return PluggedVideo(self)


class PluggedVideo:
    """As OpenCV shows it: opens only while the cable is in, and breaks off when it comes out."""

    def __init__(self, plug):
        self.plug = plug

    def open(self, *_):
        self.plug.tried += 1
        return self.plug.is_in

    def grab(self):
        threading.Event().wait(0.002)
        return self.plug.is_in

    def retrieve(self):
        return True, self.plug.table.preview().picture

    def get(self, _):
        return UNSUPPORTED

    def set(self, *_):
        return True

    def release(self):
        pass


def test_pulled_out_and_put_back_the_game_waits_and_goes_on(tmp_path, monkeypatch):
    """Everything between the plug and the log is real but the reading of pictures."""
    monkeypatch.setattr(companion.capture.session, "PAUSE_S", 0.05)
    with open_site(tmp_path) as site:
        game = site.log.create(live_table.START)
        filled = live_table.AZUL.enact(game.refresh().state, Fill(("BBKR", "KKWY", "RRRW", "BYYY", "KRWW")))
        plug = Plug(filled)
        monkeypatch.setattr(companion.capture.session, "follow_picture", live_table.imagining(plug.table))
        watching = Watching(site, lambda: LastingCamera(lambda: UsbCamera("0", make=plug.video)))
        watching.start()
        assert wait_for(lambda: len(game.refresh().live) == 1)
        assert watched(site, game.id, is_over=False) == Watched(Watch.LIVE)
        plug.is_in = False
        assert wait_for(lambda: "USB camera 0" in str(watching.trouble))
        assert watching.mood() is Mood.TROUBLE
        assert watched(site, game.id, is_over=False).watch is Watch.BLIND
        plug.table.show(live_table.AZUL.enact(filled, Take(1, 2, "K", 3)))
        tried = plug.tried
        assert wait_for(lambda: plug.tried > tried + 2)
        assert len(game.refresh().live) == 1
        assert not watching.is_lost
        plug.is_in = True
        assert wait_for(lambda: game.refresh().state == plug.table.state)
        assert wait_for(lambda: watching.mood() is Mood.WATCHING)
        assert watched(site, game.id, is_over=False).is_live
        watching.close()
        assert watched(site, game.id, is_over=False).watch is Watch.NO_CAMERA


def test_a_damaged_calibration_is_told_and_no_crash(tmp_path):
    damaged = [CalibrationError("picamera.json is damaged; delete it")]

    def open_camera():
        if damaged:
            raise damaged.pop()
        return Bare()

    with open_site(tmp_path) as site:
        watching = Watching(site, open_camera)
        watching.start()
        assert wait_for(lambda: "damaged" in str(watching.trouble))
        assert wait_for(lambda: site.window is not None)
        watching.close()
        assert not watching.is_lost


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_what_nobody_foresaw_ends_the_service_with_its_reason(tmp_path):
    def fail():
        raise KeyError("surprise")

    with open_site(tmp_path) as site:
        watching = Watching(site, fail)
        watching.start()
        assert wait_for(lambda: watching.is_lost)
        assert watching.trouble == "KeyError: 'surprise'"
        with pytest.raises(CameraLostError, match="KeyError: 'surprise'; ending"):
            companion.capture.service._look_after(
                watching, Presses(), lambda _: None, tmp_path, threading.Event(), lambda: None
            )


def test_a_failing_disk_shows_in_the_lamp_and_ends_nothing(tmp_path, monkeypatch, caplog):
    stop, shown = threading.Event(), list[Mood]()

    def fail(*_):
        raise GameLogError("the disk is full")

    def sweep():
        stop.set()
        fail()

    with open_site(tmp_path) as site:
        monkeypatch.setattr("companion.capture.watching.newest", fail)
        watching = Watching(site, Bare)
        with caplog.at_level(logging.WARNING):
            companion.capture.service._look_after(watching, Presses(), shown.append, tmp_path, stop, sweep)
    assert shown == [Mood.TROUBLE]
    assert "the disk is full" in caplog.text


def test_what_was_measured_of_a_camera_is_used_whatever_it_is_called(tmp_path):
    (tmp_path / "photos").mkdir()
    name = f"watch:{tmp_path / 'photos'}"
    camera = open_corrected(name, tmp_path)
    assert camera.calibration == Calibration()
    known = Calibration(gains=(1.1, 1.0, 0.9))
    save_calibration(known, name, tmp_path / CAMERAS)
    assert open_corrected(name, tmp_path).calibration == known
    lens = Lens((4, 3), ((5.0, 0.0, 2.0), (0.0, 5.0, 1.5), (0.0, 0.0, 1.0)), (0.0,) * 5, 0.1)
    camera.learn(lens)
    assert open_corrected(name, tmp_path).calibration == Calibration(lens)


def test_automatically_found_it_is_the_same_camera(tmp_path, monkeypatch):
    found = f"watch:{tmp_path}"
    monkeypatch.setattr("hardware.cameras.opening.find_camera", lambda: found)
    save_calibration(Calibration(gains=(1.1, 1.0, 0.9)), found, tmp_path / CAMERAS)
    assert open_corrected("auto", tmp_path).calibration.gains == (1.1, 1.0, 0.9)


def test_the_enter_key_is_a_button(tmp_path, monkeypatch):
    looked, stop = threading.Event(), threading.Event()
    monkeypatch.setattr(Watching, "look", lambda _: looked.set())
    keyboard = iter(["\n"])
    running = threading.Thread(
        target=companion.capture.service.serve,
        args=(tmp_path, f"watch:{tmp_path}", "127.0.0.1", 0, False, stop, lambda _: None, keyboard),
    )
    running.start()
    assert looked.wait(PATIENCE_S)
    stop.set()
    running.join(PATIENCE_S)
    assert not running.is_alive()
