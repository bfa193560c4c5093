"""Lamps and windows over the table: how bright a face is, what it mirrors, and where its shadow falls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline
from hardware.tabletop.lens import Points

UP = np.array([0.0, 0.0, 1.0])
ROOM_MIRRORED = 0.35
"""How much of the room's own light a glossy face shows when looked at from straight above."""


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

    def on_faces(self, points_mm: Points, normals: Points) -> NDArray[np.float32]:
        """The light on faces: a face that looks sideways gets less of what comes from everywhere."""
        sky = 0.55 + 0.45 * normals[:, 2:]
        total = np.asarray(self.ambient, np.float32) * sky.astype(np.float32)
        for lamp in self.lamps:
            total = total + lamp.light(points_mm, normals)
        return np.asarray(total, np.float32)

    def mirrored(self, points_mm: Points, eye_mm: Points, normals: Points, roughness: float) -> NDArray[np.float32]:
        """How brightly glossy faces mirror the lamps towards the eye, blue first."""
        view = eye_mm - points_mm
        view = view / np.linalg.norm(view, axis=1, keepdims=True)
        bounced = 2 * (view * normals).sum(axis=1, keepdims=True) * normals - view
        # The room itself is mirrored too, as a pale veil that grows towards grazing looks.
        grazing = 1 - np.clip((view * normals).sum(axis=1), 0, 1)
        veil = ROOM_MIRRORED + (1 - ROOM_MIRRORED) * grazing**4
        glow = np.asarray(veil[:, None] * np.asarray(self.ambient), np.float32)
        for lamp in self.lamps:
            away = np.asarray(lamp.place_mm) - points_mm
            distance = np.linalg.norm(away, axis=1)
            along = (away * bounced).sum(axis=1) / distance
            # A lamp is a disc in the sky: inside it all is mirrored, and roughness blurs its rim.
            angle = np.arccos(np.clip(along, -1, 1))
            radius = np.arctan2(lamp.size_mm / 2, distance)
            inside = np.clip((radius - angle) / roughness + 0.5, 0, 1)
            halo = 0.12 * np.exp(-np.maximum(angle - radius, 0) / (3 * roughness))
            glow += ((inside**2 * (3 - 2 * inside)) + halo)[:, None].astype(np.float32) * np.asarray(
                lamp.colour, np.float32
            )
        return glow


def shadow_outline(outline_mm: Outline, height_mm: float, plane_mm: float, lamp: Lamp) -> Points:
    """The points whose hull is the shadow of a prism on a plane under its foot."""
    foot = np.column_stack([outline_mm, np.full(len(outline_mm), plane_mm)])
    top = np.column_stack([outline_mm, np.full(len(outline_mm), plane_mm + height_mm)])
    beam = top - np.asarray(lamp.place_mm)
    reach = height_mm / np.maximum(-beam[:, 2:], 1e-6)
    cast = top + beam * reach
    return np.vstack([foot, cast])
