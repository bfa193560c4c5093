"""Settings: what only the host may change."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, device, let_in, needs, note, role, role_of, visit
from companion.dashboard.security.audit import Audited
from companion.dashboard.security.visits import Visit
from companion.dashboard.settings import MOST_DAYS
from companion.dashboard.site import site
from companion.dashboard.text.language import LANGUAGES
from companion.dashboard.text.words import gettext as _
from companion.gamelog.trash import KEPT, bring_back, deleted_games, purge
from engine import load

blueprint = Blueprint("settings", __name__)


SHOWN = 50
"""Lines of the audit."""


@blueprint.get("/settings")
def show() -> str:
    """What this device has chosen, and for the host what everybody gets."""
    secrets: dict[str, Any] = {}
    if role() >= Role.HOST:
        secrets = {"pin": site().keys.pin, "deleted": deleted_games(site().log), "editions": load}
        secrets |= {"visits": _visits(), "here": visit(), "audited": site().audit.last(SHOWN), "told": _told}
    return page("settings.html", settings=site().settings.now, kept_days=KEPT.days, **secrets)


@blueprint.post("/settings")
@needs(Role.HOST)
def change() -> Response:
    """Change what everybody gets."""
    language, days = request.form.get("language", ""), request.form.get("keep_days", 0, type=int)
    if language not in ("", *LANGUAGES) or not 0 <= days <= MOST_DAYS:
        abort(400, _("Enter 1 to %(most)s days, or 0 to keep games for ever.", most=MOST_DAYS))
    site().settings.change(language=language, keep_days=days)
    return go(url_for("settings.show"))


@blueprint.post("/settings/token")
@needs(Role.HOST)
def new_token() -> Response:
    """Send everybody away who came by the table's code, and make a new one."""
    site().ring.new_token()
    note("new_token")
    return go(url_for("login.share_table"))


@blueprint.post("/settings/pin")
@needs(Role.HOST)
def new_pin() -> Response:
    """Make a new PIN; the other hosts have to enter it."""
    site().ring.new_pin()
    let_in("host", device())
    note("new_pin")
    return go(url_for("settings.show"))


@blueprint.post("/visits/<visit_id>/end")
@needs(Role.HOST)
def end_visit(visit_id: str) -> Response:
    """Send one device away."""
    known = site().visits.get(visit_id)
    if known is None:
        abort(404, _("This device is away already."))
    site().visits.end(visit_id)
    note("sent_away", known.device)
    return go(url_for("settings.show"))


def _visits() -> list[tuple[Visit, str]]:
    """The devices that may do something, and what."""
    names = {Role.TABLE: _("at the table"), Role.HOST: _("Host")}
    return [(each, names[held]) for each in site().visits.all() if (held := role_of(each)) in names]


def _told(done: Audited) -> str:
    """What was done, in words."""
    words = {
        "joined": _("came in by the table's code"),
        "pin_right": _("entered the PIN"),
        "pin_wrong": _("entered a wrong PIN"),
        "left": _("became a spectator again"),
        "sent_away": _("sent a device away"),
        "new_pin": _("made a new PIN"),
        "new_token": _("made a new code"),
        "deleted": _("deleted a game"),
        "brought_back": _("brought a deleted game back"),
        "purged": _("deleted a game for good"),
    }
    return words.get(done.what, done.what)


@blueprint.post("/game/<game>/delete")
@needs(Role.HOST)
def delete(game: str) -> Response:
    """Delete a game and its photos: at once for good, or after a while."""
    if request.form.get("sure") != "yes":
        abort(400, _("Tick the box to confirm."))
    note("deleted", site().book(game).game.id)
    site().forget(game, None if request.form.get("at_once") == "yes" else datetime.now(UTC))
    return go(url_for("review.games"))


@blueprint.post("/deleted/<name>/back")
@needs(Role.HOST)
def back(name: str) -> Response:
    """Bring a deleted game back."""
    game = bring_back(site().log, name)
    note("brought_back", game.id)
    site().watcher.poke()
    return go(url_for("table.show", game=game.id))


@blueprint.post("/deleted/<name>/purge")
@needs(Role.HOST)
def purge_one(name: str) -> Response:
    """Delete a deleted game for good."""
    purge(site().log, name)
    note("purged", name)
    return go(url_for("settings.show"))
