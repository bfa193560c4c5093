"""How often one device may try what should not be tried often, and how much it may send."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from flask import Flask, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.exceptions import HTTPException

from companion.dashboard.security.access import Role, role, visit
from vision.photo import MOST_BYTES

P = ParamSpec("P")
R = TypeVar("R")

limiter = Limiter(get_remote_address, headers_enabled=True)

PIN_TRIES = "5 per minute; 20 per hour"
"""By one sender; `security.tries` bounds all of a kind together."""
JOINS = "20 per minute"
UPLOADS = "30 per minute"

MOST_FORM = 128 * 2**10
"""Bytes of a request that sends no photo."""
MOST_PARTS = 500
ONE_PHOTO = MOST_BYTES + MOST_FORM
MANY_PHOTOS = 300 * 2**20
"""Bytes of a folder of photos from a phone."""
MOST_BODY = "most_body"
"""The attribute of a page that takes more than a form; functools.wraps hands it on."""


def sender() -> str:
    """Who asks, for limits: a device that was let in by itself, others by their address."""
    known = visit()
    return known.id if known else get_remote_address()


def sender_kind() -> str:
    """Of which kind the device is that asks: one that has been the host's, one of the table, or a stranger's."""
    known = visit()
    if known and "host" in known.marks:
        return "host"
    return "stranger" if role() is Role.SPECTATOR else "table"


def takes(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A page to which devices of the table may send so many bytes."""

    def wrap(view: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(view)
        def taking(*args: P.args, **kwargs: P.kwargs) -> R:
            request.max_content_length = most
            return view(*args, **kwargs)

        vars(taking)[MOST_BODY] = most
        return taking

    return wrap


def most_body(app: Flask, environ: dict[str, Any]) -> int:
    """How many bytes the sender of a request may send, by its head alone."""
    with app.request_context(environ), suppress(HTTPException):
        view = app.view_functions.get(request.endpoint or "")
        if role() >= Role.TABLE:
            return int(getattr(view, MOST_BODY, MOST_FORM))
    return MOST_FORM
