"""How far a game of Summer Pavilion may be where its table is seen again after a while.

Nobody sees who holds the marker once it is taken, nor who has passed with an empty hand: each is a way of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from engine.editions.drafting import DISC_TILES
from engine.editions.summer_pavilion.events import SUPPLY
from engine.editions.summer_pavilion.position import SeenBoard
from engine.editions.summer_pavilion.scoring import surrounded
from engine.editions.summer_pavilion.state import (
    BONUS,
    COLOURS,
    DRAFT,
    EMPTY,
    FEATURES,
    PLACE,
    ROUNDS,
    STARS,
    TILES_OF_EACH,
    Options,
    State,
)
from engine.editions.summer_pavilion.table import sight
from engine.resume import Resumption, turns
from engine.state import FILL, OVER
from engine.table import UNSEEN, Table
from engine.tiles import heap, lacking, without

USUAL_TAKE = 2
"""So many tiles are taken at a time, about."""
FORGOTTEN = 0.05
"""How often the supply is left with gaps though it could be filled."""
UNTAKEN = 0.1
"""How often bonus tiles are still to be taken where nothing tells."""
EMPTY_HANDED = 0.3
"""How often somebody who holds nothing has not passed yet."""
COUNTER_AHEAD = 0.05
"""How often the counter of a bare table stands on the round to come already."""
PAID = 30.0
"""Somebody whose score fell while tiles were taken holds the marker so many times as likely as another."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """What is known of the time between a state and a look at the table."""

    before: State
    boards: tuple[SeenBoard, ...]
    factories: tuple[str, ...]
    left: str
    """What lies on discs and in the centre."""
    marker_in_centre: bool
    gaps: int
    """Empty cells of the supply."""
    hidden: str
    """What is in bag and tower."""
    round: int

    @property
    def since(self) -> bool:
        """Whether the state is of the round that is seen."""
        return _is_under_way(self.before) and self.before.round == self.round

    @property
    def counted(self) -> bool:
        """Whether all that is new on boards came in the round that is seen."""
        return self.since or (not _is_under_way(self.before) and self.before.round + 1 == self.round)

    def reserve(self, seat: int) -> str:
        """What a seat holds."""
        return self.boards[seat - 1].reserve or ""

    def kept(self, seat: int) -> bool:
        """Whether a seat has tiles on its corners, and so has passed."""
        return bool(self.boards[seat - 1].corners.strip(EMPTY))


def resumes(before: State, table: Table, rounds: int) -> Iterator[Resumption]:
    """The ways in which the game may stand, if so many rounds were scored on every board since."""
    gap = _gap(before, table, rounds)
    bag, missed = _bag(gap), _missed(gap)
    for way in _drafting(gap) if gap.left else _placing(gap):
        yield replace(way, numbers={**bag, **way.numbers}, missed=way.missed or missed)


def _gap(before: State, table: Table, rounds: int) -> _Gap:
    lying = sight(table)
    discs, supply = lying.factories or (), lying.supply or before.supply
    left = (lying.centre or "") + "".join(discs)
    out = left + supply + "".join("".join((*each.stars, each.corners, each.reserve or "")) for each in lying.boards)
    hidden = without(heap(COLOURS * TILES_OF_EACH), out.replace(EMPTY, "").replace(UNSEEN, ""))
    played = before.round - _is_under_way(before) + rounds
    at_least = max(before.round, played + bool(left), before.round + (bool(left) and before.phase != DRAFT))
    round_ = min(ROUNDS, max(lying.round or 0, at_least))
    marker = bool(lying.marker_in_centre)
    return _Gap(before, lying.boards, discs, left, marker, supply.count(EMPTY), hidden, round_)


def _is_under_way(state: State) -> bool:
    return state.seat != 0


def _missed(gap: _Gap) -> int:
    """About how many moves were missed: tiles laid, takes and passes."""
    laid = sum(_laid(gap, seat) for seat in gap.before.setup.seats)
    fills = gap.round - gap.before.round
    lying = sum(map(len, gap.before.factories)) + len(gap.before.centre)
    taken = lying + fills * DISC_TILES * len(gap.before.factories) - len(gap.left)
    return max(1, laid + max(0, taken) // USUAL_TAKE + max(0, fills - (not gap.since)) * gap.before.setup.players)


def _laid(gap: _Gap, seat: int) -> int:
    """How many tiles came to the stars of a seat."""
    pairs = zip(gap.before.boards[seat - 1].stars, gap.boards[seat - 1].stars, strict=True)
    return sum(old.count(EMPTY) - new.count(EMPTY) for old, new in pairs)


def _bag(gap: _Gap) -> dict[str, str]:
    """What the bag may hold; where tiles were drawn, all that is hidden but what surely still lies in the tower.

    A tile too many in the bag is never missed by a filling; one that is taken to be in the tower would be.
    """
    before, seats = gap.before, gap.before.setup.seats
    bonus = sum(_due(gap, seat) for seat in seats) + before.owed
    drawn = (gap.round - before.round) * DISC_TILES * len(before.factories) + bonus + before.supply.count(EMPTY)
    if not drawn:
        return {"bag": without(before.bag, lacking(before.bag, gap.hidden))}
    poured = drawn > len(before.bag)
    tower = "" if poured else without(before.tower, lacking(before.tower, gap.hidden))
    return {"bag": heap(without(gap.hidden, tower))}


def _due(gap: _Gap, seat: int) -> int:
    """The bonus tiles for what was surrounded on a board since."""
    was, now = (surrounded(board[seat - 1].stars, FEATURES) for board in (gap.before.boards, gap.boards))
    options: Options = gap.before.setup.options
    return sum(options.bonus_tiles(feature) for feature in now if feature not in was)


# Tiles are taken.


def _drafting(gap: _Gap) -> Iterator[Resumption]:
    takes = list(_turns(gap))
    for holder, share in _holders(gap).items():
        for seat, missed, weight in takes:
            numbers: dict[str, str | int] = {
                "phase": DRAFT,
                "round": gap.round,
                "marker": holder,
                "turn": seat,
                "passed": "",
            }
            yield Resumption(numbers, share * weight, missed if gap.since else 0)


def _holders(gap: _Gap) -> dict[int, float]:
    """Who may hold the marker, with how likely that is."""
    before, seats = gap.before, gap.before.setup.seats
    if gap.left and gap.marker_in_centre:
        return {0: 1.0}
    if gap.since and before.marker:
        return {before.marker: 1.0}
    took = [seat for seat in seats if not gap.left or _takes(gap, seat)[1]] or list(seats)
    weights = {seat: PAID if gap.counted and _has_paid(gap, seat) else 1.0 for seat in took}
    return {seat: weight / sum(weights.values()) for seat, weight in weights.items()}


def _has_paid(gap: _Gap, seat: int) -> bool:
    """Whether the track of a seat stands lower than before, though passing has not cost anything yet."""
    score = gap.boards[seat - 1].score
    return score is not None and score < gap.before.scores[seat - 1] and bool(gap.left or gap.reserve(seat))


def _turns(gap: _Gap) -> list[tuple[int, int, float]]:
    """Whose turn it may be while tiles are taken, how many takes were missed, and how likely that is."""
    before, setup = gap.before, gap.before.setup
    emptied, taken = sum(not disc for disc in gap.factories), not gap.marker_in_centre
    if gap.since:
        starters = [before.seat]
        least = max(0, emptied - sum(not disc for disc in before.factories)) + (taken and not before.marker)
    else:
        starters = [before.starter] if gap.counted else _starters(gap)
        least = emptied + taken
    moves_of = [_takes(gap, seat) for seat in setup.seats]
    most = max(least, sum(most for _, most in moves_of)) if taken else least
    found = [way for starter in starters for way in turns(starter, setup.players, moves_of, least, most)]
    # Something was misread, or somebody took out of turn: anybody may be next.
    return found or [(seat, max(least, 1), 1.0) for seat in setup.seats]


def _starters(gap: _Gap) -> list[int]:
    """The seats that may have begun a round that was not seen to begin."""
    before = gap.before
    known = before.marker and _is_under_way(before) and gap.round == before.round + 1
    return [before.marker] if known else list(before.setup.seats)


def _takes(gap: _Gap, seat: int) -> tuple[int, int]:
    """The fewest and the most takes that can have brought a seat what it holds."""
    now = gap.reserve(seat)
    if not gap.counted:
        return 0, len(now)
    was = gap.before.boards[seat - 1]
    came = Counter(now) - Counter(was.reserve + was.corners.replace(EMPTY, ""))
    joker = gap.before.setup.options.joker_order[gap.round - 1]
    # A take brings one colour, and a joker at most besides.
    return max(len([colour for colour in came if colour != joker]), came[joker]), came.total()


# Tiles are laid.


def _placing(gap: _Gap) -> Iterator[Resumption]:
    found = list(_played(gap)) if gap.counted else []
    yield from found or _unplayed(gap)


def _played(gap: _Gap) -> Iterator[Resumption]:
    """The ways by counting: who laid how many tiles since, in turn, tells whose turn it is."""
    before = gap.before
    gone = before.passed if gap.since else ()
    unsure = [seat for seat in before.setup.seats if seat not in gone and _may_have_passed(gap, seat)]
    for holder, share in _holders(gap).items():
        first, last = _begins(gap, holder)
        for count in range(len(unsure) + 1):
            for more in combinations(unsure, count):
                passes = {seat for seat in before.setup.seats if seat not in gone and gap.kept(seat)} | {*more}
                if (told := _counted(gap, first, last, set(gone), passes)) is not None:
                    weight = share * EMPTY_HANDED ** (len(unsure) - count)
                    yield from _standing(gap, holder, *told, {*gone, *passes}, weight)


def _may_have_passed(gap: _Gap, seat: int) -> bool:
    return not gap.reserve(seat) and not gap.kept(seat)


def _begins(gap: _Gap, holder: int) -> tuple[int, int]:
    """Whose turn came first, and who laid the last tile before that if its bonus may still be due."""
    before = gap.before
    if not gap.since or before.phase == DRAFT:
        return holder, 0
    if before.phase == PLACE:
        return before.seat, 0
    players = before.setup.players
    after = [(before.seat + step - 1) % players + 1 for step in range(1, players + 1)]
    return next(seat for seat in after if seat not in before.passed), before.seat


def _counted(gap: _Gap, seat: int, last: int, gone: set[int], passes: set[int]) -> tuple[int, int] | None:
    """Whose turn it is (0 once all have passed) and who laid the last tile; None where turns do not come out even."""
    players = gap.before.setup.players
    laid = {each: _laid(gap, each) for each in gap.before.setup.seats}
    while len(gone) < players:
        if seat in gone:
            pass
        elif laid[seat] > 0:
            laid[seat] -= 1
            last = seat
        elif seat in passes:
            gone, last = gone | {seat}, 0
        else:
            break
        seat = seat % players + 1
    if any(laid.values()) or passes - gone:
        return None
    return (seat if len(gone) < players else 0), last


def _standing(gap: _Gap, holder: int, turn: int, last: int, passed: set[int], share: float) -> Iterator[Resumption]:
    """The ways once turns are counted: bonus tiles may still be due to who laid the last tile, or the supply."""
    if last and gap.gaps and gap.hidden:
        yield _turn_of(gap, SUPPLY, holder, last, passed, share * (1 - FORGOTTEN))
        share *= FORGOTTEN
    elif last:
        for owed, weight in _owed(gap, last).items():
            way = _turn_of(gap, BONUS, holder, last, passed, share * weight)
            yield replace(way, numbers={**way.numbers, "owed": owed})
            share *= 1 - weight
    yield _turn_of(gap, PLACE, holder, turn, passed, share) if turn else _between(gap, holder, share)


def _turn_of(gap: _Gap, phase: str, holder: int, seat: int, passed: set[int], weight: float) -> Resumption:
    others = "".join(str(each) for each in sorted(passed - {seat}))
    numbers: dict[str, str | int] = {"phase": phase, "round": gap.round, "marker": holder, "turn": seat}
    return Resumption({**numbers, "passed": others}, weight)


def _between(gap: _Gap, holder: int, weight: float) -> Resumption:
    phase = OVER if gap.round >= ROUNDS else FILL
    return Resumption({"phase": phase, "round": gap.round, "marker": holder, "starter": holder}, weight)


def _owed(gap: _Gap, seat: int) -> dict[int, float]:
    """How many bonus tiles the seat that laid last may still have to take: what is due less what came."""
    before, seats = gap.before, gap.before.setup.seats
    drafted = not gap.since or before.phase == DRAFT
    mine = seats if drafted else [seat]
    due = sum(_due(gap, each) for each in mine) + before.owed * (before.seat == seat)
    lying = sum(map(len, before.factories)) + len(before.centre)
    if drafted and not gap.since:
        lying = DISC_TILES * len(before.factories)
    came = sum(_used(gap, each) for each in mine) - (lying if drafted else 0)
    owed = min(due - came, _last_due(gap, seat))
    if owed < 1:
        return {}
    # Of what was given up on passing nobody knows how much it was.
    given_up = drafted and any(map(gap.kept, seats))
    return {owed: UNTAKEN if given_up else 1 - FORGOTTEN}


def _used(gap: _Gap, seat: int) -> int:
    """Tiles that a seat paid or holds now and did not hold before."""
    was, now = gap.before.boards[seat - 1], gap.boards[seat - 1]
    numbers = gap.before.setup.options.numbers
    paid = sum(
        cost
        for old, new, costs in zip(was.stars, now.stars, numbers, strict=True)
        for empty, tile, cost in zip(old, new, costs, strict=True)
        if empty == EMPTY != tile
    )
    held = [len((board.reserve or "") + board.corners.replace(EMPTY, "")) for board in (was, now)]
    return paid + held[1] - held[0]


def _last_due(gap: _Gap, seat: int) -> int:
    """The most bonus tiles that the last tile laid on a board can have brought."""
    stars, options = gap.boards[seat - 1].stars, gap.before.setup.options
    whole = surrounded(stars, FEATURES)
    most = 0
    for index, star in enumerate(STARS):
        for slot, tile in enumerate(stars[index], 1):
            if tile != EMPTY == gap.before.boards[seat - 1].stars[index][slot - 1]:
                most = max(most, sum(options.bonus_tiles(each) for each in whole if (star, slot) in each.cells))
    return max(most, gap.before.owed if gap.before.seat == seat else 0)


def _unplayed(gap: _Gap) -> Iterator[Resumption]:
    """The ways where turns cannot be counted: everybody who may still lay tiles may be next."""
    seats, holders = gap.before.setup.seats, _holders(gap)
    holding = [seat for seat in seats if gap.reserve(seat)]
    bare = [seat for seat in seats if _may_have_passed(gap, seat)]
    kept = {seat for seat in seats if gap.kept(seat) and not gap.reserve(seat)}
    for holder, share in holders.items():
        if not holding:
            yield _between(gap, holder, share)
            if gap.round > max(1, gap.before.round):
                ahead = replace(gap, round=gap.round - 1)
                yield _between(ahead, holder, share * COUNTER_AHEAD)
        for seat in (*holding, *bare):
            passed = kept | ({*bare} - {seat} if holding else set())
            weight = share * (1.0 if gap.reserve(seat) else EMPTY_HANDED)
            yield from _guessed(gap, holder, seat, passed, weight)


def _guessed(gap: _Gap, holder: int, seat: int, passed: set[int], weight: float) -> Iterator[Resumption]:
    """The ways with this seat to move: to lay, to take bonus tiles, or before the supply is filled."""
    owed = _last_due(gap, seat)
    if gap.gaps and gap.hidden and gap.reserve(seat):
        yield _turn_of(gap, SUPPLY, holder, seat, passed, weight)
        weight *= FORGOTTEN
    elif owed:
        way = _turn_of(gap, BONUS, holder, seat, passed, weight * UNTAKEN)
        yield replace(way, numbers={**way.numbers, "owed": owed})
    yield _turn_of(gap, PLACE, holder, seat, passed, weight)
