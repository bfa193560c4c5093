"""What a camera's lens and colours are like: measured on printed sheets, kept per camera, put right in its frames."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.text import say
from hardware.camera import Camera, CameraError, Frame, Picture
from hardware.errors import HardwareError

Array = NDArray[np.float64]

SQUARES = (6, 9)
SQUARE_MM, MARKER_MM = 25.0, 18.0
FAMILY = cv2.aruco.DICT_4X4_50
"""Other markers than those at the corners of boards, so that none is taken for another."""
CARD_MARKERS = (40, 41, 42, 43)
"""Around the neutral card, clockwise from its top left; the Charuco sheet has only lower numbers."""
CARD_MM, CARD_MARKER_MM, PATCH_MM = 100.0, 18.0, 52.0
VIEWS_NEEDED, POINTS_NEEDED = 5, 12
WORST_PX = 2.0
"""A lens that fits worse than this, in a picture 1000 px wide, was measured on a bent sheet or on blurred pictures."""
BRIGHT = 0.05
"""The share of a board that is its white print, and a little less than that."""
STRONGEST_GAIN = 4.0
CLIPPED = 250
SAME_SHAPE = 0.01
"""By how much the sides' ratio of pictures of one lens may differ, for rounding."""


class CalibrationError(HardwareError):
    """Pictures from which a camera cannot be calibrated, or a calibration that cannot be used."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with its distortion, as OpenCV has them, for pictures of one size."""

    size_px: tuple[int, int]
    matrix: tuple[tuple[float, ...], ...]
    distortion: tuple[float, ...]
    error_px: float

    @property
    def focal_px(self) -> float:
        """The focal length."""
        return (self.matrix[0][0] + self.matrix[1][1]) / 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of one camera; gains are for blue, green and red."""

    lens: Lens | None = None
    gains: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class SheetView:
    """One look at the printed Charuco sheet: points on the paper, and where they are in the picture."""

    size_px: tuple[int, int]
    points: Any
    seen: Any


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The sheet that lenses are measured with."""
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, cv2.aruco.getPredefinedDictionary(FAMILY))


def measure_lens(pictures: Sequence[Picture]) -> Lens:
    """The lens, from pictures of the printed Charuco sheet held at various angles."""
    sizes = {picture.shape[:2] for picture in pictures}
    if len(sizes) > 1:
        raise CalibrationError(
            say(
                "the pictures have different sizes ({sizes}); take all with the same camera",
                sizes=tuple(map(_by, sorted(sizes))),
            )
        )
    views = [view for picture in pictures if (view := find_sheet(picture)) is not None]
    if len(views) < VIEWS_NEEDED:
        raise CalibrationError(
            say(
                "the Charuco sheet was found in {found} of {count} pictures, and {needed} are needed; "
                "hold it flat and well lit, large in the picture, each time at another angle",
                found=len(views),
                count=len(pictures),
                needed=VIEWS_NEEDED,
            )
        )
    return lens_of(views)


def find_sheet(picture: Picture) -> SheetView | None:
    """Where the printed Charuco sheet is in a picture; None where too little of it is seen."""
    board = charuco_board()
    # Where nothing is found, both are None, which OpenCV's types do not say.
    found: Any = cv2.aruco.CharucoDetector(board).detectBoard(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    corners, numbers = found[:2]
    if numbers is None or len(numbers) < POINTS_NEEDED:
        return None
    points, seen = board.matchImagePoints(corners, numbers)
    return SheetView((picture.shape[1], picture.shape[0]), points, seen)


def lens_of(views: Sequence[SheetView]) -> Lens:
    """The lens that sees the sheet so, from enough views of one camera."""
    ((width, height),) = {view.size_px for view in views}
    points, seen = [view.points for view in views], [view.seen for view in views]
    error, matrix, distortion, _, _ = cv2.calibrateCamera(points, seen, (width, height), np.eye(3), np.zeros(5))
    if error > WORST_PX * width / 1000:
        raise CalibrationError(
            say("the lens fits only to {error} px; glue the sheet on something flat, try again", error=f"{error:.1f}")
        )
    rows = tuple(tuple(float(value) for value in row) for row in matrix)
    return Lens((width, height), rows, tuple(float(value) for value in np.ravel(distortion)), float(error))


def gains_of_card(picture: Picture) -> tuple[float, float, float]:
    """What makes the bare paper in the middle of the neutral card grey."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(FAMILY), cv2.aruco.DetectorParameters())
    found, numbers, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    centres = {int(numbers.ravel()[i]): corners[0].mean(axis=0) for i, corners in enumerate(found)}
    if not centres.keys() >= set(CARD_MARKERS):
        raise CalibrationError(say("the neutral card was not found; lay it flat on the table, all of it in view"))
    between = (CARD_MM - CARD_MARKER_MM) / 2
    # Half of the patch only, so that its rim never gets in.
    inner = PATCH_MM / 4 / between
    quad = np.array([centres[number] for number in CARD_MARKERS])
    return _gains(np.median(_inside(picture, quad.mean(axis=0) + inner * (quad - quad.mean(axis=0))), axis=0))


def gains_of_boards(picture: Picture, corners_px: Sequence[Array]) -> tuple[float, float, float]:
    """What makes the white print of boards grey, where there is no neutral card; four corners of each board."""
    pixels = np.concatenate([_inside(picture, corners) for corners in corners_px])
    light = pixels.sum(axis=1)
    bright = pixels[(light >= np.quantile(light, 1 - BRIGHT)) & (pixels.max(axis=1) < CLIPPED)]
    if not len(bright):
        raise CalibrationError(
            say("the boards are too bright to see their colours; turn the lamp away or make it weaker")
        )
    return _gains(np.median(bright, axis=0))


def save_calibration(calibration: Calibration, camera: str, folder: Path) -> None:
    """Keep what is known of a camera, named by its spec."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _path(camera, folder)
    draft = path.with_suffix(".part")
    with draft.open("w", encoding="utf-8") as file:
        json.dump({"camera": camera, **asdict(calibration)}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load_calibration(camera: str, folder: Path) -> Calibration:
    """What is known of a camera; of one that was never calibrated, nothing."""
    path = _path(camera, folder)
    if not path.exists():
        return Calibration()
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        lens, gains = kept["lens"], kept["gains"]
        return Calibration(_lens(lens) if lens else None, _three(gains) if gains else None)
    except (ValueError, KeyError, TypeError) as error:
        raise CalibrationError(
            say("{file} is damaged ({error}); delete it and calibrate the camera anew", file=path, error=repr(error))
        ) from error


class CorrectedCamera:
    """A camera whose frames are put right by what is known of it, and which may be told more while it runs."""

    def __init__(
        self, camera: Camera, calibration: Calibration, keep: Callable[[Calibration], None] = lambda _: None
    ) -> None:
        """What keeps a calibration for the next time is called when another one is learned."""
        self._camera, self.calibration, self._keep = camera, calibration, keep
        self._maps: dict[tuple[int, int], tuple[Any, Any]] = {}

    def learn(self, lens: Lens) -> None:
        """Put frames right by this lens from now on."""
        self.calibration, self._maps = replace(self.calibration, lens=lens), {}
        self._keep(self.calibration)

    def preview(self) -> Frame:
        """A small picture; it is only compared with others, so it stays as it comes."""
        return self._camera.preview()

    def raw(self) -> Frame:
        """A full picture as it comes, to measure the lens with."""
        return self._camera.capture()

    def capture(self) -> Frame:
        """A full picture, put right."""
        frame = self._camera.capture()
        lens, gains = self.calibration.lens, self.calibration.gains
        picture = frame.picture if gains is None else _balanced(frame.picture, gains)
        if lens is None:
            return replace(frame, picture=picture)
        height, width = picture.shape[:2]
        picture = np.asarray(cv2.remap(picture, *self._map(lens, (width, height)), cv2.INTER_LINEAR), np.uint8)
        return replace(frame, picture=picture, focal_px=lens.focal_px * width / lens.size_px[0])

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()

    def _map(self, lens: Lens, size: tuple[int, int]) -> tuple[Any, Any]:
        if size not in self._maps:
            if abs(size[0] * lens.size_px[1] / (size[1] * lens.size_px[0]) - 1) > SAME_SHAPE:
                raise CameraError(
                    say(
                        "the lens was measured in pictures of {measured}, and these are of {size}: another "
                        "camera, or another part of its sensor; calibrate it anew",
                        measured=_by(lens.size_px),
                        size=_by(size),
                    )
                )
            scale = np.diag([size[0] / lens.size_px[0], size[1] / lens.size_px[1], 1.0])
            matrix, bent = scale @ np.array(lens.matrix), np.array(lens.distortion)
            self._maps[size] = cv2.initUndistortRectifyMap(matrix, bent, np.eye(3), matrix, size, cv2.CV_16SC2)
        return self._maps[size]


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def _balanced(picture: Picture, gains: tuple[float, float, float]) -> Picture:
    table = np.clip(np.arange(256)[:, None] * np.array(gains), 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)


def _inside(picture: Picture, corners: Array) -> Picture:
    """The pixels in a quadrilateral, (count, 3)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return np.asarray(picture[mask == 1])


def _gains(colour: NDArray[Any]) -> tuple[float, float, float]:
    """Gains that keep the brightness and make that colour grey."""
    gains = colour.mean() / np.maximum(colour, 1)
    if gains.max() > STRONGEST_GAIN:
        raise CalibrationError(say("there is too little light, or too coloured; use a white lamp"))
    return _three(gains)


def _three(values: Sequence[float] | NDArray[Any]) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red


def _lens(kept: dict[str, Any]) -> Lens:
    width, height = kept["size_px"]
    matrix = tuple(tuple(map(float, row)) for row in kept["matrix"])
    return Lens((int(width), int(height)), matrix, tuple(map(float, kept["distortion"])), float(kept["error_px"]))


def _path(camera: str, folder: Path) -> Path:
    """Cameras are named by their specs, which may hold addresses and paths."""
    return folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', camera)}.json"
