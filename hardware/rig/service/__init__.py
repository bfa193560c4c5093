"""The files that make the companion a service of systemd, known in the network by Avahi."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
GROUPS = ("video", "render", "gpio")
USER = "azul"
DATA = "var/lib/azul"


@dataclass(frozen=True, slots=True)
class Service:
    """What the service runs, where its dashboard is, and which of the groups there are."""

    command: tuple[str, ...]
    port: int
    groups: tuple[str, ...]


def service_files(service: Service) -> dict[str, str]:
    """Every file, by its path below the root."""
    values = {
        "{command}": " ".join(map(quoted, service.command)),
        "{port}": str(service.port),
        "{groups}": " ".join(service.groups),
    }
    return {
        "etc/systemd/system/azul.service": _filled("azul.service", values),
        "etc/systemd/journald@azul.conf": _filled("journald@azul.conf", values),
        "etc/avahi/services/azul.service": _filled("azul-avahi.service", values),
    }


def quoted(word: str) -> str:
    """A word of a command as systemd reads it, for which spaces, quotes, % and $ mean something."""
    if not word.isprintable():
        raise ValueError(f"{word!r} cannot be written in a unit")
    word = word.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w%$@:,./+=-]+", word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def known_groups(root: Path) -> tuple[str, ...]:
    """Which of the groups this system has: systemd refuses a unit that names another."""
    path = root / "etc/group"
    there = {line.split(":")[0] for line in path.read_text().splitlines()} if path.exists() else set()
    return tuple(group for group in GROUPS if group in there)


def _filled(name: str, values: dict[str, str]) -> str:
    text = (FOLDER / name).read_text(encoding="utf-8")
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return text
