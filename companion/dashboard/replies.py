"""Answers that work with and without scripts, and the door at which errors become clear sentences."""

from __future__ import annotations

import json
import logging
import re
from http import HTTPStatus

from flask import Flask, Response, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, SecurityError, TooManyRequests

from companion.capture.phone import PhoneError
from companion.dashboard.settings import SettingsError
from companion.dashboard.text.language import told_error
from companion.dashboard.text.words import gettext as _
from companion.gamelog import GameLogError
from companion.profiles import ProfileError
from engine.errors import EngineError
from engine.text import SpokenError
from hardware.errors import HardwareError
from vision.errors import VisionError

logger = logging.getLogger(__name__)

INSIDE = re.compile(r"/(?:[!-.0-\[\]-~][!-\[\]-~]*)?")
"""Browsers drop tabs and line breaks and take a backslash for a slash, and two slashes begin another site's name."""


def wants_part() -> bool:
    """Whether a script asked, which shows the answer inside the page."""
    return request.headers.get("HX-Request") == "true"


def page(template: str, **values: object) -> str:
    """A page, or for a script only the part of it that matters."""
    return render_template(template, layout="part.html" if wants_part() else "layout.html", **values)


def done(then: str, said: str = "", sheet: str = "") -> Response:
    """Something was done: a script stays where it is, tells what and may open a sheet; a browser goes on to a page."""
    if not wants_part():
        return make_response(redirect(then, HTTPStatus.SEE_OTHER))
    response = Response(status=HTTPStatus.NO_CONTENT)
    response.headers["HX-Trigger"] = json.dumps({"done": {"said": said, "sheet": sheet, "then": then}})
    return response


def go(then: str) -> Response:
    """Go on to another page, with and without scripts."""
    if not wants_part():
        return make_response(redirect(then, HTTPStatus.SEE_OTHER))
    response = Response(status=HTTPStatus.NO_CONTENT)
    response.headers["HX-Redirect"] = then
    return response


def inside(then: str) -> str:
    """A way to go on, if it stays on this site."""
    return then if INSIDE.fullmatch(then) else ""


def answer_errors(app: Flask) -> None:
    """Say what went wrong in one clear sentence."""

    @app.errorhandler(GameLogError)
    @app.errorhandler(PhoneError)
    @app.errorhandler(EngineError)
    def _conflict(error: SpokenError) -> Response:
        return _told(told_error(error.words), HTTPStatus.CONFLICT)

    @app.errorhandler(VisionError)
    @app.errorhandler(SettingsError)
    @app.errorhandler(ProfileError)
    @app.errorhandler(HardwareError)
    def _unusable(error: SpokenError) -> Response:
        return _told(told_error(error.words), HTTPStatus.UNPROCESSABLE_ENTITY)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            logger.error("%s %s failed: %s", request.method, request.path, error)
        response = _told(_sentence(error), code)
        if isinstance(error, TooManyRequests):
            response.headers["Retry-After"] = "60"
        return response


def _sentence(error: HTTPException) -> str:
    if isinstance(error, TooManyRequests):
        return _("That was tried too often. Wait a minute, then try again.")
    if isinstance(error, RequestEntityTooLarge):
        return _("That is too much data. Send fewer or smaller photos.")
    if isinstance(error, SecurityError):
        return _("The dashboard cannot be opened by this name. Use the address that it shows when it starts.")
    if error.code == HTTPStatus.NOT_FOUND and error.description == type(error).description:
        return _("Page not found. It may have been deleted, or the address is wrong.")
    return error.description or error.name


def _told(sentence: str, code: int) -> Response:
    """The sentence as a page, or for a script as plain text that it shows."""
    if wants_part():
        return Response(sentence, code, mimetype="text/plain")
    # Without a name that is trusted no address can be made, so such a page has no links.
    if request.routing_exception is not None and code == HTTPStatus.BAD_REQUEST:
        return Response(sentence, code, mimetype="text/plain")
    return make_response(render_template("error.html", layout="layout.html", sentence=sentence), code)
