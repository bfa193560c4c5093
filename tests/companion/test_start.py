"""What a command imports before it does anything; that decides how soon it answers."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import GROUPS, commands, main
from companion.cli.commands.bench import MEASURES

FIXTURES = Path(__file__).parents[2] / "fixtures"
RECORD = FIXTURES / "games" / "azul" / "coloured-2p-good.jsonl"
PHOTO = FIXTURES / "photos" / "azul" / "azul_phone-board_101.jpg"

PICTURES = {"cv2", "numpy", "onnxruntime", "PIL"}
PAGES = {"babel", "flask", "flask_babel", "flask_limiter", "jinja2", "waitress"}
DATABASE = {"alembic", "sqlalchemy"}
PAPER = {"reportlab"}

IMPORTED = """
import json, sys
{entry}
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})), file=sys.stderr)
"""
COMMAND = """
from companion.cli import main
try:
    main({arguments!r}, prog_name="azul")
except SystemExit as ended:
    assert not ended.code, ended.code
"""


def imported_by(entry: str) -> set[str]:
    """The top-level packages that are there once a program has ended."""
    program = IMPORTED.format(entry=entry)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["bench", "--help"], ["rules"], ["play"], ["show", str(RECORD)], ["verify", str(RECORD)]],
    ids=lambda arguments: " ".join(arguments[:2]) if "--help" in arguments else arguments[0],
)
def test_a_command_about_rules_imports_the_engine_alone(arguments):
    found = imported_by(COMMAND.format(arguments=arguments))
    assert "engine" in found
    assert not found & (PICTURES | PAGES | DATABASE | PAPER)


def test_judging_a_position_imports_the_engine_alone(tmp_path):
    table = tmp_path / "table.json"
    table.write_text(json.dumps({"edition": "azul", "side": "coloured", "boards": [{"seat": 1, "score": 3}]}))
    found = imported_by(COMMAND.format(arguments=["check", str(table)]))
    assert not found & (PICTURES | PAGES | DATABASE | PAPER)


def test_a_command_about_the_log_imports_no_pictures_and_no_pages(tmp_path):
    found = imported_by(COMMAND.format(arguments=["games", "--data", str(tmp_path / "log")]))
    assert "sqlalchemy" in found
    assert not found & (PICTURES | PAGES | PAPER)


def test_reading_a_photo_imports_no_database_and_no_pages():
    found = imported_by(COMMAND.format(arguments=["read", "--edition", "azul", str(PHOTO)]))
    assert "onnxruntime" in found
    assert not found & (DATABASE | PAGES | PAPER)


def test_the_dashboard_starts_without_networks_and_without_what_prints():
    found = imported_by("import companion.dashboard.wiring")
    assert "flask" in found
    assert not found & (PAPER | {"alembic", "onnxruntime"})


def test_every_command_has_a_line_in_the_list():
    found = {module.name.rstrip("_") for module in pkgutil.iter_modules(commands.__path__)}
    lines = {name: line for group in GROUPS.values() for name, line in group.items()}
    assert found == {*lines} | {f"bench_{name}" for name in MEASURES}
    told = CliRunner().invoke(main, ["--help"]).output
    assert all(f"  {name}" in told and line in told for name, line in lines.items())
    assert all(f"{title}:" in told for title in GROUPS)
    assert max(map(len, told.splitlines())) <= 80


def test_the_shell_completes_commands_without_importing_them() -> None:
    found = imported_by(
        "from companion.cli import main; import click\n"
        "assert {each.value for each in main.shell_complete(click.Context(main), 're')} >= {'read', 'reread'}"
    )
    assert not found & (DATABASE | PAGES | PAPER)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_for_every_shell(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    result = CliRunner().invoke(main, ["completion", shell, "--install"])
    assert result.exit_code == 0
    (script,) = (path for path in tmp_path.rglob("*azul*") if path.is_file())
    assert "_AZUL_COMPLETE" in script.read_text(encoding="utf-8")
    assert CliRunner().invoke(main, ["completion", shell]).output.strip() == script.read_text(encoding="utf-8").strip()
