"""How many rounds lie between two photos, by what lies there and by counting tiles.

Tiles that left the middle went onto lines or onto floor lines, and every round lays out as many as the discs hold: so
where all boards and the middle are in view, the lines tell how many rounds there were and how much fell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from engine import Edition, Setup, Stretch, Stretches
from engine.errors import EditionError

FELL = 0.6
"""Each further tile that must have fallen to the floor makes a number of rounds so many times as likely."""
IDLE = 0.4
"""The same for each tile that a board is short of SHARE a round, where the middle was not seen."""
SHARE = 4
GREEDY = 0.5
"""The same for each tile that a board took more than PLENTY a round."""
PLENTY = 9
BARE = 0.1
"""The same for each round in which no tile would have come to a wall."""
TILED = 0.95
"""While others tile their walls, a board with nothing due is done so often."""
ASIDE = 0.05
"""So often a photo is taken while one board is tiled and another is not."""
IMPOSSIBLE = 1e-4
"""What is not possible by what was read: something may be misread."""
MORE_ROUNDS = 0.15
"""Each further round between two photos is so many times as likely: people photograph about once a round."""
NO_ROUND = 0.5
"""Two photos of one round, against one photo in each of two."""
MOST_ROUNDS = 8
MORE_THAN_NEEDED = 2
"""Where tiles cannot be counted, no more rounds than these are tried beyond those that new tiles need."""
NEGLIGIBLE = 1e-5


@dataclass(frozen=True)
class Moment:
    """What a photo says about rounds: its most likely boards by their seats, and the tiles left in the middle."""

    boards: Mapping[int, Any]
    left: int | None
    unsure: int = 0
    """By how many tiles the boards may be misjudged."""


Weighed = tuple[Stretch, float]


def stretches_of(edition: Edition[Any, Any]) -> Stretches:
    """What the edition knows of stretches; an error where it knows nothing."""
    if edition.stretches is None:
        raise EditionError(f"games of {edition.slug} cannot be told from photos now and then yet: log them live")
    return edition.stretches


def start_moment(edition: Edition[Any, Any], setup: Setup[Any]) -> Moment:
    """The table before the first round."""
    position = edition.table(edition.start(setup))
    return Moment({board.seat: board for board in position.boards}, 0)


def weighed_stretches(
    before: Moment, after: Moment, seat: int, edition: Edition[Any, Any], setup: Setup[Any]
) -> list[Weighed]:
    """How a seat's stretch from one photo to the other may have been, with how likely each is."""
    rules = stretches_of(edition)
    everybody = set(setup.seats) <= before.boards.keys() & after.boards.keys()
    if everybody and before.left is not None and after.left is not None:
        found = list(_counted(before, after, seat, rules, setup))
    else:
        found = list(_guessed(before, after, seat, rules, setup))
    total = sum(weight for _, weight in found)
    return [(stretch, weight / total) for stretch, weight in found if weight > NEGLIGIBLE * total]


def _counted(before: Moment, after: Moment, seat: int, rules: Stretches, setup: Setup[Any]) -> Iterator[Weighed]:
    slack = before.unsure + after.unsure
    used = sum(rules.taken(before.boards[other], after.boards[other]) for other in setup.seats)
    fresh = is_fresh(after, rules, setup)
    for fills in range(MOST_ROUNDS + 1):
        fell = (before.left or 0) + rules.round_tiles(setup) * fills - (after.left or 0) - used
        if fell < -slack:
            continue
        others = (_enough(before, after, other, fills, rules) for other in setup.seats if other != seat)
        weight = _prior(fills) * FELL ** max(fell, 0) * prod(others)
        most = max(fell, 0) + slack + rules.charged(before.boards[seat])
        for behind, was in _under_way(before, seat, rules).items():
            for ahead, now in _under_way(after, seat, rules).items():
                rounds = fills + behind - ahead
                if rounds >= 0:
                    stretch = Stretch(rounds, bool(behind) and not before.left, fresh, most + rounds)
                    yield stretch, weight * was * now


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
    return {1: 1.0} if rules.is_due(moment.boards[seat]) else {0: TILED, 1: 1 - TILED}


def _guessed(before: Moment, after: Moment, seat: int, rules: Stretches, setup: Setup[Any]) -> Iterator[Weighed]:
    others = (before.boards.keys() & after.boards.keys()) - {seat}
    old, new = before.boards[seat], after.boards[seat]
    fewest = rules.fewest_rounds(old, new)
    drafted = before.left == 0 and rules.is_due(old)
    for rounds in range(fewest, fewest + MORE_THAN_NEEDED + 1):
        beside = (_busy_beside(before.boards[other], after.boards[other], rounds, rules) for other in others)
        weight = _prior(rounds) * _busy(old, new, rounds, rules) * prod(beside)
        yield Stretch(rounds, drafted, is_fresh(after, rules, setup)), weight


def _busy_beside(before: Any, after: Any, rounds: int, rules: Stretches) -> float:
    """The same for another board, which may be tiled sooner or later than this one."""
    return max(
        _busy(before, after, rounds + shift, rules) * (ASIDE if shift else 1.0)
        for shift in (-1, 0, 1)
        if rounds + shift >= 0
    )


def _busy(before: Any, after: Any, rounds: int, rules: Stretches) -> float:
    """How well so many rounds agree with what came to a board: nobody takes next to nothing all round."""
    if rounds < rules.fewest_rounds(before, after):
        return IMPOSSIBLE
    used, was_due, is_due = rules.taken(before, after), rules.is_due(before), rules.is_due(after)
    # Of a round that was under way much may have been taken before, and of one that is under way much since.
    idle = max(0, SHARE * (rounds - was_due) - used)
    greedy = max(0, used - PLENTY * (rounds + (is_due or not rounds)))
    bare = max(0, rounds - len(rules.explain(before, after)))
    return float(IDLE**idle * GREEDY**greedy * BARE**bare)


def _prior(rounds: int) -> float:
    return NO_ROUND if not rounds else MORE_ROUNDS ** (rounds - 1)


def is_drafted(moment: Moment, rules: Stretches) -> bool:
    """Whether all of a round was taken and nothing of it is scored yet."""
    return moment.left == 0 and _due(moment, rules)


def is_fresh(moment: Moment, rules: Stretches, setup: Setup[Any]) -> bool:
    """Whether a round has just been scored and nothing of the next one was taken."""
    if _due(moment, rules) or set(setup.seats) - moment.boards.keys():
        return False
    return moment.left in (0, rules.round_tiles(setup))


def _due(moment: Moment, rules: Stretches) -> bool:
    return any(map(rules.is_due, moment.boards.values()))
