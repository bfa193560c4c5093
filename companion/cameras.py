"""Cameras as they are used: opened by their names, and put right by what was measured of them."""

from __future__ import annotations

from pathlib import Path

from hardware.calibration import Calibration, CorrectedCamera, load_calibration
from hardware.camera import Camera
from hardware.cameras.opening import exact_spec, open_camera

CAMERAS = "cameras"
"""Where calibrations lie in the data folder."""


def open_corrected(spec: str, folder: Path) -> Camera:
    """A camera, put right by what is known of it in a data folder."""
    exact = exact_spec(spec)
    known = load_calibration(exact, folder / CAMERAS)
    camera = open_camera(exact)
    return camera if known == Calibration() else CorrectedCamera(camera, known)
