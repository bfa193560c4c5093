"""A set table as Blender's path tracer sees it: slow, but with light that really bounces.

Needs `bpy`, which wants an older numpy than the companion, and so an environment of its own (`make trace`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from hardware.tabletop.canvas import Picture, Texture
from hardware.tabletop.lens import SimulatedLens
from hardware.tabletop.light import Lamp, Lighting
from hardware.tabletop.scene import Ground, Scene
from hardware.tabletop.solids import Solid

Array = NDArray[np.float64]
Rng = np.random.Generator
Box = tuple[int, int, int, int]

UNIT_MM = 100.0
"""One unit of Blender's."""
LARGEST_PX = 1400
"""As large as a texture need be: larger ones only take time to hand over."""
ROUND = 4
"""Faces from the top of a rounded edge to its side."""
FLOOR_MM = -720.0
PANEL_PX = (32, 64)
"""The picture of the room, all around."""
SAMPLES = (6, 17)
"""Rays for each pixel, drawn between these."""


@dataclass(frozen=True)
class Finish:
    """What the surfaces of one picture are made of."""

    roundness: float
    """How much rounder edges of pieces are than the solids say."""
    piece_roughness: float
    piece_coat: float
    board_roughness: float
    board_shine: float
    bump: float
    printed_edge: bool
    """Whether a motif runs over the rounded edge."""


def draw_finish(rng: Rng) -> Finish:
    """Surfaces from matt to polished."""
    return Finish(
        roundness=float(rng.uniform(0.7, 2.6)),
        piece_roughness=float(np.exp(rng.uniform(np.log(0.06), np.log(0.5)))),
        piece_coat=float(rng.uniform(0, 1)) if rng.random() < 0.5 else 0.0,
        board_roughness=float(rng.uniform(0.22, 0.8)),
        board_shine=float(rng.uniform(0.1, 0.7)),
        bump=float(rng.uniform(0, 0.12)) if rng.random() < 0.7 else 0.0,
        printed_edge=bool(rng.random() < 0.6),
    )


def trace(scene: Scene, boxes_px: Sequence[Box], rng: Rng) -> Iterator[Picture]:
    """Parts of the scene as the pinhole sees them, in linear light; chance decides on surfaces and the room."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    studio = _Studio(draw_finish(rng))
    studio.lay_ground(scene.ground, rng)
    for solid in scene.flats:
        studio.put(solid, "board")
    for solid in scene.pieces:
        studio.put(solid, "piece")
    for solid in scene.talls:
        studio.put(solid, "thing")
    _light(scene.lighting, rng)
    _aim(scene.lens)
    _load(scene.lens, rng)
    for box_px in boxes_px:
        yield _shoot(scene.lens, box_px)


class _Studio:
    """Meshes and materials of one picture."""

    def __init__(self, finish: Finish) -> None:
        self._finish = finish
        self._materials: dict[Any, Any] = {}
        # Materials go by the identity of their texture, so none may be let go meanwhile.
        self._kept: list[Texture] = []

    def put(self, solid: Solid, sort: str) -> None:
        """A solid with its materials; `sort` says what it is made of."""
        finish = self._finish
        bevel = solid.bevel_mm * (finish.roundness if sort == "piece" else 1.0)
        points, faces, tops = _prism(solid, min(bevel, solid.height_mm * 0.45), finish.printed_edge)
        quad = solid.corners_mm
        shade = (1.0, 1.0, 1.0) if solid.tint is None else tuple(float(v) for v in solid.tint[::-1])
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        flat = np.linalg.solve(np.stack([across, down], axis=1), (points[:, :2] - quad[0]).T).T
        side = self._material(sort, None, solid.colour)
        top = side if solid.texture is None else self._material(sort, solid.texture, solid.colour)
        self._mesh(points, faces, flat, [top, side], [0 if i < tops else 1 for i in range(len(faces))], shade)

    def lay_ground(self, ground: Ground, rng: Rng) -> None:
        """The table top, and the floor below it."""
        outline = ground.outline_mm
        top = np.column_stack([outline, np.zeros(len(outline))])
        below = np.column_stack([outline, np.full(len(outline), -25.0)])
        count = len(outline)
        rim = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
        points = np.vstack([top, below])
        wood = self._material("table", ground.texture, ground.floor, (ground.roughness, float(rng.uniform(0.1, 0.6))))
        self._mesh(points, [tuple(range(count)), *rim], points[:, :2] / ground.tile_mm, [wood], [0] * (count + 1))
        far = np.array([[-9e3, -9e3], [9e3, -9e3], [9e3, 9e3], [-9e3, 9e3]])
        floor = self._material("floor", None, ground.floor)
        self._mesh(np.column_stack([far, np.full(4, FLOOR_MM)]), [(0, 1, 2, 3)], far, [floor], [0])

    def _mesh(
        self,
        points_mm: Array,
        faces: list[tuple[int, ...]],
        flat: Array,
        materials: list[Any],
        which: list[int],
        tint: tuple[float, ...] = (1.0, 1.0, 1.0),
    ) -> None:
        mesh = bpy.data.meshes.new("mesh")
        mesh.from_pydata((points_mm * (1, -1, 1) / UNIT_MM).tolist(), [], faces)
        for material in materials:
            mesh.materials.append(material)
        mesh.polygons.foreach_set("material_index", which)
        corners = np.array([index for face in faces for index in face])
        spread = np.column_stack([flat[corners, 0], 1 - flat[corners, 1]]).astype(np.float32)
        mesh.uv_layers.new(name="flat").data.foreach_set("uv", spread.ravel())
        thing = bpy.data.objects.new("thing", mesh)
        thing.color = (*tint, 1.0)
        bpy.context.scene.collection.objects.link(thing)

    def _material(self, sort: str, texture: Texture | None, colour: Any, ground: tuple[float, float] = (0, 0)) -> Any:
        key = (sort, id(texture) if texture is not None else tuple(np.round(np.asarray(colour, float), 4)))
        if key not in self._materials:
            if texture is not None:
                self._kept.append(texture)
            self._materials[key] = self._made(sort, texture, colour, ground)
        return self._materials[key]

    def _made(self, sort: str, texture: Texture | None, colour: Any, ground: tuple[float, float]) -> Any:
        finish = self._finish
        material = bpy.data.materials.new(sort)
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        surface = nodes["Principled BSDF"]
        rough, shine = {
            "board": (finish.board_roughness, finish.board_shine),
            "piece": (finish.piece_roughness, 0.5),
            "table": ground,
        }.get(sort, (0.45, 0.4))
        surface.inputs["Roughness"].default_value = rough
        surface.inputs["Specular IOR Level"].default_value = shine
        if sort == "piece":
            surface.inputs["Coat Weight"].default_value = finish.piece_coat
            surface.inputs["Coat Roughness"].default_value = 0.05
        mixed = nodes.new("ShaderNodeMix")
        mixed.data_type, mixed.blend_type = "RGBA", "MULTIPLY"
        mixed.inputs[0].default_value = 1.0
        blue, green, red = (float(value) for value in colour)
        mixed.inputs[6].default_value = (red, green, blue, 1.0)
        if texture is not None:
            shown = nodes.new("ShaderNodeTexImage")
            shown.image = _image(texture)
            shown.extension = "REPEAT" if sort == "table" else "EXTEND"
            links.new(shown.outputs["Color"], mixed.inputs[6])
        own = nodes.new("ShaderNodeObjectInfo")
        links.new(own.outputs["Color"], mixed.inputs[7])
        links.new(mixed.outputs[2], surface.inputs["Base Color"])
        if sort in ("board", "table") and finish.bump:
            _roughened(nodes, links, surface, finish.bump)
        return material


def _roughened(nodes: Any, links: Any, surface: Any, strength: float) -> None:
    """The feel of card and cloth."""
    noise, bump = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeBump")
    noise.inputs["Scale"].default_value = 90.0
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 0.01
    where = nodes.new("ShaderNodeTexCoord")
    links.new(where.outputs["Object"], noise.inputs["Vector"])
    links.new(noise.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], surface.inputs["Normal"])


def _prism(solid: Solid, bevel_mm: float, printed_edge: bool) -> tuple[Array, list[tuple[int, ...]], int]:
    """Points, faces, and how many of these, the first, belong to the top; the edge is a quarter round."""
    middle = solid.outline_mm.mean(axis=0)
    reach = np.linalg.norm(solid.outline_mm - middle, axis=1).max()
    rings = []
    turns = np.linspace(np.pi / 2, 0, ROUND + 1) if bevel_mm > 0 else np.array([0.0])
    for turn in turns:
        inset, drop = bevel_mm * (1 - np.cos(turn)), bevel_mm * (1 - np.sin(turn)) if bevel_mm > 0 else 0.0
        ring = middle + (solid.outline_mm - middle) * (1 - inset / reach * np.sqrt(2) if bevel_mm > 0 else 1)
        rings.append(_leaning(solid, ring, solid.top_mm - drop))
    rings.append(_leaning(solid, solid.outline_mm, solid.base_mm))
    count = len(solid.outline_mm)
    faces: list[tuple[int, ...]] = [tuple(range(count))]
    for level in range(len(rings) - 1):
        a, b = level * count, (level + 1) * count
        faces += [(a + i, a + (i + 1) % count, b + (i + 1) % count, b + i) for i in range(count)]
    return np.vstack(rings), faces, 1 + (count * ROUND // 2 if printed_edge and bevel_mm > 0 else 0)


def _leaning(solid: Solid, outline_mm: Array, z_mm: float) -> Array:
    away = outline_mm - solid.outline_mm.mean(axis=0)
    return np.column_stack([outline_mm, z_mm - away @ np.asarray(solid.lean)])


def _image(texture: Texture) -> Any:
    picture = texture.fitting(LARGEST_PX)
    shrink = min(1.0, LARGEST_PX / max(picture.shape[:2]))
    if shrink < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    height, width = picture.shape[:2]
    image = bpy.data.images.new("texture", width, height, float_buffer=True)
    image.colorspace_settings.name = "Linear Rec.709"
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :3] = picture[::-1, :, ::-1]
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    return image


def _light(lighting: Lighting, rng: Rng) -> None:
    for lamp in lighting.lamps:
        _hang(lamp)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    around = nodes.new("ShaderNodeTexEnvironment")
    around.image = _image(Texture(_room(np.asarray(lighting.ambient, np.float32), rng)))
    links.new(around.outputs["Color"], nodes["Background"].inputs["Color"])


def _hang(lamp: Lamp) -> None:
    """A lamp whose light on the middle of the table is what the lighting says."""
    place = np.array(lamp.place_mm) * (1, -1, 1) / UNIT_MM
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", lamp.size_mm / UNIT_MM
    strength = max(lamp.colour)
    blue, green, red = (value / strength for value in lamp.colour)
    light.color = (red, green, blue)
    light.energy = float(np.pi**2 * strength * (place**2).sum())
    thing = bpy.data.objects.new("lamp", light)
    thing.location = place
    thing.rotation_mode = "QUATERNION"
    thing.rotation_quaternion = _looking(-place)
    bpy.context.scene.collection.objects.link(thing)


def _looking(towards: Array) -> Any:
    """The turn that brings -z this way."""
    return Vector(towards.tolist()).to_track_quat("-Z", "Y")


def _room(ambient: NDArray[np.float32], rng: Rng) -> Picture:
    """Walls, windows and dark corners, of which as much light comes as if all were ambient."""
    rows, columns = PANEL_PX
    tones = np.exp(rng.normal(0, 0.35, (4, 8))).astype(np.float32)
    walls = cv2.resize(tones, (columns, rows), interpolation=cv2.INTER_CUBIC).clip(0.1)
    room = np.repeat(walls[..., None], 3, axis=2)
    for _ in range(int(rng.integers(0, 5))):
        top, left = int(rng.integers(0, rows // 2)), int(rng.integers(0, columns))
        height, width = int(rng.integers(2, 10)), int(rng.integers(2, 14))
        room[top : top + height, left : left + width] *= float(rng.uniform(0.2, 6.0))
    half = room[: rows // 2]
    return np.asarray(room / half.mean(axis=(0, 1)) * ambient, np.float32)


def _aim(lens: SimulatedLens) -> None:
    camera = bpy.data.cameras.new("eye")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = lens.focal_px / lens.width_px * 36.0
    camera.clip_start, camera.clip_end = 0.1, 500.0
    right, down, forward = lens.rotation * (1, -1, -1)
    turn = np.eye(4)
    turn[:3, :3] = np.stack([right, -down, -forward], axis=1)
    turn[:3, 3] = np.array(lens.eye_mm) * (1, -1, 1) / UNIT_MM
    eye = bpy.data.objects.new("eye", camera)
    eye.matrix_world = Matrix(turn.tolist())
    bpy.context.scene.collection.objects.link(eye)
    bpy.context.scene.camera = eye


def _load(lens: SimulatedLens, rng: Rng) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.use_persistent_data = True
    scene.render.resolution_x, scene.render.resolution_y = lens.width_px, lens.height_px
    scene.render.resolution_percentage = 100
    scene.render.use_border = scene.render.use_crop_to_border = True
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    cycles = scene.cycles
    cycles.device, cycles.seed = "CPU", int(rng.integers(1 << 30))
    cycles.samples = int(rng.integers(*SAMPLES))
    # Few samples and a quick denoiser: time goes rather into more pictures.
    cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 1, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 6.0


def _shoot(lens: SimulatedLens, box_px: Box) -> Picture:
    """What is in a box of the picture: left, top, right, bottom."""
    render = bpy.context.scene.render
    left, top, right, bottom = box_px
    # Shares of the picture are cut off to whole pixels, so half a pixel more keeps them from the one before.
    render.border_min_x, render.border_max_x = (left + 0.5) / lens.width_px, (right + 0.5) / lens.width_px
    low, high = lens.height_px - bottom, lens.height_px - top
    render.border_min_y, render.border_max_y = (low + 0.5) / lens.height_px, (high + 0.5) / lens.height_px
    with tempfile.TemporaryDirectory() as folder:
        render.filepath = str(Path(folder) / "shot.exr")
        bpy.ops.render.render(write_still=True)
        shot = bpy.data.images.load(render.filepath)
        width, height = shot.size
        pixels = np.empty(height * width * 4, np.float32)
        shot.pixels.foreach_get(pixels)
        bpy.data.images.remove(shot)
    if (width, height) != (right - left, bottom - top):
        raise ValueError(f"asked for {right - left}x{bottom - top} pixels, got {width}x{height}")
    return np.ascontiguousarray(pixels.reshape(height, width, 4)[::-1, :, 2::-1])
