"""The table: boards, scores, what to look at."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.corrections import choices_of
from companion.dashboard.drawing.boards import own_drawings
from companion.dashboard.drawing.helpers import is_number
from companion.dashboard.jobs.album import bring_up_to_date, is_of_photos
from companion.dashboard.live.alerts import OpenQuestion, broken_moves, next_question, questions, reading_of
from companion.dashboard.live.fragments import fragments, pulse
from companion.dashboard.live.gaps import points_gaps
from companion.dashboard.live.view import TableView, rounds
from companion.dashboard.live.watched import watched
from companion.dashboard.qr_codes import qr
from companion.dashboard.replies import done, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.site import site
from companion.dashboard.snapshot import Book, Snapshot
from companion.dashboard.text.words import gettext as _
from companion.gamelog import ACCEPTED, NOBODY_KNOWS, Allow, Answer, Doubt, Logged, Record, correction
from companion.scores import SCORE, score_of
from companion.starting import start_from
from engine.score import total

blueprint = Blueprint("table", __name__)


@blueprint.get("/")
def home() -> AnyResponse | str:
    """The newest game, or how to begin one."""
    games = site().log.games()
    if not games:
        return redirect(url_for("wizard.begin"))
    return redirect(url_for("table.show", game=games[0].id))


@blueprint.get("/tv")
def newest_tv() -> AnyResponse:
    """The newest game for a TV, by an address that can be typed with a remote control."""
    games = site().log.games()
    return redirect(url_for("table.tv", game=games[0].id) if games else url_for("wizard.begin"))


@blueprint.get("/game/<game>")
def show(game: str) -> str:
    """A game as it stands, and as it goes on."""
    snapshot = site().book(game).read()
    by_phone = site().phone.game == game
    view = TableView(snapshot)
    parts = fragments(snapshot) | {"pulse": pulse(snapshot, watched(site(), game, view.is_over))}
    # The simulated table takes a moment to be set up.
    by_hand = not by_phone and not _follows(game) and site().simulated != game
    values = {"by_phone": by_phone, "by_hand": by_hand, "looks": _follows(game)}
    return page("table.html", snapshot=snapshot, view=view, parts=parts, **values)


@blueprint.get("/game/<game>/tv")
def tv(game: str) -> str:
    """The same, to be read from afar."""
    snapshot = site().book(game).read()
    home = f"{site().address or request.host_url.rstrip('/')}/"
    view = TableView(snapshot)
    watch = watched(site(), game, view.is_over)
    parts = fragments(snapshot, wide=True) | {"pulse": pulse(snapshot, watch, wide=True)}
    return page("tv.html", snapshot=snapshot, view=view, parts=parts, qr=qr, home=home)


@blueprint.get("/game/<game>/points/<int:seat>")
def points(game: str, seat: int) -> str:
    """Every point of a player, explained."""
    snapshot = site().book(game).read()
    view = TableView(snapshot)
    place = next((place for place in view.places if place.seat == seat), None)
    if place is None:
        abort(404, _("There is no such seat in this game."))
    made = [(number, lines, total(lines)) for number, lines in rounds(snapshot, seat)]
    bonuses = snapshot.folded.edition.bonuses(view.state) if view.is_over else ()
    bonus_lines = [line for line in bonuses if line.seat == seat]
    drawings = own_drawings(view.edition, view.state.setup, view.table.part(seat), tracks=True)
    values = {"snapshot": snapshot, "view": view, "place": place, "drawings": drawings}
    return page("points.html", **values, rounds=made, gaps=points_gaps(snapshot, seat), bonus_lines=bonus_lines)


@blueprint.get("/game/<game>/question/<int:n>")
def question(game: str, n: int) -> str:
    """A doubt, with what may be the answer."""
    snapshot = site().book(game).read()
    found = open_question(snapshot, n)
    is_told = bool(found.doubt.cell) and is_number(snapshot.folded.edition, found.doubt.cell)
    values = {"question": found, "is_number": is_told, "nobody_knows": NOBODY_KNOWS, "from_photo": _shows(snapshot, n)}
    return page("question.html", snapshot=snapshot, **values)


def _shows(snapshot: Snapshot, n: int) -> bool:
    """Whether the photo of a question shows boards, so that the game can start again from it."""
    entry = snapshot.photo_of(n)
    reading = reading_of(snapshot, entry.n) if entry else None
    return bool(reading and reading["boards"])


@blueprint.post("/game/<game>/restart")
@needs(Role.TABLE)
def restart(game: str) -> Response:
    """Set the game to what a photo shows; the question that it belongs to, if any, is settled."""
    book, n = site().book(game), _number("n")
    snapshot = book.read()
    doubt, entry = snapshot.folded.doubts.get(n), snapshot.photo_of(n) if n in snapshot.entries else None
    reading = reading_of(snapshot, entry.n) if entry else None
    if entry is None or not reading or not reading["boards"]:
        abort(409, _("No photo shows the table as it was then."))
    start_from(book.game, reading, device(), entry.photo, settled=doubt.id if doubt else "")
    return done(url_for("table.show", game=game), _("The game goes on from this photo. Undo takes it back."))


@blueprint.get("/game/<game>/question/<int:n>/else")
@needs(Role.TABLE)
def something_else(game: str, n: int) -> str:
    """Every kind of tile that may lie in the cell of a question; moves are entered by tapping, numbers in a field."""
    snapshot = site().book(game).read()
    found = open_question(snapshot, n)
    cell, seat = found.doubt.cell, found.doubt.seat
    if not cell or is_number(snapshot.folded.edition, cell):
        abort(404, _("Page not found. It may have been deleted, or the address is wrong."))
    return page("else.html", snapshot=snapshot, question=found, kinds=choices_of(snapshot, seat, cell))


@blueprint.get("/game/<game>/breach/<int:n>")
def breach(game: str, n: int) -> str:
    """The rules that a move broke, with what was seen and what would have been legal."""
    snapshot = site().book(game).read()
    found = next((move for move in broken_moves(snapshot) if move.n == n), None)
    if found is None:
        abort(404, _("This was undone or allowed."))
    return page("breach.html", snapshot=snapshot, move=found)


@blueprint.post("/game/<game>/allow")
@needs(Role.TABLE)
def allow(game: str) -> Response:
    """Let the rules that a move broke stand, or the position after missed moves."""
    book, n, rules = site().book(game), _number("n"), dict.fromkeys(request.form.getlist("rule"))
    if not rules:
        abort(400, _("There is nothing here that can be allowed."))
    book.game.append_all(lambda _: [Logged(Allow(n, rule), device()) for rule in rules])
    said = _("Accepted.") if ACCEPTED in rules else _("Move allowed.")
    return done(url_for("table.show", game=game), said)


@blueprint.post("/game/<game>/answer")
@needs(Role.TABLE)
def answer(game: str) -> Response:
    """Settle a doubt."""
    return settle(site().book(game), Answer(request.form.get("id", ""), request.form.get("value", "")))


def settle(book: Book, answer: Answer) -> Response:
    """Log an answer, and do what follows from it."""
    book.game.append(answer, device())
    bring_up_to_date(book.read())
    _set_score(book.read(), answer)
    return done(*_onwards(book.read(), answer))


def _onwards(snapshot: Snapshot, answer: Answer) -> tuple[str, str, str]:
    """Where to go after an answer: back to the table, or on to the next question of the same kind."""
    game, table = snapshot.game.id, url_for("table.show", game=snapshot.game.id)
    doubt = _doubt_of(snapshot, answer)
    n = next_question(snapshot, doubt) if doubt else None
    if n is None:
        return table, _("Answer saved."), ""
    question = url_for("table.question", game=game, n=n)
    return question, _("Answer saved. Here is the next question."), question


def _doubt_of(snapshot: Snapshot, answer: Answer) -> Doubt | None:
    """The doubt that an answer settles."""
    asked = (event for event in snapshot.folded.events.values() if isinstance(event, Doubt) and event.id == answer.id)
    return next(asked, None)


def _set_score(snapshot: Snapshot, answer: Answer) -> None:
    """Let a score that somebody answered stand in the game, unless all of it is worked out from photos."""
    doubt = _doubt_of(snapshot, answer)
    if doubt is None or doubt.cell != SCORE or is_of_photos(snapshot) or not (score := score_of([answer.value])):
        return
    snapshot.game.append(correction({SCORE: score.low}, doubt.seat), device())


@blueprint.post("/game/<game>/end")
@needs(Role.TABLE)
def end(game: str) -> Response:
    """End a game that stands still."""
    book = site().book(game)
    folded = book.game.refresh()
    move = folded.edition.ending(folded.state)
    if move is None:
        abort(409, _("This game can still come to its end by itself, or its round is not over."))
    book.game.append(Record(folded.edition.format_event(move)), device())
    return done(url_for("table.show", game=game), _("The game is over."))


@blueprint.post("/game/<game>/look")
@needs(Role.TABLE)
def look(game: str) -> Response:
    """Have the camera look, as the button on the rig does."""
    window = site().window
    if window is None or not _follows(game):
        abort(409, _("No camera follows this game."))
    window.stir()
    return done(url_for("table.show", game=game), _("The table is read as soon as it is still."))


def open_question(snapshot: Snapshot, n: int) -> OpenQuestion:
    """The question of that number, if it waits for an answer."""
    found = next((found for found in questions(snapshot) if found.n == n), None)
    if found is None:
        abort(404, _("This question has been answered."))
    return found


def _follows(game: str) -> bool:
    """Whether the camera at the table follows a game."""
    window = site().window
    return window is not None and window.game == game


def _number(name: str) -> int:
    value = request.form.get(name, type=int)
    if value is None:
        abort(400, _("The number of the event is missing."))
    return value
