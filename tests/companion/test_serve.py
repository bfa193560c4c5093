"""The service as systemd runs it: a process of its own that says when it is ready, and can be stopped or killed."""

import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import engine
from companion.dashboard.wiring import open_site
from companion.gamelog import Doubt
from companion.startup import RUNNING
from companion.watching import Watching
from hardware.camera import CameraError, CameraLostError, Frame
from hardware.rig.panel import Mood

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
    assert heard(systemd, "READY=1") == "READY=1\nSTATUS=safe start, no camera"
    second.send_signal(signal.SIGTERM)
    told, _ = second.communicate(timeout=PATIENCE_S)
    assert "did not end well (3 in a row)" in told
    assert "without the camera" in told
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


def test_a_doubt_asks_for_attention(tmp_path):
    with open_site(tmp_path) as site:
        site.log.create(engine.parse_start(START)).append(Doubt("wall.1.1", {"B": 0.6, ".": 0.4}), "test")
        assert Watching(site, Bare).mood() is Mood.ATTENTION
