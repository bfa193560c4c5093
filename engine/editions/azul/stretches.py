"""Between two looks at a board of Azul: which tiles can have come when, and what that scored.

New wall tiles say which lines were completed. In which rounds they came, and what the floor lines cost, is tried in
every way that the two looks leave open; so the true gain is always among those returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import perm, prod
from typing import Any

from engine.editions.azul.board import complete_lines, legal_columns, tile_row, with_wall_tile
from engine.editions.azul.position import UNSEEN, SeenBoard
from engine.editions.azul.scoring import Wall, bonus_lines, complete_rows, floor_cost, placement_points, tile_line
from engine.editions.azul.state import (
    EMPTY,
    FLOOR_CELLS,
    LAST_PENALTY,
    NO_COLUMN,
    ROWS,
    TILE,
    TO_FLOOR,
    Board,
    Options,
)
from engine.editions.azul.table import sight_board
from engine.editions.drafting import DISC_TILES, DISCS
from engine.score import Gain, ScoreLine, total
from engine.state import OVER, Setup
from engine.stretch import Ending, Gains, Reasons, Stretch, Stretches, View
from engine.text import say, say_n

MOST_WAYS = 800
"""Where tiles can have come in more ways than this, their points are only bounded."""

SHARE, IDLE = 4, 0.4
"""Each tile that a board is short of so many a round makes a number of rounds so many times as likely."""
PLENTY, GREEDY = 9, 0.5
"""The same for each tile that a board took more than these a round."""
BARE = 0.1
"""The same for each round in which no tile would have come to a wall."""
FLOOR_SEEN, FLOOR_UNSEEN = say("what fell to the floor was seen"), say("what the floor line cost was not seen")

Tile = tuple[int, str]
"""A new wall tile of a row: its column and colour."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one row of the wall between two looks."""

    tiles: tuple[Tile, ...]
    due: str
    """The colour of a line that was complete at the first look, so that its tile comes in the first round."""
    begun: str
    """The colour of a line that was begun: its tile comes before the others."""
    earliest: int
    latest: int
    """The rounds in which tiles can have come, from 1."""


def gains(before: SeenBoard, after: SeenBoard, stretch: Stretch, setup: Setup[Options]) -> frozenset[Gain]:
    """Every way in which the score can have changed."""
    if conflicts(before, after):
        return frozenset()
    if not stretch.rounds:
        return _within_a_round(before, after)
    if stretch.fresh and (is_due(after) or after.floor.strip(EMPTY)):
        return frozenset()
    return _gains(
        (before.lines, before.wall, before.floor), (after.lines, after.wall, after.floor), stretch, setup.options
    )


@lru_cache(maxsize=1 << 12)
def _gains(
    before: tuple[Wall, Wall, str], after: tuple[Wall, Wall, str], stretch: Stretch, options: Options
) -> frozenset[Gain]:
    rows = [_row(row, before, after, stretch, options) for row in ROWS]
    if any(row is None for row in rows):
        return frozenset()
    known = [row for row in rows if row is not None]
    costs = [_costs(number, before[2], stretch, options) for number in range(1, stretch.rounds + 1)]
    if _ways(known, stretch.rounds) > MOST_WAYS:
        return _bounded(known, after[1], costs, options)
    found = _searched(known, before[1], costs, options, stretch.rich)
    return frozenset(Gain(way, options.score_min) if isinstance(way, int) else way for way in found)


def _row(
    row: int, before: tuple[Wall, Wall, str], after: tuple[Wall, Wall, str], stretch: Stretch, options: Options
) -> Row | None:
    """What is known of a row; None where the looks contradict each other."""
    old, new = before[0][row - 1], after[0][row - 1]
    colour = old.replace(EMPTY, "")[-1:]
    complete = EMPTY not in old
    tiles = _new_tiles(before[1], after[1], row)
    if not tiles and colour and not _continues(old, new) and not _may_drop(after[1], row, colour, options):
        return None
    first = 2 if stretch.closed and not complete else 1
    last = stretch.rounds - (stretch.fresh and bool(new.strip(EMPTY)))
    if tiles and len(tiles) > last - first + 1:
        return None
    return Row(tiles, colour if complete else "", "" if complete else colour, first, last)


def _new_tiles(before: Wall, after: Wall, row: int) -> tuple[Tile, ...]:
    pairs = zip(before[row - 1], after[row - 1], strict=True)
    return tuple((column, new) for column, (old, new) in enumerate(pairs, 1) if old == EMPTY != new)


def _continues(old: str, new: str) -> bool:
    """Whether a line may have become the other by more tiles being laid on it."""
    held, more = old.replace(EMPTY, ""), new.replace(EMPTY, "")
    return more.startswith(held)


def _may_drop(wall: Wall, row: int, colour: str, options: Options) -> bool:
    """Whether a line may have gone to the floor as its tile fits nowhere: walls only fill, so the last one tells."""
    return options.wall_pattern is None and not legal_columns(wall, row, colour, None)


def _costs(number: int, floor: str, stretch: Stretch, options: Options) -> list[tuple[int, int]]:
    """The numbers of cells that the floor line can have had in a round, each with what it cost."""
    lying = len(floor.replace(EMPTY, "")) if number == 1 else 0
    if number == 1 and stretch.closed:
        # What fell besides can only be a line that fitted nowhere.
        return [(lying, cost) for cost in _full_costs(floor_cost(floor, False, options), lying, options)]
    most = min(FLOOR_CELLS, max(stretch.most_lost, lying))
    return [
        (count, cost)
        for count in range(lying, most + 1)
        for cost in _full_costs(sum(options.floor_penalties[:count]), count, options)
    ]


def _full_costs(cost: int, count: int, options: Options) -> list[int]:
    """A full floor line may have the marker beside it, which costs more in some houses."""
    beside = count >= FLOOR_CELLS and options.marker_when_floor_full == LAST_PENALTY
    return [cost, cost + options.floor_penalties[-1]] if beside else [cost]


def _ways(rows: Sequence[Row], rounds: int) -> int:
    """No more ways than this are tried: by the rounds of each tile, or by the walls that there can be in between."""
    counts = [len(row.tiles) for row in rows]
    walls = prod((1 << count) * (count + 1) for count in counts)
    return min(prod(perm(rounds, count) for count in counts), rounds * walls)


def _searched(
    rows: list[Row], wall: Wall, costs: list[list[tuple[int, int]]], options: Options, rich: bool
) -> set[Gain] | set[int]:
    """Lay the tiles round by round in every order that is possible; plain sums do where no cost is ever forgiven."""
    reached: dict[Wall, Any] = {wall: {0} if rich else {Gain()}}
    for number, charges in enumerate(costs, 1):
        later: dict[Wall, Any] = {}
        for laid, before in reached.items():
            for then, points, dropped in _one_round(rows, laid, number, 1, options):
                charged, found = set(_charges(charges, dropped, options)), later.setdefault(then, set())
                if rich:
                    found.update(gain + points - cost for gain in before for cost in charged)
                else:
                    found.update(gain.then(points, cost, options.score_min) for gain in before for cost in charged)
        reached = later
    return set().union(*reached.values())


def _one_round(rows: list[Row], wall: Wall, number: int, row: int, options: Options) -> Iterator[tuple[Wall, int, int]]:
    """The walls after one round, row by row from the top, with their points and the floor cells of dropped lines."""
    if row > len(ROWS):
        yield wall, 0, 0
        return
    for column, colour in _choices(rows[row - 1], wall, number, row, options):
        points, dropped, then = 0, 0, wall
        if column != NO_COLUMN:
            points, then = placement_points(wall, row, column), with_wall_tile(wall, row, column, colour)
        elif colour and options.grey_no_fit == TO_FLOOR:
            dropped = row
        for end, more, fallen in _one_round(rows, then, number, row + 1, options):
            yield end, points + more, dropped + fallen


def _choices(row: Row, wall: Wall, number: int, at: int, options: Options) -> list[Tile]:
    """What can have come to a row in a round: one of its tiles, or none (column 0), with the colour of what dropped."""
    left = [(column, colour) for column, colour in row.tiles if wall[at - 1][column - 1] == EMPTY]
    none: Tile = (NO_COLUMN, "")
    if number == 1 and row.due:
        if fits := [tile for tile in left if tile[1] == row.due]:
            return fits
        may_drop = options.wall_pattern is None and not legal_columns(wall, at, row.due, None)
        return [(NO_COLUMN, row.due)] if may_drop else []
    if not row.earliest <= number <= row.latest:
        return [none] if not left or number < row.earliest else []
    chosen = left
    if row.begun and len(left) == len(row.tiles):
        first = [tile for tile in left if tile[1] == row.begun]
        # A begun line that was dropped lets the others come.
        chosen = first or (left if options.wall_pattern is None else [])
    return chosen if len(left) > row.latest - number else [*chosen, none]


def _charges(charges: list[tuple[int, int]], dropped: int, options: Options) -> Iterator[int]:
    for count, cost in charges:
        more = options.floor_penalties[count : min(FLOOR_CELLS, count + dropped)]
        yield cost + sum(more)


def _bounded(rows: list[Row], wall: Wall, costs: list[list[tuple[int, int]]], options: Options) -> frozenset[Gain]:
    """Every number of points that may be: each tile brings one at least, and at most what it would bring in the end."""
    laid = [(row, column) for row, known in enumerate(rows, 1) for column, _ in known.tiles]
    most = sum(placement_points(wall, row, column) for row, column in laid)
    dearest = sum(options.floor_penalties) + options.floor_penalties[-1]
    # Lines that fitted nowhere may have filled any floor line.
    cost = sum(max(cost for _, cost in charges) if options.wall_pattern else dearest for charges in costs)
    return frozenset(Gain(points, options.score_min) for points in range(len(laid) - cost, most + 1))


def _within_a_round(before: SeenBoard, after: SeenBoard) -> frozenset[Gain]:
    """Nothing was scored in between, unless somebody is in the middle of it."""
    new = {row: _new_tiles(before.wall, after.wall, row) for row in ROWS}
    if not any(new.values()):
        grew = all(_continues(old, line) for old, line in zip(before.lines, after.lines, strict=True))
        fell = _count(after.floor) >= _count(before.floor)
        return frozenset({Gain()}) if grew and fell else frozenset()
    for row, (old, line) in enumerate(zip(before.lines, after.lines, strict=True), 1):
        moved = EMPTY not in old and not line.strip(EMPTY) and [colour for _, colour in new[row]] == [old[-1]]
        if not moved and (new[row] or old != line):
            return frozenset()
    if before.floor != after.floor:
        return frozenset()
    return frozenset({Gain(total(explain(before, after)))})


def conflicts(before: SeenBoard, after: SeenBoard) -> tuple[str, ...]:
    """The cells that contradict each other: walls only fill."""
    return tuple(
        f"wall.{row}.{column}"
        for row in ROWS
        for column in ROWS
        if before.wall[row - 1][column - 1] not in (EMPTY, after.wall[row - 1][column - 1])
    )


def fewest_rounds(before: SeenBoard, after: SeenBoard) -> int:
    """A row gets one tile a round."""
    return max(len(_new_tiles(before.wall, after.wall, row)) for row in ROWS)


def taken(before: SeenBoard, after: SeenBoard) -> int:
    """Every new wall tile took a whole line, and what lies on lines now was taken as well."""
    used = sum(row * len(_new_tiles(before.wall, after.wall, row)) for row in ROWS)
    return used + sum(map(_count, after.lines)) - sum(map(_count, before.lines))


def is_due(board: SeenBoard) -> bool:
    """Whether a line is complete or something lies on the floor line."""
    return any(EMPTY not in line for line in board.lines) or _count(board.floor) > 0


def endings(board: SeenBoard, setup: Setup[Options]) -> frozenset[Ending]:
    """How the board may be scored if the round ends as it lies."""
    start = Board(board.lines, board.wall, board.floor, 0)
    found = set()
    for points, then in _tiled(start, setup.options):
        bonus = total(bonus_lines(board.seat, then.wall, setup.options))
        for cost in _full_costs(floor_cost(then.floor, False, setup.options), _count(then.floor), setup.options):
            gain = Gain().then(points, cost, setup.options.score_min) if is_due(board) else Gain()
            found.add(Ending(gain, Gain(bonus), bool(complete_rows(then.wall))))
    return frozenset(found)


def _tiled(board: Board, options: Options) -> Iterator[tuple[int, Board]]:
    rows = complete_lines(board)
    if not rows:
        yield board.score, board
        return
    for column in legal_columns(board.wall, rows[0], board.lines[rows[0] - 1][-1], options.wall_pattern) or [NO_COLUMN]:
        yield from _tiled(tile_row(board, rows[0], column, options)[0], options)


def explain(before: SeenBoard, after: SeenBoard) -> list[ScoreLine]:
    """The points of new wall tiles, from the top."""
    wall, lines = before.wall, []
    for row in ROWS:
        for column, colour in _new_tiles(before.wall, after.wall, row):
            lines.append(tile_line(after.seat, wall, row, column, colour))
            wall = with_wall_tile(wall, row, column, colour)
    return lines


def reasons(before: SeenBoard, after: SeenBoard, stretch: Stretch, number: int) -> Reasons:
    """What new wall tiles brought; in which order they came, and what fell to the floor, may be open."""
    lines = explain(before, after)
    came = say_n("{count} new wall tile", "{count} new wall tiles", len(lines))
    if stretch.rounds <= 1:
        came = say("{came} for {points} points", came=came, points=total(lines))
    passed = say("{rounds} rounds passed, so the order of tiles is open", rounds=stretch.rounds)
    unseen = [passed] if stretch.rounds > 1 else []
    if stretch.closed and stretch.rounds == 1:
        return Reasons(came, FLOOR_SEEN, tuple(unseen))
    photo = say("one taken in round {round} when all tiles were taken and none was moved to the wall yet", round=number)
    return Reasons(came, FLOOR_SEEN if stretch.closed else None, (*unseen, FLOOR_UNSEEN), photo)


def strange(before: SeenBoard, after: SeenBoard) -> int:
    """Lines that were begun with a colour that is neither there any more nor came to the wall."""
    return sum(_is_strange(row, before, after) for row in ROWS)


def _is_strange(row: int, before: SeenBoard, after: SeenBoard) -> bool:
    held = set(before.lines[row - 1]) - {EMPTY, UNSEEN}
    came = {colour for _, colour in _new_tiles(before.wall, after.wall, row)} - {UNSEEN}
    return bool(held) and not held & (came or set(after.lines[row - 1]) - {EMPTY, UNSEEN})


def usual(before: SeenBoard, after: SeenBoard, rounds: int) -> float:
    """Nobody takes next to nothing in a round, or very much, or brings no tile to the wall."""
    used, was_due, due = taken(before, after), is_due(before), is_due(after)
    # Of a round that was under way much may have been taken before, and of one that is under way much since.
    idle = max(0, SHARE * (rounds - was_due) - used)
    greedy = max(0, used - PLENTY * (rounds + (due or not rounds)))
    bare = max(0, rounds - len(explain(before, after)))
    return float(IDLE**idle * GREEDY**greedy * BARE**bare)


def most(board: SeenBoard) -> int:
    """Every tile at what it would bring if it had come last."""
    return sum(placement_points(board.wall, row, column) for row, column in _laid(board.wall))


def _laid(wall: Wall) -> list[tuple[int, int]]:
    return [(row, column) for row in ROWS for column in ROWS if wall[row - 1][column - 1] != EMPTY]


def closing(boards: Iterable[SeenBoard], setup: Setup[Options]) -> str | None:
    """The end, or the last tiling where nobody has a choice in it."""
    if not any(map(is_due, boards)):
        return OVER
    return TILE if setup.options.wall_pattern is not None else None


def round_tiles(setup: Setup[Options]) -> int:
    """Four on every disc."""
    return DISCS[setup.players] * DISC_TILES


def dearest(stretch: Stretch, setup: Setup[Options]) -> int:
    """A full floor line with the marker beside it, every round."""
    penalties = setup.options.floor_penalties
    return stretch.rounds * (sum(penalties) + penalties[-1])


def _count(cells: str) -> int:
    return len(cells.replace(EMPTY, ""))


def _seen(view: View) -> SeenBoard:
    return sight_board(view.part)


def _equally(before: View, after: View, stretch: Stretch, setup: Setup[Options]) -> Gains:
    return dict.fromkeys(gains(_seen(before), _seen(after), stretch, setup), 1.0)


STRETCHES = Stretches(
    gains=_equally,
    conflicts=lambda before, after: conflicts(sight_board(before), sight_board(after)),
    reasons=lambda before, after, stretch, _setup, number: reasons(_seen(before), _seen(after), stretch, number),
    strange=lambda before, after: strange(sight_board(before), sight_board(after)),
    fewest_rounds=lambda before, after: fewest_rounds(_seen(before), _seen(after)),
    usual=lambda before, after, rounds: usual(_seen(before), _seen(after), rounds),
    is_due=lambda view: is_due(_seen(view)),
    round_tiles=round_tiles,
    taken=lambda before, after, _setup: taken(_seen(before), _seen(after)),
    # The marker comes to a floor line too.
    charged=lambda view, rounds: len(_seen(view).floor) + rounds,
    dearest=dearest,
    most=lambda view, _setup: most(_seen(view)),
    endings=lambda view, setup: endings(_seen(view), setup),
    last_choice=say("into which columns the last tiles went was not seen"),
    last_photo=say("after its last tiles were laid"),
    closing=lambda views, setup: closing(map(_seen, views), setup),
)
