"""Tiles at the rims of discs go where discs are full or empty; what is not at a rim stays."""

import pytest

from companion.reconcile.rims import MOST_TRIED, is_usual, parted
from vision.sighting import LooseTile, SeenHeap

LEFT, RIGHT = (100.0, 100.0), (200.0, 100.0)
HOLDS = (0, 4)


def tiles(letters, *rims, sure=0.99):
    return [LooseTile((0.0, 0.0), (0.0, 0.0), sure, {letter: 1.0}, rims) for letter in letters]


def disc(centre, *heaps):
    return SeenHeap(centre, 0.99, tuple(tile for heap in heaps for tile in heap), crowded=True)


def letters(heap):
    return "".join(sorted(letter for tile in heap for letter in tile.reads))


def told(discs, middle):
    left, heap = parted(discs, middle, HOLDS)
    return [letters(each.tiles) for each in left], letters(heap)


def test_a_tile_between_two_discs_is_on_the_one_that_lacks_it():
    discs = [disc(LEFT, tiles("KRW")), disc(RIGHT, tiles("R", LEFT, RIGHT))]
    assert told(discs, []) == (["KRRW", ""], "")


def test_a_fifth_tile_at_the_rim_lies_in_the_middle():
    assert told([disc(LEFT, tiles("KKKY"), tiles("W", LEFT))], tiles("B")) == (["KKKY"], "BW")


def test_where_a_fifth_tile_may_be_none_nothing_at_a_rim_is_moved():
    heap = [*tiles("KKY"), *tiles("W", LEFT)]
    assert told([disc(LEFT, heap, tiles("R", sure=0.8))], []) == (["KKRWY"], "")
    assert told([disc(LEFT, heap, tiles("R", sure=0.95))], []) == (["KKRY"], "W")


def test_a_tile_in_the_middle_at_the_rim_of_a_disc_with_three_is_on_it():
    assert told([disc(LEFT, tiles("BBY"))], [*tiles("R", LEFT), *tiles("K")]) == (["BBRY"], "K")


def test_what_is_not_at_a_rim_stays_where_it_is_seen():
    assert told([disc(LEFT, tiles("BBYRK"))], tiles("K")) == (["BBKRY"], "K")
    assert told([disc(LEFT, tiles("BB"), tiles("Y", RIGHT))], []) == (["BBY"], "")


def test_full_and_empty_discs_are_left_alone():
    discs = [disc(LEFT, tiles("BBY"), tiles("R", LEFT)), disc(RIGHT)]
    assert told(discs, tiles("K", RIGHT)) == (["BBRY", ""], "K")


@pytest.mark.parametrize(("count", "usual"), [(0, True), (1, False), (3, False), (4, True), (5, False)])
def test_discs_hold_four_tiles_or_none_and_what_is_hardly_seen_does_not_count(count, usual):
    assert is_usual([*tiles("B" * count), *tiles("RR", sure=0.3)], HOLDS) == usual


def test_a_heap_with_too_many_tiles_at_rims_is_left_as_it_is():
    many = tiles("B" * 13, LEFT)
    assert 2 ** len(many) > MOST_TRIED
    assert told([disc(LEFT, many)], []) == (["B" * 13], "")


def test_where_heaps_hold_any_number_nothing_is_moved():
    discs = [disc(LEFT, tiles("BBY"), tiles("R", LEFT)), disc(RIGHT, tiles("KK"))]
    assert parted(discs, [], ()) == (discs, [])
