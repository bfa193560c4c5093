"""Corrections: tap a cell, choose a tile, see what changes, confirm; undo, redo, and who changed what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.access import Role, device, needs
from companion.dashboard.book import Snapshot
from companion.dashboard.replies import done, page
from companion.dashboard.sentences import sentence
from companion.dashboard.shapes import NUMBERS
from companion.dashboard.site import site
from companion.dashboard.view import TableView
from companion.dashboard.words import gettext as _
from companion.gamelog import PhotoRead, Record, Redo, Undo
from companion.scores import SCORE, Score
from engine import Violation
from engine.errors import EngineError

blueprint = Blueprint("correct", __name__)

HEAPS = ("centre", "factory")
"""Cells that hold any number of tiles."""
MOST_WHY = 200


@dataclass(frozen=True)
class Change:
    """What a correction does to one seat."""

    seat: int
    what: str
    before: Score | int
    after: int


@dataclass(frozen=True)
class Preview:
    """What a correction would do."""

    changes: tuple[Change, ...]
    violations: tuple[Violation, ...]
    """Rules that would visibly be broken and are not now."""
    problem: str = ""
    """Why it cannot be."""


@blueprint.get("/game/<game>/correct/<int:seat>")
@needs(Role.TABLE)
def board(game: str, seat: int) -> str:
    """A board whose every cell can be chosen; seat 0 is the table's middle."""
    snapshot = site().book(game).read()
    _check_seat(snapshot, seat)
    return page("correct.html", snapshot=snapshot, view=TableView(snapshot), seat=seat)


@blueprint.get("/game/<game>/correct/<int:seat>/<cell>")
@needs(Role.TABLE)
def cell(game: str, seat: int, cell: str) -> str:
    """One cell: what may lie there, and what the chosen tile would change."""
    snapshot = site().book(game).read()
    _check_seat(snapshot, seat)
    choices = choices_of(snapshot, seat, cell)
    value = request.args.get("value")
    preview = preview_of(snapshot, seat, cell, value) if value is not None else None
    values = {"snapshot": snapshot, "seat": seat, "cell": cell, "value": value, "preview": preview}
    if request.headers.get("HX-Target") == "preview":
        return page("parts/preview.html", **values)
    current = current_of(snapshot, seat, cell)
    return page("cell.html", choices=choices, current=current, is_number=cell in NUMBERS, **values)


@blueprint.post("/game/<game>/correct")
@needs(Role.TABLE)
def change(game: str) -> Response:
    """Log a correction."""
    book = site().book(game)
    seat, cell = request.form.get("seat", 0, type=int), request.form.get("cell", "")
    event: dict[str, Any] = {
        "event": "correct",
        "seat": seat,
        "cells": {cell: _value(cell, request.form.get("value", ""))},
    }
    if why := request.form.get("why", "").strip()[:MOST_WHY]:
        event["why"] = why
    book.game.append(Record(event), device())
    return done(url_for("table.show", game=game), _("Corrected. Undo takes it back."))


@blueprint.post("/game/<game>/undo")
@needs(Role.TABLE)
def undo(game: str) -> Response:
    """Undo an event, or the last one."""
    book, n = site().book(game), request.form.get("n", type=int)
    book.game.append(Undo(book.game.refresh().undoable() if n is None else n), device())
    return done(request.form.get("then") or url_for("table.show", game=game), _("Undone. Redo brings it back."))


@blueprint.post("/game/<game>/redo")
@needs(Role.TABLE)
def redo(game: str) -> Response:
    """Redo an event, or the one undone last."""
    book, n = site().book(game), request.form.get("n", type=int)
    book.game.append(Redo(book.game.refresh().redoable() if n is None else n), device())
    return done(url_for("table.show", game=game), _("Redone."))


@blueprint.get("/game/<game>/history")
def history(game: str) -> str:
    """Who changed what, all of it, the latest first."""
    snapshot = site().book(game).read()
    rows = [
        (entry, sentence(snapshot, entry), not isinstance(entry.event, PhotoRead | Undo | Redo))
        for entry in reversed(list(snapshot.entries.values()))
    ]
    stranded = {step.n for step in snapshot.folded.stranded}
    return page("history.html", snapshot=snapshot, rows=rows, stranded=stranded)


def choices_of(snapshot: Snapshot, seat: int, cell: str) -> list[str]:
    """The kinds of tile that a person may say lie in a cell."""
    if cell in NUMBERS or cell.split(".")[0] in HEAPS:
        return []
    kinds = [".", *snapshot.folded.edition.letters, "1"]
    return [kind for kind in kinds if not preview_of(snapshot, seat, cell, kind).problem]


def current_of(snapshot: Snapshot, seat: int, cell: str) -> str:
    """What the log says lies in a cell."""
    view = TableView(snapshot)
    if cell == "score" and seat:
        return str(view.places[seat - 1].track)
    match cell.split("."):
        case ["centre"]:
            return "".join(view.centre).replace("1", "")
        case ["factory", disc] if disc.isdigit() and 0 < int(disc) <= len(view.discs):
            return view.discs[int(disc) - 1]
    spots = {spot.name: spot.kind for place in view.places if place.seat == seat for spot in place.drawing.spots}
    return spots.get(cell, "")


def preview_of(snapshot: Snapshot, seat: int, cell: str, value: str) -> Preview:
    """What would change if a cell held this."""
    edition, state = snapshot.folded.edition, snapshot.folded.state
    try:
        after = edition.correct(state, {cell: _value(cell, value)}, seat)
    except EngineError as error:
        return Preview((), (), str(error))
    shown = set(_visible(edition, state))
    violations = tuple(each for each in _visible(edition, after) if each not in shown)
    changes = _changes(edition, state, after)
    if cell == SCORE and seat:
        changes.insert(0, Change(seat, _("score"), snapshot.ledger.last.track[seat - 1], after.scores[seat - 1]))
    return Preview(tuple(change for change in changes if str(change.before) != str(change.after)), violations)


def _visible(edition: Any, state: Any) -> list[Violation]:
    return list(edition.table_violations(edition.table(state), None))


def _changes(edition: Any, before: Any, after: Any) -> list[Change]:
    old, new = (edition.outlook(edition.table(state)) for state in (before, after))
    found = []
    for was, now in zip(old, new, strict=True):
        found += [
            Change(was.seat, _("if the round ended now"), was.round_points, now.round_points),
            Change(was.seat, _("bonuses as it stands"), was.bonus_points, now.bonus_points),
        ]
    return found


def _value(cell: str, value: str) -> str | int:
    if cell not in NUMBERS:
        return value
    try:
        return int(value)
    except ValueError:
        abort(400, _("This has to be a number."))


def _check_seat(snapshot: Snapshot, seat: int) -> None:
    if seat not in (0, *snapshot.folded.setup.seats):
        abort(404, _("There is no such seat in this game."))
