"""Profiles: what players read off their own boards once, kept by name as options of an edition.

Some things are printed on boards that no rulebook spells out: the wheel of Queen's Garden, the flipped joker row of
Summer Pavilion Mini. Players enter them once; records carry the content, so they replay without the profile.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.files import data_dir, replace_file
from engine import EngineError, Text, load
from engine.text import say

NAME = re.compile(r"[\w-]{1,40}")


class ProfileError(CompanionError):
    """A profile that cannot be kept, found or used."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Named options of an edition and a side."""

    name: str
    edition: str
    side: str
    options: dict[str, Any]


def profiles_dir(data: Path | None = None) -> Path:
    """The folder in which profiles are kept, beside the games of a data folder."""
    return data_dir(data) / "profiles"


def check_profile(profile: Profile) -> list[Text]:
    """Refuse what cannot be used, and say what is odd about the rest."""
    edition = load(profile.edition)
    edition.setup(profile.side, edition.players[0], options=profile.options)
    return edition.option_warnings(profile.options)


def save_profile(profile: Profile, data: Path | None = None) -> Path:
    """Keep a profile; one of the same name is replaced at once or not at all."""
    if not NAME.fullmatch(profile.name):
        raise ProfileError(
            say("a profile's name is up to 40 letters, digits, - and _, not {name}", name=repr(profile.name))
        )
    # Commands about rules read profiles, and must not load the database for it.
    from companion.gamelog.errors import telling

    path = profiles_dir(data) / f"{profile.name}.json"
    written = {"edition": profile.edition, "side": profile.side, "options": profile.options}
    with telling(say("keeping {file}", file=path)):
        replace_file(path, (json.dumps(written, indent=1, ensure_ascii=False) + "\n").encode())
    return path


def load_profile(name: str, data: Path | None = None) -> Profile:
    """The profile of that name."""
    path = profiles_dir(data) / f"{name}.json"
    if not NAME.fullmatch(name) or not path.is_file():
        known = ", ".join(profile.name for profile in all_profiles(data)) or "-"
        raise ProfileError(
            say("no profile is called {name}; there are: {known}. `azul profile add` makes one", name=name, known=known)
        )
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
        profile = Profile(name, written["edition"], written["side"], written["options"])
        check_profile(profile)
    except (ValueError, KeyError, TypeError, EngineError) as error:
        raise ProfileError(
            say("the profile {path} cannot be used: {problem}; add it anew", path=str(path), problem=str(error))
        ) from error
    return profile


def all_profiles(data: Path | None = None) -> Iterator[Profile]:
    """Every profile that is kept."""
    for path in sorted(profiles_dir(data).glob("*.json")):
        yield load_profile(path.stem, data)


def remove_profile(name: str) -> None:
    """Forget a profile."""
    load_profile(name)
    (profiles_dir() / f"{name}.json").unlink()
