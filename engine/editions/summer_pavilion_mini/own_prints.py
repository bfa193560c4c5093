"""What only the storage card of the players prints: the row of jokers on its other side."""

from __future__ import annotations

from collections.abc import Mapping

from engine.editions.summer_pavilion.state import COLOURS, LETTERS
from engine.own_prints import Entered, PrintedField, PrintedKind, Sheet
from engine.text import say

WIDE = 100 / len(COLOURS)


def own_prints(_side: str) -> tuple[Sheet, ...]:
    """The sheets of either side of the boards: the storage card is turned by itself."""
    return (JOKERS,)


def _order(told: Mapping[str, Entered], _name: str) -> list[str]:
    return [told[str(number)].kind for number in range(1, len(COLOURS) + 1)]


JOKERS = Sheet(
    option="jokerOrder",
    title=say("The row of jokers"),
    hint=say("Only where the storage card lies with its other side up: enter the colours of its row from the left."),
    without=say(
        "The storage card lies as usual: {colours}.",
        colours=tuple(LETTERS[colour] for colour in COLOURS),
    ),
    is_needed=False,
    height=20,
    fields=tuple(
        PrintedField(
            str(at + 1),
            str(at + 1),
            say("round {round}", round=at + 1),
            tuple((WIDE * at + x, y) for x, y in ((1, 1), (WIDE - 1, 1), (WIDE - 1, 19), (1, 19))),
        )
        for at in range(len(COLOURS))
    ),
    kinds=tuple(PrintedKind(colour, LETTERS[colour]) for colour in COLOURS),
    is_once=True,
    option_of=_order,
)
