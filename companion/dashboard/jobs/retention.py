"""Deleting what the host does not want to keep, unless the clock is not to be believed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.dashboard.security.audit import Audited
from companion.dashboard.site import Site
from companion.errors import CompanionError
from companion.files import replace_file
from companion.gamelog.trash import purge_old
from engine.errors import EngineError

SEEN = "last-sweep"
"""The file that holds when the clock was believed last."""
MOST_AHEAD, MOST_BACK = timedelta(days=60), timedelta(days=1)
"""A clock that went further since the last thing it dated is not believed."""

logger = logging.getLogger(__name__)


def sweep(site: Site) -> None:
    """Delete games that are older than the host wants to keep; what cannot be done is logged."""
    try:
        _sweep(site, datetime.now(UTC))
    except (CompanionError, EngineError, OSError) as error:
        logger.warning("%s", error)


def _sweep(site: Site, now: datetime) -> None:
    days, seen = site.settings.now.keep_days, site.log.folder / "dashboard" / SEEN
    if not any(now - MOST_AHEAD <= moment <= now + MOST_BACK for moment in _moments(site, seen)):
        if days and site.log.games():
            logger.warning("the clock says %s, which is far from what was logged last: nothing is deleted", now)
        return
    replace_file(seen, now.isoformat().encode())
    purge_old(site.log, now)
    oldest = now - timedelta(days=days)
    for game in site.log.games() if days else []:
        if datetime.fromisoformat(game.created_at).astimezone() < oldest:
            site.audit.note(Audited("deleted", about=game.id))
            site.forget(game.id, now)


def _moments(site: Site, seen: Path) -> Iterator[datetime]:
    """When the clock was right, as far as is known: at the last event that was written, and at the last sweep."""
    if written := site.log.last_written():
        yield datetime.fromisoformat(written).astimezone()
    with suppress(OSError, ValueError):
        yield datetime.fromisoformat(seen.read_text(encoding="utf-8")).astimezone()
