"""Table files: one JSON object, or one object a line as `azul read` prints them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine import Edition, Part, TableError, load


def parse_tables(data: bytes) -> list[dict[str, Any]]:
    """The Table objects of a file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError("a table is a JSON text; this is no text") from None
    try:
        tables = [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            tables = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise TableError("this is neither a JSON object nor one object a line") from None
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise TableError("a table is a JSON object")
    return tables


def edition_of(table: dict[str, Any], named: str | None) -> Edition[Any, Any]:
    """The edition that a table says, or that somebody names for it."""
    slug = named or table.get("edition")
    if not isinstance(slug, str):
        raise TableError("the table names no edition; name it with --edition")
    return load(slug)


def parts_of(table: Mapping[str, Any]) -> dict[int, Part]:
    """The boards that the JSON of a Table tells of, by their seats."""
    return {part.seat: part for part in edition_of(dict(table), None).parse_table(table).boards}


def places_of(table: Mapping[str, Any], edition: Edition[Any, Any]) -> Iterator[tuple[str, tuple[float, float]]]:
    """The names of the heaps of which there are several, as the JSON of a Table lists them, and where they lie."""
    for name, field in edition.heap_fields.items():
        for number, heap in enumerate(table.get(field) or (), 1):
            if place := heap.get("centre_px"):
                yield f"{name}.{number}", (place[0], place[1])
