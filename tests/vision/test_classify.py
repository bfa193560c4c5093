"""Reading the cells of boards: what is seen too small is not read surely."""

import numpy as np
import pytest

from companion.pipeline import MODELS_DIR, layout_of
from vision.cells import labels_of, marks_of
from vision.cells import tracks as tracks_of
from vision.classify import SMALL_TILE_PX, _tracks, smallness
from vision.network import editions_of, family_folders, load_manifest
from vision.pose import homography_of, pose_of

SIZE_PX = (2304, 1296)


def board_seen(wide_px, high_px):
    """A board in the middle of a picture, so large."""
    surface = layout_of("azul").surfaces[0]
    middle = np.array(SIZE_PX) / 2
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([wide_px, high_px]) / 2
    return pose_of(homography_of(middle + half, surface.width_mm, surface.height_mm), 1800.0, SIZE_PX)


@pytest.mark.parametrize("tile_px", [12, 24, 80])
def test_tiles_of_enough_pixels_are_read_as_surely_as_the_reader_says(tile_px):
    layout = layout_of("azul")
    board_px = tile_px / layout.piece("tile").size_mm * layout.surfaces[0].width_mm
    assert smallness(board_seen(board_px, board_px), layout) == 1.0


def test_a_board_seen_slantwise_is_as_small_as_its_smaller_side():
    layout = layout_of("azul")
    board_px = SMALL_TILE_PX / 2 / layout.piece("tile").size_mm * layout.surfaces[0].width_mm
    assert smallness(board_seen(4 * board_px, board_px), layout) == pytest.approx(2.0, rel=0.02)
    assert smallness(board_seen(board_px, 4 * board_px), layout) == pytest.approx(2.0, rel=0.02)


def test_of_networks_that_know_several_editions_only_the_kinds_of_one_are_heard():
    several = (".", "?", "B", "sh", "Y", "1", "O", "cr", "co")
    assert [several[i] for i in labels_of(layout_of("azul"), several)] == [".", "?", "B", "Y", "1"]
    assert [several[i] for i in labels_of(layout_of("tide-pool"), several)] == [".", "?", "sh", "cr", "co"]


def test_the_networks_that_come_with_the_companion_are_heard_in_full():
    for manifest in map(load_manifest, family_folders(MODELS_DIR)):
        labels = manifest["labels"]
        layouts = [layout_of(slug) for slug in editions_of(manifest["kinds"])]
        heard = {i for layout in layouts for i in (*labels_of(layout, labels), *marks_of(layout, labels))}
        assert heard == {*range(len(labels))}


class Taught:
    def __init__(self):
        self.temperatures = {"tracks": 1.0}


@pytest.mark.parametrize(
    ("slug", "surface", "is_alone"), [("azul", "board", True), ("summer-pavilion", "scoring", False)]
)
def test_marks_that_stand_in_each_others_way_are_read_less_surely(slug, surface, is_alone):
    layout = layout_of(slug)
    along = tracks_of(layout, layout.surface(surface))
    cells, kinds = sum(len(track.cells) for track in along), max(1, len(layout.marks))
    marks = np.zeros((cells, kinds), np.float32)
    first = along[-1].cells[0].name.rpartition(".")[2]
    marks[cells - len(along[-1].cells)] = 5.0
    read = _tracks(marks.ravel(), np.full(kinds, -9.0, np.float32), along, layout, Taught())  # type: ignore[arg-type]
    chances = [reads[first] for (name, _), reads in read.items() if name == along[-1].name]
    sure = np.exp(5.0) / (np.exp(5.0) + len(along[-1].cells) - 1)
    assert len(chances) == kinds
    assert chances == pytest.approx([sure] * kinds, abs=1e-3) if is_alone else max(chances) < sure - 0.05
