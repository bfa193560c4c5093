"""States and moves of Azul in one line each.

A state: `azul:coloured:2:1 r3 draft1 s1 m0 BKRR/BRRY/// KY B12K3 - LINES|WALL|FLOOR|SCORE …`, that is set-up (edition,
side, players, first), round, phase with the seat to move, starter, marker (0: centre), factories, centre, bag, lid,
then a board per seat; `-` stands for nothing. While walls are tiled, `u12` names the seats whose floor is not cleared;
options that differ from the usual follow as JSON.

A move: `1:4B>3` (seat 1 takes blue from factory 4 to line 3), `1:pass`, `1:2#4` (seat 1 tiles line 2 into column 4),
`1:sweep`, `fill:BKRR/…`, `end`; a slip follows as `!kind=TILES@at>to`.
"""

from __future__ import annotations

import re

from engine.editions.azul.moves import End, Move, Pass, Sweep, Take, Tile
from engine.editions.azul.state import (
    COLOURS,
    DRAFT,
    EMPTY,
    FLOOR_CELLS,
    MARKER,
    ROWS,
    TILE,
    Board,
    State,
    format_options,
    parse_options,
)
from engine.editions.drafting import DISCS
from engine.errors import NotationError
from engine.moves import Fill
from engine.notation import (
    NOTHING,
    format_line,
    format_slips,
    match_part,
    only_letters,
    parse_line,
    parse_slip,
    seat_among,
)
from engine.state import FILL, OVER
from engine.tiles import format_heap, heap, parse_heap


def format_state(state: State) -> str:
    """A state in one line."""
    parts = [
        "/".join(state.factories),
        state.centre or NOTHING,
        format_heap(state.bag),
        format_heap(state.lid),
        *map(_format_board, state.boards),
    ]
    if state.unswept:
        parts.append("u" + "".join(map(str, state.unswept)))
    return format_line(state, f"{state.phase}{state.seat or ''}", parts, format_options(state.setup))


def parse_state(text: str) -> State:
    """The state that `format_state` wrote."""
    setup, parts = parse_line(text, "azul|azul-mini", "coloured|grey", parse_options)
    unswept: tuple[int, ...] = ()
    if parts[-1].startswith("u"):
        (written,) = match_part(r"u([1-4]{1,4})", parts.pop(), "unswept seats")
        unswept = tuple(seat_among(seat, setup.players, 1) for seat in written)
        if list(unswept) != sorted(set(unswept)):
            raise NotationError(f"unswept seats are named once, in order, not {written!r}")
    if len(parts) != 9 + setup.players:
        raise NotationError(f"a state of {setup.players} players has {9 + setup.players} parts, not {len(parts)}")
    # Only a draft has somebody to move.
    phase, seat = match_part(rf"({DRAFT}(?=[1-4])|{TILE}|{FILL}|{OVER})((?<={DRAFT})[1-4]|)", parts[2], "phase")
    factories = tuple(only_letters(disc, COLOURS, "factory") for disc in parts[5].split("/"))
    if len(factories) > max(DISCS.values()):
        raise NotationError(f"there are at most {max(DISCS.values())} factories, not {len(factories)}")
    return State(
        setup=setup,
        boards=tuple(map(_parse_board, parts[9:])),
        factories=tuple(map(heap, factories)),
        centre=heap(only_letters(parts[6], COLOURS, "centre")),
        marker=seat_among(match_part(r"m([0-4])", parts[4], "marker")[0], setup.players),
        bag=parse_heap(parts[7], COLOURS),
        lid=parse_heap(parts[8], COLOURS),
        phase=phase,
        seat=seat_among(seat or "0", setup.players),
        starter=seat_among(match_part(r"s([1-4])", parts[3], "starter")[0], setup.players, 1),
        round=int(match_part(r"r([0-9]{1,4})", parts[1], "round")[0]),
        unswept=unswept,
    )


def format_move(move: Move) -> str:
    """A move in one word."""
    match move:
        case Fill(factories):
            return "fill:" + "/".join(factories)
        case Take(seat, source, colour, line, slips):
            return f"{seat}:{source}{colour}>{line}" + format_slips(slips)
        case Pass(seat):
            return f"{seat}:pass"
        case Tile(seat, row, column, slips):
            return f"{seat}:{row}#{column}" + format_slips(slips)
        case Sweep(seat, slips):
            return f"{seat}:sweep" + format_slips(slips)
        case End():
            return "end"


def parse_move(text: str) -> Move:
    """The move that `format_move` wrote."""
    word, *slips = text.split("!")
    made = tuple(parse_slip(slip, COLOURS) for slip in slips)
    if match := re.fullmatch(rf"fill:((?:[{COLOURS}]*/)*[{COLOURS}]*)", text):
        return Fill(tuple(match[1].split("/")))
    if match := re.fullmatch(rf"([1-4]):([0-9])([{COLOURS}])>([0-5])", word):
        return Take(int(match[1]), int(match[2]), match[3], int(match[4]), made)
    if match := re.fullmatch(r"([1-4]):([1-5])#([0-5])", word):
        return Tile(int(match[1]), int(match[2]), int(match[3]), made)
    if match := re.fullmatch(r"([1-4]):sweep", word):
        return Sweep(int(match[1]), made)
    if match := re.fullmatch(r"([1-4]):pass", text):
        return Pass(int(match[1]))
    if text == "end":
        return End()
    raise NotationError(f"a move is written like 1:4B>3, 1:2#4, 1:pass, 1:sweep, end or fill:BKRR/…, not {text!r}")


def _format_board(board: Board) -> str:
    rows = "/".join(board.lines), "/".join(board.wall), board.floor or NOTHING, str(board.score)
    return "|".join(rows)


def _parse_board(text: str) -> Board:
    parts = text.split("|")
    if len(parts) != 4:
        raise NotationError(f"a board is LINES|WALL|FLOOR|SCORE, not {text!r}")
    lines, wall = parts[0].split("/"), parts[1].split("/")
    if len(lines) != len(ROWS) or any(len(line) < row for row, line in enumerate(lines, 1)):
        raise NotationError(f"a board has five lines of one to five cells, not {parts[0]!r}")
    if len(wall) != len(ROWS) or any(len(row) != len(ROWS) for row in wall):
        raise NotationError(f"a wall has five rows of five cells, not {parts[1]!r}")
    floor = only_letters(parts[2], COLOURS + EMPTY + MARKER, "floor")
    if len(floor) > FLOOR_CELLS:
        raise NotationError(f"a floor line has {FLOOR_CELLS} cells, not {floor!r}")
    return Board(
        tuple(only_letters(line, COLOURS + EMPTY, "line") for line in lines),
        tuple(only_letters(row, COLOURS + EMPTY, "wall") for row in wall),
        floor,
        int(match_part(r"(-?[0-9]{1,4})", parts[3], "score")[0]),
    )
