"""A photo from a phone: read in seconds, its corners mended by tapping, kept in a game or discarded."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.drawing.evidence import outlines
from companion.dashboard.jobs.album import reading_turn
from companion.dashboard.jobs.drafts import Draft
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.security.limits import ONE_PHOTO, UPLOADS, limiter, takes
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Doubt, Game, Photo, PhotoRead, correction
from companion.pipeline import networks_name, read_picture, readable_editions, refuse_unreadable
from companion.reconcile.doubtful import possible_scores
from companion.scores import SCORE, seen_score
from companion.terminal import player
from engine import Edition, Part, Start, load, slugs
from engine.errors import EngineError
from engine.text import format_words, say
from vision.cells import UNSEEN
from vision.errors import BoardNotFoundError
from vision.pose import Array

blueprint = Blueprint("photo", __name__)

MOST_CORNERS = 16
"""Four corners of four boards."""
SHOWN_PX = 1600
PEN = "phone photo"


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
        outlines=list(outlines(reading)) if reading else [],
        **_judged(found),
        **_editions(found.told.get("like") or found.told.get("edition")),
    )


@blueprint.get("/photo/<draft>/picture")
@needs(Role.TABLE)
def picture(draft: str) -> Response:
    """The photo itself, not too large."""
    return Response(site().pictures.small(_draft(draft).data, SHOWN_PX), mimetype="image/jpeg")


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
    reading = found.told.get("reading")
    if reading is None:
        abort(409, _("Nothing was read in this photo, so there is nothing to keep."))
    game = _new_game(reading) if request.form.get("game") == "new" else site().book(request.form.get("game", "")).game
    photo = Photo(found.data, found.told.get("taken_at"), PEN)
    entry = game.append(PhotoRead(reading, networks_name()), device(), photo)
    if request.form.get("stand"):
        _set_up(game, reading, entry.photo)
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
        return {"outlooks": [], "scores": {}, "games": [], "judged": None}
    edition = load(reading["edition"])
    outlooks = edition.outlook(edition.parse_table(reading))
    games = [
        game
        for game in site().log.games()
        if (game.start.setup.edition, game.start.setup.side) == (reading["edition"], reading["side"])
    ]
    scores = {board["seat"]: seen_score(board) for board in reading["boards"]}
    return {"outlooks": outlooks, "scores": scores, "games": games, "judged": edition, "player_of": player}


def _new_game(reading: dict[str, Any]) -> Game:
    edition = load(reading["edition"])
    players = max(len(reading["boards"]), edition.players[0])
    return site().log.create(Start(edition, edition.setup(reading["side"], min(players, edition.players[-1]), 1)))


def _set_up(game: Game, reading: dict[str, Any], photo: str | None) -> None:
    """Let the game stand as the photo shows it: a person says so, so it is logged as a correction of each board."""
    table = game.start.edition.parse_table(reading)
    for board in reading["boards"]:
        if board["seat"] not in game.start.setup.seats:
            continue
        shown = _cells(game.start.edition, table.part(board["seat"]))
        cells = {name: value for name, value in shown if _is_possible(game, board["seat"], name, value)}
        if cells:
            game.append(correction(cells, board["seat"], say("as the photo shows")), device(), photo)
        _ask_score(game, reading, board, photo)


def _ask_score(game: Game, reading: dict[str, Any], board: dict[str, Any], photo: str | None) -> None:
    """Ask for a score that the photo does not tell for certain: it stays open until somebody answers."""
    doubt = next((doubt for doubt in board["doubts"] if doubt["cell"] == SCORE), None)
    if doubt is None or photo is None:
        return
    reads = {read: chance for read, chance in doubt["reads"].items() if read != UNSEEN}
    if not reads or UNSEEN in doubt["reads"]:
        possible = possible_scores(game.start.edition, reading, board["seat"])
        reads = {str(score): round(1 / len(possible), 4) for score in possible} | reads
    game.append(Doubt(f"{photo[:12]}-{board['seat']}-{SCORE}", reads, SCORE, board["seat"]), device(), photo)


def _cells(edition: Edition[Any, Any], part: Part) -> list[tuple[str, str | int]]:
    """What a photo shows of a seat, as corrections tell it."""
    found: list[tuple[str, str | int]] = [(name, kind) for name, kind in part.cells.items() if UNSEEN not in kind]
    heaps = ((name, kinds) for name, kinds in part.heaps.items() if not any(UNSEEN in kind for kind in kinds))
    found += [(name, edition.written(kinds)) for name, kinds in heaps]
    return found + [(name, number) for name, number in part.tracks.items() if number is not None]


def _is_possible(game: Game, seat: int, cell: str, value: str | int) -> bool:
    try:
        game.start.edition.correct(game.folded.state, {cell: value}, seat)
    except EngineError:
        return False
    return True
