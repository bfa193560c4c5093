"""The languages that the dashboard speaks, chosen on each device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, request, session
from flask_babel import Babel

from companion.dashboard.site import site
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import locale, translations
from companion.reconcile.live.bridge import told_missed
from engine import Start, load, slugs
from engine.text import Names, Words, parse_words, render, say

LANGUAGES = {"en": "English", "ru": "Русский", "uk": "Українська"}


def speak(app: Flask) -> None:
    """Let the app speak the language of each device."""
    Babel(app, default_locale="en", default_timezone="UTC", locale_selector=_chosen)

    # Globals, since what templates import from each other sees no context.
    app.jinja_env.globals.update(
        told=told,
        told_move=told_move,
        told_error=told_error,
        told_gap=told_gap,
        told_json=told_json,
        player=player,
        languages=LANGUAGES,
    )

    @app.context_processor
    def _language() -> dict[str, Any]:
        return {"language": locale()}


def _chosen() -> str:
    chosen = session.get("language") or site().settings.now.language
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def told(words: Words) -> str:
    """A sentence of the program in the language of the device."""
    return render(words, translations(), Names(edition=_edition))


def told_move(start: Start, words: Words) -> str:
    """A sentence about a game, with the names of its players where they are known."""
    return render(words, translations(), Names(start.names, _edition))


def told_error(words: Words) -> str:
    """What went wrong, as a whole sentence in the language of the device."""
    said = told(words).strip()
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")


def told_gap(missed: int) -> str:
    """How many moves a bridge missed, as a whole sentence."""
    return told_error(told_missed(missed))


def told_bridge(missed: int) -> str:
    """What is said of a bridge in one sentence."""
    return told_error(say("{missed}; the game goes on from what lies on the table", missed=told_missed(missed)))


def told_json(written: Mapping[str, Any]) -> str:
    """The reason in a JSON object, as a whole sentence: old ones have it in English only, as `why` or `text`."""
    words = parse_words(written["said"]) if "said" in written else written.get("why") or written.get("text", "")
    return told_error(words)


def _edition(slug: str) -> str:
    return load(slug).name if slug in slugs() else slug


def player(start: Start, seat: int) -> str:
    """A player's name, or the seat."""
    return start.names[seat - 1] if start.names else _("Seat %(seat)s", seat=seat)
