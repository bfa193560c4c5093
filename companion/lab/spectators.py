"""Many spectators of a game that is read from photos: how soon updates reach them, what they cost, what they leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from companion.dashboard.pages.stream import open_streams
from companion.dashboard.wiring import Access, Server, open_site
from companion.gamelog import Game, GameLog, Photo, PhotoRead, Record
from companion.lab.play import play_game, play_greedily
from companion.lab.staging import stage_table
from companion.pipeline import load_networks, networks_name, read_picture
from engine import OVER, Start, load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS
from vision.photo import decode_photo

ALONE = 5
"""So often the photo is read before anybody watches, and again when all have gone: other work comes and goes."""
SETTLE_S = 3.0
"""How long threads get to notice that everybody has gone."""
NAMES = ("Anna", "Boris", "Clara", "Dan")
Came = dict[int, float]


@dataclass
class Tally:
    """What was seen: when each event was logged, how long readings took, and when what came to each spectator."""

    logged_s: Came = field(default_factory=dict)
    reading_s: list[float] = field(default_factory=list)
    events_s: list[Came] = field(default_factory=list)
    photos_s: list[Came] = field(default_factory=list)

    def delays_ms(self, came: list[Came], which: set[int]) -> list[float]:
        """How long each of these events took to each spectator; what never came took for ever."""
        logged = [(n, at) for n, at in self.logged_s.items() if n in which]
        return [1000 * (_first_from(each, n) - at) for each in came for n, at in logged]


@dataclass(frozen=True)
class Report:
    """What a run came to."""

    spectators: int
    seconds: float
    events: int
    median_ms: float
    worst_ms: float
    photo_median_ms: float
    """Until the photo of a move was shown."""
    photo_worst_ms: float
    reading_alone_ms: float
    reading_watched_ms: float
    memory_before_mb: float
    memory_after_mb: float
    streams_before: int
    streams_after: int
    slowed: float
    """How much longer than on a machine of its own this program took for the same work, since others wanted it too."""

    def written(self) -> str:
        """As a JSON object."""
        return json.dumps({name: getattr(self, name) for name in self.__dataclass_fields__})


class WatchedTable:
    """A table before a camera: each move is photographed, read and logged, as in a game that is followed."""

    def __init__(self, log: GameLog) -> None:
        edition = load("azul")
        self.game = log.create(Start(edition, edition.setup("coloured", len(NAMES)), NAMES))
        self.tally, self.shown = Tally(), set[int]()
        """And the numbers of the events that brought a photo."""
        self._rng, self._networks = Random(1), load_networks()
        self._jpeg = _photographed(edition, self.game.start.setup)
        self._picture = decode_photo(self._jpeg, "the table").picture
        self._reading = self.read()

    def read(self) -> dict[str, Any]:
        """Read the photo, and take the time."""
        began = time.perf_counter()
        reading = read_picture(self._picture, self._networks, "azul").table
        self.tally.reading_s.append(time.perf_counter() - began)
        return reading

    def play(self, seconds: float, pause_s: float) -> None:
        """Play one move after the other."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.read()
            # What follows the picture in the file makes it another photo, that looks the same.
            photo = Photo(self._jpeg + str(self.game.folded.last).encode())
            self.shown.add(self._log(self.game.append(PhotoRead(self._reading, networks_name()), "camera", photo).n))
            self._log(self._move())
            time.sleep(pause_s)

    def _move(self) -> int:
        """Log a move; a game that is over is taken back by one."""
        edition, state = self.game.start.edition, self.game.refresh().state
        if state.phase == OVER:
            return self.game.undo().n
        chance = edition.awaits_chance(state)
        move = edition.deal(state, self._rng.sample) if chance else play_greedily(edition, state, self._rng)
        return self.game.append(Record(edition.format_event(move)), "camera").n

    def _log(self, n: int) -> int:
        self.tally.logged_s[n] = time.monotonic()
        return n


def measure(folder: Path, spectators: int, seconds: float, pause_s: float) -> Report:
    """Let so many watch a game for so long, a move every so often."""
    with open_site(folder) as site:
        table = WatchedTable(site.log)
        # As through a proxy, so that each spectator has an address of its own.
        server = Server(site, "127.0.0.1", 0, access=Access(proxy="127.0.0.1"))
        server.start()
        try:
            return _watched(table, server.port, spectators, seconds, pause_s)
        finally:
            server.close()


def _watched(table: WatchedTable, port: int, spectators: int, seconds: float, pause_s: float) -> Report:
    streams_before, tally = open_streams(), table.tally
    alone, spent_s = _readings(table)
    with _spectators(table.game, port, spectators, tally):
        # What is made once (catalogues, templates) is no leak.
        table.play(min(seconds / 5, 20.0), pause_s)
        memory_before = _memory_mb()
        table.play(seconds, pause_s)
        memory_after = _memory_mb()
    watched = tally.reading_s
    time.sleep(SETTLE_S)
    later, later_spent_s = _readings(table)
    alone, spent_s = alone + later, spent_s + later_spent_s
    delays = tally.delays_ms(tally.events_s, {*tally.logged_s})
    photos = tally.delays_ms(tally.photos_s, table.shown)
    return Report(
        spectators,
        seconds,
        len(tally.logged_s),
        round(median(delays), 1),
        round(max(delays), 1),
        round(median(photos), 1),
        round(max(photos), 1),
        round(1000 * median(alone), 1),
        round(1000 * median(watched), 1),
        round(memory_before, 1),
        round(memory_after, 1),
        streams_before,
        open_streams(),
        round(max(sum(alone) / spent_s, 1.0), 2),
    )


def _readings(table: WatchedTable) -> tuple[list[float], float]:
    """How long reading takes while nobody watches, and how much of a processor all of it took."""
    table.tally.reading_s, began = [], time.process_time()
    for _ in range(ALONE):
        table.read()
    spent_s = time.process_time() - began
    found, table.tally.reading_s = table.tally.reading_s, []
    return found, spent_s


@contextmanager
def _spectators(game: Game, port: int, count: int, tally: Tally) -> Iterator[None]:
    """So many open pages, in a program of their own as on devices of their own; closed at the end as tabs are."""
    command = [sys.executable, "-m", "companion.lab.crowd", str(port), game.id, str(count)]
    # Our own program, by our own interpreter.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:  # noqa: S603
        if crowd.stdout is None or crowd.stdout.readline() != "ready\n":
            raise RuntimeError("the spectators could not come in")
        yield
        told, _ = crowd.communicate()
    for browser in json.loads(told):
        tally.events_s.append(dict(browser["events"]))
        tally.photos_s.append(dict(browser["photos"]))


def _photographed(edition: Any, setup: Any) -> bytes:
    """A photo of a table with much on it."""
    state = edition.start(setup)
    for move, _ in zip(play_game(edition, setup, play_greedily, Random(4)), range(60), strict=False):
        state = edition.settle(edition.apply(state, move))
    stage = stage_table(edition.table(state), edition.layout)
    return photograph(stage, edition.layout, load_art(edition.layout), TIERS["rig"], 1).jpeg


def _first_from(came: Came, n: int) -> float:
    """When an event came, perhaps together with a later one."""
    return min((at for number, at in came.items() if number >= n), default=float("inf"))


def _memory_mb() -> float:
    """What this program holds, where the system tells it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
