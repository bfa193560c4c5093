"""What is not ours is what it says it is."""

from __future__ import annotations

import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import companion.dashboard

SHIPPED = Path(companion.dashboard.__file__).parent / "static" / "vendor"
TESTED = Path(__file__).parent / "vendor"


def entries() -> list[tuple[Path, dict[str, Any]]]:
    shipped = tomllib.loads((SHIPPED / "vendored.toml").read_text(encoding="utf-8"))["files"]
    tested = tomllib.loads((TESTED / "vendored.toml").read_text(encoding="utf-8"))
    return [(SHIPPED, each) for each in shipped] + [(TESTED, tested)]


@pytest.mark.parametrize(("folder", "entry"), entries(), ids=lambda value: str(value)[-20:])
def test_vendored_files_are_as_recorded(folder: Path, entry: dict[str, Any]) -> None:
    assert sha256((folder / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]
    assert entry["licence"]
    assert (folder / f"{entry['file'].split('.')[0]}.LICENSE").exists()


def test_every_script_is_recorded() -> None:
    scripts = {path.name for path in SHIPPED.iterdir() if path.suffix in (".js", ".css")}
    assert scripts == {entry["file"] for folder, entry in entries() if folder == SHIPPED}
