"""Profiles: what players enter once, kept by name."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from companion.cli import main

COLOURS = ["LB", "YE", "LG", "DG", "LP", "DP"]


def wheel(ids):
    entries = [{"kind": "colour" if str(i) in COLOURS else "pattern", "id": str(i), "points": 2} for i in ids]
    return {"wheel": {"name": "ours", "rounds": [entries[n : n + 3] for n in range(0, 12, 3)]}}


WHEEL = wheel([*COLOURS, 1, 2, 3, 4, 5, 6])


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("AZUL_DATA", str(tmp_path))
    return tmp_path


def azul(*args, stdin=None):
    result = CliRunner().invoke(main, list(args), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def add(name, options, *more):
    return azul("profile", "add", name, "-", "--edition", "queens-garden", *more, stdin=json.dumps(options))


def test_a_wheel_is_entered_once_and_scores_every_round_by_its_name():
    assert add("ours", WHEEL).exit_code == 0
    record = azul("play", "--profile", "ours", "--json", "--seed", "4").stdout
    assert json.loads(record.splitlines()[0])["options"]["wheel"]["name"] == "ours"
    replayed = azul("verify", "--json", "-", stdin=record)
    lines = [line for row in replayed.stdout.splitlines() for line in json.loads(row).get("lines", [])]
    assert replayed.exit_code == 0
    assert [line for line in lines if "ours" in line["text"] and line["points"] > 0]


def test_profiles_are_listed_shown_and_forgotten():
    add("ours", WHEEL)
    assert azul("profile", "list").stdout.startswith("ours  queens-garden, a: wheel")
    assert json.loads(azul("profile", "show", "ours").stdout) == WHEEL
    assert azul("profile", "remove", "ours").exit_code == 0
    assert azul("profile", "list").stdout == ""
    gone = azul("play", "--profile", "ours")
    assert gone.exit_code == 2
    assert "no profile is called ours" in gone.stderr


def test_a_category_that_comes_twice_is_odd_but_kept():
    added = add("odd", wheel([*COLOURS, 1, 2, 3, 4, 5, 5]))
    assert added.exit_code == 0
    assert added.stderr.count("odd, but kept") == 2


@pytest.mark.parametrize(
    "options",
    [
        {"wheel": {"rounds": WHEEL["wheel"]["rounds"][:3]}},
        {"wheel": {"rounds": [[{"kind": "colour", "id": "RED", "points": 1}] * 3] * 4}},
        {"wheels": {}},
        [],
    ],
    ids=["three rounds", "a colour of another game", "an unknown option", "a list"],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_lost(options):
    add("ours", WHEEL)
    refused = add("ours", options)
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1
    assert json.loads(azul("profile", "show", "ours").stdout) == WHEEL


@pytest.mark.parametrize("name", ["../ours", "a b", "", "x" * 41])
def test_a_name_is_no_path(name, own_folder):
    assert add(name, WHEEL).exit_code == 2
    assert not [path for path in own_folder.rglob("*") if path.is_file()]


def test_a_spoilt_profile_is_told_apart_from_a_missing_one(own_folder):
    add("ours", WHEEL)
    (own_folder / "profiles" / "ours.json").write_text("{")
    spoilt = azul("play", "--profile", "ours")
    assert spoilt.exit_code == 2
    assert "cannot be used" in spoilt.stderr


def test_the_flipped_joker_row_of_the_mini_is_a_profile_too():
    row = json.dumps({"jokerOrder": list("ORBYGP")})
    added = azul("profile", "add", "flipped", "-", "--edition", "summer-pavilion-mini", stdin=row)
    assert added.exit_code == 0
    start = json.loads(azul("play", "--profile", "flipped", "--json").stdout.splitlines()[0])
    assert (start["edition"], start["options"]["jokerOrder"]) == ("summer-pavilion-mini", list("ORBYGP"))
