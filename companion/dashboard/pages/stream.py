"""Updates as they come: server-sent events, one stream for each page that is open."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from flask import Blueprint, Response, abort, request, stream_with_context

from companion.dashboard.live.fragments import fragments, pulse
from companion.dashboard.live.view import TableView
from companion.dashboard.live.watched import watched
from companion.dashboard.site import site
from companion.dashboard.snapshot import Book
from companion.dashboard.text.words import gettext as _

blueprint = Blueprint("stream", __name__)

HEARTBEAT_S = 10.0
"""Without one, a tab that was closed would hold its thread for ever."""
GLANCE_S = 1.0
"""How often to see whether anybody is still there."""
MOST_STREAMS = 100
"""The others of the server's threads stay free for pages and pictures."""

MOST_STREAMS_OF_ONE = 12
"""By one address."""

_lock = threading.Lock()
_open: Counter[str] = Counter()
"""How many streams each address has open."""


def open_streams() -> int:
    """How many streams hold a thread now."""
    return _open.total()


@blueprint.get("/game/<game>/stream")
def stream(game: str) -> Response:
    """The parts of a game's page that change, whenever something is logged."""
    book = site().book(game)
    address = request.remote_addr or ""
    if not _take_place(address):
        abort(503, _("Too many devices are watching. Close one and try again."))
    after = request.args.get("after", 0, type=int)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    updates = stream_with_context(_updates(book, after, request.args.get("wide") == "1", gone))
    response = Response(updates, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    # Runs also if the answer is never begun, which a generator's own end does not.
    response.call_on_close(partial(_give_back, address))
    return response


def _take_place(address: str) -> bool:
    with _lock:
        if _open.total() >= MOST_STREAMS or _open[address] >= MOST_STREAMS_OF_ONE:
            return False
        _open[address] += 1
        return True


def _give_back(address: str) -> None:
    with _lock:
        _open[address] -= 1
        if not _open[address]:
            del _open[address]


def _updates(book: Book, after: int, wide: bool, gone: Callable[[], bool]) -> Iterator[str]:
    watcher = site().watcher
    sent: dict[str, str] = {}
    newest, told = watcher.newest, None
    beaten = time.monotonic()
    yield "retry: 2000\n\n"
    while not watcher.is_closed and not gone():
        latest = watcher.wait(book.game.id, after, newest, GLANCE_S)
        if latest > after or watcher.newest != newest:
            newest = watcher.newest
            snapshot = book.read(latest)
            after = snapshot.last
            parts = fragments(snapshot, wide)
            new = {name: html for name, html in parts.items() if sent.get(name) != html}
            sent = parts
            # All at once: each piece that is handed over wakes the server's only sender.
            yield "".join(_event(name, html, after) for name, html in new.items())
            beaten = time.monotonic()
        snapshot = book.read(after)
        if (watch := watched(site(), book.game.id, TableView(snapshot).is_over)) != told:
            told = watch
            yield _event("pulse", pulse(snapshot, watch, wide), after)
            beaten = time.monotonic()
        elif time.monotonic() - beaten > HEARTBEAT_S:
            beaten = time.monotonic()
            yield ": still here\n\n"


def _event(name: str, html: str, n: int) -> str:
    lines = "".join(f"data: {line}\n" for line in html.splitlines())
    return f"id: {n}\nevent: {name}\n{lines or 'data: '}\n\n"
