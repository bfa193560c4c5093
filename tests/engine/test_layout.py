import math
from itertools import combinations
from pathlib import Path

import pytest

import engine.layout
from engine.layout import Cell, Layout, LayoutError, Surface, load_layout, parse_layout

EDITIONS = Path(engine.layout.__file__).parent / "editions"
COLOURS = "BYRKW"

WALL = {f"wall.{row}.{column}" for row in range(1, 6) for column in range(1, 6)}
LINES = {f"line.{row}.{column}" for row in range(1, 6) for column in range(1, row + 1)}
FLOOR = {f"floor.{place}" for place in range(1, 8)}
TRACK = {f"score.{points}" for points in range(101)}
SLIDERS = {f"slider.{digit}.{value}" for digit in ("tens", "units") for value in range(10)}

# One board with one run and one ring: what the malformed texts below are made from.
SMALL = """
edition = "small"
surfaces = [{ name = "board", width_mm = 100, height_mm = 80, thickness_mm = 2, sides = ["front"] }]
pieces = [{ name = "tile", shape = "rhombus", size_mm = 10, height_mm = 7 }]

[[zones]]
name = "row"
surface = "board"
piece = "tile"
cells = [{ name = "row.{}", first_mm = [10, 20], step_mm = [20, 5], count = 3, print = { front = "ABC" } }]

[[zones]]
name = "star"
surface = "board"
piece = "tile"
cells = [{ name = "star.{}", centre_mm = [50, 40], radius_mm = 20, first_deg = 30, count = 6, start = 0 }]
"""


def layout_of(slug: str) -> Layout:
    return load_layout(EDITIONS / slug / "layout.toml")


@pytest.fixture(params=["azul", "azul_mini"])
def layout(request: pytest.FixtureRequest) -> Layout:
    return layout_of(request.param)


def cells_overlap(one: Cell, other: Cell) -> bool:
    """Whether two convex outlines overlap: they do not if some edge of one has all of the other outside."""
    shapes = (one.outline_mm(), other.outline_mm())
    for shape, rest in (shapes, shapes[::-1]):
        for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
            if all((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 1e-9 for x, y in rest):
                return False
    return True


# ------------------------------------------------------------------------------------ the two editions


@pytest.mark.parametrize(
    ("slug", "names"),
    [("azul", WALL | LINES | FLOOR | TRACK), ("azul_mini", WALL | LINES | FLOOR | SLIDERS)],
)
def test_every_cell_is_there_once_under_its_name(slug, names):
    cells = [cell.name for cell in layout_of(slug)]
    assert len(cells) == len(names)
    assert set(cells) == names


def test_edition_is_the_slug(layout):
    assert (EDITIONS / layout.edition.replace("-", "_")).is_dir()


@pytest.mark.parametrize(
    ("name", "x_mm", "y_mm"),
    [
        ("wall.1.1", 262 * 0.564, 262 * 0.3915),
        ("wall.5.5", 262 * (0.564 + 4 * 0.0878), 262 * (0.3915 + 4 * 0.0895)),
        ("wall.2.4", 262 * (0.564 + 3 * 0.0878), 262 * (0.3915 + 1 * 0.0895)),
        ("line.1.1", 262 * 0.429, 262 * 0.3915),
        ("line.3.1", 262 * (0.429 - 2 * 0.087), 262 * (0.3915 + 2 * 0.0895)),
        ("line.5.5", 262 * 0.429, 262 * (0.3915 + 4 * 0.0895)),
        ("floor.1", 262 * 0.082, 262 * 0.895),
        ("floor.7", 262 * (0.082 + 6 * 0.0955), 262 * 0.895),
        ("score.0", 17.8, 7.7),
        ("score.1", 17.9, 21.45),
        ("score.20", 17.9 + 19 * 11.9, 21.45),
        ("score.21", 17.9, 35.4),
        ("score.55", 17.9 + 14 * 11.9, 49.7),
        ("score.100", 17.9 + 19 * 11.9, 79.8),
    ],
)
def test_centres_on_the_azul_board(name, x_mm, y_mm):
    cell = layout_of("azul").cell(name)
    assert (cell.x_mm, cell.y_mm) == pytest.approx((x_mm, y_mm), abs=0.001)


def test_sizes_of_azul():
    azul = layout_of("azul")
    assert azul.surfaces == (Surface("board", 262.0, 262.0, 2.0, 1.0, ("coloured", "grey"), False),)
    sizes = {piece.name: (piece.shape, piece.size_mm, piece.height_mm) for piece in azul.pieces}
    assert sizes["tile"] == ("square", 20.0, 7.2)
    assert sizes["cube"] == ("square", 10.0, 10.0)
    assert sizes["disc"][:2] == ("circle", 81.0)
    assert azul.cell("wall.1.1").base_mm == 2.0


def test_mini_is_the_big_board_at_seventy_percent():
    big, mini = layout_of("azul"), layout_of("azul_mini")
    assert mini.piece("tile").size_mm == pytest.approx(0.7 * big.piece("tile").size_mm)
    for name in WALL | LINES | FLOOR:
        small, large = mini.cell(name), big.cell(name)
        assert (small.x_mm, small.y_mm) == pytest.approx((0.7 * large.x_mm, 0.7 * large.y_mm), abs=0.15)
        assert small.base_mm < mini.surface("board").thickness_mm


def test_cells_lie_on_their_board(layout):
    for cell in layout:
        surface = layout.surface(cell.surface)
        for x, y in cell.outline_mm():
            assert 0 <= x <= surface.width_mm, cell.name
            assert 0 <= y <= surface.height_mm, cell.name


def test_cells_do_not_overlap(layout):
    assert [(a.name, b.name) for a, b in combinations(layout, 2) if cells_overlap(a, b)] == []


def test_a_piece_fits_into_its_cell(layout):
    for zone in layout.zones:
        piece = layout.piece(zone.piece)
        for cell in zone.cells:
            assert (cell.shape, cell.zone, cell.surface) == (piece.shape, zone.name, zone.surface)
            assert piece.size_mm <= cell.size_mm


def test_wall_prints_its_colours_on_the_coloured_side_only(layout):
    for row in range(1, 6):
        for index, colour in enumerate(COLOURS):
            column = (index + row - 1) % 5 + 1
            cell = layout.cell(f"wall.{row}.{column}")
            assert cell.printed("coloured") == colour
            assert cell.printed("grey") is None
    assert {cell.zone for cell in layout if cell.prints} == {"wall"}


def test_lines_end_beside_the_wall_and_share_its_rows(layout):
    for row in range(1, 6):
        last, first = layout.cell(f"line.{row}.{row}"), layout.cell(f"wall.{row}.1")
        assert last.y_mm == first.y_mm
        assert last.x_mm == pytest.approx(layout.cell("line.1.1").x_mm)
        assert last.x_mm < first.x_mm


# ------------------------------------------------------------------------------------ names and values


def test_zones_partition_the_cells(layout):
    assert tuple(layout) == layout.cells == tuple(cell for zone in layout.zones for cell in zone.cells)
    for cell in layout:
        assert layout.cell(cell.name) is cell
        assert cell in layout.zone(cell.zone).cells


@pytest.mark.parametrize(
    ("name", "count"),
    [("line.3", 3), ("line", 15), ("wall", 25), ("wall.2", 5), ("score", 101), ("floor.7", 1)],
)
def test_a_name_stands_for_all_cells_below_it(name, count):
    cells = layout_of("azul").cells_of(name)
    assert len(cells) == count
    assert all(cell.name == name or cell.name.startswith(f"{name}.") for cell in cells)


@pytest.mark.parametrize("lookup", ["cell", "cells_of", "zone", "piece", "surface"])
def test_an_unknown_name_is_an_error_that_lists_names(layout, lookup):
    with pytest.raises(LayoutError, match=r"'nowhere'; there are \w+"):
        getattr(layout, lookup)("nowhere")


def test_layouts_are_values(layout):
    again = layout_of(layout.edition.replace("-", "_"))
    assert again == layout
    assert hash(again) == hash(layout)
    with pytest.raises(AttributeError):
        layout.edition = "other"


# --------------------------------------------------------------------------------- runs, rings, shapes


def test_a_run_steps_and_prints():
    row = parse_layout(SMALL).zone("row").cells
    assert [(cell.name, cell.x_mm, cell.y_mm, cell.turn_deg) for cell in row] == [
        ("row.1", 10, 20, 0),
        ("row.2", 30, 25, 0),
        ("row.3", 50, 30, 0),
    ]
    assert [cell.printed("front") for cell in row] == ["A", "B", "C"]


def test_a_ring_goes_clockwise_from_up_and_faces_outwards():
    star = parse_layout(SMALL).zone("star").cells
    assert [cell.name for cell in star] == [f"star.{slot}" for slot in range(6)]
    assert [cell.turn_deg for cell in star] == [30, 90, 150, 210, 270, 330]
    assert (star[1].x_mm, star[1].y_mm) == pytest.approx((70, 40))
    for cell in star:
        outer, inner = cell.outline_mm()[0], cell.outline_mm()[2]
        assert math.dist(outer, (50, 40)) == pytest.approx(20 + 10 * math.sqrt(0.75))
        assert math.dist(inner, (50, 40)) == pytest.approx(20 - 10 * math.sqrt(0.75))


def test_rhombi_of_a_star_meet_without_overlap():
    edge_mm = 27.4
    text = SMALL.replace("size_mm = 10", f"size_mm = {edge_mm}").replace(
        "radius_mm = 20", f"radius_mm = {edge_mm * math.sqrt(0.75)}"
    )
    star = parse_layout(text).zone("star").cells
    assert not any(cells_overlap(a, b) for a, b in combinations(star, 2))
    for one, following in zip(star, [*star[1:], star[0]], strict=True):
        assert one.outline_mm()[1] == pytest.approx(following.outline_mm()[3])


def test_hexes_of_a_flower_meet_without_overlap():
    text = SMALL.replace("rhombus", "hex").replace("radius_mm = 20", f"radius_mm = {10 * math.sqrt(3)}")
    ring = parse_layout(text.replace("first_deg = 30", "first_deg = 90, turn_deg = 30")).zone("star").cells
    corners = {(round(x, 6), round(y, 6)) for cell in ring for x, y in cell.outline_mm()}
    assert not any(cells_overlap(a, b) for a, b in combinations(ring, 2))
    # The 36 corners of six hexes around a seventh fall on 24 points.
    assert len(corners) == 24


@pytest.mark.parametrize(
    ("shape", "area"),
    [("square", 1), ("rhombus", math.sqrt(0.75)), ("hex", 1.5 * math.sqrt(3)), ("circle", math.pi / 4)],
)
@pytest.mark.parametrize("turn_deg", [0, 30, 211.5])
def test_outlines_are_clockwise_and_of_the_right_size(shape, area, turn_deg):
    outline = Cell("x", "x", "board", 50, 40, turn_deg, shape, 10, 0).outline_mm()
    edges = zip(outline, [*outline[1:], outline[0]], strict=True)
    # Clockwise on a page whose y runs down gives a positive sum.
    assert sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges) / 2 == pytest.approx(100 * area, rel=0.01)
    assert sum(x for x, _ in outline) / len(outline) == pytest.approx(50)
    assert sum(y for _, y in outline) / len(outline) == pytest.approx(40)


def test_an_untold_cell_takes_after_its_piece_and_surface():
    cell = parse_layout(SMALL).cell("row.1")
    assert (cell.shape, cell.size_mm, cell.base_mm) == ("rhombus", 10, 2)
    told = SMALL.replace('piece = "tile"', 'piece = "tile"\nshape = "circle"\nsize_mm = 12\nbase_mm = 5')
    cell = parse_layout(told).cell("row.1")
    assert (cell.shape, cell.size_mm, cell.base_mm) == ("circle", 12, 5)


def test_a_single_cell_needs_no_number():
    run = 'name = "row.{}", first_mm = [10, 20], step_mm = [20, 5], count = 3, print = { front = "ABC" }'
    cell = parse_layout(SMALL.replace(run, 'name = "row", first_mm = [10, 20]')).cell("row")
    assert (cell.x_mm, cell.y_mm) == (10, 20)


# ---------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('edition = "small"', "edition = ", r"is not TOML: .*line 2.*; correct it"),
        ('edition = "small"', "", r"^small.toml: edition is missing; a table here needs edition surfaces"),
        ('edition = "small"', "edition = 5", r"edition is 5; give a name"),
        (
            'edition = "small"',
            'edition = "small"\ncolour = "red"',
            r"colour is unknown; use edition surfaces",
        ),
        ("width_mm = 100, ", "", r"surfaces 1: width_mm is missing"),
        ("width_mm = 100", "width_mm = -100", r"width_mm is -100; give a number above 0"),
        ("width_mm = 100", "width_mm = inf", r"width_mm is inf; give a number above 0"),
        ("width_mm = 100", 'width_mm = "100"', r"width_mm is '100'; give a number"),
        ("thickness_mm = 2", "thickness_mm = true", r"thickness_mm is True; give a number, 0 or more"),
        ('sides = ["front"]', 'sides = "front"', r"sides is 'front'; give a list of names"),
        ('sides = ["front"]', "shared = 1", r"shared is 1; give true or false"),
        ("rhombus", "star", r"pieces 1: shape is 'star'; give one of square, rhombus, hex, circle"),
        ('piece = "tile"', 'piece = "cube"', r"zones 1: no piece is called 'cube'; there are tile"),
        ('surface = "board"', 'surface = "lid"', r"zones 1: no surface is called 'lid'; there are board"),
        ('name = "star"', 'name = "row"', r"the name 'row' is given twice"),
        ('"star.{}"', '"row.{}"', r"the name 'row.1' is given twice"),
        ('"row.{}"', '"row"', r"zones 1, cells 1: 3 cells are all 'row'; put one \{\}"),
        ("first_mm = [10, 20]", "first_mm = [10]", r"first_mm is \[10\]; give two numbers, \[x, y\]"),
        (
            "first_mm = [10, 20]",
            "first_mm = [70, 20]",
            r"row.3 at 110, 30 is off the board; correct its place",
        ),
        ("count = 3", "count = 0", r"count is 0; give a whole number, 1 or more"),
        ("count = 3", "count = 2.5", r"count is 2.5; give a whole number"),
        ("start = 0", "start = -1", r"start is -1; give a whole number, 0 or more"),
        ("step_mm", "step", r"zones 1, cells 1: step is unknown"),
        ("radius_mm = 20, ", "", r"zones 2, cells 1: radius_mm is missing"),
        ("first_deg = 30", "first_deg = nan", r"first_deg is nan; give a number"),
        ('"ABC"', '"AB"', r"print has 2 entries for the side 'front'; give 3 for a side of the board: front"),
        ("{ front =", "{ back =", r"print has 3 entries for the side 'back'; give 3 .*: front"),
        ('{ front = "ABC" }', '"ABC"', r"print is 'ABC'; give a table of sides"),
        ('{ front = "ABC" }', "{ front = [1, 2, 3] }", r"print is .*; give a table of sides"),
        ("pieces = [{", "pieces = []\nmore = [{", r"more is unknown"),
        ("zones", "rooms", r"zones is missing"),
    ],
)
def test_a_malformed_layout_is_told_with_its_place(old, new, told):
    assert old in SMALL
    with pytest.raises(LayoutError, match=told) as caught:
        parse_layout(SMALL.replace(old, new), "small.toml")
    assert str(caught.value).startswith("small.toml")


def test_a_missing_file_is_a_layout_error(tmp_path):
    with pytest.raises(LayoutError, match=r"cannot read the layout .*none\.toml.*; put a layout\.toml there"):
        load_layout(tmp_path / "none.toml")


def test_a_layout_error_is_a_value_error():
    assert issubclass(LayoutError, ValueError)
