"""Where everything lies, in millimetres: surfaces, pieces, zones and cells, from an edition's layout.toml.

A surface's frame begins at its top-left corner as its owner sees it, x to the right, y down. Bearings and
turns are degrees clockwise with 0 up. Heights are above the table.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import EngineError

# Each shape at size 1 and turn 0, as (bearing, distance from the centre). The size is the edge, or a circle's
# diameter. A rhombus has its sharp corners up and down, a hex has a corner up.
_OUTLINES: dict[str, Sequence[tuple[float, float]]] = {
    "square": [(bearing, math.sqrt(0.5)) for bearing in (315, 45, 135, 225)],
    "rhombus": [(0, math.sqrt(0.75)), (90, 0.5), (180, math.sqrt(0.75)), (270, 0.5)],
    "hex": [(bearing, 1) for bearing in range(0, 360, 60)],
    "circle": [(bearing, 0.5) for bearing in range(0, 360, 10)],
}


class LayoutError(EngineError):
    """A layout that cannot be used, or a name that is not in it."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A board whose face lies `thickness_mm` above the table; every seat has one, unless it is shared."""

    name: str
    width_mm: float
    height_mm: float
    thickness_mm: float
    corner_mm: float = 0.0
    sides: tuple[str, ...] = ()
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of thing that lies in a cell or free: the shape and size of its top, and how high it is."""

    name: str
    shape: str
    size_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A place for one piece; `base_mm` is the height of what the piece stands on."""

    name: str
    zone: str
    surface: str
    x_mm: float
    y_mm: float
    turn_deg: float
    shape: str
    size_mm: float
    base_mm: float
    prints: tuple[tuple[str, str], ...] = ()

    def printed(self, side: str) -> str | None:
        """What a side of the board prints here, such as the letter of a tile; None where nothing is told."""
        return dict(self.prints).get(side)

    def outline_mm(self) -> list[tuple[float, float]]:
        """The corners, clockwise; of a circle, a polygon."""
        centre = (self.x_mm, self.y_mm)
        outline = _OUTLINES[self.shape]
        return [_polar(centre, size * self.size_mm, bearing + self.turn_deg) for bearing, size in outline]


@dataclass(frozen=True, slots=True)
class Zone:
    """Cells that belong together, and the kind of piece that they hold."""

    name: str
    surface: str
    piece: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The geometry of one edition."""

    edition: str
    surfaces: tuple[Surface, ...]
    pieces: tuple[Piece, ...]
    zones: tuple[Zone, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the order of the file."""
        return tuple(cell for zone in self.zones for cell in zone.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def cell(self, name: str) -> Cell:
        """The cell of that name."""
        return _named("cell", self.cells, name, self.edition)

    def cells_of(self, name: str) -> tuple[Cell, ...]:
        """The cells that a name stands for: one, a zone, or all whose names begin so (`line.3`)."""
        found = tuple(c for c in self if name in (c.name, c.zone) or c.name.startswith(f"{name}."))
        return found or (self.cell(name),)

    def zone(self, name: str) -> Zone:
        """The zone of that name."""
        return _named("zone", self.zones, name, self.edition)

    def piece(self, name: str) -> Piece:
        """The kind of piece of that name."""
        return _named("piece", self.pieces, name, self.edition)

    def surface(self, name: str) -> Surface:
        """The surface of that name."""
        return _named("surface", self.surfaces, name, self.edition)


def load_layout(path: Path) -> Layout:
    """The layout in a file, checked."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"cannot read the layout {path}: {error}; put a layout.toml there") from error
    return parse_layout(text, str(path))


def parse_layout(text: str, source: str = "layout") -> Layout:
    """The layout in a TOML text, checked; errors name the source."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"{source} is not TOML: {error}; correct it there") from error
    top = _read(document, source, "edition surfaces pieces zones")
    surfaces = tuple(_surface(table, place) for table, place in _each(top, "surfaces", source))
    pieces = tuple(_piece(table, place) for table, place in _each(top, "pieces", source))
    zones = tuple(_zone(table, place, surfaces, pieces) for table, place in _each(top, "zones", source))
    layout = Layout(top["edition"], surfaces, pieces, zones)
    for things in (surfaces, pieces, zones, layout.cells):
        names = [thing.name for thing in things]
        if twice := [name for name in names if names.count(name) > 1]:
            raise LayoutError(f"{source}: the name {twice[0]!r} is given twice; give each thing its own")
    return layout


def _surface(table: dict[str, Any], place: str) -> Surface:
    fields = _read(table, place, "name width_mm height_mm thickness_mm", "corner_mm sides shared")
    return Surface(**fields | {"sides": tuple(fields.get("sides", ()))})


def _piece(table: dict[str, Any], place: str) -> Piece:
    return Piece(**_read(table, place, "name shape size_mm height_mm"))


def _zone(table: dict[str, Any], place: str, surfaces: Sequence[Surface], pieces: Sequence[Piece]) -> Zone:
    zone = _read(table, place, "name surface piece cells", "shape size_mm base_mm")
    surface = _named("surface", surfaces, zone["surface"], place)
    piece = _named("piece", pieces, zone["piece"], place)
    # A cell is as large as its piece and lies on the face of its surface, unless the file says otherwise.
    shape, size_mm = zone.get("shape", piece.shape), zone.get("size_mm", piece.size_mm)
    base_mm = zone.get("base_mm", surface.thickness_mm)
    cells = tuple(
        Cell(name, zone["name"], surface.name, *spot, shape, size_mm, base_mm, prints)
        for row, where in _each(zone, "cells", place)
        for name, spot, prints in _spread(row, where, surface)
    )
    for cell in cells:
        if not (0 <= cell.x_mm <= surface.width_mm and 0 <= cell.y_mm <= surface.height_mm):
            at = f"{cell.x_mm:g}, {cell.y_mm:g}"
            raise LayoutError(f"{place}: {cell.name} at {at} is off the {surface.name}; correct its place")
    return Zone(zone["name"], surface.name, piece.name, cells)


_Spot = tuple[float, float, float]
_Prints = tuple[tuple[str, str], ...]


def _spread(table: dict[str, Any], place: str, surface: Surface) -> Iterator[tuple[str, _Spot, _Prints]]:
    """The name, spot and prints of each cell in a row of the file: a ring if it has a centre, else a run."""
    spot, keys = _on_run, ("name first_mm", "step_mm count turn_deg start print")
    if "centre_mm" in table:
        spot, keys = _on_ring, ("name centre_mm radius_mm count", "first_deg step_deg turn_deg start print")
    row = _read(table, place, *keys)
    name, count, prints = row["name"], row.get("count", 1), row.get("print", {})
    if count > 1 and name.count("{}") != 1:
        raise LayoutError(f"{place}: {count} cells are all {name!r}; put one {{}} where the number goes")
    for side, printed in prints.items():
        if side not in surface.sides or len(printed) != count:
            sides = " or ".join(surface.sides) or "none"
            came = f"print has {len(printed)} entries for the side {side!r}"
            raise LayoutError(f"{place}: {came}; give {count} for a side of the {surface.name}: {sides}")
    for index in range(count):
        here = tuple((side, printed[index]) for side, printed in prints.items())
        yield name.replace("{}", str(row.get("start", 1) + index)), spot(row, index), here


def _on_run(row: dict[str, Any], index: int) -> _Spot:
    (x_mm, y_mm), (right_mm, down_mm) = row["first_mm"], row.get("step_mm", (0.0, 0.0))
    return x_mm + index * right_mm, y_mm + index * down_mm, row.get("turn_deg", 0.0)


def _on_ring(row: dict[str, Any], index: int) -> _Spot:
    bearing = row.get("first_deg", 0.0) + index * row.get("step_deg", 360 / row["count"])
    # The turn counts from the bearing, so that all cells of a ring face outwards alike.
    return *_polar(row["centre_mm"], row["radius_mm"], bearing), (bearing + row.get("turn_deg", 0.0)) % 360


def _polar(centre: Sequence[float], distance_mm: float, bearing_deg: float) -> tuple[float, float]:
    bearing = math.radians(bearing_deg)
    return centre[0] + distance_mm * math.sin(bearing), centre[1] - distance_mm * math.cos(bearing)


_Thing = TypeVar("_Thing", Surface, Piece, Zone, Cell)


def _named(kind: str, things: Iterable[_Thing], name: str, place: str) -> _Thing:
    known = {thing.name: thing for thing in things}
    if name not in known:
        names = ", ".join(list(known)[:12]) + (", ..." if len(known) > 12 else "")
        raise LayoutError(f"{place}: no {kind} is called {name!r}; there are {names}")
    return known[name]


def _each(table: dict[str, Any], key: str, place: str) -> list[tuple[dict[str, Any], str]]:
    return [(value, f"{place}, {key} {number}") for number, value in enumerate(table[key], 1)]


def _read(table: dict[str, Any], place: str, needed: str, allowed: str = "") -> dict[str, Any]:
    """A table of the file, after a look at its keys and the kind of every value."""
    if missing := [key for key in needed.split() if key not in table]:
        raise LayoutError(f"{place}: {', '.join(missing)} is missing; a table here needs {needed}")
    if unknown := [key for key in table if key not in f"{needed} {allowed}".split()]:
        raise LayoutError(f"{place}: {', '.join(unknown)} is unknown; use {needed} {allowed}".rstrip())
    for key, value in table.items():
        wanted, fits = _KINDS[key]
        if not fits(value):
            raise LayoutError(f"{place}: {key} is {value!r}; give {wanted}")
    return table


# What the keys of a file hold: in words, and as a test.
_KEYS: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    ("edition name surface piece", "a name", lambda value: isinstance(value, str) and value != ""),
    ("surfaces pieces zones cells", "a list of tables", lambda value: _is_list_of(dict, value)),
    (
        "width_mm height_mm size_mm radius_mm",
        "a number above 0",
        lambda value: _is_number(value) and value > 0,
    ),
    ("thickness_mm corner_mm base_mm", "a number, 0 or more", lambda value: _is_number(value) and value >= 0),
    ("first_mm step_mm centre_mm", "two numbers, [x, y]", lambda value: _is_point(value)),
    ("first_deg step_deg turn_deg", "a number", lambda value: _is_number(value)),
    ("count", "a whole number, 1 or more", lambda value: type(value) is int and value >= 1),
    ("start", "a whole number, 0 or more", lambda value: type(value) is int and value >= 0),
    ("sides", "a list of names", lambda value: _is_list_of(str, value)),
    ("shared", "true or false", lambda value: isinstance(value, bool)),
    ("shape", f"one of {', '.join(_OUTLINES)}", lambda value: value in tuple(_OUTLINES)),
    ("print", "a table of sides, each with a text for every cell", lambda value: _is_print(value)),
)
_KINDS = {key: (wanted, fits) for keys, wanted, fits in _KEYS for key in keys.split()}


def _is_number(value: Any) -> bool:
    # Python takes true for a number; in a layout it is a slip.
    return type(value) in (int, float) and math.isfinite(value)


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and value != [] and all(isinstance(part, kind) for part in value)


def _is_print(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(v, str) or _is_list_of(str, v) for v in value.values())
