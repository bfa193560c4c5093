"""The simulated table: geometry, truth, determinism."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import engine
from companion.cli import main
from companion.lab.simulate import broken_position, position_of_seed
from companion.lab.staging import marks_of, stage_table, truth_table
from engine import Part
from engine.layout import CARD, ORNAMENT
from engine.table import Frozen
from hardware.tabletop.art import ArtError, load_art
from hardware.tabletop.canvas import linear_colour
from hardware.tabletop.clutter import TAKING_MM, taking_hand
from hardware.tabletop.finish import Film, develop
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.light import Lamp, Lighting
from hardware.tabletop.photograph import photograph, truth_of
from hardware.tabletop.places import rng_of
from hardware.tabletop.scene import Scene, render
from hardware.tabletop.solids import Solid
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS
from hardware.tabletop.world import NEAREST_MM, set_table

AZUL = engine.load("azul")
LENS = SimulatedLens(1200, 800, 1100.0, (180.0, 520.0, 700.0), (20.0, -10.0, 0.0), roll_deg=4.0, k1=-0.08, k2=0.02)


@pytest.fixture(scope="module")
def art():
    return load_art(AZUL.layout)


def opencv_pixels(lens, points_mm):
    """The same camera as OpenCV knows it, by its own projection."""
    down = np.diag([1.0, 1.0, -1.0])
    rotation = lens.rotation
    shift = -rotation @ (down @ np.array(lens.eye_mm))
    coefficients = np.array([lens.k1, lens.k2, 0, 0, 0])
    seen, _ = cv2.projectPoints(points_mm @ down, cv2.Rodrigues(rotation)[0], shift, lens.matrix, coefficients)
    return seen[:, 0]


def test_the_lens_draws_as_opencv_does():
    rng = np.random.default_rng(3)
    points = rng.uniform([-300, -300, 0], [300, 300, 60], (50, 3))
    assert np.allclose(LENS.photograph(points), opencv_pixels(LENS, points), atol=0.01)


def test_towards_the_viewer_is_down_and_height_is_up_in_the_picture():
    here, nearer, higher, right = LENS.project(np.array([[0, 0, 0], [0, 50, 0], [0, 0, 50], [50, 0, 0]], float))
    assert nearer[1] > here[1] > higher[1]
    assert right[0] > here[0]


def test_the_distortion_of_pictures_is_that_of_points():
    map_x, map_y = LENS.distortion_maps()
    for pinhole in np.array([[100.0, 80.0], [600.0, 400.0], [1100.0, 700.0]]):
        x, y = LENS.distort(pinhole[None])[0]
        place = np.array([[x]], np.float32), np.array([[y]], np.float32)
        found = [cv2.remap(m, *place, cv2.INTER_LINEAR)[0, 0] for m in (map_x, map_y)]
        assert np.allclose(found, pinhole, atol=0.05)


def test_the_top_of_a_tile_shifts_against_its_cell_as_parallax_demands():
    """Measured in the developed picture: where the green is, and where the camera must see the top."""
    square = np.array([[50, -50], [70, -50], [70, -30], [50, -30]], float)
    tile = Solid(square, 2.0, 7.2, np.zeros(3, np.float32), None)
    green = Solid(square, 9.2, 0.0, linear_colour(0, 255, 0))
    light = Lighting((Lamp((0.0, 0.0, 900.0), 100.0, (0.1, 0.1, 0.1)),), (0.8, 0.8, 0.8))
    ground = set_table(
        stage_table(position_of_seed(AZUL, 1), AZUL.layout), AZUL.layout, load_art(AZUL.layout), TIERS["rig"], 1
    ).scene.ground
    scene = Scene(LENS, light, ground, [], [tile, green], [])
    picture = develop(render(scene), LENS, Film(), np.random.default_rng(0)).astype(int)
    y, x = np.nonzero((picture[:, :, 1] - np.maximum(picture[:, :, 0], picture[:, :, 2])) > 100)
    top, cell = LENS.photograph(np.array([[60.0, -40.0, 9.2], [60.0, -40.0, 0.0]]))
    seen = np.array([x.mean(), y.mean()])
    assert np.linalg.norm(seen - top) < 0.5
    assert np.linalg.norm(top - cell) > 4


@pytest.mark.parametrize("tier", TIERS)
def test_truth_places_every_cell_where_the_camera_sees_it(tier, art):
    layout = AZUL.layout
    world = set_table(stage_table(position_of_seed(AZUL, 5), layout), layout, art, TIERS[tier], 5)
    truth = truth_of(world, layout)
    for placed in world.boards:
        cells = layout.cells
        local = np.array([[cell.x_mm, cell.y_mm] for cell in cells])
        points = np.column_stack([placed.to_world(local), [cell.base_mm for cell in cells]])
        expected = opencv_pixels(truth.lens, points)
        told = np.array([truth.cells_px[placed.seat][cell.name] for cell in cells])
        assert np.abs(told - expected).max() < 0.5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("slug", engine.slugs())
def test_the_truth_of_a_legal_game_breaks_no_rule(slug, seed):
    edition = engine.load(slug)
    table, layout = position_of_seed(edition, seed), edition.layout
    world = set_table(stage_table(table, layout), layout, load_art(layout), TIERS["rig"], seed)
    told = json.loads(json.dumps(truth_table(table, truth_of(world, layout), edition)))
    assert edition.table_violations(edition.parse_table(told), None) == []
    assert {board["seat"] for board in told["boards"]} == {part.seat for part in table.boards}
    assert all(len(board["corners_px"]) == 4 for board in told["boards"])


def test_the_truth_leaves_out_what_the_picture_does_not_show():
    layout, seen = AZUL.layout, set()
    for seed in range(12):
        table = position_of_seed(AZUL, seed)
        truth = truth_of(
            set_table(stage_table(table, layout), layout, load_art(layout), TIERS["phone-board"], seed), layout
        )
        told = truth_table(table, truth, AZUL)
        size = np.array([truth.lens.width_px, truth.lens.height_px])
        hidden = {
            loose.laid.heap
            for loose in truth.loose
            if loose.covered or not ((np.array(loose.middle_px) >= 0) & (np.array(loose.middle_px) < size)).all()
        }
        if "centre" in hidden:
            assert "centre" not in told
        places = [tuple(np.round(truth.discs_px[i], 1)) for i in range(len(truth.discs_px)) if f"disc {i}" in hidden]
        assert not {*places} & {tuple(disc["centre_px"]) for disc in told.get("factories", [])}
        seen.add("centre" in told)
    assert seen == {True, False}


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_that_takes_reaches_from_beyond_its_board_to_the_middle(seed):
    board = np.array([[-131.0, 200.0], [131.0, 200.0], [131.0, 462.0], [-131.0, 462.0]])
    reached = np.vstack([part.outline_mm for part in taking_hand(board, np.random.default_rng(seed))])
    assert np.linalg.norm(reached, axis=1).min() < 4 * TAKING_MM
    assert reached[:, 1].max() > board[:, 1].max()


@pytest.mark.parametrize("seed", [913102, 913198])
def test_nothing_stands_between_the_camera_and_all_it_looks_at(seed):
    edition = engine.load("azul-mini")
    stage = stage_table(position_of_seed(edition, seed), edition.layout)
    scene = set_table(stage, edition.layout, load_art(edition.layout), TIERS["phone-board"], seed).scene
    for thing in scene.talls:
        tops = np.column_stack([thing.outline_mm, np.full(len(thing.outline_mm), thing.top_mm)])
        assert scene.lens.depth_mm(tops).min() > NEAREST_MM


def test_mischief_is_named_in_the_truth():
    broken = [broken_position(AZUL, seed, 0.5)[1] for seed in range(4)]
    assert any(broken)
    assert {rule for rules in broken for rule in rules} <= set(AZUL.rulebook)


FIXTURES = Path(__file__).parents[2] / "fixtures" / "photos"


@pytest.mark.parametrize("slug", engine.slugs())
def test_fixture_photographs_have_a_truth_that_breaks_no_rule(slug):
    pictures = sorted((FIXTURES / slug).glob("*.jpg"))
    assert pictures
    for path in pictures:
        assert cv2.imread(str(path)) is not None
        told = json.loads(path.with_suffix(".json").read_text())
        assert told["edition"] == slug
        edition = engine.load(slug)
        assert edition.table_violations(edition.parse_table(told), None) == []


def test_everything_of_a_position_is_put_down():
    table = position_of_seed(AZUL, 3)
    stage = stage_table(table, AZUL.layout)
    for part in table.boards:
        tiles = [kind for kind in part.cells.values() if kind != "."]
        pieces = stage.boards[part.seat]
        assert len(pieces) == len(tiles) + 1
        assert pieces[f"score.{part.tracks['score']}"] == "cube"
    discs = [kinds for name, kinds in table.common.heaps.items() if name.startswith("factory.")]
    assert sorted(stage.discs) == sorted(discs)


def test_the_same_seed_gives_the_same_bytes_in_another_process(tmp_path, art):
    command = [
        Path(sys.executable).with_name("azul"),
        "render",
        "--tier",
        "phone-board",
        "--seed",
        "8",
        "--out",
        tmp_path,
    ]
    subprocess.run(command, check=True, capture_output=True)
    table = position_of_seed(AZUL, 8)
    again = photograph(stage_table(table, AZUL.layout), AZUL.layout, art, TIERS["phone-board"], 8)
    assert (tmp_path / "azul_phone-board_8.jpg").read_bytes() == again.jpeg
    other = photograph(stage_table(table, AZUL.layout), AZUL.layout, art, TIERS["phone-board"], 9)
    assert other.jpeg != again.jpeg


def test_render_goes_on_where_it_stopped(tmp_path):
    def run(count):
        args = ["render", "--tier", "phone-board", "--seed", "3", "--count", str(count), "--out", str(tmp_path)]
        assert CliRunner().invoke(main, args).exit_code == 0

    run(1)
    first = tmp_path / "azul_phone-board_3.jpg"
    first.write_bytes(b"kept")
    run(2)
    assert first.read_bytes() == b"kept"
    assert (tmp_path / "azul_phone-board_4.jpg").stat().st_size > 50_000


def test_an_art_pack_replaces_drawings(tmp_path):
    cv2.imwrite(str(tmp_path / "red.png"), np.full((64, 64, 3), (0, 0, 255), np.uint8))
    (tmp_path / "pack.toml").write_text('[faces.B]\npicture = "red.png"\n')
    face = load_art(AZUL.layout, tmp_path).face("tile", "B").texture.picture
    assert np.allclose(face.mean(axis=(0, 1)), (0, 0, 1))


def test_a_pack_that_names_no_picture_says_so(tmp_path):
    (tmp_path / "pack.toml").write_text('[faces.B]\npicture = "none.png"\n')
    with pytest.raises(ArtError, match=r"none\.png"):
        load_art(AZUL.layout, tmp_path).face("tile", "B")
    (tmp_path / "pack.toml").write_text("[faces")
    args = ["render", "--out", str(tmp_path), "--art", str(tmp_path)]
    refused = CliRunner().invoke(main, args)
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize("slug", engine.slugs())
def test_truth_tells_every_loose_piece_and_where_its_top_is(slug):
    edition = engine.load(slug)
    layout = edition.layout
    stage = stage_table(position_of_seed(edition, 6), layout)
    world = set_table(stage, layout, load_art(layout), TIERS["phone-table"], 6)
    loose = truth_of(world, layout).loose
    solids = {tuple(np.round(solid.centre_mm, 6)): solid for solid in (*world.scene.flats, *world.scene.pieces)}
    heaps = {f"disc {i}": kinds for i, kinds in enumerate(stage.discs)} | {"centre": stage.centre}
    heaps |= {f"beside {seat}": kinds for seat, kinds in stage.beside.items()}
    told = {heap: sorted(seen.laid.kind for seen in loose if seen.laid.heap == heap) for heap in heaps}
    assert told == {heap: sorted(shown_in(kinds)) for heap, kinds in heaps.items()}
    for seen in loose:
        if seen.laid.kind.startswith(CARD) or seen.laid.heap not in heaps:
            continue  # a print, which is no solid of its own, or what lies in a cell, crooked as there
        solid = solids[tuple(np.round([*seen.laid.middle_mm, seen.laid.top_mm], 6))]
        top = np.column_stack([solid.outline_mm, np.full(len(solid.outline_mm), solid.top_mm)])
        middle = opencv_pixels(world.scene.lens, top.mean(axis=0)[None])[0]
        assert np.abs(middle - seen.middle_px).max() < 0.5


def shown_in(kinds):
    """What a camera sees of a heap: a card only by what its face shows."""
    faces = [kind.partition("@")[0] for kind in kinds if kind.startswith(f"{CARD}:")]
    return [*(kind for kind in kinds if not kind.startswith(CARD)), *faces, *[ORNAMENT] * len(faces)]


@pytest.mark.parametrize("slug", ["summer-pavilion", "queens-garden"])
def test_markers_on_one_cell_of_a_shared_track_do_not_overlap(slug):
    edition = engine.load(slug)
    table = position_of_seed(edition, 2)
    scores = ((1, 15), (2, 15), (3, 15), (4, 135))
    boards = [Part(seat, table.side, tracks=Frozen({"score": score})) for seat, score in scores]
    stage = stage_table(replace(table, parts=(table.common, *boards)), edition.layout)
    cells = [name for name, _ in stage.shared if name.startswith("score.")]
    assert cells == ["score.15"] * 3 + ["score.55" if slug == "summer-pavilion" else "score.15"]
    for seed in range(4):
        world = set_table(stage, edition.layout, load_art(edition.layout), TIERS["hard"], seed)
        name = edition.layout.zone("score").piece
        height = edition.layout.piece(name).height_mm
        outlines = [solid.outline_mm for solid in world.scene.pieces if solid.height_mm == height]
        assert len(outlines) == 4
        for one, other in itertools.combinations(outlines, 2):
            area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
            assert area == 0


@pytest.mark.parametrize(
    ("slug", "score", "cell"),
    [
        ("azul", 0, 0),
        ("azul", 100, 100),
        ("azul", 101, 1),
        ("azul", 200, 100),
        ("summer-pavilion", 80, 80),
        ("summer-pavilion", 81, 1),
        ("queens-garden", 59, 59),
        ("queens-garden", 60, 0),
        ("queens-garden", 135, 15),
    ],
)
def test_a_score_beyond_the_track_begins_again(slug, score, cell):
    part = Part(1, tracks=Frozen({"score": score}))
    assert marks_of(part, engine.load(slug).layout)["score"].name == f"score.{cell}"


PAVILION = engine.load("summer-pavilion")


@pytest.fixture(scope="module")
def pavilion_art():
    return load_art(PAVILION.layout)


def _full_stage(seed):
    """A table with many loose tiles: six kinds on discs, in the middle and beside boards."""
    rng = np.random.default_rng(seed)
    seats = range(1, int(rng.integers(2, 5)) + 1)
    kinds = PAVILION.layout.tile.kinds

    def some(count):
        return tuple(str(kind) for kind in rng.choice(kinds, count))

    discs = tuple(some(4) for _ in range(2 * len(seats) + 1))
    return Stage("coloured", {seat: {} for seat in seats}, discs, some(12), {seat: some(9) for seat in seats})


def _overlap(one, other):
    return cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0]


@pytest.mark.parametrize("seed", range(8))
def test_loose_tiles_do_not_cut_into_each_other_or_into_boards(seed, pavilion_art):
    layout = PAVILION.layout
    world = set_table(_full_stage(seed), layout, pavilion_art, TIERS["rig"], seed)
    tops = {tuple(np.round([*laid.middle_mm, laid.top_mm], 6)) for laid in world.loose}
    solids = [solid for solid in world.scene.pieces if tuple(solid.centre_mm.round(6)) in tops]
    assert len(solids) == len(world.loose)
    for one, other in itertools.combinations(solids, 2):
        if one.base_mm < other.top_mm - 1e-6 and other.base_mm < one.top_mm - 1e-6:
            assert _overlap(one.outline_mm, other.outline_mm) < 0.5
    for solid in solids:
        for placed in (*world.boards, *world.shared):
            if solid.base_mm < layout.surface(placed.surface).thickness_mm:
                assert _overlap(solid.outline_mm, placed.corners_mm) < 0.5


def test_a_board_of_all_lies_free_and_at_any_turn(pavilion_art):
    turns = set()
    for seed in range(24):
        stage = replace(_full_stage(seed), discs=((),) * 9)
        world = set_table(stage, PAVILION.layout, pavilion_art, TIERS["rig"], seed)
        (shared,) = world.shared
        assert all(_overlap(shared.corners_mm, placed.corners_mm) == 0 for placed in world.boards)
        turns.add(round(shared.turn_deg / 90) % 4)
    assert turns == {0, 1, 2, 3}


def test_what_lies_under_another_tile_counts_as_covered(pavilion_art):
    covered = raised = 0
    for seed in range(20):
        world = set_table(_full_stage(seed), PAVILION.layout, pavilion_art, TIERS["phone-table"], seed)
        bare = {loose.laid: loose.covered for loose in truth_of(replace(world, raised=()), PAVILION.layout).loose}
        found = truth_of(world, PAVILION.layout).loose
        covered += sum(loose.covered and not bare[loose.laid] for loose in found)
        assert not any(loose.covered and not bare[loose.laid] and loose.laid.on_other for loose in found)
        raised += len(world.raised)
    assert raised > 0
    assert 0 < covered <= raised


def test_the_discs_of_a_table_have_one_of_several_looks():
    art = load_art(AZUL.layout)
    looks = {art.look("disc", rng_of(seed, "look of discs")) for seed in range(30)}
    assert looks == {"disc", "disc-rings", "disc-warm", "disc-plain"}
    assert art.look("tile", rng_of(1, "look of discs")) == "tile"
    pictures = [art.face("disc", look).texture.picture for look in sorted(looks)]
    assert all(np.abs(one - other).mean() > 0.02 for one, other in itertools.combinations(pictures, 2))


def test_who_passed_a_lap_has_a_token_beside_a_board(pavilion_art):
    table = position_of_seed(PAVILION, 2)
    boards = [Part(seat, table.side, tracks=Frozen({"score": score})) for seat, score in ((1, 80), (2, 81), (3, 165))]
    stage = stage_table(replace(table, parts=(table.common, *boards)), PAVILION.layout)
    assert stage.tokens == {2: 1, 3: 2}
    for seed in range(6):
        world = set_table(stage, PAVILION.layout, pavilion_art, TIERS["rig"], seed)
        truth = truth_of(world, PAVILION.layout)
        assert [piece.laid.heap for piece in truth.tokens] == ["token 2", "token 3", "token 3"]
        height = PAVILION.layout.piece("eighty").height_mm
        tokens = [solid for solid in world.scene.flats if solid.height_mm == height and len(solid.outline_mm) == 12]
        assert len(tokens) == 3
        for token, placed in itertools.product(tokens, (*world.boards, *world.shared)):
            assert _overlap(token.outline_mm, placed.corners_mm) == 0
