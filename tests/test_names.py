"""One name for one thing: each class has a name of its own, and the page on the architecture names what exists."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "hardware", "companion", "models")
FOLDERS = (*PACKAGES, "tests")
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


def test_every_module_that_the_architecture_names_exists() -> None:
    files = {str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] in FOLDERS}
    named = re.findall(r"`([\w/]+\.py)`", PAGE.read_text(encoding="utf-8"))
    assert named
    assert sorted(name for name in set(named) if not any(f"/{file}".endswith(f"/{name}") for file in files)) == []


def test_every_table_of_the_architecture_names_modules_of_its_package() -> None:
    lost, package = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"\| module of `([\w/]+)`", line):
            package = heading[1]
        elif not line.startswith("|"):
            package = ""
        elif package:
            named = re.findall(r"`([\w/]+\.py)`", line.split("|")[1])
            lost += [f"{package}/{name}" for name in named if not (ROOT / package / name).is_file()]
    assert lost == []
