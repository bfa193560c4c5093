"""Killed, cut off, out of room: whatever was said to be logged is there afterwards, and the game goes on.

What each test can show: a kill shows that an event is whole or absent, not that it is on the disk, since the system
still writes what a killed program handed it. `test_a_torn_disk…` puts together the files that a power cut may leave, by
the order in which SQLite says it writes. `test_a_real_power_cut…` looks at what really is on a disk at that moment: a
file system in a file holds only what was synced. It needs the right to mount one.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

import pytest

from companion.gamelog import GameLog, GameLogError, Note, Photo, PhotoRead
from engine import parse_start

WRITER = Path(__file__).with_name("gamelog_writer.py")
KILLS = int(os.environ.get("AZUL_KILLS", "25"))
SECTOR = 512
Mounted = Callable[..., AbstractContextManager[Path]]
IMAGE_BYTES = 48_000_000
START = parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')


class Writer:
    """The program that logs, one task at a time."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, str(WRITER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.pid = 0

    def begin(self, *task: object) -> None:
        self.tell(*task)
        self.pid = int(self.read().removeprefix("pid "))

    def tell(self, *words: object) -> None:
        assert self._program.stdin
        self._program.stdin.write(" ".join(map(str, words)) + "\n")

    def read(self) -> str:
        assert self._program.stdout
        line = self._program.stdout.readline()
        assert line, "the writer has ended"
        return line.strip()

    def rest(self) -> list[str]:
        """What the task still says until it is done."""
        return list(iter(self.read, "done"))

    def kill(self) -> list[int]:
        """Kill the task; the numbers it had said."""
        os.kill(self.pid, signal.SIGKILL)
        return numbers(self.rest())

    def close(self) -> None:
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.close()
        self._program.wait(10)
        self._program.stdout.close()


@pytest.fixture(scope="module")
def writer() -> Iterator[Writer]:
    writer = Writer()
    yield writer
    writer.close()


def numbers(lines: list[str]) -> list[int]:
    return [int(line.removeprefix("n ")) for line in lines if line.startswith("n ")]


def check(folder: Path, said: int) -> int:
    """See that everything up to a number is there and sound; the number of the last event."""
    with GameLog(folder) as log:
        assert not log.check().lost
        games = log.games()
        if not games:
            assert said == 0
            return 0
        entries = games[0].entries()
        assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= said
        assert games[0].refresh().stranded == ()
        return len(entries)


def test_killed_at_any_moment_nothing_said_is_lost(writer, tmp_path):
    rng, said = Random(7), 0
    for _ in range(KILLS):
        writer.begin("run", tmp_path)
        for _ in range(rng.randint(0, 5)):
            said = int(writer.read().removeprefix("n "))
        time.sleep(rng.uniform(0, 0.02))
        said = max([said, *writer.kill()])
        last = check(tmp_path, said)
        assert last - said <= 1, "only the event being logged was not yet said"
        said = last
    assert said > KILLS


def test_killed_while_the_first_database_is_made(writer, tmp_path):
    for i in range(8):
        folder = tmp_path / str(i)
        writer.begin("run", folder)
        time.sleep(i * 0.01)
        check(folder, max(writer.kill(), default=0))


@pytest.mark.parametrize("kind", ["photo", "note"])
def test_out_of_room_the_event_is_refused_and_the_game_goes_on(writer, tmp_path, kind):
    writer.begin("full", tmp_path, kind)
    lines = writer.rest()
    (error,) = [line for line in lines if line.startswith("error ")]
    assert "logging an event" in error
    assert "room" in error
    assert numbers(lines) == list(range(2, len(lines) + 1)), "the number of the refused event was given to the next one"
    assert check(tmp_path, len(lines)) == len(lines)
    assert not list((tmp_path / "photos").glob("incoming/*"))


# ------------------------------------------------------------------------------------------- power cuts


def mixed(old: bytes, new: bytes, rng: Random) -> bytes:
    """What a disk may hold when some sectors of a file were written and others not yet."""
    size = rng.choice([len(old), len(new), rng.randint(min(len(old), len(new)), max(len(old), len(new)))])
    share = rng.choice([0.1, 0.5, 0.9])
    parts = []
    for at in range(0, size, SECTOR):
        source = new if rng.random() < share else old
        parts.append(source[at : at + SECTOR].ljust(min(SECTOR, size - at), b"\0"))
    return b"".join(parts)


def restore(folder: Path, database: bytes, wal: bytes) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "games.sqlite3").write_bytes(database)
    (folder / "games.sqlite3-wal").write_bytes(wal)
    return folder


def test_a_torn_disk_has_all_that_was_said(writer, tmp_path):
    """Between two events SQLite syncs the WAL before it says so, and only then writes to the database itself."""
    rng, live, torn = Random(11), tmp_path / "live", tmp_path / "torn"
    writer.begin("step", live)
    assert writer.read() == "ready"
    files = [live / "games.sqlite3", live / "games.sqlite3-wal"]
    database, wal = (path.read_bytes() for path in files)
    moved = restarted = 0
    for said in range(60):
        writer.tell(rng.choice([20, 5_000, 150_000, 400_000]))
        assert writer.read() == f"n {said + 1}"
        new_database, new_wal = (path.read_bytes() for path in files)
        assert check(restore(torn, database, mixed(wal, new_wal, rng)), said) <= said + 1
        if new_database != database:
            moved += 1
            assert check(restore(torn, mixed(database, new_database, rng), new_wal), said + 1) == said + 1
        restarted += new_wal[:32] != wal[:32]
        database, wal = new_database, new_wal
    writer.tell("end")
    writer.rest()
    assert moved > 1, "the WAL was never moved into the database: the test shows too little"
    assert restarted > 1, "the WAL never began anew: the test shows too little"


def cut_power(writer: Writer, task: str, tmp_path: Path, rng: Random, mounted: Mounted) -> tuple[int, Path]:
    """Let the writer work on a disk, stop it anywhere, and copy what the disk has: what was said, and the copy."""
    image, copy = tmp_path / "disk", tmp_path / "copy"
    with image.open("wb") as file:
        file.truncate(IMAGE_BYTES)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)
    with mounted(image, tmp_path / "live", "-o", "loop,commit=300") as live:
        writer.begin(task, live / "data")
        said = int(writer.read().removeprefix("n "))
        time.sleep(rng.uniform(0, 0.4))
        os.kill(writer.pid, signal.SIGSTOP)
        shutil.copyfile(image, copy)
        return max([said, *writer.kill()]), copy


def test_a_real_power_cut_loses_nothing_said(writer, tmp_path, mounted):
    rng = Random(5)
    for _ in range(6):
        said, copy = cut_power(writer, "run", tmp_path, rng, mounted)
        with mounted(copy, tmp_path / "after", "-o", "loop") as after:
            check(after / "data", said)


def test_a_power_cut_would_be_noticed_where_nothing_is_synced(writer, tmp_path, mounted):
    said, copy = cut_power(writer, "careless", tmp_path, Random(5), mounted)
    with mounted(copy, tmp_path / "after", "-o", "loop") as after:
        assert said > 0
        assert not (after / "data" / "games.sqlite3").exists() or lost(after / "data", said)


def lost(folder: Path, said: int) -> bool:
    with GameLog(folder) as log:
        return log.check().lost or not log.games() or len(log.games()[0].entries()) < said


def test_a_disk_that_is_really_full_or_read_only(tmp_path, mounted):
    with mounted("tmpfs", tmp_path / "small", "-t", "tmpfs", "-o", "size=600k") as folder:
        with GameLog(folder) as log:
            game = log.create(START)
            game.append(Note("before"))
            with pytest.raises(GameLogError, match="disk is full"):
                game.append(PhotoRead(), photo=Photo(bytes(2_000_000)))
            with pytest.raises(GameLogError, match="disk is full"):
                game.append(Note("x" * 900_000))
            game.append(Note("after"))
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        with pytest.raises(GameLogError, match=r"can only be read|cannot be opened"), GameLog(folder) as log:
            log.create(START)
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        assert check(folder, 2) == 2
