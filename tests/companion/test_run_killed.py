"""`azul run` killed at random moments, as a power cut or the system would: the real program, camera, networks and log.

A kill falls anywhere: while it starts, while it looks, inside a write. `AZUL_RUN_KILLS` says how many times.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

from companion.gamelog import GameLog, PhotoRead, Record

KILLS = int(os.environ.get("AZUL_RUN_KILLS", "3"))
LONGEST_S = 15.0
"""From its start a run is killed after up to so long: some get no farther than loading, others log several moves."""
PATIENCE_S = 300.0
AZUL = Path(sys.executable).with_name("azul")


def run(folder: Path, game: str, patience_s: float, lines: int | None = None) -> list[str]:
    """Follow a simulated game until killed: after a time, or at once after so many lines; what it had said."""
    command = [
        AZUL,
        "run",
        "--camera",
        "simulated",
        "--seed",
        "5",
        "--data",
        folder,
        *(["--game", game] if game else []),
    ]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as program:
        timer = threading.Timer(patience_s, program.kill)
        timer.start()
        said = []
        assert program.stdout
        for line in program.stdout:
            said.append(line)
            if len(said) == lines:
                program.kill()
        timer.cancel()
    return said


def events(said: list[str]) -> set[int]:
    """The numbers of the events that were told."""
    return {int(told[1]) for line in said if (told := re.match(r" *(\d+)  \S", line))}


def check(folder: Path, told: set[int]) -> tuple[str, int]:
    """See that all that was told is there and sound; the game, and how many of its events count."""
    with GameLog(folder) as log:
        assert not log.check().lost
        games = log.games()
        if not games:
            assert not told
            return "", 0
        (game,) = games
        folded = game.refresh()
        assert told <= set(folded.events)
        assert not folded.stranded
        for entry in game.entries():
            if isinstance(entry.event, PhotoRead | Record) and entry.photo:
                assert log.read_photo(entry.photo)
        return game.id, len(folded.live)


def test_killed_at_any_moment_it_goes_on_where_it_stood(tmp_path):
    rng, told, game = Random(3), set[int](), ""
    # The first run is sure to have begun a game and logged something.
    told |= events(run(tmp_path, game, PATIENCE_S, lines=3))
    game, live = check(tmp_path, told)
    assert live
    for _ in range(KILLS):
        told |= events(run(tmp_path, game, rng.uniform(0, LONGEST_S)))
        same, now = check(tmp_path, told)
        assert same == game
        assert now >= live, "nothing that counted is undone by being killed"
        live = now
    # And one that is left alone for a while goes on with the game.
    told |= events(run(tmp_path, game, PATIENCE_S, lines=4))
    assert check(tmp_path, told)[1] > live
