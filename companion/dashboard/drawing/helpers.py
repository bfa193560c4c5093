"""Helpers that every template may use."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Flask, session, url_for

from companion.dashboard.drawing.boards import BoardDrawing
from companion.dashboard.drawing.crops import Sight
from companion.dashboard.drawing.faces import chip_of, chip_size, face_of
from companion.dashboard.security.access import Role, device, role
from companion.dashboard.text.language import player
from companion.dashboard.text.words import clock_time, long_date, ngettext, translations
from companion.dashboard.text.words import gettext as _
from engine import Edition, Start
from engine.layout import PRINT
from engine.table import EMPTY, MARKER, UNSEEN

LEAST_SHOWN = 0.005
SEATS = ("turn", "marker")
"""What corrections tell by the number of a seat."""
THEMES = ("auto", "light", "dark")


def add_shapes(app: Flask) -> None:
    """Make the helpers known to templates."""
    app.jinja_env.filters.update(
        signed=signed, when=when, clock=clock, face=face_of, chip=chip_of, chip_size=chip_size, percent=percent
    )
    app.jinja_env.globals.update(
        sight_url=sight_url, kind_name=kind_name, value_name=value_name, board_label=board_label
    )
    app.jinja_env.globals.update(cell_name=cell_name, side_name=side_name, round_name=round_name)
    app.jinja_env.globals.update(shared_label=shared_label, piece_name=piece_name, lying_name=lying_name)

    @app.context_processor
    def _who() -> dict[str, Any]:
        now = role()
        theme = session.get("theme")
        return {
            "may_correct": now >= Role.TABLE,
            "is_host": now >= Role.HOST,
            "device_name": device(),
            "theme": theme if theme in THEMES else "auto",
        }


def signed(points: int) -> str:
    """Points with their sign, a real minus among them."""
    return f"−{-points}" if points < 0 else f"+{points}"


def percent(chance: float) -> str:
    """A chance as people read it; what is not certain is not called so."""
    if 0 < chance < LEAST_SHOWN:
        return "< 1 %"
    if 1 - LEAST_SHOWN < chance < 1:
        return "> 99 %"
    return f"{100 * chance:.0f} %"


def when(at: str) -> str:
    """A moment of the log as a date and a time."""
    return long_date(datetime.fromisoformat(at).astimezone())


def clock(at: str) -> str:
    """A moment of the log as a time of the day."""
    return clock_time(datetime.fromisoformat(at).astimezone())


def sight_url(sight: Sight, width: int = 360) -> str:
    """Where a part of a photo can be had."""
    box = ",".join(f"{value:.0f}" for value in sight.box) if sight.box else None
    return url_for("photos.picture", sha256=sight.photo, width=width, box=box, turn=sight.turn or None)


def kind_name(edition: Edition[Any, Any], kind: str) -> str:
    """What a kind of piece is called."""
    words = {EMPTY: _("empty"), UNSEEN: _("cannot be seen"), MARKER: _("first-player marker"), "": _("empty")}
    return words.get(kind) or edition.name_of(kind).render(translations())


def piece_name(edition: Edition[Any, Any], kind: str) -> str:
    """What a kind of piece is called, and the letters on it where they are more than one: for what can be tapped."""
    code = face_of(kind).label
    return f"{kind_name(edition, kind)} {code}" if len(code) > 1 else kind_name(edition, kind)


def value_name(edition: Edition[Any, Any], cell: str, value: str) -> str:
    """What a cell, a heap or a number is said to be: a number, or the kinds of pieces that lie there."""
    if is_number(edition, cell):
        return value
    # Where kinds have several letters, spaces stand between them; heaps of single letters are told by their letters.
    kinds = value.split() if " " in value or value in edition.kinds(cell) else [value]
    return ", ".join(kind_name(edition, kind) for kind in kinds or [""])


def lying_name(edition: Edition[Any, Any], place: str, written: str) -> str:
    """What lies in a cell, or in a heap as corrections write it: by letters, where kinds have one each."""
    if place in {cell.name for cell in edition.layout} or " " in written:
        return value_name(edition, place, written)
    kinds = written if all(letter in edition.letters or letter == MARKER for letter in written) else [written]
    return ", ".join(kind_name(edition, kind) for kind in kinds) or kind_name(edition, "")


def is_number(edition: Edition[Any, Any], name: str) -> bool:
    """Whether a correction of this name tells a number: a 1 there is no first-player marker."""
    told = {*edition.layout.numbers, *(track.tells for track in edition.layout.tracks)}
    return name in {*SEATS, "round", *(edition.corrected_as.get(each, each) for each in told)}


def side_name(side: str) -> str:
    """What a side of the boards is called."""
    words = {"coloured": _("coloured side"), "grey": _("grey side"), "beige": _("beige side")}
    return words.get(side) or _("side %(letter)s", letter=side.upper())


def round_name(number: int) -> str:
    """A round by its number."""
    return _("Round %(number)s", number=number) if number else _("before the first round")


def cell_name(edition: Edition[Any, Any], cell: str) -> str:
    """A cell, a row of cells, a heap or a number in words."""
    return edition.place_name(cell).render(translations())


def board_label(name: str, drawing: BoardDrawing) -> str:
    """A board in words, for those who cannot see it."""
    edition = drawing.edition
    tiles = [spot for spot in drawing.spots if spot.kind != EMPTY and spot.role != PRINT]
    listed = ", ".join(f"{cell_name(edition, spot.name)}: {spot.kind}" for spot in tiles)
    count = ngettext("%(num)s tile", "%(num)s tiles", len(tiles))
    return _("Board of %(name)s, %(count)s. %(tiles)s", name=name, count=count, tiles=listed)


def shared_label(start: Start, drawing: BoardDrawing) -> str:
    """A board that belongs to all in words: its tiles, and where the marks of everybody stand."""
    edition = drawing.edition
    said = [
        f"{cell_name(edition, spot.name)}: {spot.kind}"
        for spot in drawing.spots
        if spot.kind != EMPTY and spot.role != PRINT
    ]
    for run in drawing.runs:
        track = cell_name(edition, run.name)
        said += [f"{player(start, mark.seat)}, {track}: {mark.number}" for mark in run.marks if mark.seat]
        said += [f"{track}: {mark.number}" for mark in run.marks if not mark.seat]
    return _("Board in the middle. %(tiles)s", tiles=", ".join(said))
