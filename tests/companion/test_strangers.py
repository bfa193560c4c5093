"""Boards of other games, and editions that no network knows, as commands and cameras meet them."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.capture.cameras import Window, follow_newest
from companion.cli import main
from companion.gamelog import GameLog, Photo, PhotoRead
from companion.pipeline import MODELS_DIR, readable_editions
from engine import Start, load, slugs
from hardware.camera import Frame

PHOTOS = Path(__file__).parents[2] / "fixtures" / "photos"
STRANGER = PHOTOS / "tide-pool" / "tide-pool_phone-board_101.jpg"
UNREADABLE = [slug for slug in slugs() if slug not in readable_editions()]


def azul(*args: object) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def corners_of(path: Path) -> str:
    (board,) = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["boards"]
    return " ".join(f"{x},{y}" for x, y in board["corners_px"])


def test_which_editions_can_be_read_is_told_by_the_manifest() -> None:
    manifest = "".join(path.read_text(encoding="utf-8") for path in MODELS_DIR.glob("*/manifest.toml"))
    assert all(f'"{slug} ' in manifest for slug in readable_editions())
    assert UNREADABLE
    assert not any(f'"{slug} ' in manifest for slug in UNREADABLE)


@pytest.mark.parametrize("edition", [[], ["--edition", "azul"], ["--edition", "azul-mini"]], ids=str)
def test_another_game_is_never_read_by_its_corners(edition: list[str]) -> None:
    result = azul("read", "--json", STRANGER, "--corners", corners_of(STRANGER), *edition)
    assert result.exit_code == 1
    assert json.loads(result.stdout).keys() == {"photo", "error"}
    (line,) = result.stderr.splitlines()
    assert "looks like no board of azul" in line
    assert "take another photo" in line


@pytest.mark.parametrize("command", ["read", "score"])
def test_another_game_is_never_read_by_its_print(command: str) -> None:
    result = azul(command, STRANGER)
    assert (result.exit_code, result.stdout) == (1 if command == "read" else 2, "")
    assert "no board was found" in result.stderr


def test_what_is_left_out_is_told() -> None:
    table = PHOTOS / "azul" / "azul_phone-board_101.jpg"
    read = azul("read", table, "--corners", corners_of(table), "--corners", "5,5 60,5 60,60 5,60")
    assert read.exit_code == 0
    assert "? around 32,32 nothing is read: this looks like no board of azul;" in read.stdout
    assert "left_out" not in json.loads(azul("read", "--json", table).stdout)


def test_photos_of_another_game_make_no_game(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(STRANGER, photos)
    result = azul("log", photos, "--data", tmp_path / "data")
    assert result.exit_code == 2
    assert "none of the photos can be read" in result.stderr
    with GameLog(tmp_path / "data") as log:
        assert log.games() == []


def test_a_photo_of_another_game_that_was_kept_once_is_told_when_it_is_read_anew(tmp_path: Path) -> None:
    edition, reading = load("azul"), {"edition": "azul", "side": "coloured", "boards": []}
    with GameLog(tmp_path) as log:
        game = log.create(Start(edition, edition.setup("coloured", 2)))
        game.append(PhotoRead(reading, "older"), "phone", Photo(STRANGER.read_bytes(), None, "kept.jpg"))
    result = azul("reread", "--data", tmp_path)
    assert "azul: kept.jpg: no board of azul was found" in result.stderr
    assert "nothing reads differently now" in result.stdout


@pytest.mark.parametrize("slug", UNREADABLE)
@pytest.mark.parametrize(
    "how", [["run", "--camera", "simulated"], ["run", "--camera", "phone", "--dashboard"], ["log"]]
)
def test_an_edition_that_cannot_be_read_begins_no_game(slug: str, how: list[str], tmp_path: Path) -> None:
    photos = [tmp_path] if how == ["log"] else []
    result = azul(*how, *photos, "--edition", slug, "--data", tmp_path / "data")
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert f"photos of {slug} cannot be read yet" in line
    assert f"those of {', '.join(readable_editions())} can" in line
    assert "`azul verify`" in line
    with GameLog(tmp_path / "data") as log:
        assert log.games() == []


def test_a_game_that_cannot_be_read_is_not_gone_on_with(tmp_path: Path) -> None:
    with GameLog(tmp_path) as log:
        game = unreadable_game(log)
    for how in (["run", "--camera", "simulated", "--game", game.id], ["log", PHOTOS, "--game", game.id]):
        result = azul(*how, "--data", tmp_path)
        assert result.exit_code == 2
        assert "photos of tide-pool cannot be read yet" in result.stderr


def unreadable_game(log: GameLog) -> Any:
    edition = load("tide-pool")
    return log.create(Start(edition, edition.setup(edition.sides[0], 2)))


class _Camera:
    """Shows nothing; ends the watch after some previews."""

    def __init__(self, stop: threading.Event) -> None:
        self.previews, self._stop = 0, stop

    def preview(self) -> Frame:
        self.previews += 1
        if self.previews == 2:
            self._stop.set()
        return Frame(np.zeros((90, 160, 3), np.uint8), self.previews, 0.0)

    def capture(self) -> Frame:
        raise AssertionError("no picture of a game that cannot be read is taken")

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_camera_does_not_follow_a_game_that_cannot_be_read_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.capture.cameras.GLANCE_S", 0.01)
    stop = threading.Event()
    window = Window(_Camera(stop))
    with GameLog(tmp_path) as log:
        unreadable_game(log)
        follow_newest(log, window, None, lambda _: lambda _: None, stop)  # type: ignore[arg-type]
    assert "photos of tide-pool cannot be read yet" in str(window.trouble())
