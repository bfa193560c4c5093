"""What players of Summer Pavilion do with their hands; a `Slip` says in which one way they did something else."""

from __future__ import annotations

from dataclasses import dataclass

from engine.editions.drafting import EXTRA
from engine.moves import Fill, Slip

# Slips of a Take.
LEFT = "left"
"""Some tiles of the chosen colour stayed at the source."""
JOKER_LEFT = "joker-left"
"""The joker that belongs to the take stayed at the source."""
JOKERS = "jokers"
"""More jokers were taken than the one."""
UNPUSHED = "unpushed"
"""The rest of the disc was not pushed into the centre."""
TOKEN = "token"  # noqa: S105 - a wooden one
"""The start-player token was left lying although it was due, or taken although it was not."""
UNCHARGED = "uncharged"
"""The points that were due were not lost: of a first take from the centre, or of a pass."""
CHARGED = "charged"
"""Points were lost although the token was gone."""

# Slips of a Place.
OFF_CELL = "off-cell"
"""The tile lies on the feature number `at` instead of a cell."""
SECOND = "second"
"""Another tile of the reserve was laid in the same turn, on the star number `at` in the slot `to`."""
FROM_SUPPLY = "from-supply"
"""The tile laid came out of the supply, none of the reserve."""
SHORT = "short"
"""Some of the tiles due were not paid."""
OVERPAID = "overpaid"
"""Tiles were paid beyond the number of the cell."""
OTHER_PAYER = "other-payer"
"""Tiles of a colour that may not pay were paid in place of as many that may."""
OLD_JOKER = "old-joker"
"""Tiles of the last round's joker colour paid as jokers."""
UNDISCARDED = "undiscarded"
"""Tiles that were paid stayed beside the board."""
FROM_CORNERS = "from-corners"
"""Somebody who has passed laid and paid with tiles that were kept on the corners."""
MOVED = "moved"
"""A tile already lying on the star number `at` was moved from slot `to` to the next free cell of that star."""

# Slips of a Pass.
BESIDE = "beside"
"""Some tiles stayed beside the board."""

TAKE_SLIPS = frozenset({LEFT, EXTRA, JOKER_LEFT, JOKERS, UNPUSHED, TOKEN, UNCHARGED, CHARGED})
IN_HAND = frozenset({UNPUSHED, TOKEN, UNDISCARDED, BESIDE})
"""The slips that look like a move which is not over yet: only the next move tells."""
PLACE_SLIPS = frozenset(
    {OFF_CELL, SECOND, FROM_SUPPLY, SHORT, OVERPAID, OTHER_PAYER, OLD_JOKER, UNDISCARDED, FROM_CORNERS, MOVED}
)
PASS_SLIPS = frozenset({BESIDE, UNCHARGED})
WITH_TILES = frozenset({LEFT, EXTRA, JOKERS, SECOND, SHORT, OVERPAID, OTHER_PAYER, OLD_JOKER, UNDISCARDED, BESIDE})
"""The slips that name tiles; the others never do."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take a colour from a source (0: the centre), and one joker with it if there is any."""

    seat: int
    source: int
    colour: str
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a tile on a star's cell, paying with its colour and so many jokers."""

    seat: int
    star: str
    cell: int
    colour: str
    jokers: int
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Bonus:
    """Take tiles out of the supply for what was surrounded."""

    seat: int
    tiles: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Keep up to four tiles on the corners, give up the rest, and leave the round."""

    seat: int
    keep: str
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Refill:
    """Chance: what was drawn into the empty supply cells, in the order of the cells."""

    tiles: str
    seat: int = 0


Move = Fill | Take | Place | Bonus | Pass | Refill


def is_pass(move: Move) -> bool:
    """Whether a move only gives up a turn or the rest of a round."""
    return isinstance(move, Pass)
