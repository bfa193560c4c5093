"""How many rounds lie between two photos, by what lies there and by counting pieces.

Pieces that were laid out and are gone came to boards or were charged for, and in some editions every round lays out as
many: so where all of a table is in view, boards tell how many rounds there were and for how much players were charged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from engine import Edition, Layout, Setup, Stretch, Stretches, View
from engine.errors import EditionError

LOST = 0.6
"""Each further piece that players must have been charged for makes a number of rounds so many times as likely."""
DONE = 0.95
"""While others are still to be scored, a board with nothing due is done so often."""
ASIDE = 0.05
"""So often a photo is taken while one board is scored and another is not."""
IMPOSSIBLE = 1e-4
"""What is not possible by what was read: something may be misread."""
MORE_ROUNDS = 0.15
"""Each further round between two photos is so many times as likely: people photograph about once a round."""
NO_ROUND = 0.5
"""Two photos of one round, against one photo in each of two."""
MOST_ROUNDS = 8
MORE_THAN_NEEDED = 2
"""Where nothing tells how many there can be, so many rounds are tried beyond those that there must have been."""
NEGLIGIBLE = 1e-5


@dataclass(frozen=True)
class Moment:
    """What a photo says about rounds: its most likely boards by their seats, and what is left to be taken."""

    boards: Mapping[int, View]
    left: int | None
    unsure: int = 0
    """By how many pieces the boards may be misjudged."""


@dataclass(frozen=True)
class Match:
    """What all seats have in common."""

    edition: Edition[Any, Any]
    layout: Layout
    setup: Setup[Any]


Weighed = tuple[Stretch, float]


def stretches_of(edition: Edition[Any, Any]) -> Stretches:
    """What the edition knows of stretches; an error where it knows nothing."""
    if edition.stretches is None:
        raise EditionError(f"games of {edition.slug} cannot be told from photos now and then yet: log them live")
    return edition.stretches


def start_moment(edition: Edition[Any, Any], setup: Setup[Any]) -> Moment:
    """The table before the first round."""
    table = edition.table(edition.start(setup))
    return Moment({part.seat: View(part, table.common, 0, 0) for part in table.boards}, 0)


def start_score(edition: Edition[Any, Any], setup: Setup[Any], seat: int) -> int:
    """What a seat has before the first round."""
    return int(edition.start(setup).scores[seat - 1])


def weighed_stretches(
    before: Moment, after: Moment, seat: int, edition: Edition[Any, Any], setup: Setup[Any]
) -> list[Weighed]:
    """How a seat's stretch from one photo to the other may have been, with how likely each is."""
    rules = stretches_of(edition)
    everybody = set(setup.seats) <= before.boards.keys() & after.boards.keys()
    used = _used(before, after, rules, setup) if everybody and None not in (before.left, after.left) else None
    if used is not None:
        found = list(_counted(before, after, seat, used, rules, setup))
    else:
        found = list(_guessed(before, after, seat, rules, setup))
    total = sum(weight for _, weight in found)
    return [(stretch, weight / total) for stretch, weight in found if weight > NEGLIGIBLE * total]


def _used(before: Moment, after: Moment, rules: Stretches, setup: Setup[Any]) -> int | None:
    """How many pieces came to all boards; None where they cannot be counted."""
    if rules.round_tiles(setup) is None:
        return None
    taken = [rules.taken(before.boards[seat], after.boards[seat], setup) for seat in setup.seats]
    return None if None in taken else sum(count for count in taken if count is not None)


def _counted(
    before: Moment, after: Moment, seat: int, used: int, rules: Stretches, setup: Setup[Any]
) -> Iterator[Weighed]:
    slack = before.unsure + after.unsure
    fresh = is_fresh(after, rules, setup)
    for fills in range(MOST_ROUNDS + 1):
        lost = (before.left or 0) + (rules.round_tiles(setup) or 0) * fills - (after.left or 0) - used
        if lost < -slack:
            continue
        others = (_enough(before, after, other, fills, rules) for other in setup.seats if other != seat)
        weight = _prior(fills) * LOST ** max(lost, 0) * prod(others)
        for behind, was in _under_way(before, seat, rules).items():
            for ahead, now in _under_way(after, seat, rules).items():
                rounds = fills + behind - ahead
                if rounds >= 0:
                    most = max(lost, 0) + slack + rules.charged(before.boards[seat], rounds)
                    yield Stretch(rounds, bool(behind) and not before.left, fresh, most), weight * was * now


def _enough(before: Moment, after: Moment, seat: int, fills: int, rules: Stretches) -> float:
    """How possible so many fillings are by another board: everybody plays the same rounds."""
    most = fills + max(_under_way(before, seat, rules)) - min(_under_way(after, seat, rules))
    return IMPOSSIBLE if most < rules.fewest_rounds(before.boards[seat], after.boards[seat]) else 1.0


def _under_way(moment: Moment, seat: int, rules: Stretches) -> dict[int, float]:
    """1 where a round is laid out and not yet scored on this board, else 0, each with how likely it is."""
    if moment.left:
        return {1: 1.0}
    if not _due(moment, rules):
        return {0: 1.0}
    return {1: 1.0} if rules.is_due(moment.boards[seat]) else {0: DONE, 1: 1 - DONE}


def _guessed(before: Moment, after: Moment, seat: int, rules: Stretches, setup: Setup[Any]) -> Iterator[Weighed]:
    others = (before.boards.keys() & after.boards.keys()) - {seat}
    old, new = before.boards[seat], after.boards[seat]
    fewest, most = rules.fewest_rounds(old, new), rules.most_rounds(old, new)
    closed = before.left == 0 and rules.is_due(old)
    for rounds in range(fewest, (fewest + MORE_THAN_NEEDED if most is None else max(fewest, most)) + 1):
        beside = (_busy_beside(before.boards[other], after.boards[other], rounds, rules) for other in others)
        weight = _prior(rounds) * _busy(old, new, rounds, rules) * prod(beside)
        yield Stretch(rounds, closed, is_fresh(after, rules, setup)), weight


def _busy_beside(before: View, after: View, rounds: int, rules: Stretches) -> float:
    """The same for another board, which may be scored sooner or later than this one."""
    return max(
        _busy(before, after, rounds + shift, rules) * (ASIDE if shift else 1.0)
        for shift in (-1, 0, 1)
        if rounds + shift >= 0
    )


def _busy(before: View, after: View, rounds: int, rules: Stretches) -> float:
    """How well so many rounds agree with what came to a board."""
    if rounds < rules.fewest_rounds(before, after):
        return IMPOSSIBLE
    return rules.usual(before, after, rounds)


def _prior(rounds: int) -> float:
    return NO_ROUND if not rounds else MORE_ROUNDS ** (rounds - 1)


def is_closed(moment: Moment, rules: Stretches) -> bool:
    """Whether all of a round was taken and nothing of it is scored yet."""
    return moment.left == 0 and _due(moment, rules)


def is_fresh(moment: Moment, rules: Stretches, setup: Setup[Any]) -> bool:
    """Whether a round has just been scored and nothing of the next one was taken."""
    if _due(moment, rules) or set(setup.seats) - moment.boards.keys():
        return False
    return moment.left in (0, rules.round_tiles(setup))


def _due(moment: Moment, rules: Stretches) -> bool:
    return any(map(rules.is_due, moment.boards.values()))
