"""The first steps: language, edition, players, camera, lens, a test photo. Each may be skipped, and taken up later."""

from __future__ import annotations

from typing import Any

import cv2
from flask import Blueprint, Response, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.drawing.evidence import outlines
from companion.dashboard.jobs.album import reading_turn
from companion.dashboard.pages.lens import shot
from companion.dashboard.pages.lens import shown as shown_of_lens
from companion.dashboard.pages.printing import STEP as BOARDS
from companion.dashboard.pages.printing import choices, chosen_profile, sheets_now
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, needs, role
from companion.dashboard.security.limits import UPLOADS, limiter
from companion.dashboard.site import TestShot, site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.advice import advice
from companion.dashboard.text.language import LANGUAGES, told_error
from companion.dashboard.text.words import gettext as _
from companion.pipeline import read_picture, readable_editions, why_unreadable
from engine import Start, load, slugs
from engine.errors import EngineError
from engine.record import MAX_NAME
from engine.text import Words
from hardware.camera import shrink
from vision.errors import VisionError

blueprint = Blueprint("wizard", __name__)

SHOWN_PX = 1000
STEPS = ("language", "edition", BOARDS, "players", "camera", "lens", "ready")


@blueprint.get("/setup")
def begin() -> AnyResponse | str:
    """Where the set-up was left; who is not the host is asked for the PIN."""
    if role() < Role.HOST:
        return page("welcome.html")
    step = session.get("step")
    return redirect(url_for("wizard.step", step=step if step in _steps() else STEPS[0]))


@blueprint.get("/setup/<step>")
@needs(Role.HOST)
def step(step: str) -> str:
    """One step."""
    if step not in _steps():
        abort(404)
    session["step"] = step
    values: dict[str, Any] = {"step": step, "steps": _steps(), "settings": site().settings.now, "next": _after(step)}
    editions = [load(slug) for slug in slugs()]
    if step == "lens":
        values |= shown_of_lens()
    if step in (BOARDS, STEPS[-1]):
        values |= choices()
    if step == "camera":
        values |= _tested()
    values["readable"] = readable_editions()
    values["under_way"] = _under_way()
    return page(f"setup/{step}.html", editions=editions, window=site().window, **values)


@blueprint.post("/setup/language")
@needs(Role.HOST)
def set_language() -> Response:
    """Choose the language of this device; other devices keep theirs."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400, _("There is no such language here."))
    session["language"] = language
    return go(url_for("wizard.step", step="edition"))


@blueprint.post("/setup/edition")
@needs(Role.HOST)
def set_edition() -> Response:
    """Choose what is played, and on which side."""
    slug, _dot, side = request.form.get("edition", "").partition(".")
    if slug not in slugs() or side not in load(slug).sides:
        abort(400, _("There is no such edition."))
    now = site().settings.now
    profile = now.profile if (slug, side) == (now.edition, now.side) else ""
    site().settings.change(edition=slug, side=side, profile=profile)
    return go(url_for("wizard.step", step=_after("edition")))


@blueprint.post("/setup/camera/test")
@needs(Role.HOST)
@limiter.limit(UPLOADS)
def test_shot() -> Response:
    """Have the camera take a picture, and read it."""
    frame, edition = shot(), site().settings.now.edition
    try:
        with reading_turn:
            reading = read_picture(frame.picture, site().networks(), edition, focal_px=frame.focal_px).table
        problem: Words = ""
    except VisionError as error:
        reading, problem = None, error.words
    height, width = frame.picture.shape[:2]
    small = shrink(frame.picture, SHOWN_PX)
    site().test_shot = TestShot(cv2.imencode(".jpg", small)[1].tobytes(), reading, (width, height), problem)
    return go(url_for("wizard.step", step="camera"))


@blueprint.get("/setup/test.jpg")
@needs(Role.HOST)
def test_picture() -> Response:
    """The picture of the test."""
    taken = site().test_shot
    if taken is None:
        abort(404)
    return Response(taken.jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


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
    first, profile = request.form.get("first", 1, type=int), chosen_profile()
    try:
        setup = edition.setup(
            settings.side, len(names) or edition.players[0], first, profile.options if profile else None
        )
    except EngineError as error:
        abort(400, told_error(error.words))
    game = site().log.create(Start(edition, setup, names))
    site().settings.change(wizard_done=True)
    if settings.by_hand or why_unreadable(settings.edition):
        site().settings.change(hand_game=game.id)
    elif settings.by_phone:
        site().follow_by_phone(game.id)
    session.pop("step", None)
    site().watcher.poke()
    return go(url_for("table.show", game=game.id))


def _under_way() -> Snapshot | None:
    """The newest game, if it is not over yet."""
    games = site().log.games()
    newest = site().book(games[0].id).read() if games else None
    return newest if newest and not newest.ledger.last.over else None


def _steps() -> tuple[str, ...]:
    """The steps; boards of which all is known need none."""
    return tuple(step for step in STEPS if step != BOARDS or sheets_now())


def _after(step: str) -> str:
    steps = _steps()
    return steps[min(steps.index(step) + 1, len(steps) - 1)]


def _tested() -> dict[str, Any]:
    """The test photo with what was read in it, and what could be better."""
    taken = site().test_shot
    if taken is None:
        return {"taken": None}
    reading, (width, height) = taken.reading, taken.size_px
    found = advice(reading, width, height, len(site().settings.now.players)) if reading else [told_error(taken.problem)]
    return {"taken": taken, "advice": found, "outlines": list(outlines(reading)) if reading else []}
