"""Where loose pieces lie: on discs, in the middle of the table, and beside boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist, inf

import numpy as np
from numpy.typing import NDArray

from engine.layout import PRINT, Layout, Piece
from hardware.tabletop.canvas import Outline
from hardware.tabletop.cards import LyingCard, lying_cards, places_on, tiles_on
from hardware.tabletop.outlines import are_apart, grown, outline_at, rotation
from hardware.tabletop.places import Placed, Rng, own_surfaces, rng_of
from hardware.tabletop.stage import Stage

CENTRE = "centre"
"""The heap that lies free in the middle of the table."""
APART = 1.18
"""How far apart, in sizes of a tile, loose ones lie that do not touch, where a circle tells whether they do."""
ON_DISC = 0.42
"""How far from a disc's middle those of its tiles lie, in its size: beyond it nobody could tell whose they are."""
OVER_DISC_MM = 7.0
"""How far tiles that are no squares reach over the rim of their disc."""
CROWDED = 4.0
"""Where a heap had to spread so many times as far to find a place, any place will do."""
TOUCHING = 0.3
"""How often a loose tile is put to the side of another."""
STACKED = 0.05
"""How often a loose tile that is no square is laid on another."""
ON_RIM = 0.12
"""How often a tile beside a board lies half on its rim."""
LEAN = 0.07
"""How far a tile leans that lies on another or on a rim (standard deviation, as the slope of its top)."""
MARGIN_MM = 8.0
"""What loose tiles keep clear around boards, so that nothing lies on them when one is nudged."""
CIRCLES = ("square", "circle")
"""Shapes for which a circle of their size tells well enough whether two of them touch."""
SIDES = ((0.0, 1.0, 0.42), (1.0, 0.0, 0.33), (-1.0, 0.0, 0.15), (0.0, -1.0, 0.1))
"""The sides of a board as its owner sees it: which way they look, and how often tiles are kept there."""
BOX = (8.5, 4.4)
"""How much room is kept for tiles beside a board, along it and away from it, in sizes of a tile."""
STREWN_ON_CARD = 0.2
"""How often tiles on a card lie anyhow, and not in its places."""
STREWN, IN_ROWS = 0.45, 0.3
"""How often tiles beside a board are strewn, and how often they are in rows; otherwise they lie by kinds."""
ROW = 7
"""How many tiles are in a row."""


@dataclass(frozen=True, slots=True)
class LooseSpot:
    """Where a loose piece lies, on the table or on what is under it."""

    place_mm: NDArray[np.float64]
    turn_deg: float
    base_mm: float = 0.0
    on: int | None = None
    """The number in its heap of the tile that it lies on."""
    lean: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """A place beside a board that is kept for loose tiles: its middle, and the direction away from the board."""

    seat: int
    middle_mm: NDArray[np.float64]
    away_deg: float
    size_mm: tuple[float, float]
    """Along the board and away from it."""
    on_rim: bool
    """Whether the first of the tiles lies half on the board's rim."""
    is_free: bool
    """Whether nothing else lies there."""

    def to_world(self, along_mm: float, away_mm: float) -> NDArray[np.float64]:
        """A place in it, from its middle on."""
        return np.asarray(rotation(self.away_deg) @ (along_mm, away_mm) + self.middle_mm)

    @property
    def corners_mm(self) -> Outline:
        """Its outline, clockwise."""
        return self._box(self.size_mm[0] / 2, self.size_mm[1] / 2)

    @property
    def nearer_mm(self) -> Outline:
        """The outline of the part that is nearer to the board, where the first tiles lie."""
        return self._box(self.size_mm[0] / 4, self.size_mm[1] / 10)

    def _box(self, along_mm: float, farthest_mm: float) -> Outline:
        near_mm = -self.size_mm[1] / 2
        corners = ((-along_mm, near_mm), (along_mm, near_mm), (along_mm, farthest_mm), (-along_mm, farthest_mm))
        return np.stack([self.to_world(*corner) for corner in corners])


@dataclass(frozen=True, slots=True)
class LooseHeap:
    """Tiles that lie together; "" is a place that was left."""

    name: str
    kinds: tuple[str, ...]
    middle_mm: NDArray[np.float64]
    spread_mm: float
    base_mm: float
    others_mm: Sequence[tuple[float, float]] = ()
    """The middles of things that it does not lie on,"""
    room_mm: float = 0.0
    """which take up so much around them."""
    within_mm: float = inf
    """How far from its middle its tiles lie, as long as there is room; where outlines are compared, all of each."""
    seat: int = 0
    """The seat beside whose board it lies."""
    walls: Sequence[Outline] = ()
    """The outlines of other things that it does not lie on."""


def rooms(
    layout: Layout, boards: Sequence[Placed], shared: Sequence[Placed], discs: Sequence[tuple[float, float]], seed: int
) -> dict[int, Room]:
    """The place of each seat's loose tiles, beside its board; none where no seat has any."""
    if not any(heap.each for heap in layout.heaps):
        return {}
    own, found = own_surfaces(layout)[0].name, dict[int, Room]()
    for placed in boards:
        if placed.surface == own:
            others = [other.corners_mm for other in (*boards, *shared) if other is not placed]
            others += [room.corners_mm for room in found.values()]
            others += disc_outlines(layout, discs)
            found[placed.seat] = _room(placed, layout.tile.size_mm, others, rng_of(seed, f"room {placed.seat}"))
    return found


def disc_outlines(layout: Layout, discs: Sequence[tuple[float, float]]) -> list[Outline]:
    """The outlines of the discs at these places."""
    disc = layout.disc
    return [outline_at(disc.shape, disc.size_mm, np.array(middle), 0.0) for middle in discs] if disc else []


def _room(placed: Placed, tile_mm: float, others: list[Outline], rng: Rng) -> Room:
    """The side of a board where its owner keeps tiles, one that is free if any is."""
    order = rng.choice(len(SIDES), len(SIDES), replace=False, p=[chance for _, _, chance in SIDES])
    gap_mm, slide, on_rim = float(rng.uniform(0, 18)), float(rng.uniform(-0.25, 0.25)), bool(rng.random() < ON_RIM)
    size = (BOX[0] * tile_mm, BOX[1] * tile_mm)
    found: list[Room] = []
    for right, down, _ in (SIDES[i] for i in order):
        half = np.array(placed.size_mm) / 2
        away = np.array([right, down])
        middle = half + away * (half + MARGIN_MM + gap_mm + size[1] / 2) + away[::-1] * half * slide
        bearing = placed.turn_deg + float(np.degrees(np.arctan2(-right, down)))
        room = Room(placed.seat, placed.to_world(middle[None])[0], bearing, size, on_rim, is_free=True)
        if all(are_apart(room.corners_mm, other) for other in others):
            return room
        found.append(room)
    return replace(found[0], on_rim=False, is_free=False)


def heaps_of(
    stage: Stage,
    layout: Layout,
    boards: Sequence[Placed],
    shared: Sequence[Placed],
    discs: Sequence[tuple[float, float]],
    kept: dict[int, Room],
    taken: Sequence[Outline],
    seed: int,
) -> Iterator[tuple[LooseHeap, list[LooseSpot]]]:
    """Every heap, and where each of its tiles lies: not where a place is taken.

    The place of a tile depends on its number in its heap alone, or on its number among those of its kind, so that it
    stays when others come and go.
    """
    tile, disc, room_mm = layout.tile, layout.disc, 0.0
    walls = [*(grown(placed.corners_mm, MARGIN_MM) for placed in (*boards, *shared)), *taken]
    if disc and disc.prints:
        for i, card in enumerate(lying_cards(stage, tuple(discs), seed)):
            heap = _on_card(f"disc {i}", tiles_on(stage.discs[i]), card, disc)
            yield heap, _spots_on(heap, card, disc, tile, rng_of(seed, heap.name))
    elif disc and discs:
        reach = tile.size_mm * 0.575 if tile.shape in CIRCLES else _reach_mm(tile) + OVER_DISC_MM
        room_mm = disc.size_mm / 2 + reach
        for i, (middle, kinds) in enumerate(zip(discs, stage.discs, strict=True)):
            spread_mm, within_mm = disc.size_mm * 0.23, disc.size_mm * ON_DISC
            if tile.shape not in CIRCLES:
                within_mm = disc.size_mm / 2 + OVER_DISC_MM
            heap = LooseHeap(f"disc {i}", kinds, np.array(middle), spread_mm, disc.height_mm, within_mm=within_mm)
            yield heap, scatter(heap, tile, rng_of(seed, heap.name))
    centre = LooseHeap(CENTRE, stage.centre, np.zeros(2), 46.0, 0.0, discs, room_mm, walls=walls)
    yield centre, scatter(centre, tile, rng_of(seed, CENTRE))
    own = {placed.seat: placed for placed in reversed(boards)}
    for seat, room in kept.items():
        others = [*walls, *(other.corners_mm for other in kept.values() if other is not room)]
        kinds, spread_mm = stage.beside.get(seat, ()), tile.size_mm * 1.6
        heap = LooseHeap(
            f"beside {seat}", kinds, room.middle_mm, spread_mm, 0.0, discs, room_mm, seat=seat, walls=others
        )
        yield heap, _kept_tiles(heap, room, own[seat], layout, rng_of(seed, heap.name))


def _on_card(name: str, kinds: tuple[str, ...], card: LyingCard, piece: Piece) -> LooseHeap:
    base_mm, within_mm = (card.under + 1) * piece.height_mm, 2.2 * piece.size_mm
    return LooseHeap(name, kinds, np.array(card.middle_mm), piece.size_mm, base_mm, within_mm=within_mm)


def _spots_on(heap: LooseHeap, card: LyingCard, piece: Piece, tile: Piece, rng: Rng) -> list[LooseSpot]:
    """Where tiles lie on a card: mostly one in each of its places."""
    places = card.to_world(places_on(piece))[rng.permutation(7)]
    if rng.random() < STREWN_ON_CARD or len(heap.kinds) > len(places):
        return scatter(heap, tile, rng)
    off, turns = rng.normal(0, rng.uniform(0.5, 2.5), places.shape), rng.integers(6, size=len(places))
    askew = rng.normal(0, rng.uniform(1.0, 10.0), len(places))
    return [
        LooseSpot(place, card.turn_deg + 60.0 * int(turn) + float(more), heap.base_mm)
        for place, turn, more, _ in zip(places + off, turns, askew, heap.kinds, strict=False)
    ]


def _reach_mm(tile: Piece) -> float:
    """How far from its middle a tile reaches."""
    return float(np.linalg.norm(outline_at(tile.shape, tile.size_mm, np.zeros(2), 0.0), axis=1).max())


def _kept_tiles(heap: LooseHeap, room: Room, placed: Placed, layout: Layout, rng: Rng) -> list[LooseSpot]:
    """Where the tiles beside a board lie: strewn, in rows, or by kinds; the first one now and then on the rim."""
    manner = rng.random()
    rim = [spot for spot in [_on_the_rim(room, placed, layout, rng)] if spot] if room.on_rim else []
    tile = layout.tile
    across, along = 2 * np.abs(outline_at(tile.shape, tile.size_mm, np.zeros(2), 0.0)).max(axis=0)
    wide = replace(room, size_mm=(1.1 * along * len(tile.kinds), room.size_mm[1]))
    if manner < STREWN or not room.is_free:
        return scatter(heap, tile, rng, rim)
    if manner < STREWN + IN_ROWS:
        places, turn = _rows(heap.kinds[len(rim) :], across * float(rng.uniform(1.12, 1.35)), along * 1.05), 0.0
    elif all(are_apart(wide.corners_mm, wall) for wall in heap.walls):
        order = [str(kind) for kind in rng.permutation([*tile.kinds])]
        places, turn = _columns(heap.kinds[len(rim) :], order, along * 1.1, across * 1.08), 90.0
        along = across
    else:
        return scatter(heap, tile, rng, rim)
    begin = (2 * _reach_mm(tile) if rim else 0.0) + along / 2 - room.size_mm[1] / 2
    spots = list(rim)
    for right, away in places:
        jitter, askew = rng.normal(0, 0.5, 2), float(np.clip(rng.normal(0, 2), -4, 4))
        spots.append(LooseSpot(room.to_world(right, begin + away) + jitter, room.away_deg + turn + askew))
    return spots[: len(heap.kinds)]


def _rows(kinds: Sequence[str], pitch_mm: float, next_mm: float) -> list[tuple[float, float]]:
    """Places one after the other: along the board, and away from it."""
    places = [divmod(i, ROW) for i in range(len(kinds))]
    return [((number - (ROW - 1) / 2) * pitch_mm, row * next_mm) for row, number in places]


def _columns(kinds: Sequence[str], order: list[str], pitch_mm: float, next_mm: float) -> list[tuple[float, float]]:
    """Places by kinds, those of one kind one behind the other; what is no tile lies after them."""
    places, seen = [], dict[str, int]()
    for kind in kinds:
        column = order.index(kind) if kind in order else len(order)
        places.append(((column - (len(order) - 1) / 2) * pitch_mm, seen.get(kind, 0) * next_mm))
        seen[kind] = seen.get(kind, 0) + 1
    return places


def _on_the_rim(room: Room, placed: Placed, layout: Layout, rng: Rng) -> LooseSpot | None:
    """A place half on the rim of a board where no cell is; None where chance finds none."""
    tile, printed = layout.tile, {zone.name for zone in layout.zones if zone.role == PRINT}
    cells = [cell for cell in layout.cells if cell.surface == placed.surface and cell.zone not in printed]
    taken = [placed.to_world(np.array(cell.outline_mm())) for cell in cells]
    half, top_mm = np.array(placed.size_mm) / 2, layout.surface(placed.surface).thickness_mm
    way = rotation(room.away_deg - placed.turn_deg) @ (0.0, 1.0)
    for _ in range(40):
        along = way[::-1] * half * float(rng.uniform(-0.85, 0.85))
        at = half + way * (half + tile.size_mm * float(rng.uniform(-0.1, 0.25))) + along
        spot = LooseSpot(placed.to_world(at[None])[0], float(rng.uniform(0, 360)), top_mm)
        outline = outline_at(tile.shape, tile.size_mm, spot.place_mm, spot.turn_deg)
        if all(are_apart(outline, other) for other in taken):
            return replace(spot, lean=_lean(rng))
    return None


def _lean(rng: Rng) -> tuple[float, float]:
    return float(rng.normal(0, LEAN)), float(rng.normal(0, LEAN))


def scatter(heap: LooseHeap, tile: Piece, rng: Rng, laid: Sequence[LooseSpot] = ()) -> list[LooseSpot]:
    """Where the tiles of a heap lie; fewer are the first of more.

    Some lie alone; some touch another side by side, as where a handful was pushed there.
    """
    if tile.shape in CIRCLES:
        return [replace(spot, base_mm=heap.base_mm) for spot in _by_circles(heap, tile.size_mm, rng)]
    return _by_outlines(heap, tile, rng, laid)


def _by_circles(heap: LooseHeap, tile_mm: float, rng: Rng) -> list[LooseSpot]:
    spots: list[LooseSpot] = []
    spread = heap.spread_mm
    while len(spots) < len(heap.kinds):
        spot, touched = LooseSpot(rng.normal(0, 0.6, 2) * spread, float(rng.uniform(0, 360))), None
        if spots and rng.random() < TOUCHING:
            touched = spots[int(rng.integers(len(spots)))]
            spot = _beside_square(touched, tile_mm, rng)
        place = heap.middle_mm + spot.place_mm
        is_in = np.linalg.norm(spot.place_mm) < heap.within_mm or spread > CROWDED * heap.spread_mm
        is_free = all(dist(spot.place_mm, other.place_mm) > tile_mm * APART for other in spots if other is not touched)
        if is_in and is_free and all(dist(place, other) > heap.room_mm for other in heap.others_mm):
            spots.append(spot)
        else:
            spread *= 1.01
    return [replace(spot, place_mm=heap.middle_mm + spot.place_mm) for spot in spots]


def _beside_square(other: LooseSpot, tile_mm: float, rng: Rng) -> LooseSpot:
    """A place at one of the sides of a square, shifted along it now and then."""
    away = np.array([tile_mm * float(rng.uniform(1.0, 1.05)), tile_mm * float(rng.normal(0, 0.2))])
    side = other.turn_deg + 90.0 * int(rng.integers(4))
    return LooseSpot(other.place_mm + rotation(side) @ away, other.turn_deg + float(rng.normal(0, 2)))


def _by_outlines(heap: LooseHeap, tile: Piece, rng: Rng, laid: Sequence[LooseSpot]) -> list[LooseSpot]:
    """Places where no outline cuts into another; now and then one lies on another."""
    spots = list(laid)
    outlines = [outline_at(tile.shape, tile.size_mm, spot.place_mm, spot.turn_deg) for spot in spots]
    spread, reach = heap.spread_mm, 2 * _reach_mm(tile)
    while len(spots) < len(heap.kinds):
        spot = _somewhere(heap, tile, spots, outlines, spread, rng)
        outline = outline_at(tile.shape, tile.size_mm, spot.place_mm, spot.turn_deg)
        near = [i for i, other in enumerate(spots) if dist(other.place_mm, spot.place_mm) < reach and i != spot.on]
        farthest = float(np.linalg.norm(outline - heap.middle_mm, axis=1).max())
        is_in = farthest < heap.within_mm or spread > CROWDED * heap.spread_mm
        is_free = all(are_apart(outline, outlines[i]) for i in near)
        is_free = is_free and all(dist(spot.place_mm, other) > heap.room_mm for other in heap.others_mm)
        if is_in and is_free and all(are_apart(outline, wall) for wall in heap.walls):
            spots.append(spot)
            outlines.append(outline)
        else:
            spread *= 1.01
    return spots[: len(heap.kinds)]


def _somewhere(
    heap: LooseHeap, tile: Piece, spots: list[LooseSpot], outlines: list[Outline], spread_mm: float, rng: Rng
) -> LooseSpot:
    """A place by chance: alone, at the side of another tile, or on one that lies on the table itself."""
    turn, chance = float(rng.uniform(0, 360)), rng.random()
    flat = [i for i, spot in enumerate(spots) if spot.on is None and spot.lean is None]
    bare = [i for i in flat if all(spot.on != i for spot in spots)]
    if bare and chance < STACKED:
        under = bare[int(rng.integers(len(bare)))]
        away = rotation(float(rng.uniform(0, 360))) @ (tile.size_mm * float(rng.uniform(0.3, 0.8)), 0.0)
        return LooseSpot(spots[under].place_mm + away, turn, heap.base_mm, under, _lean(rng))
    if flat and chance < STACKED + TOUCHING:
        return _flush(outlines[flat[int(rng.integers(len(flat)))]], tile, heap.base_mm, rng)
    return LooseSpot(heap.middle_mm + rng.normal(0, 0.6, 2) * spread_mm, turn, heap.base_mm)


def _flush(other: Outline, tile: Piece, base_mm: float, rng: Rng) -> LooseSpot:
    """A place where one side of a tile lies against a side of another, shifted along it now and then."""
    side, own = (int(rng.integers(len(other))) for _ in range(2))
    start, end = other[side], other[(side + 1) % len(other)]
    shape = outline_at(tile.shape, tile.size_mm, np.zeros(2), 0.0)
    first, last = shape[own], shape[(own + 1) % len(shape)]
    # Both run clockwise: sides that lie against each other run opposite ways.
    turn = np.degrees(np.arctan2(*(start - end)[::-1]) - np.arctan2(*(last - first)[::-1]))
    along, shift = (end - start) / np.linalg.norm(end - start), float(rng.normal(0, 0.2)) * tile.size_mm
    outwards = np.array([along[1], -along[0]])
    middle = (start + end) / 2 - rotation(float(turn)) @ ((first + last) / 2)
    gap_mm = tile.size_mm * float(rng.uniform(0.002, 0.05))
    return LooseSpot(middle + along * shift + outwards * gap_mm, float(turn) + float(rng.normal(0, 1.0)), base_mm)
