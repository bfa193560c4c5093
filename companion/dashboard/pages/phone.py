"""Photos of phones as the camera of a game: the host chooses so, devices at the table send them."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.replies import done, go, inside, page
from companion.dashboard.security.access import Role, needs
from companion.dashboard.security.limits import ONE_PHOTO, UPLOADS, limiter, takes
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _

blueprint = Blueprint("phone", __name__)

CAMERAS = ("table", "phone", "hand")


@blueprint.post("/setup/camera")
@needs(Role.HOST)
def choose() -> Response:
    """Choose what follows games: the camera at the table, photos that phones send, or people who enter each move."""
    camera = request.form.get("camera")
    if camera not in CAMERAS:
        abort(400, _("There is no such camera."))
    by_phone = camera == "phone"
    site().settings.change(by_phone=by_phone, by_hand=camera == "hand")
    games = site().log.games()
    # The game of a simulated table can be seen by the simulated camera alone.
    newest = games[0].id if games and games[0].id != site().simulated else ""
    site().settings.change(hand_game=newest if camera == "hand" else "")
    if by_phone or site().phone.game:
        site().follow_by_phone(newest if by_phone else "")
    return go(inside(request.form.get("then", "")) or url_for("wizard.step", step="camera"))


@blueprint.post("/game/<game>/photo")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
@takes(ONE_PHOTO)
def send(game: str) -> Response:
    """Take in a photo of the table as it is now."""
    site().book(game)
    sent = request.files.get("photo")
    data = sent.read() if sent else b""
    if not data:
        abort(400, _("No photo came. Choose one, then try again."))
    decoded = site().pictures.decode(data, _("The photo"))
    site().phone.put(game, decoded.picture, decoded.focal_px)
    return done(url_for("table.show", game=game), _("The photo has come and is being read."))


@blueprint.get("/game/<game>/phone")
@needs(Role.TABLE)
def state(game: str) -> str:
    """What became of the last photo."""
    return page("parts/sent.html", phone=site().phone, snapshot=site().book(game).read())
