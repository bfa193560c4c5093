"""The page on which people enter missed moves by tapping; all of them are saved at once."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.filling import Filling, events_of, filling_of
from companion.dashboard.live.alerts import missed_of
from companion.dashboard.pages.enter import asked_next
from companion.dashboard.replies import done, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Folded, Logged
from engine import OVER

blueprint = Blueprint("fill", __name__)

MOST_MOVES = 200
"""The most moves that can be entered for one bridge."""


@blueprint.get("/game/<game>/fill/<int:n>")
@needs(Role.TABLE)
def show(game: str, n: int) -> str:
    """Shows the moves entered so far, which places still differ from the table, and choices for the next move."""
    snapshot = site().book(game).read()
    if all(bridged.n != n for bridged in snapshot.folded.bridges):
        abort(404, _("This was undone."))
    filling = filling_of(snapshot.folded, n, request.args.getlist("m")[:MOST_MOVES])
    state, edition = filling.state, filling.edition
    values: dict[str, Any] = {
        "snapshot": snapshot,
        "edition": edition,
        "state": state,
        "filling": filling,
        "missed": missed_of(snapshot, filling.bridged),
        "differs": _by_seat(filling),
        "is_over": state.phase == OVER,
    }
    return page("enter.html", **values, **({} if state.phase == OVER else asked_next(edition, state)))


@blueprint.post("/game/<game>/fill/<int:n>")
@needs(Role.TABLE)
def save(game: str, n: int) -> Response:
    """Log the entered moves in place of the bridge."""
    book, moves = site().book(game), request.form.getlist("m")[:MOST_MOVES]
    if not moves:
        abort(400, _("No move was entered."))

    def made(folded: Folded) -> list[Logged]:
        entries = {entry.n: entry for entry in book.game.entries()}
        return events_of(filling_of(folded, n, moves), entries, device())

    book.game.append_all(made)
    return done(url_for("table.show", game=game), _("The moves are filled in."))


def _by_seat(filling: Filling) -> dict[int, list[tuple[str, str]]]:
    """By seat, the places that still differ, each with what lay there."""
    found: dict[int, list[tuple[str, str]]] = {}
    for (seat, cell), kind in filling.differs.items():
        found.setdefault(seat, []).append((cell, kind))
    return found
