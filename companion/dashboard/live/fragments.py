"""The parts of the table's page that change while one looks, rendered once for all who look in the same way."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice

from flask import current_app, render_template

from companion.dashboard.drawing.evidence import outlines, part_of
from companion.dashboard.live.alerts import advised, broken_moves, missed, question_groups, wrong_scores
from companion.dashboard.live.ending import ending
from companion.dashboard.live.view import TableView
from companion.dashboard.live.watched import Watched, kept_by_hand
from companion.dashboard.security.access import Role, role
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.announcements import tidings
from companion.dashboard.text.sentences import sentence
from companion.dashboard.text.words import region
from companion.gamelog import ACCEPTED, Doubt, Entry, GameLogError, PhotoRead, Redo, Undo
from companion.reconcile.live.outcome import Box
from vision.errors import PhotoError

PARTS = ("newer", "ending", "scores", "alerts", "middle", "photo", "said", "feed")
KEPT = 48
FED = 8
"""So many events are listed beside the table."""

_lock = threading.Lock()


def fragments(snapshot: Snapshot, wide: bool = False) -> dict[str, str]:
    """Each part as HTML, in the language of the device and with what it may do."""
    kept: OrderedDict[tuple[object, ...], dict[str, str]] = current_app.extensions.setdefault(
        "fragments", OrderedDict()
    )
    key = (snapshot.game.id, snapshot.last, site().watcher.newest, str(region()), role() >= Role.TABLE, wide)
    # One at a time: when something happens, everybody asks for the same.
    with _lock:
        if key not in kept:
            kept[key] = _render(snapshot, wide)
            while len(kept) > KEPT:
                kept.popitem(last=False)
        return kept[key]


def pulse(snapshot: Snapshot, watch: Watched, wide: bool = False) -> str:
    """How a game is watched now, as HTML; that changes without anything being logged, so it is not kept."""
    known = watch.other in site().watcher.games
    start = site().book(watch.other).game.start if known else None
    return render_template(
        "parts/pulse.html",
        snapshot=snapshot,
        watched=watch,
        wide=wide,
        other_names=", ".join(start.names) if start else "",
    ).strip()


def _part(snapshot: Snapshot) -> Box | None:
    """The part of the last photo that is shown; none where it cannot be read any more."""
    shown = snapshot.shown
    if shown is None or shown.photo is None or not isinstance(shown.event, PhotoRead) or not shown.event.reading:
        return None
    reading = shown.event.reading
    try:
        # To decode a photo only for its size would keep everybody waiting; older readings do not tell it.
        return part_of(reading, *(reading.get("size_px") or site().pictures.size(shown.photo)))
    except (GameLogError, PhotoError):
        return None


def _feed(snapshot: Snapshot) -> Iterator[tuple[Entry, str]]:
    """What happened, the latest first: all that counts, without photos and questions that are answered; a bridge is one
    line, and what a correction has put right is told by the correction alone."""
    folded = snapshot.folded
    left_out = {*folded.undone, *folded.bridge_of}
    for entry in reversed([*snapshot.entries.values()]):
        is_settled = isinstance(entry.event, Doubt) and entry.n not in folded.doubts
        if not isinstance(entry.event, PhotoRead | Undo | Redo) and entry.n not in left_out and not is_settled:
            yield entry, sentence(snapshot, entry)


def _render(snapshot: Snapshot, wide: bool) -> dict[str, str]:
    view = TableView(snapshot)
    shown = snapshot.shown.event if snapshot.shown else None
    values = {
        "snapshot": snapshot,
        "newest": site().watcher.newest,
        "ending": ending(snapshot),
        "view": view,
        "edition": snapshot.folded.edition,
        "broken": broken_moves(snapshot),
        "missed": missed(snapshot),
        "accepted": ACCEPTED,
        "groups": question_groups(snapshot),
        "wrong_scores": wrong_scores(snapshot),
        "advised": advised(snapshot),
        "may_end": view.may_end,
        "outlines": list(outlines(shown.reading)) if isinstance(shown, PhotoRead) and shown.reading else [],
        "part": _part(snapshot),
        "said": tidings(snapshot),
        "feed": list(islice(_feed(snapshot), FED)),
        "awaits_photo": not kept_by_hand(site(), snapshot.game.id),
        "wide": wide,
    }
    parts = {part: render_template(f"parts/{part}.html", **values).strip() for part in PARTS}
    # Each board by itself, since a move changes one of them.
    boards = {
        f"board-{place.seat}": render_template("parts/board.html", place=place, **values) for place in view.places
    }
    return parts | boards
