"""What else stands on a table: cups, bottles, phones, cards, boxes, holders for discs, and hands that reach in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.tabletop.canvas import Outline, linear_colour
from hardware.tabletop.solids import Solid

Rng = np.random.Generator
Spot = tuple[NDArray[np.float64], float]


def strew(count: int, taken: list[Spot], table_mm: Outline, rng: Rng) -> tuple[list[Solid], list[Solid]]:
    """So many things on the table where none of the game lies: the tall ones, and those that lie flat."""
    reach = np.abs(table_mm).max(axis=0) * 0.82
    talls: list[Solid] = []
    flats: list[Solid] = []
    spots = list(taken)
    for _ in range(count):
        kind = _KINDS[int(rng.integers(len(_KINDS)))]
        for _ in range(20):
            middle = rng.uniform(-1, 1, 2) * reach
            if all(np.linalg.norm(middle - other) > room + 60 for other, room in spots):
                spots.append((middle, 60.0))
                (talls if kind in _TALL else flats).extend(kind(middle, rng))
                break
    return talls, flats


def hand(corners_mm: Outline, rng: Rng) -> list[Solid]:
    """A hand and sleeve reaching over a board from its owner's side."""
    weights = rng.dirichlet(np.ones(4))
    near = corners_mm[2:].mean(axis=0)
    return _arm(weights @ corners_mm, corners_mm.mean(axis=0) - near, 250.0, rng)


def taking_hand(corners_mm: Outline, rng: Rng) -> list[Solid]:
    """A hand in the middle of the table, its arm reaching from the owner's side over a board or past it."""
    tip = rng.normal(0, TAKING_MM, 2)
    start = corners_mm[2:].mean(axis=0) + rng.normal(0, TAKING_MM, 2)
    # The arm goes on to a shoulder, which is beyond the table.
    return _arm(tip, tip - start, float(np.linalg.norm(tip - start)) + 400.0, rng)


TAKING_MM = 70.0
"""How far from the middle a hand takes, and from the middle of its owner's side its arm comes (standard deviation)."""


def _arm(tip: NDArray[np.float64], way: NDArray[np.float64], length_mm: float, rng: Rng) -> list[Solid]:
    """A hand with its fingers at a place, coming this way, and so much of its arm."""
    along = way / np.linalg.norm(way)
    across = np.array([-along[1], along[0]])
    skin = linear_colour(*(np.array([224, 172, 140]) * float(rng.uniform(0.35, 1.05))))
    sleeve = linear_colour(*rng.uniform(20, 220, 3))
    height = float(rng.uniform(22, 45))
    parts = [_capsule(tip - along * length_mm, tip - along * 110, 46, sleeve, height)]
    parts.append(_capsule(tip - along * 120, tip - along * 62, 40, skin, height))
    for i, offset in enumerate((-30, -11, 9, 28)):
        reach = (6, 0, 3, 14)[i] + float(rng.uniform(0, 10))
        start = tip - along * 66 + across * offset
        end = tip - along * reach + across * offset * 0.75
        parts.append(_capsule(start, end, 9.5, skin, height * 0.8))
    thumb = tip - along * 88 + across * 40
    parts.append(_capsule(thumb, thumb + along * 40 + across * 10, 11, skin, height * 0.8))
    return parts


def _capsule(
    start: NDArray[np.float64], end: NDArray[np.float64], radius: float, colour: NDArray[np.float32], height: float
) -> Solid:
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    across = np.array([-along[1], along[0]])
    angles = np.linspace(-np.pi / 2, np.pi / 2, 9)
    head = [end + radius * (along * np.cos(a) + across * np.sin(a)) for a in angles]
    tail = [start - radius * (along * np.cos(a) + across * np.sin(a)) for a in angles]
    return Solid(np.array(head + tail), height * 0.4, height * 0.6, colour, bevel_mm=min(radius * 0.5, height * 0.3))


def _round(middle: NDArray[np.float64], radius: float, corners: int = 36) -> Outline:
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1) * radius + middle


def _box(middle: NDArray[np.float64], width: float, depth: float, rng: Rng) -> Outline:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, depth / 2)
    return np.asarray(corners @ _turned(rng) + middle)


def _any_colour(rng: Rng) -> NDArray[np.float32]:
    """Mostly muted, now and then a loud plastic."""
    grey = rng.uniform(25, 225)
    strength = rng.uniform(60, 120) if rng.random() < 0.25 else rng.uniform(5, 40)
    return linear_colour(*np.clip(grey + rng.uniform(-1, 1, 3) * strength, 4, 250))


def _cup(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    radius, height, colour = float(rng.uniform(32, 46)), float(rng.uniform(60, 110)), _any_colour(rng)
    inside = Solid(_round(middle, radius * 0.86), height - 6, 0.5, _any_colour(rng), gloss=0.2)
    return [Solid(_round(middle, radius), 0.0, height, colour, gloss=0.3, bevel_mm=3), inside]


def _bottle(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    radius, height, colour = float(rng.uniform(28, 42)), float(rng.uniform(120, 220)), _any_colour(rng)
    body = Solid(_round(middle, radius), 0.0, height, colour, gloss=0.4, bevel_mm=12)
    return [body, Solid(_round(middle, radius * 0.55), height, 28.0, _any_colour(rng), gloss=0.3, bevel_mm=3)]


def _bowl(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    radius = float(rng.uniform(55, 85))
    filled = Solid(_round(middle, radius * 0.88), 38.0, 0.5, _any_colour(rng))
    return [Solid(_round(middle, radius), 0.0, 38.0, _any_colour(rng), gloss=0.3, bevel_mm=4), filled]


def _phone(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    return [Solid(_box(middle, 72, 150, rng), 0.0, 8.0, linear_colour(*rng.uniform(5, 60, 3)), gloss=0.5, bevel_mm=2)]


def _card(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    return [
        Solid(_box(middle + rng.normal(0, 14, 2), 63, 88, rng), 0.3 * i, 0.3, _any_colour(rng), gloss=0.1)
        for i in range(int(rng.integers(1, 4)))
    ]


def _box_of_games(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    side = float(rng.uniform(90, 140))
    return [
        Solid(_box(middle, side, side, rng), 0.0, float(rng.uniform(25, 70)), _any_colour(rng), gloss=0.2, bevel_mm=1)
    ]


def _pencil(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    return [Solid(_box(middle, 8, 170, rng), 0.0, 7.0, _any_colour(rng), gloss=0.1, bevel_mm=2)]


def _loud_colour(rng: Rng) -> NDArray[np.float32]:
    """A colour of printed plastic."""
    hue = rng.uniform(0, 2 * np.pi) + np.array([0, 2, 4]) * np.pi / 3
    return linear_colour(*np.clip(rng.uniform(110, 160) + rng.uniform(50, 110) * np.cos(hue), 5, 250))


def _ring_holder(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    """A flower of open rings around a small one, each ring a chain of short bars."""
    colour, height = _loud_colour(rng), float(rng.uniform(3, 8))
    count, radius = int(rng.integers(5, 9)), float(rng.uniform(62, 78))
    ring = radius * float(np.sin(np.pi / count)) * 0.98
    width = float(rng.uniform(4, 7))
    petals = [middle + petal for petal in _round(np.zeros(2), radius - ring, count) @ _turned(rng)]
    rings = [(middle, radius * 0.22), *((petal, ring) for petal in petals)]
    parts = []
    for at, reach in rings:
        outer, inner = _round(at, reach, 14), _round(at, max(reach - width, 2.0), 14)
        for i in range(len(outer)):
            j = (i + 1) % len(outer)
            parts.append(Solid(np.array([outer[i], outer[j], inner[j], inner[i]]), 0.0, height, colour))
    return parts


def _well_holder(middle: NDArray[np.float64], rng: Rng) -> list[Solid]:
    """A round or cornered plate with hollows around its middle."""
    colour, height = _loud_colour(rng), float(rng.uniform(3, 10))
    count, radius = int(rng.integers(4, 9)), float(rng.uniform(55, 78))
    corners = 36 if rng.random() < 0.5 else count
    well = 0.5 * radius * float(np.sin(np.pi / count))
    plate = Solid(_round(np.zeros(2), radius, corners) @ _turned(rng) + middle, 0.0, height, colour, gloss=0.2)
    hollows = _round(middle, radius * 0.62, count)
    return [plate, *(Solid(_round(at, well, 16), height, 0.1, colour * np.float32(0.55)) for at in hollows)]


def _turned(rng: Rng) -> NDArray[np.float64]:
    turn = rng.uniform(0, 2 * np.pi)
    return np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])


_TALL = (_cup, _bottle, _bowl, _box_of_games)
_KINDS = (*_TALL, _phone, _card, _pencil, _ring_holder, _well_holder)
