"""One call from a position to a photograph and its truth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell, Layout
from hardware.tabletop.art import Art
from hardware.tabletop.finish import Film, develop, draw_film, encode
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.pieces import Laid
from hardware.tabletop.places import Placed
from hardware.tabletop.scene import Scene, render
from hardware.tabletop.solids import Solid, lifted
from hardware.tabletop.stage import Stage, StageMoment
from hardware.tabletop.tiers import Tier
from hardware.tabletop.world import World, in_sight, set_table

COVERED = 0.4
"""A cell of which more than this share cannot be seen is no fair question."""


@dataclass(frozen=True, slots=True)
class LoosePiece:
    """A loose piece, and the pixel of the middle of its top."""

    laid: Laid
    middle_px: tuple[float, float]
    covered: bool
    """Whether that pixel is out of the picture, behind something or under another piece."""


@dataclass(frozen=True, slots=True)
class SurfaceTruth:
    """Where a surface and its cells are."""

    corners_px: NDArray[np.float64]
    """Top left, top right, bottom right, bottom left as its owner sees it."""
    cells_px: dict[str, tuple[float, float]]
    """The middle of every cell's print."""
    covered: tuple[str, ...]
    """The cells that cannot be seen well enough."""


@dataclass(frozen=True)
class Truth:
    """Where things are in the photograph."""

    lens: SimulatedLens
    surfaces: dict[tuple[int, str], SurfaceTruth]
    """By seat, 0 for what belongs to all, and name; of each seat its board comes first."""
    discs_px: tuple[tuple[float, float], ...]
    loose: tuple[LoosePiece, ...] = ()
    """What lies free: on discs, in the middle, beside boards."""
    tokens: tuple[LoosePiece, ...] = ()
    """What seats have for laps gone on a track (`token 1`)."""

    @cached_property
    def corners_px(self) -> dict[int, NDArray[np.float64]]:
        """For each seat the corners of its board."""
        found: dict[int, NDArray[np.float64]] = {}
        for (seat, _), surface in self.surfaces.items():
            if seat:
                found.setdefault(seat, surface.corners_px)
        return found

    @cached_property
    def cells_px(self) -> dict[int, dict[str, tuple[float, float]]]:
        """For each seat the middle of every cell's print, on all of its surfaces."""
        found: dict[int, dict[str, tuple[float, float]]] = {}
        for (seat, _), surface in self.surfaces.items():
            found[seat] = found.get(seat, {}) | surface.cells_px
        return found

    @cached_property
    def covered(self) -> dict[int, tuple[str, ...]]:
        """For each seat the cells that cannot be seen well enough, on all of its surfaces."""
        found: dict[int, tuple[str, ...]] = {}
        for (seat, _), surface in self.surfaces.items():
            found[seat] = found.get(seat, ()) + surface.covered
        return found


@dataclass(frozen=True)
class Photograph:
    """A picture (height, width, 3) uint8, blue first, as the camera's file has it, with what it shows."""

    picture: NDArray[np.uint8]
    film: Film
    truth: Truth

    @cached_property
    def jpeg(self) -> bytes:
        """The file."""
        return encode(self.picture, self.film)


def photograph(
    stage: Stage, layout: Layout, art: Art, tier: Tier, seed: int, moment: StageMoment | None = None, frame: int = 0
) -> Photograph:
    """A photograph of a position; the same seed gives the same bytes, and frames of one seed differ in their noise."""
    world = set_table(stage, layout, art, tier, seed, moment)
    film = draw_film(tier, np.random.default_rng([seed, 1]))
    noise = np.random.default_rng([seed, 2, frame])
    picture = develop(render(world.scene), world.scene.lens, film, noise)
    return Photograph(picture, film, truth_of(world, layout))


def truth_of(world: World, layout: Layout) -> Truth:
    """What a set table shows, and where."""
    lens = world.scene.lens
    hidden = _silhouettes(world.scene)
    placed = (*world.boards, *world.shared)
    by_name = {name: [cell for cell in layout if cell.surface == name] for name in {each.surface for each in placed}}
    surfaces = {
        (each.seat, each.surface): _surface(each, by_name[each.surface], layout, lens, hidden) for each in placed
    }
    discs = np.array(world.discs_mm, float).reshape(-1, 2)
    seen = lens.photograph(np.column_stack([discs, world.disc_tops_mm])) if len(discs) else discs
    loose = _loose(world.loose, world.raised, lens, hidden)
    tokens = _loose(world.tokens, world.raised, lens, hidden)
    return Truth(lens, surfaces, tuple((float(x), float(y)) for x, y in seen), loose, tokens)


def _surface(
    placed: Placed, cells: list[Cell], layout: Layout, lens: SimulatedLens, hidden: NDArray[np.uint8]
) -> SurfaceTruth:
    corners = lens.photograph(lifted(placed.corners_mm, layout.surface(placed.surface).thickness_mm))
    shares = _hidden_shares(cells, placed, lens, hidden)
    covered = tuple(cell.name for cell, share in zip(cells, shares, strict=True) if share > COVERED)
    return SurfaceTruth(corners, _middles(cells, placed, lens), covered)


def _loose(
    pieces: tuple[Laid, ...], raised: tuple[Solid, ...], lens: SimulatedLens, hidden: NDArray[np.uint8]
) -> tuple[LoosePiece, ...]:
    tops = np.array([[*laid.middle_mm, laid.top_mm] for laid in pieces]).reshape(-1, 3)
    pixels = lens.project(tops)
    unseen = _unseen(pixels, lens, hidden)
    for solid in raised:
        hull = cv2.convexHull(_both_ends(solid, lens).astype(np.float32))
        under = tops[:, 2] < solid.top_mm - solid.height_mm / 2
        within = [cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=False) >= 0 for x, y in pixels]
        unseen |= under & np.array(within, bool)
    return tuple(
        LoosePiece(laid, (float(x), float(y)), bool(covered))
        for laid, (x, y), covered in zip(pieces, lens.distort(pixels), unseen, strict=True)
    )


def _middles(cells: list[Cell], placed: Placed, lens: SimulatedLens) -> dict[str, tuple[float, float]]:
    places = placed.to_world(np.array([[cell.x_mm, cell.y_mm] for cell in cells]))
    points = np.column_stack([places, [cell.base_mm for cell in cells]])
    return {cell.name: (float(x), float(y)) for cell, (x, y) in zip(cells, lens.photograph(points), strict=True)}


def _silhouettes(scene: Scene) -> NDArray[np.uint8]:
    """Everything that stands high, white on black, in the pinhole picture."""
    mask = np.zeros((scene.lens.height_px, scene.lens.width_px), np.uint8)
    for tall in scene.talls:
        hull = cv2.convexHull(_both_ends(tall, scene.lens).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
    return mask


def _both_ends(solid: Solid, lens: SimulatedLens) -> NDArray[np.float64]:
    ends = [lifted(solid.outline_mm, solid.base_mm), lifted(solid.outline_mm, solid.top_mm)]
    return lens.project(np.vstack(ends))


def _hidden_shares(
    cells: list[Cell], placed: Placed, lens: SimulatedLens, hidden: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """How much of each cell is out of the picture or behind something, by a grid of points in it."""
    if not in_sight(placed, lens):
        return np.ones(len(cells))
    steps = np.linspace(-0.42, 0.42, 5)
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    middles = np.array([[cell.x_mm, cell.y_mm] for cell in cells])
    sizes = np.array([cell.size_mm for cell in cells])
    places = placed.to_world((middles[:, None] + grid * sizes[:, None, None]).reshape(-1, 2))
    heights = np.repeat([cell.base_mm for cell in cells], len(grid))
    pixels = lens.project(np.column_stack([places, heights]))
    return np.asarray(_unseen(pixels, lens, hidden).reshape(len(cells), -1).mean(axis=1))


def _unseen(pixels: NDArray[np.float64], lens: SimulatedLens, hidden: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pixels of the pinhole picture are out of the photograph or behind something."""
    photo = lens.distort(pixels)
    inside = ((photo >= 0) & (photo < (lens.width_px, lens.height_px))).all(axis=1)
    x, y = np.clip(np.round(pixels).astype(int), 0, (lens.width_px - 1, lens.height_px - 1)).T
    return np.asarray(~inside | (hidden[y, x] > 0))
