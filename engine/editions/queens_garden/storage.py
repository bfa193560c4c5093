"""One player's storage: what goes in and out, and every way to pay out of it."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from engine.editions.queens_garden.hexes import (
    BIT,
    EXPANSION,
    HEX_OF,
    JOKER,
    KIN_BY,
    VALUE,
    Heap,
    heap,
    take_out,
)
from engine.editions.queens_garden.options import ALLOW
from engine.editions.queens_garden.state import Board

Pay = tuple[str, ...]


def with_items(board: Board, items: list[str]) -> Board:
    """The board with these in its storage too."""
    garden, slots, tiles, jokers, cards, score = board
    tiles = heap([*tiles, *[item for item in items if item in BIT]])
    cards = heap([*cards, *[item[1:] for item in items if item[0] == EXPANSION]])
    return Board(garden, slots, tiles, jokers + items.count(JOKER), cards, score)


def without_items(board: Board, items: Pay) -> tuple[Board, list[str]]:
    """The board with these out of its storage, and what of them it does not hold."""
    if not items:
        return board, []
    garden, slots, tiles, jokers, cards, score = board
    tiles, missing_tiles = take_out(tiles, [item for item in items if item in BIT])
    cards, missing_cards = take_out(cards, [item[1:] for item in items if item[0] == EXPANSION])
    jokers -= items.count(JOKER)
    missing = [*missing_tiles, *(EXPANSION + hex_ for hex_ in missing_cards), *(JOKER,) * max(0, -jokers)]
    return Board(garden, slots, tiles, max(0, jokers), cards, score), missing


def payments(tiles: Heap, jokers: int, cards: Heap, hex_: str, duplicates: str) -> list[Pay]:
    """Every way to pay for a hex out of these, each set of payers once; identical ones never pay for it."""
    need = VALUE[hex_] - 1
    if need == 0:
        return [()]
    jokers = min(jokers, need)
    found = [(JOKER,) * need] if jokers == need else []
    least = max(1, need - jokers)
    if len(tiles) + len(cards) < least:
        return found
    for kin in KIN_BY[hex_]:
        items = [tile for tile in tiles if BIT[tile] & kin]
        if cards:
            items += [EXPANSION + card for card in cards if BIT[card] & kin]
        if len(items) >= least:
            found += _ways(tuple(items), need, jokers, duplicates == ALLOW)
    return found


@lru_cache(maxsize=1 << 16)
def _ways(items: Pay, need: int, jokers: int, duplicates: bool) -> list[Pay]:
    """Every set of so many payers, at least one of these items and for the rest jokers.

    Unless duplicates may pay, a set has at most one item of each hex. The same few items come together again and again,
    so this is kept.
    """
    kinds: dict[str, list[str]] = {}
    for item in items:
        kinds.setdefault(HEX_OF[item], []).append(item)
    least, left = max(1, need - jokers), len(items)
    sets: list[Pay] = [()]
    for same in kinds.values():
        parts = _parts(tuple(same)) if duplicates else [(), *((item,) for item in dict.fromkeys(same))]
        # A set is left out as soon as it is too large, or the items to come cannot make it large enough.
        left -= len(same)
        sets = [before + part for before in sets for part in parts if least - left <= len(before) + len(part) <= need]
    return [heap((*payers, *(JOKER,) * (need - len(payers)))) for payers in sets]


def _parts(same: Pay) -> list[Pay]:
    """Every different part of some items of one hex."""
    if len(same) == 1:
        return [(), same]
    counts = {item: same.count(item) for item in dict.fromkeys(same)}
    numbers = product(*(range(count + 1) for count in counts.values()))
    return [tuple(i for item, n in zip(counts, taken, strict=True) for i in (item,) * n) for taken in numbers]


def discards(board: Board) -> list[Pay]:
    """Every different set of hexes that could be discarded on passing, nothing first."""
    items = (*board.tiles, *(EXPANSION + card for card in board.cards))
    parts = [_parts(tuple(i for i in items if i == item)) for item in dict.fromkeys(items)]
    return [tuple(item for part in chosen for item in part) for chosen in product(*parts)]


def value_of(items: Pay) -> int:
    """The sum of the values of some items; jokers have none."""
    return sum(VALUE[HEX_OF[item]] for item in items if item != JOKER)
