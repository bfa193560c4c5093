"""Between two looks at a board of Summer Pavilion: what new tiles brought, and what marker and passing cost.

A tile scores the run that it is part of when it comes, so the order in which a star was filled matters; stars do not
concern each other. What the marker cost and what was given up is never seen: it is bounded by counting tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from engine.editions.drafting import DISC_TILES, DISCS
from engine.editions.summer_pavilion.position import SeenBoard
from engine.editions.summer_pavilion.scoring import bonus_lines, ring_run, surrounded
from engine.editions.summer_pavilion.state import (
    EMPTY,
    FEATURES,
    ROUNDS,
    SLOTS,
    TILES_OF_EACH,
    Options,
    parse_options,
)
from engine.editions.summer_pavilion.table import sight_board
from engine.score import Gain, total
from engine.state import OVER, Setup
from engine.stretch import Ending, Gains, Reasons, Stretch, Stretches, View, changed_cells, forgiving
from engine.table import MARKER, UNSEEN, Part, Table
from engine.text import say, say_n

MOVED_EARLY = 0.05
"""How often the counter of a bare table stands on the round to come already."""
NO_MARKER = 0.6
"""How often a board pays nothing for the marker; what it pays else is as likely as anything that is possible."""
NONE_GIVEN_UP = 0.6
"""How often nothing is given up on passing; else any number of tiles is as likely."""
UNTAKEN, MOST_UNTAKEN = 1e-6, 3
"""How often tiles of the supply that were due lie there at the first look, or cannot be given; so many at most."""
COUNTER = "round"
CENTRE = "centre"


def gains(before: View, after: View, stretch: Stretch, setup: Setup[Options]) -> Gains:
    """Every way in which the score can have changed."""
    if conflicts(before.part, after.part) or not _agrees(before, after, stretch.rounds):
        return {}
    points, floor = _points(_stars(before), _stars(after)), setup.options.score_floor
    costs = dict(_costs(before, after, stretch, setup))
    if not stretch.rich and costs.keys() != {(0, 0)} and not _is_in_order(before, after, stretch):
        return forgiving(_totals(points, costs), points[-1], floor)
    found: dict[Gain, float] = {}
    for brought in points:
        for (marker, given_up), weight in costs.items():
            # The marker is paid for before tiles are laid, and what is given up after that.
            least = floor if stretch.rich else max(floor, floor + brought - given_up)
            gain = Gain(brought - marker - given_up, least)
            found[gain] = found.get(gain, 0.0) + weight
    return found


def _totals(points: Sequence[int], costs: Mapping[tuple[int, int], float]) -> dict[int, float]:
    totals: dict[int, float] = {}
    for brought in points:
        for cost, weight in costs.items():
            gained = brought - sum(cost)
            totals[gained] = totals.get(gained, 0.0) + weight
    return totals


def _agrees(before: View, after: View, rounds: int) -> bool:
    return None in (before.scored, after.scored) or (after.scored or 0) - (before.scored or 0) == rounds


def _stars(view: View) -> tuple[str, ...]:
    return sight_board(view.part).stars


@lru_cache(maxsize=1 << 12)
def _points(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int, ...]:
    """What new tiles can have brought, in whichever order they came."""
    sums = {0}
    for old, new in zip(before, after, strict=True):
        star = _star_points(_filled(old), _filled(new))
        sums = {brought + more for brought in sums for more in star}
    return tuple(sorted(sums))


def _filled(cells: str) -> str:
    return "".join(EMPTY if cell == EMPTY else "*" for cell in cells)


@lru_cache(maxsize=1 << 12)
def _star_points(before: str, after: str) -> frozenset[int]:
    if before == after:
        return frozenset({0})
    found: set[int] = set()
    for slot in SLOTS:
        # The last tile to come lies in a run of those that are there in the end.
        if before[slot - 1] == EMPTY != after[slot - 1]:
            without = after[: slot - 1] + EMPTY + after[slot:]
            last = len(ring_run(without, slot))
            found |= {brought + last for brought in _star_points(before, without)}
    return frozenset(found)


def _costs(
    before: View, after: View, stretch: Stretch, setup: Setup[Options]
) -> Iterator[tuple[tuple[int, int], float]]:
    """What the marker and what was given up may have cost."""
    dearest = _most_charges(before, after) * _dearest_marker(setup)
    used = _used(before, after, setup.options)
    for given_up, weight in _given_up(before, after, stretch, setup).items():
        # Nobody pays for more tiles than came from factories and centre.
        most = dearest if used is None else max(0, min(dearest, used + given_up))
        yield (0, given_up), weight * (NO_MARKER if most else 1.0)
        for marker in range(1, most + 1):
            yield (marker, given_up), weight * (1 - NO_MARKER) / most


def _given_up(before: View, after: View, stretch: Stretch, setup: Setup[Options]) -> dict[int, float]:
    if not stretch.rounds:
        return {0: 1.0}
    used = _used(before, after, setup.options)
    if used is not None and stretch.rounds == 1 and _is_drafted(before) and not _is_begun(after):
        owed = _owed(_stars(before), _stars(after), setup.options)
        if (left := owed - used) >= 0:
            odd = dict.fromkeys(range(max(0, left - owed), left + MOST_UNTAKEN + 1), UNTAKEN)
            return odd | {left: 1.0}
    most = min(stretch.most_lost, _most_given_up(before, after, stretch.rounds, setup))
    return {0: NONE_GIVEN_UP} | dict.fromkeys(range(1, most + 1), (1 - NONE_GIVEN_UP) / max(most, 1))


def _most_given_up(before: View, after: View, rounds: int, setup: Setup[Options]) -> int:
    """All that can have come to a board in so many rounds."""
    held = _held(before)
    owed = _owed(_stars(before), _stars(after), setup.options)
    return (rounds + 1) * _laid_out(setup) + owed + (_laid_out(setup) if held is None else held)


def _used(before: View, after: View, options: Options) -> int | None:
    """Tiles that were paid or are held now and were not held before; None where what is held was not seen."""
    then, now = _held(before), _held(after)
    if then is None or now is None:
        return None
    return _spent(_stars(before), _stars(after), options.numbers) + now - then


def _held(view: View) -> int | None:
    board = sight_board(view.part)
    return None if board.reserve is None else len(board.reserve) + len(board.corners.replace(EMPTY, ""))


@lru_cache(maxsize=1 << 12)
def _spent(before: tuple[str, ...], after: tuple[str, ...], numbers: tuple[tuple[int, ...], ...]) -> int:
    return sum(
        cost
        for old, new, costs in zip(before, after, numbers, strict=True)
        for was, now, cost in zip(old, new, costs, strict=True)
        if was == EMPTY != now
    )


@lru_cache(maxsize=1 << 12)
def _owed(before: tuple[str, ...], after: tuple[str, ...], options: Options) -> int:
    """The tiles that came from the supply for what was surrounded."""
    had = surrounded(before, FEATURES)
    return sum(options.bonus_tiles(feature) for feature in surrounded(after, FEATURES) if feature not in had)


def _most_charges(before: View, after: View) -> int:
    """How many times the marker can have been paid for."""
    if before.scored is None or after.scored is None:
        return ROUNDS
    # A round is decided once its marker is gone; of one that was not begun, or not seen, the marker may still be taken.
    decided = before.scored + (_is_begun(before) and _marker_in_centre(before) is False)
    decidable = after.scored + (_may_be_begun(after) and _marker_in_centre(after) is not True)
    return max(0, decidable - decided)


def _marker_in_centre(view: View) -> bool | None:
    centre = view.common.heaps.get(CENTRE)
    return None if centre is None else MARKER in centre


def _is_begun(view: View) -> bool:
    """Whether tiles of a round that is not scored on this board are laid out or held."""
    return bool(view.left) or bool(sight_board(view.part).reserve)


def _may_be_begun(view: View) -> bool:
    counter = view.common.tracks.get(COUNTER)
    if counter is not None and view.scored is not None:
        return view.scored < counter
    return _is_begun(view) or view.left is None or sight_board(view.part).reserve is None


def _is_drafted(view: View) -> bool:
    """Whether all tiles of a round were taken, and the board is not done with it."""
    return view.left == 0 and bool(sight_board(view.part).reserve)


def _is_in_order(before: View, after: View, stretch: Stretch) -> bool:
    """Whether the marker can only have been paid for before the tiles were laid, and passing come after them."""
    if before.scored is None or after.scored is None or stretch.rounds > 1:
        return False
    one_round = after.scored == before.scored + 1 and not _may_be_begun(after)
    drafting = not (_is_begun(before) and _marker_in_centre(before) is False)
    return (one_round and (drafting or not _most_charges(before, after))) or (not stretch.rounds and drafting)


def _dearest_marker(setup: Setup[Options]) -> int:
    """Of each disc a take leaves three tiles at most; one joker comes with those of a colour."""
    return min((DISC_TILES - 1) * DISCS[setup.players], TILES_OF_EACH) + 1


def _laid_out(setup: Setup[Options]) -> int:
    return DISCS[setup.players] * DISC_TILES


def conflicts(before: Part, after: Part) -> tuple[str, ...]:
    """Stars only fill."""
    return changed_cells(before, after, ("star.",))


def views(view: View, setup: Setup[Options]) -> list[tuple[View, float]]:  # noqa: ARG001 - the protocol's signature
    """How many rounds the board is done with, by the counter and by what lies there."""
    return [(_scored(view, scored), weight) for scored, weight in _rounds_done(view).items()]


def _rounds_done(view: View) -> dict[int, float]:
    counter, reserve = view.common.tracks.get(COUNTER), sight_board(view.part).reserve
    if counter is None:
        return dict.fromkeys(range(ROUNDS + 1), 1 / (ROUNDS + 1))
    if _is_begun(view):
        return {counter - 1: 1.0}
    if view.left == 0 and reserve is not None:
        return {counter: 1 - MOVED_EARLY, counter - 1: MOVED_EARLY}
    return {counter - 1: 0.5, counter: 0.5}


def _scored(view: View, scored: int) -> View:
    return View(view.part, view.common, view.left, scored)


def fewest_rounds(before: View, after: View) -> int:
    """By the counter, which stands on the round that is played or was played last."""
    then, now = before.common.tracks.get(COUNTER), after.common.tracks.get(COUNTER)
    return 0 if then is None or now is None else max(0, now - 1 - then)


def most_rounds(before: View, after: View) -> int:
    """Likewise."""
    then, now = before.common.tracks.get(COUNTER), after.common.tracks.get(COUNTER)
    return (ROUNDS if now is None else now) - (0 if then is None else then - 1)


def is_due(view: View) -> bool:
    """Whether tiles are held that will be laid, kept or given up."""
    reserve, counter = sight_board(view.part).reserve, view.common.tracks.get(COUNTER)
    if reserve is None and counter is not None and view.scored is not None:
        return view.scored < counter
    return bool(reserve)


def taken(before: View, after: View, setup: Setup[Options]) -> int | None:
    """Tiles that came from factories and centre and were not given up."""
    used = _used(before, after, setup.options)
    return None if used is None else used - _owed(_stars(before), _stars(after), setup.options)


def dearest(stretch: Stretch, setup: Setup[Options]) -> int:
    """The marker in every round, and everything given up."""
    rounds = stretch.rounds + 1
    return rounds * _dearest_marker(setup) + min(stretch.most_lost, rounds * _laid_out(setup))


def most(view: View, setup: Setup[Options]) -> int:
    """Stars filled in the best order."""
    bare = (EMPTY * len(SLOTS),) * len(_stars(view))
    return setup.options.score_start + _points(bare, _stars(view))[-1]


def most_score(table: Table, seat: int) -> int:
    """Stars filled in the best order, with the bonuses of the end; an unseen cell may be filled in the best way."""
    options, stars = parse_options({}, table.side), sight_board(table.part(seat)).stars
    bare = (EMPTY * len(SLOTS),) * len(stars)
    unseen = sum(EMPTY not in star and UNSEEN in star for star in stars)
    bonus = total(bonus_lines(seat, stars, options)) + unseen * max(options.star_values)
    return options.score_start + _points(bare, stars)[-1] + bonus


def endings(view: View, setup: Setup[Options]) -> frozenset[Ending]:
    """The end of the game after the last round; before that nothing is known of what will be laid or given up."""
    board: SeenBoard = sight_board(view.part)
    bonus = total(bonus_lines(board.seat, board.stars, setup.options))
    corners = len(board.corners.replace(EMPTY, ""))
    end = Gain().then(bonus, corners, setup.options.score_floor)
    # Whoever counts the end takes away what lies on corners.
    over = view.scored == ROUNDS
    return frozenset({Ending(Gain(), end, over, over and not corners, settled=over)})


def reasons(before: View, after: View, stretch: Stretch, setup: Setup[Options], number: int) -> Reasons:
    """What new tiles brought; their order, the marker and what was given up may be open."""
    points, costs = _points(_stars(before), _stars(after)), dict(_costs(before, after, stretch, setup))
    new = _count(_stars(after)) - _count(_stars(before))
    brought = points[0] if len(points) == 1 else say("{low} to {high}", low=points[0], high=points[-1])
    given_up = {tiles for (_, tiles), weight in costs.items() if weight > UNTAKEN}
    hidden = len(given_up) > 1
    unseen = (
        (len(points) > 1, say("in which order they came is open")),
        (any(marker for marker, _ in costs), say("what the first-player marker cost was not seen")),
        (hidden, say("what was given up on passing was not seen")),
    )
    came = say_n(
        "{count} new tile on stars for {points} points",
        "{count} new tiles on stars for {points} points",
        new,
        points=brought,
    )
    photo = say("one taken in round {round} when all tiles were taken and none was laid yet", round=max(number, 1))
    seen = say("{tiles} given up on passing", tiles=max(given_up)) if stretch.rounds and not hidden else None
    return Reasons(came, seen, tuple(text for holds, text in unseen if holds), photo if hidden else None)


def _count(stars: tuple[str, ...]) -> int:
    return len("".join(stars).replace(EMPTY, ""))


def closing(views: Iterable[View], setup: Setup[Options]) -> str | None:  # noqa: ARG001 - the protocol's signature
    """The end, once everybody is done with the last round."""
    return OVER if all(view.scored == ROUNDS for view in views) else None


STRETCHES = Stretches(
    gains=gains,
    conflicts=conflicts,
    reasons=reasons,
    views=views,
    fewest_rounds=fewest_rounds,
    most_rounds=most_rounds,
    is_due=is_due,
    round_tiles=_laid_out,
    taken=taken,
    dearest=dearest,
    most=most,
    endings=endings,
    closing=closing,
)
