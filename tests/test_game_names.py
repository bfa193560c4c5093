"""What a game is stands in its edition's folder alone: nothing else names a zone, a heap, a colour or a phase."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.lab.play import play_game, play_randomly
from engine import FILL, OVER, Edition, load, slugs
from engine.layout import ROLES

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "vision", "hardware", "models", "companion")
DRAWINGS = ("engine/editions", "hardware/tabletop", "models/training/trace.py")
"""Editions and what draws them: drawings and their places on the simulated table have words of their own."""
OF_ALL = {"score", "round"}
"""Words of the language of the table that every edition may use."""
LEAST_LETTERS = 3
"""Shorter names, such as those of single cells and letters of kinds, are no words."""
ENDINGS = (".py", ".html", ".js", ".css")
NO_COLOURS = {"with", "light", "dark", "plant"}
"""Words in the names of kinds that tell none of them."""
EXCEPT = {
    "engine/layout.py": {"count": "a key of layouts"},
    "engine/text.py": {"count": "a value of sentences"},
    "vision/photo.py": {"white": "what lies below a picture that is seen through"},
    "hardware/cameras/light.py": {"white": "a balance of colours"},
    "companion/cli/commands/bench_vision.py": {"count": "how many pictures"},
    "companion/cli/commands/completion.py": {"shell": "what runs commands"},
    "companion/cli/commands/doctor.py": dict.fromkeys(("green", "yellow", "red"), "ink of a terminal"),
    "companion/cli/verdict.py": {"bonus": "points of the end, in JSON"},
    "companion/dashboard/drawing/card.py": {"white": "an ink"},
    "companion/dashboard/pages/photo.py": {"draft": "a photo that is not kept yet", "place": "a cell, heap or number"},
    "companion/dashboard/pages/table.py": {"place": "where a player sits"},
    "companion/dashboard/static/look.css": {
        "place": "where a player sits",
        "stack": "things one below the other",
        "count": "how many there are of a kind",
    },
    "companion/dashboard/static/review.js": {"slider": "a control of the page"},
    "companion/dashboard/templates/draft.html": {
        "draft": "a photo that is not kept yet",
        "place": "a cell, heap or number",
        "corner": "where a board ends",
    },
    "companion/dashboard/templates/draft_place.html": {
        "draft": "a photo that is not kept yet",
        "place": "a cell, heap or number",
    },
    "companion/dashboard/templates/parts/board.html": {"place": "where a player sits"},
    "companion/dashboard/templates/parts/drawing.html": {"line": "points with their reason"},
    "companion/dashboard/templates/parts/drawn.html": {"count": "how many there are of a kind"},
    "companion/dashboard/templates/parts/scores.html": {"place": "where a player stands"},
    "companion/dashboard/templates/proposals.html": {"stack": "things one below the other"},
    "companion/dashboard/templates/review.html": {"slider": "a control of the page", "place": "where a player stands"},
    "companion/dashboard/templates/settings.html": {"stack": "things one below the other"},
    "companion/dashboard/templates/statistics.html": {
        "place": "where a player stands",
        "stack": "things one below the other",
    },
    "companion/dashboard/templates/table.html": {"place": "where a player sits"},
    "companion/dashboard/templates/tv.html": {"place": "where a player sits"},
    "companion/lab/fuzz.py": {"wall": "a key of tables, to be damaged"},
}
"""Where such a word means something else, and what."""


def places_of(edition: Edition[Any, Any]) -> Iterator[str]:
    """The names of zones, heaps and cells, without numbers."""
    layout = edition.layout
    for named in (*layout.zones, *layout.heaps, *layout):
        yield named.name.partition(".")[0]


def phases_of(edition: Edition[Any, Any]) -> Iterator[str]:
    """The phases that a game by chance goes through on each side, those between a move and what it implies too."""
    for side in edition.sides:
        setup = edition.setup(side, edition.players[0])
        state = edition.start(setup)
        for move in play_game(edition, setup, play_randomly, random.Random(1), 3):
            after = edition.apply(state, move)
            yield from (state.phase, after.phase)
            state = edition.settle(after)


def colours_of(edition: Edition[Any, Any]) -> Iterator[str]:
    """What kinds of pieces are called in English, and the words of that."""
    for kind in edition.letters:
        told = str(edition.name_of(kind))
        yield from (told, *told.split())


@cache
def names() -> frozenset[str]:
    """Every word that belongs to games alone."""
    found: set[str] = set()
    for edition in map(load, slugs()):
        found |= {*places_of(edition), *phases_of(edition), *colours_of(edition)}
    found -= OF_ALL | ROLES.keys() | {FILL, OVER} | NO_COLOURS
    return frozenset(name for name in found if len(name) >= LEAST_LETTERS)


def texts_in(path: Path) -> Iterator[str]:
    """Every text that stands in a file as a value: constants of Python without docstrings, what is quoted elsewhere and
    is no sentence to translate, and the names that style sheets select by."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        source = re.sub(r"gettext\([^)]*\)|\b_\((\"[^\"]*\"|'[^']*')", "", source)
        yield from (one or other for one, other in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", source))
        yield from re.findall(r"[.#]([a-z][\w-]*)", source) if path.suffix == ".css" else ()
        return
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def words_in(path: Path) -> Iterator[str]:
    """The names among these texts. Sentences for people are none in Python; elsewhere a text may be a list of names."""
    for text in texts_in(path):
        listed = text.split() if path.suffix != ".py" or not text.strip().count(" ") else [text]
        yield from (re.split(r"[.:=-]", word.strip())[0] for word in listed)
        yield from re.findall(r"[.#=]\"?([a-z]+)", text) if path.suffix in (".js", ".css") else ()


def files() -> list[Path]:
    found = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*")) if path.suffix in ENDINGS]
    local = [path for path in found if not path.relative_to(ROOT).as_posix().startswith(DRAWINGS)]
    return [path for path in local if "vendor" not in path.parts]


def test_nothing_outside_editions_names_a_zone_a_heap_a_colour_or_a_phase_of_a_game() -> None:
    found = {(path.relative_to(ROOT).as_posix(), word) for path in files() for word in words_in(path)}
    excepted = {(path, word) for path, words in EXCEPT.items() for word in words}
    assert sorted(each for each in found - excepted if each[1] in names()) == []
    assert excepted <= found, "an exception that is not needed any more"


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", 'cell = f"wall.{row}.1"'),
        ("a.py", 'if state.phase == "tile":\n    pass'),
        ("a.py", 'if state.phase == "place":\n    pass'),
        ("a.py", 'inks = {"blue": 1}'),
        ("a.html", "{% if heap == 'centre' %}"),
        ("a.html", '<i class="small factory">'),
        ("a.js", 'document.querySelector("[data-x=y] .star-1")'),
        ("a.css", ".wall { color: inherit }"),
        ("a.css", '[data-heap="basket"] { color: inherit }'),
    ],
)
def test_such_a_name_is_found(name: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(source, encoding="utf-8")
    assert names() & {*words_in(path)}
