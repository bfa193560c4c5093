"""What must hold on a table weighs readings, and never outvotes clear sight."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pipeline import layout_of
from companion.reconcile.photo import to_table
from companion.reconcile.sense import normal, weigh_board, weigh_count, weigh_supply
from engine import load
from vision.cells import tile_cells

LAYOUT = layout_of("azul")
LABELS = (".", "?", "B", "Y", "R", "K", "W", "1")


def reads(**chances):
    """Readings by label, what is left over shared by all."""
    told = {{"empty": ".", "unseen": "?"}.get(kind, kind): chance for kind, chance in chances.items()}
    rest = (1 - sum(told.values())) / len(LABELS)
    return {label: told.get(label, 0.0) + rest for label in LABELS}


def board(**cells):
    known = {name.replace("_", "."): chances for name, chances in cells.items()}
    return {cell.name: known.get(cell.name, reads(empty=0.999)) for cell in tile_cells(LAYOUT)}


def weighed(side="coloured", **cells):
    return weigh_board(board(**cells), LAYOUT, side)


def test_a_line_of_one_colour_settles_its_unclear_tile():
    sure = reads(K=0.999)
    seen = weighed(line_3_3=sure, line_3_2=sure, line_3_1=reads(K=0.8, B=0.19))
    assert seen["line.3.1"]["K"] > 0.98


def test_a_gap_in_a_line_that_is_plainly_seen_stays():
    seen = weighed(line_4_4=reads(empty=0.9999), line_4_3=reads(R=0.9999))
    assert seen["line.4.4"]["."] > 0.98
    assert seen["line.4.3"]["R"] > 0.98


def test_two_colours_plainly_seen_in_a_line_stay():
    seen = weighed(line_2_2=reads(R=0.9999), line_2_1=reads(B=0.9999))
    assert seen["line.2.1"]["B"] > 0.98


def test_a_wall_of_the_coloured_side_expects_its_print():
    unclear = reads(B=0.55, K=0.44)
    assert weighed(wall_1_1=unclear)["wall.1.1"]["B"] > 0.95
    assert weighed("grey", wall_1_1=unclear)["wall.1.1"]["B"] == pytest.approx(unclear["B"])


def test_an_odd_tile_plainly_seen_on_the_wall_stays():
    assert weighed(wall_1_1=reads(R=0.9999))["wall.1.1"]["R"] > 0.98


def test_what_cannot_be_seen_is_not_guessed():
    seen = weighed(line_2_2=reads(K=0.999), line_2_1=reads(unseen=0.97))
    assert max(seen["line.2.1"], key=seen["line.2.1"].get) == "?"


def test_the_marker_may_lie_among_floor_tiles():
    seen = weighed(floor_1=reads(**{"1": 0.9, "W": 0.09}), floor_2=reads(R=0.99))
    assert seen["floor.1"]["1"] > 0.85


chances = st.floats(0.001, 0.999)


@given(st.lists(st.tuples(*[chances] * len(LABELS)), min_size=5, max_size=5))
def test_chances_always_sum_to_one(rows):
    cells = {f"line_5_{i}": normal(dict(zip(LABELS, row, strict=True))) for i, row in enumerate(rows, 1)}
    for read in weighed(**cells).values():
        assert sum(read.values()) == pytest.approx(1)


def test_a_disc_holds_four_tiles_or_none():
    assert weigh_count([0.99, 0.99, 0.99, 0.4], (0, 4))[3] > 0.9
    assert weigh_count([0.2], (0, 4))[0] < 0.02
    assert weigh_count([0.9999, 0.9999, 0.9999], (0, 4)) == pytest.approx([0.9999] * 3, abs=0.003)
    assert weigh_count([], (0, 4)) == []


@given(st.lists(chances, max_size=6))
def test_weighed_counts_stay_chances(there):
    assert all(0 <= chance <= 1 + 1e-9 for chance in weigh_count(there, (0, 4)))


@pytest.mark.parametrize(("discs", "whole"), [(1, False), (4, False), (5, True), (7, True)])
def test_the_middle_is_doubted_unless_the_whole_ring_is_in_view(discs, whole, read):
    lines = ["." * row for row in range(1, 6)]
    sighting = read({"lines": lines, "wall": ["....."] * 5, "floor": "", "score": 0}).sighting
    certain = tuple(replace(tile, sure=0.999) for tile in sighting.centre)
    table = to_table(replace(sighting, discs=sighting.discs * discs, centre=certain), load("azul"))
    assert table["centre"]["tiles"] == "K"
    assert [doubt["cell"] for doubt in table["doubts"]] == ([] if whole else ["centre"])


@pytest.mark.parametrize(("sure", "kept"), [(0.7, 5), (0.99, 7)])
def test_discs_beyond_those_of_so_many_boards_count_only_where_they_are_plain(sure, kept, read):
    lines = ["." * row for row in range(1, 6)]
    sighting = read({"lines": lines, "wall": ["....."] * 5, "floor": "", "score": 0}).sighting
    boards = (sighting.boards[0], replace(sighting.boards[0], seat=2))
    usual, more = (
        tuple(replace(sighting.discs[0], centre_px=(x, y), sure=each) for x in range(count))
        for y, count, each in ((0, 5, 0.99), (1, 2, sure))
    )
    table = to_table(replace(sighting, boards=boards, discs=usual + more), load("azul"))
    assert len(table["factories"]) == kept


@pytest.mark.parametrize(("tiles", "crowded", "doubted"), [(4, True, False), (3, False, False), (3, True, True)])
def test_a_tile_at_the_rim_that_decides_whether_a_disc_is_full_is_in_doubt(tiles, crowded, doubted, read):
    lines = ["." * row for row in range(1, 6)]
    sighting = read({"lines": lines, "wall": ["....."] * 5, "floor": "", "score": 0}).sighting
    certain = tuple(replace(tile, sure=0.99999) for tile in sighting.centre)
    odd = replace(sighting.discs[0], tiles=certain[:1] * tiles, crowded=crowded)
    discs = (odd, *[replace(sighting.discs[0], tiles=())] * 4)
    table = to_table(replace(sighting, discs=discs, centre=certain), load("azul"))
    assert len(table["factories"][0]["tiles"]) == tiles
    assert [doubt["cell"] for doubt in table["doubts"]] == (["factory.1", "centre"] if doubted else [])


def test_a_disc_that_is_full_only_by_a_tile_from_beyond_its_rim_is_in_doubt(read):
    lines = ["." * row for row in range(1, 6)]
    sighting = read({"lines": lines, "wall": ["....."] * 5, "floor": "", "score": 0}).sighting
    tile = replace(sighting.centre[0], sure=0.99999)
    places = [(float(x), 0.0) for x in range(5)]
    three, one, *bare = (replace(sighting.discs[0], tiles=(), centre_px=place) for place in places)
    lent = replace(one, tiles=(replace(tile, rims=tuple(places[:2])),), crowded=True)
    discs = (replace(three, tiles=(tile,) * 3), lent, *bare)
    table = to_table(replace(sighting, discs=discs, centre=()), load("azul"))
    assert [len(disc["tiles"]) for disc in table["factories"]] == [4, 0, 0, 0, 0]
    assert [doubt["cell"] for doubt in table["doubts"]] == ["factory.1", "factory.2", "centre"]


TWENTY = dict.fromkeys("BYRKW", range(21))


def test_the_twenty_first_tile_of_a_colour_is_thought_another():
    plain, unclear = reads(R=0.999), reads(R=0.6, K=0.39)
    *_, seen = weigh_supply([plain] * 20 + [unclear], [1.0] * 21, TWENTY)
    assert seen["K"] > 0.9
    *_, seen = weigh_supply([plain] * 19 + [unclear], [1.0] * 20, TWENTY)
    assert seen["R"] == pytest.approx(unclear["R"])


def test_a_twenty_first_tile_that_is_plainly_seen_stays():
    seen = weigh_supply([reads(R=0.9999)] * 21, [1.0] * 21, TWENTY)
    assert all(each["R"] > 0.98 for each in seen)


def test_a_second_marker_is_thought_a_tile():
    plain, unclear = reads(**{"1": 0.999}), reads(**{"1": 0.6}, K=0.39)
    *_, seen = weigh_supply([plain, unclear], [1.0, 1.0], {"1": range(2)})
    assert seen["K"] > 0.9
    *_, seen = weigh_supply([plain, plain], [1.0, 1.0], {"1": range(2)})
    assert seen["1"] > 0.98


def test_where_all_is_in_view_the_marker_is_somewhere():
    tile, unclear = reads(K=0.999), reads(K=0.6, **{"1": 0.39})
    *_, seen = weigh_supply([tile, unclear], [1.0, 1.0], {"1": range(1, 2)})
    assert seen["1"] > 0.9
    *_, seen = weigh_supply([tile, unclear], [1.0, 1.0], {"1": range(2)})
    assert seen["1"] == pytest.approx(unclear["1"])
    plain = reads(K=0.9999)
    assert weigh_supply([plain], [1.0], {"1": range(1, 2)}) == [plain]
