"""Setting a table: where boards, discs, tiles, lamps, clutter and the camera are, all drawn from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.layout import Layout
from hardware.tabletop import clutter, materials
from hardware.tabletop.art import Art
from hardware.tabletop.boards import board_solids, rims
from hardware.tabletop.canvas import box_of
from hardware.tabletop.lens import Points, SimulatedLens
from hardware.tabletop.light import draw_lighting
from hardware.tabletop.pieces import LOW_MM, Laid, loose_pieces, piece_solid, pieces_in_cells
from hardware.tabletop.places import Placed, Rng, arrange, rng_of
from hardware.tabletop.scene import Scene
from hardware.tabletop.solids import Solid, lifted
from hardware.tabletop.stage import Stage, StageMoment
from hardware.tabletop.tiers import Tier

NEAREST_MM = 50.0
"""No camera is nearer to a thing than this."""
ROUGHNESS = (0.03, 0.2)
"""From pieces that mirror lamps clearly to those that only shine."""


@dataclass(frozen=True)
class World:
    """A set table."""

    scene: Scene
    boards: tuple[Placed, ...]
    shared: tuple[Placed, ...]
    discs_mm: tuple[tuple[float, float], ...]
    loose: tuple[Laid, ...]
    """What lies free: on discs, in the middle, beside boards."""


def set_table(
    stage: Stage, layout: Layout, art: Art, tier: Tier, seed: int, moment: StageMoment | None = None
) -> World:
    """Put everything down; with the same seed the same things always lie in the same way, whatever else there is."""
    moment = moment or StageMoment()
    rng = rng_of(seed, tier.name)
    set_up, shared, discs = arrange(stage, layout, rng)
    boards = tuple(placed.nudged(moment) for placed in set_up)
    gloss = float(rng.uniform(*tier.gloss))
    sloppy = float(rng.uniform(*tier.sloppy_mm)), float(rng.uniform(*tier.sloppy_deg))
    # Camera and clutter were there before a board was nudged.
    lens = _aim(set_up, shared, tier, rng)
    ground, mats = materials.ground(rng, gloss)
    taken = [(placed.corners_mm.mean(axis=0), 0.75 * max(placed.size_mm)) for placed in (*set_up, *shared)]
    # Nobody puts a cup among the factories.
    taken.append((np.zeros(2), 60.0 + max((float(np.linalg.norm(disc_mm)) for disc_mm in discs), default=0.0)))
    count = int(rng.integers(tier.clutter[0], tier.clutter[1] + 1))
    strewn, litter = clutter.strew(count, taken, ground.outline_mm, rng)
    talls = [solid for solid in strewn if _is_before(solid, lens)]
    lighting = draw_lighting(tier, moment.brightness, lens, rng)
    grain = materials.board_grain(rng_of(seed, "grain"))
    surfaces = tuple(placed for placed in (*boards, *shared) if in_sight(placed, lens))
    flats = [solid for placed in surfaces for solid in board_solids(placed, stage.side, layout, art, gloss, grain)]
    if disc := layout.disc:
        for i, middle in enumerate(discs):
            turn = float(rng_of(seed, f"disc {i}").uniform(0, 360))
            flats.append(piece_solid(disc, disc.name, art, np.array(middle), turn, 0.0, gloss))
    loose = list(loose_pieces(stage, layout, art, boards, discs, seed))
    pieces = [*pieces_in_cells(stage, layout, art, surfaces, sloppy, seed), *(solid for solid, _ in loose)]
    pieces = _polished(pieces, rng_of(seed, "polish"))
    talls += _hand(boards, tier, moment, rng)
    low = [piece for piece in pieces if piece.height_mm < LOW_MM]
    standing = [piece for piece in pieces if piece.height_mm >= LOW_MM]
    standing += [bar for placed in surfaces for bar in rims(placed, layout)]
    scene = Scene(lens, lighting, ground, [*mats, *litter, *flats, *low], standing, talls)
    return World(scene, boards, shared, discs, tuple(laid for _, laid in loose))


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


def _aim(boards: tuple[Placed, ...], shared: tuple[Placed, ...], tier: Tier, rng: Rng) -> SimulatedLens:
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
