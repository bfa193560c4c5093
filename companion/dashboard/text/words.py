"""Flask-Babel, which brings no types, behind functions that have them."""

from __future__ import annotations

from datetime import datetime

import flask_babel
from babel.core import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_time
from flask import request

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


def region() -> Locale:
    """The language of the device with the region that its browser names, by which dates and times are written."""
    language = flask_babel.get_locale()
    for value in request.accept_languages.values():
        try:
            found = Locale.parse(value, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
        if found.language == language.language:
            return found
    return Locale.parse(str(language))


def long_date(at: datetime) -> str:
    """A date with its time."""
    return format_datetime(at, "medium", locale=region())


def clock_time(at: datetime) -> str:
    """A time of the day."""
    return format_time(at, "medium", locale=region())
