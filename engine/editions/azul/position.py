"""What lies on a table of Azul for everybody to see, and what can be said of it.

A position may come from a state or from a photograph of a part of the table: what is unknown is None, `?` for a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.editions.azul.board import complete_lines, legal_columns, tile_row
from engine.editions.azul.scoring import bonus_lines, column_of, complete_rows, placement_points, sweep_lines, tile_line
from engine.editions.azul.state import (
    COLOURS,
    DRAFT,
    EMPTY,
    FLOOR_CELLS,
    LETTERS,
    MARKER,
    NO_COLUMN,
    ROWS,
    TILES_OF_EACH,
    Board,
    Options,
    State,
    parse_options,
)
from engine.editions.azul.violations import left_standing
from engine.editions.drafting import DISC_TILES, count_violations, disc_count_violations, unpushed_disc, wrong_disc
from engine.score import Outlook, ScoreLine, total
from engine.text import say
from engine.violations import Violation

UNSEEN = "?"
MOST_SPILLED = 20
"""More tiles than this never go from full floor lines into the lid within one round."""


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """One board as it lies there."""

    seat: int
    side: str
    lines: tuple[str, ...]
    wall: tuple[str, ...]
    floor: str
    score: int | None
    sliders: tuple[int, int] | None = None
    """Tens and units, where the score is kept on two sliders."""
    unseated: tuple[str, ...] = ()
    """Cells whose tile lies across two recesses."""


@dataclass(frozen=True, slots=True)
class Position:
    """What can be seen of a table; the middle is None where it is not in view."""

    edition: str
    side: str
    boards: tuple[SeenBoard, ...]
    factories: tuple[str, ...] | None = None
    centre: str | None = None
    marker_in_centre: bool | None = None

    @property
    def options(self) -> Options:
        """The usual options: a photograph does not show what a house has agreed on."""
        return parse_options({}, self.side)


def position(state: State) -> Position:
    """What of a state lies on the table."""
    boards = tuple(
        SeenBoard(seat, state.setup.side, board.lines, board.wall, board.floor, board.score)
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
    )
    return Position(
        state.setup.edition,
        state.setup.side,
        boards,
        state.factories,
        state.centre,
        is_marker_in_centre(state),
    )


def is_marker_in_centre(state: State) -> bool:
    """Whether nobody has taken the marker yet."""
    return state.phase == DRAFT and not state.marker


def position_violations(position: Position, state: State | None = None) -> list[Violation]:
    """The rules visibly broken; with the state that should lie there, also its scores."""
    options = state.setup.options if state else position.options
    found = [v for board in position.boards for v in _board_violations(board, options)]
    found += _middle_violations(position, state)
    found += _table_violations(position)
    found += _unfinished_round(position, options)
    found += _score_violations(position, state) if state else _impossible_scores(position)
    return found


def outlook(position: Position) -> list[Outlook]:
    """What each board would score if the round ended now, and what the end of the game would bring."""
    return [_board_outlook(board, position.options) for board in position.boards]


def _board_violations(board: SeenBoard, options: Options) -> Iterator[Violation]:
    seat = board.seat
    for row, (line, wall_row) in enumerate(zip(board.lines, board.wall, strict=True), 1):
        cell = f"line.{row}"
        held = set(line) - {EMPTY, UNSEEN}
        if len(line) > row:
            text = say("{count} tiles lie on line {row}", count=len(line), row=row)
            yield Violation("AZ-PL-02", text, seat, cell)
        if len(held) > 1:
            names = tuple(LETTERS[c] for c in sorted(held))
            yield Violation("AZ-PL-03", say("line {row} holds {colours}", row=row, colours=names), seat, cell)
        for colour in sorted(held & set(wall_row)):
            text = say("row {row} of the wall has its {colour} tile already", row=row, colour=LETTERS[colour])
            yield Violation("AZ-PL-04", text, seat, cell)
        if EMPTY in line.lstrip(EMPTY + UNSEEN) or _gap_before_unseen(line):
            text = say("the line is not filled from the right without a gap")
            yield Violation("AZ-PL-05", text, seat, cell)
    if EMPTY in board.floor.rstrip(EMPTY + UNSEEN):
        text = say("the floor line is not filled from the left without a gap")
        yield Violation("AZ-PL-07", text, seat, f"floor.{board.floor.index(EMPTY) + 1}")
    yield from _wall_violations(board, options)
    if board.score is not None and board.score < options.score_min:
        yield Violation("AZ-SC-02", say("no score is below {least}", least=options.score_min), seat, "score")


def _gap_before_unseen(line: str) -> bool:
    # A tile with an empty cell somewhere to its right is a gap even where cells between them are unseen.
    tiles = [i for i, c in enumerate(line) if c not in (EMPTY, UNSEEN)]
    return bool(tiles) and EMPTY in line[tiles[0] :]


def _wall_violations(board: SeenBoard, options: Options) -> Iterator[Violation]:
    for row in ROWS:
        for column in ROWS:
            tile = board.wall[row - 1][column - 1]
            if tile in (EMPTY, UNSEEN):
                continue
            cell, name = f"wall.{row}.{column}", LETTERS[tile]
            if options.wall_pattern:
                if options.wall_pattern[row - 1][column - 1] != tile:
                    text = say("a {colour} tile does not belong there", colour=name)
                    yield Violation("AZ-WT-03", text, board.seat, cell)
                continue
            if tile in board.wall[row - 1][: column - 1]:
                text = say("row {row} has two {colour} tiles", row=row, colour=name)
                yield Violation("AZ-VA-01", text, board.seat, cell)
            if tile in column_of(board.wall, column)[: row - 1]:
                text = say("column {column} has two {colour} tiles", column=column, colour=name)
                yield Violation("AZ-VA-02", text, board.seat, cell)


def _middle_violations(position: Position, state: State | None) -> Iterator[Violation]:
    if position.factories is None:
        return
    players = state.setup.players if state else len(position.boards)
    yield from disc_count_violations("AZ-SU-01", players, len(position.factories))
    if _ran_dry(position, state):
        return
    taken = _took_in_first_round(position)
    for i, disc in enumerate(position.factories, 1):
        count = len(disc)
        if UNSEEN in disc or count == DISC_TILES or (not count and not _is_untouched(position)):
            continue
        if count < DISC_TILES and taken is None and _is_bare(position):
            # Filled with too few, or taken from and left so: that cannot be told apart.
            continue
        if count > DISC_TILES or (_is_bare(position) and not taken):
            yield wrong_disc("AZ-SU-02", i, DISC_TILES, count)
        else:
            yield unpushed_disc("AZ-DR-04", i)


def _ran_dry(position: Position, state: State | None) -> bool:
    """Whether bag and lid may have been too empty for this round: then a factory may rightly hold fewer than four."""
    if state:
        return not state.bag
    most = len(_lying(position)) + _most_unseen(position)
    if most >= TILES_OF_EACH * len(COLOURS):
        return True
    # All tiles lay open then; what is in the lid now can only have spilled over a floor line that is full.
    spilled = any(len(board.floor) == FLOOR_CELLS and EMPTY not in board.floor for board in position.boards)
    return spilled and most >= TILES_OF_EACH * len(COLOURS) - MOST_SPILLED


def _most_unseen(position: Position) -> int:
    """How many tiles may lie where nothing can be seen."""
    cells = sum("".join((*board.lines, *board.wall, board.floor)).count(UNSEEN) for board in position.boards)
    discs = sum(DISC_TILES for disc in position.factories or () if UNSEEN in disc)
    hidden = position.centre is None or UNSEEN in position.centre
    return cells + discs + (DISC_TILES - 1) * len(position.factories or ()) * hidden


def _took_in_first_round(position: Position) -> bool | None:
    """Whether somebody holds tiles although no wall has any: they were taken in the round that is shown.

    None where cells that decide it cannot be seen.
    """
    if any(_has_tiles(_bare(board.wall)) for board in position.boards):
        return False
    rows = [row for board in position.boards for row in (*board.lines, *board.wall, board.floor)]
    if any(UNSEEN in row for row in rows):
        return None
    return any(map(_drafted, position.boards))


def _is_bare(position: Position) -> bool:
    """Whether nothing but the marker lies in the centre, as when a round begins."""
    return bool(any(position.factories or ()) and not position.centre and position.marker_in_centre)


def _is_untouched(position: Position) -> bool:
    """Whether nobody can have taken anything yet in this game's or this round's beginning."""
    return _is_bare(position) and not any(_drafted(board) for board in position.boards)


def _drafted(board: SeenBoard) -> bool:
    return _has_tiles(board.lines) or bool(board.floor.strip(EMPTY))


def _unfinished_round(position: Position, options: Options) -> Iterator[Violation]:
    """What the round before left undone, seen while every factory is still full."""
    if not _is_bare(position) or any(len(disc) != DISC_TILES or UNSEEN in disc for disc in position.factories or ()):
        return
    for board in position.boards:
        yield from left_standing(Board(_bare(board.lines), _bare(board.wall), "", 0), board.seat, options)
        if board.floor.strip(EMPTY + UNSEEN):
            yield Violation("AZ-WT-06", say("the floor line was not cleared"), board.seat, "floor")


def _impossible_scores(position: Position) -> Iterator[Violation]:
    """Scores that the tiles on the wall cannot have earned, in whatever order they came."""
    for board in position.boards:
        most = _most_points(board, position.options)
        if board.score is not None and board.score > most:
            begins = not any(_drafted(other) or _has_tiles(other.wall) for other in position.boards)
            text = say("the score shows {shown}, but this wall brings {most} at most", shown=board.score, most=most)
            yield Violation("AZ-SU-04" if begins else "AZ-SC-01", text, board.seat, "score")


def _most_points(board: SeenBoard, options: Options) -> int:
    """No order of placing brings more: runs only grow, so each tile is counted with the longest it can have had."""
    cells = [(row, column) for row in ROWS for column in ROWS if board.wall[row - 1][column - 1] != EMPTY]
    placed = sum(placement_points(board.wall, row, column) for row, column in cells)
    # Once a row is complete the end is near, and cubes may have been moved by its bonuses.
    if not complete_rows(board.wall):
        return placed
    wall = "".join(board.wall)
    may_complete = [c for c in COLOURS if 0 < len(ROWS) - wall.count(c) <= wall.count(UNSEEN)]
    return placed + total(bonus_lines(board.seat, board.wall, options)) + options.colour_bonus * len(may_complete)


def _has_tiles(rows: tuple[str, ...]) -> bool:
    return any(row.strip(EMPTY) for row in rows)


def _lying(position: Position) -> str:
    parts = ["".join((*board.lines, *board.wall, board.floor)) for board in position.boards]
    parts += [*(position.factories or ()), position.centre or ""]
    return "".join(parts).translate({ord(c): None for c in EMPTY + UNSEEN + MARKER})


def _table_violations(position: Position) -> Iterator[Violation]:
    yield from count_violations("AZ-INV-01", _lying(position), LETTERS, TILES_OF_EACH)
    for board in position.boards:
        if board.side != position.side:
            text = say("this board shows the side {side}, another one {other}", side=board.side, other=position.side)
            yield Violation("AZ-SU-03", text, board.seat)
    markers = sum(board.floor.count(MARKER) for board in position.boards) + bool(position.marker_in_centre)
    if markers > 1:
        yield Violation("AZ-DR-05", say("the marker lies in {count} places", count=markers), 0, "centre")
    if "".join((*(position.factories or ()), position.centre or "")).strip(UNSEEN):
        for board in position.boards:
            for row in complete_rows(_bare(board.wall)):
                text = say("play went on although row {row} is complete", row=row)
                yield Violation("AZ-EN-01", text, board.seat, f"wall.{row}")


def _score_violations(position: Position, state: State) -> Iterator[Violation]:
    for board in position.boards:
        if board.score is None or board.seat > len(state.boards):
            continue
        kept = state.boards[board.seat - 1].score
        begins = state.round == 0 or (state.round == 1 and state.phase == DRAFT)
        if board.score != kept and begins:
            yield Violation("AZ-SU-04", say("the score begins at {start}", start=0), board.seat, "score")
        elif board.score != kept:
            text = say("the score shows {shown}, it should be {score}", shown=board.score, score=kept)
            yield Violation("AZ-SC-01", text, board.seat, "score")


@lru_cache(maxsize=64)
def _board_outlook(seen: SeenBoard, options: Options) -> Outlook:
    # Where the score cannot be read, it is taken to be high enough for every cost.
    score = _HIGH if seen.score is None else seen.score
    board = Board(_bare(seen.lines), _bare(seen.wall), seen.floor.replace(UNSEEN, EMPTY), score)
    rounds = sorted(_rounds(seen.seat, board, options), key=total)
    bonus = tuple(bonus_lines(seen.seat, board.wall, options))
    return Outlook(seen.seat, seen.score, tuple(rounds[-1]), total(rounds[0]), bonus, _unseen_cells(seen))


_HIGH = 1000


def _rounds(seat: int, board: Board, options: Options) -> Iterator[list[ScoreLine]]:
    """Every way in which this board may be tiled if the round ends now, as its score lines."""
    rows = complete_lines(board)
    if not rows:
        yield sweep_lines(seat, board, False, options)
        return
    row, colour = rows[0], board.lines[rows[0] - 1][-1]
    for column in legal_columns(board.wall, row, colour, options.wall_pattern) or [NO_COLUMN]:
        line = [tile_line(seat, board.wall, row, column, colour)] if column != NO_COLUMN else []
        after, _ = tile_row(board, row, column, options)
        yield from ([*line, *later] for later in _rounds(seat, after, options))


def _bare(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row.replace(UNSEEN, EMPTY) for row in rows)


def _unseen_cells(board: SeenBoard) -> tuple[str, ...]:
    rows = [(f"line.{r}", line) for r, line in enumerate(board.lines, 1)]
    rows += [(f"wall.{r}", line) for r, line in enumerate(board.wall, 1)]
    rows.append(("floor", board.floor))
    cells = [f"{name}.{i}" for name, row in rows for i, cell in enumerate(row, 1) if cell == UNSEEN]
    return (*cells, "score") if board.score is None else tuple(cells)
