"""Flask-Babel, which brings no types, behind functions that have them."""

from __future__ import annotations

from datetime import datetime

import flask_babel

from engine.text import Translations


def gettext(message: str, **values: object) -> str:
    """A sentence in the language of the device."""
    return str(flask_babel.gettext(message, **values))


def ngettext(one: str, many: str, num: int, **values: object) -> str:
    """A sentence about so many things, in the language of the device."""
    return str(flask_babel.ngettext(one, many, num, **values))


def locale() -> str:
    """The language of the device."""
    return str(flask_babel.get_locale())


def translations() -> Translations:
    """The catalogue of the device's language."""
    found: Translations = flask_babel.get_translations()
    return found


def long_date(at: datetime) -> str:
    """A date with its time."""
    return str(flask_babel.format_datetime(at, "medium", rebase=False))


def clock_time(at: datetime) -> str:
    """A time of the day."""
    return str(flask_babel.format_time(at, "medium", rebase=False))
