"""How far a game of Azul may be where its table is seen again after a while."""

from __future__ import annotations

from collections.abc import Iterator

from engine.editions.azul.board import complete_lines
from engine.editions.azul.scoring import complete_rows
from engine.editions.azul.state import COLOURS, DRAFT, EMPTY, MARKER, TILE, TILES_OF_EACH, Board, State
from engine.editions.azul.table import sight
from engine.editions.drafting import DISC_TILES
from engine.resume import Resumption, turns
from engine.state import FILL, OVER
from engine.table import Table
from engine.tiles import heap, lacking, without

MORE_ROUNDS = 0.02
"""So much less likely it is that another round was played than those that were counted."""
USUAL_TAKE = 2
"""So many tiles are taken at a time, about."""


def resumes(before: State, table: Table, rounds: int) -> Iterator[Resumption]:
    """The ways in which the game may stand, if so many rounds were scored on every board since."""
    lying = sight(table)
    boards = tuple(Board(seen.lines, seen.wall, seen.floor, 0) for seen in lying.boards)
    left = (lying.centre or "") + "".join(lying.factories or ())
    scored = before.round - (before.phase in (DRAFT, TILE)) + rounds
    marker = 0 if lying.marker_in_centre else _holder(boards) or before.marker
    bag = _bag(before, boards, left, rounds, bool(left))
    if left:
        numbers: dict[str, str | int] = {**bag, "phase": DRAFT, "round": scored + 1, "marker": marker}
        for seat, missed, weight in _turns(before, boards, lying.factories or (), marker, rounds):
            yield Resumption({**numbers, "turn": seat}, weight, missed)
        return
    missed = -(-(_tiles_left(before) + rounds * DISC_TILES * len(before.factories)) // USUAL_TAKE)
    if any(complete_lines(board) or board.floor for board in boards):
        yield Resumption({**bag, "phase": TILE, "round": scored + 1, "marker": marker}, missed=missed)
        return
    over = any(complete_rows(board.wall) for board in boards)
    for seat in (marker,) if marker else before.setup.seats:
        numbers = {**bag, "phase": OVER if over else FILL, "round": scored, "marker": seat}
        yield Resumption(numbers if over else {**numbers, "turn": seat}, missed=missed)


def _holder(boards: tuple[Board, ...]) -> int:
    """The seat on whose floor line the marker lies; 0 for none."""
    return next((seat for seat, board in enumerate(boards, 1) if MARKER in board.floor), 0)


def _tiles_left(state: State) -> int:
    return len(state.centre) + sum(map(len, state.factories))


def _bag(before: State, boards: tuple[Board, ...], left: str, rounds: int, drafting: bool) -> dict[str, str]:
    """What the bag must hold where discs were filled in between: what lies there now was drawn out of it."""
    filled = rounds + drafting - (before.phase == DRAFT)
    if filled < 1:
        return {}
    lying = left + "".join("".join((*board.lines, *board.wall, board.floor)) for board in boards)
    hidden = lacking(heap(COLOURS * TILES_OF_EACH), heap(lying.replace(EMPTY, "").replace(MARKER, "")))
    drawn = lacking(before.bag + before.lid, hidden)
    pool = before.bag if not lacking(drawn, before.bag) else before.bag + before.lid
    bag = without(pool, drawn)
    return {"bag": without(bag, lacking(bag, hidden))}


def _turns(
    before: State, boards: tuple[Board, ...], factories: tuple[str, ...], marker: int, rounds: int
) -> Iterator[tuple[int, int, float]]:
    """Whose turn it may be while tiles are taken, how many takes were missed, and how likely that is."""
    players, emptied = before.setup.players, sum(not disc for disc in factories)
    if not rounds and before.phase == DRAFT:
        emptied -= sum(not disc for disc in before.factories)
        starters, from_centre = {before.seat: 1.0}, bool(before.marker) or bool(marker)
        least = max(emptied, 0) + (marker != before.marker)
    else:
        starters = _starters(before, rounds)
        from_centre, least = bool(marker), emptied + bool(marker)
    old = before.boards if not rounds and before.phase in (DRAFT, FILL) else (None,) * players
    moves_of = [_takes(was, now) for was, now in zip(old, boards, strict=True)]
    most = sum(most for _, most in moves_of) if from_centre else least
    earlier = 0 if not rounds and before.phase == DRAFT else _tiles_left(before) // USUAL_TAKE
    bounds = least, max(least, most)
    found = [
        (seat, takes + earlier, likely * weight)
        for starter, likely in starters.items()
        for seat, takes, weight in turns(starter, players, moves_of, *bounds)
    ]
    # Where nothing fits something was misread, or somebody took out of turn: anybody may be next.
    yield from found or ((seat, least + earlier, 1.0) for seat in before.setup.seats)


def _starters(before: State, rounds: int) -> dict[int, float]:
    """The seats that may have begun the round that is under way, with how likely each is."""
    if not rounds:
        return {before.starter: 1.0}
    anybody = dict.fromkeys(before.setup.seats, MORE_ROUNDS)
    # Whoever held the marker begins the next round, unless there were more rounds than were counted.
    return anybody | {before.marker: 1.0} if rounds == 1 and before.marker and before.phase != FILL else anybody


def _takes(before: Board | None, now: Board) -> tuple[int, int]:
    """The fewest and the most takes that can have brought a board from one look to the other."""
    lying = sum(len(line.replace(EMPTY, "")) for line in now.lines) + len(now.floor.replace(MARKER, ""))
    if before is None:
        return 0, lying
    lines = sum(old != new for old, new in zip(before.lines, now.lines, strict=True))
    tiles = lying - sum(len(line.replace(EMPTY, "")) for line in before.lines) - len(before.floor.replace(MARKER, ""))
    return lines or int(tiles > 0), max(tiles, lines)
