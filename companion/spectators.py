"""Many spectators of one dashboard: how soon updates reach them, what they cost, whether they leave anything behind."""

from __future__ import annotations

import http.client
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from companion.dashboard.pages.stream import open_streams
from companion.dashboard.wiring import Server, open_site
from companion.gamelog import Game, GameLog, Record
from companion.play import play_greedily
from engine import OVER, Start, load

EVENT_ID = re.compile(rb"^id: (\d+)$")
SETTLE_S = 3.0
"""How long threads get to notice that everybody has gone."""


@dataclass
class Tally:
    """What was seen: when each event was logged, and when it came to each spectator."""

    logged_s: dict[int, float] = field(default_factory=dict)
    came_s: list[dict[int, float]] = field(default_factory=list)

    def delays_s(self) -> list[float]:
        """How long each event took to each spectator; an event that never came took for ever."""
        return [_first_from(came, n) - at for came in self.came_s for n, at in self.logged_s.items()]


@dataclass(frozen=True)
class Report:
    """What a run came to."""

    spectators: int
    seconds: float
    events: int
    median_ms: float
    worst_ms: float
    memory_before_mb: float
    memory_after_mb: float
    streams_before: int
    streams_after: int

    def written(self) -> str:
        """As a JSON object."""
        return json.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})


def measure(folder: Path, spectators: int, seconds: float, pause_s: float) -> Report:
    """Let so many watch a game for so long, an event every so often."""
    with open_site(folder) as site:
        game = _new_game(site.log)
        server = Server(site, "127.0.0.1", 0)
        server.start()
        try:
            return _watched(game, server.port, spectators, seconds, pause_s)
        finally:
            server.close()


def _watched(game: Game, port: int, spectators: int, seconds: float, pause_s: float) -> Report:
    tally, ending = Tally(), threading.Event()
    streams_before = open_streams()
    with _spectators(game, port, spectators, tally, ending):
        # What is made once (catalogues, templates) is no leak.
        _play(game, tally, min(seconds / 5, 20.0), pause_s)
        memory_before = _memory_mb()
        _play(game, tally, seconds, pause_s)
        memory_after = _memory_mb()
        time.sleep(2 * pause_s)
    time.sleep(SETTLE_S)
    delays = tally.delays_s()
    return Report(
        spectators,
        seconds,
        len(tally.logged_s),
        round(1000 * median(delays), 1),
        round(1000 * max(delays), 1),
        round(memory_before, 1),
        round(memory_after, 1),
        streams_before,
        open_streams(),
    )


@contextmanager
def _spectators(game: Game, port: int, count: int, tally: Tally, ending: threading.Event) -> Iterator[None]:
    """So many open streams, each in a thread of its own; closed at the end as tabs are."""
    ready = threading.Barrier(count + 1)
    threads = []
    for _ in range(count):
        came: dict[int, float] = {}
        tally.came_s.append(came)
        thread = threading.Thread(target=_watch, args=(game.id, port, came, ready, ending), daemon=True)
        thread.start()
        threads.append(thread)
    ready.wait(60)
    try:
        yield
    finally:
        ending.set()
        for thread in threads:
            thread.join(15)


def _watch(game: str, port: int, came: dict[int, float], ready: threading.Barrier, ending: threading.Event) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    connection.request("GET", f"/game/{game}/stream?after=0")
    lines = connection.getresponse()
    lines.readline()
    ready.wait(60)
    try:
        while not ending.is_set() and (line := lines.readline()):
            if found := EVENT_ID.match(line.rstrip(b"\n")):
                came.setdefault(int(found[1]), time.monotonic())
    except OSError:
        if not ending.is_set():
            raise
    finally:
        connection.close()


def _play(game: Game, tally: Tally, seconds: float, pause_s: float) -> None:
    """Log one event after the other; a game that is over is taken back to its beginning."""
    edition, rng = game.start.edition, Random(1)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state = game.refresh().state
        if state.phase == OVER:
            entry = game.undo()
        else:
            chance = edition.awaits_chance(state)
            move = edition.deal(state, rng.sample) if chance else play_greedily(edition, state, rng)
            entry = game.append(Record(edition.format_event(move)), "benchmark")
        tally.logged_s[entry.n] = time.monotonic()
        time.sleep(pause_s)


def _first_from(came: dict[int, float], n: int) -> float:
    """When an event came, perhaps together with a later one."""
    return min((at for number, at in came.items() if number >= n), default=float("inf"))


def _new_game(log: GameLog) -> Game:
    edition = load("azul")
    return log.create(Start(edition, edition.setup("coloured", 4), ("Anna", "Boris", "Clara", "Dan")))


def _memory_mb() -> float:
    """What this program holds, where the system tells it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
