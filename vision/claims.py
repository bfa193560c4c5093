"""Whose a loose tile is that lies on no disc: the middle's, or that of the seat beside whose board it lies.

People let tiles slide out of the ring of discs, and keep their own on any side of their board. A tile that lies nearly
as near to another heap as to its own is claimed by both: then nobody can be sure of either.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.network import Floats
from vision.pose import Array

MIDDLE, NO_SEAT = -1, -2
"""The heap in the middle, and a heap on a disc; seats have their numbers from 0 on."""
REACH = 1.3
"""How far beyond the middles of discs the middle of the table reaches at least, in radii of a disc."""
BESIDE_MM = 170.0
"""How far from a board, or from the discs, tiles lie that belong to it."""
KEPT_OFF_MM = 15.0
"""So much nearer a seat's tiles are to its board than they look: people keep them a little way off."""
MIDDLE_CLAIMS, SEAT_CLAIMS = 2.0, 1.4
"""How many times as far away as the nearest heap the middle, or a seat's, may be to claim a tile as well. Set on 200
own tables: then 3 of 724 tiles of the middle and none of 2,024 of seats are claimed by wrong heaps alone."""


def claims(
    places_mm: Sequence[tuple[float, float]],
    discs_mm: Array,
    radius_mm: float,
    outlines: Sequence[Array],
    is_whole: bool = True,
) -> list[tuple[int, ...]]:
    """The heaps that claim each of these places, the nearest first; none where it is far from all.

    `outlines` are of the seats' boards; where seats have no heaps of their own the middle claims only tiles near discs,
    and so it does where the ring of discs is not whole, and nobody knows where it goes on.
    """
    ring = np.asarray(cv2.convexHull(discs_mm.astype(np.float32)), np.float32) if len(discs_mm) else None
    edges = [outline.astype(np.float32) for outline in outlines]
    reach = BESIDE_MM if edges and is_whole else 0.0
    return [_claimed(place, ring, radius_mm, reach, edges) for place in places_mm]


def _claimed(
    place: tuple[float, float], ring: Floats | None, radius_mm: float, reach_mm: float, edges: Sequence[Floats]
) -> tuple[int, ...]:
    far = {
        seat: max(off, 0.0) + KEPT_OFF_MM for seat, edge in enumerate(edges) if (off := _off(edge, place)) < BESIDE_MM
    }
    if ring is not None:
        off = _off(ring, place)
        if off < REACH * radius_mm:
            return (MIDDLE,)
        if off - radius_mm < reach_mm:
            far[MIDDLE] = off - radius_mm
    order = sorted(far, key=far.__getitem__)
    return tuple(
        heap
        for heap in order
        if heap == order[0] or far[heap] < (MIDDLE_CLAIMS if heap == MIDDLE else SEAT_CLAIMS) * far[order[0]]
    )


def _off(outline: Floats, place: tuple[float, float]) -> float:
    """How far outside an outline a place lies; less than nothing inside."""
    return -cv2.pointPolygonTest(outline, place, True)
