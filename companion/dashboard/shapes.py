"""Helpers that every template may use."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Flask, session, url_for

from companion.dashboard.access import Role, device, role
from companion.dashboard.boards import EMPTY, UNSEEN, Drawing, colour_of
from companion.dashboard.plain import plain
from companion.dashboard.sights import Sight
from companion.dashboard.words import clock_time, long_date, ngettext, translations
from companion.dashboard.words import gettext as _
from engine import Edition

LEAST_SHOWN = 0.005
NUMBERS = ("score", "round", "turn", "marker")
"""Cells that tell a number: a 1 there is no first-player marker."""
THEMES = ("auto", "light", "dark")


def add_shapes(app: Flask) -> None:
    """Make the helpers known to templates."""
    app.jinja_env.filters.update(signed=signed, when=when, clock=clock, hue=colour_of, percent=percent)
    app.jinja_env.globals.update(
        sight_url=sight_url, kind_name=kind_name, value_name=value_name, board_label=board_label
    )
    app.jinja_env.globals.update(cell_name=cell_name, plain=plain, side_name=side_name, round_name=round_name)

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
    """What a kind of tile is called."""
    words = {EMPTY: _("empty"), UNSEEN: _("cannot be seen"), "1": _("first-player marker"), "": _("empty")}
    if kind in words:
        return words[kind]
    text = edition.letters.get(kind)
    return text.render(translations()) if text else kind


def value_name(edition: Edition[Any, Any], cell: str, value: str) -> str:
    """What a cell holds: a number where it tells one, else a kind of tile."""
    return value if cell in NUMBERS else kind_name(edition, value)


def side_name(side: str) -> str:
    """What a side of the boards is called."""
    words = {"coloured": _("coloured side"), "grey": _("grey side"), "beige": _("beige side")}
    return words.get(side) or _("side %(letter)s", letter=side.upper())


def round_name(number: int) -> str:
    """A round by its number."""
    return _("Round %(number)s", number=number) if number else _("before the first round")


def cell_name(cell: str) -> str:
    """A cell in words."""
    match cell.split("."):
        case ["wall", row, column]:
            return _("wall, row %(row)s, column %(column)s", row=row, column=column)
        case ["line", row, place]:
            return _("line %(row)s, cell %(place)s", row=row, place=place)
        case ["line", row]:
            return _("line %(row)s", row=row)
        case ["wall", row]:
            return _("wall, row %(row)s", row=row)
        case ["floor", place]:
            return _("floor line, cell %(place)s", place=place)
        case ["floor"]:
            return _("floor line")
        case ["factory", disc]:
            return _("factory %(disc)s", disc=disc)
        case ["centre"]:
            return _("the centre")
        case ["bag"]:
            return _("the bag")
        case ["score"]:
            return _("score")
    return cell


def board_label(name: str, drawing: Drawing) -> str:
    """A board in words, for those who cannot see it."""
    tiles = [spot for spot in drawing.spots if spot.kind != EMPTY]
    listed = ", ".join(f"{cell_name(spot.name)}: {spot.kind}" for spot in tiles)
    count = ngettext("%(num)s tile", "%(num)s tiles", len(tiles))
    return _("Board of %(name)s, %(count)s. %(tiles)s", name=name, count=count, tiles=listed)
