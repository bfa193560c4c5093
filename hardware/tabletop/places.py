"""Where boards and discs lie on the table, and the chance that each thing has of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.layout import Layout, Surface
from hardware.tabletop.canvas import Outline
from hardware.tabletop.outlines import are_apart, grown, rotation
from hardware.tabletop.stage import Stage, StageMoment

Rng = np.random.Generator
BETWEEN = 0.7
"""How often a board of all is laid between two seats."""
ASKEW = 0.12
"""How often it is turned by any angle."""
GAP_MM = 8.0
"""How much room a board of all has beside the others, at least."""
FARTHEST = 1.35
"""How far from the middle it lies at most, in the distance of the seats' boards."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A surface lying on the table: its middle, and how far it is turned clockwise."""

    seat: int
    surface: str
    size_mm: tuple[float, float]
    middle_mm: tuple[float, float]
    turn_deg: float

    def to_world(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Places on the surface as places on the table."""
        away = (points_mm - np.array(self.size_mm) / 2) @ rotation(self.turn_deg).T
        return np.asarray(away + self.middle_mm)

    @property
    def corners_mm(self) -> Outline:
        """Top left, top right, bottom right, bottom left as its owner sees it."""
        width, height = self.size_mm
        return self.to_world(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))

    def nudged(self, moment: StageMoment) -> Placed:
        """The same after its seat's pushes."""
        right, down, turn = moment.nudges.get(self.seat, (0.0, 0.0, 0.0))
        middle = (self.middle_mm[0] + right, self.middle_mm[1] + down)
        return replace(self, middle_mm=middle, turn_deg=(self.turn_deg + turn) % 360)


def rng_of(seed: int, of: str) -> Rng:
    """Chance for one thing, that depends on nothing but the seed and its name."""
    return np.random.default_rng([seed, crc32(of.encode())])


def own_surfaces(layout: Layout) -> list[Surface]:
    """The surfaces that every seat has, the first being its board."""
    return [surface for surface in layout.surfaces if not surface.shared]


def arrange(
    stage: Stage, layout: Layout, rng: Rng
) -> tuple[tuple[Placed, ...], tuple[Placed, ...], tuple[tuple[float, float], ...]]:
    """Boards around the table facing their owners, what all share, and discs in a ring in the middle."""
    own, *others = own_surfaces(layout)
    common = [surface for surface in layout.surfaces if surface.shared]
    seats = sorted(stage.boards)
    ring = 22.0 + 14.5 * len(stage.discs) + float(rng.uniform(0, 25))
    # Without discs the board that all share has the middle.
    inner = ring + 52 if stage.discs else max((0.55 * surface.width_mm for surface in common), default=40.0)
    reach = inner + own.height_mm / 2 + sum(0.6 * surface.width_mm for surface in others) + float(rng.uniform(0, 40))
    boards: list[Placed] = []
    for i, seat in enumerate(seats):
        bearing = 180.0 + 360.0 * i / len(seats) + float(rng.normal(0, 4))
        stretch = 1.12 if abs(np.sin(np.radians(bearing))) > 0.7 else 1.0
        middle = towards(bearing, reach * stretch) + rng.normal(0, 12, 2)
        turn = (bearing - 180.0 + float(rng.normal(0, 4))) % 360
        boards.append(placed_at(seat, own, middle, turn))
        for surface in others:
            # What else belongs to a player lies at the right hand of the board.
            beside = np.array([[own.width_mm + surface.width_mm / 2 + 12, own.height_mm / 2]])
            boards.append(placed_at(seat, surface, boards[-1].to_world(beside)[0], turn))
    start = float(rng.uniform(0, 360))
    discs = []
    for i in range(len(stage.discs)):
        bearing = start + 360.0 * i / len(stage.discs) + float(rng.normal(0, 2))
        x, y = towards(bearing, ring + float(rng.normal(0, 5)))
        discs.append((float(x), float(y)))
    chance = np.random.default_rng(int(rng.integers(1 << 32))) if common else rng
    shared: list[Placed] = []
    for surface in common:
        taken = [grown(placed.corners_mm, GAP_MM) for placed in (*boards, *shared)]
        if discs:
            taken.append(_towards_all(np.arange(0.0, 360.0, 30.0), ring + 60.0))
        shared.append(_shared(surface, taken, seats, reach, chance) if discs else _in_the_middle(surface, chance))
    return tuple(boards), tuple(shared), tuple(discs)


def _in_the_middle(surface: Surface, rng: Rng) -> Placed:
    return placed_at(0, surface, np.zeros(2), _any_turn(rng))


def _shared(surface: Surface, taken: list[Outline], seats: list[int], reach_mm: float, rng: Rng) -> Placed:
    """A board of all where nothing else lies: between two seats, beside a board, or anywhere around the middle.

    It is pushed away from the middle until it lies free; where that is farther than people lay it, chance draws again.
    """
    farthest_mm = FARTHEST * reach_mm
    while True:
        between = 180.0 + 360.0 * (int(rng.integers(len(seats))) + 0.5) / len(seats)
        bearing = between + float(rng.normal(0, 9)) if rng.random() < BETWEEN else float(rng.uniform(0, 360))
        turn_deg, more_mm = _any_turn(rng), float(rng.exponential(15.0))
        for away_mm in np.arange(0.0, farthest_mm, 6.0):
            placed = placed_at(0, surface, towards(bearing, float(away_mm) + more_mm), turn_deg)
            if all(are_apart(placed.corners_mm, other) for other in taken):
                return placed
        farthest_mm *= 1.002


def _any_turn(rng: Rng) -> float:
    """How people lay a board that nobody owns: straight for one of four sides, now and then askew."""
    if rng.random() < ASKEW:
        return float(rng.uniform(0, 360))
    return (90.0 * int(rng.integers(4)) + float(rng.normal(0, 4))) % 360


def _towards_all(bearings_deg: NDArray[np.float64], distance_mm: float) -> Outline:
    return np.stack([towards(float(bearing), distance_mm) for bearing in bearings_deg])


def placed_at(seat: int, surface: Surface, middle: NDArray[np.float64], turn_deg: float) -> Placed:
    """A surface with its middle there."""
    size = (surface.width_mm, surface.height_mm)
    return Placed(seat, surface.name, size, (float(middle[0]), float(middle[1])), turn_deg)


def towards(bearing_deg: float, distance_mm: float) -> NDArray[np.float64]:
    """So far from the middle of the table, clockwise from straight up."""
    bearing = np.radians(bearing_deg)
    return np.array([np.sin(bearing), -np.cos(bearing)]) * distance_mm
