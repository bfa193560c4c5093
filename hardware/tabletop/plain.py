"""How boards and pieces look of which no style says anything: every kind in a colour of its own, with its letters."""

from __future__ import annotations

import colorsys
from typing import Any

from engine.layout import TRACK, Layout, Zone

PAPER, GROUND, INK, LIGHT = "#e9e2d2", "#d3cab6", "#4a4438", "#f6f2e8"
SATURATION, BRIGHTNESS = 0.62, 0.78
TEXT_SIZE = 0.34
"""Of the letters on a piece."""


def plain_style(layout: Layout) -> dict[str, Any]:
    """A style in which everything of a layout can be drawn."""
    kinds = list(dict.fromkeys(kind for piece in layout.pieces for kind in piece.kinds))
    faces = {piece.name: {"colour": LIGHT, "side": GROUND} for piece in layout.pieces}
    faces |= {kind: _face(kind, number / len(kinds)) for number, kind in enumerate(kinds)}
    return {
        "faces": faces,
        "boards": {surface.name: {"paper": PAPER} for surface in layout.surfaces},
        "zones": {zone.name: _manner(zone) for zone in layout.zones},
    }


def _face(kind: str, hue: float) -> dict[str, Any]:
    red, green, blue = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, SATURATION, BRIGHTNESS))
    return {"colour": f"#{red:02x}{green:02x}{blue:02x}", "text": kind, "ink": LIGHT, "text_size": TEXT_SIZE}


def _manner(zone: Zone) -> dict[str, Any]:
    manner = {"fill": GROUND, "edge": INK}
    return manner | {"number": INK} if zone.role == TRACK else manner
