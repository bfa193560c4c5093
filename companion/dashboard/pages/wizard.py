"""The first steps: language, edition, players, camera, lens, a test photo. Each may be skipped, and taken up later."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access import Role, needs, role
from companion.dashboard.advice import advice
from companion.dashboard.language import LANGUAGES
from companion.dashboard.pages.lens import shown as shown_of_lens
from companion.dashboard.replies import go, page
from companion.dashboard.site import site
from companion.dashboard.words import gettext as _
from companion.gamelog import Entry
from engine import Start, load, slugs
from engine.errors import EngineError
from engine.record import MAX_NAME

blueprint = Blueprint("wizard", __name__)

STEPS = ("language", "edition", "players", "camera", "lens", "ready")


@blueprint.get("/setup")
def begin() -> AnyResponse | str:
    """Where the set-up was left; who is not the host is asked for the PIN."""
    if role() < Role.HOST:
        return page("welcome.html")
    step = session.get("step")
    return redirect(url_for("wizard.step", step=step if step in STEPS else STEPS[0]))


@blueprint.get("/setup/<step>")
@needs(Role.HOST)
def step(step: str) -> str:
    """One step."""
    if step not in STEPS:
        abort(404)
    session["step"] = step
    values: dict[str, Any] = {"step": step, "steps": STEPS, "settings": site().settings.now, "next": _after(step)}
    editions = [load(slug) for slug in slugs()]
    last = _last_photo()
    size = site().pictures.size(last.photo) if last and last.photo else (0, 0)
    if step == "lens":
        values |= shown_of_lens()
    return page(
        f"setup/{step}.html", editions=editions, last=last, size=size, advice=advice, window=site().window, **values
    )


@blueprint.post("/setup/language")
@needs(Role.HOST)
def set_language() -> Response:
    """Choose the language of this device, and of those that have chosen none."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400, _("There is no such language here."))
    session["language"] = language
    site().settings.change(language=language)
    return go(url_for("wizard.step", step="edition"))


@blueprint.post("/setup/edition")
@needs(Role.HOST)
def set_edition() -> Response:
    """Choose what is played, and on which side."""
    slug, _dot, side = request.form.get("edition", "").partition(".")
    if slug not in slugs() or side not in load(slug).sides:
        abort(400, _("There is no such edition."))
    site().settings.change(edition=slug, side=side)
    return go(url_for("wizard.step", step="players"))


@blueprint.post("/setup/players")
@needs(Role.HOST)
def set_players() -> Response:
    """Say who sits where."""
    names = [" ".join(name.split())[:MAX_NAME] for name in request.form.getlist("name")]
    names = [name for name in names if name]
    edition = load(site().settings.now.edition)
    if len(names) not in edition.players:
        least, most = edition.players[0], edition.players[-1]
        abort(400, _("Name %(least)s to %(most)s players, clockwise.", least=least, most=most))
    site().settings.change(players=names)
    return go(url_for("wizard.step", step="camera"))


@blueprint.post("/setup/ready")
@needs(Role.HOST)
def start() -> Response:
    """Begin a game with what was chosen."""
    settings = site().settings.now
    edition = load(settings.edition)
    names = tuple(settings.players)
    first = request.form.get("first", 1, type=int)
    try:
        setup = edition.setup(settings.side, len(names) or edition.players[0], first)
    except EngineError as error:
        abort(400, str(error))
    game = site().log.create(Start(edition, setup, names))
    site().settings.change(wizard_done=True)
    if settings.by_phone:
        site().follow_by_phone(game.id)
    session.pop("step", None)
    site().watcher.poke()
    return go(url_for("table.show", game=game.id))


def _after(step: str) -> str:
    return STEPS[min(STEPS.index(step) + 1, len(STEPS) - 1)]


def _last_photo() -> Entry | None:
    """The last photo that was read in the newest game."""
    games = site().log.games()
    return site().book(games[0].id).read().shown if games else None
