"""From a picture to a sighting, with the real networks on rendered photographs."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.lab.simulate import position_of_seed
from companion.lab.staging import stage_table, truth_table
from companion.pipeline import MODELS_DIR, layout_of, load_networks
from engine import load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS
from vision.errors import BoardNotFoundError, ModelError, UnreadableEditionError
from vision.find import find
from vision.look import _other_surfaces, look
from vision.network import MANIFEST, NETWORKS, load_models
from vision.photo import decode_photo
from vision.rectify import Pyramid
from vision.scene import TableScene
from vision.sighting import Located

PHOTOS = Path(__file__).parents[2] / "fixtures" / "photos"
AZUL = sorted((PHOTOS / "azul").glob("*.jpg"))
MINI = sorted((PHOTOS / "azul-mini").glob("*.jpg"))
PAVILION = sorted(PHOTOS.glob("summer-pavilion*/*.jpg"))
GARDEN = sorted(PHOTOS.glob("queens-garden/*.jpg"))
UNKNOWN = sorted(PHOTOS.glob("tide-pool/*.jpg"))
CORNERS_OFF_MM = 2.5
"""How far corners may be off on average."""


@pytest.fixture(scope="module")
def networks():
    return load_networks()


def truth_of(path):
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


def picture_of(path):
    return decode_photo(path.read_bytes(), path.name).picture


def off_mm(found_px, true_px, width_mm):
    px_per_mm = np.linalg.norm(true_px[0] - true_px[2]) / (width_mm * np.sqrt(2))
    return float(np.linalg.norm(found_px - true_px, axis=1).mean() / px_per_mm)


@pytest.mark.parametrize("path", [*AZUL, *MINI, *PAVILION, *GARDEN], ids=lambda path: path.stem)
def test_boards_are_found_where_they_are(path, networks):
    truth = truth_of(path)
    sighting = look(picture_of(path), networks, layout_of)
    # No print of Queen's Garden is known that would tell its sides apart.
    assert (sighting.edition, sighting.side) == (truth["edition"], "" if path in GARDEN else truth["side"])
    width_mm = layout_of(truth["edition"]).surfaces[0].width_mm
    for board in truth["boards"]:
        corners = np.array(board["corners_px"])
        assert min(off_mm(seen.located.corners_px, corners, width_mm) for seen in sighting.boards) < CORNERS_OFF_MM


@pytest.mark.parametrize("photo", [101, 102])
@pytest.mark.parametrize("hidden", range(4))
def test_a_single_board_is_found_though_one_corner_is_under_a_hand(photo, hidden, networks):
    path = PHOTOS / "azul" / f"azul_phone-board_{photo}.jpg"
    (board,) = truth_of(path)["boards"]
    corners = np.array(board["corners_px"])
    sighting = look(_with_a_hand_over(picture_of(path), corners, hidden), networks, layout_of)
    seen = np.delete(np.arange(4), hidden)
    found = sighting.boards[0].located.corners_px
    assert off_mm(found[seen], corners[seen], layout_of("azul").surfaces[0].width_mm) < CORNERS_OFF_MM


def _with_a_hand_over(picture, corners, hidden):
    """The picture with nearly half of two sides covered, from a corner as far as nearly the middle."""
    corner, middle = corners[hidden], corners.mean(axis=0)
    sides = [corner + 0.54 * (corners[(hidden + step) % 4] - corner) for step in (1, -1)]
    beyond = [1.2 * side - 0.2 * middle for side in sides]
    outline = [1.4 * corner - 0.4 * middle, beyond[0], 0.19 * corner + 0.81 * middle, beyond[1]]
    return cv2.fillPoly(picture.copy(), [np.round(outline).astype(np.int32)], (60, 80, 120))


@pytest.mark.parametrize(("seed", "covered"), [(8376, 2), (8423, 3)])
def test_a_board_with_a_corner_under_a_hand_is_found_by_the_help_of_the_others(seed, covered, networks):
    layout = layout_of("azul")
    table = position_of_seed(load("azul"), seed)
    photo = photograph(stage_table(table, layout), layout, load_art(layout), TIERS["hard"], seed)
    sighting = look(decode_photo(photo.jpeg, "hard.jpg").picture, networks, layout_of)
    boards = truth_table(table, photo.truth, load("azul"))["boards"]
    assert len(sighting.boards) == len(boards)
    corners = np.array(boards[covered]["corners_px"])
    assert min(off_mm(seen.located.corners_px, corners, 262) for seen in sighting.boards) < CORNERS_OFF_MM


def test_a_turned_picture_shows_the_same_board(networks):
    path = AZUL[0]
    picture = picture_of(path)
    board = truth_of(path)["boards"][0]
    lying = load("azul").parse_table(truth_of(path)).part(board["seat"]).cells
    told = {cell: kind for cell, kind in lying.items() if cell not in board["covered"]}
    for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE):
        (seen,) = look(cv2.rotate(picture, turn), networks, layout_of).boards
        wrong = [
            cell for cell, letter in told.items() if max(seen.cells[cell], key=seen.cells[cell].__getitem__) != letter
        ]
        assert len(wrong) <= 1


def test_seats_go_clockwise_from_the_bottom(networks):
    path = next(path for path in AZUL if len(truth_of(path)["boards"]) > 2)
    sighting = look(picture_of(path), networks, layout_of)
    truth = {board["seat"]: np.mean(board["corners_px"], axis=0) for board in truth_of(path)["boards"]}
    for seen in sighting.boards:
        middle = seen.located.corners_px.mean(axis=0)
        assert min(truth, key=lambda seat: float(np.linalg.norm(truth[seat] - middle))) == seen.seat


def test_corners_given_by_hand_are_taken_and_mended_by_the_print(networks):
    path = AZUL[0]
    corners = np.array(truth_of(path)["boards"][0]["corners_px"])
    about = corners + np.array([[9, -7], [-8, 6], [7, 9], [-9, -8]])
    sighting = look(picture_of(path), networks, layout_of, "azul", [about])
    assert [board.located.how for board in sighting.boards] == ["by hand"]
    assert off_mm(sighting.boards[0].located.corners_px, corners, 262.0) < CORNERS_OFF_MM


@pytest.mark.parametrize("order", [(1, 2, 3, 0), (2, 3, 0, 1), (3, 2, 1, 0), (0, 2, 1, 3)], ids=str)
def test_corners_may_be_given_in_any_order(order, networks):
    path = next(path for path in AZUL if "phone-board" in path.name)
    corners = np.array(truth_of(path)["boards"][0]["corners_px"])
    sighting = look(picture_of(path), networks, layout_of, None, [corners[list(order)]])
    assert off_mm(sighting.boards[0].located.corners_px, corners, 262.0) < CORNERS_OFF_MM


@pytest.mark.parametrize("path", [*AZUL, *MINI], ids=lambda path: path.stem)
def test_boards_are_read_by_their_corners_though_people_tap_with_thumbs(path, networks):
    truth, rng = truth_of(path), np.random.default_rng(1)
    taps = [np.array(board["corners_px"]) for board in truth["boards"]]
    taps = [each + rng.normal(0, 0.025 * np.linalg.norm(each[0] - each[2]), (4, 2)) for each in taps]
    sighting = look(picture_of(path), networks, layout_of, None, taps)
    assert (sighting.edition, len(sighting.boards), sighting.strangers) == (truth["edition"], len(taps), ())


@pytest.mark.parametrize("path", PAVILION, ids=lambda path: path.stem)
def test_boards_of_another_family_are_said_to_be_that(path, networks):
    with pytest.raises(BoardNotFoundError, match=r"this looks like summer-pavilion(-mini)?, not like azul"):
        look(picture_of(path), networks, layout_of, "azul")


@pytest.mark.parametrize("path", AZUL[:2], ids=lambda path: path.stem)
def test_boards_of_azul_are_none_of_another_family(path, networks):
    with pytest.raises(BoardNotFoundError, match=r"this looks like azul, not like summer-pavilion"):
        look(picture_of(path), networks, layout_of, "summer-pavilion")


@pytest.mark.parametrize("path", UNKNOWN, ids=lambda path: path.stem)
@pytest.mark.parametrize("edition", [None, "azul", "summer-pavilion"])
@pytest.mark.parametrize("turn", range(4))
def test_boards_of_other_games_are_refused_though_their_corners_are_given(path, edition, turn, networks):
    taps = [np.roll(np.array(board["corners_px"]), turn, axis=0) for board in truth_of(path)["boards"]]
    with pytest.raises(BoardNotFoundError, match=r"looks like no board of|cells cannot be read surely"):
        look(picture_of(path), networks, layout_of, edition, taps)
    with pytest.raises(BoardNotFoundError, match=r"no board.* was found"):
        look(picture_of(path), networks, layout_of, edition)


@pytest.mark.parametrize(
    "corners",
    [
        [[100.0, 100.0], [500.0, 110.0], [520.0, 430.0], [90.0, 420.0]],
        [[100.0, 100.0], [100.0, 100.0], [100.0, 100.0], [100.0, 100.0]],
        [[100.0, 100.0], [200.0, 200.0], [300.0, 300.0], [400.0, 400.0]],
        [[100.0, 100.0], [500.0, 110.0], [250.0, 150.0], [90.0, 420.0]],
        [[-900.0, -900.0], [-500.0, -900.0], [-500.0, -500.0], [-900.0, -500.0]],
    ],
    ids=["empty table", "one place", "one line", "no square", "outside"],
)
def test_corners_of_no_board_are_refused_with_advice(corners, networks):
    with pytest.raises(BoardNotFoundError, match=r"looks like no board of azul; give the four corners of such a board"):
        look(np.full((480, 640, 3), 90, np.uint8), networks, layout_of, "azul", [np.array(corners)])


def test_a_place_that_is_no_board_is_left_out_and_the_boards_beside_it_are_read(networks):
    path = next(path for path in AZUL if len(truth_of(path)["boards"]) > 1)
    first, second = (np.array(board["corners_px"]) for board in truth_of(path)["boards"][:2])
    beside = first.mean(axis=0) + 0.3 * (first - first.mean(axis=0))
    sighting = look(picture_of(path), networks, layout_of, None, [first, beside, second])
    assert len(sighting.boards) == 2
    assert [stranger.corners_px.tolist() for stranger in sighting.strangers] == [beside.tolist()]


def test_corners_of_another_edition_say_which_it_is(networks):
    path = next(path for path in MINI if "phone-board" in path.name)
    corners = np.array(truth_of(path)["boards"][0]["corners_px"])
    for given in ([], [corners]):
        with pytest.raises(BoardNotFoundError, match=r"looks like azul-mini, not like azul; choose that"):
            look(picture_of(path), networks, layout_of, "azul", given)


@pytest.mark.parametrize("size", [(480, 640), (64, 64), (3000, 4000), (100, 2000)])
def test_a_picture_without_a_board_is_an_error_with_advice(size, networks):
    noise = np.random.default_rng(1).integers(0, 256, (*size, 3)).astype(np.uint8)
    for picture in (noise, np.full((*size, 3), 200, np.uint8)):
        with pytest.raises(BoardNotFoundError, match="give its corners"):
            look(picture, networks, layout_of)


def test_boards_of_another_edition_are_not_taken_for_the_one_that_was_named(networks):
    with pytest.raises(BoardNotFoundError, match=r"looks like azul, not like azul-mini"):
        look(picture_of(AZUL[0]), networks, layout_of, "azul-mini")


def test_an_edition_that_no_network_knows_is_refused_before_any_runs(networks):
    unused = networks.changed(lambda models: replace(models, **dict.fromkeys(NETWORKS)))
    for corners in ([], [np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 60.0], [0.0, 60.0]])]):
        with pytest.raises(UnreadableEditionError, match=r"those of azul, .* can; .*`azul check`, `azul show`"):
            look(np.zeros((64, 64, 3), np.uint8), unused, layout_of, "tide-pool", corners)


def test_a_network_that_is_not_the_manifests_is_refused(tmp_path):
    for path in (*(MODELS_DIR / "azul").glob("*.onnx"), MODELS_DIR / "azul" / MANIFEST):
        shutil.copy(path, tmp_path)
    load_models(tmp_path)
    damaged = bytearray((tmp_path / "reader.onnx").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "reader.onnx").write_bytes(damaged)
    with pytest.raises(ModelError, match=r"reader\.onnx is not the one in the manifest"):
        load_models(tmp_path)
    (tmp_path / "reader.onnx").unlink()
    with pytest.raises(ModelError, match=r"cannot read the network reader\.onnx"):
        load_models(tmp_path)


class Plain:
    """A reader that holds every cell to be empty, and sees all four marks of every track in its first cell."""

    def __call__(self, views, places, _hints, marks):
        labels = np.zeros((len(views), len(places), 3), np.float32)
        labels[..., 0] = 20
        found = np.zeros((len(views), 4 * len(marks)), np.float32)
        found[:, :4] = 20
        return labels, found, np.zeros((len(views), 4), np.float32)


def square(x, y, size=300.0):
    return np.array([[x, y], [x + size, y], [x + size, y + size], [x, y + size]])


def test_other_surfaces_belong_to_the_nearest_seat_or_to_all(networks):
    garden, storage, scoring = ("queens-garden a", "queens-garden a storage", "queens-garden a scoring")
    first = [Located(square(x, 700), garden, 0.99, "print") for x in (100, 1200)]
    beside = [Located(square(x, 700), storage, 0.9, "print") for x in (450, 1550)]
    among = Located(square(700, 100), scoring, 0.9, "print")
    models = replace(networks.knowing("azul")[0], reader=Plain(), labels=(".", "?", "LB1"))
    pyramid = Pyramid(np.full((1080, 1920, 3), 120, np.uint8))
    boards, layout = [*first, *beside, among], layout_of("queens-garden")
    scene = TableScene(models, "queens-garden", "a", boards, (), find(pyramid, networks.knowing("azul")[0]))
    seen = list(_other_surfaces(pyramid, scene, first, 1500.0, layout, {}, {}))
    assert {(each.surface, each.seat) for each in seen} == {("storage", 1), ("storage", 2), ("scoring", 0)}
    (shared,) = (each for each in seen if not each.seat)
    assert [*shared.tracks] == [(0, "evaluation")]
    assert all(not each.cells for each in seen if each.seat)
