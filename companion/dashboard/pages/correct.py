"""Corrections: tap a cell, choose a tile, see what changes, confirm; undo, redo, and who changed what."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.corrections import (
    TURNED,
    Form,
    additions_of,
    choices_of,
    current_of,
    form_of,
    heaps_of,
    is_heap,
    is_possible,
    kinds_of,
    numbers_of,
    preview_of,
    turn_deg,
)
from companion.dashboard.drawing.boards import own_drawings
from companion.dashboard.live.view import TableView
from companion.dashboard.replies import done, inside, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player
from companion.dashboard.text.sentences import sentence
from companion.dashboard.text.words import gettext as _
from companion.gamelog import PhotoRead, Redo, Undo, correction
from engine.layout import SLOT
from engine.table import EMPTY

blueprint = Blueprint("correct", __name__)

MOST_WHY = 200


@blueprint.get("/game/<game>/correct/<int:seat>")
@needs(Role.TABLE)
def board(game: str, seat: int) -> str:
    """The boards of a seat, whose every cell, heap and number can be chosen; seat 0 is the middle of the table."""
    snapshot = site().book(game).read()
    _check_seat(snapshot, seat)
    view = TableView(snapshot)
    part, edition = view.table.part(seat), view.edition
    drawings = own_drawings(edition, view.state.setup, part, tracks=True) if seat else view.shared
    slots = [cell for zone in edition.layout.zones if zone.role == SLOT and not zone.heap for cell in zone.cells]
    values = {
        "drawings": drawings,
        "slots": [(cell.name, part.cells[cell.name]) for cell in slots if cell.name in part.cells],
        "heaps": heaps_of(snapshot, seat),
        "numbers": [(name, _shown(snapshot, seat, name)) for name in numbers_of(snapshot, seat)],
    }
    return page("correct.html", snapshot=snapshot, view=view, edition=edition, seat=seat, **values)


@blueprint.get("/game/<game>/correct/<int:seat>/<cell>")
@needs(Role.TABLE)
def cell(game: str, seat: int, cell: str) -> str:
    """One cell, heap or number: what may be true, and what that would change."""
    snapshot = site().book(game).read()
    _check_seat(snapshot, seat)
    form, value = form_of(snapshot.folded.edition, cell), _asked(snapshot, cell)
    preview = preview_of(snapshot, seat, cell, _value(form, value)) if value is not None else None
    values = {"snapshot": snapshot, "seat": seat, "cell": cell, "value": value, "preview": preview}
    if request.headers.get("HX-Target") == "preview":
        return page("parts/preview.html", **values)
    values |= {"form": form, "current": current_of(snapshot, seat, cell)}
    if form is Form.HEAP:
        values |= _heap(snapshot, seat, cell)
    return page("cell.html", **values, **_kinds(snapshot, seat, cell))


def _asked(snapshot: Snapshot, cell: str) -> str | None:
    """What a person wants to see the effect of: a heap is told piece by piece."""
    if "built" in request.args and is_heap(snapshot.folded.edition, cell):
        return snapshot.folded.edition.written(sorted(request.args.getlist("k")))
    return request.args.get("value")


def _heap(snapshot: Snapshot, seat: int, cell: str) -> dict[str, Any]:
    """The pieces that a heap is said to hold, those that can be added, and whether it may be gone altogether."""
    lying = kinds_of(snapshot, seat, cell)
    built = tuple(sorted(request.args.getlist("k"))) if "built" in request.args else lying
    more = additions_of(snapshot, seat, cell, built)
    return {"built": built, "lying": lying, "more": more, "may_go": is_possible(snapshot, seat, cell, EMPTY)}


def _kinds(snapshot: Snapshot, seat: int, cell: str) -> dict[str, Any]:
    """The kinds of piece to choose from; cards that lie turned are chosen first, then how they lie."""
    edition, choices = snapshot.folded.edition, choices_of(snapshot, seat, cell)
    of = request.args.get("of", "")
    turned = [kind for kind in choices if kind.startswith(f"{of}{TURNED}")] if of else []
    cards = list(dict.fromkeys(kind.partition(TURNED)[0] for kind in choices if TURNED in kind))
    return {
        "choices": [kind for kind in choices if TURNED not in kind],
        "cards": cards,
        "of": of,
        "turned": [(kind, turn_deg(edition, cell, kind)) for kind in turned],
    }


def _shown(snapshot: Snapshot, seat: int, name: str) -> str:
    """A number as it is now; a seat by its player."""
    now = current_of(snapshot, seat, name)
    if form_of(snapshot.folded.edition, name) is not Form.SEAT:
        return now
    return player(snapshot.start, int(now)) if int(now) else _("nobody")


@blueprint.post("/game/<game>/correct")
@needs(Role.TABLE)
def change(game: str) -> Response:
    """Log a correction."""
    book = site().book(game)
    seat, cell = request.form.get("seat", 0, type=int), request.form.get("cell", "")
    value = _value(form_of(book.game.start.edition, cell), request.form.get("value", ""))
    why = request.form.get("why", "").strip()[:MOST_WHY]
    book.game.append(correction({cell: value}, seat, why), device())
    return done(url_for("table.show", game=game), _("Corrected. Undo takes it back."))


@blueprint.post("/game/<game>/undo")
@needs(Role.TABLE)
def undo(game: str) -> Response:
    """Undo an event, or the last one."""
    book, n = site().book(game), request.form.get("n", type=int)
    book.game.append(Undo(book.game.refresh().undoable() if n is None else n), device())
    then = inside(request.form.get("then", "")) or url_for("table.show", game=game)
    return done(then, _("Undone. Redo brings it back."))


@blueprint.post("/game/<game>/redo")
@needs(Role.TABLE)
def redo(game: str) -> Response:
    """Redo an event, or the one undone last."""
    book, n = site().book(game), request.form.get("n", type=int)
    book.game.append(Redo(book.game.refresh().redoable() if n is None else n), device())
    return done(url_for("table.show", game=game), _("Redone."))


@blueprint.get("/game/<game>/history")
def history(game: str) -> str:
    """Who changed what, all of it, the latest first; a bridge is one line."""
    snapshot = site().book(game).read()
    rows = [
        (entry, sentence(snapshot, entry), not isinstance(entry.event, PhotoRead | Undo | Redo))
        for entry in reversed(list(snapshot.entries.values()))
        if entry.n not in snapshot.folded.bridge_of
    ]
    stranded = {step.n for step in snapshot.folded.stranded}
    return page("history.html", snapshot=snapshot, rows=rows, stranded=stranded)


def _value(form: Form, value: str) -> str | int:
    if form not in (Form.NUMBER, Form.SEAT):
        return value
    try:
        return int(value)
    except ValueError:
        abort(400, _("This has to be a number."))


def _check_seat(snapshot: Snapshot, seat: int) -> None:
    if seat not in (0, *snapshot.folded.setup.seats):
        abort(404, _("There is no such seat in this game."))
