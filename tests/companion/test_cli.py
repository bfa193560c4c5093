"""The command `azul` as people and programs call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli import main
from engine import load, slugs

TABLE = {
    "edition": "azul",
    "side": "coloured",
    "boards": [
        {
            "seat": 1,
            "lines": ["W", "..", "RRR", "...Y", "...KK"],
            "wall": ["B....", "...R.", "K....", "..WB.", "...W."],
            "floor": "KY",
            "score": 11,
        }
    ],
}


def azul(*args: object, stdin: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def json_lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A complete two-player game."""
    path = tmp_path / "game.jsonl"
    path.write_text(azul("play", "--json", "--seed", 3).stdout, encoding="utf-8")
    return path


@pytest.fixture
def broken(record: Path) -> tuple[Path, int]:
    """The same game with one take by the wrong seat, and the number of that event."""
    lines = record.read_text(encoding="utf-8").splitlines()
    n = next(n for n, line in enumerate(lines, 1) if json.loads(line)["event"] == "take" and n > 20)
    event = json.loads(lines[n - 1])
    event |= {"seat": 3 - event["seat"], "line": 0}
    lines[n - 1] = json.dumps(event)
    record.write_text("\n".join(lines), encoding="utf-8")
    return record, n


def test_the_installed_command_runs(record: Path) -> None:
    command = Path(sys.executable).with_name("azul")
    done = subprocess.run([command, "verify", "--json", record], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "final" in json.loads(done.stdout.splitlines()[-1])


def test_verify_prints_a_line_per_event_and_the_end(record: Path) -> None:
    result = azul("verify", "--json", record)
    *steps, end = json_lines(result)
    assert result.exit_code == 0
    assert [step["n"] for step in steps] == list(range(1, len(record.read_text().splitlines()) + 1))
    assert all(step["ok"] for step in steps)
    bonuses = [sum(line["points"] for line in seat["lines"]) for seat in end["breakdown"]]
    assert end["final"] == [score + bonus for score, bonus in zip(steps[-1]["scores"], bonuses, strict=True)]
    assert end["winners"]


def test_verify_names_the_broken_event_and_goes_on(broken: tuple[Path, int]) -> None:
    path, n = broken
    result = azul("verify", "--json", path)
    steps = [line for line in json_lines(result) if "n" in line]
    assert result.exit_code == 1
    first = next(step for step in steps if not step["ok"])
    assert (first["n"], [v["rule"] for v in first["violations"]]) == (n, ["AZ-DR-07"])
    assert len(steps) > n
    told = azul("verify", path)
    assert told.exit_code == 1
    assert f"event {n}: AZ-DR-07" in told.stdout


def test_verify_takes_several_files_and_standard_input(broken: tuple[Path, int]) -> None:
    path, _ = broken
    result = azul("verify", "--json", path, "-", stdin=azul("play", "--json").stdout_bytes)
    assert result.exit_code == 1
    assert [line["record"] for line in json_lines(result) if "record" in line] == [str(path), "-"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"hello",
        b"[]",
        b"{}",
        b'{"event":"fill","factories":[]}',
        b'{"event":"start"}',
        b'{"event":"start","edition":"chess","side":"coloured","players":2,"first":1}',
        b'{"event":"start","edition":"../azul","side":"coloured","players":2,"first":1}',
        b'{"event":"start","edition":"azul","side":"blue","players":2,"first":1}',
        b'{"event":"start","edition":"azul","side":"coloured","players":5,"first":1}',
        b'{"event":"start","edition":"azul","side":"coloured","players":true,"first":1}',
        b'{"event":"start","edition":"azul","side":"coloured","players":["A",""],"first":1}',
        b'{"event":"start","edition":"azul","side":"coloured","players":2,"first":3}',
        b'{"event":"start","edition":"azul","side":"coloured","players":2,"first":1,"colour":"B"}',
        b'{"event":"start","edition":"azul","side":"coloured","players":2,"first":1,"options":{"floor":1}}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_record_gets_one_clear_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(data)
    result = azul("verify", "--json", path)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"azul: {path} is not a record: ")
    assert result.stderr.count("\n") == 1


@given(data=st.binary(max_size=300))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_break_verify_or_check(data: bytes) -> None:
    for name in ("verify", "check"):
        result = azul(name, "--json", "-", stdin=data)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1


def test_missing_files_are_said_and_the_others_still_read(record: Path, tmp_path: Path) -> None:
    result = azul("verify", tmp_path / "none.jsonl", record)
    assert result.exit_code == 2
    assert "none.jsonl cannot be read" in result.stderr
    assert "all legal" in result.stdout


def test_check_says_what_each_board_would_score(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TABLE, indent=1))
    result = azul("check", "--json", path)
    (said,) = json_lines(result)
    (board,) = said["boards"]
    assert (result.exit_code, said["violations"]) == (0, [])
    assert [line["points"] for line in board["round"]["lines"]] == [1, 1, -2]
    assert (board["round"]["points"], board["bonus"]["points"], board["unseen"]) == (0, 0, [])
    assert "if the round ended now +0" in azul("check", path).stdout


def test_check_flags_what_is_visibly_broken(tmp_path: Path) -> None:
    path = tmp_path / "tables.jsonl"
    mixed = json.loads(json.dumps(TABLE))
    mixed["boards"][0]["lines"][4] = "...RK"
    path.write_text(json.dumps(TABLE) + "\n" + json.dumps(mixed) + "\n")
    result = azul("check", "--json", path)
    good, bad = json_lines(result)
    assert result.exit_code == 1
    assert good["violations"] == []
    assert [(v["rule"], v["cell"]) for v in bad["violations"]] == [("AZ-PL-03", "line.5")]


@pytest.mark.parametrize(
    "table",
    [
        [],
        7,
        {"edition": "azul"},
        {"boards": []},
        {"edition": "azul", "boards": [{"wall": 1}]},
        {"photo": "x", "error": "no board"},
    ],
)
def test_what_is_no_table_gets_one_clear_line(tmp_path: Path, table: object) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(table))
    result = azul("check", path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"azul: {path} is not a table: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("slug", slugs())
def test_every_edition_plays_shows_and_verifies(slug: str, tmp_path: Path) -> None:
    edition = load(slug)
    for side in edition.sides:
        for players in edition.players:
            made = azul(
                "play", "--edition", slug, "--side", side, "--players", players, "--policy", "random", "--out", tmp_path
            )
            path = Path(made.stdout.strip())
            assert azul("verify", path).exit_code == 0
            table = azul("show", path, "--json").stdout
            assert azul("check", "-", stdin=table.encode()).exit_code == 0
            notation = azul("show", path, "--at", 9).stdout.splitlines()[0]
            assert azul("show", notation, "--json").stdout == azul("show", path, "--at", 9, "--json").stdout


def test_the_same_seed_plays_the_same_game() -> None:
    first, again, other = (azul("play", "--json", "--seed", seed).stdout for seed in (5, 5, 6))
    assert first == again != other


def test_play_explains_every_point() -> None:
    told = azul("play", "--policy", "random", "--seed", 2).stdout
    assert "Round 1" in told
    assert "[AZ-PT-01]" in told
    assert "The game is over." in told


def test_greedy_players_beat_random_ones() -> None:
    def points(policy: str) -> int:
        games = [azul("play", "--json", "--policy", policy, "--seed", seed).stdout_bytes for seed in range(5)]
        return sum(sum(json_lines(azul("verify", "--json", "-", stdin=game))[-1]["final"]) for game in games)

    assert points("greedy") > 4 * points("random")


@pytest.mark.parametrize("what", ["nothing", "azul:coloured", "chess:coloured:2:1", "azul:coloured:2:1 " + "x" * 5000])
def test_show_says_what_it_cannot_show(what: str) -> None:
    result = azul("show", what)
    assert result.exit_code == 2
    assert result.stderr.startswith("azul: ")
    assert result.stderr.count("\n") == 1


def test_show_stops_where_the_record_does(record: Path) -> None:
    assert azul("show", record, "--at", 9999).exit_code == 2


def test_rules_lists_all_and_explains_one() -> None:
    listed = {rule["id"]: rule for rule in json_lines(azul("rules", "--json"))}
    assert set(listed) == {rule_id for slug in slugs() for rule_id in load(slug).rulebook}
    assert listed["AZ-PL-03"]["source"] == "Azul rulebook, A. Factory offer"
    one = azul("rules", "az-pl-03").stdout
    assert one.startswith("AZ-PL-03")
    assert listed["AZ-PL-03"]["text"] in one
    assert azul("rules", "AZ-XX-99").exit_code == 2


def test_bench_engine_measures_something() -> None:
    (measured,) = json_lines(azul("bench", "engine", "--seconds", 0.2, "--json"))
    assert measured["games_per_second"] > 50
    assert measured["moves_per_game"] > 20
