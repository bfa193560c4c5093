"""Numbers that marks tell, weighed by what else lies on the table."""

import pytest

from companion.reconcile.tracks import settled, tracks_telling
from engine import load, slugs

LAYOUTS = {slug: load(slug).layout for slug in slugs()}


def score(reads, is_possible, slug):
    return settled(reads, tracks_telling("score", LAYOUTS[slug]), is_possible)


@pytest.mark.parametrize("slug", slugs())
def test_where_hardly_any_number_is_possible_one_that_is_and_is_seen_outweighs_a_hidden_mark(slug):
    number, chances = score({"5": 0.2, "?": 0.8}, lambda n: n == 5, slug)
    assert number == 5
    assert chances["5"] > 0.75


@pytest.mark.parametrize("slug", slugs())
def test_a_mark_that_is_rather_hidden_tells_nothing_where_all_numbers_are_possible(slug):
    number, chances = score({"5": 0.2, "?": 0.8}, lambda _: True, slug)
    assert number is None
    assert chances["?"] == pytest.approx(0.8)


@pytest.mark.parametrize("slug", slugs())
def test_a_plainly_seen_number_that_is_impossible_is_told_all_the_same(slug):
    number, chances = score({"5": 0.9, "?": 0.1}, lambda n: n == 44, slug)
    assert number == 5
    assert chances["5"] > 0.75
