"""Drafting from factory discs, as several games have it: how discs are filled, and what is wrong with a filling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from engine.errors import TableError
from engine.glimpse import Glimpse
from engine.moves import Correct, Fill
from engine.table import ALL, MARKER, Frozen, Part, kinds_of
from engine.table_json import an_object, letters_of
from engine.text import Text, say
from engine.tiles import heap, lacking, split_refill, without
from engine.violations import RECORD, Violation

DISCS = {2: 5, 3: 7, 4: 9}
"""How many factory discs so many players use."""
DISC_TILES = 4
CENTRE_SOURCE = 0
"""The number of the centre among the sources of tiles."""
EXTRA = "extra"
"""The slip of taking more than one may, which names the disc that it was taken from."""


def source_cell(source: int) -> str:
    """The name of a source (0: the centre), as cells are named."""
    return f"factory.{source}" if source else "centre"


def renumbered(move: Any, numbers: Mapping[int, int]) -> Any:
    """A move with discs by other numbers: a filling, or a take with slips that may name a disc."""
    if isinstance(move, Fill):
        discs = {numbers[i]: disc for i, disc in enumerate(move.factories, 1)}
        return replace(move, factories=tuple(disc for _, disc in sorted(discs.items())))
    if not hasattr(move, "source"):
        return move
    known = {CENTRE_SOURCE: CENTRE_SOURCE, **numbers}
    slips = tuple(replace(slip, at=known[slip.at]) if slip.kind == EXTRA else slip for slip in move.slips)
    return replace(move, source=known[move.source], slips=slips)


def disc_count_violations(rule: str, players: int, count: int) -> Iterator[Violation]:
    """A wrong number of discs for the players."""
    needed = DISCS.get(players)
    if needed and count != needed:
        text = say("{players} players use {needed} factories, not {count}", players=players, needed=needed, count=count)
        yield Violation(rule, text)


def wrong_disc(rule: str, disc: int, wanted: int, count: int) -> Violation:
    """A disc filled with a wrong number of tiles."""
    text = say("factory {factory} gets {wanted} tiles, not {count}", factory=disc, wanted=wanted, count=count)
    return Violation(rule, text, 0, f"factory.{disc}")


def unpushed_disc(rule: str, disc: int) -> Violation:
    """A disc that still holds what a take left on it."""
    return Violation(rule, say("the rest of the factory was not moved to the centre"), 0, f"factory.{disc}")


def disc_size_violations(rule: str, discs: Sequence[str], left: int) -> Iterator[Violation]:
    """Discs filled with more or fewer tiles than they get, with so many left to draw."""
    for i, disc in enumerate(discs, 1):
        wanted = min(DISC_TILES, left)
        if len(disc) != wanted:
            yield wrong_disc(rule, i, wanted, len(disc))
        left = max(0, left - len(disc))


def draw_violations(
    rule: str,
    bag: str,
    discard: str,
    groups: Sequence[str],
    lying: Callable[[], str],
    names: Mapping[str, Text],
    of_each: int,
) -> Iterator[Violation]:
    """Tiles that bag and discard cannot have given, and colours of which there are then more than exist.

    What lies on the table already is asked for only then.
    """
    impossible = split_refill(bag, discard, groups)[2]
    if impossible:
        yield Violation(RECORD, say("nothing left to draw can have given these tiles: {tiles}", tiles=impossible))
        yield from count_violations(rule, lying() + "".join(groups), names, of_each)


def count_violations(rule: str, lying: str, names: Mapping[str, Text], of_each: int) -> Iterator[Violation]:
    """Colours of which more tiles lie on the table than there are."""
    for colour, name in names.items():
        count = lying.count(colour)
        if count > of_each:
            text = say(
                "{count} tiles of the colour {colour}: there are only {all}", count=count, colour=name, all=of_each
            )
            yield Violation(rule, text)


GUESSES = 3
"""So many guesses at what lies on one disc are tried."""
MOST_EXTRA = 2
"""So many tiles more than it gets are told of a disc."""
CENTRE = "centre"


def seen_fillings(
    players: int, bag: str, discard: str, glimpse: Glimpse, kinds: Collection[str], joker: str = ""
) -> Iterator[tuple[tuple[str, ...], str]]:
    """What may lie on the discs after a filling, and the disc that somebody has taken from since, if any.

    Bag and discard hold what can have been drawn; one `joker` is taken along with another colour. Nothing is told
    where a disc is out of view.
    """
    guesses = _disc_guesses(players, glimpse)
    if not all(guesses):
        return
    first = [disc[0] for disc in guesses]
    tiles = min(DISC_TILES * len(first), len(bag) + len(discard))
    missing = tiles - sum(map(len, first))
    if missing == 1:
        # One tile was overlooked, whichever it is.
        for short, kind in product(_too_short(first, tiles), kinds):
            yield (*first[:short], heap(first[short] + kind), *first[short + 1 :]), ""
    if missing <= 0:
        yield from ((discs, "") for discs in _fillings(guesses))
    yield from _taken_since(first, glimpse, kinds, joker)


def seen_misfillings(players: int, bag: str, discard: str, glimpse: Glimpse) -> Iterator[tuple[str, ...]]:
    """What lies on the discs where some hold too many tiles, or one lacks a tile: where more lack, hands go on filling.

    Nothing is told where a disc is out of view.
    """
    guesses = [glimpse.heap(source_cell(number), DISC_TILES + MOST_EXTRA) for number in range(1, DISCS[players] + 1)]
    if not all(guesses):
        return
    discs = tuple(heap("".join(disc[0])) for disc in guesses)
    pairs = list(zip(sorted(map(len, discs)), _right_sizes(len(discs), len(bag) + len(discard)), strict=True))
    short = sum(max(0, right - size) for size, right in pairs)
    if short <= 1 and any(size != right for size, right in pairs):
        yield discs


def _right_sizes(discs: int, tiles: int) -> list[int]:
    """How many tiles so many discs get of so many, the fewest first."""
    return sorted(min(DISC_TILES, max(0, tiles - DISC_TILES * i)) for i in range(discs))


def _disc_guesses(players: int, glimpse: Glimpse) -> list[list[str]]:
    names = [source_cell(number) for number in range(1, DISCS[players] + 1)]
    return [["".join(guess) for guess in glimpse.heap(name, DISC_TILES, GUESSES)] for name in names]


def _fillings(guesses: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """What may lie on the discs: the likeliest of all, then one of them otherwise."""
    first = [disc[0] for disc in guesses]
    yield tuple(first)
    for i, disc in enumerate(guesses):
        yield from ((*first[:i], other, *first[i + 1 :]) for other in disc[1:])


def _too_short(discs: Sequence[str], tiles: int) -> list[int]:
    """The discs that may lack one tile, by their indexes: where tiles run out, the last has fewer of them anyhow."""
    right = _right_sizes(len(discs), tiles)
    sizes = [*map(len, discs)]
    return [i for i, size in enumerate(sizes) if sorted([*sizes[:i], size + 1, *sizes[i + 1 :]]) == right]


def _taken_since(
    first: Sequence[str], glimpse: Glimpse, kinds: Collection[str], joker: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Discs filled and taken from before anybody looked: the empty one held what lies in the centre, and more."""
    short = [i for i, guess in enumerate(first) if len(guess) < DISC_TILES]
    if len(short) != 1:
        return
    (empty,) = short
    name = source_cell(empty + 1)
    # What looks like a tile in the centre may be none, so fewer than lie there may have been pushed.
    pushed = {"".join(guess) for size in range(DISC_TILES) for guess in glimpse.heap(CENTRE, size, 1, name)}
    for rest, kind in product(sorted(pushed), kinds):
        gone = DISC_TILES - len(rest)
        taken = {kind * gone, kind * (gone - 1) + joker} if joker and gone > 1 else {kind * gone}
        for tiles in sorted(taken):
            yield (*first[:empty], heap(rest + tiles), *first[empty + 1 :]), name


def refill_order(players: int, bag: str, discard: str, glimpse: Glimpse) -> tuple[int, ...] | None:
    """The indexes of discs in the order in which bag and discard can have filled them, where it is another one.

    A record fills discs in their order, and pours the discard into the bag only once that is empty. People fill discs
    in whatever order they like, so when the bag runs out discs have to be numbered anew, by what lies on them.
    """
    if len(bag) >= DISC_TILES * DISCS[players]:
        return None
    guesses = _disc_guesses(players, glimpse)
    if not all(guesses):
        return None
    orders = (_order_of_refill(bag, discard, discs) for discs in _fillings(guesses))
    order = next((order for order in orders if order), None)
    return None if order == tuple(range(len(guesses))) else order


def _order_of_refill(bag: str, discard: str, discs: Sequence[str]) -> tuple[int, ...] | None:
    for order in _orders(Counter(bag), discs):
        filled = [discs[i] for i in order]
        # The last discs stay empty where there are not enough tiles.
        if filled == sorted(filled, key=len, reverse=True) and not split_refill(bag, discard, filled)[2]:
            return order
    return None


def _orders(bag: Counter[str], discs: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The order as it is; then those in which the first discs took all of the bag, the last of them perhaps in part."""
    everything = range(len(discs))
    yield tuple(everything)
    whole, part = divmod(bag.total(), DISC_TILES)
    for first in combinations(everything, whole):
        rest = bag.copy()
        rest.subtract("".join(discs[i] for i in first))
        if min(rest.values(), default=0) < 0:
            continue
        others = sorted((i for i in everything if i not in first), key=lambda i: -len(discs[i]))
        for mixed in others if part else others[:1]:
            if rest <= Counter(discs[mixed]):
                yield (*first, mixed, *(i for i in others if i != mixed))


def bag_that_gave(drawn: str, bag: str, discard: str) -> str:
    """What the bag must have held: as much as it did, or all of the discard too where it ran out.

    A record pours the discard only when a disc wants a tile of the empty bag, and takes discs in their order. People
    fill them in any order. Once all are full it comes to the same that it was poured before the first of them.
    """
    if len(drawn) > len(bag):
        return heap(bag + discard)
    missing = lacking(drawn, bag)
    spare = without(bag, without(drawn, missing))
    return heap(without(bag, spare[: len(missing)]) + missing)


def heaps_otherwise(centre: str, factories: Sequence[str], source: int, colour: str) -> Iterator[Correct]:
    """What the heap of a source may have held instead, if that colour was taken from it."""
    held = (centre, *factories)[source] if 0 <= source <= len(factories) else ""
    for tile in sorted(set(held)):
        yield Correct(0, ((source_cell(source), heap(held.replace(tile, colour, 1))),))


def heaps_without(centre: str, factories: Sequence[str], tiles: str) -> Iterator[Correct]:
    """Heaps with one tile of these less, in case one that lies elsewhere was counted there."""
    for source, held in enumerate((centre, *factories)):
        for tile in sorted(set(tiles) & set(held)):
            yield Correct(0, ((source_cell(source), without(held, tile)),))


@lru_cache(maxsize=24)
def common_part(side: str, factories: tuple[str, ...] | None, centre: str | None, marker: bool | None) -> Part:
    """What belongs to all where tiles are drafted from discs and a centre, each told by the letters of its tiles."""
    heaps = {f"factory.{i}": tuple(tiles) for i, tiles in enumerate(factories or (), 1)}
    if centre is not None:
        heaps["centre"] = kinds_of((*centre, *((MARKER,) if marker else ())))
    return Part(ALL, side, heaps=Frozen(heaps))


def drafted_from(part: Part) -> tuple[tuple[str, ...] | None, str | None, bool | None]:
    """Factories, centre, and whether the marker lies there: what `common_part` was made of."""
    discs = tuple("".join(kinds) for name, kinds in part.heaps.items() if name.startswith("factory."))
    centre = part.heaps.get("centre")
    if centre is None:
        return discs or None, None, None
    return discs or None, "".join(kind for kind in centre if kind != MARKER), MARKER in centre


def discs_of(table: Mapping[str, Any], letters: str) -> tuple[str, ...] | None:
    """The tiles of each factory, or None where none is in view."""
    value = table.get("factories")
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > 20:
        raise TableError("factories must be a list of objects with tiles")
    tiles = [an_object(disc, "factories").get("tiles", "") for disc in value]
    return tuple("".join(sorted(letters_of(disc, "factories.tiles", letters))) for disc in tiles)


def centre_of(table: Mapping[str, Any], letters: str) -> tuple[str | None, bool | None]:
    """The tiles of the centre and whether the marker lies there; None where it is not in view."""
    value = table.get("centre")
    if value is None:
        return None, None
    centre = an_object(value, "centre")
    marker = centre.get("first_player", False)
    if not isinstance(marker, bool):
        raise TableError(f"centre.first_player must be true or false, not {marker!r}")
    return "".join(sorted(letters_of(centre.get("tiles", ""), "centre.tiles", letters))), bool(
        centre.get("first_player")
    )


def middle_json(factories: tuple[str, ...] | None, centre: str | None, marker_in_centre: bool | None) -> dict[str, Any]:
    """Factories and centre as they stand in a Table."""
    written: dict[str, Any] = {}
    if factories is not None:
        written["factories"] = [{"tiles": tiles} for tiles in factories]
    if centre is not None:
        written["centre"] = {"tiles": centre, "first_player": bool(marker_in_centre)}
    return written


def show_middle(factories: tuple[str, ...] | None, centre: str | None, marker_in_centre: bool | None) -> list[str]:
    """Factories and centre as readable text."""
    shown = []
    if factories is not None:
        shown.append("factories  " + "  ".join(f"{i}:{tiles or '-'}" for i, tiles in enumerate(factories, 1)))
    if centre is not None:
        shown.append(f"centre     {centre or '-'}{' and the first-player marker' if marker_in_centre else ''}")
    return shown
