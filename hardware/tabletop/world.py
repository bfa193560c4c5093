"""Setting a table: where boards, discs, tiles, lamps, clutter and the camera are, all drawn from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.layout import Layout
from hardware.tabletop import clutter, materials
from hardware.tabletop.art import Art
from hardware.tabletop.boards import board_solids, rims
from hardware.tabletop.canvas import box_of
from hardware.tabletop.cards import are_cards, around_cards, pile_under
from hardware.tabletop.heaps import LooseHeap, LooseSpot, Room, disc_outlines, heaps_of, rooms
from hardware.tabletop.lens import Points, SimulatedLens
from hardware.tabletop.light import draw_lighting
from hardware.tabletop.pieces import (
    LOW_MM,
    Laid,
    card_solids,
    laid_in_cells,
    loose_pieces,
    owner_dots,
    piece_solid,
    pieces_in_cells,
)
from hardware.tabletop.places import Placed, Rng, arrange, rng_of
from hardware.tabletop.scene import Ground, Scene
from hardware.tabletop.solids import Solid, lifted
from hardware.tabletop.stage import Stage, StageMoment
from hardware.tabletop.tiers import Tier
from hardware.tabletop.tokens import token_outlines, token_spots, tokens

NEAREST_MM = 50.0
"""No camera is nearer to a thing than this."""
ALL_SEEN = 0.7
"""How often a camera that looks at the whole table has the tiles beside boards in view."""
ROOM_MM = 115.0
"""How much around the middle of the room for such tiles no cup stands."""
BULKY_MM = 80.0
"""How much around the middle of clutter no thing of the game stands."""
PROP_TRIES = 6
"""How often a place is sought for a thing of the game that only stands about."""
ROUGHNESS = (0.03, 0.2)
"""From pieces that mirror lamps clearly to those that only shine."""


@dataclass(frozen=True)
class World:
    """A set table."""

    scene: Scene
    boards: tuple[Placed, ...]
    shared: tuple[Placed, ...]
    discs_mm: tuple[tuple[float, float], ...]
    disc_tops_mm: tuple[float, ...]
    """How high the faces of discs are, or of the topmost cards of piles."""
    loose: tuple[Laid, ...]
    """What lies in heaps: on discs and cards, in the middle, beside boards, and in cells that are one heap."""
    raised: tuple[Solid, ...] = ()
    """Those of it that lie on others."""
    tokens: tuple[Laid, ...] = ()
    """What seats have for laps gone."""


def set_table(
    stage: Stage, layout: Layout, art: Art, tier: Tier, seed: int, moment: StageMoment | None = None
) -> World:
    """Put everything down; with the same seed the same things always lie in the same way, whatever else there is."""
    moment = moment or StageMoment()
    rng = rng_of(seed, tier.name)
    set_up, shared, discs = (around_cards if are_cards(layout) else arrange)(stage, layout, rng)
    boards = tuple(placed.nudged(moment) for placed in set_up)
    gloss = float(rng.uniform(*tier.gloss))
    sloppy = float(rng.uniform(*tier.sloppy_mm)), float(rng.uniform(*tier.sloppy_deg))
    # Camera and clutter were there before a board was nudged.
    kept = rooms(layout, set_up, shared, discs, seed)
    seen = kept if not tier.one_board and rng_of(seed, "aim").random() < ALL_SEEN else {}
    lens = _aim(set_up, shared, seen, tier, rng)
    ground, mats = materials.ground(rng, gloss)
    ground = _under_all(ground, kept)
    taken = [(placed.corners_mm.mean(axis=0), 0.75 * max(placed.size_mm)) for placed in (*set_up, *shared)]
    taken += [(room.middle_mm, ROOM_MM) for room in kept.values()]
    # Nobody puts a cup among the factories.
    taken.append((np.zeros(2), 60.0 + max((float(np.linalg.norm(disc_mm)) for disc_mm in discs), default=0.0)))
    count = int(rng.integers(tier.clutter[0], tier.clutter[1] + 1))
    strewn, litter = clutter.strew(count, taken, ground.outline_mm, rng)
    taken += [(solid.outline_mm.mean(axis=0), BULKY_MM) for solid in (*strewn, *litter)]
    strewn += _props(layout, art, taken, ground, seed)
    talls = [solid for solid in strewn if _is_before(solid, lens)]
    lighting = draw_lighting(tier, moment.brightness, lens, rng)
    grain = materials.board_grain(rng_of(seed, "grain"))
    surfaces = tuple(placed for placed in (*boards, *shared) if in_sight(placed, lens))
    flats = [solid for placed in surfaces for solid in board_solids(placed, stage.side, layout, art, gloss, grain)]
    flats += owner_dots(stage, layout, art, surfaces, gloss)
    under, prints = card_solids(stage, layout, art, discs, gloss, seed) if are_cards(layout) else ([], [])
    flats += under
    if (disc := layout.disc) and not are_cards(layout):
        look = art.look(disc.name, rng_of(seed, "look of discs"))
        for i, middle in enumerate(discs):
            turn = float(rng_of(seed, f"disc {i}").uniform(0, 360))
            flats.append(piece_solid(disc, look, art, np.array(middle), turn, 0.0, gloss))
    others = [*disc_outlines(layout, discs), *(room.corners_mm for room in kept.values())]
    spots = token_spots(layout, set_up, shared, others, seed)
    given = list(tokens(stage, layout, art, spots, seed))
    flats += [solid for solid, _ in given]
    heaps = heaps_of(stage, layout, set_up, shared, discs, kept, token_outlines(layout, spots), seed)
    loose = list(loose_pieces((_pushed_along(*heap, set_up, boards) for heap in heaps), layout, art, seed))
    pieces = [*pieces_in_cells(stage, layout, art, surfaces, sloppy, seed), *(solid for solid, _ in loose)]
    pieces = _polished(pieces, rng_of(seed, "polish"))
    talls += _hand(boards, tier, moment, rng)
    low = [piece for piece in pieces if piece.height_mm < LOW_MM]
    standing = [piece for piece in pieces if piece.height_mm >= LOW_MM]
    standing += [bar for placed in surfaces for bar in rims(placed, layout)]
    scene = Scene(lens, lighting, ground, [*mats, *litter, *flats, *low], standing, talls)
    raised = tuple(solid for solid, laid in loose if laid.on_other)
    tokens_laid = tuple(laid for _, laid in given)
    lying = (*(laid for _, laid in loose), *prints, *laid_in_cells(stage, layout, surfaces))
    tops = tuple(layout.disc.height_mm * (1 + pile_under(stage, i)) if layout.disc else 0.0 for i in range(len(discs)))
    return World(scene, boards, shared, discs, tops, lying, raised, tokens_laid)


def _under_all(ground: Ground, kept: dict[int, Room]) -> Ground:
    """A table that is large enough for the tiles beside boards."""
    corners = np.vstack([np.zeros((1, 2)), *(room.corners_mm for room in kept.values())])
    outline = ground.outline_mm.astype(np.float32)
    while min(cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=True) for x, y in corners) < 0:
        outline = outline * np.float32(1.03)
    return replace(ground, outline_mm=outline.astype(np.float64)) if kept else ground


def _pushed_along(
    heap: LooseHeap, spots: list[LooseSpot], set_up: tuple[Placed, ...], boards: tuple[Placed, ...]
) -> tuple[LooseHeap, list[LooseSpot]]:
    """A heap beside a board that was nudged goes with it."""
    pairs = zip(set_up, boards, strict=True)
    moved = [np.subtract(now.middle_mm, was.middle_mm) for was, now in pairs if heap.seat and now.seat == heap.seat]
    return heap, [replace(spot, place_mm=spot.place_mm + moved[0]) for spot in spots] if moved else spots


def _props(layout: Layout, art: Art, taken: list[clutter.Spot], ground: Ground, seed: int) -> list[Solid]:
    """What else belongs to the game and stands about; now and then it is out of sight."""
    found = []
    for prop in layout.props:
        rng = rng_of(seed, f"prop {prop.name}")
        spots = rng.uniform(-0.6, 0.6, (PROP_TRIES, 2)) * np.abs(ground.outline_mm).max(axis=0)
        free = [at for at in spots if all(np.linalg.norm(at - other) > room + prop.size_mm for other, room in taken)]
        found += [piece_solid(prop, prop.name, art, at, float(rng.uniform(0, 360)), 0.0, 0.2) for at in free[:1]]
    return found


def _is_before(solid: Solid, lens: SimulatedLens) -> bool:
    """Whether a thing is all before the camera: nobody takes a photograph from behind a bottle."""
    ends = [lifted(solid.outline_mm, height) for height in (solid.base_mm, solid.top_mm)]
    return bool(lens.depth_mm(np.vstack(ends)).min() > NEAREST_MM)


def _polished(pieces: list[Solid], rng: Rng) -> list[Solid]:
    """The pieces of one game are all as glossy as each other, more or less."""
    shine, roughness = float(np.exp(rng.normal(0.4, 0.5))), float(np.exp(rng.uniform(*np.log(ROUGHNESS))))
    return [replace(piece, gloss=piece.gloss * shine, roughness=roughness) for piece in pieces]


def _hand(boards: tuple[Placed, ...], tier: Tier, moment: StageMoment, rng: Rng) -> list[Solid]:
    by_chance = rng.random() < tier.hands
    chosen = boards[int(rng.integers(len(boards)))]
    if moment.hand:
        chosen = next(placed for placed in boards if placed.seat == moment.hand)
    wanted = by_chance if moment.hand is None else moment.hand > 0
    if not wanted:
        return []
    # Where no hand takes, none is drawn for: what follows from a seed stays as it was.
    takes = tier.taking > 0 and rng.random() < tier.taking
    return (clutter.taking_hand if takes else clutter.hand)(chosen.corners_mm, rng)


def _aim(
    boards: tuple[Placed, ...], shared: tuple[Placed, ...], kept: dict[int, Room], tier: Tier, rng: Rng
) -> SimulatedLens:
    """A camera that has everything in view, as near as it can be."""
    width, height = tier.size_px
    field = np.radians(rng.uniform(*tier.field_deg))
    focal = width / 2 / np.tan(field / 2)
    elevation = np.radians(rng.uniform(*tier.elevation_deg))
    around = np.radians(rng.normal(0, 14))
    wanted = [*boards, *shared]
    if tier.one_board:
        wanted = [*shared] if tier.of_all and shared else [each for each in boards if each.seat == boards[0].seat]
    corners = [*(placed.corners_mm for placed in wanted), *(room.nearer_mm for room in kept.values())]
    points = np.vstack([lifted(outline, 0.0) for outline in corners])
    target = points.mean(axis=0)
    towards = np.array([np.sin(around) * np.cos(elevation), np.cos(around) * np.cos(elevation), np.sin(elevation)])
    margin = float(rng.uniform(0.02, 0.07))
    roll, bend = float(rng.normal(0, 2)), float(rng.normal(-0.01, 0.03))
    lens = SimulatedLens(width, height, float(focal), _triple(target + towards), _triple(target), roll, bend)
    return replace(lens, eye_mm=_triple(target + towards * _nearest(lens, points, margin)))


def _nearest(lens: SimulatedLens, points_mm: Points, margin: float) -> float:
    """How far from its target a camera that looks so has all points in view, none in the margin."""
    # Going back moves all points away from the camera and turns none, so they are turned only once.
    seen = lens.seen_mm(points_mm) - (0.0, 0.0, 1.0)
    size = np.array([lens.width_px, lens.height_px])
    low, high = 150.0, 6000.0
    for _ in range(24):
        distance = (low + high) / 2
        away = seen[:, 2:] + distance
        share = lens.distort(seen[:, :2] / away * lens.focal_px + (size - 1) / 2) / size
        fits = away.min() >= NEAREST_MM and share.min() > margin and share.max() < 1 - margin
        low, high = (low, distance) if fits else (distance, high)
    return high


def in_sight(placed: Placed, lens: SimulatedLens) -> bool:
    """Whether a surface, or what stands on it or falls from it as a shadow, may be in the picture."""
    corners = lifted(placed.corners_mm, 0.0)
    behind = lens.depth_mm(corners).min() < NEAREST_MM
    shape = (lens.height_px, lens.width_px)
    return bool(behind) or box_of(lens.project(corners), shape, margin=lens.width_px // 8) is not None


def _triple(point: Points) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])
