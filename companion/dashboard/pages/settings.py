"""Settings: what only the host may change."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, let_in, needs, role
from companion.dashboard.site import site
from companion.dashboard.text.language import LANGUAGES
from companion.dashboard.text.words import gettext as _

blueprint = Blueprint("settings", __name__)

MOST_DAYS = 3650


@blueprint.get("/settings")
def show() -> str:
    """What this device has chosen, and for the host what everybody gets."""
    return page("settings.html", settings=site().settings.now, pin=site().keys.pin if role() >= Role.HOST else "")


@blueprint.post("/settings")
@needs(Role.HOST)
def change() -> Response:
    """Change what everybody gets."""
    language, days = request.form.get("language", ""), request.form.get("keep_days", 0, type=int)
    if language not in ("", *LANGUAGES) or not 0 <= days <= MOST_DAYS:
        abort(400, _("Games are kept from 1 to %(most)s days, or for ever with 0.", most=MOST_DAYS))
    site().settings.change(language=language, keep_days=days)
    return go(url_for("settings.show"))


@blueprint.post("/settings/token")
@needs(Role.HOST)
def new_token() -> Response:
    """Send everybody away who came by the table's code, and make a new one."""
    site().ring.new_token()
    return go(url_for("login.share_table"))


@blueprint.post("/settings/pin")
@needs(Role.HOST)
def new_pin() -> Response:
    """Make a new PIN; the other hosts have to enter it."""
    site().ring.new_pin()
    let_in("host")
    return go(url_for("settings.show"))


@blueprint.post("/game/<game>/delete")
@needs(Role.HOST)
def delete(game: str) -> Response:
    """Delete a game and its photos, for good."""
    if request.form.get("sure") != "yes":
        abort(400, _("Tick the box to say that you are sure."))
    site().forget(game)
    return go(url_for("review.games"))
