"""Discs have no numbers of their own: where the bag runs out in a filling they are numbered anew.

All of them were empty before, so nothing depends on their old numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.reconcile.live.places import Places


def renumbered(places: Places, order: Sequence[int]) -> Places:
    """The places of discs with their numbers in this order."""
    number = {old + 1: new for new, old in enumerate(order, 1)}
    return replace(
        places,
        discs={number[old]: place for old, place in places.discs.items()},
        tiles={number[old]: tiles for old, tiles in places.tiles.items()},
    )
