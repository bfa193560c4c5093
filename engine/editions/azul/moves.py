"""What players of Azul do with their hands.

A move is what the rules name. A `Slip` in it says in which one way the hands did something else, so that a camera's
sighting can be explained and the breach named; a move without slips may still be illegal.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.editions.drafting import EXTRA
from engine.moves import Fill, Slip

# Slips of a Take.
LEFT = "left"
"""Some tiles of the chosen colour stayed at the source."""
UNPUSHED = "unpushed"
"""The rest of the disc was not pushed into the centre."""
MARKER_SLIP = "marker"
"""The marker was left lying although it was due, or taken although it was not."""
MARKER_CELL = "marker-cell"
"""The marker went to the floor cell `at`."""
SPLIT = "split"
"""Some of the tiles went to the other line `at`."""
STACKED = "stacked"
"""Tiles for which the line has no cell were put on it all the same."""
GAP = "gap"
"""The tiles were laid from the left of the line."""
FLOOR_GAP = "floor-gap"
"""The tiles on the floor line begin at the cell `at`."""
KEPT = "kept"
"""Some of the tiles stayed in the hand."""
RETURNED = "returned"
"""Some of the tiles went to the centre."""
HIDDEN = "hidden"
"""Some of the tiles went into the lid although the floor line had room."""
SHIFTED = "shifted"
"""A tile already lying on the line `at` was moved to the line `to` (0: the floor)."""

# Slips of a Tile.
REST = "rest"
"""Some of the other tiles stayed on the line."""
OTHER_ROW = "other-row"
"""The tile went to the wall row `at`."""

# Slips of a Sweep.
UNCLEARED = "uncleared"
"""The floor line was counted but not cleared."""
MARKER_LID = "marker-lid"
"""The marker was thrown into the lid."""
CLEARED = "cleared"
"""The incomplete line `at` was cleared."""
REMOVED = "removed"
"""The wall tile in row `at`, column `to` was taken away."""


TAKE_SLIPS = frozenset(
    {LEFT, EXTRA, UNPUSHED, MARKER_SLIP, MARKER_CELL, SPLIT, STACKED, GAP, FLOOR_GAP, KEPT, RETURNED, HIDDEN, SHIFTED}
)
TILE_SLIPS = frozenset({REST, OTHER_ROW})
IN_HAND = frozenset({KEPT, UNPUSHED, MARKER_SLIP})
"""The slips that look like a take which is not over yet: only the next move tells."""
SWEEP_SLIPS = frozenset({UNCLEARED, MARKER_LID, CLEARED, REMOVED})


@dataclass(frozen=True, slots=True)
class Take:
    """Take all tiles of a colour from a source (0: the centre) and lay them on a line (0: the floor)."""

    seat: int
    source: int
    colour: str
    line: int
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing in one's turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Tile:
    """Move a tile of a complete line to the wall (column 0: it fits nowhere, the line is dropped)."""

    seat: int
    row: int
    column: int
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Sweep:
    """Charge and clear one's floor line: the last act of a round."""

    seat: int
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """End a game in which no row can be completed any more: everybody together, after a round."""

    seat: int = 0


Move = Fill | Take | Pass | Tile | Sweep | End


def is_pass(move: Move) -> bool:
    """Whether a move only gives up a turn or the rest of a round."""
    return isinstance(move, Pass)


def is_clearing(move: Move) -> bool:
    """Whether a move only clears a floor line."""
    return isinstance(move, Sweep)
