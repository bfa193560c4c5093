"""Games that were played: all of them, and one frame by frame."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.drawing.crops import Sight
from companion.dashboard.drawing.helpers import when
from companion.dashboard.live.alerts import photo_sight
from companion.dashboard.live.timeline import TimelineFrame, by_round, drawings, frames, numbered
from companion.dashboard.live.view import TableView
from companion.dashboard.pages.reread import unread
from companion.dashboard.replies import done, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.statistics import statistics
from companion.dashboard.text.language import player
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Game, Title
from engine.record import MAX_NAME

blueprint = Blueprint("review", __name__)

LISTED = 24
"""So many games are listed at once."""


@blueprint.get("/games")
def games() -> str:
    """Games, the newest first: all, or those that are searched for, some at a time."""
    asked = request.args.get("q", "").strip()[:MAX_NAME]
    found = [game for game in site().log.games() if not asked or _fits(game, asked)]
    first = max(request.args.get("from", 0, type=int), 0)
    views = [TableView(site().book(game.id).read()) for game in found[first : first + LISTED]]
    cards = [(view, _thumbnail(view.snapshot)) for view in views]
    later = first + LISTED if len(found) > first + LISTED else None
    return page("games.html", cards=cards, asked=asked, later=later, count=len(found))


@blueprint.get("/statistics")
def totals() -> str:
    """What players did over all games."""
    snapshots = [site().book(game.id).read() for game in reversed(site().log.games())]
    return page("statistics.html", totals=statistics(snapshots))


@blueprint.post("/game/<game>/title")
@needs(Role.TABLE)
def entitle(game: str) -> Response:
    """Give a game a name."""
    name = " ".join(request.form.get("name", "").split())[:MAX_NAME]
    if not name:
        abort(400, _("Type a name for the game."))
    site().book(game).game.append(Title(name), device())
    return done(url_for("review.review", game=game), _("Name saved."))


def _fits(game: Game, asked: str) -> bool:
    """Whether a game's name, players, edition or day has all words that are searched for."""
    start = game.start
    title = site().book(game.id).read().folded.title
    text = " ".join([title, *start.names, start.edition.name, when(game.created_at), game.created_at[:10]])
    return all(word in text.casefold() for word in asked.casefold().split())


def _thumbnail(snapshot: Snapshot) -> Sight | None:
    """The last photo of a game, without the table around."""
    return photo_sight(snapshot, snapshot.shown.photo) if snapshot.shown else None


@blueprint.get("/game/<game>/review")
def review(game: str) -> str:
    """One game as a row of frames; `event` or `at` tells with which one to begin."""
    snapshot = site().book(game).read()
    row = frames(snapshot)
    at = _moment(row)
    values: dict[str, Any] = {
        "snapshot": snapshot,
        "frames": row,
        "at": at,
        "rounds": by_round(row),
        "moves": [(number, [*group]) for number, group in groupby(_told(row), key=itemgetter(0))],
        "result": snapshot.ledger.last,
        "has_bridges": any(frame.bridged for frame in row),
        "is_open": any(frame.standing.intervals for frame in row),
        "unread": unread(snapshot),
    }
    return page("review.html", **values, **_shown(snapshot, row, at))


def _told(row: list[TimelineFrame]) -> list[tuple[int, int, TimelineFrame]]:
    """Every frame with its round and its place in the row."""
    return [(number, at, frame) for at, (number, frame) in enumerate(numbered(row), 1)]


def _moment(row: list[TimelineFrame]) -> int:
    """Which frame the address asks for; the last one where it names none."""
    event = request.args.get("event", type=int)
    if event is not None:
        return next((at for at, frame in enumerate(row, 1) if frame.n >= event), max(len(row), 1))
    return min(max(request.args.get("at", len(row), type=int), 1), max(len(row), 1))


@blueprint.get("/game/<game>/frame/<int:at>")
def frame(game: str, at: int) -> str:
    """One frame, for the slider."""
    snapshot = site().book(game).read()
    row = frames(snapshot)
    if not 0 < at <= len(row):
        abort(404, _("There is no such moment in this game."))
    return page("parts/frame.html", snapshot=snapshot, frames=row, at=at, **_shown(snapshot, row, at))


@blueprint.get("/game/<game>/scores.json")
def scores(game: str) -> dict[str, Any]:
    """The scores after every frame, for the plot: null where one is open, and then how low and how high it can be."""
    snapshot = site().book(game).read()
    row = frames(snapshot)
    seats = snapshot.folded.setup.seats
    return {
        "frames": list(range(1, len(row) + 1)),
        "players": [player(snapshot.start, seat) for seat in seats],
        "scores": [[frame.standing.scores[seat - 1].value for frame in row] for seat in seats],
        "low": [[frame.standing.scores[seat - 1].low for frame in row] for seat in seats],
        "high": [[frame.standing.scores[seat - 1].high for frame in row] for seat in seats],
        "violations": [at for at, frame in enumerate(row, 1) if frame.violations],
        "corrections": [at for at, frame in enumerate(row, 1) if frame.corrected],
        "bridges": [at for at, frame in enumerate(row, 1) if frame.bridged],
    }


def _shown(snapshot: Snapshot, row: list[TimelineFrame], at: int) -> dict[str, Any]:
    if not row:
        return {"frame": None, "boards": [], "sights": []}
    frame = row[at - 1]
    after = _sight(snapshot, frame)
    before = _sight(snapshot, row[at - 2]) if at > 1 else None
    if frame.bridged:
        before = photo_sight(snapshot, frame.bridged.before)
    sights = [(_("before"), before), (_("after"), after)] if before and before != after else [("", after)]
    shown = [(name, sight) for name, sight in sights if sight]
    return {"frame": frame, "boards": drawings(snapshot, frame), "sights": shown}


def _sight(snapshot: Snapshot, frame: TimelineFrame) -> Sight | None:
    """The photo of a moment, without the table around the game where it is known where that lies."""
    entry = snapshot.photo_of(frame.n)
    return photo_sight(snapshot, entry.photo) if entry else None
