"""What players of Queen's Garden do with their hands.

A move is what the rules name; a `Slip` in it says in which one way the hands did something else. Moves are named tuples
as states are: a turn has hundreds of them, and each is made anew for every state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.moves import Slip

# Slips of any action of a player.
DISCARDED = "discarded"
"""The item `tiles` was thrown out of the storage besides."""
MOVED = "moved"
"""What lay on the garden cell `at` was moved to the cell `to`."""
REMOVED = "removed"
"""The tile on the garden cell `at` was taken away."""
ROTATED = "rotated"
"""The card in the slot `at` was turned: its printed hex now lies in direction `to`."""

# Slips of an Acquire.
UNMOVED = "unmoved"
"""The top card stayed on the stack although a tile was taken from it."""
FACE_DOWN_CARD = "face-down"
"""The card `at` of the display was taken too although it lay face down; it shows the hex `tiles`."""

# Slips of a Plant or an Expand.
FROM_DISPLAY = "display"
"""The tile or expansion came from the source `at` and not out of the storage."""
BORROWED = "borrowed"
"""The payer `tiles` came out of the storage of the seat `at`."""
JOKERS = "jokers"
"""`at` jokers were taken as a reward, whatever is due."""
LAID_FACE_DOWN = "laid-down"
"""The expansion was laid face down."""

# Slips of a Buy.
PRICE = "price"
"""`at` points were paid."""
LAID_FACE_UP = "laid-up"
"""The bought card was laid face up: it shows `tiles` in direction `at`."""

# Slips of a Pass.
UNPAID = "unpaid"
"""The first to pass did not lose the point."""
MARKER = "marker"
"""The marker went to the seat `at` (0: it stayed in the display)."""
UNCHARGED = "uncharged"
"""What was discarded cost nothing."""

# Slips of a Stack.
STACK_SIZE = "size"
"""The new stack has `at` cards."""
UNTURNED = "unturned"
"""The empty card `at` of the display was not turned face up."""
TURNED = "turned"
"""The card `at` of the display was turned face up under its tiles; it shows `tiles`."""

# Slips of a Count.
MISCOUNTED = "miscounted"
"""The seat `at` moved its marker by `to` points."""


class Pick(NamedTuple):
    """One thing acquired: an item, and its source (0: the stack's top card, else a card of the display)."""

    item: str
    source: int


def in_order(picks: Iterable[Pick]) -> tuple[Pick, ...]:
    """Picks in the order every move has them: by hex."""
    return tuple(sorted(picks, key=lambda pick: (pick.item[-3:], pick)))


class Stack(NamedTuple):
    """Chance: the tiles drawn onto the new top card, and the hexes of the cards then turned face up, in their order."""

    tiles: tuple[str, ...]
    turned: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    seat: int = 0


class Acquire(NamedTuple):
    """Take hexes of one colour or pattern; which of the two need not be told, since what is taken says it."""

    seat: int
    picks: tuple[Pick, ...]
    slips: tuple[Slip, ...] = ()


class Plant(NamedTuple):
    """Place a tile out of the storage on a cell, paying with other items of the storage."""

    seat: int
    tile: str
    cell: int
    pay: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()


class Expand(NamedTuple):
    """Lay an expansion out of the storage into a slot, its printed hex in direction `at` from the middle."""

    seat: int
    hex: str
    slot: int
    at: int
    pay: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()


class Buy(NamedTuple):
    """Pay points for the top card of the supply and lay it face down into a slot."""

    seat: int
    slot: int
    slips: tuple[Slip, ...] = ()


class Pass(NamedTuple):
    """Leave the round, discarding some items of the storage."""

    seat: int
    discard: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()


class Count(NamedTuple):
    """Score the round and clear the display for the next one."""

    slips: tuple[Slip, ...] = ()
    seat: int = 0


Move = Stack | Acquire | Plant | Expand | Buy | Pass | Count

_OF_ACTIONS = frozenset((DISCARDED, MOVED, REMOVED, ROTATED))
SLIPS: dict[type, frozenset[str]] = {
    Stack: frozenset((STACK_SIZE, UNTURNED, TURNED)),
    Acquire: _OF_ACTIONS | {UNMOVED, FACE_DOWN_CARD},
    Plant: _OF_ACTIONS | {FROM_DISPLAY, BORROWED, JOKERS},
    Expand: _OF_ACTIONS | {FROM_DISPLAY, BORROWED, LAID_FACE_DOWN},
    Buy: _OF_ACTIONS | {PRICE, LAID_FACE_UP},
    Pass: frozenset((UNPAID, MARKER, UNCHARGED, MOVED, REMOVED, ROTATED)),
    Count: frozenset((MISCOUNTED,)),
}
"""The kinds of slip that each move can have."""


def slip_of(move: Move, kind: str) -> Slip | None:
    """The slip of that kind in a move, if it has one."""
    for slip in move.slips:
        if slip.kind == kind:
            return slip
    return None


def is_pass(move: Move) -> bool:
    """Whether a move only gives up a turn or the rest of a round."""
    return isinstance(move, Pass)
