import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.tiles import draw_discs, format_heap, heap, lacking, make_up, parse_heap, split_refill, take_out, without

HEAPS = st.text("BRY", max_size=6).map(heap)


def test_a_heap_is_the_same_in_whatever_order_tiles_came():
    assert heap("YBRB") == heap("BBYR") == "BBRY"


def test_taking_out_tells_what_was_not_there():
    assert take_out("BBKR", "RBY") == ("BK", "Y")
    assert take_out("BK", "BBB") == ("K", "BB")
    assert lacking("BBY", "BR") == "BY"
    assert without("BBKR", "KB") == "BR"


@pytest.mark.parametrize(
    ("bag", "lid", "discs", "left"),
    [
        pytest.param("BBKKRR", "YY", ["BK"], ("BKRR", "YY", ""), id="the bag has enough"),
        pytest.param("BBKK", "YY", ["BK", "KB"], ("", "YY", ""), id="exactly emptied: the lid is not poured yet"),
        pytest.param("BBK", "YYYW", ["BK", "BY"], ("WYY", "", ""), id="poured in the middle of a disc"),
        pytest.param("BBK", "YYYW", ["BK", "YB"], ("WYY", "", ""), id="in whatever order the disc is written"),
        pytest.param("BK", "YYYW", ["BK", "YW"], ("YY", "", ""), id="poured between two discs"),
        pytest.param("B", "Y", ["BY", "", ""], ("", "", ""), id="nothing left for the last discs"),
        pytest.param("", "", ["", ""], ("", "", ""), id="nothing at all"),
    ],
)
def test_discs_are_drawn_from_the_bag_then_from_the_poured_lid(bag, lid, discs, left):
    assert split_refill(bag, lid, discs) == left


@pytest.mark.parametrize(
    ("bag", "lid", "discs", "impossible"),
    [
        pytest.param("BBKK", "RR", ["BR"], "R", id="the lid is not poured while the bag has tiles"),
        pytest.param("BBK", "YYYW", ["BK", "YY"], "B", id="the last of the bag must lie on the disc that empties it"),
        pytest.param("BB", "YY", ["BB", "YB"], "B", id="poured, but no such tile in it"),
        pytest.param("B", "Y", ["BYY"], "Y", id="more than there is"),
        pytest.param("", "", ["W"], "W", id="out of nothing"),
    ],
)
def test_tiles_that_cannot_have_been_drawn_are_named(bag, lid, discs, impossible):
    assert split_refill(bag, lid, discs)[2] == impossible


def drawn_one_by_one(bag, lid, discs):
    """Every bag and lid that can be left when these discs are filled tile by tile, in any order within a disc."""
    ends = {(bag, lid)}
    for disc in discs:
        ends = {end for start in ends for order in set(permutations(disc)) for end in _drawn(*start, order)}
    return ends


def _drawn(bag, lid, tiles):
    for tile in tiles:
        if not bag:
            bag, lid = lid, ""
        if tile not in bag:
            return set()
        bag = bag.replace(tile, "", 1)
    return {(bag, lid)}


@given(HEAPS, HEAPS, st.lists(st.text("BRY", max_size=3), max_size=4))
def test_refills_are_judged_as_drawing_them_tile_by_tile_does(bag, lid, discs):
    possible = drawn_one_by_one(bag, lid, discs)
    new_bag, new_lid, impossible = split_refill(bag, lid, discs)
    assert bool(impossible) is not bool(possible)
    if possible:
        assert possible == {(new_bag, new_lid)}


@given(HEAPS, HEAPS, st.integers(0, 4), st.integers(0, 10**6))
def test_discs_drawn_by_chance_are_possible_and_as_full_as_can_be(bag, lid, count, seed):
    discs = draw_discs(bag, lid, count, 3, random.Random(seed).sample)
    new_bag, new_lid, impossible = split_refill(bag, lid, discs)
    assert not impossible
    assert Counter(bag + lid) == Counter("".join((new_bag, new_lid, *discs)))
    left = len(bag + lid)
    assert [len(disc) for disc in discs] == [min(3, max(0, left - 3 * i)) for i in range(count)]


@pytest.mark.parametrize(
    ("bag", "lid", "hidden", "left"),
    [
        pytest.param("BBK", "KR", "BBBKR", ("BBB", "KR"), id="a tile taken for another was drawn out of the bag"),
        pytest.param("BB", "KR", "BBBR", ("BB", "BR"), id="unless the bag never held it"),
        pytest.param("BBK", "KR", "BBKR", ("BBK", "R"), id="what came came from the lid"),
        pytest.param("BBK", "R", "BBR", ("BB", "R"), id="or from the bag"),
        pytest.param("BBK", "R", "BBKRY", ("BBK", "RY"), id="what went is in the lid"),
        pytest.param("BKK", "RR", "BBR", ("BB", "R"), id="some of each"),
        pytest.param("BK", "R", "BKR", ("BK", "R"), id="nothing came or went"),
    ],
)
def test_bag_and_lid_make_up_for_tiles_that_came_or_went(bag, lid, hidden, left):
    assert make_up(bag, lid, hidden) == left


@given(HEAPS, HEAPS, HEAPS)
def test_bag_and_lid_together_hold_what_is_hidden(bag, lid, hidden):
    assert heap("".join(make_up(bag, lid, hidden))) == hidden


@given(st.text("BRYKW", max_size=40).map(heap))
def test_heaps_are_read_as_they_were_written(tiles):
    assert parse_heap(format_heap(tiles), "BYRKW") == tiles


def test_heaps_are_written_with_counts():
    assert format_heap("BBBBBBBBBBBBKKK") == "B12K3"
    assert format_heap("") == "-"


@pytest.mark.parametrize("text", ["", "B", "B0", "G3", "3B", "B1234", "b2", "B2 K1", "B-1", "--", "B٣"])
def test_what_is_no_heap_is_refused(text):
    with pytest.raises(NotationError, match="heap of tiles"):
        parse_heap(text, "BYRKW")
