"""Table files: one JSON object, or one object a line as `azul read` prints them."""

from __future__ import annotations

import json
from typing import Any

from engine import Edition, TableError, load


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
