"""A game set to what one photo shows: boards, scores, factories, centre, round and turn, as corrections by a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.gamelog import NOBODY_KNOWS, Answer, Doubt, Event, Folded, Game, Logged, correction
from companion.reconcile.doubtful import possible_scores
from companion.reconcile.live.bridge import bridge
from companion.reconcile.reading import TableReading, Unsure
from companion.scores import SCORE
from engine import Edition, Table
from engine.errors import EngineError
from engine.moves import Correct
from engine.table import ALL
from engine.text import say
from vision.cells import UNSEEN

WHY = say("as the photo shows")


def start_from(game: Game, reading: Mapping[str, Any], who: str, photo: str | None, settled: str = "") -> None:
    """Set the game to what a reading shows, all of it or nothing; scores that the photo leaves open are asked for.

    `settled` is the id of the question that this answers.
    """

    def made(folded: Folded) -> list[Logged]:
        answers = [Answer(settled, NOBODY_KNOWS)] if settled else []
        return [Logged(event, who, photo) for event in (*answers, *_events(folded, reading, photo))]

    game.append_all(made)


def _events(folded: Folded, reading: Mapping[str, Any], photo: str | None) -> Iterator[Event]:
    edition, state = folded.edition, folded.state
    seats = set(folded.setup.seats)
    told = {**reading, "boards": [board for board in reading["boards"] if board["seat"] in seats]}
    for move in _corrections(edition, state, told):
        yield correction(dict(move.cells), move.seat, WHY)
    for board in told["boards"]:
        yield from _score_question(edition, told, board, photo)


def _corrections(edition: Edition[Any, Any], state: Any, reading: Mapping[str, Any]) -> tuple[Correct, ...]:
    """The way from a state to what lies there; where it cannot all lie there, as much of it as can."""
    table = _complete(edition.parse_table(reading), edition.table(state))
    found = bridge(edition, state, TableReading(table, tuple(_open_scores(reading)), (), {}, (0, 0)))
    return found.moves if found else tuple(_one_by_one(edition, state, table))


def _complete(seen: Table, known: Table) -> Table:
    """What was read, with the boards that are not in the photo as the game has them."""
    seats = {part.seat for part in seen.parts}
    return replace(seen, parts=tuple(seen.part(part.seat) if part.seat in seats else part for part in known.parts))


def _open_scores(reading: Mapping[str, Any]) -> Iterator[Unsure]:
    for board in reading["boards"]:
        for doubt in board["doubts"]:
            if doubt["cell"] == SCORE:
                yield Unsure(board["seat"], SCORE, doubt["reads"])


def _one_by_one(edition: Edition[Any, Any], state: Any, table: Table) -> Iterator[Correct]:
    for part in table.parts:
        values: list[tuple[str, Any]] = [(name, kind) for name, kind in part.cells.items() if UNSEEN not in kind]
        heaps = ((name, kinds) for name, kinds in part.heaps.items() if not any(UNSEEN in kind for kind in kinds))
        values += [(name, edition.written(kinds)) for name, kinds in heaps]
        values += [(name, number) for name, number in part.tracks.items() if number is not None and part.seat != ALL]
        kept = {}
        for name, value in values:
            try:
                after = edition.correct(state, {name: value}, part.seat)
            except EngineError:
                continue
            if after != state:
                state, kept[name] = after, value
        if kept:
            yield Correct(part.seat, tuple(kept.items()), WHY)


def _score_question(
    edition: Edition[Any, Any], reading: Mapping[str, Any], board: Mapping[str, Any], photo: str | None
) -> Iterator[Doubt]:
    """A score that the photo does not tell for certain stays open until somebody answers."""
    doubt = next((doubt for doubt in board["doubts"] if doubt["cell"] == SCORE), None)
    if doubt is None or photo is None:
        return
    reads = {read: chance for read, chance in doubt["reads"].items() if read != UNSEEN}
    if not reads or UNSEEN in doubt["reads"]:
        possible = possible_scores(edition, dict(reading), board["seat"])
        reads = {str(score): round(1 / len(possible), 4) for score in possible} | reads
    yield Doubt(f"{photo[:12]}-{board['seat']}-{SCORE}", reads, SCORE, board["seat"])
