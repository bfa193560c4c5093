"""A photo from a phone: read in seconds, its corners mended by tapping, kept in a game or discarded."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.corrections import Form, form_of
from companion.dashboard.drawing.crops import sights_of
from companion.dashboard.drawing.evidence import outlines, part_of
from companion.dashboard.jobs.album import reading_turn
from companion.dashboard.jobs.drafts import Draft
from companion.dashboard.put_right import put_right, shown_by, value_of
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.security.limits import ONE_PHOTO, UPLOADS, limiter, takes
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Game, Photo, PhotoRead
from companion.pipeline import networks_name, read_picture, readable_editions, refuse_unreadable
from companion.scores import seen_score
from companion.starting import start_from
from companion.tables import places_of
from engine import Edition, Start, load, slugs
from engine.record import MAX_NAME
from engine.table import EMPTY, MARKER
from engine.text import format_words
from vision.errors import BoardNotFoundError
from vision.pose import Array

blueprint = Blueprint("photo", __name__)

MOST_CORNERS = 16
"""Four corners of four boards."""
SHOWN_PX = 1600
PEN = "phone photo"
MOST_DOUBTS = 8
"""So many places in doubt are listed."""
SIGHT_PX = 480
MOST_DIGITS, MOST_PIECES = 4, 60


@blueprint.get("/photo")
def choose() -> str:
    """Take or choose a photo."""
    return page("photo.html", **_editions())


@blueprint.post("/photo")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
@takes(ONE_PHOTO)
def upload() -> Response:
    """Read a photo that was sent."""
    sent = request.files.get("photo")
    data = sent.read() if sent else b""
    if not data:
        abort(400, _("No photo came. Choose one, then try again."))
    return go(url_for("photo.show", draft=_read(data, _edition(), [])))


@blueprint.get("/photo/<draft>")
@needs(Role.TABLE)
def show(draft: str) -> str:
    """What was read in a photo, to be kept or discarded."""
    found = _draft(draft)
    reading = found.told.get("reading")
    return page(
        "draft.html",
        draft=found,
        reading=reading,
        outlines=list(outlines(reading, every=True)) if reading else [],
        discs=_discs(reading) if reading else [],
        corners=[board["corners_px"] for board in reading["boards"] if "corners_px" in board] if reading else [],
        part=part_of(reading, found.told["width"], found.told["height"]) if reading else None,
        most_doubts=MOST_DOUBTS,
        **_judged(found),
        **_editions(found.told.get("like") or found.told.get("edition")),
    )


@blueprint.get("/photo/<draft>/picture")
@needs(Role.TABLE)
def picture(draft: str) -> Response:
    """The photo itself, not too large."""
    return Response(site().pictures.small(_draft(draft).data, SHOWN_PX), mimetype="image/jpeg")


@blueprint.get("/photo/<draft>/card.jpg")
@needs(Role.TABLE)
def card(draft: str) -> Response:
    """The photo with what was read and the scores, as one picture to send to friends."""
    # Imported here, since it takes a while and most visits share nothing.
    from companion.dashboard.drawing.card import photo_card

    found = _draft(draft)
    reading = _reading(found)
    data = photo_card(reading, site().pictures.small(found.data, SHOWN_PX), found.told["width"])
    response = Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
    response.headers["Content-Disposition"] = 'inline; filename="azul.jpg"'
    return response


@blueprint.get("/photo/<draft>/place/<int:seat>/<place>")
@needs(Role.TABLE)
def place(draft: str, seat: int, place: str) -> str:
    """One cell, heap or number of a photo: what was read there, and what it may be instead."""
    found = _draft(draft)
    reading = _reading(found)
    edition = load(reading["edition"])
    form = form_of(edition, place)
    lying = _lying(reading, seat, place)
    built = tuple(request.args.getlist("k")) if "built" in request.args else tuple(k for k in lying if k != MARKER)
    values = {"draft": found, "seat": seat, "place": place, "form": form, "lying": lying, "built": built}
    kinds = () if form is Form.NUMBER else edition.kinds(place)
    sights = sights_of(draft, reading, [(seat, place)])
    return page("draft_place.html", **values, edition=edition, kinds=kinds, sights=sights[:1])


@blueprint.get("/photo/<draft>/part/<int:seat>/<place>.jpg")
@needs(Role.TABLE)
def part(draft: str, seat: int, place: str) -> Response:
    """The part of the photo that shows a cell, heap or number, upright."""
    found = _draft(draft)
    sights = sights_of(draft, _reading(found), [(seat, place)])
    if not sights:
        abort(404)
    data = site().pictures.small(found.data, SIGHT_PX, sights[0].box, sights[0].turn)
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/photo/<draft>/place/<int:seat>/<place>")
@needs(Role.TABLE)
def correct(draft: str, seat: int, place: str) -> Response:
    """Keep what a person says lies in a place of the photo."""
    found = _draft(draft)
    reading = _reading(found)
    values = request.form.getlist("value")
    if not _is_told(load(reading["edition"]), place, values):
        abort(400, _("This cannot lie there."))
    _lying(reading, seat, place)
    right = put_right(reading, seat, place, values)
    site().drafts.save(found.data, {**found.told, "reading": right}, found.id)
    return go(url_for("photo.show", draft=draft))


@blueprint.post("/photo/<draft>/corners")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
def corners(draft: str) -> Response:
    """Read a photo anew, with the corners of its boards as a person tapped them."""
    found = _draft(draft)
    tapped = _corners(request.form.get("corners", ""))
    return go(url_for("photo.show", draft=_read(found.data, found.told.get("edition"), tapped, found.id)))


@blueprint.post("/photo/<draft>/edition")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
def anew(draft: str) -> Response:
    """Read a photo anew as one of another edition."""
    return go(url_for("photo.show", draft=_read(_draft(draft).data, _edition(), [], draft)))


@blueprint.post("/photo/<draft>/keep")
@needs(Role.TABLE)
def keep(draft: str) -> Response:
    """Keep a photo in a game, or begin one with it."""
    found = _draft(draft)
    reading = _reading(found)
    game = _new_game(reading) if request.form.get("game") == "new" else site().book(request.form.get("game", "")).game
    photo = Photo(found.data, found.told.get("taken_at"), PEN)
    entry = game.append(PhotoRead(reading, networks_name()), device(), photo)
    if request.form.get("stand"):
        start_from(game, reading, device(), entry.photo)
    site().watcher.poke()
    site().drafts.discard(draft)
    return go(url_for("table.show", game=game.id))


@blueprint.post("/photo/<draft>/discard")
@needs(Role.TABLE)
def discard(draft: str) -> Response:
    """Delete a photo that nobody wants to keep."""
    site().drafts.discard(draft)
    return go(url_for("photo.choose"))


def _read(data: bytes, edition: str | None, tapped: list[Array], id_: str = "") -> str:
    """Read a photo and keep it as a draft; a photo without boards is kept too, so that corners can be tapped."""
    decoded = site().pictures.decode(data, "")
    height, width = decoded.picture.shape[:2]
    told: dict[str, Any] = {"edition": edition, "width": width, "height": height}
    told["taken_at"] = decoded.taken_at.isoformat() if decoded.taken_at else None
    try:
        with reading_turn:
            told["reading"] = read_picture(decoded.picture, site().networks(), edition, tapped, decoded.focal_px).table
    except BoardNotFoundError as error:
        told |= {
            "problem": {"said": format_words(error.words)},
            "like": error.like,
            "tapped": [points.tolist() for points in tapped],
        }
    return site().drafts.save(data, told, id_)


def _edition() -> str | None:
    """The edition that a person chose; none where it is to be told by the print."""
    edition = request.form.get("edition") or None
    if edition not in (None, *slugs()):
        abort(400, _("There is no such edition."))
    if edition:
        refuse_unreadable(edition)
    return edition


def _editions(chosen: str | None = None) -> dict[str, Any]:
    """What the list of editions is made of."""
    return {"editions": [load(slug) for slug in slugs()], "readable": readable_editions(), "chosen": chosen}


def _draft(draft: str) -> Draft:
    found = site().drafts.load(draft)
    if found is None:
        abort(404, _("This photo was discarded."))
    return found


def _discs(reading: dict[str, Any]) -> list[tuple[float, float, str]]:
    """Where heaps that are told apart by numbers lie, each with its number."""
    places = places_of(reading, load(reading["edition"]))
    return [(x, y, name.rpartition(".")[2]) for name, (x, y) in places]


def _reading(found: Draft) -> dict[str, Any]:
    """What was read in a draft; where nothing was, there is nothing to show."""
    reading = found.told.get("reading")
    if reading is None:
        abort(409, _("Nothing was read in this photo, so there is nothing to keep."))
    return dict(reading)


def _lying(reading: dict[str, Any], seat: int, place: str) -> tuple[str, ...]:
    """What was read in a place; no such place is a 404."""
    part = next((part for part in load(reading["edition"]).parse_table(reading).parts if part.seat == seat), None)
    if part is None or place not in {*part.cells, *part.heaps, *part.tracks}:
        abort(404)
    return value_of(reading, seat, place)


def _is_told(edition: Edition[Any, Any], place: str, values: list[str]) -> bool:
    """Whether these can be said of a place: one number, one kind, or the kinds of a heap."""
    form = form_of(edition, place)
    if form is Form.NUMBER:
        return len(values) == 1 and values[0].lstrip("-").isdecimal() and len(values[0]) <= MOST_DIGITS
    known = {*edition.kinds(place), *((EMPTY,) if form is Form.KIND else ())}
    return {*values} <= known and (form is Form.HEAP or len(values) == 1) and len(values) <= MOST_PIECES


def _corners(written: str) -> list[Array]:
    """Corners as they were tapped, four for each board: x,y x,y …"""
    try:
        points = np.array([[float(part) for part in pair.split(",")] for pair in written.split()])
    except ValueError:
        points = np.empty((0, 2))
    fits = points.ndim == 2 and points.shape[1:] == (2,) and 0 < len(points) <= MOST_CORNERS and len(points) % 4 == 0
    if not fits or not np.isfinite(points).all():
        abort(400, _("Tap the four corners of each board, then try again."))
    return [points[i : i + 4] for i in range(0, len(points), 4)]


def _judged(found: Draft) -> dict[str, Any]:
    """What the position would bring, and the games that it may belong to."""
    reading = found.told.get("reading")
    if reading is None:
        return {"shown": None, "scores": {}, "games": []}
    games = [
        game
        for game in site().log.games()
        if (game.start.setup.edition, game.start.setup.side) == (reading["edition"], reading["side"])
    ]
    scores = {board["seat"]: seen_score(board) for board in reading["boards"]}
    return {"shown": shown_by(reading), "scores": scores, "games": games}


def _new_game(reading: dict[str, Any]) -> Game:
    edition = load(reading["edition"])
    players = min(max(len(reading["boards"]), edition.players[0]), edition.players[-1])
    told = [" ".join(name.split())[:MAX_NAME] for name in request.form.getlist("name")][:players]
    told += [""] * (players - len(told))
    names = tuple(name or _("Seat %(seat)s", seat=seat) for seat, name in enumerate(told, 1)) if any(told) else ()
    return site().log.create(Start(edition, edition.setup(reading["side"], players, 1), names))
