"""Lamps and windows over the table: how bright a face is, what it mirrors, and where its shadow falls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline
from hardware.tabletop.lens import Points, SimulatedLens
from hardware.tabletop.tiers import Tier

UP = np.array([0.0, 0.0, 1.0])
ROOM_MIRRORED = 0.35
"""How much of the room's own light a glossy face shows when looked at from straight above."""
CLEAR = 0.35
"""The veil on resin and glass: they mirror lamps, and of the room little."""
PLAIN_LOBE = 0.1
"""The square of the angle over which a lamp's image is as bright as paper under it: a smaller one is brighter."""
BRIGHTEST_IMAGE = 6.0
EDGE_SPREAD = 0.2
"""How far a rounded edge may be turned from a lamp, as a sine, and still show its line of light."""
GLARE_CHANCE = 0.4
"""How often a lamp is where the table mirrors it into the picture."""
GLARE_MM = (150, 700)
"""How large such a lamp is: the largest show up in many tiles at once."""
GLARE_REACH = 0.2
"""How far from what the camera looks at that is, as a share of the width of the picture (one standard deviation)."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """A light of some size: far and large for a window, near and small for a lamp."""

    place_mm: tuple[float, float, float]
    size_mm: float
    colour: tuple[float, float, float]
    """Blue, green, red; together with the distance it gives the light on the middle of the table."""

    def towards(self, points_mm: Points) -> Points:
        """Unit vectors from points to the lamp."""
        away = np.asarray(self.place_mm) - points_mm
        return np.asarray(away / np.linalg.norm(away, axis=1, keepdims=True))

    def light(self, points_mm: Points, normals: Points) -> NDArray[np.float32]:
        """What falls on faces, weaker with the square of the distance."""
        away = np.asarray(self.place_mm) - points_mm
        distance2 = (away**2).sum(axis=1)
        facing = np.maximum((away * normals).sum(axis=1) / np.sqrt(distance2), 0)
        nearness = (np.asarray(self.place_mm) ** 2).sum() / distance2
        return np.asarray((facing * nearness)[:, None] * np.asarray(self.colour), np.float32)


@dataclass(frozen=True, slots=True)
class Lighting:
    """All lamps, and what comes from everywhere."""

    lamps: tuple[Lamp, ...]
    ambient: tuple[float, float, float]
    veil: float = 1.0
    """How much of the room boards and table mirror, against plain light: coated card is pale from it."""
    ripple: float = 0.0
    """How uneven flat things are, as the slope of their waves: it frays what they mirror."""

    def on_faces(self, points_mm: Points, normals: Points) -> NDArray[np.float32]:
        """The light on faces: a face that looks sideways gets less of what comes from everywhere."""
        sky = 0.55 + 0.45 * normals[:, 2:]
        total = np.asarray(self.ambient, np.float32) * sky.astype(np.float32)
        for lamp in self.lamps:
            total = total + lamp.light(points_mm, normals)
        return np.asarray(total, np.float32)

    def mirrored(
        self,
        points_mm: Points,
        eye_mm: Points,
        normals: Points,
        roughness: float | NDArray[np.float64],
        veil: float = CLEAR,
    ) -> NDArray[np.float32]:
        """How brightly glossy faces mirror the lamps, and behind a veil the room, towards the eye; blue first."""
        view = _unit(eye_mm - points_mm)
        normals = self._waved(points_mm, normals)
        bounced = 2 * (view * normals).sum(axis=1, keepdims=True) * normals - view
        # The room itself is mirrored too, as a pale veil that grows towards grazing looks.
        grazing = 1 - np.clip((view * normals).sum(axis=1), 0, 1)
        room = veil * (ROOM_MIRRORED + (1 - ROOM_MIRRORED) * grazing**4)
        glow = np.asarray(room[:, None] * np.asarray(self.ambient), np.float32)
        for lamp in self.lamps:
            away = np.asarray(lamp.place_mm) - points_mm
            distance = np.linalg.norm(away, axis=1)
            along = (away * bounced).sum(axis=1) / distance
            # A lamp is a disc in the sky: inside it all is mirrored, and roughness blurs its rim.
            angle = np.arccos(np.clip(along, -1, 1))
            radius = np.arctan2(lamp.size_mm / 2, distance)
            inside = np.clip((radius - angle) / roughness + 0.5, 0, 1)
            halo = 0.12 * np.exp(-np.maximum(angle - radius, 0) / (3 * roughness))
            image = (inside**2 * (3 - 2 * inside)) * _brightness(radius, roughness) + halo
            glow += image[:, None].astype(np.float32) * np.asarray(lamp.colour, np.float32)
        return glow

    def edge_lines(
        self, points_mm: Points, eye_mm: Points, outward: Points, roughness: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """The lines of light on rounded edges: how bright, and how far down each is, from 0 (top) to 1 (side).

        A rounded edge looks to all sides between up and outward, so it mirrors any lamp whose half-way direction to the
        eye lies in that fan.
        """
        view = _unit(eye_mm - points_mm)
        glow = np.zeros((len(points_mm), 3), np.float32)
        down, weight = np.zeros(len(points_mm)), np.full(len(points_mm), 1e-9)
        for lamp in self.lamps:
            half = _unit(view + lamp.towards(points_mm))
            out, up = (half * outward).sum(axis=1), half[:, 2]
            beside2 = np.maximum(1 - out**2 - up**2, 0)
            distance = float(np.linalg.norm(lamp.place_mm))
            radius = np.arctan2(lamp.size_mm / 2, distance)
            spread = EDGE_SPREAD + radius / 2
            facing = np.exp(-beside2 / (2 * spread**2)) * np.clip(out * 6 + 0.5, 0, 1)
            strength = facing * _brightness(np.asarray(radius), roughness)
            glow += strength[:, None].astype(np.float32) * np.asarray(lamp.colour, np.float32)
            down += strength * np.clip(np.arctan2(out, up) / (np.pi / 2), 0, 1)
            weight += strength
        return glow, down / weight

    def _waved(self, points_mm: Points, normals: Points) -> Points:
        """The normals of faces that are not quite flat."""
        if not self.ripple:
            return normals
        x, y = points_mm[:, 0], points_mm[:, 1]
        slope_x = np.sin(x / 31 + y / 67) + 0.6 * np.sin(y / 19 - x / 53)
        slope_y = np.sin(y / 37 - x / 71 + 2) + 0.6 * np.sin(x / 23 + y / 59)
        return _unit(normals + self.ripple * np.stack([slope_x, slope_y, np.zeros(len(x))], axis=1))


def draw_lighting(tier: Tier, factor: float, lens: SimulatedLens, rng: np.random.Generator) -> Lighting:
    """One to three lamps, warm or cold, and the light of the room, from hard to soft."""
    count = int(rng.integers(1, 4))
    brightness = float(rng.uniform(*tier.brightness)) * factor
    direct = float(rng.uniform(*tier.direct))
    shares = np.sort(rng.dirichlet(np.full(count, 1.5)) * direct)[::-1]
    glare = rng.random() < GLARE_CHANCE
    lamps = []
    for i, share in enumerate(shares):
        warmth = float(np.clip(rng.uniform(*tier.warmth) + rng.normal(0, 0.1), 0, 1))
        bearing, window = rng.uniform(0, 2 * np.pi), rng.random() < 0.4
        height = float(rng.uniform(700, 1500) if window else rng.uniform(600, 2000))
        away = float(rng.uniform(900, 2200) if window else rng.uniform(0, 1100))
        size = float(rng.uniform(500, 1400) if window else rng.uniform(60, 400))
        place = (float(np.sin(bearing) * away), float(np.cos(bearing) * away), height)
        if glare and i == 0:
            size = float(rng.uniform(*GLARE_MM))
            place = _where_mirrored(lens, height, rng)
        lamps.append(Lamp(place, size, _tint(warmth, brightness * float(share) * (1.6 if window else 1.0))))
    ambient = _tint(float(rng.uniform(*tier.warmth)), brightness * (1.15 - direct) * float(rng.uniform(0.8, 1.1)))
    veil = float(rng.uniform(0.6, 3.5)) if rng.random() < 0.6 else float(rng.uniform(0, 0.6))
    return Lighting(tuple(lamps), ambient, veil, float(rng.uniform(0, 0.03)))


def _where_mirrored(lens: SimulatedLens, height_mm: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """A place at a height where a lamp is mirrored by the table within the picture."""
    eye = np.asarray(lens.eye_mm)
    reach = GLARE_REACH * float(np.linalg.norm(eye - lens.target_mm)) * lens.width_px / lens.focal_px
    spot = np.array([*lens.target_mm[:2], 0.0]) + np.array([*rng.normal(0, reach, 2), 0.0])
    onward = (spot - eye)[:2] * (height_mm / eye[2])
    return float(spot[0] + onward[0]), float(spot[1] + onward[1]), height_mm


def _tint(warmth: float, strength: float) -> tuple[float, float, float]:
    blue, red = 1.14 - 0.6 * warmth, 0.9 + 0.33 * warmth
    return blue * strength, strength, red * strength


def _brightness(radius: NDArray[np.float64], roughness: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """How bright the image of a lamp is: the same light from a smaller spot is brighter, and roughness spreads it."""
    return np.asarray(np.clip(PLAIN_LOBE / (radius**2 + roughness**2), 0.25, BRIGHTEST_IMAGE))


def _unit(vectors: Points) -> Points:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def shadow_points(outlines_mm: Outline, heights_mm: Points, planes_mm: Points, lamp: Lamp) -> Points:
    """Where the top corners of prisms throw their shadows on planes under their feet."""
    top = np.column_stack([outlines_mm, planes_mm + heights_mm])
    beam = top - np.asarray(lamp.place_mm)
    reach = heights_mm / np.maximum(-beam[:, 2], 1e-6)
    return np.asarray(top + beam * reach[:, None])
