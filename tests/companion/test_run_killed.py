"""`azul run` killed at random moments, as a power cut or the system would: the real program, camera, networks and log.

A kill falls anywhere: while it starts, while it looks, and every other one while the log is being written to, since
writes are too short to be hit by chance. A power cut leaves only what was synced: a file system in a file is copied
while the program is stopped. `AZUL_RUN_KILLS` and `AZUL_RUN_CUTS` say how many; what they hit is logged
(`--log-cli-level INFO`).
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

from companion.gamelog import Entry, Game, GameLog, PhotoRead
from companion.narration import narrate_entry, narrate_scores
from engine import OVER

KILLS = int(os.environ.get("AZUL_RUN_KILLS", "6"))
CUTS = int(os.environ.get("AZUL_RUN_CUTS", "2"))
MOST_LINES = 4
"""A run is killed after it told up to so many lines (none while it starts, the game, then its moves) and a while."""
LONGEST_S = 2.0
WRITE_S = 0.012
"""From the first sign of a write it is killed within this; a photo with its event takes about as long."""
DISK_BYTES = 96_000_000
SMALL_DISK = "3m"
MOVE = re.compile(r" *\d+  (seat|the factories) ")
"""A line that tells a move or a filling, with its number; what a round scores is told without one."""
PATIENCE_S = 300.0
AZUL = Path(sys.executable).with_name("azul")
STARTING, TOLD = "nothing told yet", "events told"
WRITES = HALF, BETWEEN, UNTOLD = "photo half written", "photo logged, its event not", "event logged, not yet told"
MANY = 100
LOG = logging.getLogger(__name__)
Program = subprocess.Popen[str]


@dataclass
class Shown:
    """What runs had told by the time they were killed: for each game its events with their words."""

    events: dict[str, dict[int, str]] = field(default_factory=dict)
    logged: Counter[str] = field(default_factory=Counter)
    """How many events each game had when it was last looked at."""
    hits: Counter[str] = field(default_factory=Counter)

    def heed(self, lines: list[str]) -> None:
        """Take in what a run told."""
        self.hits[STARTING] += len(lines) <= 1
        if lines:
            told = self.events.setdefault(lines[0].removeprefix("game ").strip(), {})
            events = [(event, line) for line in lines if (event := re.match(r" *(\d+)  ", line))]
            told |= {int(event[1]): line.rstrip("\n") for event, line in events}
            self.hits[TOLD] += len(events)


def run(folder: Path, game: str, end: Callable[[Program, list[str]], None], moves: int = 0) -> list[str]:
    """Follow a simulated game until something ends it, or so many moves are told; the lines it had told."""
    command = [AZUL, "run", "--camera", "simulated", "--seed", "5", "--data", folder]
    command += ["--game", game] if game else []
    lines: list[str] = []
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as program:
        ending = threading.Thread(target=end, args=(program, lines))
        ending.start()
        assert program.stdout
        for line in program.stdout:
            lines.append(line)
            if moves and sum(MOVE.match(each) is not None for each in lines) >= moves:
                program.kill()
        program.wait()
        ending.join()
    # A line that was cut off was not told.
    return [line for line in lines if line.endswith("\n")]


def killer(folder: Path, rng: Random) -> Callable[[Program, list[str]], None]:
    def kill(program: Program, lines: list[str]) -> None:
        await_moment(program, lines, folder, rng)
        program.kill()

    return kill


def be_patient(program: Program, _lines: list[str]) -> None:
    try:
        program.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        program.kill()


def await_moment(program: Program, lines: list[str], folder: Path, rng: Random) -> None:
    """Wait for a random moment, every other time for one in which something is being written."""
    count, ends = rng.randint(0, MOST_LINES), time.monotonic() + PATIENCE_S
    while program.poll() is None and len(lines) < count and time.monotonic() < ends:
        time.sleep(0.005)
    ends = time.monotonic() + rng.uniform(0, LONGEST_S)
    while program.poll() is None and time.monotonic() < ends:
        time.sleep(0.01)
    if rng.random() < 0.5:
        before, ends = traces(folder), time.monotonic() + PATIENCE_S
        while program.poll() is None and time.monotonic() < ends and traces(folder) == before:
            time.sleep(0.0002)
        time.sleep(rng.uniform(0, WRITE_S))


def traces(folder: Path) -> tuple[object, ...]:
    """What changes as soon as the log is written to."""
    incoming, wal = folder / "photos" / "incoming", folder / "games.sqlite3-wal"
    try:
        return (*incoming.iterdir(), wal.stat().st_size, wal.stat().st_mtime_ns)
    except FileNotFoundError:
        return ()


def check(folder: Path, shown: Shown) -> tuple[str, int]:
    """See that all that was told is there in the same words, and sound; a game to go on with, and all that counts."""
    shown.hits[HALF] += bool(list((folder / "photos" / "incoming").glob("*")))
    with GameLog(folder) as log:
        assert not log.check().lost
        games = {game.id: game for game in log.games()}
        assert shown.events.keys() <= games.keys()
        for game in games.values():
            check_game(game, shown)
        going = [game.id for game in games.values() if game.folded.state.phase != OVER]
        return going[0] if going else "", sum(len(game.folded.live) for game in games.values())


def check_game(game: Game, shown: Shown) -> None:
    """See that a game has all that was told of it, one event after the other, and every photo."""
    folded, entries = game.refresh(), game.entries()
    assert not folded.stranded
    assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
    words = {entry.n: first_line(game, entry) for entry in entries}
    told = shown.events.setdefault(game.id, {})
    assert {n: words.get(n) for n in told} == told
    untold = {n: line for n, line in words.items() if line and n not in told}
    shown.hits[UNTOLD] += bool(untold)
    shown.hits[BETWEEN] += len(entries) > shown.logged[game.id] and is_photo(entries[-1])
    shown.logged[game.id] = len(entries)
    # It is there for good, told or not.
    told |= untold
    for entry in entries:
        if entry.photo:
            assert game.log.read_photo(entry.photo)


def first_line(game: Game, entry: Entry) -> str:
    """The line of an event that has its number."""
    scores = (f"{entry.n:4}  {line}" for line in narrate_scores(game.start, entry))
    return next(chain(narrate_entry(game.start, game.folded, entry), scores), "")


def is_photo(entry: Entry) -> bool:
    return isinstance(entry.event, PhotoRead)


def test_killed_at_any_moment_it_goes_on_where_it_stood(tmp_path):
    rng, shown, game, live = Random(3), Shown(), "", 0
    for _ in range(KILLS):
        shown.heed(run(tmp_path, game, killer(tmp_path, rng)))
        game, now = check(tmp_path, shown)
        assert now >= live, "nothing that counted is undone by being killed"
        live = now
    # And one that is left alone for a while goes on with the game.
    shown.heed(run(tmp_path, game, be_patient, moves=2))
    assert check(tmp_path, shown)[1] >= live + 2
    assert KILLS < MANY or shown.hits[STARTING] < 0.7 * KILLS, "hardly anything was told: the test shows too little"
    assert KILLS < MANY or min(shown.hits[hit] for hit in WRITES) > 0, "no write was hit: the test shows too little"
    LOG.info("%d kills, %d events count in %d games: %s", KILLS, live, len(shown.events), dict(shown.hits))


def test_a_power_cut_loses_nothing_that_was_told(tmp_path, mounted):
    rng, shown, image, copy = Random(4), Shown(), tmp_path / "disk", tmp_path / "copy"
    with image.open("wb") as file:
        file.truncate(DISK_BYTES)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)

    def cut(program: Program, lines: list[str]) -> None:
        await_moment(program, lines, live / "data", rng)
        program.send_signal(signal.SIGSTOP)
        shutil.copyfile(image, copy)
        program.kill()

    with mounted(image, tmp_path / "live", "-o", "loop,commit=300") as live:
        shown.heed(run(live / "data", "", be_patient, moves=2))
        game, count = check(live / "data", shown)
        for _ in range(CUTS):
            shown.heed(run(live / "data", game, cut))
            with mounted(copy, tmp_path / "after", "-o", "loop") as after:
                game, now = check(after / "data", shown)
            assert now >= count
            count = now
    LOG.info("%d power cuts, %d events count: %s", CUTS, count, dict(shown.hits))


def test_a_full_disk_ends_it_and_with_room_it_goes_on(tmp_path, mounted):
    shown = Shown()
    with mounted("tmpfs", tmp_path / "small", "-t", "tmpfs", "-o", f"size={SMALL_DISK}") as folder:
        shown.heed(run(folder, "", be_patient))
        game, live = check(folder, shown)
        assert live, "nothing was logged before the disk was full: the test shows too little"
        subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
        shown.heed(run(folder, game, be_patient, moves=2))
        assert check(folder, shown)[1] >= live + 2
