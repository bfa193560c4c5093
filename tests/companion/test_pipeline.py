"""The path of a frame, where no picture is needed to test it."""

import numpy as np
import pytest

from companion import pipeline
from companion.pipeline import read_picture
from vision.cells import tile_cells, tracks
from vision.pose import homography_of, pose_of, rectangle
from vision.sighting import Located, SeenSurface, Sighting

LAYOUT = pipeline.layout_of("azul")
PICTURE = np.zeros((600, 900, 3), np.uint8)


def board(seat, sure):
    corners = rectangle(80, 80) + (100.0 * seat, 50.0)
    pose = pose_of(homography_of(corners, 262, 262), 800.0, (900, 600))
    cells = {cell.name: {".": 0.9999, "?": 0.0001, "B": 0.0} for cell in tile_cells(LAYOUT)}
    scores = {
        (seat, track.name): {"?": 0.0, **{str(number): 0.0 for number in track.numbers}, "0": 1.0}
        for track in tracks(LAYOUT)
    }
    return SeenSurface(seat, Located(corners, "azul coloured", sure, "print"), pose, cells, scores)


@pytest.mark.parametrize(
    ("sure", "kept"), [([0.9] * 4, [1, 2, 3, 4]), ([0.9, 0.99, 0.6, 0.95, 0.97], [1, 2, 4, 5])], ids=["four", "five"]
)
def test_no_more_boards_are_read_than_a_game_has_players(sure, kept, monkeypatch):
    boards = tuple(board(seat, chance) for seat, chance in enumerate(sure, 1))
    seen = Sighting((900, 600), "azul", "coloured", boards, (), None, {})
    monkeypatch.setattr(pipeline, "look", lambda *_, **__: seen)
    table = read_picture(PICTURE, None).table  # type: ignore[arg-type]
    assert [told["seat"] for told in table["boards"]] == [1, 2, 3, 4]
    assert [told["corners_px"][0][0] for told in table["boards"]] == [100.0 * seat for seat in kept]
