"""One name for one thing: a class of ours has its name to itself, and the page on the architecture names what exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "hardware", "companion", "models")
PAGE = ROOT / "docs" / "architecture.md"
# Each edition has its own state, board and moves by the same names, and the engine the protocol of a state.
EDITIONS = ROOT / "engine" / "editions"
SHARED = {"State", "Place", "Loose"}
"""Words of a game that something else is also called by: a move of Summer Pavilion, a network."""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_no_two_classes_have_one_name() -> None:
    found = defaultdict(list)
    for path in sources():
        if EDITIONS not in path.parents:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
