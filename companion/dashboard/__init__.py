"""The dashboard: a Flask app over the game log. It reads the log and writes what people say into it, nothing else.

Read `site` (what it works with), `view` and `alerts` (what is shown), `pages` (where), `access` (to whom).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from flask import Flask

from companion.dashboard.drawing.helpers import add_shapes
from companion.dashboard.pages import BLUEPRINTS
from companion.dashboard.replies import answer_errors
from companion.dashboard.security.access import guard
from companion.dashboard.security.limits import MOST_FORM, MOST_PARTS, limiter
from companion.dashboard.site import Site
from companion.dashboard.text.asking import asked
from companion.dashboard.text.language import speak
from companion.dashboard.text.scoring import add_scoring

LOCAL = ("localhost", "127.0.0.1", "[::1]")
REMEMBERED = timedelta(days=90)


def create_app(site: Site, hosts: Sequence[str] = LOCAL) -> Flask:
    """The app over a site, for whoever calls it by one of these host names."""
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=site.keys.secret,
        TRUSTED_HOSTS=list(hosts),
        SESSION_COOKIE_NAME="azul",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=REMEMBERED,
        MAX_CONTENT_LENGTH=MOST_FORM,
        MAX_FORM_MEMORY_SIZE=MOST_FORM,
        MAX_FORM_PARTS=MOST_PARTS,
        RATELIMIT_STORAGE_URI="memory://",
    )
    app.extensions["site"] = site
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak(app)
    guard(app)
    limiter.init_app(app)
    answer_errors(app)
    add_shapes(app)
    add_scoring(app)
    app.jinja_env.globals["asked"] = asked
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
