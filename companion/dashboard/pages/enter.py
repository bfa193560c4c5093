"""Moves entered by hand: for games without a camera, for the one move that a camera missed, and as answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.drawing.boards import BoardDrawing as Board
from companion.dashboard.drawing.boards import ghosts, own_drawings, shared_drawings
from companion.dashboard.entering import FEWER, LISTED, ChanceEntry, Entering, breaches, enter, offered, written
from companion.dashboard.live.alerts import OpenQuestion
from companion.dashboard.live.view import TableView
from companion.dashboard.pages.table import open_question, settle
from companion.dashboard.replies import done, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.announcements import tidings
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Answer, Record
from companion.reconcile.live.outcome import NOTHING
from engine import OVER, Edition, Violation
from engine.entry import Touch
from engine.errors import EngineError
from engine.table import EMPTY
from engine.text import Words

blueprint = Blueprint("enter", __name__)

MOST_STEPS = 60


@dataclass(frozen=True)
class Pile:
    """A heap whose pieces can be tapped, with what was tapped of it."""

    seat: int
    place: str
    kinds: tuple[tuple[str, str, bool], ...]
    """Each piece, the step that a tap on it is (empty where it cannot be tapped), and whether it was tapped."""


@blueprint.get("/game/<game>/enter")
@needs(Role.TABLE)
def show(game: str) -> str:
    """What was played, asked step by step."""
    snapshot = site().book(game).read()
    state, edition = snapshot.folded.state, snapshot.folded.edition
    stays, view = "stay" in request.args, TableView(snapshot)
    values: dict[str, Any] = {
        "snapshot": snapshot,
        "view": view,
        "may_end": view.may_end,
        "edition": edition,
        "stays": stays,
        "said": tidings(snapshot),
        "is_over": state.phase == OVER,
        "question": _question(snapshot),
        "nothing": NOTHING,
    }
    if state.phase == OVER:
        return page("enter.html", **values)
    return page("enter.html", **values, **asked_next(edition, state))


@blueprint.post("/game/<game>/enter")
@needs(Role.TABLE)
def log(game: str) -> Response:
    """Log a move, or what was drawn; where a question is answered so, its answer."""
    book = site().book(game)
    question = _question(book.read())
    edition, state = book.game.start.edition, book.game.refresh().state
    _check_same(book.game.folded.last)
    if "draw" in request.form:
        move = edition.deal(state, SystemRandom().sample) if edition.awaits_chance(state) else None
    elif "kind" in request.form or "drawn" in request.form:
        move = edition.drawn(state, ChanceEntry(edition.awaited(state), tuple(request.form.getlist("kind"))).heaps)
    else:
        move = edition.parse_move(request.form.get("move", ""))
    if move is None:
        abort(409, _("Nothing is to be drawn now."))
    if question:
        return settle(book, Answer(question.doubt.id, edition.format_move(move)))
    book.game.append(Record(edition.format_event(move)), device())
    if request.form.get("stay"):
        return done(url_for("enter.show", game=game, stay=1), _("Entered. Undo takes it back."))
    return done(url_for("table.show", game=game), _("Entered. Undo takes it back."))


def _question(snapshot: Snapshot) -> OpenQuestion | None:
    """The question about moves that is answered here, if any."""
    n = request.values.get("question", type=int)
    if n is None:
        return None
    found = open_question(snapshot, n)
    if found.doubt.cell:
        abort(400, _("This question is not about a move."))
    return found


def _check_same(last: int) -> None:
    """Refuse a move that was told in another state of the game: another device or a camera was faster."""
    told = request.form.get("after", type=int)
    if told is not None and told != last:
        abort(409, _("The game has changed since you opened this page. Check the table, then enter the move again."))


def asked_next(edition: Edition[Any, Any], state: Any) -> dict[str, Any]:
    """What `enter.html` asks for in a state that is not over, after what was tapped so far."""
    asks_chance = edition.awaits_chance(state) and "move" not in request.args
    return _chance(edition, state) if asks_chance else _moves(edition, state)


def _chance(edition: Edition[Any, Any], state: Any) -> dict[str, Any]:
    """What is to be drawn, as far as it was told."""
    drawing = ChanceEntry(edition.awaited(state), tuple(request.args.getlist("k")[: MOST_STEPS * 4]))
    problem: Words = ""
    broken, drawn = tuple[Violation, ...](), ""
    if drawing.at is None:
        move = edition.drawn(state, drawing.heaps)
        drawn = edition.format_move(move)
        broken = tuple(edition.violations(state, move))
        try:
            edition.enact(state, move)
        except EngineError as error:
            problem = error.words
    may_wait = bool(edition.legal_moves(state))
    told = {"drawing": drawing, "drawn": drawn, "problem": problem, "broken": broken}
    return {**told, "may_wait": may_wait, "fewer": FEWER}


def _moves(edition: Edition[Any, Any], state: Any) -> dict[str, Any]:
    """The moves that are left after what was tapped, and what can be tapped next."""
    against = "against" in request.args
    moves = breaches(edition, state) if against else edition.legal_moves(state)
    path = request.args.getlist("p")[:MOST_STEPS]
    now = enter(edition, state, moves, path)
    if path and not now.moves and not against:
        abort(409, _("The game has changed since you opened this page. Check the table, then enter the move again."))
    lists = now.is_told or len(now.moves) <= LISTED
    return {
        "now": now,
        "against": against,
        "offers": offered(edition, state, now, against) if lists else [],
        "piles": _piles(edition, state, now),
        "boards": _boards(edition, state, now),
        "bare": [written(touch) for touch in now.touches if not touch.place],
    }


def _piles(edition: Edition[Any, Any], state: Any, now: Entering) -> list[Pile]:
    """The heaps in which something can be tapped or was."""
    table, layout = edition.table(state), edition.layout
    steps = {touch: written(touch) for touch in now.touches if touch.kind}
    chosen = Counter(touch for touch in now.chosen if touch.kind)
    places = dict.fromkeys((touch.seat, touch.place) for touch in (*steps, *chosen))
    found = []
    for seat, place in sorted(places):
        part = table.part(seat)
        cells = [part.cells[cell.name] for cell in layout if cell.zone == place and cell.name in part.cells]
        lying, taken = [], Counter(chosen)
        for kind in part.heaps.get(place, cells):
            touch = Touch(seat, place, kind)
            was_taken = taken[touch] > 0
            taken[touch] -= was_taken
            if kind != EMPTY:
                lying.append((kind, "" if was_taken else steps.get(touch, ""), was_taken))
        found.append(Pile(seat, place, tuple(lying)))
    return found


def _boards(edition: Edition[Any, Any], state: Any, now: Entering) -> list[tuple[Board, dict[str, str]]]:
    """The boards on which a place can be tapped: for each cell the step that a tap on it is."""
    table, layout = edition.table(state), edition.layout
    steps: dict[int, dict[str, str]] = {}
    for touch in now.touches:
        if touch.place and not touch.kind:
            cells = {cell.name: written(touch) for cell in layout.cells_of(touch.place)}
            own = {name: step for name, step in cells.items() if name == touch.place} or cells
            steps.setdefault(touch.seat, {}).update(own)
    found = []
    for seat, names in steps.items():
        part = table.part(seat)
        drawn = own_drawings(edition, state.setup, part) if seat else shared_drawings(edition, state.setup, table)
        surfaces = {layout.cell(name).surface for name in names}
        found += [(ghosts(board, names), names) for board in drawn if board.surface in surfaces]
    return found
