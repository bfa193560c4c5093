"""States and moves of Summer Pavilion in one line each.

A state: `summer-pavilion:coloured:2:1 r1 place2 s1 m2 FACTORIES CENTRE SUPPLY BAG TOWER STARS|CORNERS|RESERVE|SCORE …`,
that is set-up (edition, side, players, first), round, phase with the seat to move, starter, token (0: centre), then the
tiles, then a board per seat with its stars in the order O R B Y G P C; `-` stands for nothing. `p12` names the seats
that have passed, `o2` the bonus tiles owed; options that differ from the usual follow as JSON.

A move: `1:4Y` (seat 1 takes yellow from factory 4), `1:O4O+2` (seat 1 lays orange on cell 4 of star O, two jokers among
the tiles paid), `1:bonus=RB`, `1:pass=GG`, `supply:RB`, `fill:BGOY/…` with `+SUPPLY` in the first round; a slip follows
as `!kind=TILES@at>to`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.editions.drafting import DISCS
from engine.editions.summer_pavilion.moves import Bonus, Move, Pass, Place, Refill, Take
from engine.editions.summer_pavilion.state import (
    BONUS,
    COLOURS,
    CORNERS,
    DRAFT,
    EMPTY,
    PLACE,
    STARS,
    SUPPLY_CELLS,
    Board,
    Options,
    State,
)
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
from engine.state import FILL, OVER, Setup
from engine.tiles import format_heap, heap, parse_heap

PARTS = 10
"""The parts of a state before its boards."""


def format_state(state: State, options: dict[str, object]) -> str:
    """A state in one line, with the options that are to be written."""
    parts = [
        "/".join(state.factories),
        state.centre or NOTHING,
        state.supply,
        format_heap(state.bag),
        format_heap(state.tower),
        *map(_format_board, state.boards),
    ]
    if state.passed:
        parts.append("p" + "".join(map(str, state.passed)))
    if state.owed:
        parts.append(f"o{state.owed}")
    return format_line(state, f"{state.phase}{state.seat or ''}", parts, options)


def parse_state(text: str, edition: str, parse_options: Callable[[dict[str, object], str], Options]) -> State:
    """The state of an edition that `format_state` wrote."""
    setup, parts = parse_line(text, edition, "coloured|beige", parse_options)
    return _parse_parts(parts, setup)


def _parse_parts(parts: list[str], setup: Setup[Options]) -> State:
    owed, passed = 0, ""
    if re.fullmatch(r"o[0-9]{1,2}", parts[-1]):
        owed = int(parts.pop()[1:])
    if re.fullmatch(r"p[1-4]{1,4}", parts[-1]):
        passed = parts.pop()[1:]
    if len(set(passed)) != len(passed):
        raise NotationError(f"nobody passes twice in a round, but these have passed: {passed}")
    if len(parts) != PARTS + setup.players:
        raise NotationError(f"a state of {setup.players} players has {PARTS + setup.players} parts, not {len(parts)}")
    phase, seat = match_part(rf"({DRAFT}|{PLACE}|{BONUS}|{FILL}|{OVER})([0-4]?)", parts[2], "phase")
    factories = tuple(heap(only_letters(disc, COLOURS, "factory")) for disc in parts[5].split("/"))
    if len(factories) > max(DISCS.values()):
        raise NotationError(f"there are at most {max(DISCS.values())} factories, not {len(factories)}")
    return State(
        setup=setup,
        boards=tuple(map(_parse_board, parts[PARTS:])),
        factories=factories,
        centre=heap(only_letters(parts[6], COLOURS, "centre")),
        marker=seat_among(match_part(r"m([0-4])", parts[4], "token")[0], setup.players),
        supply=_exactly(SUPPLY_CELLS, only_letters(parts[7], COLOURS + EMPTY, "supply")),
        bag=parse_heap(parts[8], COLOURS),
        tower=parse_heap(parts[9], COLOURS),
        phase=phase,
        seat=seat_among(seat or "0", setup.players, 1 if phase in (DRAFT, PLACE, BONUS) else 0),
        starter=seat_among(match_part(r"s([1-4])", parts[3], "starter")[0], setup.players, 1),
        round=int(match_part(r"r([0-6])", parts[1], "round")[0]),
        passed=tuple(seat_among(seat, setup.players, 1) for seat in passed),
        owed=owed,
    )


def format_move(move: Move) -> str:
    """A move in one word."""
    match move:
        case Fill(factories, supply):
            return "fill:" + "/".join(factories) + (f"+{supply}" if supply else "")
        case Take(seat, source, colour, slips):
            return f"{seat}:{source}{colour}" + format_slips(slips)
        case Place(seat, star, cell, colour, jokers, slips):
            return f"{seat}:{star}{cell}{colour}+{jokers}" + format_slips(slips)
        case Bonus(seat, tiles):
            return f"{seat}:bonus={tiles}"
        case Pass(seat, keep, slips):
            return f"{seat}:pass={keep}" + format_slips(slips)
        case Refill(tiles):
            return f"supply:{tiles}"


def parse_move(text: str) -> Move:
    """The move that `format_move` wrote."""
    word, *rest = text.split("!")
    slips = tuple(parse_slip(slip, COLOURS) for slip in rest)
    if match := re.fullmatch(rf"([1-4]):([0-9])([{COLOURS}])", word):
        return Take(int(match[1]), int(match[2]), match[3], slips)
    if match := re.fullmatch(rf"([1-4]):([{STARS}])([1-6])([{COLOURS}])\+([0-6])", word):
        return Place(int(match[1]), match[2], int(match[3]), match[4], int(match[5]), slips)
    if match := re.fullmatch(rf"([1-4]):pass=([{COLOURS}]*)", word):
        return Pass(int(match[1]), match[2], slips)
    # With the rest nothing can be done wrong that they would not say themselves, so no slip may follow.
    if match := re.fullmatch(rf"([1-4]):bonus=([{COLOURS}]*)", text):
        return Bonus(int(match[1]), match[2])
    if match := re.fullmatch(rf"supply:([{COLOURS}]*)", text):
        return Refill(match[1])
    if match := re.fullmatch(rf"fill:((?:[{COLOURS}]*/)*[{COLOURS}]*)(?:\+([{COLOURS}]+))?", text):
        return Fill(tuple(match[1].split("/")), match[2] or "")
    raise NotationError(
        f"a move is written like 1:4Y, 1:O4O+2, 1:bonus=RB, 1:pass=GG, supply:RB or fill:BGOY/…, not {text!r}"
    )


def _format_board(board: Board) -> str:
    return "|".join(("/".join(board.stars), board.corners, board.reserve or NOTHING, str(board.score)))


def _parse_board(text: str) -> Board:
    parts = text.split("|")
    if len(parts) != 4:
        raise NotationError(f"a board is STARS|CORNERS|RESERVE|SCORE, not {text!r}")
    stars = parts[0].split("/")
    if len(stars) != len(STARS):
        raise NotationError(f"a board has seven stars of six cells, not {parts[0]!r}")
    return Board(
        tuple(_exactly(6, only_letters(star, COLOURS + EMPTY, "star")) for star in stars),
        _exactly(CORNERS, only_letters(parts[1], COLOURS + EMPTY, "corner")),
        heap(only_letters(parts[2], COLOURS, "reserve")),
        int(match_part(r"(-?[0-9]{1,4})", parts[3], "score")[0]),
    )


def _exactly(count: int, cells: str) -> str:
    if len(cells) != count:
        raise NotationError(f"{count} cells are written with {count} characters, not {cells!r}")
    return cells
