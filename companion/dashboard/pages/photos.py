"""Photos of the log, and parts of them, as small as they are shown."""

from __future__ import annotations

import re

import cv2
from flask import Blueprint, Response, abort, request

from companion.dashboard.security.access import Role, needs
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.reconcile.live.outcome import Box

blueprint = Blueprint("photos", __name__)

WIDTHS = range(40, 2401)
SHA256 = re.compile(r"[0-9a-f]{64}")
LARGEST_PX = 40_000
TURNS = range(360)


@blueprint.get("/picture/<sha256>")
def picture(sha256: str) -> Response:
    """A photo; its name is made of what is in it, so it never changes."""
    if not SHA256.fullmatch(sha256):
        abort(404)
    width = request.args.get("width", 1200, type=int)
    if width not in WIDTHS or not site().log.photos.path(sha256).exists():
        abort(404)
    turn = request.args.get("turn", 0, type=int)
    if turn not in TURNS:
        abort(404)
    response = Response(site().pictures.jpeg(sha256, width, _box(), turn), mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=604800, immutable"
    return response


@blueprint.get("/camera.jpg")
@needs(Role.TABLE)
def camera() -> Response:
    """What the camera sees now, small; for setting it up."""
    window = site().window
    if window is None or window.seen is None:
        abort(404, _("No camera looks at the table just now."))
    done, data = cv2.imencode(".jpg", window.seen.picture)
    return Response(data.tobytes() if done else b"", mimetype="image/jpeg")


def _box() -> Box | None:
    written = request.args.get("box")
    if written is None:
        return None
    try:
        left, top, width, height = (float(value) for value in written.split(","))
    except ValueError:
        abort(404)
    inside = all(abs(value) <= LARGEST_PX for value in (left, top, width, height))
    if not inside or width < 1 or height < 1:
        abort(404)
    return (left, top, width, height)
