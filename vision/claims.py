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

    `outlines` are of the seats' boards; where seats have no heaps of their own the middle claims only tiles near discs.
    Where the ring of discs is not whole nobody knows where it goes on: other tiles are a seat's before the middle's.
    """
    ring = np.asarray(cv2.convexHull(discs_mm.astype(np.float32)), np.float32) if len(discs_mm) else None
    edges = [outline.astype(np.float32) for outline in outlines]
    return [_claimed(place, ring, radius_mm, edges, is_whole) for place in places_mm]


def _claimed(
    place: tuple[float, float], ring: Floats | None, radius_mm: float, edges: Sequence[Floats], is_whole: bool
) -> tuple[int, ...]:
    seats = {
        seat: max(off, 0.0) + KEPT_OFF_MM for seat, edge in enumerate(edges) if (off := _off(edge, place)) < BESIDE_MM
    }
    order = sorted(seats, key=seats.__getitem__)
    told = [seat for seat in order if seats[seat] < SEAT_CLAIMS * seats[order[0]]]
    if ring is None:
        return tuple(told)
    off = _off(ring, place)
    if off < REACH * radius_mm:
        return (MIDDLE,)
    middle = off - radius_mm
    if not edges or middle >= BESIDE_MM or (order and middle >= MIDDLE_CLAIMS * seats[order[0]]):
        return tuple(told)
    if not is_whole or (order and seats[order[0]] <= middle):
        return (*told, MIDDLE) if order else ()
    return (MIDDLE, *(seat for seat in order if seats[seat] < SEAT_CLAIMS * middle))


def _off(outline: Floats, place: tuple[float, float]) -> float:
    """How far outside an outline a place lies; less than nothing inside."""
    return -cv2.pointPolygonTest(outline, place, True)
