"""Whatever is gone from the log or changed in it, `azul games --check` says so."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from click.testing import CliRunner
from sqlalchemy import text

from companion.cli import main
from companion.gamelog import GameLog, Note, export_game, import_game, schema
from companion.gamelog.chain import FILE, MOST_BYTES
from engine import parse_start

START = parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')
DATABASE = "games.sqlite3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log with a game of six events."""
    with GameLog(tmp_path / "data") as log:
        game = log.create(START)
        for i in range(6):
            game.append(Note(f"note {i}"), "somebody")
    return tmp_path / "data"


def checked(folder: Path) -> tuple[int, list[str]]:
    result = CliRunner().invoke(main, ["games", "--check", "--json", "--data", str(folder)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, json.loads(result.output)["events"]


def run_sql(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / DATABASE)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_a_sound_log_is_sound(folder: Path) -> None:
    assert checked(folder) == (0, [])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = replace(body, 'note 3', 'mote 3')",
        "UPDATE events SET who = 'nobody' WHERE n = 2",
        "UPDATE events SET at = '2020-01-01T00:00:00+00:00' WHERE n = 6",
        "UPDATE events SET link = (SELECT link FROM events WHERE n = 1) WHERE n = 5",
        'UPDATE games SET players = \'["Eve", "Ben"]\'',
    ],
)
def test_a_changed_letter_is_noticed(folder: Path, statement: str) -> None:
    run_sql(folder, "DROP TRIGGER events_stay", statement)
    status, told = checked(folder)
    assert status == 2
    assert "not as it was logged" in told[0]


def test_missing_events_are_noticed(folder: Path) -> None:
    run_sql(folder, "DROP TRIGGER events_last", "DELETE FROM events WHERE n > 4")
    status, (told,) = checked(folder)
    assert status == 2
    assert told.endswith("events 5 to 6 are gone")


@pytest.mark.parametrize("how", ["rows", "file", "removed"])
def test_an_emptied_database_is_noticed(folder: Path, how: str) -> None:
    if how == "rows":
        run_sql(folder, "DROP TRIGGER events_last", "DELETE FROM events", "DELETE FROM games")
    elif how == "file":
        (folder / DATABASE).write_bytes(b"")
    else:
        (folder / DATABASE).unlink()
    status, (told,) = checked(folder)
    assert status == 2
    assert told.endswith("gone, with its 6 events")


def test_a_damaged_wal_is_noticed(folder: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    with GameLog(folder) as log:
        game = log.games()[0]
        for i in range(20):
            game.append(Note(f"later {i}"))
        shutil.copytree(folder, torn)
    wal = torn / f"{DATABASE}-wal"
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 1
    wal.write_bytes(data)
    status, (told,) = checked(torn)
    assert status == 2
    assert "are gone" in told


def test_a_deleted_game_is_not_missed(folder: Path) -> None:
    with GameLog(folder) as log:
        log.delete(log.games()[0])
    assert checked(folder) == (0, [])


def test_lost_or_torn_anchors_accuse_nobody(folder: Path) -> None:
    anchors = folder / FILE
    anchors.write_bytes(anchors.read_bytes()[:-30])
    assert checked(folder) == (0, [])
    anchors.unlink()
    assert checked(folder) == (0, [])
    with GameLog(folder) as log:
        log.games()[0].refresh()
        log.games()[0].append(Note("on"))
    assert len(anchors.read_text().split()) == 3


def test_anchors_are_written_anew_when_they_have_grown(folder: Path) -> None:
    anchors = folder / FILE
    line = anchors.read_bytes().split(b"\n")[-2] + b"\n"
    anchors.write_bytes(line * (MOST_BYTES // len(line) + 1))
    with GameLog(folder) as log:
        assert anchors.stat().st_size < 1000
        assert not log.check().lost


def test_an_imported_game_is_chained_and_not_the_newest(folder: Path, tmp_path: Path) -> None:
    with GameLog(folder) as log, GameLog(tmp_path / "other") as other:
        export_game(log.games()[0], tmp_path / "game.zip")
        own = other.create(START)
        taken, _ = import_game(other, tmp_path / "game.zip")
        assert [game.id for game in other.games()] == [own.id, taken.id]
        assert len(other.anchors.read()) == 2
        assert not other.check().lost


def test_games_are_in_the_order_in_which_they_were_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GameLog(tmp_path) as log:
        written = []
        for clock in ("2030-01-01", "1970-01-01", "2026-01-01"):
            monkeypatch.setattr("companion.gamelog.store.now", lambda clock=clock: f"{clock}T00:00:00+00:00")
            written.append(log.create(START).id)
        assert [game.id for game in log.games()] == written[::-1]


def test_an_older_log_is_numbered_and_chained(tmp_path: Path) -> None:
    database = tmp_path / DATABASE
    engine = schema.open_database(database)
    with engine.connect() as connection, connection.begin():
        config = Config()
        config.set_main_option("script_location", str(schema.MIGRATIONS_DIR))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        for day in (2, 1):
            row = f"'game{day}', 'azul', 'coloured', '2', 1, '{{}}', '2026-01-0{day}T00:00:00+00:00'"
            connection.execute(text(f"INSERT INTO games VALUES ({row})"))  # noqa: S608 - made here
            body = '\'{"text": "old"}\''
            values = f"'game{day}', 1, 'note', {body}, NULL, '2026-01-01T00:00:00+00:00', ''"
            statement = f"INSERT INTO events VALUES ({values})"  # noqa: S608 - made here
            connection.exec_driver_sql(statement)
    engine.dispose()
    with GameLog(tmp_path) as log:
        assert [game.id for game in log.games()] == ["game1", "game2"]
        assert not log.check().lost
        assert {game: anchor.n for game, anchor in log.anchors.read().items()} == {"game1": 1, "game2": 1}
    run_sql(tmp_path, "DROP TRIGGER events_stay", "UPDATE events SET who = 'x' WHERE game = 'game2'")
    assert checked(tmp_path)[0] == 2
