"""What the one-line notations of all editions have in common."""

from __future__ import annotations

import re

from engine.errors import NotationError
from engine.moves import Slip

NOTHING = "-"


def match_part(pattern: str, text: str, name: str) -> tuple[str, ...]:
    """The groups of a part of a notation."""
    match = re.fullmatch(pattern, text)
    if not match:
        raise NotationError(f"the {name} of a state cannot be {text!r}")
    return match.groups()


def only_letters(text: str, allowed: str, name: str) -> str:
    """A part written with certain letters, or with the sign for nothing."""
    text = "" if text == NOTHING else text
    if set(text) - set(allowed):
        raise NotationError(f"a {name} is written with {allowed}, not {text!r}")
    return text


def seat_among(text: str, players: int, least: int = 0) -> int:
    """A seat of so many players; 0 where nobody may be meant."""
    if not text.isdecimal() or not least <= int(text) <= players:
        raise NotationError(f"there is no seat {text} among {players} players")
    return int(text)


def format_slips(slips: tuple[Slip, ...]) -> str:
    """Slips as they follow a move: `!kind=TILES@at>to`."""
    written = ""
    for slip in slips:
        written += f"!{slip.kind}" + (f"={slip.tiles}" if slip.tiles else "")
        written += (f"@{slip.at}" if slip.at or slip.to else "") + (f">{slip.to}" if slip.to else "")
    return written


def parse_slip(text: str, letters: str) -> Slip:
    """A slip that `format_slips` wrote, without its exclamation mark."""
    match = re.fullmatch(rf"([a-z-]+)(?:=([{letters}]+))?(?:@([0-9]{{1,2}}))?(?:>([0-9]{{1,2}}))?", text)
    if not match:
        raise NotationError(f"a slip is written like kind=TILES@at>to, not {text!r}")
    return Slip(match[1], match[2] or "", int(match[3] or 0), int(match[4] or 0))
