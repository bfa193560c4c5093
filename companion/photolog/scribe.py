"""Writes into a game's log what photos tell: readings, corrections of the state, doubts, and what was found out.

Whatever was interrupted is made good by the next run: a photo is logged once, and in the end the state is brought to
what the last photo shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.gamelog import Answer, Doubt, Game, GameLogError, Note, PhotoRead, Record
from companion.photolog.memory import SCRIBE, snapshots, words
from companion.photolog.reading import Done
from companion.photolog.report import claimed, wrong_markers
from companion.pipeline import layout_of, networks_name
from companion.reconcile.claims import Claim
from companion.reconcile.looks import board_rows
from companion.reconcile.photolog import Account, Told, reconstruct
from companion.reconcile.seat import Match
from companion.scores import Score, standing
from engine import EngineError

ANSWERED = 0.985
"""A doubt is answered by later photos where one reading has become so likely."""


def account_of(game: Game, round_ends: bool = False, hints: Mapping[str, int] | None = None) -> Account:
    """The game as its logged photos tell it."""
    entries, start = game.entries(), game.start
    match = Match(start.edition, layout_of(start.setup.edition), start.setup)
    return reconstruct(snapshots(game, entries, round_ends), match, hints, words(entries))


def log_photos(
    game: Game, done: Sequence[Done], round_ends: bool = False, hints: Mapping[str, int] | None = None
) -> Account:
    """Log photos that were read, and what all photos of the game tell together."""
    known = {row.sha256 for row in game.photo_rows()}
    for photo in {each.work.sha256: each for each in done if each.reading is not None}.values():
        if photo.work.sha256 not in known:
            game.append(PhotoRead(photo.reading, networks_name()), SCRIBE, photo.photo)
    account = account_of(game, round_ends, hints)
    new = [told for told in account.photos if told.sha256 not in known]
    first = next((i for i, told in enumerate(account.photos) if told.sha256 not in known), len(account.photos))
    in_order = len(account.photos) - first == len(new)
    for told in new if in_order else account.photos[-1:]:
        _write_state(game, told)
        _write_findings(game, told, account)
    _bring_up_to_date(game, account)
    return account


def _write_state(game: Game, told: Told) -> None:
    """Corrections after which the state is what a photo shows."""
    for event in _corrections(game, told):
        game.append(Record(event), SCRIBE, told.sha256)


def _corrections(game: Game, told: Told) -> list[dict[str, Any]]:
    """Boards one after the other; where that would need more tiles than there are, all lines are cleared first."""
    seats = {
        seat: {**board_rows(candidate.letters), "score": told.claims[seat].best}
        for seat, candidate in told.boards.items()
    }
    bare = {seat: {"lines": ["." * row for row in range(1, 6)], "floor": ""} for seat in seats}
    for targets in ([seats], [bare, seats]):
        try:
            return list(_events(game, told, targets))
        except EngineError:
            continue
    raise GameLogError(f"{told.name} shows more tiles of a colour than there are, so its position cannot be logged")


def _events(game: Game, told: Told, targets: Sequence[Mapping[int, Mapping[str, Any]]]) -> Iterator[dict[str, Any]]:
    edition, folded = game.start.edition, game.refresh()
    state, known = folded.state, standing(folded).track
    middle = _middle(told, len(state.factories))
    if changed := {cell: value for cell, value in middle.items() if _held(state, cell) != value}:
        state = edition.correct(state, changed, 0)
        yield _correct(0, changed, told)
    for target in targets:
        for seat, board in target.items():
            now = next(b for b in edition.format_table(edition.table(state))["boards"] if b["seat"] == seat)
            cells = _differences(now, board)
            if "score" in board and _settles(told.claims[seat], known[seat - 1]):
                cells["score"] = board["score"]
            if cells:
                state = edition.correct(state, cells, seat)
                yield _correct(seat, cells, told)


def _settles(claim: Claim, known: Score) -> bool:
    """Whether a photo tells what the log holds open: then its score is logged even if it is the one believed."""
    return (claim.exact and not known.exact) or (known.marker is not None and not claim.miskept)


def _correct(seat: int, cells: Mapping[str, Any], told: Told) -> dict[str, Any]:
    why = f"seen in {told.name}"
    if "score" in cells and not told.claims[seat].exact:
        # A record has no doubts, so whoever replays it is told here.
        why += f"; the score is open: {claimed(told.claims[seat])}"
    event: dict[str, Any] = {"event": "correct", "cells": dict(cells), "why": why}
    return event | ({"seat": seat} if seat else {})


def _differences(now: Mapping[str, Any], board: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for row, line in enumerate(board["lines"], 1):
        if now["lines"][row - 1] != line:
            cells[f"line.{row}"] = line
    if "wall" in board:
        for row, (old, new) in enumerate(zip(now["wall"], board["wall"], strict=True), 1):
            pairs = enumerate(zip(old, new, strict=True), 1)
            cells |= {f"wall.{row}.{column}": tile for column, (before, tile) in pairs if before != tile}
    if now["floor"] != board["floor"]:
        cells["floor"] = board["floor"]
    if "score" in board and now["score"] != board["score"]:
        cells["score"] = board["score"]
    return cells


def _middle(told: Told, discs: int) -> dict[str, Any]:
    """The middle as a photo surely shows it, else bare; and how far the game is."""
    shot = told.arranged.snapshot
    seen = shot.left is not None and len(shot.reading.get("factories", ())) == discs
    tiles = [disc["tiles"] for disc in shot.reading["factories"]] if seen else [""] * discs
    cells: dict[str, Any] = {f"factory.{number}": heap for number, heap in enumerate(tiles, 1)}
    cells["centre"] = shot.reading["centre"]["tiles"] if seen else ""
    return cells | {"round": told.rounds + (told.drafted or bool(shot.left)), "phase": "fill"}


def _held(state: Any, cell: str) -> Any:
    if cell.startswith("factory."):
        return state.factories[int(cell.split(".")[1]) - 1]
    return getattr(state, cell)


def _write_findings(game: Game, told: Told, account: Account) -> None:
    """Doubts that stay, and scores that were kept wrongly on the table."""
    folded = game.folded
    asked = {event.id for event in folded.events.values() if isinstance(event, Doubt)}
    for doubt in _doubts(told):
        if doubt.id not in asked:
            game.append(doubt, SCRIBE, told.sha256)
    noted = {(event, folded.photos.get(n)) for n, event in folded.events.items() if isinstance(event, Note)}
    for note in wrong_markers(told, account):
        if (note, told.sha256) not in noted:
            game.append(note, SCRIBE, told.sha256)


def _doubts(told: Told) -> Iterator[Doubt]:
    for doubted in told.doubts:
        yield Doubt(_id(told, doubted.seat, doubted.cell), _rounded(doubted.reads), doubted.cell, doubted.seat)
    for seat, claim in told.claims.items():
        if not claim.exact:
            reads = {str(score): chance for score, chance in claim.reads.items()}
            yield Doubt(_id(told, seat, "score"), _rounded(reads), "score", seat)


def _id(told: Told, seat: int, cell: str) -> str:
    return f"{told.sha256[:12]}-{seat}-{cell}"


def _rounded(reads: Mapping[str, float]) -> dict[str, float]:
    return {value: round(min(chance, 1.0), 4) for value, chance in reads.items()}


def _bring_up_to_date(game: Game, account: Account) -> None:
    """What later photos say about open doubts, and about the state that the last photo shows."""
    photos = {told.sha256[:12]: told for told in account.photos}
    for doubt in game.refresh().doubts.values():
        told = photos.get(doubt.id.split("-")[0])
        if told is not None and (value := _settled(told, doubt)) is not None:
            game.append(Answer(doubt.id, value), SCRIBE, told.sha256)
    if not account.photos:
        return
    last = account.photos[-1]
    phase = game.refresh().state.phase
    if phase == "fill":
        _write_state(game, last)
    if account.over and phase == "fill":
        ended = "tile" if last.drafted else "over"
        may_settle = ended == "over" or game.start.setup.options.wall_pattern is not None
        if may_settle:
            game.append(Record(_correct(0, {"phase": ended}, last)), SCRIBE, last.sha256)


def _settled(told: Told, doubt: Doubt) -> str | None:
    """What a doubt has come to, None while it is open."""
    if doubt.cell == "score":
        claim: Claim | None = told.claims.get(doubt.seat)
        return str(claim.best) if claim and claim.exact else None
    if any(other.seat == doubt.seat and other.cell == doubt.cell for other in told.doubts):
        return None
    board = told.boards.get(doubt.seat)
    return board.letters.get(doubt.cell) if board else None
