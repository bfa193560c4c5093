"""Lens and colours, measured on rendered views of the very sheets that are printed."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from hardware.calibration import (
    Calibration,
    CalibrationError,
    CorrectedCamera,
    Lens,
    charuco_board,
    gains_of_boards,
    gains_of_card,
    load_calibration,
    measure_lens,
    save_calibration,
)
from hardware.camera import CameraError, Frame
from hardware.rig.sheets.calibrate import print_neutral

SIZE = (960, 720)
MATRIX = np.array([[790.0, 0, 487], [0, 790, 352], [0, 0, 1]])
BENT = np.array([-0.22, 0.06, 0, 0, 0])


def seen(sheet, mm_per_px, turn, away):
    """A sheet as a bent lens sees it: for each pixel, where its ray meets the paper."""
    grid = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), -1).reshape(-1, 1, 2).astype(np.float64)
    rays = np.c_[cv2.undistortPoints(grid, MATRIX, BENT)[:, 0], np.ones(len(grid))]
    rotation, _ = cv2.Rodrigues(np.array(turn, float))
    middle = np.array([sheet.shape[1], sheet.shape[0], 0]) * mm_per_px / 2
    origin = np.array(away, float) - rotation @ middle
    normal = rotation[:, 2]
    hits = rays * ((normal @ origin) / (rays @ normal))[:, None]
    paper = ((hits - origin) @ rotation)[:, :2].astype(np.float32) / mm_per_px
    x, y = (paper[:, i].reshape(SIZE[1], SIZE[0]) for i in (0, 1))
    return cv2.remap(sheet, x, y, cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(150, 160, 140))


@pytest.fixture(scope="module")
def views():
    sheet = cv2.cvtColor(charuco_board().generateImage((1200, 1800)), cv2.COLOR_GRAY2BGR)
    sheet = cv2.copyMakeBorder(sheet, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    turns = [(0.5, 0, 1.5), (-0.5, 0.1, 1.6), (0.1, 0.5, 1.5), (0, -0.5, 0), (0.3, 0.3, 1.2), (-0.3, 0.4, 0.1)]
    return [seen(sheet, 0.125, turn, (10 * i - 25, 15 - 5 * i, 270)) for i, turn in enumerate(turns)]


def test_the_lens_is_measured(views):
    lens = measure_lens(views)
    assert lens.size_px == SIZE
    assert lens.focal_px == pytest.approx(790, rel=0.01)
    assert lens.distortion[0] == pytest.approx(-0.22, abs=0.03)
    assert lens.error_px < 0.5


def test_too_few_views_or_different_sizes_are_told(views):
    with pytest.raises(CalibrationError, match="found in 2 of 3 pictures"):
        measure_lens([*views[:2], np.zeros_like(views[0])])
    with pytest.raises(CalibrationError, match="different sizes"):
        measure_lens([views[0], views[1][:-2]])


class Still:
    def __init__(self, picture):
        self.picture = picture

    def preview(self):
        return Frame(self.picture, 1, 0.0)

    capture = preview

    def close(self):
        self.picture = None


def bend(picture):
    """How far an outer column of the sheet's corners is from a straight line, in pixels."""
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(picture)
    column = corners[(numbers % 5 == 0).ravel()].reshape(-1, 2)
    assert len(column) >= 6
    _, _, axes = np.linalg.svd(column - column.mean(axis=0))
    return np.abs((column - column.mean(axis=0)) @ axes[1]).max()


def test_a_corrected_camera_straightens_lines_at_any_size(views):
    lens = Lens(SIZE, tuple(map(tuple, MATRIX.tolist())), tuple(BENT.tolist()), 0.1)
    half = cv2.resize(views[0], (SIZE[0] // 2, SIZE[1] // 2), interpolation=cv2.INTER_AREA)
    for picture, focal in ((views[0], 790), (half, 395)):
        frame = CorrectedCamera(Still(picture), Calibration(lens)).capture()
        assert frame.focal_px == pytest.approx(focal)
        assert bend(frame.picture) < bend(picture) / 3


def test_pictures_of_another_shape_are_not_from_that_lens(views):
    lens = Lens(SIZE, tuple(map(tuple, MATRIX.tolist())), tuple(BENT.tolist()), 0.1)
    with pytest.raises(CameraError, match="measured in pictures of 960x720, and these are of 960x540"):
        CorrectedCamera(Still(views[0][:540]), Calibration(lens)).capture()


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    import pypdfium2

    path = tmp_path_factory.mktemp("card") / "n.pdf"
    print_neutral(path, "a4", "en")
    with pypdfium2.PdfDocument(path) as document:
        return np.array(document[0].render(scale=4).to_numpy())[:, :, :3]


def test_the_neutral_card_gives_the_gains_that_make_it_grey(card):
    tint = np.array([0.55, 0.8, 0.95])
    picture = (seen(card, 25.4 / 288, (0.3, 0.1, 0.4), (0, 40, 330)) * tint).astype(np.uint8)
    gains = gains_of_card(picture)
    assert np.ptp(np.array(gains) * tint) < 0.02
    corrected = CorrectedCamera(Still(picture), Calibration(gains=gains))
    bright = np.median(corrected.capture().picture.reshape(-1, 3)[picture.sum(axis=2).ravel() > 500], axis=0)
    assert np.ptp(bright) <= 4
    assert np.array_equal(corrected.preview().picture, picture)


def test_boards_give_gains_where_there_is_no_card():
    picture = np.full((400, 400, 3), 60, np.uint8)
    picture[100:300, 100:300] = (30, 90, 60)
    picture[120:150, 120:280] = (110, 180, 220)
    gains = gains_of_boards(picture, [np.array([[100, 100], [300, 100], [300, 300], [100, 300]], float)])
    assert np.ptp(np.array(gains) * (110, 180, 220)) < 2
    with pytest.raises(CalibrationError, match="too bright"):
        gains_of_boards(np.full((9, 9, 3), 255, np.uint8), [np.array([[0, 0], [8, 0], [8, 8], [0, 8]], float)])


def test_no_card_and_darkness_are_told(card):
    with pytest.raises(CalibrationError, match="not found"):
        gains_of_card(np.zeros((100, 100, 3), np.uint8))
    with pytest.raises(CalibrationError, match="white lamp"):
        gains_of_card((card * np.array([0.01, 0.7, 0.9])).astype(np.uint8))


def test_calibrations_are_kept_per_camera(tmp_path, views):
    kept = Calibration(measure_lens(views), (1.2, 1.0, 0.8))
    save_calibration(kept, "stream:http://phone:8080/video", tmp_path)
    assert load_calibration("stream:http://phone:8080/video", tmp_path) == kept
    assert load_calibration("usb:0", tmp_path) == Calibration()
    (tmp_path / "usb_0.json").write_text('{"lens": 3}')
    with pytest.raises(CalibrationError, match="delete it"):
        load_calibration("usb:0", tmp_path)


def test_the_command_measures_colours_on_boards(tmp_path):
    photo = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_rig_102.jpg"
    found = []
    for blue in (0.8, 0.6):
        # Darker than it is, since print that is pure white has lost its tint.
        path = tmp_path / f"{blue}.png"
        cv2.imwrite(str(path), (np.asarray(cv2.imread(str(photo))) * np.array([blue, 0.8, 0.8])).astype(np.uint8))
        done = CliRunner().invoke(
            main, ["calibrate", "--boards", str(path), "--camera", "usb", "--data", str(tmp_path)]
        )
        assert done.exit_code == 0, done.output
        assert "kept for usb:0" in done.output
        kept = load_calibration("usb:0", tmp_path / "cameras").gains
        assert kept
        found.append(kept[0] / kept[1])
    assert found[1] / found[0] == pytest.approx(0.8 / 0.6, rel=0.05)
    both = CliRunner().invoke(main, ["calibrate", "--boards", "a", "--card", "b", "--camera", "usb:0"])
    assert both.exit_code == 2
