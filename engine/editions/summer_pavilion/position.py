"""What lies on a table of Summer Pavilion for everybody to see, and what can be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.editions.drafting import (
    DISC_TILES,
    DISCS,
    count_violations,
    disc_count_violations,
    unpushed_disc,
    wrong_disc,
)
from engine.editions.summer_pavilion.scoring import bonus_lines, end_lines
from engine.editions.summer_pavilion.state import (
    COLOURED,
    COLOURS,
    CORNERS,
    DRAFT,
    EMPTY,
    LETTERS,
    MIDDLE,
    SLOTS,
    STARS,
    TILES_OF_EACH,
    Board,
    Options,
    State,
    parse_options,
)
from engine.score import Outlook, ScoreLine, total
from engine.state import FILL, OVER
from engine.text import say, say_n
from engine.violations import Violation

UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """One board as it lies there."""

    seat: int
    side: str
    stars: tuple[str, ...]
    corners: str
    reserve: str | None
    score: int | None
    sliders: tuple[int, int] | None = None
    """Tens and units, where the score is kept on sliders of the board."""


@dataclass(frozen=True, slots=True)
class Position:
    """What can be seen of a table; the middle is None where it is not in view."""

    edition: str
    side: str
    boards: tuple[SeenBoard, ...]
    factories: tuple[str, ...] | None = None
    centre: str | None = None
    marker_in_centre: bool | None = None
    supply: str | None = None
    round: int | None = None
    joker_order: str | None = None
    """The order on the storage card, where that can be seen."""
    score_floor: int = 1

    @property
    def options(self) -> Options:
        """The usual options: a photograph does not show what a house has agreed on."""
        return parse_options({}, self.side, self.score_floor)


def position(state: State) -> Position:
    """What of a state lies on the table."""
    boards = tuple(
        SeenBoard(seat, state.setup.side, board.stars, board.corners, board.reserve, board.score)
        for seat, board in zip(state.setup.seats, state.boards, strict=True)
    )
    return Position(
        state.setup.edition,
        state.setup.side,
        boards,
        state.factories,
        state.centre,
        state.phase == DRAFT and not state.marker,
        state.supply,
        state.round or 1,
    )


def position_violations(position: Position, state: State | None = None) -> list[Violation]:
    """The rules visibly broken; with the state that should lie there, also its scores and its round."""
    options = state.setup.options if state else position.options
    found = [v for board in position.boards for v in _board_violations(board, options)]
    found += _middle_violations(position, state.setup.players if state else len(position.boards))
    found += count_violations("SP-INV-01", _lying(position), LETTERS, TILES_OF_EACH)
    found += _against_state(position, state) if state else _at_start(position)
    return found


def outlook(position: Position) -> list[Outlook]:
    """What each board would score if everybody passed now keeping all they can, and what the end would bring."""
    return [_board_outlook(board, position.options) for board in position.boards]


def _board_violations(board: SeenBoard, options: Options) -> Iterator[Violation]:
    for star, cells in zip(STARS, board.stars, strict=True):
        lying = cells.replace(EMPTY, "").replace(UNSEEN, "")
        if board.side != COLOURED:
            if len(lying) > 2 and 1 < len(set(lying)) < len(lying):
                text = say("the tiles of this star are neither all equal nor all different")
                yield Violation("SP-VA-01", text, board.seat, f"star.{star}")
            continue
        for slot in SLOTS:
            tile = cells[slot - 1]
            if tile in (EMPTY, UNSEEN):
                continue
            cell, name = f"star.{star}.{slot}", LETTERS[tile]
            if star != MIDDLE and tile != star:
                yield Violation("SP-PL-03", say("a {colour} tile does not belong there", colour=name), board.seat, cell)
            elif star == MIDDLE and tile in cells[: slot - 1]:
                text = say("the middle star has two {colour} tiles", colour=name)
                yield Violation("SP-PL-04", text, board.seat, cell)
    if board.score is not None and board.score < options.score_floor:
        yield Violation("SP-SC-02", say("no score is below {least}", least=options.score_floor), board.seat, "score")
    if board.reserve and board.corners.strip(EMPTY + UNSEEN):
        text = say("tiles lie beside the board although others were kept on its corners")
        yield Violation("SP-PA-02", text, board.seat, "reserve")


def _middle_violations(position: Position, players: int) -> Iterator[Violation]:
    if position.factories is None:
        return
    yield from disc_count_violations("SP-SU-01", players, len(position.factories))
    if len(_lying(position)) >= TILES_OF_EACH * len(COLOURS) or not any(position.factories):
        return
    bare = not position.centre and bool(position.marker_in_centre)
    # Before the first take of a game no factory can have been emptied; only, a tile taken may be out of view.
    all_seen = len(position.boards) == players and all(board.reserve is not None for board in position.boards)
    untouched = bare and players in DISCS and all_seen and _is_untouched(position.round, position.boards)
    for i, disc in enumerate(position.factories, 1):
        count = len(disc)
        if UNSEEN in disc or count == DISC_TILES or (not count and not untouched):
            continue
        if bare or count > DISC_TILES:
            yield wrong_disc("SP-SU-04", i, DISC_TILES, count)
        else:
            yield unpushed_disc("SP-DR-06", i)
    if position.supply and EMPTY in position.supply:
        yield Violation("SP-SU-03", say("the supply is not full"), 0, f"supply.{position.supply.index(EMPTY) + 1}")


def _lying(position: Position) -> str:
    parts = ["".join((*board.stars, board.corners, board.reserve or "")) for board in position.boards]
    parts += [*(position.factories or ()), position.centre or "", position.supply or ""]
    return "".join(parts).translate({ord(c): None for c in EMPTY + UNSEEN})


def _at_start(position: Position) -> Iterator[Violation]:
    """Scores that differ from the start while no tile has been laid or taken."""
    factories = position.factories or ()
    full = factories and all(len(disc) == DISC_TILES for disc in factories)
    if not full or not _is_untouched(position.round, position.boards):
        return
    for board in position.boards:
        if board.score not in (None, position.options.score_start):
            yield _wrong_start(board.seat, position.options)


def _wrong_start(seat: int, options: Options) -> Violation:
    return Violation("SP-SU-02", say("the score begins at {start}", start=options.score_start), seat, "score")


def _against_state(position: Position, state: State) -> Iterator[Violation]:
    options = state.setup.options
    # Between two rounds the counter is moved before the discs are filled, so it may stand on either.
    rounds = (state.round, state.round + 1) if state.phase == FILL and not state.seat else (state.round,)
    if position.round is not None and position.round not in rounds:
        text = say("the round counter shows {shown}, this is round {round}", shown=position.round, round=state.round)
        yield Violation("SP-SU-05", text, 0, "round")
    for board in position.boards:
        if board.score is None or board.seat > len(state.boards):
            continue
        kept = state.boards[board.seat - 1]
        if board.score == kept.score:
            continue
        if state.round == 0 or (state.phase == DRAFT and _is_untouched(state.round, state.boards)):
            yield _wrong_start(board.seat, options)
        elif state.phase != OVER:
            text = say("the score shows {shown}, it should be {score}", shown=board.score, score=kept.score)
            yield Violation("SP-SC-01", text, board.seat, "score")
        else:
            yield from _wrong_end(board, kept, options)


def _is_untouched(round_: int | None, boards: Sequence[SeenBoard | Board]) -> bool:
    """Whether this may be the first round and nobody holds or has laid a tile."""
    tiles = "".join("".join((*board.stars, board.reserve or "")) for board in boards)
    return round_ in (None, 1) and not tiles.strip(EMPTY)


def _wrong_end(board: SeenBoard, kept: Board, options: Options) -> Iterator[Violation]:
    lines = end_lines(board.seat, kept, options)
    final = kept.score + total(lines)
    if board.score == final:
        return
    penalty = sum(line.points for line in lines if line.rule == "SP-PT-06")
    if penalty and board.score == final - penalty:
        text = say("the tiles left on the corners were not charged: {final} is right", final=final)
        yield Violation("SP-EN-02", text, board.seat, "score")
    else:
        text = say("the final score shows {shown}, it should be {score}", shown=board.score, score=final)
        yield Violation("SP-EN-01", text, board.seat, "score")


def _board_outlook(seen: SeenBoard, options: Options) -> Outlook:
    stars = tuple(cells.replace(UNSEEN, EMPTY) for cells in seen.stars)
    given_up = max(0, len((seen.reserve or "").replace(UNSEEN, "")) - CORNERS)
    lines: tuple[ScoreLine, ...] = ()
    if given_up:
        room = given_up if seen.score is None else max(0, seen.score - options.score_floor)
        text = say_n("{count} tile given up", "{count} tiles given up", given_up)
        lines = (ScoreLine(seen.seat, -min(given_up, room), "SP-PT-03", ("reserve",), text),)
    unseen = [
        f"star.{s}.{k}" for s, cells in zip(STARS, seen.stars, strict=True) for k in SLOTS if cells[k - 1] == UNSEEN
    ]
    unseen += [f"corner.{i}" for i, tile in enumerate(seen.corners, 1) if tile == UNSEEN]
    unseen += ["reserve"] if seen.reserve is None else []
    unseen += ["score"] if seen.score is None else []
    bonus = tuple(bonus_lines(seen.seat, stars, options))
    return Outlook(seen.seat, seen.score, lines, total(lines), bonus, tuple(unseen))
