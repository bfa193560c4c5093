"""What rests on a doubt accuses nobody, wherever a Table is judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.cli.verdict import judge
from companion.gamelog import Answer, Doubt, GameLog, Record
from companion.reconcile.doubtful import possible_scores, sure_violations
from engine import Start, load

AZUL = load("azul")
BARE = {"lines": [".", "..", "...", "....", "....."], "wall": ["....."] * 5, "floor": "", "score": 0}


def table(*boards: dict[str, Any], side: str = "grey", **more: Any) -> dict[str, Any]:
    seated = [{"seat": seat, **BARE, **board} for seat, board in enumerate(boards, 1)]
    return {"edition": "azul", "side": side, "boards": seated, "doubts": [], **more}


def doubts(*cells: str) -> list[dict[str, Any]]:
    return [{"cell": cell, "reads": {"R": 0.7, ".": 0.3}} for cell in cells]


def full(*discs: str) -> list[dict[str, str]]:
    return [{"tiles": tiles} for tiles in discs]


COLUMN = ["R....", ".....", "R....", ".....", "....."]
MARKER_TWICE: dict[str, Any] = {"centre": {"tiles": "B", "first_player": True}}
ROW = ["BYRKW", ".....", ".....", ".....", "....."]


@pytest.mark.parametrize(
    ("shown", "rule", "cells"),
    [
        (table({"wall": COLUMN, "score": 2}), "AZ-VA-02", ["wall.1.1"]),
        (table({"wall": COLUMN, "score": 2}), "AZ-VA-02", ["wall.3.1"]),
        (table({"lines": [".", "BR", "...", "....", "....."]}), "AZ-PL-03", ["line.2.1"]),
        (
            table({"lines": ["R", "..", "...", "....", "....."], "wall": ["R....", *["....."] * 4]}),
            "AZ-PL-04",
            ["wall.1.1"],
        ),
        (table({"floor": "..K"}), "AZ-PL-07", ["floor.3"]),
        (table({"score": 30, "wall": ROW}), "AZ-SC-01", ["wall.2.1", "wall.2.2", "wall.2.3", "wall.2.4", "wall.2.5"]),
        (table({"score": 30, "wall": ROW}), "AZ-SC-01", ["score"]),
        (table({"floor": "1"}, **MARKER_TWICE), "AZ-DR-05", ["floor.1"]),
    ],
)
def test_a_rule_that_rests_on_a_doubtful_cell_is_not_told(shown: dict[str, Any], rule: str, cells: list[str]) -> None:
    assert rule in {each.rule for each in judge(shown).violations}
    board = {**shown["boards"][0], "doubts": doubts(*cells)}
    assert rule not in {each.rule for each in judge({**shown, "boards": [board]}).violations}


def test_a_rule_that_holds_whatever_lies_there_is_told() -> None:
    shown = table({"wall": COLUMN, "score": 2, "doubts": doubts("wall.5.5", "line.1.1", "score")})
    assert [each.rule for each in sure_violations(AZUL, shown)] == ["AZ-VA-02"]


def test_a_round_that_was_left_undone_rests_on_every_disc() -> None:
    discs = {"factories": full(*["BYRK"] * 5), "centre": {"tiles": "", "first_player": True}}
    shown = table({"floor": "K"}, {}, side="coloured", **discs)
    assert "AZ-WT-06" in {each.rule for each in judge(shown).violations}
    unsure = {**shown, "doubts": [{"cell": "factory.3", "reads": {"K": 0.8}, "seen": "BYRK"}]}
    assert judge(unsure).violations == ()


def test_play_that_went_on_is_told_only_of_tiles_that_surely_lie_there() -> None:
    shown = table({"wall": ROW, "score": 15}, factories=full("BYRK", "", "", "", ""))
    assert "AZ-EN-01" in {each.rule for each in judge(shown).violations}
    unsure = {**shown, "doubts": [{"cell": "factory.1", "reads": {"K": 0.8}, "seen": "BYRK"}]}
    assert "AZ-EN-01" not in {each.rule for each in judge(unsure).violations}


def test_check_tells_no_rule_that_rests_on_a_doubt(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(table({"wall": COLUMN, "score": 2, "doubts": doubts("wall.1.1")})))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0, result.output
    assert "! " not in result.output


def test_a_score_in_doubt_is_told_as_open(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    unsure = {"score": 2, "wall": COLUMN, "doubts": [{"cell": "score", "reads": {"1": 0.6, "2": 0.3, "?": 0.1}}]}
    path.write_text(json.dumps(table(unsure)))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert "seat 1: score 1–2;" in result.output
    told = json.loads(CliRunner().invoke(main, ["check", "--json", str(path)]).stdout)
    assert {name: told["boards"][0][name] for name in ("score", "low", "high")} == {"score": None, "low": 1, "high": 2}


@pytest.mark.parametrize("bad", ["x", [1], [{"reads": {}}]])
def test_doubts_that_are_none_are_refused_in_one_line(tmp_path: Path, bad: object) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(table({"doubts": bad})))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 2
    assert "doubts must be a list" in result.stderr


def test_a_score_that_cannot_be_read_may_be_all_that_the_wall_allows() -> None:
    shown = table({"wall": COLUMN, "score": None, "doubts": doubts("score")})
    assert possible_scores(AZUL, shown, 1) == [0, 1, 2]


def test_a_move_is_not_told_as_broken_while_a_cell_it_rests_on_is_asked_about(tmp_path: Path) -> None:
    start = Start(AZUL, AZUL.setup("coloured", 2), ("Ada", "Bo"))
    with GameLog(tmp_path) as log:
        game = log.create(start)
        game.append(Record({"event": "fill", "factories": ["BBBB", "YYYY", "RRRR", "KKKK", "WWWW"]}), "azul")
        game.append(Record({"event": "correct", "seat": 1, "cells": {"wall.4.4": "B"}}), "azul")
        game.append(Record({"event": "take", "seat": 1, "from": 1, "colour": "B", "line": 4}), "azul")
        assert [breach.violation.rule for breach in game.refresh().breaches] == ["AZ-PL-04"]
        game.append(Doubt("azul-9", {"B": 0.6, ".": 0.4}, "wall.4.4", 1), "azul")
        assert game.refresh().breaches == ()
        assert game.folded.broken(3) == ()
        game.append(Answer("azul-9", "B"), "Ada")
        assert [breach.violation.rule for breach in game.refresh().breaches] == ["AZ-PL-04"]
