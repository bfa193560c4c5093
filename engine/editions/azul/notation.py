"""States and moves of Azul in one line each.

A state: `azul:coloured:2:1 r3 draft1 s1 m0 BKRR/BRRY/// KY B12K3 - LINES|WALL|FLOOR|SCORE …`, that is set-up (edition,
side, players, first), round, phase with the seat to move, starter, marker (0: centre), factories, centre, bag, lid,
then a board per seat; `-` stands for nothing. While walls are tiled, `u12` names the seats whose floor is not cleared;
options that differ from the usual follow as JSON.

A move: `1:4B>3` (seat 1 takes blue from factory 4 to line 3), `1:pass`, `1:2#4` (seat 1 tiles line 2 into column 4),
`1:sweep`, `fill:BKRR/…`; a slip follows as `!kind=TILES@at>to`.
"""

from __future__ import annotations

import json
import re

from engine.editions.azul.moves import Move, Pass, Sweep, Take, Tile
from engine.editions.azul.state import (
    COLOURS,
    DISCS,
    DRAFT,
    EMPTY,
    FLOOR_CELLS,
    MARKER,
    ROWS,
    TILE,
    Board,
    Options,
    State,
    format_options,
    parse_options,
)
from engine.errors import NotationError
from engine.moves import Fill, Slip
from engine.state import FILL, OVER, Setup
from engine.tiles import format_heap, heap, parse_heap

NOTHING = "-"


def format_state(state: State) -> str:
    """A state in one line."""
    setup = state.setup
    parts = [
        f"{setup.edition}:{setup.side}:{setup.players}:{setup.first}",
        f"r{state.round}",
        f"{state.phase}{state.seat or ''}",
        f"s{state.starter}",
        f"m{state.marker}",
        "/".join(state.factories),
        state.centre or NOTHING,
        format_heap(state.bag),
        format_heap(state.lid),
        *map(_format_board, state.boards),
    ]
    if state.unswept:
        parts.append("u" + "".join(map(str, state.unswept)))
    if options := format_options(setup):
        parts.append(json.dumps(options, separators=(",", ":")))
    return " ".join(parts)


def parse_state(text: str) -> State:
    """The state that `format_state` wrote."""
    words, _, options_text = text.partition(" {")
    parts = words.split()
    setup = _parse_setup(parts[0] if parts else "", "{" + options_text if options_text else "{}")
    unswept: tuple[int, ...] = ()
    if parts[-1].startswith("u"):
        unswept = tuple(int(seat) for seat in _match(r"u([1-4]{1,4})", parts.pop(), "unswept seats")[0])
    if len(parts) != 9 + setup.players:
        raise NotationError(f"a state of {setup.players} players has {9 + setup.players} parts, not {len(parts)}")
    phase, seat = _match(rf"({DRAFT}|{TILE}|{FILL}|{OVER})([0-4]?)", parts[2], "phase")
    factories = tuple(_letters(disc, COLOURS, "factory") for disc in parts[5].split("/"))
    if len(factories) > max(DISCS.values()):
        raise NotationError(f"there are at most {max(DISCS.values())} factories, not {len(factories)}")
    return State(
        setup=setup,
        boards=tuple(map(_parse_board, parts[9:])),
        factories=tuple(map(heap, factories)),
        centre=heap(_letters(parts[6].replace(NOTHING, ""), COLOURS, "centre")),
        marker=_seat(_match(r"m([0-4])", parts[4], "marker")[0], setup, 0),
        bag=parse_heap(parts[7], COLOURS),
        lid=parse_heap(parts[8], COLOURS),
        phase=phase,
        seat=_seat(seat or "0", setup, 0),
        starter=_seat(_match(r"s([1-4])", parts[3], "starter")[0], setup, 1),
        round=int(_match(r"r([0-9]{1,4})", parts[1], "round")[0]),
        unswept=unswept,
    )


def format_move(move: Move) -> str:
    """A move in one word."""
    match move:
        case Fill(factories):
            return "fill:" + "/".join(factories)
        case Take(seat, source, colour, line, slips):
            return f"{seat}:{source}{colour}>{line}" + _format_slips(slips)
        case Pass(seat):
            return f"{seat}:pass"
        case Tile(seat, row, column, slips):
            return f"{seat}:{row}#{column}" + _format_slips(slips)
        case Sweep(seat, slips):
            return f"{seat}:sweep" + _format_slips(slips)


def parse_move(text: str) -> Move:
    """The move that `format_move` wrote."""
    word, *slips = text.split("!")
    made = tuple(map(_parse_slip, slips))
    if match := re.fullmatch(rf"fill:((?:[{COLOURS}]*/)*[{COLOURS}]*)", word):
        return Fill(tuple(match[1].split("/")))
    if match := re.fullmatch(rf"([1-4]):([0-9])([{COLOURS}])>([0-5])", word):
        return Take(int(match[1]), int(match[2]), match[3], int(match[4]), made)
    if match := re.fullmatch(r"([1-4]):([1-5])#([0-5])", word):
        return Tile(int(match[1]), int(match[2]), int(match[3]), made)
    if match := re.fullmatch(r"([1-4]):(pass|sweep)", word):
        return Sweep(int(match[1]), made) if match[2] == "sweep" else Pass(int(match[1]))
    raise NotationError(f"a move is written like 1:4B>3, 1:2#4, 1:pass, 1:sweep or fill:BKRR/…, not {text!r}")


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
    floor = _letters(parts[2].replace(NOTHING, ""), COLOURS + EMPTY + MARKER, "floor")
    if len(floor) > FLOOR_CELLS:
        raise NotationError(f"a floor line has {FLOOR_CELLS} cells, not {floor!r}")
    return Board(
        tuple(_letters(line, COLOURS + EMPTY, "line") for line in lines),
        tuple(_letters(row, COLOURS + EMPTY, "wall") for row in wall),
        floor,
        int(_match(r"(-?[0-9]{1,4})", parts[3], "score")[0]),
    )


def _parse_setup(text: str, options_text: str) -> Setup[Options]:
    edition, side, players, first = _match(r"([a-z-]+):(coloured|grey):([2-4]):([1-4])", text, "set-up")
    try:
        options = json.loads(options_text)
    except ValueError:
        raise NotationError(f"the options are JSON, not {options_text!r}") from None
    setup = Setup(edition, side, int(players), int(first), parse_options(options, side))
    _seat(first, setup, 1)
    return setup


def _seat(text: str, setup: Setup[Options], least: int) -> int:
    if not least <= int(text) <= setup.players:
        raise NotationError(f"there is no seat {text} among {setup.players} players")
    return int(text)


def _match(pattern: str, text: str, name: str) -> tuple[str, ...]:
    match = re.fullmatch(pattern, text)
    if not match:
        raise NotationError(f"the {name} of a state cannot be {text!r}")
    return match.groups()


def _letters(text: str, allowed: str, name: str) -> str:
    if set(text) - set(allowed):
        raise NotationError(f"a {name} is written with {allowed}, not {text!r}")
    return text


def _format_slips(slips: tuple[Slip, ...]) -> str:
    written = ""
    for slip in slips:
        written += f"!{slip.kind}" + (f"={slip.tiles}" if slip.tiles else "")
        written += (f"@{slip.at}" if slip.at or slip.to else "") + (f">{slip.to}" if slip.to else "")
    return written


def _parse_slip(text: str) -> Slip:
    match = re.fullmatch(rf"([a-z-]+)(?:=([{COLOURS}]+))?(?:@([0-9]))?(?:>([0-9]))?", text)
    if not match:
        raise NotationError(f"a slip is written like kind=TILES@at>to, not {text!r}")
    return Slip(match[1], match[2] or "", int(match[3] or 0), int(match[4] or 0))
