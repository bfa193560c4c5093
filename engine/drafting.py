"""Drafting from factory discs, as several games have it: how discs are filled, and what is wrong with a filling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.text import Text, say
from engine.tiles import split_refill
from engine.violations import RECORD, Violation

DISCS = {2: 5, 3: 7, 4: 9}
"""How many factory discs so many players use."""
DISC_TILES = 4


def source_cell(source: int) -> str:
    """The name of a source (0: the centre), as cells are named."""
    return f"factory.{source}" if source else "centre"


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
    rule: str, bag: str, discard: str, groups: Sequence[str], lying: str, names: Mapping[str, Text], of_each: int
) -> Iterator[Violation]:
    """Tiles that bag and discard cannot have given, and colours of which there are then more than exist."""
    impossible = split_refill(bag, discard, groups)[2]
    if impossible:
        yield Violation(RECORD, say("nothing left to draw can have given these tiles: {tiles}", tiles=impossible))
        yield from count_violations(rule, lying + "".join(groups), names, of_each)


def count_violations(rule: str, lying: str, names: Mapping[str, Text], of_each: int) -> Iterator[Violation]:
    """Colours of which more tiles lie on the table than there are."""
    for colour, name in names.items():
        count = lying.count(colour)
        if count > of_each:
            text = say(
                "{count} tiles of the colour {colour}: there are only {all}", count=count, colour=name, all=of_each
            )
            yield Violation(rule, text)
