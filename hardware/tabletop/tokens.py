"""Where the tokens lie that seats get for laps gone on a track: beside their boards, or beside the board of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from engine.layout import Layout, Piece
from hardware.tabletop.art import Art
from hardware.tabletop.canvas import Outline
from hardware.tabletop.heaps import LooseSpot
from hardware.tabletop.outlines import are_apart, grown, outline_at, rotation
from hardware.tabletop.pieces import Laid, piece_solid
from hardware.tabletop.places import Placed, Rng, own_surfaces, rng_of
from hardware.tabletop.solids import Solid
from hardware.tabletop.stage import Stage

AT_OWN_BOARD = 0.75
"""How often a token lies beside its owner's board, and not beside the board with the track."""


def _token(layout: Layout) -> Piece | None:
    """The piece that tells a lap gone; None where no track has one."""
    return next((layout.piece(track.token) for track in layout.tracks if track.token), None)


def token_spots(
    layout: Layout, boards: Sequence[Placed], shared: Sequence[Placed], others: Iterable[Outline], seed: int
) -> dict[int, LooseSpot]:
    """The place that is kept for each seat's token, whether it has one or not; none where a game has no tokens."""
    token, own = _token(layout), own_surfaces(layout)[0].name
    if token is None:
        return {}
    taken = [*(grown(placed.corners_mm, 2.0) for placed in (*boards, *shared)), *others]
    found: dict[int, LooseSpot] = {}
    for placed in boards:
        if placed.surface == own:
            rng = rng_of(seed, f"token {placed.seat}")
            beside = placed if rng.random() < AT_OWN_BOARD else shared[int(rng.integers(len(shared)))]
            found[placed.seat] = _beside(beside, token, taken, rng)
            taken.append(_outline(token, found[placed.seat]))
    return found


def token_outlines(layout: Layout, spots: dict[int, LooseSpot]) -> list[Outline]:
    """The outlines of the tokens at these places."""
    token = _token(layout)
    return [_outline(token, spot) for spot in spots.values()] if token else []


def _outline(token: Piece, spot: LooseSpot) -> Outline:
    return outline_at(token.shape, token.size_mm, spot.place_mm, spot.turn_deg)


def _beside(placed: Placed, token: Piece, taken: list[Outline], rng: Rng) -> LooseSpot:
    """A free place along a side of a board, farther away where there is none."""
    half, farthest_mm = np.array(placed.size_mm) / 2, 0.6 * token.size_mm
    while True:
        way = rotation(90.0 * int(rng.integers(4))) @ (0.0, 1.0)
        away = way * (half + token.size_mm * 0.75 + float(rng.uniform(0, farthest_mm)))
        at = half + away + way[::-1] * half * float(rng.uniform(-1.0, 1.0))
        turn = placed.turn_deg + 90.0 * int(rng.integers(4)) + float(rng.normal(0, 12))
        spot = LooseSpot(placed.to_world(at[None])[0], turn)
        if all(are_apart(_outline(token, spot), other) for other in taken):
            return spot
        farthest_mm *= 1.02


def tokens(
    stage: Stage, layout: Layout, art: Art, spots: dict[int, LooseSpot], seed: int
) -> Iterator[tuple[Solid, Laid]]:
    """The tokens that seats have, those of one seat on each other."""
    token = _token(layout)
    if token is None:
        return
    for seat, spot in spots.items():
        for i in range(stage.tokens.get(seat, 0)):
            rng = rng_of(seed, f"token {seat} {i}")
            place = spot.place_mm + rng.normal(0, 1.0, 2) * (i > 0)
            base_mm, gloss = i * token.height_mm, float(rng.uniform(0.02, 0.2))
            solid = piece_solid(token, token.name, art, place, spot.turn_deg, base_mm, gloss, rng)
            yield solid, Laid(token.name, f"token {seat}", (float(place[0]), float(place[1])), solid.top_mm)
