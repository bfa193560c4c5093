"""Backups: everything there, back again, and nothing that is broken."""

import errno
import json
import sqlite3
import threading
from contextlib import suppress
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from click.testing import CliRunner

import engine
from companion import backup
from companion.backup import MANIFEST, BackupError, back_up, restore
from companion.capture.startup import RUNNING, SAFE_AFTER, starting, went_well
from companion.cli import main
from companion.gamelog import GameLog, GameLogError, Note, Photo

START = '{"event": "start", "edition": "azul", "side": "coloured", "players": 2, "first": 1}'


@pytest.fixture
def folder(tmp_path):
    """A data folder with a game, a photo, keys and what need not be kept."""
    data = tmp_path / "data"
    with GameLog(data) as log:
        game = log.create(
            engine.parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')
        )
        game.append(Note("a photo"), "test", Photo(b"\xff\xd8 a photo \xff\xd9"))
    (data / "dashboard").mkdir()
    (data / "dashboard" / "keys.json").write_text('{"pin": "123456"}')
    (data / "dashboard" / "keys.json").chmod(0o600)
    (data / RUNNING).write_text("{}")
    (data / "photos" / "incoming").mkdir(exist_ok=True)
    (data / "photos" / "incoming" / "half").write_bytes(b"half")
    return data


def test_a_backup_comes_back_whole(folder, tmp_path):
    backup, fresh = tmp_path / "b.zip", tmp_path / "fresh"
    assert back_up(folder, backup) == (4, 0)
    assert restore(backup, fresh) == (4, 0)
    assert backup.stat().st_mode & 0o777 == 0o600, "it holds keys"
    with GameLog(folder) as old, GameLog(fresh) as new:
        assert [game.id for game in new.games()] == [game.id for game in old.games()]
        assert not new.check().lost
    assert (fresh / "dashboard" / "keys.json").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in fresh.iterdir()) == ["anchors.jsonl", "dashboard", "games.sqlite3", "photos"]


def test_games_may_go_on_while_they_are_backed_up(folder, tmp_path):
    with GameLog(folder) as log:
        game, stop = log.games()[0], threading.Event()

        def play():
            while not stop.is_set():
                game.append(Note("on and on"), "test")

        playing = threading.Thread(target=play)
        playing.start()
        back_up(folder, tmp_path / "b.zip")
        stop.set()
        playing.join()
    restore(tmp_path / "b.zip", tmp_path / "fresh")
    with GameLog(tmp_path / "fresh") as new:
        assert not new.check().lost


def test_what_a_worn_card_has_lost_does_not_keep_the_rest_from_being_saved(folder, tmp_path):
    with GameLog(folder) as log:
        log.games()[0].append(Note("another"), "test", Photo(b"\xff\xd8 another \xff\xd9"))
    whole, torn = (path for path in sorted((folder / "photos").glob("??/??/*")))
    torn.write_bytes(b"torn")
    told = CliRunner().invoke(main, ["backup", str(tmp_path / "b.zip"), "--data", str(folder)])
    assert "1 photos that games speak of were lost" in told.output
    torn.unlink()
    assert back_up(folder, tmp_path / "b.zip") == (4, 1)
    assert restore(tmp_path / "b.zip", tmp_path / "fresh") == (4, 1)
    with GameLog(tmp_path / "fresh") as log:
        assert log.check().missing == (torn.name,)
        assert log.read_photo(whole.name)


def test_a_file_that_is_thrown_away_meanwhile_is_left_out(folder, tmp_path, monkeypatch):
    gone = folder / "dashboard" / "draft.jpg"
    files = backup._files
    monkeypatch.setattr(backup, "_files", lambda folder: iter([*files(folder), gone]))
    assert back_up(folder, tmp_path / "b.zip") == (4, 0)
    assert restore(tmp_path / "b.zip", tmp_path / "fresh") == (4, 0)


def test_a_backup_in_what_it_is_a_backup_of_is_refused(folder):
    with pytest.raises(BackupError, match="write it elsewhere"):
        back_up(folder, folder / "dashboard" / "b.zip")


def test_a_database_that_cannot_be_read_is_told(folder, tmp_path):
    (folder / "games.sqlite3").write_bytes(b"no database" * 1000)
    for left in folder.glob("games.sqlite3-*"):
        left.unlink()
    with pytest.raises(GameLogError, match="copying"):
        back_up(folder, tmp_path / "b.zip")
    assert list(tmp_path.glob("b.zip*")) == list(tmp_path.glob(".backup-*")) == []


def test_what_is_there_is_never_overwritten(folder, tmp_path):
    back_up(folder, tmp_path / "b.zip")
    with pytest.raises(BackupError, match="not empty"):
        restore(tmp_path / "b.zip", folder)


def rewritten(path, change):
    """The same zip with what is in it changed."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def damage_photo(members):
    members[next(name for name in members if name.startswith("photos/"))] = b"other"


def climb_out(members):
    manifest = json.loads(members[MANIFEST])
    manifest["sha256"]["../evil"] = manifest["sha256"].pop("dashboard/keys.json")
    members["../evil"] = members.pop("dashboard/keys.json")
    members[MANIFEST] = json.dumps(manifest).encode()


def lose_photo(members):
    manifest = json.loads(members[MANIFEST])
    manifest["sha256"] = {name: sum_ for name, sum_ in manifest["sha256"].items() if not name.startswith("photos/")}
    members[MANIFEST] = json.dumps(manifest).encode()


def drop_photo(members):
    del members[next(name for name in members if name.startswith("photos/"))]


def make_newer(members):
    members[MANIFEST] = json.dumps(json.loads(members[MANIFEST]) | {"format": 2}).encode()


def nest(members):
    members[MANIFEST] = b"[" * 100_000


def list_nothing(members):
    members[MANIFEST] = b"[]"


def name_oddly(members):
    manifest = json.loads(members[MANIFEST])
    manifest["sha256"] = {"a\0b": "x", **manifest["sha256"]}
    members[MANIFEST] = json.dumps(manifest).encode()


def grow(members):
    members["photos/00/00/0"] = bytes(backup.HARMLESS)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (damage_photo, "is damaged"),
        (climb_out, "written elsewhere"),
        (lose_photo, "lacks things"),
        (drop_photo, "cannot be read"),
        (make_newer, "newer companion"),
        (lambda members: members.pop(MANIFEST), "not a backup"),
        (nest, "not a backup"),
        (list_nothing, "not a backup"),
        (name_oddly, "written elsewhere"),
        (grow, "would grow"),
    ],
)
def test_a_broken_backup_is_told_and_leaves_nothing_behind(folder, tmp_path, change, told):
    backup, fresh = tmp_path / "b.zip", tmp_path / "fresh"
    back_up(folder, backup)
    rewritten(backup, change)
    with pytest.raises(BackupError, match=told):
        restore(backup, fresh)
    assert list(fresh.iterdir()) == []
    assert not (tmp_path / "evil").exists()


def encrypt(data):
    """Say of every file in a zip that it is encrypted."""
    changed = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = changed.find(mark)
        while start >= 0:
            changed[start + at] |= 1
            start = changed.find(mark, start + 1)
    return bytes(changed)


def test_a_damaged_or_encrypted_file_is_told_in_a_line(folder, tmp_path):
    path, rng = tmp_path / "b.zip", Random(3)
    back_up(folder, path)
    whole = path.read_bytes()
    bad = [b"", b"PK", b"PK\x05\x06" + bytes(18), encrypt(whole), whole[:-30], whole[: len(whole) // 2]]
    for _ in range(60):
        data = bytearray(whole)
        # The end of a zip says where everything is.
        data[len(data) - rng.randint(1, 400)] ^= 1 << rng.randint(0, 7)
        bad.append(bytes(data))
    for number, data in enumerate(bad):
        path.write_bytes(data)
        fresh = tmp_path / f"fresh{number}"
        told = CliRunner().invoke(main, ["restore", str(path), "--data", str(fresh)])
        assert isinstance(told.exception, SystemExit) or told.exit_code == 0, (number, told.exception)
        assert told.exit_code == 0 or list(fresh.iterdir()) == []


def test_the_commands(folder, tmp_path):
    backup, fresh = tmp_path / "b.zip", tmp_path / "fresh"
    made = CliRunner().invoke(main, ["backup", str(backup), "--data", str(folder)])
    assert made.output == f"4 files written to {backup}\n"
    back = CliRunner().invoke(main, ["restore", str(backup), "--data", str(fresh)])
    assert back.output == f"4 files put back into {fresh}\n"
    with sqlite3.connect(fresh / "games.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (1,)
    none = CliRunner().invoke(main, ["backup", str(backup), "--data", str(tmp_path / "nothing")])
    assert none.exit_code == 2
    assert "there is no game log" in none.output
    junk = tmp_path / "junk.zip"
    junk.write_bytes(b"junk")
    assert "is not a backup" in CliRunner().invoke(main, ["restore", str(junk), "--data", str(tmp_path / "x")]).output


def crash(folder, after=lambda: None):
    """A run that fails; how many did so before it."""
    with suppress(RuntimeError), starting(folder) as start:
        after()
        raise RuntimeError
    return start.crashes


def test_crashes_in_a_row_are_counted_and_a_good_end_forgets_them(tmp_path):
    with starting(tmp_path) as start:
        assert (start.crashes, start.is_safe) == (0, False)
    assert [crash(tmp_path) for _ in range(SAFE_AFTER)] == [*range(SAFE_AFTER)]
    with starting(tmp_path) as start:
        assert start.is_safe
    with starting(tmp_path) as start:
        assert start.crashes == 0


def test_a_card_that_made_itself_read_only_is_told_with_what_to_do(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("companion.capture.startup.write_through", refuse)
    with pytest.raises(GameLogError, match=r"starting in .* failed: Read-only file system; \w+"), starting(tmp_path):
        pass


def test_being_stopped_is_no_crash(tmp_path):
    with pytest.raises(KeyboardInterrupt), starting(tmp_path):
        raise KeyboardInterrupt
    with starting(tmp_path) as start:
        assert start.crashes == 0


def test_a_run_that_went_well_for_long_begins_to_count_anew(tmp_path):
    crash(tmp_path)
    crash(tmp_path)
    assert crash(tmp_path, after=lambda: went_well(tmp_path)) == 2
    with starting(tmp_path) as start:
        assert start.crashes == 1


def test_a_power_cut_while_it_was_written_counts_as_one(tmp_path):
    (tmp_path / RUNNING).write_bytes(b'{"cra')
    with starting(tmp_path) as start:
        assert start.crashes == 1
