"""What a game is stands in its edition's folder alone: no other module names a zone, a heap or a phase of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from engine import FILL, OVER, load, slugs
from engine.layout import ROLES

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "hardware", "models", "companion")
DRAWINGS = ("engine/editions", "hardware/tabletop", "models/training/trace.py")
"""Editions and what draws them: drawings and their places on the simulated table have words of their own."""
OF_ALL = {"score", "round"}
"""Words of the language of the table that every edition may use."""
LEAST_LETTERS = 3
"""Shorter names, such as those of single cells, are no words."""


def names_of_games() -> set[str]:
    """The names of zones, heaps and cells of all editions, without numbers."""
    found: set[str] = set()
    for slug in slugs():
        layout = load(slug).layout
        found |= {zone.name.partition(".")[0] for zone in layout.zones}
        found |= {heap.name for heap in layout.heaps} | {cell.name.partition(".")[0] for cell in layout}
    return {name for name in found - OF_ALL - ROLES.keys() if len(name) >= LEAST_LETTERS}


def phases_of_games() -> set[str]:
    """The phases that games of all editions go through, but for those that every game has."""
    found: set[str] = set()
    for slug in slugs():
        edition = load(slug)
        state = edition.start(edition.setup(edition.sides[0], edition.players[0]))
        found.add(state.phase)
    return found - {FILL, OVER}


def texts_in(path: Path) -> Iterator[str]:
    """Every text constant of a module, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def test_no_module_outside_editions_names_a_zone_a_heap_or_a_phase_of_a_game() -> None:
    names = names_of_games() | phases_of_games()
    found = [
        f"{path.relative_to(ROOT)}: {text!r}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not path.relative_to(ROOT).as_posix().startswith(DRAWINGS)
        for text in texts_in(path)
        if text.partition(".")[0] in names and " " not in text
    ]
    assert found == []
