"""A table that is looked at again: what changed is read anew, what did not is carried on, and nothing goes stale.

Each picture of a sequence is looked at twice: by a whole look, and by one that rests on what the look before knew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest

from companion.lab.simulate import simulate
from companion.pipeline import layout_of, load_networks, see_picture
from engine import load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.stage import StageMoment
from hardware.tabletop.tiers import TIERS
from vision.network import kind_of
from vision.recognise import MOST_LOOKS
from vision.sighting import Sighting

MOVES = {"azul": 6, "azul-mini": 7, "summer-pavilion": 8, "summer-pavilion-mini": 6}
"""How many moves were made before the first picture; boards with cards are always looked at whole."""
SEED = 970_000
every_edition = pytest.mark.parametrize("slug", MOVES)
OFF_MM = 1.5
"""How far corners may be from where they are, unless a whole look puts them no nearer."""
SURELY, MAYBE = 0.9, 0.3
"""A piece that one look is sure of, another is to find at least likely."""


@pytest.fixture(scope="module")
def networks():
    return load_networks()


@cache
def moves_of(slug):
    """The table after some moves, and after the next one."""
    edition = load(slug)
    played = simulate(edition, edition.setup(edition.sides[0], 2, 1), Random(slug))
    before, after = islice(played, MOVES[slug], MOVES[slug] + 2)
    return before.stage, after.stage.after(before.stage)


@cache
def photo_of(slug, move=0, hand=0, nudge=(0.0, 0.0, 0.0), brightness=1.0, elsewhere=0, frame=1):
    """A photo of the table before or after the move; `elsewhere` is another place of camera, boards and lamps."""
    layout, stage = layout_of(slug), moves_of(slug)[move]
    moment = StageMoment(hand, {1: nudge}, brightness)
    return photograph(stage, layout, load_art(layout), TIERS["rig"], SEED + elsewhere, moment, frame)


@pytest.fixture(scope="module")
def whole(networks):
    @cache
    def look(slug, **moment) -> Sighting:
        return see_picture(photo_of(slug, **moment).picture, networks, slug)

    return look


@pytest.fixture(scope="module")
def again(networks):
    def look(slug, before: Sighting, **moment) -> Sighting:
        return see_picture(photo_of(slug, **moment).picture, networks, slug, known=before.known)

    return look


@pytest.fixture(scope="module")
def assert_same(whole):
    def compare(carried: Sighting, **moment):
        """What is read is what a whole look at the same picture reads, and boards are where they are."""
        slug, truth = carried.edition, photo_of(carried.edition, **moment).truth
        seen = whole(slug, **moment)
        ours, theirs = cells_in(carried), cells_in(seen)
        assert {cell: (kind, theirs[cell]) for cell, kind in ours.items() if is_other(kind, theirs[cell])} == {}
        assert_among(pieces_in(carried, SURELY), pieces_in(seen, MAYBE))
        assert_among(pieces_in(seen, SURELY), pieces_in(carried, MAYBE))
        for ours, theirs in zip(carried.boards, seen.boards, strict=True):
            assert off_mm(ours, truth) < max(OFF_MM, 1.1 * off_mm(theirs, truth))

    return compare


def cells_in(sighting: Sighting):
    """The likeliest reading of every cell and track, with its chance."""
    return {
        (seen.surface, seen.seat, name): max((chance, kind) for kind, chance in reads.items())
        for seen in (*sighting.boards, *sighting.others)
        for name, reads in (*seen.cells.items(), *seen.tracks.items())
    }


def is_other(one, other):
    """Whether two readings differ of which one at least is sure."""
    return one[1] != other[1] and max(one, other)[0] > SURELY


def pieces_in(sighting: Sighting, sure):
    """The kinds of pieces that lie free, by their heap; of discs together, since their order is nobody's."""
    heaps = {(heap.name, heap.seat): heap.tiles for heap in sighting.heaps}
    heaps |= {("middle", 0): sighting.centre or (), ("discs", 0): sum((disc.tiles for disc in sighting.discs), ())}
    return {name: Counter(best(tile) for tile in tiles if tile.sure > sure) for name, tiles in heaps.items()}


def best(tile):
    return max(tile.reads, key=tile.reads.__getitem__)


def assert_among(pieces, others):
    assert {name: kinds for name, kinds in pieces.items() if kinds - others[name]} == {}


def off_mm(seen, truth):
    """How far corners are from where those of the nearest board truly are."""
    corners = seen.located.corners_px
    true = min(truth.corners_px.values(), key=lambda each: np.linalg.norm(each.mean(axis=0) - corners.mean(axis=0)))
    width_mm = layout_of(kind_of(seen.located.kind).edition).surfaces[0].width_mm
    px_per_mm = np.linalg.norm(true[0] - true[1]) / width_mm
    return np.linalg.norm(corners - true, axis=1).max() / px_per_mm


def carried_in(sighting: Sighting):
    """For each seat whether its board is carried on."""
    return {seen.seat: seen.carried for seen in sighting.boards}


@every_edition
def test_of_a_table_on_which_nothing_happens_all_is_carried_on(slug, whole, again, assert_same):
    first = whole(slug)
    second = again(slug, first, frame=2)
    third = again(slug, second, frame=3)
    assert_same(third, frame=3)
    assert carried_in(third) == dict.fromkeys(carried_in(third), 2)


@every_edition
def test_a_take_is_read_and_the_rest_is_carried_on(slug, whole, again, assert_same):
    seen = again(slug, whole(slug), move=1, frame=2)
    assert_same(seen, move=1, frame=2)
    assert sum(map(bool, carried_in(seen).values())) >= 1


@every_edition
@pytest.mark.parametrize("nudge", [(0.8, 0.0, 0.0), (-9.0, 4.0, 5.0)], ids=["slightly", "far"])
def test_a_board_that_was_pushed_is_located_anew(slug, nudge, whole, again, assert_same):
    seen = again(slug, whole(slug), nudge=nudge, frame=2)
    assert_same(seen, nudge=nudge, frame=2)
    assert not carried_in(seen)[1]


@every_edition
def test_an_arm_over_a_board_leaves_nothing_stale(slug, whole, again, assert_same):
    """Neither while it is there, nor when it goes, nor when a move was made under it."""
    seen = again(slug, whole(slug), hand=1, frame=2)
    assert_same(seen, hand=1, frame=2)
    assert not carried_in(seen)[1]
    assert_same(again(slug, seen, frame=3), frame=3)
    assert_same(again(slug, seen, move=1, frame=3), move=1, frame=3)


@every_edition
@pytest.mark.parametrize(("brightness", "move"), [(0.93, 1), (1.25, 0)])
def test_a_lamp_that_changes_is_no_move_and_hides_none(slug, brightness, move, whole, again, assert_same):
    seen = again(slug, whole(slug), move=move, brightness=brightness, frame=2)
    assert_same(seen, move=move, brightness=brightness, frame=2)


@every_edition
def test_from_another_place_the_whole_table_is_looked_for(slug, whole, again, assert_same):
    seen = again(slug, whole(slug), elsewhere=1)
    assert_same(seen, elsewhere=1)
    assert not any(carried_in(seen).values())


def test_what_was_slowly_pushed_away_is_noticed(whole, again, assert_same):
    """Each push is too little to be seen by itself."""
    seen = whole("azul")
    for step in range(1, 6):
        seen = again("azul", seen, nudge=(0.5 * step, 0.0, 0.0), frame=step)
    assert_same(seen, nudge=(2.5, 0.0, 0.0), frame=5)


def test_now_and_then_the_whole_table_is_read(whole, again):
    seen = whole("azul")
    for frame in range(MOST_LOOKS):
        seen = again("azul", seen, frame=frame)
        assert all(carried_in(seen).values())
    assert not any(carried_in(again("azul", seen, frame=MOST_LOOKS)).values())


def test_what_is_in_doubt_is_read_again(whole, again, assert_same):
    first = whole("azul")
    assert first.known
    unsure = replace(first.known, surfaces=tuple(replace(each, answers=None) for each in first.known.surfaces))
    seen = again("azul", replace(first, known=unsure), frame=2)
    assert not any(carried_in(seen).values())
    assert_same(seen, frame=2)


def test_a_picture_of_another_size_is_searched_as_a_whole(whole, networks):
    half = np.ascontiguousarray(photo_of("azul").picture[::2, ::2])
    seen = see_picture(half, networks, "azul", known=whole("azul").known)
    assert not any(carried_in(seen).values())


def test_a_disc_that_was_pushed_into_the_middle_is_found_there(networks, whole):
    first = whole("azul")
    picture, disc = photo_of("azul").picture, first.known.found.discs[0]
    middle = np.mean([each.centre_px for each in first.discs], axis=0)
    way = (middle - disc.centre_px) / np.linalg.norm(middle - disc.centre_px)
    pushed = _pushed(picture, disc, np.rint(way * disc.radius_px).astype(int))
    ours = see_picture(pushed, networks, "azul", known=first.known)
    theirs = see_picture(pushed, networks, "azul")
    places = [np.array([each.centre_px for each in seen.discs]) for seen in (ours, theirs)]
    assert len(places[0]) == len(places[1])
    for place in places[0]:
        assert np.linalg.norm(places[1] - place, axis=1).min() < 0.2 * disc.radius_px


def _pushed(picture, disc, shift):
    """The picture with a disc cut out and laid elsewhere; where it lay is bare table."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    away = np.hypot(x - disc.centre_px[0], y - disc.centre_px[1]) / disc.radius_px
    rows, columns = np.nonzero(away < 1.1)
    moved = picture.copy()
    moved[rows, columns] = np.median(picture[(away > 1.15) & (away < 1.3)], axis=0)
    moved[rows + shift[1], columns + shift[0]] = picture[rows, columns]
    return moved
