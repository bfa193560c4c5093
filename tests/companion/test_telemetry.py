"""Nothing of what happens at a table is written, let alone sent, anywhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PHOTO = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_phone-board_101.jpg"


@pytest.mark.parametrize("command", [["read", str(PHOTO)], ["doctor", "--camera", "-"]])
def test_nothing_is_left_behind_for_others(tmp_path, command):
    """onnxruntime keeps an id and a database of what it reports in the home folder, unless it believes itself in CI."""
    hidden = ("CI", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_DATA_HOME")
    env = {name: value for name, value in os.environ.items() if name not in hidden} | {"HOME": str(tmp_path)}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("azul")), *command], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
