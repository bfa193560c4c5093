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


def run(folder: Path, game: str, patience_s: float, moves: int = 0) -> set[int]:
    """Follow a simulated game until killed: after a time, or at once after so many moves; the events it had told."""
    command = [AZUL, "run", "--camera", "simulated", "--seed", "5", "--data", folder]
    command += ["--game", game] if game else []
    told, moved = set[int](), 0
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as program:
        timer = threading.Timer(patience_s, program.kill)
        timer.start()
        assert program.stdout
        for line in program.stdout:
            if event := re.match(r" *(\d+)  (seat|the factories)?", line):
                told.add(int(event[1]))
                moved += event[2] is not None
                if moved == moves:
                    program.kill()
        timer.cancel()
    return told


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
    rng = Random(3)
    # The first run is sure to have begun a game and logged something.
    told = run(tmp_path, "", PATIENCE_S, moves=2)
    game, live = check(tmp_path, told)
    assert live >= 2
    for _ in range(KILLS):
        told |= run(tmp_path, game, rng.uniform(0, LONGEST_S))
        same, now = check(tmp_path, told)
        assert same == game
        assert now >= live, "nothing that counted is undone by being killed"
        live = now
    # And one that is left alone for a while goes on with the game.
    told |= run(tmp_path, game, PATIENCE_S, moves=1)
    assert check(tmp_path, told)[1] > live
