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
from hardware.tabletop.lens import Lens, Points
from hardware.tabletop.light import UP, Lamp, Lighting, shadow_outline
from hardware.tabletop.solids import Solid, draw_solid, lifted

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

    lens: Lens
    lighting: Lighting
    ground: Ground
    flats: list[Solid] = field(default_factory=list)
    pieces: list[Solid] = field(default_factory=list)
    talls: list[Solid] = field(default_factory=list)


def render(scene: Scene) -> Picture:
    """The scene as the pinhole sees it, in linear light."""
    scene = replace(scene, flats=_near(scene.flats, scene.lens), pieces=_near(scene.pieces, scene.lens))
    lens, lighting = scene.lens, scene.lighting
    canvas = np.empty((lens.height_px, lens.width_px, 3), np.float32)
    glossy = _paint_ground(canvas, scene)
    plain = Lighting((), (1.0, 1.0, 1.0))
    _cast(canvas, scene, scene.flats, contact=False)
    for flat in scene.flats:
        # Flat things are painted as paper, later ones on earlier ones; light falls on all of them together afterwards.
        draw_solid(canvas, _matt(flat), lens, plain)
        _mark(glossy, lens.project(lifted(flat.outline_mm, flat.top_mm)), flat.gloss)
    _light_the_flat(canvas, scene, glossy)
    _cast(canvas, scene, scene.pieces, contact=True)
    for piece in _far_first(scene.pieces, lens):
        draw_solid(canvas, piece, lens, lighting)
    if scene.talls:
        _cast(canvas, scene, scene.talls, contact=False)
        for tall in _far_first(scene.talls, lens):
            draw_solid(canvas, tall, lens, lighting)
    return canvas


def _near(solids: list[Solid], lens: Lens) -> list[Solid]:
    """Those that may be in the picture, or cast a shadow into it."""
    if not solids:
        return []
    middles = np.stack([solid.centre_mm for solid in solids])
    reach = np.array([np.ptp(solid.outline_mm, axis=0).max() for solid in solids])
    pixels, depths = lens.project(middles), lens.depth_mm(middles)
    margin = (reach + SHADOW_REACH_MM) * lens.focal_px / np.maximum(depths, 1.0)
    size = (lens.width_px, lens.height_px)
    seen = ((pixels > -margin[:, None]) & (pixels < size + margin[:, None])).all(axis=1) & (depths > 0)
    return [solid for solid, in_view in zip(solids, seen, strict=True) if in_view]


def _far_first(solids: list[Solid], lens: Lens) -> list[Solid]:
    if not solids:
        return []
    depths = lens.depth_mm(np.stack([np.append(s.outline_mm.mean(axis=0), s.base_mm) for s in solids]))
    # What stands on another thing is painted after it, however far it is.
    order = np.lexsort((-depths, np.array([solid.base_mm for solid in solids])))
    return [solids[i] for i in order]


def _matt(solid: Solid) -> Solid:
    return Solid(solid.outline_mm, solid.base_mm, solid.height_mm, solid.colour, solid.texture, solid.quad_mm)


def _paint_ground(canvas: Picture, scene: Scene) -> Picture:
    """Paint floor and table; the returned small picture says how glossy each spot is."""
    lens, ground = scene.lens, scene.ground
    canvas[:] = ground.floor
    to_px = lens.plane_homography(0.0)
    per_mm = ground.texture.picture.shape[0] / ground.tile_mm
    # The texture repeats: pixels ask for places on the table, and those wrap around.
    x, y = _grid(lens.width_px, lens.height_px, 8)
    places = cv2.perspectiveTransform(np.stack([x, y], axis=2).astype(np.float32), np.linalg.inv(to_px))
    size = (lens.width_px, lens.height_px)
    maps = [cv2.resize(places[:, :, i] * per_mm, size, interpolation=cv2.INTER_LINEAR) for i in (0, 1)]
    distance = float(np.linalg.norm(lens.eye_mm))
    level = ground.texture.fitting(ground.texture.picture.shape[0] * lens.focal_px / distance / per_mm)
    ratio = level.shape[0] / ground.texture.picture.shape[0]
    wood = cv2.remap(level, maps[0] * ratio, maps[1] * ratio, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    fill(mask, lens.project(lifted(ground.outline_mm, 0.0)))
    cv2.copyTo(wood, mask, canvas)
    size = (lens.width_px // GLOSS_PX, lens.height_px // GLOSS_PX)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA) * np.float32(ground.gloss / 255))


def _mark(glossy: Picture, outline: Outline, gloss: float) -> None:
    mask = np.zeros(glossy.shape[:2], np.uint8)
    fill(mask, outline / GLOSS_PX)
    cover = mask.astype(np.float32) / 255
    glossy += cover * (np.float32(gloss) - glossy)


def _light_the_flat(canvas: Picture, scene: Scene, glossy: Picture) -> None:
    """Multiply by the light on the table and add what it mirrors."""
    lens = scene.lens
    rows, columns = lens.height_px // GRID_PX + 1, lens.width_px // GRID_PX + 1
    x, y = np.meshgrid((np.arange(columns) + 0.5) * GRID_PX, (np.arange(rows) + 0.5) * GRID_PX)
    pixels = np.stack([x, y], axis=2).astype(np.float32)
    places = cv2.perspectiveTransform(pixels, np.linalg.inv(lens.plane_homography(0.0))).reshape(-1, 2)
    points = lifted(places.astype(np.float64), 0.0)
    normals = np.broadcast_to(UP, points.shape)
    light = scene.lighting.on_faces(points, normals).reshape(rows, columns, 3)
    glow = scene.lighting.mirrored(points, np.asarray(lens.eye_mm), normals, scene.ground.roughness)
    glow = glow.reshape(rows, columns, 3)
    height, width = canvas.shape[:2]
    canvas *= cv2.resize(light, (columns * GRID_PX, rows * GRID_PX), interpolation=cv2.INTER_LINEAR)[:height, :width]
    scale = GRID_PX // GLOSS_PX
    fine = cv2.resize(glow, (columns * scale, rows * scale), interpolation=cv2.INTER_LINEAR)
    fine = fine[: glossy.shape[0], : glossy.shape[1]] * glossy[:, :, None]
    canvas += cv2.resize(fine, (width, height), interpolation=cv2.INTER_LINEAR)


def _cast(canvas: Picture, scene: Scene, solids: list[Solid], *, contact: bool) -> None:
    """Darken where things keep a lamp's light away, and close around their feet."""
    lens, lighting = scene.lens, scene.lighting
    shape = (lens.height_px // SHADOW_SCALE, lens.width_px // SHADOW_SCALE)
    whole = np.asarray(lighting.ambient) + sum((np.asarray(lamp.colour) for lamp in lighting.lamps), np.zeros(3))
    shade = np.ones((*shape, 3), np.float32)
    for lamp in lighting.lamps:
        dark = np.zeros(shape, np.uint8)
        for mask, soft_px in _shadow_masks(solids, scene, lamp, shape):
            cv2.max(dark, cv2.GaussianBlur(mask, (0, 0), max(soft_px, 0.6)), dark)
        share = (np.asarray(lamp.colour) / whole).astype(np.float32)
        shade *= 1 - dark[:, :, None] * (share / 255)
    if contact:
        mask = np.zeros(shape, np.uint8)
        for solid in solids:
            if solid.height_mm > 1:
                fill(mask, lens.project(lifted(solid.outline_mm, solid.base_mm)) / SHADOW_SCALE)
        near = cv2.GaussianBlur(mask, (0, 0), 2.2 * _px_per_mm(lens) / SHADOW_SCALE)
        shade *= 1 - near[:, :, None].astype(np.float32) * np.float32(0.35 / 255)
    canvas *= cv2.resize(shade, (lens.width_px, lens.height_px), interpolation=cv2.INTER_LINEAR)


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
        for solid in group:
            points = shadow_outline(solid.outline_mm, solid.height_mm, solid.base_mm, lamp)
            hull = cv2.convexHull((lens.project(points) / SHADOW_SCALE).astype(np.float32))[:, 0]
            if box_of(hull.astype(np.float64), shape):
                fill(mask, hull.astype(np.float64))
        height = float(np.mean([solid.height_mm for solid in group]))
        masks.append((mask, spread * height * px_per_mm / 2))
    return masks


def _px_per_mm(lens: Lens) -> float:
    """How large a millimetre about the middle of the table is."""
    return lens.focal_px / float(np.linalg.norm(lens.eye_mm))


def _grid(width_px: int, height_px: int, step: int) -> tuple[Points, Points]:
    """Pixel places whose stretched copy covers the picture."""
    columns, rows = width_px // step, height_px // step
    x = (np.arange(columns) + 0.5) * width_px / columns - 0.5
    y = (np.arange(rows) + 0.5) * height_px / rows - 0.5
    grid_x, grid_y = np.meshgrid(x, y)
    return grid_x, grid_y
