"""Points of Summer Pavilion: every one with its rule and its cells."""

from __future__ import annotations

from functools import cache

from engine.editions.summer_pavilion.moves import CHARGED, OFF_CELL, UNCHARGED, Move, Pass, Place, Take
from engine.editions.summer_pavilion.state import (
    CENTRE,
    COLOURS,
    EMPTY,
    LETTERS,
    MIDDLE,
    SLOTS,
    STARS,
    Board,
    Feature,
    Options,
    State,
)
from engine.score import ScoreLine, total
from engine.table import UNSEEN
from engine.text import say, say_n


@cache
def ring_run(cells: str, slot: int) -> tuple[int, ...]:
    """The slots of the unbroken run through a slot of a star, that slot counted as filled."""
    run = [slot]
    for step in (1, -1):
        at = (slot - 1 + step) % 6 + 1
        while cells[at - 1] != EMPTY and at not in run:
            run.append(at)
            at = (at - 1 + step) % 6 + 1
    return tuple(sorted(run))


def surrounded(stars: tuple[str, ...], features: tuple[Feature, ...]) -> list[Feature]:
    """Which of these features have tiles on all their cells."""
    return [feature for feature in features if all(stars[star][slot] != EMPTY for star, slot in feature.spots)]


def lowered(score: int, points: int, options: Options) -> int:
    """The score after a loss: it never falls below the floor by being charged."""
    return max(min(score, options.score_floor), score - points)


def tiles_taken(state: State, move: Take) -> str:
    """What a take takes: all of a colour and one joker, or one joker where nothing else lies."""
    joker, colour = state.joker, move.colour
    if colour == joker:
        return joker
    tiles = state.factories[move.source - 1] if move.source else state.centre
    return colour * tiles.count(colour) + joker * (joker in tiles)


def kind_of_star(cells: str) -> str:
    """The colour of a complete star of one colour, the middle's letter for one of many, nothing if not complete.

    Nothing either where a cell of it cannot be seen.
    """
    if EMPTY in cells or UNSEEN in cells:
        return ""
    colours = set(cells)
    if len(colours) == 1:
        return cells[0]
    return MIDDLE if len(colours) == len(cells) else ""


def score(state: State, move: Move) -> list[ScoreLine]:
    """The points that a move brings, with their reasons."""
    kinds = {slip.kind for slip in getattr(move, "slips", ())}
    match move:
        case Take(seat, source, _, _):
            due = source == CENTRE and not state.marker and UNCHARGED not in kinds
            return _loss(state, seat, len(tiles_taken(state, move)), "token") if due or CHARGED in kinds else []
        case Place(seat, star, cell, colour, _, _) if OFF_CELL not in kinds:
            return [place_line(seat, state.boards[seat - 1], star, cell, colour)]
        case Pass(seat, keep, _) if UNCHARGED not in kinds:
            return _loss(state, seat, len(state.boards[seat - 1].reserve) - len(keep), "pass")
        case _:
            return []


def place_line(seat: int, board: Board, star: str, cell: int, colour: str) -> ScoreLine:
    """What one new tile scores."""
    run = ring_run(board.stars[STARS.index(star)], cell)
    text = say_n(
        "{colour} on cell {cell} of star {star}: {count} tile connected",
        "{colour} on cell {cell} of star {star}: {count} tiles connected",
        len(run),
        colour=LETTERS[colour],
        cell=cell,
        star=star,
    )
    return ScoreLine(seat, len(run), "SP-PT-01", tuple(f"star.{star}.{slot}" for slot in run), text)


def _loss(state: State, seat: int, count: int, why: str) -> list[ScoreLine]:
    if not count:
        return []
    board, options = state.boards[seat - 1], state.setup.options
    lost = board.score - lowered(board.score, count, options)
    if why == "token":
        rule, text = (
            "SP-PT-02",
            say_n(
                "first take from the centre: {count} tile costs a point each",
                "first take from the centre: {count} tiles cost a point each",
                count,
            ),
        )
    else:
        rule, text = "SP-PT-03", say_n("{count} tile given up", "{count} tiles given up", count)
    if lost < count:
        text = say("{text}, but no score falls below {floor}", text=text, floor=options.score_floor)
    return [ScoreLine(seat, -lost, rule, (), text)]


def bonus_lines(seat: int, stars: tuple[str, ...], options: Options) -> list[ScoreLine]:
    """What complete stars and covered numbers bring at the end."""
    lines = []
    for star, cells in zip(STARS, stars, strict=True):
        if kind := kind_of_star(cells):
            points = options.star_values[(COLOURS + MIDDLE).index(kind)]
            text = say("star {star} is complete", star=star)
            lines.append(ScoreLine(seat, points, "SP-PT-04", tuple(f"star.{star}.{slot}" for slot in SLOTS), text))
    for number, points in enumerate(options.number_bonuses, 1):
        cells_of = [(i, slot) for i in range(len(STARS)) for slot in SLOTS if options.numbers[i][slot - 1] == number]
        if cells_of and all(stars[i][slot - 1] != EMPTY for i, slot in cells_of):
            names = tuple(f"star.{STARS[i]}.{slot}" for i, slot in cells_of)
            text = say("every cell with the number {number} is covered", number=number)
            lines.append(ScoreLine(seat, points, "SP-PT-05", names, text))
    return lines


def end_lines(seat: int, board: Board, options: Options) -> list[ScoreLine]:
    """What the end of the game brings and costs."""
    lines = bonus_lines(seat, board.stars, options)
    left = len(board.corners.replace(EMPTY, ""))
    if left:
        score = board.score + total(lines)
        lost = score - lowered(score, left, options)
        cells = tuple(f"corner.{i}" for i, tile in enumerate(board.corners, 1) if tile != EMPTY)
        text = say_n("{count} tile left on the corners", "{count} tiles left on the corners", left)
        lines.append(ScoreLine(seat, -lost, "SP-PT-06", cells, text))
    return lines


def bonuses(state: State) -> list[ScoreLine]:
    """What the end of the game brings and costs everybody."""
    return [
        line
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
        for line in end_lines(seat, board, state.setup.options)
    ]


def winners(state: State) -> tuple[int, ...]:
    """Who has most points; several share the victory."""
    options = state.setup.options
    totals = {
        seat: board.score + total(end_lines(seat, board, options))
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
    }
    return tuple(seat for seat, points in totals.items() if points == max(totals.values()))
