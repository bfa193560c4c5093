"""A tile that two heaps may claim makes both of them doubtful."""

from dataclasses import replace

import pytest

from companion.lab.imagine import imagine
from companion.lab.simulate import position_of_seed
from companion.reconcile.photo import read_table
from engine import load, slugs

LAYOUTS = {slug: load(slug).layout for slug in slugs()}
HEAPS = {
    slug: (own.name, free.name)
    for slug, each in LAYOUTS.items()
    if (own := each.seat_heap) and (free := each.free_heap)
}


@pytest.mark.parametrize("slug", HEAPS)
def test_a_tile_between_heaps_makes_them_doubtful_and_leaves_the_others(slug):
    edition = load(slug)
    table = next(found for seed in range(99) if (found := position_of_seed(edition, seed)).common.heaps)
    seen = imagine(table)
    first, *rest = seen.heaps
    own, free = HEAPS[slug]
    assert [doubt for doubt in read_table(seen, edition).doubts if doubt.cell in (own, free)] == []
    doubts = read_table(replace(seen, heaps=(replace(first, crowded=True), *rest)), edition).doubts
    assert {(doubt.seat, doubt.cell) for doubt in doubts} >= {(first.seat, own), (0, free)}
    assert len([doubt for doubt in doubts if doubt.cell == own]) == 1
