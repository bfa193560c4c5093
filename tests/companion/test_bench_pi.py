"""The budget of a Pi 4, kept as ratios to what two yardsticks cost in the same run, in the process's own time."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from click.testing import CliRunner

import engine
from companion.cli import main
from companion.lab import pi_budget, yardstick
from companion.lab.simulate import position_of_seed

FULL_TABLE = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_rig_103.jpg"
"""Four players."""
COST = pi_budget.Cost(
    decoding_s=0.1, product_s=0.001, preview_s=0.001, networks_s=0.02, rest_s=0.05, writing_s=0.05, memory_mb=300
)


def test_a_full_table_keeps_the_budget(tmp_path):
    """On the four cores of a Pi, which networks are spread over while a game is followed; nothing is added for luck."""
    (tmp_path / "frame.jpg").write_bytes(FULL_TABLE.read_bytes())
    command = [str(Path(sys.executable).with_name("azul")), "bench", "pi", str(tmp_path), "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert told["latency_pi4_s"] <= pi_budget.LATENCY_S, told
    assert told["idle_pi4"] <= pi_budget.IDLE, told
    assert told["memory_mb"] <= pi_budget.MEMORY_MB, told


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, True),
        ({"networks_s": 0.2}, False),
        ({"rest_s": 0.5}, False),
        ({"preview_s": 0.02}, False),
        ({"memory_mb": 600}, False),
    ],
)
def test_what_the_budget_is(change, kept):
    assert replace(COST, **change).is_kept == kept


def test_latency_and_idleness_are_worked_out_for_a_pi():
    preview = 0.01 * pi_budget.DECODING_PI4_S
    assert COST.preview_pi4_s == pytest.approx(preview)
    reading = 0.5 * pi_budget.DECODING_PI4_S + 20 * pi_budget.PRODUCT_PI4_S
    assert COST.reading_pi4_s(1) == pytest.approx(reading)
    assert COST.reading_pi4_s(4) == pytest.approx(0.5 * pi_budget.DECODING_PI4_S + 5 * pi_budget.PRODUCT_PI4_S)
    assert COST.latency_pi4_s(1) == pytest.approx(5 * (0.1 + preview) + pi_budget.CAPTURE_S + reading)
    assert COST.idle_pi4 == pytest.approx(preview / 0.3)


def test_memory_is_counted_without_what_whoever_started_the_program_had():
    ballast = np.ones((600, 1024, 1024 // 8))
    code = "from companion.lab.yardstick import peak_mb; print(peak_mb())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(told) < ballast.nbytes / 2**20 / 2


@pytest.mark.parametrize(
    ("kind", "left", "right"), [(yardstick.EXACT, np.float32, np.float32), (yardstick.BYTES, np.uint8, np.int8)]
)
def test_the_products_are_products(kind, left, right):
    session = onnxruntime.InferenceSession(yardstick._network(*kind), providers=["CPUExecutionProvider"])
    matrix = np.arange(9).reshape(3, 3)
    found = session.run(None, {"a": matrix.astype(left), "b": matrix.astype(right)})[0]
    assert np.array_equal(found, matrix @ matrix)


def test_rendered_tables_are_full():
    (seed,) = pi_budget._full_tables(1, "azul")
    assert len(position_of_seed(engine.load("azul"), seed).boards) == 4


def test_a_folder_without_photos_is_told(tmp_path):
    done = CliRunner().invoke(main, ["bench", "pi", str(tmp_path)])
    assert done.exit_code == 2
    assert "has no photos" in done.output
