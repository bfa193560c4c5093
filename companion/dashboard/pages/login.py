"""Coming in: the table's code, the host's PIN, and what a device has chosen for itself."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, session, url_for
from werkzeug.exceptions import TooManyRequests

from companion.dashboard.drawing.helpers import THEMES
from companion.dashboard.qr_codes import qr
from companion.dashboard.replies import go, inside, page
from companion.dashboard.security.access import MAX_DEVICE, Role, let_in, needs, note, visit
from companion.dashboard.security.keys import same
from companion.dashboard.security.limits import JOINS, PIN_TRIES, limiter, sender, sender_kind
from companion.dashboard.site import site
from companion.dashboard.text.language import LANGUAGES
from companion.dashboard.text.words import gettext as _

blueprint = Blueprint("login", __name__)


@blueprint.get("/join/<token>")
@limiter.limit(JOINS)
def join(token: str) -> str:
    """What the table's code opens: a device says what it is called, and may correct from then on."""
    _check_token(token)
    return page("join.html", token=token)


@blueprint.post("/join")
@limiter.limit(JOINS)
def joined() -> Response:
    """Let a device correct."""
    _check_token(request.form.get("token", ""))
    let_in("table", " ".join(request.form.get("device", "").split())[:MAX_DEVICE])
    note("joined")
    return go(url_for("table.home"))


@blueprint.get("/host")
def host() -> str:
    """Ask for the host's PIN."""
    return page("host.html", then=inside(request.args.get("then", "")))


@blueprint.post("/host")
@limiter.limit(PIN_TRIES, key_func=sender)
def hosted() -> Response:
    """Let the host change settings."""
    kind = sender_kind()
    if site().tries.are_too_many(kind):
        raise TooManyRequests
    if not same(request.form.get("pin", "").strip(), site().keys.pin):
        site().tries.note(kind)
        note("pin_wrong")
        abort(403, _("That is not the PIN. It is shown where the companion was started."))
    let_in("host", session.get("device") or _("Host"))
    note("pin_right")
    return go(inside(request.form.get("then", "")) or url_for("settings.show"))


@blueprint.post("/leave")
def leave() -> Response:
    """Become a spectator again."""
    if here := visit():
        site().visits.end(here.id)
        note("left")
    session.pop("visit", None)
    session["left"] = True
    return go(url_for("table.home"))


@blueprint.post("/device")
def device() -> Response:
    """Choose the language and the look of this device."""
    language, theme = request.form.get("language"), request.form.get("theme")
    if language in LANGUAGES:
        session["language"] = language
    if theme in THEMES:
        session["theme"] = theme
    session.permanent = True
    return go(inside(request.form.get("then", "")) or url_for("table.home"))


@blueprint.get("/share")
def share() -> str:
    """Codes for spectators and a TV; for those who may correct also the table's."""
    home = f"{site().address or request.host_url.rstrip('/')}"
    return page("share.html", home=home + "/", tv=home + url_for("table.newest_tv"), qr=qr)


@blueprint.get("/share/table")
@needs(Role.TABLE)
def share_table() -> str:
    """The code that lets another device correct."""
    home = site().address or request.host_url.rstrip("/")
    return page("share_table.html", link=home + url_for("login.join", token=site().keys.token), qr=qr)


def _check_token(token: str) -> None:
    if not same(token, site().keys.token):
        abort(403, _("This code is not valid any more. Scan the one that the table shows now."))
