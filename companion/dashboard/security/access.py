"""Who may do what: spectators look, devices with the table's token correct, the host's PIN changes settings."""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import IntEnum
from ipaddress import ip_address
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request, session
from flask.sessions import SecureCookieSessionInterface

from companion.dashboard.security.audit import Audited
from companion.dashboard.security.visits import Visit
from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _

P = ParamSpec("P")
R = TypeVar("R")

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PROXIED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers that a proxy adds."""
MAX_DEVICE = 40
"""Letters of a device's name."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), camera=()",
}


class Role(IntEnum):
    """What a device may do; each may do what those below may."""

    SPECTATOR = 0
    TABLE = 1
    HOST = 2


def role() -> Role:
    """What the device that asks may do."""
    shown = role_of(visit())
    return Role.TABLE if shown is Role.SPECTATOR and _is_on_this_machine() else shown


def visit() -> Visit | None:
    """The device that asks, if it was let in."""
    return site().visits.get(session.get("visit"))


def role_of(visit: Visit | None) -> Role:
    """What a device may do by the keys that it has shown, if they are still the keys."""
    keys, marks = site().keys, visit.marks if visit else {}
    if marks.get("host") == keys.mark("host"):
        return Role.HOST
    return Role.TABLE if marks.get("table") == keys.mark("table") else Role.SPECTATOR


def _is_on_this_machine() -> bool:
    """Whether a browser on this machine asks, and browsers here are at the table unless they have left it.

    Behind a proxy everybody seems to be on this machine, so nobody is.
    """
    if not site().own_browser or session.get("left") or any(name in request.headers for name in PROXIED):
        return False
    name = urlsplit(f"//{request.host}").hostname
    asks = request.remote_addr
    return name in LOOPBACK and asks is not None and ip_address(asks).is_loopback


def needs(least: Role) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A page for devices that may do at least this."""

    def wrap(view: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            if role() < least:
                abort(403, _needed(least))
            return view(*args, **kwargs)

        return guarded

    return wrap


def let_in(kind: str, name: str) -> None:
    """Remember that this device, of that name, showed the token (`table`) or the PIN (`host`)."""
    mark, address = site().keys.mark(kind), request.remote_addr or ""
    session["visit"] = site().visits.let_in(visit(), kind, mark, name, address).id
    session["device"] = name
    session.pop("left", None)
    session.permanent = True


def note(what: str, about: str = "") -> None:
    """Write down who did that now."""
    site().audit.note(Audited(what, device(), request.remote_addr or "", about))


def device() -> str:
    """What the log calls this device."""
    name = session.get("device")
    return name if isinstance(name, str) and name else "dashboard"


class Sessions(SecureCookieSessionInterface):
    """Sessions in signed cookies, which browsers send only encrypted where they came encrypted."""

    def get_cookie_secure(self, app: Flask) -> bool:  # noqa: ARG002 - Flask's signature
        """Whether this request came encrypted."""
        return request.is_secure


def guard(app: Flask) -> None:
    """Refuse what other sites' pages send, and tell browsers to be strict."""
    app.session_interface = Sessions()

    @app.before_request
    def _same_origin() -> None:
        if request.method not in SAFE_METHODS and not _is_ours(request.headers.get("Origin")):
            abort(403, _("This was sent by another site's page, so nothing was changed. Open the dashboard itself."))

    @app.after_request
    def _strict(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _is_ours(origin: str | None) -> bool:
    """Whether a page of this very address sent it: every browser says so when it changes something."""
    return origin in (f"http://{request.host}", f"https://{request.host}")


def _needed(least: Role) -> str:
    if least is Role.HOST:
        return _("Only the host may do this. Enter the host's PIN first.")
    return _("Only a device at the table may do this. Scan the table's code first.")
