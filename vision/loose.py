"""Reading the tiles that lie free: on discs, in the middle, and beside boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import Layout
from vision.cells import EMPTY, UNSEEN, labels_of
from vision.claims import BESIDE_MM, MIDDLE, NO_SEAT, REACH, claims
from vision.discs import KnownDisc, held, known_disc, put_right
from vision.find import Disc
from vision.network import Floats, Models
from vision.patches import Patch, read_patch
from vision.pose import Array, Pose, inverse, rectangle, transform
from vision.rectify import Pyramid, box_to_mm, disc_height, loose_height, table_scale
from vision.sighting import LooseTile, SeenHeap, softmax

STRIDE = 4
MAYBE_TILE = 0.1
"""What is less likely a tile than this is not mentioned."""
AROUND_DISC = 1.12
"""A tile belongs to a disc if its middle is no farther from the disc's than so many radii."""
RIM = (0.85, 1.45)
"""Between these, in the same, a tile may be the disc's or the middle's, since a disc may be put a little wrong."""
CLOSEST_DISCS = 0.6
"""How near each other the middles of two discs may be, in diameters."""
TRUE_TO_SIZE = (0.4, 3.0)
"""How far off the finder may take a disc's size to be."""
FEWEST_ON_RING = 4
RINGS = (1.6, 7.0)
"""How large the ring of discs is, in radii of a disc."""
RING_SLACK = 0.2
"""How far from the ring a disc of it lies, as a share of the ring's size."""
RING_BAND = (0.55, 1.6)
"""Where other discs may lie, in the same."""
SURE_DISC = 0.95
"""What is less surely a disc may be tiles that lie together beside a board."""
COVERED = 0.8
"""A disc of which something is hidden nearer to its middle than this, in radii, may hold tiles that are not seen."""
LARGEST_PX, LARGEST_TABLE_PX = 1024, 1920
"""The longest side of the view of the middle, and of the whole table: what is farther apart is no one table's."""
SURE_ON_RIM = 0.97
"""What is less surely a tile there may be print."""
RIM_MM = 6.0
"""How far inside a board's edge, at the height of tiles' tops, the middle of a tile may be that lies half on it. On 36
own renderings 96 of 101 heaps beside boards are then right and none is silently wrong; with 10 it is 83, without 93."""
SURELY_NONE = 0.1
"""What is less likely one of the kinds of tiles than this is none."""
LEFT_OUT_MM = 20.0
"""So much less may be viewed around a board: few tiles lie so far off."""
BOX_MM = 10.0
"""So far beyond a part of the table that is known, nothing is looked for where it would only just be wanted."""
EDGE_TILES = 1.2
"""A heap with a tile so near the picture's edge, in tiles, may go on beyond it."""


@dataclass(frozen=True)
class KnownLoose:
    """What a look knew of discs and of what lies free, for the next one to rest on."""

    discs: tuple[KnownDisc, ...] = ()
    patches: tuple[Patch, ...] = ()
    box: Array | None = None
    """The part of the table that was looked at, where it is one."""


@dataclass(frozen=True)
class LooseReading:
    """What lies free on a table."""

    discs: tuple[SeenHeap, ...] = ()
    centre: tuple[LooseTile, ...] | None = None
    """None where the middle is not in view."""
    beside: tuple[SeenHeap, ...] = ()
    """The heap beside each seat's board, where seats have one."""
    known: KnownLoose = field(default_factory=KnownLoose)


def read_loose(
    pyramid: Pyramid,
    table: Pose,
    boards: Sequence[Array],
    seats: Sequence[Array],
    discs: Sequence[Disc],
    layout: Layout,
    white: Floats,
    models: Models,
    known: KnownLoose,
) -> LooseReading:
    """Discs with their tiles, the tiles in the middle, and those beside boards.

    `boards` are the corners in pixels of all surfaces, `seats` those of the seats' first ones, in their order. Nothing
    is told of a middle where heaps lie on no discs: what it is could not be known.
    """
    disc_piece, heap = layout.disc, layout.numbered_heap
    if disc_piece is None or heap is None:
        return LooseReading()
    face, tops = table.at(disc_height(layout)), table.at(loose_height(layout))
    radius = disc_piece.size_mm / 2
    discs = [disc for disc in discs if not on_board(disc.centre_px, boards)]
    standing = _put_right(pyramid, face, discs, radius, known.discs)
    discs = _apart([each.disc for each in standing], boards, face, radius)
    places = _places(discs, face)
    outlines = [transform(inverse(tops), corners) for corners in seats] if layout.seat_heap else []
    box = _box(pyramid, tops, places, radius, outlines, table_scale(layout))
    if box is None:
        return LooseReading()
    box = known.box if known.box is not None and _is_inside(box, known.box) else box
    scale = table_scale(layout)
    to_mm = box_to_mm(box, scale)
    width, height = np.round((box[1] - box[0]) * scale).astype(int).tolist()
    patch = read_patch(
        pyramid,
        tops @ to_mm,
        (width, height),
        white,
        models,
        lambda maps: tiles_in_view(maps, to_mm, tops, layout, models),
        known.patches,
    )
    knows = KnownLoose(tuple(standing), (patch,), box)
    tiles = [tile for tile in patch.pieces if not on_board(tile.place_px, boards) or _is_on_rim(tile, outlines)]
    left_out = [_is_left_out(outline, pyramid, tops, box) for outline in outlines]
    if not discs:
        whose = claims([tile.place_mm for tile in tiles], places, radius, outlines)
        return LooseReading(beside=_beside(tiles, whose, outlines, left_out, pyramid, seats, layout), known=knows)
    away = np.array([np.hypot(*(places - tile.place_mm).T) / radius for tile in tiles]).reshape(-1, len(places))
    cut_off = _are_cut_off(face, places, radius, pyramid, boards)
    nearest = [
        (replace(tile, rims=_rims(each, discs)), int(np.argmin(each)), float(each.min()))
        for tile, each in zip(tiles, away, strict=True)
    ]
    seen = tuple(
        SeenHeap(
            disc.centre_px,
            disc.sure,
            tuple(tile for tile, holder, far in nearest if holder == i and far < AROUND_DISC),
            cut_off[i],
            any(tile.sure > 0.5 and RIM[0] < far < RIM[1] for tile, holder, far in nearest if holder == i),
            heap.name,
        )
        for i, disc in enumerate(discs)
    )
    free = [tile for tile, _, far in nearest if far >= AROUND_DISC]
    is_whole = len(discs) in dict(heap.counts).values()
    whose = claims([tile.place_mm for tile in free], places, radius, outlines, is_whole)
    middle = tuple(tile for tile, heaps in zip(free, whose, strict=True) if heaps[:1] == (MIDDLE,))
    # What looks like a disc with tiles may be tiles beside a board.
    astray = [tile for tile, i, far in nearest if far < AROUND_DISC and (cut_off[i] or discs[i].sure < SURE_DISC)]
    whose += [(NO_SEAT, *heaps) for heaps in claims([tile.place_mm for tile in astray], places[:0], radius, outlines)]
    beside = _beside([*free, *astray], whose, outlines, left_out, pyramid, seats, layout)
    return LooseReading(seen, middle, beside, knows)


def _box(
    pyramid: Pyramid, tops: Array, places: Array, radius: float, outlines: Sequence[Array], scale: float
) -> Array | None:
    """The part of the table that is looked at: the discs, and what is around boards; None where there are neither."""
    corners = [places.min(axis=0) - radius * REACH, places.max(axis=0) + radius * REACH] if len(places) else []
    for outline in outlines:
        corners += [outline.min(axis=0) - BESIDE_MM, outline.max(axis=0) + BESIDE_MM]
    if not corners:
        return None
    box = np.array([np.min(corners, axis=0), np.max(corners, axis=0)])
    if outlines:
        seen = transform(inverse(tops), rectangle(*pyramid.size_px))
        box = np.array([np.maximum(box[0], seen.min(axis=0)), np.minimum(box[1], seen.max(axis=0))])
    most = (LARGEST_TABLE_PX if outlines else LARGEST_PX) / scale
    if ((box[1] - box[0]) > most).any():
        middle = np.median(np.vstack([places, *outlines]), axis=0)
        box = np.clip(box, middle - most / 2, middle + most / 2)
    # The network halves its picture four times.
    box[1] = box[0] + np.ceil((box[1] - box[0]) * scale / 16) * 16 / scale
    return box


def _is_inside(box: Array, known: Array) -> bool:
    """Whether a part of the table is all but in a known one."""
    return bool((box[0] > known[0] - BOX_MM).all() and (box[1] < known[1] + BOX_MM).all())


def _is_left_out(outline: Array, pyramid: Pyramid, tops: Array, box: Array) -> bool:
    """Whether a part of the picture around a board, where its seat's tiles may lie, is not viewed."""
    seen = transform(inverse(tops), rectangle(*pyramid.size_px))
    low = np.maximum(outline.min(axis=0) - BESIDE_MM, seen.min(axis=0))
    high = np.minimum(outline.max(axis=0) + BESIDE_MM, seen.max(axis=0))
    return bool((low < box[0] - LEFT_OUT_MM).any() or (high > box[1] + LEFT_OUT_MM).any())


def _beside(
    tiles: Sequence[LooseTile],
    whose: Sequence[tuple[int, ...]],
    outlines: Sequence[Array],
    left_out: Sequence[bool],
    pyramid: Pyramid,
    seats: Sequence[Array],
    layout: Layout,
) -> tuple[SeenHeap, ...]:
    """The heap of each seat: the tiles that it claims before others do. Of some not all around the board was viewed."""
    heap = layout.seat_heap
    if heap is None:
        return ()
    claimed = list(zip(tiles, whose, strict=True))
    margin = EDGE_TILES * layout.tile.size_mm
    heaps = []
    for i, corners in enumerate(seats):
        own = [tile for tile, told in claimed if told[:1] == (i,) and (heap.marker or not _is_marker(tile, layout))]
        at_edge = any(tile.sure > 0.5 and _is_at_edge(tile, pyramid, margin, outlines[i], corners) for tile in own)
        crowded = any(tile.sure > 0.5 and len(told) > 1 and i in told for tile, told in claimed)
        middle = _pair(corners.mean(axis=0))
        heaps.append(SeenHeap(middle, 1.0, tuple(own), at_edge or left_out[i], crowded, heap.name, i + 1))
    return tuple(heaps)


def _is_on_rim(tile: LooseTile, outlines: Sequence[Array]) -> bool:
    """Whether a tile lies half on a board, and so beside it: in no cell. Print is not to be taken for one."""
    if tile.sure < SURE_ON_RIM:
        return False
    inside = (cv2.pointPolygonTest(outline.astype(np.float32), tile.place_mm, True) for outline in outlines)
    return any(0 <= depth < RIM_MM for depth in inside)


def _is_marker(tile: LooseTile, layout: Layout) -> bool:
    """Whether something is surely no tile: the first player's marker lies beside its owner's tiles, as none of them."""
    return sum(tile.reads.get(kind, 0.0) for kind in layout.tile.kinds) < SURELY_NONE


def _is_at_edge(tile: LooseTile, pyramid: Pyramid, margin_mm: float, outline: Array, corners_px: Array) -> bool:
    """Whether a tile lies so near the edge of the picture that others of its heap may be out of it."""
    px_per_mm = float(np.linalg.norm(corners_px[0] - corners_px[2]) / np.linalg.norm(outline[0] - outline[2]))
    x, y = tile.place_px
    width, height = pyramid.size_px
    return min(x, y, width - x, height - y) < margin_mm * px_per_mm


def _rims(away: Array, discs: Sequence[Disc]) -> tuple[tuple[float, float], ...]:
    """The middles of the discs at whose rims a tile lies, so many radii from each."""
    return tuple(disc.centre_px for disc, far in zip(discs, away, strict=True) if RIM[0] < far < RIM[1])


def _places(discs: Sequence[Disc], face: Array) -> Array:
    """Where discs lie on the table."""
    return transform(inverse(face), np.array([disc.centre_px for disc in discs]).reshape(-1, 2))


def _put_right(
    pyramid: Pyramid, face: Array, discs: Sequence[Disc], radius: float, known: Sequence[KnownDisc]
) -> list[KnownDisc]:
    """The discs, each where its rim is; those that look as they did stay where they were."""
    standing = [held(pyramid, disc, known) for disc in discs]
    moved = [disc for disc, own in zip(discs, standing, strict=True) if own is None]
    middles = transform(face, put_right(pyramid, face, _places(moved, face), radius))
    anew = iter(
        known_disc(pyramid, replace(disc, centre_px=_pair(middle))) for disc, middle in zip(moved, middles, strict=True)
    )
    return [own or next(anew) for own in standing]


def _apart(discs: Sequence[Disc], boards: Sequence[Array], face: Array, radius: float) -> list[Disc]:
    """The discs that are true to size, without those that lie on a board or on a surer disc."""
    kept: list[Disc] = []
    places: list[Array] = []
    for disc in sorted(discs, key=lambda disc: -disc.sure):
        if on_board(disc.centre_px, boards):
            continue
        rim = np.array(disc.centre_px) + disc.radius_px * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
        place, *around = transform(inverse(face), rim)
        right, left, below, above = np.linalg.norm(np.array(around) - place, axis=1)
        # Seen slantwise a disc is as wide as it is, and only looks less high.
        size = min(right + left, below + above) / 2
        if TRUE_TO_SIZE[0] < size / radius < TRUE_TO_SIZE[1] and all(
            np.linalg.norm(place - other) > 2 * CLOSEST_DISCS * radius for other in places
        ):
            kept.append(disc)
            places.append(place)
    return [disc for disc, fits in zip(kept, _on_ring(np.array(places).reshape(-1, 2), radius), strict=True) if fits]


def _on_ring(places: Array, radius: float) -> NDArray[np.bool_]:
    """Which discs lie on the circle that most of them lie on; all do where no four agree on one.

    Discs are laid in a ring: what looks like one in its middle is a heap of tiles, far outside it is something else.
    """
    anywhere = np.ones(len(places), bool)
    if len(places) < FEWEST_ON_RING + 1:
        return anywhere
    middles, sizes = _circles(places[list(combinations(range(len(places)), 3))])
    fit = (sizes > RINGS[0] * radius) & (sizes < RINGS[1] * radius)
    if not fit.any():
        return anywhere
    away = np.linalg.norm(places - middles[fit, None], axis=2) / sizes[fit, None]
    agree = (np.abs(away - 1) < RING_SLACK).sum(axis=1)
    best = away[int(np.argmax(agree))]
    return (best > RING_BAND[0]) & (best < RING_BAND[1]) if agree.max() >= FEWEST_ON_RING else anywhere


def _circles(threes: Array) -> tuple[Array, Array]:
    """The middles and sizes of the circles through three points each, (n, 3, 2), but for those on a line."""
    equations = np.concatenate([2 * threes, np.ones((len(threes), 3, 1))], axis=2)
    proper = np.abs(np.linalg.det(equations)) > 1e-6
    squares = (threes[proper] ** 2).sum(axis=2)[..., None]
    x, y, rest = np.linalg.solve(equations[proper], squares)[..., 0].T
    return np.column_stack([x, y]), np.sqrt(np.maximum(rest + x * x + y * y, 0.0))


def tiles_in_view(maps: Floats, to_mm: Array, tops: Array, layout: Layout, models: Models) -> list[LooseTile]:
    """The pieces that the network's maps mark: their hilltops, by what brings the view to the table's millimetres."""
    sure = 1 / (1 + np.exp(-maps[0] / models.temperatures["loose"]))
    higher = cv2.dilate(sure, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((sure >= higher) & (sure > MAYBE_TILE))
    letters = [i for i in labels_of(layout, models.labels) if models.labels[i] not in (EMPTY, UNSEEN)]
    kinds = [models.labels[i] for i in letters]
    chances = softmax(maps[1:][letters][:, rows, columns].T, models.temperatures["kinds"])
    places = transform(to_mm, STRIDE * np.column_stack([columns, rows]).astype(np.float64))
    return [
        LooseTile(_pair(pixel), _pair(place), float(there), dict(zip(kinds, row, strict=True)))
        for pixel, place, there, row in zip(
            transform(tops, places), places, sure[rows, columns], chances.tolist(), strict=True
        )
    ]


def _pair(point: Array) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def on_board(place_px: tuple[float, float], boards: Sequence[Array]) -> bool:
    """Whether a place in the picture lies on one of these boards."""
    return any(cv2.pointPolygonTest(corners.astype(np.float32), place_px, False) >= 0 for corners in boards)


def _is_under(place: Array, boards: Sequence[Floats], radius: float) -> bool:
    """Whether a disc reaches so far under a board that tiles on it may be hidden."""
    return any(cv2.pointPolygonTest(corners, place.tolist(), True) > -COVERED * radius for corners in boards)


def _are_cut_off(face: Array, places: Array, radius: float, pyramid: Pyramid, boards: Sequence[Array]) -> list[bool]:
    """Whether each disc runs out of the picture, or under a board."""
    bearings = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rims = places[:, None] + COVERED * radius * np.column_stack([np.cos(bearings), np.sin(bearings)])
    seen = pyramid.shows(transform(face, rims.reshape(-1, 2))).reshape(rims.shape[:2])
    outlines = [transform(inverse(face), corners).astype(np.float32) for corners in boards]
    return [not rim.all() or _is_under(place, outlines, radius) for rim, place in zip(seen, places, strict=True)]
