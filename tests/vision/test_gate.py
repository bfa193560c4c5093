"""The gate: when a table is worth a look."""

import numpy as np
import pytest

from vision.gate import CALM_FRAMES, CHANGED, MOVING, STILL, Gate

RNG = np.random.default_rng(7)
TABLE = np.kron(RNG.integers(60, 190, (36, 64, 3)), np.ones((10, 10, 1))).astype(np.uint8)


def seen(picture=TABLE, brightness=1.0):
    """A preview: with the noise of a sensor, and as bright as the light is just now."""
    noisy = picture * brightness + RNG.normal(0, 4, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def with_patch(left, top, width, height, level):
    changed = TABLE.copy()
    changed[top : top + height, left : left + width] = level
    return changed


@pytest.fixture
def gate():
    """A gate whose table was looked at."""
    made = Gate()
    views = [made.watch(seen()) for _ in range(CALM_FRAMES + 1)]
    assert views == [MOVING] * CALM_FRAMES + [CHANGED]
    return made


def test_a_table_at_rest_is_looked_at_once(gate):
    assert {gate.watch(seen()) for _ in range(40)} == {STILL}


def test_drifting_light_is_no_change(gate):
    levels = np.linspace(1.0, 1.25, 40)
    assert {gate.watch(seen(brightness=level)) for level in levels} == {STILL}


def test_a_hand_is_waited_for_and_then_the_table_is_looked_at(gate):
    hands = [with_patch(40 * i, 100, 80, 200, 20) for i in range(6)]
    assert {gate.watch(seen(hand)) for hand in hands} == {MOVING}
    views = [gate.watch(seen()) for _ in range(CALM_FRAMES + 3)]
    assert views == [MOVING] * CALM_FRAMES + [CHANGED, STILL, STILL]


def test_a_tile_that_appears_while_nobody_looks_is_noticed(gate):
    tile = with_patch(300, 200, 14, 14, 255)
    assert CHANGED in [gate.watch(seen(tile)) for _ in range(CALM_FRAMES + 2)]


def test_a_look_can_be_asked_for(gate):
    gate.stir()
    assert gate.watch(seen()) == CHANGED
    assert gate.watch(seen()) == STILL


def test_a_camera_that_changes_its_format_is_looked_at_anew(gate):
    assert gate.watch(seen(TABLE[:300])) == MOVING
