"""What a game log survives: a program that logs is killed or runs out of room, its clock jumps, its files are damaged.

An event counts as told once the program that logs it has said its number. Told events that are gone afterwards are
lost; damage that a check does not notice is counted as well.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from unittest.mock import patch

from companion.gamelog import Game, GameLog, GameLogError, Note, Photo, PhotoRead
from companion.gamelog.store import DATABASE
from engine import Start, load

LONGEST_S = 0.15
"""A program is killed so long after its first event at most."""
ROOM_BYTES = 300_000
JUMPS = ("1970-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00")
EVENTS = 12
"""Logged before files are damaged."""


@dataclass
class FaultTally:
    """What became of the tries with one fault."""

    tried: int = 0
    told: int = 0
    lost: int = 0
    unnoticed: int = 0


def measure(rounds: int, seed: int) -> dict[str, FaultTally]:
    """Try each fault so often."""
    rng, tallies = Random(seed), dict[str, FaultTally]()
    with tempfile.TemporaryDirectory() as folder:
        for name, fault in FAULTS.items():
            tally = tallies.setdefault(name, FaultTally())
            for number in range(rounds):
                fault(Path(folder) / f"{name}-{number}".replace(" ", "-"), rng, tally)
                tally.tried += 1
    return tallies


def _killed(folder: Path, rng: Random, tally: FaultTally) -> None:
    _worked(folder, tally, _log_on, rng.uniform(0, LONGEST_S))


def _full(folder: Path, _rng: Random, tally: FaultTally) -> None:
    _worked(folder, tally, _log_without_room, None)


def _jumping(folder: Path, _rng: Random, tally: FaultTally) -> None:
    _worked(folder, tally, _log_while_the_clock_jumps, None)


def _worked(folder: Path, tally: FaultTally, work: Callable[[Path, Connection], None], kill_s: float | None) -> None:
    """Let a program log, kill it after a while or let it end, and see what is there of what it told."""
    forking = multiprocessing.get_context("fork")
    hear, say = forking.Pipe(duplex=False)
    program = forking.Process(target=work, args=(folder, say))
    program.start()
    say.close()
    told = 0
    try:
        told = hear.recv()
        if kill_s is not None and program.pid is not None:
            time.sleep(kill_s)
            os.kill(program.pid, signal.SIGKILL)
        while True:
            told = hear.recv()
    except EOFError:
        program.join()
    tally.told += told
    with GameLog(folder) as log:
        kept = len(_game(log).entries())
        tally.lost += max(0, told - kept)
        tally.unnoticed += kept < told and not log.check().lost
        tally.lost += log.check().lost


def _game(log: GameLog) -> Game:
    edition = load("azul")
    games = log.games()
    return games[0] if games else log.create(Start(edition, edition.setup("coloured", 2)))


def _log_on(folder: Path, say: Connection) -> None:
    with GameLog(folder) as log:
        game = _game(log)
        while True:
            photo = Photo(os.urandom(40_000)) if game.folded.last % 3 == 2 else None
            say.send(game.append(PhotoRead() if photo else Note("x" * 200), photo=photo).n)


def _log_without_room(folder: Path, say: Connection) -> None:
    with GameLog(folder) as log:
        game = _game(log)
        say.send(game.append(Note("before")).n)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM_BYTES, hard))
        try:
            while True:
                say.send(game.append(PhotoRead(), photo=Photo(os.urandom(100_000 * (1 + game.folded.last)))).n)
        except GameLogError:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        say.send(game.append(Note("after")).n)


def _log_while_the_clock_jumps(folder: Path, say: Connection) -> None:
    with GameLog(folder) as log:
        game = _game(log)
        for jump in JUMPS * 3:
            with patch("companion.gamelog.game.now", return_value=jump):
                say.send(game.append(Note("then")).n)


def _damaged(folder: Path, rng: Random, tally: FaultTally) -> None:
    """One byte of the database, its log of changes or a photo is changed; what that costs must be noticed."""
    with GameLog(folder) as log:
        game = _game(log)
        for number in range(EVENTS):
            tally.told = tally.told + 1
            game.append(PhotoRead(), photo=Photo(os.urandom(3_000))) if number % 3 == 2 else game.append(Note("y" * 99))
        before = [(entry.n, entry.event, entry.photo) for entry in game.entries()]
        torn = folder.with_name(f"{folder.name}-torn")
        shutil.copytree(folder, torn)
    files = [torn / DATABASE, torn / f"{DATABASE}-wal", *(torn / "photos").glob("??/??/*")]
    path = rng.choice([file for file in files if file.exists() and file.stat().st_size])
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    try:
        with GameLog(torn) as log:
            noticed = log.check().lost
            same = bool(log.games()) and [(e.n, e.event, e.photo) for e in log.games()[0].entries()] == before
    except GameLogError:
        noticed, same = True, False
    tally.unnoticed += not same and not noticed


FAULTS: dict[str, Callable[[Path, Random, FaultTally], None]] = {
    "killed": _killed,
    "disk full": _full,
    "clock jumps": _jumping,
    "byte changed": _damaged,
}
