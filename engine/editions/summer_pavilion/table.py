"""What lies on a table of Summer Pavilion as a Table, as its JSON and as readable text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine.editions.drafting import centre_of, common_part, discs_of, drafted_from, middle_json, show_middle
from engine.editions.sliders import score_tracks, sliders_in, sliders_of
from engine.editions.summer_pavilion.position import UNSEEN, Position, SeenBoard, outlook, position, position_violations
from engine.editions.summer_pavilion.state import (
    BEIGE,
    COLOURED,
    COLOURS,
    CORNERS,
    EMPTY,
    ROUNDS,
    STARS,
    SUPPLY_CELLS,
    State,
    parse_options,
)
from engine.errors import TableError
from engine.score import Outlook
from engine.table import Frozen, Part, Table, kinds_of, run_cells, run_of
from engine.table_json import an_object, boards_of, letters_of, number, score_or_unknown, side_of
from engine.violations import Violation

SIDES = (COLOURED, BEIGE)
CELL_LETTERS = COLOURS + EMPTY + UNSEEN


def table_of(state: State) -> Table:
    """What of a state lies on the table."""
    return lay(position(state))


def lay(position: Position) -> Table:
    """A position as a Table."""
    common = common_part(position.side, position.factories, position.centre, position.marker_in_centre)
    supply = Frozen(run_cells("supply", position.supply)) if position.supply is not None else common.cells
    round_: Frozen[int | None] = Frozen({"round": position.round} if position.round is not None else {})
    common = replace(common, cells=supply, tracks=round_)
    in_view = bool(common.heaps or common.cells or common.tracks)
    boards = map(_lay_board, position.boards)
    told = {JOKER_ORDER: position.joker_order} if position.joker_order is not None else {}
    return Table(position.edition, position.side, (*((common,) if in_view else ()), *boards), Frozen(told))


def sight(table: Table, score_floor: int = 1) -> Position:
    """A Table as a position."""
    common, order = table.common, table.options.get(JOKER_ORDER)
    return Position(
        table.edition,
        table.side,
        tuple(map(sight_board, table.boards)),
        *drafted_from(common),
        supply=run_of(common.cells, "supply", SUPPLY_CELLS) if common.cells else None,
        round=common.tracks.get("round"),
        joker_order=None if order is None else str(order),
        score_floor=score_floor,
    )


JOKER_ORDER = "joker_order"


@lru_cache(maxsize=64)
def _lay_board(board: SeenBoard) -> Part:
    stars = zip(STARS, board.stars, strict=True)
    cells = Frozen(cell for star, kinds in stars for cell in run_cells(f"star.{star}", kinds))
    cells = Frozen({**cells, **dict(run_cells("corner", board.corners))})
    heaps = Frozen({"reserve": kinds_of(board.reserve)} if board.reserve is not None else {})
    return Part(board.seat, board.side, cells, score_tracks(board.score, board.sliders), heaps)


@lru_cache(maxsize=64)
def sight_board(part: Part) -> SeenBoard:
    """The part of a seat as a board of a position."""
    reserve = part.heaps.get("reserve")
    return SeenBoard(
        part.seat,
        part.side,
        tuple(run_of(part.cells, f"star.{star}", 6) for star in STARS),
        run_of(part.cells, "corner", CORNERS),
        None if reserve is None else "".join(reserve),
        part.tracks.get("score"),
        sliders_in(part),
    )


def violations_in(table: Table, state: State | None = None) -> list[Violation]:
    """The rules visibly broken."""
    return position_violations(sight(table), state)


def outlook_of(table: Table) -> list[Outlook]:
    """What each board would score if everybody passed now, and what the end would bring."""
    return outlook(sight(table))


def parse_table(table: Mapping[str, Any]) -> Table:
    """The Table that JSON describes; fields of a reading and of its picture are passed over."""
    return lay(_parse_position(table))


def _parse_position(table: Mapping[str, Any]) -> Position:
    an_object(table, "a table")
    side = side_of(table.get("side", COLOURED), "side", SIDES)
    boards = tuple(_parse_board(seat, board, side) for seat, board in boards_of(table))
    centre, marker = centre_of(table, COLOURS + UNSEEN)
    supply, round_ = table.get("supply"), table.get("round")
    order = table.get("joker_order")
    return Position(
        edition=str(table.get("edition")),
        side=side,
        boards=boards,
        factories=discs_of(table, COLOURS + UNSEEN),
        centre=centre,
        marker_in_centre=marker,
        supply=None if supply is None else _cells(supply, SUPPLY_CELLS, "supply"),
        round=None if round_ is None else number(round_, "round", range(1, ROUNDS + 1)),
        joker_order=None if order is None else _cells(order, len(COLOURS), "joker_order", COLOURS + UNSEEN),
    )


def format_table(lying: Table) -> dict[str, Any]:
    """A Table as JSON, without what belongs to a reading."""
    position = sight(lying)
    table: dict[str, Any] = {"edition": position.edition, "side": position.side}
    table["boards"] = [_format_board(board, position.side) for board in position.boards]
    table |= middle_json(position.factories, position.centre, position.marker_in_centre)
    more = {"supply": position.supply, "round": position.round, "joker_order": position.joker_order}
    return table | {name: value for name, value in more.items() if value is not None}


def show(table: Table) -> str:
    """A Table as readable text: tiles in capitals, the cost of an empty cell in digits."""
    position = sight(table)
    blocks = [_show_board(board) for board in position.boards]
    blocks += show_middle(position.factories, position.centre, position.marker_in_centre)
    if position.supply is not None:
        blocks.append(f"supply     {' '.join(position.supply)}")
    if position.round is not None:
        blocks.append(f"round      {position.round}")
    return "\n".join(blocks)


def _parse_board(seat: int, board: Mapping[str, Any], side: str) -> SeenBoard:
    name = f"the board of seat {seat}"
    stars = an_object(board.get("stars", {}), f"stars of {name}")
    if unknown := set(stars) - set(STARS):
        raise TableError(f"the stars are {', '.join(STARS)}, but {name} has {', '.join(sorted(unknown))}")
    reserve = board.get("reserve")
    return SeenBoard(
        seat=seat,
        side=side_of(board.get("side", side), f"side of {name}", SIDES),
        stars=tuple(_cells(stars.get(star, UNSEEN * 6), 6, f"star {star} of {name}") for star in STARS),
        corners=_cells(board.get("corners", UNSEEN * CORNERS), CORNERS, f"corners of {name}"),
        reserve=None
        if reserve is None
        else "".join(sorted(letters_of(reserve, f"reserve of {name}", COLOURS + UNSEEN))),
        score=score_or_unknown(board.get("score"), f"score of {name}"),
        sliders=sliders_of(board.get("sliders"), name),
    )


def _cells(value: object, count: int, name: str, letters: str = CELL_LETTERS) -> str:
    cells = letters_of(value, name, letters)
    if len(cells) != count:
        raise TableError(f"{name} must have {count} characters, not {cells!r}")
    return cells


def _format_board(board: SeenBoard, side: str) -> dict[str, Any]:
    written: dict[str, Any] = {
        "seat": board.seat,
        "stars": dict(zip(STARS, board.stars, strict=True)),
        "corners": board.corners,
        "score": board.score,
    }
    if board.reserve is not None:
        written["reserve"] = board.reserve
    if board.side != side:
        written["side"] = board.side
    if board.sliders:
        written["sliders"] = {"tens": board.sliders[0], "units": board.sliders[1]}
    return written


def _show_board(board: SeenBoard) -> str:
    numbers = parse_options({}, board.side).numbers
    rows = [f"seat {board.seat}     score {'?' if board.score is None else board.score}"]
    for star, cells, costs in zip(STARS, board.stars, numbers, strict=True):
        shown = [str(cost) if cell == EMPTY else cell for cell, cost in zip(cells, costs, strict=True)]
        rows.append(f"  star {star}  {' '.join(shown)}")
    rows.append(
        f"  corners {' '.join(board.corners)}   reserve {'?' if board.reserve is None else board.reserve or '-'}"
    )
    return "\n".join(rows) + "\n"
