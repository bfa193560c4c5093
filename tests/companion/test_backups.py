"""Backups are made every day, restored once to see that they can be, and thinned out."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import backups
from companion.backup import restore
from companion.backups import DAYS, WEEKS, back_up_into, backing_up, made_by
from companion.cli import main
from companion.gamelog import GameLog, Note, Photo
from engine import parse_start

START = parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')
NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
PATIENCE_S = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with GameLog(tmp_path / "data") as log:
        log.create(START).append(Note("a photo"), "test", Photo(b"\xff\xd8 a photo \xff\xd9"))
    return tmp_path / "data"


def test_a_backup_is_restored_to_see_that_it_can_be(folder: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["backup", "--into", str(tmp_path / "kept"), "--data", str(folder)])
    assert result.exit_code == 0, result.output
    (path,) = (tmp_path / "kept").iterdir()
    restore(path, tmp_path / "fresh")
    with GameLog(tmp_path / "fresh") as log:
        assert not log.check().lost
        assert len(log.games()[0].entries()) == 1


def test_what_cannot_be_restored_whole_is_no_backup(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    good = back_up_into(folder, kept, NOW)
    with GameLog(folder) as log, log.writing("spoiling") as connection:
        connection.exec_driver_sql("DROP TRIGGER events_stay")
        connection.exec_driver_sql("UPDATE events SET body = replace(body, 'photo', 'phoTo')")
    result = CliRunner().invoke(main, ["backup", "--into", str(kept), "--data", str(folder)])
    assert result.exit_code == 2
    assert "could not be restored whole" in result.output
    assert list(kept.iterdir()) == [good]


def test_older_ones_are_thinned_out(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    for day in range(1, 60):
        at = NOW - timedelta(days=day)
        (kept / f"azul-{at.strftime(backups.STAMP)}.zip").touch()
    ahead = kept / f"azul-{(NOW + timedelta(days=400)).strftime(backups.STAMP)}.zip"
    ahead.touch()
    (kept / "mine.zip").touch()
    newest = back_up_into(folder, kept, NOW)
    left = made_by(kept, NOW)
    assert left[0][1] == newest
    assert DAYS < len(left) <= DAYS + WEEKS
    assert left[-1][0] < NOW - timedelta(days=14)
    assert ahead.exists()
    assert (kept / "mine.zip").exists()


def test_a_running_companion_makes_one_a_day(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, kept, real = threading.Event(), tmp_path / "kept", backups.back_up_into

    def watched(*args: object) -> Path:
        path = real(*args)  # type: ignore[arg-type]
        done.set()
        return path

    monkeypatch.setattr(backups, "back_up_into", watched)
    for _ in range(2):
        with backing_up(folder, kept):
            assert done.wait(PATIENCE_S)
    assert len(list(kept.iterdir())) == 1
