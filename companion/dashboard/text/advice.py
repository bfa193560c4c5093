"""Plain advice about where the camera looks, from what was read in a photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.dashboard.text.words import gettext as _

NEAR = 0.02
"""A corner this near to the picture's edge, of its width, is as good as cut off."""
SMALLEST = 0.12
"""A board smaller than this, of the picture's width, has tiles too small to tell."""
MANY_DOUBTS = 5


def advice(reading: Mapping[str, Any], width: int, height: int, players: int = 0) -> list[str]:
    """What could be better, a sentence each; nothing if all is well."""
    found = len(reading["boards"])
    missing = [_("%(found)s of %(players)s boards are found: all have to be in view.", found=found, players=players)]
    return (missing if found < players else []) + list(_advice(reading, width, height))


def _advice(reading: Mapping[str, Any], width: int, height: int) -> Iterator[str]:
    for board in reading["boards"]:
        seat, corners = board["seat"], board.get("corners_px", [])
        if any(x < NEAR * width for x, _y in corners):
            yield _("Board %(seat)s is cut off on the left.", seat=seat)
        if any(x > (1 - NEAR) * width for x, _y in corners):
            yield _("Board %(seat)s is cut off on the right.", seat=seat)
        if any(y < NEAR * width for _x, y in corners):
            yield _("Board %(seat)s is cut off at the top.", seat=seat)
        if any(y > height - NEAR * width for _x, y in corners):
            yield _("Board %(seat)s is cut off at the bottom.", seat=seat)
        if corners and max(x for x, _y in corners) - min(x for x, _y in corners) < SMALLEST * width:
            yield _("Board %(seat)s is small: bring the camera nearer.", seat=seat)
        if len(board.get("doubts", ())) >= MANY_DOUBTS:
            yield _("Board %(seat)s is hard to read: move lamps that glare, or give more light.", seat=seat)
