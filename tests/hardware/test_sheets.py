"""Printed sheets: their scale, found again in what a printer gets, and what they say."""

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from companion.cli import main
from engine import slugs
from hardware import calibration
from hardware.rig.sheets import markers
from hardware.rig.sheets.calibrate import print_charuco, print_neutral
from hardware.rig.sheets.markers import print_markers
from hardware.rig.sheets.page import LANGUAGES, MARGIN_MM, PAPERS, RULER_MM, words
from hardware.rig.sheets.scores import name_of, print_scores
from vision.markers import find_markers

DOTS = 8
BOARD_MM = 262.0


def found(page, family):
    """Markers on a page by their numbers, corners in millimetres of the paper."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(family), parameters)
    corners, numbers, _ = detector.detectMarkers(page)
    return {int(n): (c[0] + 0.5) / DOTS for n, c in zip(numbers.ravel(), corners, strict=True)}


@pytest.mark.parametrize("paper", PAPERS)
def test_marker_cards_have_their_size_and_touch_where_they_should(tmp_path, rastered, paper):
    print_markers(tmp_path / "m.pdf", 3, paper, "en")
    pages = rastered(tmp_path / "m.pdf")
    assert len(pages) == 3
    for seat, page in enumerate(pages):
        tags = found(page, markers.FAMILY)
        assert sorted(tags) == [4 * seat + corner for corner in range(4)]
        for number, corners in tags.items():
            sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
            assert np.abs(sides - markers.TAG_MM).max() < 0.15
            touch = corners[(2, 3, 0, 1)[number % 4]]
            assert np.abs(touch - markers.touching_mm(PAPERS[paper][0], number % 4)).max() < 0.15


# Where a dark board touches a black tag, their common corner is hard to tell.
@pytest.mark.parametrize(("shade", "off_px"), [(190, 1.0), (90, 3.0)])
def test_cards_laid_around_a_board_give_its_corners(tmp_path, rastered, shade, off_px):
    """Cut out of the rastered page and laid under a grey board, they are found as vision looks for them."""
    print_markers(tmp_path / "m.pdf", 2, "a4", "en")
    page = rastered(tmp_path / "m.pdf")[1]
    scale, margin = 2, 160
    small = cv2.resize(page, None, fx=scale / DOTS, fy=scale / DOTS, interpolation=cv2.INTER_AREA)
    board = round(BOARD_MM * scale)
    table = np.full((board + 2 * margin, board + 2 * margin), 120, np.uint8)
    corners = np.array([[0, 0], [board, 0], [board, board], [0, board]]) + margin
    card = round(markers.CARD_MM * scale)
    for k, (x, y) in enumerate(corners):
        touch = np.array(markers.touching_mm(PAPERS["a4"][0], k))
        left, top = (round(scale * value) for value in markers._card(PAPERS["a4"][0], k))
        right, down = (round(scale * value) for value in touch - markers._card(PAPERS["a4"][0], k))
        table[y - down : y - down + card, x - right : x - right + card] = small[top : top + card, left : left + card]
    table[margin : margin + board, margin : margin + board] = shade
    (seen,) = find_markers(np.dstack([table] * 3))
    assert np.abs(seen + 0.5 - corners).max() < off_px


def test_the_charuco_sheet_is_what_lenses_are_measured_with(tmp_path, rastered):
    print_charuco(tmp_path / "c.pdf", "a4", "en")
    (page,) = rastered(tmp_path / "c.pdf")
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(calibration.charuco_board()).detectBoard(page)
    columns, rows = calibration.SQUARES
    assert len(numbers) == (columns - 1) * (rows - 1)
    grid = (corners.reshape(rows - 1, columns - 1, 2) + 0.5) / DOTS
    assert np.abs(np.diff(grid[:, :, 0], axis=1) - calibration.SQUARE_MM).max() < 0.1
    assert np.abs(np.diff(grid[:, :, 1], axis=0) - calibration.SQUARE_MM).max() < 0.1


def test_the_neutral_card_is_found_and_its_patch_is_bare_paper(tmp_path, rastered):
    print_neutral(tmp_path / "n.pdf", "letter", "en")
    (page,) = rastered(tmp_path / "n.pdf")
    tags = found(page, calibration.FAMILY)
    assert sorted(tags) == sorted(calibration.CARD_MARKERS)
    first, second = (tags[number].mean(axis=0) for number in calibration.CARD_MARKERS[:2])
    assert np.linalg.norm(second - first) == pytest.approx(calibration.CARD_MM - calibration.CARD_MARKER_MM, abs=0.1)
    x, y = np.mean([corners.mean(axis=0) for corners in tags.values()], axis=0) * DOTS
    half = round(calibration.PATCH_MM / 2 * DOTS) - 2
    assert page[round(y) - half : round(y) + half, round(x) - half : round(x) + half].min() == 255


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_is_as_long_as_it_says(tmp_path, rastered, paper):
    print_neutral(tmp_path / "n.pdf", paper, "en")
    (page,) = rastered(tmp_path / "n.pdf")
    row = page[round((PAPERS[paper][1] - MARGIN_MM) * DOTS) - 1]
    dark = np.flatnonzero(row[: round((MARGIN_MM + RULER_MM + 2) * DOTS)] < 200)
    assert (dark[-1] - dark[0] + 1) / DOTS == pytest.approx(RULER_MM, abs=0.4)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", slugs())
def test_score_sheets_speak_every_language(tmp_path, language, edition):
    path = tmp_path / "s.pdf"
    print_scores(path, edition, 4, "letter", language)
    with pypdfium2.PdfDocument(path) as document:
        (page,) = document
        text = page.get_textpage().get_text_range()
        lowest = min(page.get_textpage().get_charbox(i)[1] for i in range(len(text)) if text[i].strip())
    told = words(language)["scores"]
    for expected in (told["title"], name_of(edition, told), told["sum"]):
        assert expected in text
    assert lowest > 0


def test_all_languages_say_the_same_things():
    def keys(table):
        return {
            name: keys(value) if isinstance(value, dict) else len(value) if isinstance(value, list) else None
            for name, value in table.items()
        }

    assert keys(words("en")) == keys(words("ru")) == keys(words("uk"))


def test_the_command_prints_all_sheets_or_those_named(tmp_path):
    everything = CliRunner().invoke(main, ["print", "--out", str(tmp_path)])
    assert everything.exit_code == 0, everything.output
    made = sorted(path.stem for path in tmp_path.glob("*.pdf"))
    assert made == ["charuco", "markers", "neutral", "scores"]
    again = CliRunner().invoke(main, ["print", "neutral", "--language", "uk", "--out", str(tmp_path / "uk")])
    assert again.output == f"written to {tmp_path / 'uk' / 'neutral.pdf'}\n"


def test_the_same_sheet_has_the_same_bytes(tmp_path):
    for name in ("one.pdf", "two.pdf"):
        print_neutral(tmp_path / name, "a4", "ru")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
