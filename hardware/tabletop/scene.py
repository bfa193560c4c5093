"""A table with everything on it, and how it becomes a picture.

The order of painting is the order of heights: the table, what lies flat on it, its shadows and gloss, the small pieces
from far to near, and last what stands high, whose shadows fall on all the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Mask, Outline, Picture, Texture, box_of, fill
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.light import UP, Lamp, Lighting, shadow_points
from hardware.tabletop.painting import draw_solids
from hardware.tabletop.solids import Solid, lifted

GRID_PX = 16
"""Light changes so slowly over the table that it is worked out for one pixel in so many, each way."""
GLOSS_PX = 4
"""What is how glossy is kept for one pixel in so many, each way: its edges are to be seen."""
SHADOW_REACH_MM = 40.0
SHADOW_SCALE = 2
"""Shadows are soft: they are drawn at half the size."""


@dataclass(frozen=True)
class Ground:
    """The table top, and what is seen past its edge."""

    texture: Texture
    tile_mm: float
    """How much of the table one copy of the texture covers."""
    outline_mm: Outline
    floor: NDArray[np.float32]
    gloss: float
    roughness: float


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows."""

    lens: SimulatedLens
    lighting: Lighting
    ground: Ground
    flats: list[Solid] = field(default_factory=list)
    pieces: list[Solid] = field(default_factory=list)
    talls: list[Solid] = field(default_factory=list)


def render(scene: Scene) -> Picture:
    """The scene as the pinhole sees it, in linear light."""
    scene = replace(scene, flats=_near(scene.flats, scene.lens), pieces=_near(scene.pieces, scene.lens))
    lens, lighting = scene.lens, scene.lighting
    canvas, glossy = _paint_ground(scene)
    # Light and shade are spread out in one and the same place: to make room costs more than to fill it.
    room = np.empty_like(canvas)
    plain = Lighting((), (1.0, 1.0, 1.0))
    _cast(canvas, room, scene, scene.flats, contact=False)
    # Flat things are painted as paper, later ones on earlier ones; light falls on all of them together afterwards.
    draw_solids(canvas, [_matt(flat) for flat in scene.flats], lens, plain)
    for flat in scene.flats:
        _mark(glossy, lens.project(lifted(flat.outline_mm, flat.top_mm)), flat.gloss)
    _light_the_flat(canvas, room, scene, glossy)
    _cast(canvas, room, scene, scene.pieces, contact=True)
    draw_solids(canvas, _far_first(scene.pieces, lens), lens, lighting)
    _cast(canvas, room, scene, scene.talls, contact=False)
    draw_solids(canvas, _far_first(scene.talls, lens), lens, lighting)
    return canvas


def _near(solids: list[Solid], lens: SimulatedLens) -> list[Solid]:
    """Those that may be in the picture, or cast a shadow into it."""
    if not solids:
        return []
    middles = np.stack([solid.centre_mm for solid in solids])
    reach = np.array([np.linalg.norm(np.ptp(solid.outline_mm, axis=0)) / 2 for solid in solids])
    pixels, depths = lens.project(middles), lens.depth_mm(middles)
    margin = (reach + SHADOW_REACH_MM) * lens.focal_px / np.maximum(depths, 1.0)
    size = (lens.width_px, lens.height_px)
    seen = ((pixels > -margin[:, None]) & (pixels < size + margin[:, None])).all(axis=1) & (depths > 0)
    return [solid for solid, in_view in zip(solids, seen, strict=True) if in_view]


def _far_first(solids: list[Solid], lens: SimulatedLens) -> list[Solid]:
    if not solids:
        return []
    depths = lens.depth_mm(np.stack([np.append(s.outline_mm.mean(axis=0), s.base_mm) for s in solids]))
    # What stands on another thing is painted after it, however far it is.
    order = np.lexsort((-depths, np.array([solid.base_mm for solid in solids])))
    return [solids[i] for i in order]


def _matt(solid: Solid) -> Solid:
    return replace(solid, gloss=0.0, bevel_mm=0.0)


def _paint_ground(scene: Scene) -> tuple[Picture, Picture]:
    """A picture of floor and table, and a small one that says how glossy each spot is."""
    lens, ground = scene.lens, scene.ground
    to_px = lens.plane_homography(0.0)
    per_mm = ground.texture.picture.shape[0] / ground.tile_mm
    distance = float(np.linalg.norm(lens.eye_mm))
    level = ground.texture.fitting(ground.texture.picture.shape[0] * lens.focal_px / distance / per_mm)
    # The texture repeats, beginning around what the camera looks at: what is beyond its edge takes longer.
    step, half = ground.tile_mm / len(level), ground.tile_mm / 2
    left, top = lens.target_mm[0] - half, lens.target_mm[1] - half
    from_texture = to_px @ np.array([[step, 0.0, left], [0.0, step, top], [0.0, 0.0, 1.0]])
    size = (lens.width_px, lens.height_px)
    canvas = cv2.warpPerspective(level, from_texture, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    fill(mask, lens.project(lifted(ground.outline_mm, 0.0)))
    if not mask.all():
        floor = cv2.merge([np.full(mask.shape, channel, np.float32) for channel in ground.floor])
        cv2.copyTo(floor, np.asarray(mask == 0, np.uint8), canvas)
    size = (lens.width_px // GLOSS_PX, lens.height_px // GLOSS_PX)
    glossy = cv2.resize(mask, size, interpolation=cv2.INTER_AREA) * np.float32(ground.gloss / 255)
    return np.asarray(canvas, np.float32), np.asarray(glossy, np.float32)


def _mark(glossy: Picture, outline: Outline, gloss: float) -> None:
    if box := box_of(outline / GLOSS_PX, glossy.shape):
        region = glossy[box[1] : box[3], box[0] : box[2]]
        mask = np.zeros(region.shape, np.uint8)
        fill(mask, outline / GLOSS_PX - (box[0], box[1]))
        region += mask * np.float32(1 / 255) * (np.float32(gloss) - region)


def _light_the_flat(canvas: Picture, room: Picture, scene: Scene, glossy: Picture) -> None:
    """Multiply by the light on the table and add what it mirrors."""
    lens = scene.lens
    rows, columns = -(-lens.height_px // GRID_PX), -(-lens.width_px // GRID_PX)
    across, down = lens.width_px / columns, lens.height_px / rows
    x, y = np.meshgrid((np.arange(columns) + 0.5) * across - 0.5, (np.arange(rows) + 0.5) * down - 0.5)
    pixels = np.stack([x, y], axis=2).astype(np.float32)
    places = cv2.perspectiveTransform(pixels, np.linalg.inv(lens.plane_homography(0.0))).reshape(-1, 2)
    points = lifted(places.astype(np.float64), 0.0)
    normals = np.broadcast_to(UP, points.shape)
    light = scene.lighting.on_faces(points, normals).reshape(rows, columns, 3)
    lighting, eye = scene.lighting, np.asarray(lens.eye_mm)
    glow = lighting.mirrored(points, eye, normals, scene.ground.roughness, lighting.veil)
    glow = glow.reshape(rows, columns, 3)
    cv2.multiply(canvas, _spread(light, room), canvas)
    fine = cv2.resize(glow, glossy.shape[::-1], interpolation=cv2.INTER_LINEAR) * glossy[:, :, None]
    cv2.add(canvas, _spread(fine, room), canvas)


def _spread(small: Picture, room: Picture) -> Picture:
    """A small picture stretched to fill another."""
    return np.asarray(cv2.resize(small, room.shape[1::-1], room, interpolation=cv2.INTER_LINEAR))


def _cast(canvas: Picture, room: Picture, scene: Scene, solids: list[Solid], *, contact: bool) -> None:
    """Darken where things keep a lamp's light away, and close around their feet."""
    if not solids:
        return
    lens, lighting = scene.lens, scene.lighting
    shape = (lens.height_px // SHADOW_SCALE, lens.width_px // SHADOW_SCALE)
    whole = np.asarray(lighting.ambient) + sum((np.asarray(lamp.colour) for lamp in lighting.lamps), np.zeros(3))
    shade = np.ones((*shape, 3), np.float32)
    for lamp in lighting.lamps:
        dark = np.zeros(shape, np.uint8)
        for mask, soft_px in _shadow_masks(solids, scene, lamp, shape):
            cv2.max(dark, cv2.GaussianBlur(mask, (0, 0), max(soft_px, 0.6)), dark)
        _dim(shade, dark, np.asarray(lamp.colour) / whole)
    if contact:
        mask = np.zeros(shape, np.uint8)
        for solid in solids:
            if solid.height_mm > 1:
                fill(mask, lens.project(lifted(solid.outline_mm, solid.base_mm)) / SHADOW_SCALE)
        near = cv2.GaussianBlur(mask, (0, 0), 2.2 * _px_per_mm(lens) / SHADOW_SCALE)
        _dim(shade, np.asarray(near, np.uint8), np.full(3, 0.35))
    cv2.multiply(canvas, _spread(shade, room), canvas)


def _dim(shade: Picture, dark: Mask, shares: NDArray[np.float64]) -> None:
    """Take a share of each light channel away where it is dark."""
    kept = [1 - dark * np.float32(share / 255) for share in shares]
    cv2.multiply(shade, cv2.merge(kept), shade)


def _shadow_masks(solids: list[Solid], scene: Scene, lamp: Lamp, shape: tuple[int, int]) -> list[tuple[Mask, float]]:
    """The shadows of one lamp: those of low things are sharper than those of high ones."""
    lens = scene.lens
    px_per_mm = _px_per_mm(lens) / SHADOW_SCALE
    spread = lamp.size_mm / float(np.linalg.norm(lamp.place_mm))
    masks: list[tuple[Mask, float]] = []
    for low, high in ((0.5, 4.0), (4.0, 20.0), (20.0, 1000.0)):
        group = [solid for solid in solids if low <= solid.height_mm < high]
        if not group:
            continue
        mask = np.zeros(shape, np.uint8)
        counts = [len(solid.outline_mm) for solid in group]
        outlines = np.vstack([solid.outline_mm for solid in group])
        heights = np.repeat([solid.height_mm for solid in group], counts)
        planes = np.repeat([solid.base_mm for solid in group], counts)
        cast = lens.project(shadow_points(outlines, heights, planes, lamp))
        ends = np.hstack([lens.project(np.column_stack([outlines, planes])), cast]).astype(np.float32) / SHADOW_SCALE
        for points in np.split(ends, np.cumsum(counts)[:-1]):
            fill(mask, np.asarray(cv2.convexHull(points.reshape(-1, 2))[:, 0], np.float64))
        height = float(np.mean([solid.height_mm for solid in group]))
        masks.append((mask, spread * height * px_per_mm / 2))
    return masks


def _px_per_mm(lens: SimulatedLens) -> float:
    """How large a millimetre about the middle of the table is."""
    return lens.focal_px / float(np.linalg.norm(lens.eye_mm))
