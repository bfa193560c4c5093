"""How kinds of pieces look: colour, ornament, motif and letters, and the shape of a single piece."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine import Cell, Edition
from engine.own_prints import PrintedKind
from engine.table import CARD, EMPTY, MARKER, UNSEEN, card_of

CHIP_MM = 20.0
"""How high a single piece is drawn."""
NO_COLOUR = "plain"
"""The hue of what is told by its motif alone."""
FAMILIES = {EMPTY: "empty", UNSEEN: "unseen", MARKER: "marker"}


@dataclass(frozen=True, slots=True)
class TileFace:
    """What tells a kind of piece from others, each of it alone."""

    hue: str
    """By which it is painted and has its ornament."""
    motif: str
    """The number of its picture, where kinds of one colour differ by pictures."""
    label: str
    """What stands on it."""
    is_card: bool = False
    """Whether it is a card that shows this, or nothing if it lies face down."""


@lru_cache(maxsize=1024)
def face_of(kind: str) -> TileFace:
    """The face of a kind; of a card that lies turned somehow, the face that it prints."""
    if (card := card_of(kind)) is not None:
        inner = face_of(card[0]) if card[0] else TileFace(CARD, "", "")
        return replace(inner, is_card=True)
    hue = FAMILIES.get(kind) or kind.rstrip("0123456789")
    motif = "" if kind in FAMILIES else kind[len(hue) :]
    return TileFace(hue, motif, "" if kind == EMPTY else kind)


def face_of_print(kind: PrintedKind) -> TileFace:
    """The face of what a board prints: a kind, or a picture alone."""
    return TileFace(NO_COLOUR, kind.value, kind.value) if kind.is_motif else face_of(kind.value)


@lru_cache
def chip_points(slug: str, shape: str, size_mm: float) -> str:
    """The outline of a single piece of an edition, as high as chips are; a long one stands upright."""
    outline = Cell(slug, "", "", 0.0, 0.0, 0.0, shape, size_mm, 0.0).outline_mm()
    scale = CHIP_MM / max(2 * abs(y) for _, y in outline)
    return " ".join(f"{x * scale:.2f},{y * scale:.2f}" for x, y in outline)


def chip_size(edition: Edition[Any, Any] | None, look: TileFace) -> tuple[float, str]:
    """How large what stands on a single piece of an edition is, and the shape around it."""
    if edition is None or look.hue in FAMILIES.values():
        return CHIP_MM, "square"
    shape = edition.layout.tile.shape
    return {"hex": CHIP_MM / 2 if look.motif else CHIP_MM, "rhombus": 0.95 * CHIP_MM}.get(shape, CHIP_MM), shape


def chip_of(edition: Edition[Any, Any] | None) -> str:
    """The outline of a tile of an edition; a square where none is known."""
    if edition is None:
        return chip_points("", "square", CHIP_MM)
    piece = edition.layout.tile
    return chip_points(edition.slug, piece.shape, piece.size_mm)
