"""A reading drawn over the picture that it was read from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tables import places_of
from engine import load
from engine.table import ALL, written
from vision.draw import OverlayLabels, overlay
from vision.rectify import Picture
from vision.sighting import Sighting


def draw_reading(picture: Picture, sighting: Sighting, table: Mapping[str, Any]) -> Picture:
    """The picture with what was made of it, as JSON, drawn over it."""
    return overlay(picture, sighting, load(sighting.edition).layout, told_of(table))


def told_of(table: Mapping[str, Any]) -> OverlayLabels:
    """What the JSON of a reading tells, as it is drawn."""
    edition = load(table["edition"])
    read = edition.parse_table(table)
    doubts = {(ALL, doubt["cell"]): doubt["reads"] for doubt in table.get("doubts", ())}
    for board in table["boards"]:
        doubts |= {(board["seat"], doubt["cell"]): doubt["reads"] for doubt in board.get("doubts", ())}
    return OverlayLabels(
        {(seat, name): kind for seat, name, kind in read.items()},
        {(part.seat, name): number for part in read.parts for name, number in part.tracks.items()},
        {place: (name, written(read.common.heaps.get(name, ()))) for name, place in places_of(table, edition)},
        doubts,
    )
