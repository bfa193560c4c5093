"""What the one-line notations of all editions have in common."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, TypeVar

from engine.errors import NotationError
from engine.moves import Slip
from engine.state import Setup

NOTHING = "-"
Options = TypeVar("Options")


class Headed(Protocol):
    """What the first parts of a state's line tell, apart from its phase."""

    @property
    def setup(self) -> Setup[object]: ...

    @property
    def round(self) -> int: ...

    @property
    def starter(self) -> int: ...

    @property
    def marker(self) -> int: ...


def format_line(state: Headed, phase: str, parts: Iterable[str], options: Mapping[str, object]) -> str:
    """A state in one line: set-up, round, phase, starter and marker, its other parts, the options to be written."""
    setup = state.setup
    head = f"{setup.edition}:{setup.side}:{setup.players}:{setup.first} r{state.round} {phase}"
    written = [json.dumps(options, separators=(",", ":"))] if options else []
    return " ".join([head, f"s{state.starter}", f"m{state.marker}", *parts, *written])


def parse_line(
    text: str, editions: str, sides: str, parse_options: Callable[[dict[str, object], str], Options]
) -> tuple[Setup[Options], list[str]]:
    """The set-up of a line that `format_line` wrote, and all its parts; editions and sides as patterns."""
    words, brace, written = text.partition(" {")
    parts = words.split() or [""]
    edition, side, players, first = match_part(rf"({editions}):({sides}):([2-4]):([1-4])", parts[0], "set-up")
    try:
        options = json.loads("{" + written) if brace else {}
    except ValueError:
        raise NotationError(f"the options are JSON, not {'{' + written!r}") from None
    seat = seat_among(first, int(players), 1)
    return Setup(edition, side, int(players), seat, parse_options(options, side)), parts


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
