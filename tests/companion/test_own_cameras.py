"""What a camera takes goes to the networks as it is: no picture is made a file and read again on the way."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

import companion.capture.session
import companion.pipeline
import vision.photo
from companion.capture.cameras import Window
from companion.capture.session import Session
from companion.gamelog import GameLog
from engine import parse_start
from hardware.calibration import Calibration, CorrectedCamera
from hardware.camera import Frame
from vision.errors import BoardNotFoundError

NO_NETWORKS: Any = None
START = parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')


class OneFrame:
    """A camera whose full picture is always the same array."""

    def __init__(self):
        self.picture = np.zeros((300, 400, 3), np.uint8)

    def preview(self):
        return Frame(self.picture[::4, ::4], 1, 0.2)

    def capture(self):
        return Frame(self.picture, 1, 0.2)

    def close(self):
        pass


@pytest.fixture
def files(monkeypatch):
    """Every way to write or read the file of a picture, each of which fails."""

    def touched(*_args, **_options):
        pytest.fail("a picture was made a file, or read from one")

    for module, name in ((cv2, "imencode"), (cv2, "imdecode"), (Image, "open"), (vision.photo, "decode_jpeg")):
        monkeypatch.setattr(module, name, touched)


@pytest.mark.usefixtures("files")
def test_the_very_array_of_the_camera_is_what_is_looked_at(tmp_path, monkeypatch):
    camera, seen = OneFrame(), []

    def look(picture, *_args):
        seen.append(picture)
        raise BoardNotFoundError("nothing lies there")

    monkeypatch.setattr(companion.pipeline, "look", look)
    lens = CorrectedCamera(camera, Calibration(), lambda _: None)
    with GameLog(tmp_path) as log:
        session = Session(Window(lens, lens), log.create(START), NO_NETWORKS, pace_s=0.0)
        for _ in range(10):
            session.step()
    assert seen
    assert all(picture is camera.picture for picture in seen)
