"""The budget of a Pi 4, kept as a ratio to what decoding a full frame costs in the same run."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import bench
from companion.cli import main

PHOTO = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_rig_102.jpg"
ELSEWHERE = 1.25
"""What processors differ in how they take to decoding and to networks."""


def test_a_full_table_keeps_the_budget(tmp_path):
    (tmp_path / "frame.jpg").write_bytes(PHOTO.read_bytes())
    told = json.loads(CliRunner().invoke(main, ["bench", "pi", str(tmp_path), "--json"]).output)
    most = (bench.LATENCY_S - bench.STILL_S - bench.CAPTURE_S) / bench.DECODING_PI4_S
    assert told["reading_per_decoding"] < most * ELSEWHERE
    assert told["idle_pi4"] < bench.IDLE


@pytest.mark.parametrize(
    ("cost", "kept"),
    [
        (bench.Cost(0.1, 0.0005, 0.35, 300), True),
        (bench.Cost(0.1, 0.0005, 0.60, 300), False),
        (bench.Cost(0.1, 0.0060, 0.35, 300), False),
        (bench.Cost(0.1, 0.0005, 0.35, 600), False),
    ],
)
def test_what_the_budget_is(cost, kept):
    assert cost.is_kept == kept


def test_latency_and_idleness_are_worked_out_for_a_pi():
    cost = bench.Cost(decoding_s=0.1, preview_s=0.001, reading_s=0.3, memory_mb=300)
    assert cost.latency_pi4_s == pytest.approx(bench.STILL_S + bench.CAPTURE_S + 3 * 0.33)
    assert cost.idle_pi4 == pytest.approx(10 * 0.01 * 0.33)


def test_a_folder_without_photos_is_told(tmp_path):
    done = CliRunner().invoke(main, ["bench", "pi", str(tmp_path)])
    assert done.exit_code == 2
    assert "has no photos" in done.output
