"""A game from a folder of photos."""

from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.jobs.album import MOST_PHOTOS, Album
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, needs
from companion.dashboard.security.limits import MANY_PHOTOS, UPLOADS, limiter, takes
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.photolog.reading import Work
from engine.record import MAX_NAME

blueprint = Blueprint("album", __name__)

MOST_ALBUMS = 5
"""Kept in memory, the oldest forgotten first."""


@blueprint.get("/games/photos")
@needs(Role.TABLE)
def choose() -> str:
    """Choose photos."""
    return page("album.html")


@blueprint.post("/games/photos")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
@takes(MANY_PHOTOS)
def upload() -> Response:
    """Begin to read the photos of a game."""
    works = [Work(_("Photo %(number)s", number=i), sent.read()) for i, sent in enumerate(_sent(), 1)]
    names = tuple(
        " ".join(name.split())[:MAX_NAME] for name in request.form.get("players", "").split(",") if name.strip()
    )
    album = Album(works, names)
    albums = site().albums
    while len(albums) >= MOST_ALBUMS:
        del albums[next(iter(albums))]
    number = secrets.token_hex(16)
    albums[number] = album
    album.start(site().log, site().pictures, site().networks())
    return go(url_for("album.show", number=number))


@blueprint.get("/games/photos/<number>")
@needs(Role.TABLE)
def show(number: str) -> str:
    """How far the reading is."""
    album = site().albums.get(number)
    if album is None:
        abort(404, _("These photos are no longer kept. Send them again."))
    return page("album_progress.html", album=album, number=number)


def _sent() -> list[Any]:
    sent = [each for each in request.files.getlist("photos") if each.filename]
    if not 0 < len(sent) <= MOST_PHOTOS:
        abort(400, _("Send 1 to %(most)s photos.", most=MOST_PHOTOS))
    return sent
