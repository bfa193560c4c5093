"""Painting solids into a picture: their sides, their rounded edges, their tops.

Each has few faces, so those of all solids are shaded and projected together before the first is painted.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline, Picture, Texture, box_of, fill, paint, paint_faces, paint_texture
from hardware.tabletop.lens import Points, SimulatedLens
from hardware.tabletop.light import Lighting
from hardware.tabletop.solids import Colour, Solid, lifted

BEVEL_SHINE = 2.0
"""A rounded edge always mirrors something bright: it is the lightest line of a glossy tile."""
EDGE_ROUGHNESS = 0.06
EDGE_LINE = 0.34
"""How much of the bevel a line of light takes."""
EDGE_STRENGTH = 1.5
THINNEST_PX = 1.5
"""No line is painted thinner than this: one that is gives less light instead."""
TRANSLUCENT = 0.3
"""How much of the light on a side has come through the top: glossy pieces are of resin."""
EDGE_VISIBLE = 0.03
GRAIN_MM = 48.0
GRAIN_SEEN_PX_PER_MM = 2.0
"""Grain is too fine to be seen in pictures that are coarser."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """Solids one after the other: arrays of one row per solid, and of one row per corner of their outlines."""

    owners: NDArray[np.intp]
    """Whose each corner is."""
    following: NDArray[np.intp]
    """The corner after each, around its solid."""
    outline_mm: Outline
    centres_mm: Outline
    tops_mm: NDArray[np.float64]
    heights_mm: NDArray[np.float64]
    bevels_mm: NDArray[np.float64]
    gloss: NDArray[np.float32]
    colours: Colour
    """Of the sides, tinted."""

    @property
    def rim_mm(self) -> Points:
        """Where the tops end: the outlines drawn towards their middles by the bevels."""
        centres = self.centres_mm[self.owners]
        away = self.outline_mm - centres
        kept = np.maximum(1 - self.bevels_mm[self.owners] * 1.3 / np.linalg.norm(away, axis=1), 0.1)
        return np.column_stack([centres + away * kept[:, None], self.tops_mm[self.owners]])

    def ring(self, under_top_mm: NDArray[np.float64]) -> Points:
        """The outlines so far under the tops."""
        return np.column_stack([self.outline_mm, (self.tops_mm - under_top_mm)[self.owners]])


def _joined(solids: list[Solid], tints: Colour) -> _Joined:
    counts = np.array([len(solid.outline_mm) for solid in solids])
    starts = np.cumsum(counts) - counts
    following = np.arange(counts.sum()) + 1
    following[starts + counts - 1] = starts
    outline = np.vstack([solid.outline_mm for solid in solids])
    return _Joined(
        np.repeat(np.arange(len(solids)), counts),
        following,
        outline,
        np.add.reduceat(outline, starts) / counts[:, None],
        np.array([solid.top_mm for solid in solids]),
        np.array([solid.height_mm for solid in solids]),
        np.array([solid.bevel_mm for solid in solids]),
        np.array([solid.gloss for solid in solids], np.float32),
        np.stack([solid.colour for solid in solids]) * tints,
    )


def draw_solids(canvas: Picture, solids: list[Solid], lens: SimulatedLens, lighting: Lighting) -> None:
    """Paint solids one over the other: the sides that look at the camera, the bevel, then the top."""
    if not solids:
        return
    plain = np.ones(3, np.float32)
    tints = np.stack([plain if solid.tint is None else solid.tint for solid in solids])
    joined = _joined(solids, tints)
    points = np.column_stack([joined.centres_mm, joined.tops_mm])
    normals = np.stack([solid.normal for solid in solids])
    shades = lighting.on_faces(points, normals) * tints
    glows = _glows(solids, lens, lighting)
    rim_mm = joined.rim_mm
    tops = np.split(lens.project(rim_mm), np.flatnonzero(np.diff(joined.owners)) + 1)
    owners, corners, colours = _skirts(joined, rim_mm, lens, lighting, shades)
    bounds = np.searchsorted(owners, np.arange(len(solids) + 1))
    outlines = lens.project(corners.reshape(-1, 3)).reshape(-1, 4, 2)
    for i, solid in enumerate(solids):
        part = slice(bounds[i], bounds[i + 1])
        paint_faces(canvas, outlines[part], colours[part])
        _draw_top(canvas, solid, lens, tops[i], shades[i], glows[i])


def _glows(solids: list[Solid], lens: SimulatedLens, lighting: Lighting) -> NDArray[np.float32]:
    """What each top mirrors at its corners, (n, 4, 3): a lamp may end in the midst of a tile."""
    corners = np.stack([solid.corners_mm for solid in solids])
    heights = np.array([solid.top_mm for solid in solids])
    points = np.dstack([corners, np.broadcast_to(heights[:, None], corners.shape[:2])]).reshape(-1, 3)
    normals = np.repeat(np.stack([solid.normal for solid in solids]), 4, axis=0)
    roughness = np.repeat([solid.roughness for solid in solids], 4)
    gloss = np.repeat(np.array([solid.gloss for solid in solids], np.float32), 4)
    glows = lighting.mirrored(points, np.asarray(lens.eye_mm), normals, roughness) * gloss[:, None]
    return np.asarray(glows.reshape(-1, 4, 3), np.float32)


def _draw_top(canvas: Picture, solid: Solid, lens: SimulatedLens, face: Outline, shade: Colour, glow: Colour) -> None:
    if solid.texture is not None and solid.quad_mm is not None:
        paint_texture(canvas, face, solid.texture, lens.project(lifted(solid.quad_mm, solid.top_mm)), shade, glow)
    else:
        paint(canvas, face, solid.colour * shade + glow.mean(axis=0))
    if solid.grain is not None:
        _roughen(canvas, solid, face, lens, solid.grain)


@dataclass(frozen=True, slots=True)
class _Skirt:
    """Faces between two outlines that look at the camera: whose, corners (n, 4, 3) from low to high, and normals."""

    owners: NDArray[np.intp]
    corners_mm: Points
    middles_mm: Points
    normals: Points


def _skirts(
    joined: _Joined, rim_mm: Points, lens: SimulatedLens, lighting: Lighting, top_shades: Colour
) -> tuple[NDArray[np.intp], Points, Colour]:
    """All faces around the tops, in the order of painting: whose each is, its corners and its colour."""
    waist = joined.ring(joined.bevels_mm)
    sides = _skirt(joined, joined.ring(joined.heights_mm), waist, lens)
    bevels = _skirt(joined, waist, rim_mm, lens)
    parts = [
        (sides.owners, sides.corners_mm, _side_colours(joined, sides, lighting, top_shades)),
        *_bevel_faces(joined, bevels, lens, lighting),
    ]
    owners, corners, colours = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    order = np.argsort(owners, kind="stable")
    return owners[order], corners[order], colours[order]


def _skirt(joined: _Joined, low: Points, high: Points, lens: SimulatedLens) -> _Skirt:
    low_next, high_next = low[joined.following], high[joined.following]
    normals = np.cross(low_next - low, high - low)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    middles = (low + low_next + high + high_next) / 4
    # Outlines run clockwise in a frame whose y points to the viewer, so outward is the other way round.
    outward = middles[:, :2] - joined.centres_mm[joined.owners]
    normals *= np.sign((normals[:, :2] * outward).sum(axis=1, keepdims=True) + 1e-12)
    seen = ((np.asarray(lens.eye_mm) - middles) * normals).sum(axis=1) > 0
    corners = np.stack([low, low_next, high_next, high], axis=1)
    return _Skirt(joined.owners[seen], corners[seen], middles[seen], normals[seen])


def _side_colours(joined: _Joined, sides: _Skirt, lighting: Lighting, top_shades: Colour) -> Colour:
    own = sides.owners
    colours = joined.colours[own] * lighting.on_faces(sides.middles_mm, sides.normals)
    through = np.where((joined.gloss > 0) & (joined.bevels_mm > 0), np.float32(TRANSLUCENT), np.float32(0))[own, None]
    return np.asarray(colours * (1 - through) + joined.colours[own] * top_shades[own] * through, np.float32)


def _bevel_faces(
    joined: _Joined, bevels: _Skirt, lens: SimulatedLens, lighting: Lighting
) -> list[tuple[NDArray[np.intp], Points, Colour]]:
    """The rounded edges: shaded, mirroring the room, and with a thin line where they mirror lamps."""
    own, eye = bevels.owners, np.asarray(lens.eye_mm)
    gloss = joined.gloss[own, None]
    colours = joined.colours[own] * lighting.on_faces(bevels.middles_mm, bevels.normals)
    colours = colours + lighting.mirrored(bevels.middles_mm, eye, bevels.normals, 0.25) * (gloss * BEVEL_SHINE)
    outward = bevels.normals * (1.0, 1.0, 0.0)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-9)
    lines, down = lighting.edge_lines(bevels.middles_mm, eye, outward, EDGE_ROUGHNESS)
    width_px = EDGE_LINE * joined.bevels_mm[own] * lens.focal_px / lens.depth_mm(bevels.middles_mm)
    lines = lines * (gloss * EDGE_STRENGTH * np.minimum(width_px / THINNEST_PX, 1)[:, None].astype(np.float32))
    bright = lines.max(axis=1) > EDGE_VISIBLE
    low, low_next, high_next, high = bevels.corners_mm[bright].transpose(1, 0, 2)
    # A line keeps inside the bevel, wherever on it the lamp is mirrored.
    start = ((1 - EDGE_LINE) * (1 - down[bright]))[:, None]
    end = start + EDGE_LINE
    steps = [low + (high - low) * start, low_next + (high_next - low_next) * start]
    steps += [low_next + (high_next - low_next) * end, low + (high - low) * end]
    drawn = (own[bright], np.stack(steps, axis=1), colours[bright] + lines[bright])
    return [(own, bevels.corners_mm, colours), drawn]


def _roughen(canvas: Picture, solid: Solid, face: Outline, lens: SimulatedLens, grain: Texture) -> None:
    """Multiply a top by the grain of its material, which lies along its texture."""
    box = box_of(face, canvas.shape)
    quad = solid.outline_mm[:4] if solid.quad_mm is None else solid.quad_mm
    seen = lens.project(lifted(quad, solid.top_mm))
    sides_mm = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    px_per_mm = float(np.linalg.norm(seen[1] - seen[0]) / sides_mm[0])
    if box is None or px_per_mm < GRAIN_SEEN_PX_PER_MM:
        return
    level = grain.fitting(px_per_mm * GRAIN_MM)
    wide, high = (side / GRAIN_MM * len(level) for side in sides_mm)
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    target = (seen - (box[0], box[1])).astype(np.float32)
    transform = cv2.getPerspectiveTransform(corners, target)
    size = (box[2] - box[0], box[3] - box[1])
    drawn = cv2.warpPerspective(level, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    outside = np.full(drawn.shape, 255, np.uint8)
    fill(outside, face - (box[0], box[1]), 0)
    drawn[outside > 127] = 1
    region = canvas[box[1] : box[3], box[0] : box[2]]
    cv2.multiply(region, cv2.merge([drawn, drawn, drawn]), region)
