"""What the players' own boards print, as far as it is entered: kept in the address of the page, so it needs no script.

A field is written `wheel.1.2:LB:2`: the option and the field, what is printed there, its points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.own_prints import Entered, PrintedField, Sheet

MOST_FIELDS = 60
"""More are not read from an address."""


@dataclass(frozen=True)
class AskedField:
    """A field of a sheet."""

    sheet: Sheet
    field: PrintedField

    @property
    def name(self) -> str:
        """Its name among the fields of all sheets."""
        return f"{self.sheet.option}.{self.field.name}"


@dataclass(frozen=True)
class Printing:
    """The fields of some sheets, and what is entered of them."""

    sheets: tuple[Sheet, ...]
    told: Mapping[str, Entered]
    """By the names of fields, in the order of the sheets."""

    @property
    def fields(self) -> list[AskedField]:
        """All fields, in the order in which they are asked for."""
        return [AskedField(sheet, field) for sheet in self.sheets for field in sheet.fields]

    @property
    def is_whole(self) -> bool:
        """Whether every field is entered."""
        return all(field.name in self.told for field in self.fields)

    def asked(self, name: str) -> AskedField | None:
        """The field of that name; of another name the next one that is not entered."""
        named = next((field for field in self.fields if field.name == name), None)
        return named or next((field for field in self.fields if field.name not in self.told), None)

    def written(self, without: str = "") -> list[str]:
        """What is entered, each field as a text."""
        return [f"{name}:{told.kind}:{told.points}" for name, told in self.told.items() if name != without]

    def then(self, name: str, entered: Entered) -> Printing:
        """With one more field; raises where it cannot print that."""
        asked = next(field for field in self.fields if field.name == name)
        told = {**self.told, name: asked.sheet.check(entered)}
        return Printing(self.sheets, {field.name: told[field.name] for field in self.fields if field.name in told})

    def begun(self, sheet: Sheet) -> bool:
        """Whether any field of a sheet is entered."""
        return any(f"{sheet.option}.{field.name}" in self.told for field in sheet.fields)

    def used(self, sheet: Sheet, but: str) -> set[str]:
        """The kinds that other fields of a sheet print."""
        mine = {f"{sheet.option}.{field.name}" for field in sheet.fields} - {but}
        return {told.kind for name, told in self.told.items() if name in mine and told.kind}

    def options(self, name: str) -> dict[str, Any]:
        """The options of a game on these boards, once every field is entered."""
        found = {}
        for sheet in self.sheets:
            told = {field.name: self.told[f"{sheet.option}.{field.name}"] for field in sheet.fields}
            found[sheet.option] = sheet.option_of(told, name)
        return found


def read_printing(sheets: tuple[Sheet, ...], texts: Iterable[str]) -> Printing:
    """What the fields of an address tell; what cannot be printed there is left out, to be entered anew."""
    printing = Printing(sheets, {})
    known = {field.name for field in printing.fields}
    for text in list(texts)[:MOST_FIELDS]:
        name, _, entered = text.partition(":")
        kind, _, points = entered.partition(":")
        try:
            printing = printing.then(name, Entered(kind, points)) if name in known else printing
        except EngineError:
            continue
    return printing
