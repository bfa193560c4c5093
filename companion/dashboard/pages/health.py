"""How the machine is: camera, disk, temperature, networks, versions, what went wrong last."""

from __future__ import annotations

import json
import platform
import shutil
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flask import Blueprint, Response

from companion.dashboard.recent_errors import troubles
from companion.dashboard.replies import page
from companion.dashboard.security.access import Role, needs
from companion.dashboard.site import site
from companion.gamelog.events import now
from companion.pipeline import networks_name

blueprint = Blueprint("health", __name__)

PACKAGES = ("azul-companion", "flask", "waitress", "numpy", "onnxruntime", "opencv-python-headless", "pillow")
THERMOMETER = Path("/sys/class/thermal/thermal_zone0/temp")
SCARCE = 2**30
"""Bytes of free disk below which there is cause to worry."""


@blueprint.get("/health")
def show() -> str:
    """How the machine is."""
    return page("health.html", health=health(), scarce=SCARCE)


@blueprint.get("/health/report.json")
@needs(Role.HOST)
def report() -> Response:
    """The same to be sent to whoever helps; it holds no name, no photo and no key."""
    data = json.dumps(health() | {"at": now()}, indent=1, ensure_ascii=False)
    response = Response(data, mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="azul-health.json"'
    return response


def health() -> dict[str, Any]:
    """What is known of the machine."""
    disk = shutil.disk_usage(site().log.folder)
    window = site().window
    return {
        "camera": window is not None,
        "by_phone": bool(site().phone.game),
        "frame_age_s": round(time.monotonic() - window.seen_at, 1) if window and window.seen_at else None,
        "camera_trouble": window.trouble() if window else "",
        "photo_age_s": _photo_age_s(),
        "games": len(site().log.games()),
        "disk_free": disk.free,
        "disk_total": disk.total,
        "temperature_c": _temperature_c(),
        "model": networks_name(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
        "troubles": troubles(),
    }


def _photo_age_s() -> float | None:
    """Seconds since the last photo of the newest game was logged."""
    games = site().log.games()
    shown = site().book(games[0].id).read().shown if games else None
    return round((datetime.now(UTC) - datetime.fromisoformat(shown.at)).total_seconds(), 1) if shown else None


def _temperature_c() -> float | None:
    """Of the processor, where the system tells it."""
    try:
        return int(THERMOMETER.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None
