"""Things on the table as upright prisms with bevelled edges, and how one is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline, Picture, Texture, box_of, fill, paint, paint_texture
from hardware.tabletop.lens import Lens, Points
from hardware.tabletop.light import Lighting

Colour = NDArray[np.float32]


@dataclass(frozen=True)
class Solid:
    """A prism on a convex outline, clockwise as seen from above."""

    outline_mm: Outline
    base_mm: float
    height_mm: float
    colour: Colour
    """Of the sides, and of the top where it has no texture."""
    texture: Texture | None = None
    quad_mm: Outline | None = None
    """Where the corners of the texture lie: its top left, top right, bottom right, bottom left."""
    gloss: float = 0.0
    roughness: float = 0.08
    bevel_mm: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    """How the top is tilted: the x and y of its normal."""

    @property
    def top_mm(self) -> float:
        """The height of its top above the table."""
        return self.base_mm + self.height_mm

    @property
    def centre_mm(self) -> Points:
        """The middle of its top."""
        return np.append(self.outline_mm.mean(axis=0), self.top_mm)

    @property
    def normal(self) -> Points:
        """Where its top looks to."""
        normal = np.array([*self.lean, 1.0])
        return np.asarray(normal / np.linalg.norm(normal))


BEVEL_SHINE = 1.8
"""A rounded edge always mirrors something bright: it is the lightest line of a glossy tile."""


def lifted(outline_mm: Outline, z_mm: float) -> Points:
    """A flat outline at a height."""
    return np.column_stack([outline_mm, np.full(len(outline_mm), z_mm)])


def shrunk(outline_mm: Outline, by_mm: float) -> Outline:
    """An outline drawn towards its middle."""
    centre = outline_mm.mean(axis=0)
    away = outline_mm - centre
    length = np.linalg.norm(away, axis=1, keepdims=True)
    return np.asarray(centre + away * np.maximum(1 - by_mm * 1.3 / length, 0.1))


def draw_solid(canvas: Picture, solid: Solid, lens: Lens, lighting: Lighting) -> None:
    """Paint the sides that look at the camera, the bevel, then the top."""
    top = solid.top_mm
    eye = np.asarray(lens.eye_mm)
    waist_mm = top - solid.bevel_mm
    rim_mm = shrunk(solid.outline_mm, solid.bevel_mm) if solid.bevel_mm else solid.outline_mm
    if solid.height_mm > 0:
        _draw_skirt(canvas, solid, lens, lighting, (solid.outline_mm, solid.base_mm), (solid.outline_mm, waist_mm), 0.0)
    if solid.bevel_mm:
        _draw_skirt(canvas, solid, lens, lighting, (solid.outline_mm, waist_mm), (rim_mm, top), BEVEL_SHINE)
    face = lens.project(lifted(rim_mm, top))
    point, normal = solid.centre_mm[None], solid.normal[None]
    shade = lighting.on_faces(point, normal)[0]
    if solid.texture is not None and solid.quad_mm is not None:
        paint_texture(canvas, face, solid.texture, lens.project(lifted(solid.quad_mm, top)), shade)
    else:
        paint(canvas, face, solid.colour * shade)
    if solid.gloss:
        glow = lighting.mirrored(point, eye, normal, solid.roughness)[0] * solid.gloss
        _brighten(canvas, face, glow)


def _draw_skirt(
    canvas: Picture,
    solid: Solid,
    lens: Lens,
    lighting: Lighting,
    lower: tuple[Outline, float],
    upper: tuple[Outline, float],
    shine: float,
) -> None:
    """Paint the ring of faces between two outlines, those that look at the camera."""
    low, high = lifted(*lower), lifted(*upper)
    low_next, high_next = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
    along, up = low_next - low, high - low
    # Written out, since there are few faces and a general cross product spends its time elsewhere.
    normals = np.stack(
        [
            along[:, 1] * up[:, 2] - along[:, 2] * up[:, 1],
            along[:, 2] * up[:, 0] - along[:, 0] * up[:, 2],
            along[:, 0] * up[:, 1] - along[:, 1] * up[:, 0],
        ],
        axis=1,
    )
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.maximum(lengths, 1e-9)
    middles = (low + low_next + high + high_next) / 4
    # Outlines run clockwise in a frame whose y points to the viewer, so outward is the other way round.
    outward = middles[:, :2] - solid.outline_mm.mean(axis=0)
    normals *= np.sign((normals[:, :2] * outward).sum(axis=1, keepdims=True) + 1e-12)
    eye = np.asarray(lens.eye_mm)
    seen = ((eye - middles) * normals).sum(axis=1) > 0
    if not seen.any():
        return
    shades = lighting.on_faces(middles, normals)
    if shine and solid.gloss:
        glows = lighting.mirrored(middles, eye, normals, 0.25) * (solid.gloss * shine)
    else:
        glows = np.zeros_like(shades)
    corners = lens.project(np.vstack([low, low_next, high_next, high])).reshape(4, len(low), 2)
    for i in np.flatnonzero(seen):
        paint(canvas, corners[:, i], solid.colour * shades[i] + glows[i])


def _brighten(canvas: Picture, outline: Outline, glow: Colour) -> None:
    box = box_of(outline, canvas.shape)
    if glow.max() < 0.004 or box is None:
        return
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    fill(mask, outline - (box[0], box[1]))
    canvas[box[1] : box[3], box[0] : box[2]] += mask[:, :, None] * (glow / 255)
