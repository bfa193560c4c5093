"""Setting a table: where boards, discs, tiles, lamps, clutter and the camera are, all drawn from one seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell, Layout, Piece, Surface
from hardware.tabletop import clutter, materials
from hardware.tabletop.art import Art
from hardware.tabletop.canvas import Outline
from hardware.tabletop.drawing import unit_outline
from hardware.tabletop.lens import Lens, Points
from hardware.tabletop.light import Lamp, Lighting
from hardware.tabletop.scene import Scene
from hardware.tabletop.solids import Solid, lifted
from hardware.tabletop.stage import Moment, Stage
from hardware.tabletop.tiers import Tier

Rng = np.random.Generator
LOW_MM = 3.0
"""Lower pieces lie flat under the others."""
ROUNDING = 0.14
"""How much of a tile's edge its rounded corners take."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A surface lying on the table: its middle, and how far it is turned clockwise."""

    seat: int
    surface: str
    size_mm: tuple[float, float]
    middle_mm: tuple[float, float]
    turn_deg: float

    def to_world(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Places on the surface as places on the table."""
        away = (points_mm - np.array(self.size_mm) / 2) @ _rotation(self.turn_deg).T
        return np.asarray(away + self.middle_mm)

    @property
    def corners_mm(self) -> Outline:
        """Top left, top right, bottom right, bottom left as its owner sees it."""
        width, height = self.size_mm
        return self.to_world(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))


@dataclass(frozen=True)
class World:
    """A set table."""

    scene: Scene
    boards: tuple[Placed, ...]
    shared: tuple[Placed, ...]
    discs_mm: tuple[tuple[float, float], ...]


def set_table(stage: Stage, layout: Layout, art: Art, tier: Tier, seed: int, moment: Moment | None = None) -> World:
    """Put everything down; with the same seed the same things always lie in the same way, whatever else there is."""
    moment = moment or Moment()
    rng = _rng(seed, tier.name)
    set_up, shared, discs = _arrange(stage, layout, rng)
    boards = tuple(_nudged(placed, moment) for placed in set_up)
    gloss = float(rng.uniform(*tier.gloss))
    sloppy = float(rng.uniform(*tier.sloppy_mm)), float(rng.uniform(*tier.sloppy_deg))
    # Camera and clutter were there before a board was nudged.
    lens = _aim(set_up, shared, tier, rng)
    ground, mats = materials.ground(rng, gloss)
    taken = [(placed.corners_mm.mean(axis=0), 0.75 * max(placed.size_mm)) for placed in (*set_up, *shared)]
    # Nobody puts a cup among the factories.
    taken.append((np.zeros(2), 60.0 + max((float(np.linalg.norm(disc_mm)) for disc_mm in discs), default=0.0)))
    count = int(rng.integers(tier.clutter[0], tier.clutter[1] + 1))
    talls, litter = clutter.strew(count, taken, ground.outline_mm, rng)
    lighting = _lighting(tier, moment.brightness, rng)
    flats = [_board_solid(placed, stage.side, layout, art, gloss) for placed in (*boards, *shared)]
    for i, middle in enumerate(discs):
        turn = float(_rng(seed, f"disc {i}").uniform(0, 360))
        flats.append(_piece_solid(layout.piece("disc"), "disc", art, np.array(middle), turn, 0.0, gloss))
    pieces = [
        *_pieces_in_cells(stage, layout, art, (*boards, *shared), sloppy, seed),
        *_loose_pieces(stage, layout, art, boards, discs, seed),
    ]
    talls += _hand(boards, tier, moment, rng)
    low = [piece for piece in pieces if piece.height_mm < LOW_MM]
    standing = [piece for piece in pieces if piece.height_mm >= LOW_MM]
    scene = Scene(lens, lighting, ground, [*mats, *litter, *flats, *low], standing, talls)
    return World(scene, boards, shared, discs)


def _rng(seed: int, of: str) -> Rng:
    """Chance for one thing, that depends on nothing but the seed and its name."""
    return np.random.default_rng([seed, *of.encode()])


def _nudged(placed: Placed, moment: Moment) -> Placed:
    right, down, turn = moment.nudges.get(placed.seat, (0.0, 0.0, 0.0))
    middle = (placed.middle_mm[0] + right, placed.middle_mm[1] + down)
    return replace(placed, middle_mm=middle, turn_deg=(placed.turn_deg + turn) % 360)


def _hand(boards: tuple[Placed, ...], tier: Tier, moment: Moment, rng: Rng) -> list[Solid]:
    by_chance = rng.random() < tier.hands
    chosen = boards[int(rng.integers(len(boards)))]
    if moment.hand:
        chosen = next(placed for placed in boards if placed.seat == moment.hand)
    wanted = by_chance if moment.hand is None else moment.hand > 0
    return clutter.hand(chosen.corners_mm, rng) if wanted else []


def _pieces_in_cells(
    stage: Stage, layout: Layout, art: Art, surfaces: tuple[Placed, ...], sloppy: tuple[float, float], seed: int
) -> Iterator[Solid]:
    for placed in surfaces:
        for name, kind in (stage.boards[placed.seat] if placed.seat else stage.shared).items():
            cell = layout.cell(name)
            if cell.surface == placed.surface:
                rng = _rng(seed, f"{placed.seat} {name}")
                yield _in_cell(layout, cell, kind, placed, art, sloppy, rng)


def _loose_pieces(
    stage: Stage,
    layout: Layout,
    art: Art,
    boards: tuple[Placed, ...],
    discs: tuple[tuple[float, float], ...],
    seed: int,
) -> Iterator[Solid]:
    """What lies on discs, in the middle and beside boards."""
    heaps: list[tuple[str, tuple[str, ...], NDArray[np.float64], float, float]] = []
    for i, (middle, kinds) in enumerate(zip(discs, stage.discs, strict=True)):
        disc = layout.piece("disc")
        heaps.append((f"tiles of disc {i}", kinds, np.array(middle), disc.size_mm * 0.23, disc.height_mm))
    heaps.append(("centre", stage.centre, np.zeros(2), 46.0, 0.0))
    for placed in boards:
        if placed.surface == _own(layout)[0].name:
            middle = placed.to_world(np.array([[placed.size_mm[0] + 85.0, placed.size_mm[1] * 0.6]]))[0]
            heaps.append((f"beside {placed.seat}", stage.beside.get(placed.seat, ()), middle, 50.0, 0.0))
    for name, kinds, middle_mm, spread_mm, base_mm in heaps:
        rng = _rng(seed, name)
        places = _scatter(len(kinds), spread_mm, _tile_size(layout), rng)
        for kind, place in zip(kinds, places, strict=True):
            yield _loose(layout, kind, art, middle_mm + place, base_mm, rng)


def _arrange(
    stage: Stage, layout: Layout, rng: Rng
) -> tuple[tuple[Placed, ...], tuple[Placed, ...], tuple[tuple[float, float], ...]]:
    """Boards around the table facing their owners, discs in a ring in the middle."""
    own, *others = _own(layout)
    common = [surface for surface in layout.surfaces if surface.shared]
    seats = sorted(stage.boards)
    ring = 22.0 + 14.5 * len(stage.discs)
    # Without discs the board that all share has the middle; otherwise it lies in a corner between two seats.
    inner = ring + 52 if stage.discs else max((0.55 * surface.width_mm for surface in common), default=40.0)
    reach = inner + own.height_mm / 2 + sum(0.6 * surface.width_mm for surface in others) + float(rng.uniform(0, 40))
    boards: list[Placed] = []
    for i, seat in enumerate(seats):
        bearing = 180.0 + 360.0 * i / len(seats) + float(rng.normal(0, 4))
        stretch = 1.12 if abs(np.sin(np.radians(bearing))) > 0.7 else 1.0
        middle = _towards(bearing, reach * stretch) + rng.normal(0, 12, 2)
        turn = (bearing - 180.0 + float(rng.normal(0, 4))) % 360
        boards.append(_placed(seat, own, middle, turn))
        for surface in others:
            # What else belongs to a player lies at the right hand of the board.
            beside = np.array([[own.width_mm + surface.width_mm / 2 + 12, own.height_mm / 2]])
            boards.append(_placed(seat, surface, boards[-1].to_world(beside)[0], turn))
    start = float(rng.uniform(0, 360))
    discs = []
    for i in range(len(stage.discs)):
        bearing = start + 360.0 * i / len(stage.discs) + float(rng.normal(0, 2))
        x, y = _towards(bearing, ring + float(rng.normal(0, 5)))
        discs.append((float(x), float(y)))
    corner = 180.0 - 180.0 / len(seats)
    spot = _towards(corner, reach * (1.3 if len(seats) > 2 else 1.0)) if stage.discs else np.zeros(2)
    shared = tuple(_placed(0, surface, spot, float(rng.normal(0, 5)) % 360) for surface in common)
    return tuple(boards), shared, tuple(discs)


def _placed(seat: int, surface: Surface, middle: NDArray[np.float64], turn_deg: float) -> Placed:
    size = (surface.width_mm, surface.height_mm)
    return Placed(seat, surface.name, size, (float(middle[0]), float(middle[1])), turn_deg)


def _towards(bearing_deg: float, distance_mm: float) -> NDArray[np.float64]:
    bearing = np.radians(bearing_deg)
    return np.array([np.sin(bearing), -np.cos(bearing)]) * distance_mm


def _own(layout: Layout) -> list[Surface]:
    return [surface for surface in layout.surfaces if not surface.shared]


def _aim(boards: tuple[Placed, ...], shared: tuple[Placed, ...], tier: Tier, rng: Rng) -> Lens:
    """A camera that has everything in view, as near as it can be."""
    width, height = tier.size_px
    field = np.radians(rng.uniform(*tier.field_deg))
    focal = width / 2 / np.tan(field / 2)
    elevation = np.radians(rng.uniform(*tier.elevation_deg))
    around = np.radians(rng.normal(0, 14))
    wanted = [placed for placed in boards if placed.seat == boards[0].seat] if tier.one_board else [*boards, *shared]
    points = np.vstack([lifted(placed.corners_mm, 0.0) for placed in wanted])
    target = points.mean(axis=0)
    towards = np.array([np.sin(around) * np.cos(elevation), np.cos(around) * np.cos(elevation), np.sin(elevation)])
    margin = float(rng.uniform(0.02, 0.07))
    roll, bend = float(rng.normal(0, 2)), float(rng.normal(-0.01, 0.03))
    low, high = 150.0, 6000.0
    for _ in range(24):
        distance = (low + high) / 2
        eye = target + towards * distance
        lens = Lens(width, height, float(focal), _triple(eye), _triple(target), roll, bend)
        low, high = (low, distance) if _in_view(lens, points, margin) else (distance, high)
    eye = target + towards * high
    return Lens(width, height, float(focal), _triple(eye), _triple(target), roll, bend)


def _triple(point: Points) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def _in_view(lens: Lens, points: Points, margin: float) -> bool:
    if (lens.depth_mm(points) < 50).any():
        return False
    seen = lens.photograph(points) / (lens.width_px, lens.height_px)
    return bool((seen > margin).all() and (seen < 1 - margin).all())


def _lighting(tier: Tier, factor: float, rng: Rng) -> Lighting:
    """One to three lamps, warm or cold, and the light of the room."""
    count = int(rng.integers(1, 4))
    brightness = float(rng.uniform(*tier.brightness)) * factor
    shares = rng.dirichlet(np.full(count, 1.5)) * float(rng.uniform(0.45, 0.8))
    lamps = []
    for share in shares:
        warmth = float(np.clip(rng.uniform(*tier.warmth) + rng.normal(0, 0.1), 0, 1))
        bearing, window = rng.uniform(0, 2 * np.pi), rng.random() < 0.4
        height = float(rng.uniform(700, 1500) if window else rng.uniform(600, 2000))
        away = float(rng.uniform(900, 2200) if window else rng.uniform(0, 1100))
        size = float(rng.uniform(500, 1400) if window else rng.uniform(60, 400))
        place = (float(np.sin(bearing) * away), float(np.cos(bearing) * away), height)
        lamps.append(Lamp(place, size, _tint(warmth, brightness * float(share) * (1.6 if window else 1.0))))
    ambient = _tint(float(rng.uniform(*tier.warmth)), brightness * float(rng.uniform(0.3, 0.5)))
    return Lighting(tuple(lamps), ambient)


def _tint(warmth: float, strength: float) -> tuple[float, float, float]:
    blue, red = 1.12 - 0.5 * warmth, 0.92 + 0.28 * warmth
    return blue * strength, strength, red * strength


def _board_solid(placed: Placed, side: str, layout: Layout, art: Art, gloss: float) -> Solid:
    surface = layout.surface(placed.surface)
    edge = np.array([0.30, 0.36, 0.42], np.float32)
    corners = placed.corners_mm
    return Solid(corners, 0.0, surface.thickness_mm, edge, art.board(placed.surface, side), corners, gloss)


def _in_cell(
    layout: Layout, cell: Cell, kind: str, placed: Placed, art: Art, sloppy: tuple[float, float], rng: Rng
) -> Solid:
    kind, _, turned = kind.partition("@")
    piece = layout.piece(kind if kind in _names(layout) else layout.zone(cell.zone).piece)
    # What others lie on is laid with more care than they are.
    care = 0.25 if piece.height_mm < LOW_MM else 1.0
    place = np.array([cell.x_mm, cell.y_mm]) + np.clip(rng.normal(0, sloppy[0] * care, 2), -3.5, 3.5)
    turn = placed.turn_deg + cell.turn_deg + float(turned or 0)
    turn += float(np.clip(rng.normal(0, sloppy[1] * care), -18, 18))
    return _piece_solid(
        piece, kind, art, placed.to_world(place[None])[0], turn, cell.base_mm, float(rng.uniform(0.08, 0.4)), rng
    )


def _loose(layout: Layout, kind: str, art: Art, place: NDArray[np.float64], base_mm: float, rng: Rng) -> Solid:
    piece = layout.piece(kind if kind in _names(layout) else "tile")
    return _piece_solid(
        piece, kind, art, place, float(rng.uniform(0, 360)), base_mm, float(rng.uniform(0.08, 0.4)), rng
    )


def _piece_solid(
    piece: Piece,
    kind: str,
    art: Art,
    middle_mm: NDArray[np.float64],
    turn_deg: float,
    base_mm: float,
    gloss: float,
    rng: Rng | None = None,
) -> Solid:
    unit = unit_outline(piece.shape) * piece.size_mm
    rotation = _rotation(turn_deg)
    flat = piece.shape == "circle"
    outline = unit if flat else _rounded(unit, piece.size_mm * ROUNDING)
    extent = np.abs(unit).max(axis=0)
    quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * extent
    face = art.face(piece.name, kind)
    lean = (0.0, 0.0) if rng is None else (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.02)))
    return Solid(
        outline @ rotation.T + middle_mm,
        base_mm,
        piece.height_mm,
        face.side,
        face.texture,
        quad @ rotation.T + middle_mm,
        gloss,
        bevel_mm=0.0 if flat else piece.size_mm * 0.045,
        lean=lean,
    )


def _rounded(outline: Outline, by_mm: float) -> Outline:
    """An outline with its corners cut twice, which looks round."""
    before, after = np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0)
    points = []
    for corner, left, right in zip(outline, before, after, strict=True):
        to_left = (left - corner) / np.linalg.norm(left - corner)
        to_right = (right - corner) / np.linalg.norm(right - corner)
        points += [corner + to_left * by_mm, corner + (to_left + to_right) * by_mm * 0.28, corner + to_right * by_mm]
    return np.array(points)


def _scatter(count: int, spread_mm: float, tile_mm: float, rng: Rng) -> list[NDArray[np.float64]]:
    """Places around a middle where tiles do not lie on each other."""
    places: list[NDArray[np.float64]] = []
    spread = spread_mm
    while len(places) < count:
        place = rng.normal(0, 0.6, 2) * spread
        if all(np.linalg.norm(place - other) > tile_mm * 1.18 for other in places):
            places.append(place)
        else:
            spread *= 1.01
    return places


def _tile_size(layout: Layout) -> float:
    return layout.piece("tile").size_mm


def _names(layout: Layout) -> set[str]:
    return {piece.name for piece in layout.pieces}


def _rotation(turn_deg: float) -> NDArray[np.float64]:
    turn = np.radians(turn_deg)
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
