"""Tiles that slid out of the ring of discs, and tiles beside boards."""

import numpy as np
import pytest

from vision.claims import MIDDLE, claims

RADIUS = 40.0
RING = np.array([[0.0, -100.0], [100.0, 0.0], [0.0, 100.0], [-100.0, 0.0]])


def board(left, top, size=260.0):
    return np.array([[left, top], [left + size, top], [left + size, top + size], [left, top + size]])


NEAR, FAR = board(-130.0, 240.0), board(-600.0, 240.0)


def claimed(*places, boards=(NEAR, FAR), ring=RING, is_whole=True):
    return claims([*places], ring, RADIUS, boards, is_whole)


def test_what_lies_within_the_ring_and_near_it_is_the_middles_alone():
    assert claimed((0.0, 0.0), (0.0, 148.0)) == [(MIDDLE,), (MIDDLE,)]


def test_what_lies_beside_a_board_and_away_from_the_ring_is_its_seats_alone():
    assert claimed((160.0, 400.0), (0.0, 520.0)) == [(0,), (0,)]


def test_a_tile_that_slid_towards_a_board_is_claimed_by_both_and_goes_to_the_nearer():
    assert claimed((0.0, 190.0), (0.0, 205.0)) == [(MIDDLE, 0), (0, MIDDLE)]


def test_a_tile_between_two_boards_is_claimed_by_both_seats():
    assert claimed((-225.0, 450.0)) == [(0, 1)]


def test_a_tile_beyond_the_ring_with_no_board_near_is_the_middles_and_one_far_from_all_is_nobodys():
    assert claimed((230.0, -60.0), (900.0, -60.0)) == [(MIDDLE,), ()]


def test_a_tile_on_the_rim_of_a_board_is_its_seats():
    assert claimed((-128.0, 400.0)) == [(0,)]


@pytest.mark.parametrize(("place", "heaps"), [((0.0, 148.0), (MIDDLE,)), ((0.0, 185.0), ())])
def test_where_seats_keep_no_tiles_the_middle_has_those_near_its_discs(place, heaps):
    assert claimed(place, boards=()) == [heaps]


def test_without_discs_only_seats_have_tiles():
    assert claimed((0.0, 185.0), (0.0, 0.0), ring=np.empty((0, 2))) == [(0,), ()]


def test_of_a_ring_that_goes_on_out_of_sight_the_middle_claims_only_what_is_near():
    assert claimed((0.0, 148.0), (230.0, -60.0), (0.0, 190.0), is_whole=False) == [(MIDDLE,), (), (0, MIDDLE)]
