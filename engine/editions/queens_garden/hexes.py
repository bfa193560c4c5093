"""What a hex of Queen's Garden is: a colour and a pattern, written `LB3`; and sets of them as bits of a number.

The value of a pattern is what its hex costs to place and what it is worth. Things that can lie in a storage are
*items*: a tile `LB3`, an expansion `xLB3` by the hex printed on it, a joker `J`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.text import Text, say

COLOUR_NAMES: Mapping[str, Text] = {
    "LB": say("light blue"),
    "YE": say("yellow"),
    "LG": say("light green"),
    "DG": say("dark green"),
    "LP": say("light purple"),
    "DP": say("dark purple"),
}
PATTERN_NAMES: Mapping[str, Text] = {
    "1": say("tree"),
    "2": say("bird"),
    "3": say("butterflies"),
    "4": say("flower"),
    "5": say("plant with buds"),
    "6": say("bellflower"),
}
COLOURS = tuple(COLOUR_NAMES)
PATTERNS = tuple(PATTERN_NAMES)
HEXES = tuple(colour + pattern for colour in COLOURS for pattern in PATTERNS)
LETTERS: Mapping[str, Text] = {
    colour + pattern: say("{colour} {pattern}", colour=COLOUR_NAMES[colour], pattern=PATTERN_NAMES[pattern])
    for colour in COLOURS
    for pattern in PATTERNS
}

JOKER = "J"
EXPANSION = "x"
EXPANSIONS = tuple(EXPANSION + hex_ for hex_ in HEXES)
ITEMS = frozenset((*HEXES, *EXPANSIONS, JOKER))

COLOUR = {hex_: hex_[:2] for hex_ in HEXES}
PATTERN = {hex_: hex_[2] for hex_ in HEXES}
VALUE = {hex_: int(hex_[2]) for hex_ in HEXES}
HEX_OF = {item: item.removeprefix(EXPANSION) for item in (*HEXES, *EXPANSIONS)}
"""The hex of a tile or of an expansion."""

BIT = {hex_: 1 << index for index, hex_ in enumerate(HEXES)}
ALL_BITS = (1 << len(HEXES)) - 1


def bits(hexes: Iterable[str]) -> int:
    """A set of hexes as a number."""
    number = 0
    for hex_ in hexes:
        number |= BIT[hex_]
    return number


ATTRIBUTE_BITS = {
    **{colour: bits(hex_ for hex_ in HEXES if COLOUR[hex_] == colour) for colour in COLOURS},
    **{pattern: bits(hex_ for hex_ in HEXES if PATTERN[hex_] == pattern) for pattern in PATTERNS},
}
"""The hexes of each colour and of each pattern."""
KIN_BY = {
    hex_: (ATTRIBUTE_BITS[COLOUR[hex_]] & ~BIT[hex_], ATTRIBUTE_BITS[PATTERN[hex_]] & ~BIT[hex_]) for hex_ in HEXES
}
"""The other hexes that share the colour of a hex, and those that share its pattern."""
KIN = {hex_: of_colour | of_pattern for hex_, (of_colour, of_pattern) in KIN_BY.items()}
"""The other hexes that share the colour or the pattern of a hex."""

Heap = tuple[str, ...]
"""Tiles in the order every heap has, so that equal heaps are equal values."""


def heap(tiles: Iterable[str]) -> Heap:
    """The tiles as a heap."""
    return tuple(sorted(tiles))


def take_out(pool: Heap, tiles: Sequence[str]) -> tuple[Heap, Heap]:
    """The pool less these tiles, and what of them it does not hold."""
    if not tiles:
        return pool, ()
    left, missing = list(pool), []
    for tile in tiles:
        if tile in left:
            left.remove(tile)
        else:
            missing.append(tile)
    return tuple(left), tuple(missing)


def name_of(item: str) -> Text:
    """What an item is called."""
    if item == JOKER:
        return say("joker")
    if item.startswith(EXPANSION):
        return say("expansion {hex}", hex=item.removeprefix(EXPANSION))
    return say("{hex}", hex=item)
