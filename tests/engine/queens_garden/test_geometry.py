"""The hex grid of a garden: as the rules file tells it, and in general."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions.queens_garden import garden as grid
from engine.editions.queens_garden.hexes import BIT, COLOUR, HEXES, PATTERN

CALM = settings(deadline=None, derandomize=True)
CELLS = st.sampled_from(list(grid.HEX_CELLS))


@st.composite
def gardens(draw):
    """A garden with any hexes on any cells that exist, as if placed without regard to rules."""
    laid, slots = grid.BARE_GARDEN, []
    for slot in range(6):
        at = draw(st.integers(grid.NO_CARD, grid.FACE_DOWN))
        slots.append(at)
        if at != grid.NO_CARD:
            laid = grid.with_card(laid, slot, at, draw(st.sampled_from(HEXES)))
    for cell in grid.HEX_CELLS:
        if laid[cell] == grid.FREE and draw(st.booleans()):
            laid = grid.with_cell(laid, cell, draw(st.sampled_from(HEXES[:14])))
    return laid, tuple(slots)


def beside(name):
    return {grid.CELLS[cell] for cell in grid.NEIGHBOURS[grid.INDEX[name]]}


def test_cells_touch_as_the_rules_file_tells():
    for d in range(6):
        after = (d + 1) % 6
        ring = {f"F{(d + 1) % 6}", f"F{(d - 1) % 6}"}
        assert beside(f"F{d}") == ring | {f"X{d}.{(d + 3) % 6}"}
        assert f"X{after}.{(d + 5) % 6}" in beside(f"X{d}.{(d + 2) % 6}")
        assert beside(f"T{d}") == {
            f"F{d}",
            f"F{after}",
            f"X{d}.{(d + 2) % 6}",
            f"X{d}.{(d + 3) % 6}",
            f"X{after}.{(d + 4) % 6}",
            f"X{after}.{(d + 5) % 6}",
        }
        assert beside(f"X{d}.c") == {f"X{d}.{k}" for k in range(6)}
    assert beside("fountain") == {f"F{d}" for d in range(6)}


def test_ring_cells_have_two_or_three_neighbours_and_the_centre():
    for d in range(6):
        for k in range(6):
            others = beside(f"X{d}.{k}") - {f"X{d}.c"}
            assert len(others) in (2, 3)
            assert f"X{d}.c" in beside(f"X{d}.{k}")


@CALM
@given(CELLS, CELLS)
def test_touching_is_symmetric_and_means_one_step(one, other):
    (q, r), (s, t) = grid.AXIAL[grid.CELLS[one]], grid.AXIAL[grid.CELLS[other]]
    distance = max(abs(q - s), abs(r - t), abs(q + r - s - t))
    assert (other in grid.NEIGHBOURS[one]) is (one in grid.NEIGHBOURS[other]) is (distance == 1)


@CALM
@given(gardens())
def test_groups_are_a_partition_into_connected_hexes_of_one_kind(laid):
    garden, _ = laid
    for attribute in (COLOUR, PATTERN):
        found = grid.groups(garden, attribute)
        cells = [cell for cells in found for cell in cells]
        assert sorted(cells) == [cell for cell in grid.HEX_CELLS if garden[cell] in BIT]
        for group in found:
            assert len({attribute[garden[cell]] for cell in group}) == 1
            assert all(set(grid.group(garden, cell, attribute)) == set(group) for cell in group)


@CALM
@given(gardens(), CELLS, st.sampled_from(HEXES))
def test_a_new_hex_joins_the_groups_beside_it(laid, cell, hex_):
    garden, _ = laid
    if garden[cell] != grid.FREE:
        return
    for attribute in (COLOUR, PATTERN):
        joined = {cell}
        for other in grid.NEIGHBOURS[cell]:
            if attribute.get(garden[other]) == attribute[hex_]:
                joined |= set(grid.group(garden, other, attribute))
        assert set(grid.group(grid.with_cell(garden, cell, hex_), cell, attribute)) == joined


@settings(CALM, max_examples=60)
@given(st.integers(0, 2**32))
def test_openings_are_what_the_rules_say(seed):
    """Gardens grown legally, each cell and hex judged anew by the wording of the rules."""
    rng = random.Random(seed)
    garden = grid.BARE_GARDEN
    for slot in range(6):
        garden = grid.with_card(garden, slot, grid.FACE_DOWN)
    for _ in range(rng.randrange(30)):
        cell, hex_ = rng.choice(grid.HEX_CELLS), rng.choice(HEXES[: rng.choice((8, 36))])
        if garden[cell] == grid.FREE and grid.openings(garden)[cell] & BIT[hex_]:
            garden = grid.with_cell(garden, cell, hex_)
    for cell in grid.HEX_CELLS:
        if garden[cell] == grid.FREE:
            fitting = {hex_ for hex_ in HEXES if grid.openings(garden)[cell] & BIT[hex_]}
            assert fitting == {hex_ for hex_ in HEXES if may_lie(garden, cell, hex_)}


def may_lie(garden, cell, hex_):
    near = [garden[other] for other in grid.NEIGHBOURS[cell] if garden[other] in BIT]
    if near and not any(other[:2] == hex_[:2] or other[2] == hex_[2] for other in near):
        return False
    after = grid.with_cell(garden, cell, hex_)
    for attribute in (COLOUR, PATTERN):
        held = [after[other] for other in grid.group(after, cell, attribute)]
        if len(set(held)) != len(held):
            return False
    return True


@CALM
@given(gardens(), st.integers(0, 5), st.integers(0, 5), st.sampled_from(HEXES))
def test_rotation_decides_only_where_the_printed_hex_lies(laid, slot, at, hex_):
    garden, slots = laid
    if slots[slot] != grid.NO_CARD:
        return
    after = grid.with_card(garden, slot, at, hex_)
    assert after[grid.ring_cell(slot, at)] == hex_
    assert [after[grid.ring_cell(slot, k)] for k in range(6)].count(grid.FREE) == 5
    assert after[grid.centre_cell(slot)] == grid.DECORATION
    assert grid.with_card(garden, slot, grid.FACE_DOWN).count(grid.FREE) == garden.count(grid.FREE) + 7
    changed = {cell for cell in range(len(garden)) if garden[cell] != after[cell]}
    assert changed == {grid.ring_cell(slot, 0) + k for k in range(7)}


@CALM
@given(gardens(), CELLS)
def test_surrounded_means_six_hexes_around(laid, cell):
    garden, _ = laid
    expected = set()
    for element in grid.ELEMENTS:
        filled = all(garden[other] in BIT for other in element.around)
        if cell in element.around and garden[element.cell] == grid.DECORATION and filled:
            expected.add(element)
    assert set(grid.surrounded(garden, cell)) == expected


def test_layout_shows_the_same_grid(garden):
    layout = garden.layout
    names = {cell.name for cell in layout}
    assert set(grid.CELLS) <= names
    assert {f"storage.{n}" for n in range(1, 13)} | {f"score.{n}" for n in range(60)} <= names
    pitch = 27.5
    for one in grid.HEX_CELLS:
        for other in range(one):
            a, b = layout.cell(grid.CELLS[one]), layout.cell(grid.CELLS[other])
            distance = math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
            assert (other in grid.NEIGHBOURS[one]) is (distance < 1.1 * pitch)
            assert distance > 0.99 * pitch
    for name, (q, r) in grid.AXIAL.items():
        cell = layout.cell(name)
        assert cell.x_mm == pytest.approx(125 + pitch * (q + r / 2), abs=0.01)
        assert cell.y_mm == pytest.approx(125 + pitch * math.sqrt(0.75) * r, abs=0.01)
        assert cell.turn_deg % 60 == pytest.approx(0)
