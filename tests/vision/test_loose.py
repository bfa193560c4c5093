"""Discs lie in a ring; what else looks like one is left out."""

import numpy as np
import pytest

from vision.find import Disc
from vision.loose import _apart, _is_under, _on_ring

RADIUS = 40.5


def ring(count, size=150.0, first=0.3, share=1.0):
    bearings = first + np.arange(count) * 2 * np.pi * share / count
    return np.column_stack([np.cos(bearings), np.sin(bearings)]) * size + (300, 200)


@pytest.mark.parametrize("count", [5, 7, 9])
def test_a_heap_in_the_middle_and_things_outside_are_no_discs(count):
    crooked = ring(count) + np.random.default_rng(count).normal(0, 8, (count, 2))
    others = np.array([[305.0, 190.0], [-250.0, 700.0], [900.0, 210.0]])
    fits = _on_ring(np.vstack([others, crooked]), RADIUS)
    assert fits.tolist() == [False] * 3 + [True] * count


def test_part_of_a_ring_keeps_all_its_discs():
    assert _on_ring(ring(6, share=0.6), RADIUS).all()


def test_a_few_discs_that_agree_on_nothing_are_all_kept():
    assert _on_ring(np.array([[0.0, 0.0], [100.0, 0.0], [220.0, 5.0], [300.0, 0.0], [420.0, 3.0]]), RADIUS).all()
    assert _on_ring(np.empty((0, 2)), RADIUS).tolist() == []


def test_of_two_discs_in_one_place_the_surer_is_kept_and_none_on_a_board():
    board = np.array([[0.0, 0.0], [200.0, 0.0], [200.0, 200.0], [0.0, 200.0]])
    discs = [Disc((400, 100), 40, 0.7), Disc((410, 105), 40, 0.9), Disc((100, 100), 40, 0.99), Disc((600, 100), 9, 0.9)]
    assert _apart(discs, [board], np.eye(3), RADIUS) == [discs[1]]


def test_a_disc_that_is_seen_slantwise_from_afar_is_true_to_size_by_its_width():
    far_and_low = np.array([[1.0, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 1.0]])
    disc = Disc((400, 100), RADIUS, 0.9)
    assert _apart([disc], [], far_and_low, RADIUS) == [disc]


def test_a_disc_that_reaches_under_a_board_may_hold_tiles_that_are_not_seen():
    board = np.array([[0.0, 0.0], [200.0, 0.0], [200.0, 200.0], [0.0, 200.0]], np.float32)
    assert _is_under(np.array([225.0, 100.0]), [board], RADIUS)
    assert not _is_under(np.array([238.0, 100.0]), [board], RADIUS)
    assert not _is_under(np.array([225.0, 100.0]), [], RADIUS)
