"""Cards that carry tiles: what they print, and how they lie beside the board of all.

Heaps on cards are discs of a stage whose first piece is the card itself: `card` face down, `card:B3` with its print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np

from engine.layout import CARD, Layout, Piece
from hardware.tabletop.canvas import Outline
from hardware.tabletop.drawing import unit_outline
from hardware.tabletop.outlines import are_apart, grown, rotation
from hardware.tabletop.places import Placed, Rng, own_surfaces, placed_at, rng_of, towards
from hardware.tabletop.stage import Stage

ROOM, COLUMNS = 12, (3, 5)
"""For how many cards room is kept, and in how many columns they lie: from the first to below the second."""
PITCH_MM = (1.0, 1.25)
"""How far apart cards lie, in their width."""
ASTRAY_MM = 4.0
GAP_MM = (6.0, 30.0)
"""Between cards and boards, and between the boards of a seat."""
AROUND_MM = (15.0, 60.0)
"""Between the middle and the boards of seats."""
AT_RIGHT = 0.65
"""How often a seat's other boards lie at the right hand of its first."""
ANY_TURN = 0.3
"""How often a card lies turned by any angle and not along the others."""
Middles = tuple[tuple[float, float], ...]


def are_cards(layout: Layout) -> bool:
    """Whether heaps lie on cards, and not on discs."""
    return layout.disc is not None and bool(layout.disc.prints)


def card_of(kinds: Sequence[str]) -> str:
    """The card of a heap: the kind of its print, or empty where it lies face down."""
    return next((kind.partition(":")[2].partition("@")[0] for kind in kinds if kind.startswith(CARD)), "")


def tiles_on(kinds: Sequence[str]) -> tuple[str, ...]:
    """The pieces that lie on the card of a heap."""
    return tuple(kind for kind in kinds if not kind.startswith(CARD))


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that carries a heap: where its middle is, how it is turned, and how many cards lie under it."""

    middle_mm: tuple[float, float]
    turn_deg: float
    printed: str
    """The kind of its print; empty where it lies face down."""
    under: int

    def to_world(self, places_mm: Outline) -> Outline:
        """Places on the card as places on the table."""
        return np.asarray(places_mm @ rotation(self.turn_deg).T + self.middle_mm)


def lying_cards(stage: Stage, middles: Middles, seed: int) -> list[LyingCard]:
    """The cards of a stage's heaps."""
    found = []
    for i, (middle, kinds) in enumerate(zip(middles, stage.discs, strict=True)):
        rng = rng_of(seed, f"card {i}")
        turn = float(rng.uniform(0, 360)) if rng.random() < ANY_TURN else 60.0 * int(rng.integers(6))
        found.append(LyingCard(middle, turn + float(rng.normal(0, 5)), card_of(kinds), pile_under(stage, i)))
    return found


def pile_under(stage: Stage, number: int) -> int:
    """How many cards lie under the one that carries a heap."""
    return stage.piles[number] if number < len(stage.piles) else 0


def around_cards(stage: Stage, layout: Layout, rng: Rng) -> tuple[tuple[Placed, ...], tuple[Placed, ...], Middles]:
    """The board of all with the cards beside it, and the boards of seats around both, facing their owners."""
    shared, middles = _in_the_middle(stage, layout, rng)
    reach = _width_mm(layout) / 2
    corners = [placed.corners_mm for placed in shared]
    corners += [np.array(middle) + reach * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) for middle in middles]
    points = np.vstack([*corners, np.zeros((1, 2))])
    boards: list[Placed] = []
    seats = sorted(stage.boards)
    for i, seat in enumerate(seats):
        bearing = 180.0 + 360.0 * i / len(seats) + float(rng.normal(0, 4))
        boards += _seated(seat, bearing, layout, points, boards, rng)
    return tuple(boards), shared, middles[: len(stage.discs)]


def _in_the_middle(stage: Stage, layout: Layout, rng: Rng) -> tuple[tuple[Placed, ...], Middles]:
    """The boards of all and places for cards in rows beside them, all of it turned by chance."""
    # Mostly along the table, whose first player sits at its long side.
    turn = float(rng.choice([0.0, 180.0, 90.0, 270.0], p=[0.4, 0.35, 0.125, 0.125]))
    way, gap = rotation(turn), float(rng.uniform(*GAP_MM))
    common = [surface for surface in layout.surfaces if surface.shared]
    wide = sum(surface.width_mm for surface in common)
    columns, pitch = int(rng.integers(*COLUMNS)), _width_mm(layout) * rng.uniform(*PITCH_MM, 2)
    left, shared = -(wide + gap + columns * pitch[0]) / 2, list[Placed]()
    for surface in common:
        middle = way @ (left + surface.width_mm / 2, float(rng.normal(0, 8)))
        facing = (turn + 90.0 * int(rng.integers(4)) + float(rng.normal(0, 3))) % 360
        shared.append(placed_at(0, surface, middle, facing))
        left += surface.width_mm + gap
    # Room is kept for as many cards as usually lie out: boards stay where they are while cards come and go.
    count = max(ROOM, len(stage.discs))
    rows, order = -(-ROOM // columns), rng.permutation(ROOM) if rng.random() < 0.5 else np.arange(ROOM)
    astray = np.random.default_rng(int(rng.integers(1 << 32))).normal(0, ASTRAY_MM, (count, 2))
    places = []
    for place, off in zip((*order, *range(ROOM, count)), astray, strict=True):
        row, column = divmod(int(place), columns)
        places.append(way @ ((left, 0.0) + pitch * (column + 0.5, row - (rows - 1) / 2) + off))
    middles = [(float(x), float(y)) for x, y in places]
    return tuple(shared), tuple(middles)


def _seated(
    seat: int, bearing: float, layout: Layout, points_mm: Outline, others: Sequence[Placed], rng: Rng
) -> list[Placed]:
    """The boards of a seat side by side, pushed away from the middle until they lie free."""
    own, *more = own_surfaces(layout)
    turn = (bearing - 180.0 + float(rng.normal(0, 4))) % 360
    side = 1.0 if rng.random() < AT_RIGHT else -1.0
    gaps = [float(rng.uniform(*GAP_MM)) for _ in more]
    wide = own.width_mm + sum(surface.width_mm + gap for surface, gap in zip(more, gaps, strict=True))
    # The middle of all of them lies before the seat, and the first at one end.
    aside = rotation(turn) @ (side * (own.width_mm - wide) / 2 + float(rng.normal(0, 15)), 0.0)
    away = float((points_mm @ towards(bearing, 1.0)).max()) + own.height_mm / 2 + float(rng.uniform(*AROUND_MM))
    taken = [grown(placed.corners_mm, 4.0) for placed in others]
    while True:
        boards = [placed_at(seat, own, towards(bearing, away) + aside, turn)]
        along = own.width_mm / 2
        for surface, gap in zip(more, gaps, strict=True):
            right = side * (along + gap + surface.width_mm / 2)
            place = boards[0].to_world(np.array([[own.width_mm / 2 + right, own.height_mm / 2]]))[0]
            boards.append(placed_at(seat, surface, place, turn + float(rng.normal(0, 1.5))))
            along += gap + surface.width_mm
        if all(are_apart(placed.corners_mm, other) for placed in boards for other in taken):
            return boards
        away += 6.0


def _width_mm(layout: Layout) -> float:
    """How wide a card is."""
    return 2 * float(np.abs(unit_outline(layout.disc.shape)).max()) * layout.disc.size_mm if layout.disc else 0.0


@lru_cache
def places_on(card: Piece) -> Outline:
    """The seven places of a card that is not turned: the middle, then clockwise from the one that may be printed."""
    away = sqrt(3) * card.size_mm
    return np.vstack([np.zeros((1, 2)), *(towards(60.0 * k, away)[None] for k in range(6))])
