"""The simulated camera: a game played in front of the lens."""

from __future__ import annotations

from collections import Counter
from random import Random

import cv2
import numpy as np
import pytest

import engine
from companion.lab.play import play_randomly
from companion.lab.simulate import simulate
from hardware.camera import Camera, CameraError
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.art import load_art
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS

AZUL = engine.load("azul")
BARE = Stage("coloured", {1: {"score.0": "cube"}, 2: {"score.0": "cube"}}, ((),) * 5)
LAID = Stage("coloured", {1: {"score.0": "cube", "wall.3.3": "B"}, 2: {"score.0": "cube"}}, ((),) * 5)


@pytest.fixture(scope="module")
def art():
    return load_art(AZUL.layout)


@pytest.fixture
def camera(art):
    made: Camera = SimulatedCamera(BARE, AZUL.layout, art, TIERS["rig"], 4)
    yield made
    made.close()


def watched(camera):
    """Previews until nothing more happens."""
    frames = [camera.preview()]
    while not camera.is_still:
        frames.append(camera.preview())
    return frames


def changed(one, other):
    """The share of pixels that differ by more than noise and drift do; noise is averaged away, as by a gate."""
    calm = [cv2.blur(frame.picture, (7, 7)).astype(int) for frame in (one, other)]
    return float((np.abs(calm[0] - calm[1]).max(axis=2) > 15).mean())


def test_a_hand_comes_and_goes_and_leaves_the_tile(camera):
    before = camera.preview()
    full_before = camera.capture()
    camera.show(LAID, seat=1)
    frames = watched(camera)
    assert changed(before, frames[1]) > 0.005
    assert changed(before, frames[-1]) < 0.002
    stage, truth = camera.truth()
    assert stage == LAID
    x, y = map(round, truth.cells_px[1]["wall.3.3"])
    after = camera.capture().picture
    difference = np.abs(after.astype(int) - full_before.picture.astype(int)).max(axis=2)
    near = difference[y - 25 : y + 26, x - 25 : x + 26]
    assert (near > 40).mean() > 0.1
    difference[y - 60 : y + 61, x - 60 : x + 61] = 0
    assert (difference > 60).mean() < 0.002


def test_frames_are_numbered_and_time_goes_on_with_previews(camera):
    first, again, second = camera.preview(), camera.capture(), camera.preview()
    assert (first.number, again.number, second.number) == (1, 1, 2)
    assert first.taken_s == again.taken_s < second.taken_s
    assert first.picture.shape == (360, 640, 3)
    assert again.picture.shape == (1296, 2304, 3)


def test_the_same_seed_gives_the_same_film(art):
    def film():
        camera = SimulatedCamera(BARE, AZUL.layout, art, TIERS["rig"], 9)
        camera.show(LAID, seat=2)
        return [frame.picture for frame in watched(camera)]

    assert all(np.array_equal(one, other) for one, other in zip(film(), film(), strict=True))


def test_a_closed_camera_says_so(camera):
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.capture()


def test_a_game_without_mischief_breaks_no_rule():
    played = list(simulate(AZUL, AZUL.setup("coloured", 2), Random(1)))
    assert not any(step.violations for step in played)
    assert played[-1].state.phase == engine.OVER


@pytest.mark.parametrize("slug", engine.slugs())
def test_mischief_names_the_rules_it_breaks(slug):
    edition = engine.load(slug)
    broken: Counter[str] = Counter()
    for seed in range(2):
        game = simulate(edition, edition.setup(edition.sides[0], 2), Random(seed), 0.3, play_randomly)
        for _, step in zip(range(60), game, strict=False):
            broken.update(violation.rule for violation in step.violations)
            assert set(step.stage.boards) == {1, 2}
    assert len(broken) > 5
    assert set(broken) <= set(edition.rulebook)


def test_loose_tiles_stay_where_they_lie_when_others_come_and_go(art):
    def places(camera):
        return {(seen.laid.heap, seen.laid.middle_mm): seen.laid.kind for seen in camera.truth()[1].loose}

    bare: dict[int, dict[str, str]] = {1: {}, 2: {}}
    first = Stage("coloured", bare, (("B", "B", "R", "Y"), ()), ("K", "R", "R", "W", "marker"))
    then = Stage("coloured", bare, (("B", "R", "Y"), ()), ("B", "K", "W", "W"))
    camera = SimulatedCamera(first, AZUL.layout, art, TIERS["rig"], 4)
    before = places(camera)
    camera.show(then, seat=0)
    watched(camera)
    after = places(camera)
    assert Counter(kind for (heap, _), kind in after.items() if heap == "centre") == Counter(then.centre)
    stayed = Counter(heap for (heap, place), kind in after.items() if before.get((heap, place)) == kind)
    assert stayed == {"disc 0": 3, "centre": 2}
    assert camera.truth()[0] == then


@pytest.mark.parametrize("seed", range(4))
def test_tiles_beside_a_board_stay_where_they_lie_when_others_go(seed):
    layout = engine.load("summer-pavilion").layout
    bare: dict[int, dict[str, str]] = {1: {}, 2: {}}
    first, then = (Stage("coloured", bare, ((),) * 5, (), {1: kinds, 2: ()}) for kinds in (("B", "Y", "G"), ("Y", "G")))
    camera = SimulatedCamera(first, layout, load_art(layout), TIERS["rig"], seed)
    before = {seen.laid.kind: seen.laid.middle_mm for seen in camera.truth()[1].loose}
    camera.show(then, seat=0)
    watched(camera)
    after = {seen.laid.kind: seen.laid.middle_mm for seen in camera.truth()[1].loose}
    assert after == {kind: before[kind] for kind in "YG"}
