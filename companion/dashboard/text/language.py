"""The languages that the dashboard speaks, chosen on each device."""

from __future__ import annotations

from typing import Any

from flask import Flask, request, session
from flask_babel import Babel

from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import locale, translations
from engine import Start, Text

LANGUAGES = {"en": "English", "ru": "Русский", "uk": "Українська"}


def speak(app: Flask) -> None:
    """Let the app speak the language of each device."""
    Babel(app, default_locale="en", default_timezone="UTC", locale_selector=_chosen)

    # Globals, since what templates import from each other sees no context.
    app.jinja_env.globals.update(told=told, told_move=told_move, player=player, languages=LANGUAGES)

    @app.context_processor
    def _language() -> dict[str, Any]:
        return {"language": locale()}


def _chosen() -> str:
    chosen = session.get("language") or site().settings.now.language
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def told(text: Text) -> str:
    """A sentence of the engine in the language of the device."""
    return text.render(translations())


def told_move(start: Start, text: Text) -> str:
    """A move as a sentence, with the player's name where the engine only knows a seat."""
    said = told(text)
    seat = dict(text.values).get("seat")
    if not start.names or not isinstance(seat, int) or not seat:
        return said
    # The translators of moves begin them with these very words.
    words = _("seat {seat}").format(seat=seat)
    return start.names[seat - 1] + said.removeprefix(words) if said.startswith(words) else said


def player(start: Start, seat: int) -> str:
    """A player's name, or the seat."""
    return start.names[seat - 1] if start.names else _("Seat %(seat)s", seat=seat)
