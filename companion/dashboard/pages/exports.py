"""A game to take along: as JSON, CSV, a PDF score sheet, or a zip with its photos."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path

from flask import Blueprint, Response

from companion.dashboard.live.timeline import TimelineFrame, frames
from companion.dashboard.replies import page
from companion.dashboard.security.access import Role, needs
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player
from companion.dashboard.text.scoring import misfit, won
from companion.dashboard.text.words import gettext as _
from companion.gamelog import export_game
from companion.ledger import end_json
from companion.scores import standing_json
from engine.record import format_start

blueprint = Blueprint("exports", __name__)

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula."""


@blueprint.get("/game/<game>/export")
def choose(game: str) -> str:
    """What can be had."""
    return page("export.html", snapshot=site().book(game).read())


@blueprint.get("/game/<game>/export.json")
def as_json(game: str) -> Response:
    """The record's events, the scores and the end, in one object."""
    snapshot = site().book(game).read()
    folded = snapshot.folded
    standings = snapshot.ledger.until(folded.live)
    written = {
        "game": snapshot.game.id,
        "created_at": snapshot.game.created_at,
        "record": [format_start(snapshot.start), *folded.record_events()],
        "scores": [{"n": n} | standing_json(now) for n, now in zip(folded.live, standings, strict=True)],
        "end": end_json(folded, snapshot.ledger.last),
    }
    return _file(json.dumps(written, ensure_ascii=False, indent=1).encode(), "application/json", snapshot, "json")


@blueprint.get("/game/<game>/export.csv")
def as_csv(game: str) -> Response:
    """A line for every event: when, by whom, what, and the scores after it."""
    snapshot = site().book(game).read()
    seats = snapshot.folded.setup.seats
    text = io.StringIO()
    rows = csv.writer(text)
    names = [player(snapshot.start, seat) for seat in seats]
    rows.writerow(map(_plain, [_("event"), _("time"), _("round"), _("who"), _("what happened"), _("photo"), *names]))
    for frame in frames(snapshot):
        scores = [score.low if score.exact else str(score) for score in frame.standing.scores]
        cells = [
            frame.n,
            frame.entry.at,
            frame.round,
            frame.entry.who,
            _told(snapshot, frame),
            frame.entry.photo or "",
            *scores,
        ]
        rows.writerow([_plain(cell) if isinstance(cell, str) else cell for cell in cells])
    # The mark at the beginning lets spreadsheets read Cyrillic.
    return _file(text.getvalue().encode("utf-8-sig"), "text/csv", snapshot, "csv")


@blueprint.get("/game/<game>/export.pdf")
def as_pdf(game: str) -> Response:
    """A score sheet to print."""
    # Imported here, since it takes a tenth of a second and most visits print nothing.
    from companion.dashboard.sheet import score_sheet

    snapshot = site().book(game).read()
    return _file(score_sheet(snapshot), "application/pdf", snapshot, "pdf")


@blueprint.get("/game/<game>/export.zip")
@needs(Role.TABLE)
def as_zip(game: str) -> Response:
    """All of it, photos included, as `azul import` takes it."""
    snapshot = site().book(game).read()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.zip"
        export_game(snapshot.game, path)
        return _file(path.read_bytes(), "application/zip", snapshot, "zip")


def _told(snapshot: Snapshot, frame: TimelineFrame) -> str:
    """What happened, who has won, and which cubes do not fit."""
    said = [frame.said]
    if frame.standing.over:
        said.append(won(snapshot.start, frame.standing))
    for seat, score in enumerate(frame.standing.track, 1):
        if score.marker:
            said.append(f"{player(snapshot.start, seat)}: {misfit(score)}")
    return " · ".join(said)


def _file(data: bytes, kind: str, snapshot: Snapshot, ending: str) -> Response:
    """A file whose name has nothing in it that a person typed."""
    response = Response(data, mimetype=kind)
    name = f"azul-{snapshot.game.created_at[:10]}-{snapshot.game.id[:8]}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
