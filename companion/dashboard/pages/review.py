"""Games that were played: all of them, and one frame by frame."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request

from companion.dashboard.drawing.crops import Sight
from companion.dashboard.live.alerts import photo_sight
from companion.dashboard.live.timeline import TimelineFrame, by_round, drawings, frames
from companion.dashboard.live.view import TableView
from companion.dashboard.pages.reread import unread
from companion.dashboard.replies import page
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player
from companion.dashboard.text.words import gettext as _

blueprint = Blueprint("review", __name__)


@blueprint.get("/games")
def games() -> str:
    """Every game, the newest first."""
    views = [TableView(site().book(game.id).read()) for game in site().log.games()]
    return page("games.html", views=views)


@blueprint.get("/game/<game>/review")
def review(game: str) -> str:
    """One game as a row of frames."""
    snapshot = site().book(game).read()
    row = frames(snapshot)
    at = request.args.get("at", len(row), type=int)
    at = min(max(at, 1), max(len(row), 1))
    values: dict[str, Any] = {
        "snapshot": snapshot,
        "frames": row,
        "at": at,
        "rounds": by_round(row),
        "result": snapshot.ledger.last,
        "has_bridges": any(frame.bridged for frame in row),
        "is_open": any(frame.standing.intervals for frame in row),
        "unread": unread(snapshot),
    }
    return page("review.html", **values, **_shown(snapshot, row, at))


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
