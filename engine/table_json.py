"""Reading a Table from JSON: what all editions have in common, values out of unknown JSON, each checked once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import TableError


def an_object(value: object, name: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise TableError(f"{name} must be a JSON object, not {value!r}")
    return value


def strings(value: object, count: int, name: str) -> tuple[str, ...]:
    """So many texts."""
    if not isinstance(value, list) or len(value) != count or not all(isinstance(part, str) for part in value):
        raise TableError(f"{name} must be {count} strings, not {value!r}")
    return tuple(value)


def letters_of(value: object, name: str, letters: str) -> str:
    """A text of certain letters."""
    if not isinstance(value, str) or set(value) - set(letters):
        raise TableError(f"{name} is written with the letters {letters}, not {value!r}")
    return value


def number(value: object, name: str, allowed: range) -> int:
    """A whole number in a range."""
    if type(value) is not int or value not in allowed:
        raise TableError(f"{name} must be a number from {allowed[0]} to {allowed[-1]}, not {value!r}")
    return value


def score_or_unknown(value: object, name: str) -> int | None:
    """A score, or None where it cannot be told."""
    return None if value is None else number(value, name, range(-1000, 1001))


def side_of(value: object, name: str, sides: tuple[str, ...]) -> str:
    """A side of the boards."""
    if value not in sides:
        raise TableError(f"{name} must be {' or '.join(sides)}, not {value!r}")
    return str(value)


def boards_of(table: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any]]]:
    """The boards of a Table with their seats, each seat once."""
    boards = table.get("boards")
    if not isinstance(boards, list) or len(boards) > 4:
        raise TableError("boards must be a list of at most four boards")
    objects = [an_object(board, "boards") for board in boards]
    seats = [number(board.get("seat", 1), "seat", range(1, 5)) for board in objects]
    if len(set(seats)) != len(seats):
        raise TableError(f"each seat has one board, but the seats are {seats}")
    return list(zip(seats, objects, strict=True))
