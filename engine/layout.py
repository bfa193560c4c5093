"""Where everything lies, in millimetres: surfaces, pieces, zones and cells, from an edition's layout.toml.

A surface's frame begins at its top-left corner as its owner sees it, x to the right, y down. Bearings and
turns are degrees clockwise with 0 up. Heights are above the table.
"""

from __future__ import annotations

import importlib
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import EngineError

_PETAL_DEG = math.degrees(math.asin(0.5 / math.sqrt(7)))
"""Half of the bearing that an outer edge of a cluster takes, as seen from its middle."""
# Each shape at size 1 and turn 0, as (bearing, distance from the centre). The size is the edge, or a circle's
# diameter. A rhombus has its sharp corners up and down, a hex has a corner up. A cluster is seven hexes, one of them up
# from the one in the middle.
_OUTLINES: dict[str, Sequence[tuple[float, float]]] = {
    "square": [(bearing, math.sqrt(0.5)) for bearing in (315, 45, 135, 225)],
    "rhombus": [(0, math.sqrt(0.75)), (90, 0.5), (180, math.sqrt(0.75)), (270, 0.5)],
    "hex": [(bearing, 1) for bearing in range(0, 360, 60)],
    "circle": [(bearing, 0.5) for bearing in range(0, 360, 10)],
    "cluster": [
        (bearing + way, distance)
        for bearing in range(0, 360, 60)
        for way, distance in ((-30, 2), (-_PETAL_DEG, math.sqrt(7)), (_PETAL_DEG, math.sqrt(7)))
    ],
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
    unknown: bool = False
    """Whether nobody could show us its print, so that pictures cannot tell its sides apart."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of thing that lies in a cell or free: the shape and size of its top, and how high it is."""

    name: str
    shape: str
    size_mm: float
    height_mm: float
    kinds: tuple[str, ...] = ()
    """The kinds of which there are such pieces, by their letters; none where pieces are all alike and tell nothing."""
    prints: tuple[str, ...] = ()
    """Of a card the kinds of pieces of which it may print one on its face; its back prints none."""

    @property
    def reach_mm(self) -> float:
        """How far from its middle it reaches."""
        return self.size_mm * max(away for _, away in _OUTLINES[self.shape])


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


CARD = "card"
"""A card that lies face down, as a kind of piece; `card:B3` shows its print, `card:B3@4` points it in direction 4."""
ORNAMENT = f"{CARD}*"
"""What is in the middle of a card's face, where a picture shows it."""
TILES, PRINT, TRACK, SLOT, OWNER = "tiles", "print", "track", "slot", "owner"
ROLES = {
    TILES: "pieces are laid here, and each tells something",
    PRINT: "nothing is laid here",
    TRACK: "a mark in one of the cells tells a number",
    SLOT: "cards are laid here, turned or face down, and other cells may lie on them",
    OWNER: "nothing is laid here; the print tells the kind of the marks that the seat has on tracks of all",
}
ANY, ONE, PRINTED = "any", "one", "printed"
"""What the cells of a row take: any kinds, one kind in the whole row, or in each cell the kind printed there."""
FREE, LEFT, RIGHT = "free", "left", "right"
"""From which end the cells of a row are filled, if from one."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Cells that belong together, the kind of piece that they hold, and what is true of them whatever the state."""

    name: str
    surface: str
    piece: str
    cells: tuple[Cell, ...]
    role: str = TILES
    takes: str = ANY
    fills: str = FREE
    keeps: bool = False
    """Whether a piece that was laid stays for the rest of the game."""
    marker: bool = False
    """Whether the first player's marker may lie here."""
    heap: bool = False
    """Whether it does not matter in which of the cells a piece lies: they are one heap of the zone's name."""

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells row by row: those whose names differ in their last part only."""
        rows: dict[str, list[Cell]] = {}
        for cell in self.cells:
            rows.setdefault(cell.name.rpartition(".")[0], []).append(cell)
        return tuple(map(tuple, rows.values()))


@dataclass(frozen=True, slots=True)
class Track:
    """A run of cells on which a mark tells a number, or one digit of it."""

    name: str
    surface: str
    piece: str
    cells: tuple[Cell, ...]
    tells: str
    """The number that is told: several tracks may tell digits of one."""
    worth: int = 1
    """What a step counts: 10 on a track of tens."""
    lap: int = 0
    """After so many the mark begins anew at the start of the track; 0 where it never does."""
    each: bool = True
    """Whether every seat has a mark on it, also where the surface is shared; otherwise there is one mark for all."""
    token: str = ""
    """The piece that a seat gets for each lap gone; empty where none is given."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the cells, in their order."""
        return tuple(int(cell.name.rpartition(".")[2]) for cell in self.cells)

    def cell_of(self, number: int) -> str | None:
        """The cell in which the mark shows a number, laps left out; None where no cell shows it."""
        shown = number // self.worth % 10 if self.worth > 1 or self._is_digit else number
        known = self.numbers
        if shown not in known and self.lap and shown > 0:
            shown = (shown - 1) % self.lap + 1 if self.lap in known else shown % self.lap
        return f"{self.name}.{shown}" if shown in known else None

    def laps_gone(self, number: int) -> int:
        """How many laps a mark that shows a number has behind it."""
        if not self.lap or number <= max(self.numbers):
            return 0
        return (number - 1) // self.lap if self.lap in self.numbers else number // self.lap

    def may_tell(self, cell: int, most: int) -> tuple[int, ...]:
        """Every number up to a bound that a mark in the cell of this number may tell."""
        step = self.lap or most + 1
        return tuple(range(cell, most + 1, step))

    @property
    def _is_digit(self) -> bool:
        return self.tells != self.name


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces that lie together in no order: how many such heaps there are, and what they hold."""

    name: str
    each: bool = False
    """Whether every seat has one."""
    on: str = ""
    """The piece that carries it, such as a disc; empty where it lies on the table itself."""
    counts: tuple[tuple[int, int], ...] = ()
    """How many there are for each number of players; where nothing is said, one."""
    holds: tuple[int, ...] = ()
    """How many pieces it usually holds; where nothing is said, any number."""
    marker: bool = False
    """Whether the first player's marker may lie here."""
    numbered: bool = False
    """Whether there are several, told apart by numbers after the name."""

    def names(self, players: int) -> tuple[str, ...]:
        """The names of these heaps among so many players."""
        if not self.numbered:
            return (self.name,)
        return tuple(f"{self.name}.{i}" for i in range(1, dict(self.counts).get(players, 0) + 1))


@dataclass(frozen=True, slots=True)
class Layout:
    """The geometry of one edition."""

    edition: str
    surfaces: tuple[Surface, ...]
    pieces: tuple[Piece, ...]
    zones: tuple[Zone, ...]
    tracks: tuple[Track, ...] = ()
    heaps: tuple[Heap, ...] = ()
    numbers: tuple[str, ...] = ()
    """Numbers that are known of a table though no track tells them."""

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

    def slot_under(self, cell: Cell) -> Cell | None:
        """The place of a card on which a cell lies; None where it lies on its board."""
        return self._slots.get(cell.name.rpartition(".")[0])

    @property
    def _slots(self) -> dict[str, Cell]:
        return {cell.name: cell for zone in self.zones if zone.role == SLOT for cell in zone.cells}

    @property
    def numbered_heap(self) -> Heap | None:
        """The heaps of which there are several, told apart by numbers; None where there are none."""
        return next((heap for heap in self.heaps if heap.numbered), None)

    @property
    def free_heap(self) -> Heap | None:
        """The heap that lies free in the middle of the table; None where there is none."""
        return next((heap for heap in self.heaps if not heap.each and not heap.numbered), None)

    @property
    def seat_heap(self) -> Heap | None:
        """The heap that lies free beside each seat's board; None where there is none."""
        return next((heap for heap in self.heaps if heap.each and not heap.on), None)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that boards have, by the first that has any."""
        return next((surface.sides for surface in self.surfaces if surface.sides), ())

    @property
    def tile(self) -> Piece:
        """The piece that is laid in cells, and that lies free."""
        return self.piece(next(zone.piece for zone in self.zones if zone.role == TILES))

    def tile_outline_mm(self) -> list[tuple[float, float]]:
        """The corners of a tile that is not turned, around its middle."""
        return [_polar((0.0, 0.0), away * self.tile.size_mm, bearing) for bearing, away in _OUTLINES[self.tile.shape]]

    @property
    def owner(self) -> Zone | None:
        """The print that tells which marks on tracks of all are a seat's; None where nothing tells it."""
        return next((zone for zone in self.zones if zone.role == OWNER), None)

    @property
    def marks(self) -> tuple[str, ...]:
        """The kinds of the marks that seats have on tracks of all, where print tells whose they are."""
        return self.piece(self.owner.piece).kinds if self.owner else ()

    @property
    def disc(self) -> Piece | None:
        """The piece that carries heaps of which there are several; None where they lie on none."""
        heap = self.numbered_heap
        return self.piece(heap.on) if heap and heap.on else None

    @property
    def props(self) -> tuple[Piece, ...]:
        """Pieces that lie in no cell and carry no heap: they only stand about on the table."""
        used = {zone.piece for zone in self.zones} | {heap.on for heap in self.heaps}
        used |= {track.token for track in self.tracks}
        return tuple(piece for piece in self.pieces if piece.name not in used and not piece.kinds)

    def kind_of(self, laid: str) -> str:
        """The kind of a piece that is called by its name, where there is only one such kind, or by the kind itself."""
        return next((piece.kinds[0] for piece in self.pieces if piece.name == laid and len(piece.kinds) == 1), laid)

    def has_heap(self, name: str) -> bool:
        """Whether a heap is called so, a number after the name being passed over, or cells that are one heap."""
        plain = name.partition(".")[0]
        return any(plain == heap.name for heap in self.heaps) or any(z.heap and z.name == name for z in self.zones)

    def track(self, name: str) -> Track:
        """The track of that name."""
        return _named("track", self.tracks, name, self.edition)

    def heap(self, name: str) -> Heap:
        """The heap of that name, a number after it being passed over (`factory.3`)."""
        known = {heap.name: heap for heap in self.heaps}
        return known.get(name) or _named("heap", self.heaps, name.partition(".")[0], self.edition)

    def zone(self, name: str) -> Zone:
        """The zone of that name."""
        return _named("zone", self.zones, name, self.edition)

    def piece(self, name: str) -> Piece:
        """The kind of piece of that name."""
        return _named("piece", self.pieces, name, self.edition)

    def surface(self, name: str) -> Surface:
        """The surface of that name."""
        return _named("surface", self.surfaces, name, self.edition)


def parts_of(label: str) -> tuple[str, ...]:
    """What a label is made of: whether a piece lies there or a card prints it, its colour and its pattern."""
    found = re.fullmatch(f"({CARD}:)?([A-Z]+)([0-9])", label)
    return (f"{found[1] or ''}piece", found[2], found[3]) if found else (label,)


def is_within(cell: str, named: str) -> bool:
    """Whether a name stands for this cell: its own, or that of a row or zone which it is part of."""
    return cell == named or cell.startswith(f"{named}.")


EDITIONS = "engine.editions"
"""The package of all editions; the folders in its path are searched for them."""


def edition_folders() -> dict[str, Path]:
    """Where each edition lies, by its name; where two have one name, the first that is found."""
    searched = importlib.import_module(EDITIONS).__path__
    found = [path.parent for folder in searched for path in sorted(Path(folder).glob("*/layout.toml"))]
    return {path.name.replace("_", "-"): path for path in reversed(found)}


def search_also(folder: Path) -> None:
    """Look for editions in one more folder, which holds a folder for each."""
    path = importlib.import_module(EDITIONS).__path__
    if str(folder) not in path:
        path.append(str(folder))


@lru_cache
def layout_of(slug: str) -> Layout:
    """The layout of an edition, read once."""
    return load_layout(edition_folders()[slug] / "layout.toml")


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
    top = _read(document, source, "edition surfaces pieces zones", "heaps numbers")
    surfaces = tuple(_surface(table, place) for table, place in _each(top, "surfaces", source))
    pieces = tuple(_piece(table, place) for table, place in _each(top, "pieces", source))
    zones = tuple(_zone(table, place, surfaces, pieces) for table, place in _each(top, "zones", source))
    tracks = tuple(
        _track(table, zone)
        for (table, _), zone in zip(_each(top, "zones", source), zones, strict=True)
        if zone.role == TRACK
    )
    heaps = tuple(_heap(table, place) for table, place in _each(top, "heaps", source)) if "heaps" in top else ()
    layout = Layout(top["edition"], surfaces, pieces, zones, tracks, heaps, tuple(top.get("numbers", ())))
    for things in (surfaces, pieces, zones, layout.cells, heaps):
        names = [thing.name for thing in things]
        if twice := [name for name in names if names.count(name) > 1]:
            raise LayoutError(f"{source}: the name {twice[0]!r} is given twice; give each thing its own")
    return layout


def _surface(table: dict[str, Any], place: str) -> Surface:
    fields = _read(table, place, "name width_mm height_mm thickness_mm", "corner_mm sides shared unknown")
    return Surface(**fields | {"sides": tuple(fields.get("sides", ()))})


def _piece(table: dict[str, Any], place: str) -> Piece:
    piece = _read(table, place, "name shape size_mm height_mm", "kinds prints")
    return Piece(**piece | {key: tuple(piece.get(key, ())) for key in ("kinds", "prints")})


def _zone(table: dict[str, Any], place: str, surfaces: Sequence[Surface], pieces: Sequence[Piece]) -> Zone:
    zone = _read(table, place, "name surface piece cells", f"shape size_mm base_mm {ALWAYS} {ON_TRACKS}")
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
    if "token" in zone:
        _named("piece", pieces, zone["token"], place)
    role = zone.get("role", TILES)
    if stray := [key for key in ON_TRACKS.split() if key in zone and role != TRACK]:
        raise LayoutError(f"{place}: {stray[0]} is for tracks; leave it out or give the role {TRACK!r}")
    if role == TRACK and any(not cell.name.rpartition(".")[2].isdigit() for cell in cells):
        raise LayoutError(f"{place}: the cells of a track end in their numbers; name them so")
    told = {key: zone[key] for key in ALWAYS.split() if key in zone}
    return Zone(zone["name"], surface.name, piece.name, cells, **told)


ALWAYS, ON_TRACKS = "role takes fills keeps marker heap", "tells worth lap each token"
"""The keys of a zone that are true whatever the state, and those of its track."""


def _track(table: dict[str, Any], zone: Zone) -> Track:
    told = {key: table[key] for key in ("worth", "lap", "each", "token") if key in table}
    return Track(zone.name, zone.surface, zone.piece, zone.cells, table.get("tells", zone.name), **told)


def _heap(table: dict[str, Any], place: str) -> Heap:
    heap = _read(table, place, "name", "each on counts holds marker numbered")
    counts = tuple((int(players), count) for players, count in heap.get("counts", {}).items())
    return Heap(**heap | {"counts": counts, "holds": tuple(heap.get("holds", ()))})


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


_Thing = TypeVar("_Thing", Surface, Piece, Zone, Cell, Track, Heap)


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
    ("edition name surface piece tells on token", "a name", lambda value: isinstance(value, str) and value != ""),
    ("surfaces pieces zones cells heaps", "a list of tables", lambda value: _is_list_of(dict, value)),
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
    ("sides numbers kinds prints", "a list of names", lambda value: _is_list_of(str, value)),
    ("role", f"one of {', '.join(ROLES)}", lambda value: value in tuple(ROLES)),
    ("takes", f"one of {ANY}, {ONE}, {PRINTED}", lambda value: value in (ANY, ONE, PRINTED)),
    ("fills", f"one of {FREE}, {LEFT}, {RIGHT}", lambda value: value in (FREE, LEFT, RIGHT)),
    ("worth lap", "a whole number, 1 or more", lambda value: type(value) is int and value >= 1),
    ("counts", "a table of players, each with a whole number", lambda value: _is_counts(value)),
    ("holds", "a list of whole numbers", lambda value: _is_list_of(int, value)),
    ("shared unknown keeps marker heap each numbered", "true or false", lambda value: isinstance(value, bool)),
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


def _is_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(k.isdigit() and type(v) is int and v >= 1 for k, v in value.items())
