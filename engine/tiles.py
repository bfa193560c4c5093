"""Heaps of tiles as sorted strings of letters, and how bags are drawn from.

A heap is a string because it is immutable, compares and hashes as a multiset, prints as it stands in every format, and
counts in C.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache

from engine.errors import NotationError

Sample = Callable[[Sequence[str], int], Sequence[str]]
"""Draws so many of these without putting back, as `random.Random.sample` does; the engine itself knows no chance."""


def heap(tiles: str) -> str:
    """The tiles in the order every heap has."""
    return "".join(sorted(tiles))


def put_in(pool: str, tiles: str) -> str:
    """The pool and some tiles of one colour, if any."""
    if not tiles:
        return pool
    at = bisect_right(pool, tiles[0])
    return pool[:at] + tiles + pool[at:]


@lru_cache(maxsize=1 << 12)
def disc(tiles: str) -> str:
    """The few tiles of a disc as a heap; the same ones come again and again, so they are kept."""
    return heap(tiles)


@lru_cache(maxsize=1 << 12)
def colours_in(tiles: str) -> str:
    """Every colour among the tiles of a source, once; kept, as sources are looked at for every move."""
    return "".join(dict.fromkeys(tiles))


def take_out(pool: str, tiles: str) -> tuple[str, str]:
    """The pool less these tiles, and what of them it does not hold."""
    missing = ""
    for colour in dict.fromkeys(tiles):
        wanted = tiles.count(colour)
        left = pool.replace(colour, "", wanted)
        missing += colour * (wanted - len(pool) + len(left))
        pool = left
    return pool, missing


def lacking(tiles: str, pool: str) -> str:
    """What of these tiles the pool does not hold."""
    return take_out(pool, tiles)[1]


def without(pool: str, tiles: str) -> str:
    """The pool less these tiles, which must be in it."""
    return take_out(pool, tiles)[0]


def split_refill(bag: str, lid: str, discs: Sequence[str]) -> tuple[str, str, str]:
    """Draw filled discs out of bag and lid: the new bag, the new lid, and the tiles that contradict it.

    Discs are filled in order, and the lid is poured into the bag only when a tile is wanted of an empty bag.
    """
    drawn = "".join(discs)
    if len(drawn) <= len(bag):
        bag, impossible = take_out(bag, drawn)
        return bag, lid, impossible
    impossible = ""
    for disc in discs:
        if len(disc) > len(bag):
            # The last of the bag lies on this disc, the rest of it comes out of the poured lid.
            disc, left_in_bag = take_out(disc, bag)
            impossible += left_in_bag
            bag, lid = heap(lid + left_in_bag), ""
        bag, missing = take_out(bag, disc)
        impossible += missing
    return bag, lid, heap(impossible)


def make_up(bag: str, lid: str, hidden: str) -> tuple[str, str]:
    """Bag and lid once all that they hold is known to be this: tiles came onto the table or went from it.

    A tile that was taken for another was drawn out of the bag as that other, so there the two are exchanged. For all
    else that came or went the lid makes up, then the bag.
    """
    came, went = lacking(bag + lid, hidden), lacking(hidden, bag + lid)
    mistaken = min(len(came), len(went))
    bag, elsewhere = take_out(bag, came[:mistaken])
    bag = heap(bag + went[: mistaken - len(elsewhere)])
    bag = without(bag, lacking(bag, hidden))
    return bag, without(hidden, bag)


def draw_discs(bag: str, lid: str, count: int, size: int, sample: Sample) -> tuple[str, ...]:
    """Fill so many discs by chance, as far as bag and lid go."""
    wanted = count * size
    drawn = list(sample(bag, min(wanted, len(bag))))
    if len(drawn) < wanted:
        drawn += sample(lid, min(wanted - len(drawn), len(lid)))
    tiles = "".join(drawn)
    return tuple([disc(tiles[i * size : (i + 1) * size]) for i in range(count)])


def format_heap(tiles: str) -> str:
    """A heap as letters with counts: `B12K3`, or `-` for none."""
    return "".join(f"{c}{tiles.count(c)}" for c in sorted(set(tiles))) or "-"


def parse_heap(text: str, letters: str) -> str:
    """The heap that `format_heap` wrote."""
    if text == "-":
        return ""
    if not re.fullmatch(rf"(?:[{letters}][1-9][0-9]{{0,2}})+", text):
        raise NotationError(f"a heap of tiles is written like {letters[0]}12{letters[1]}3, or - for none, not {text!r}")
    return heap("".join(letter * int(count) for letter, count in re.findall(r"(\D)(\d+)", text)))
