"""What the path of a frame costs, in units of two yardsticks measured in the same run, and what that means on a Pi 4.

Networks are held against products of matrices, which they mostly consist of, all else against decoding a JPEG: a Pi is
further behind a server in the one than in the other. Seconds are those of one core, whatever else the machine does.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, TypeVar

import cv2
import numpy as np

from companion.capture.session import CALM_PACES, JPEG_QUALITY, Session
from companion.capture.watching import PACE_S
from companion.gamelog import GameLog
from companion.lab.exam import UNSEEN_SEEDS
from companion.lab.simulate import players_of_seed, position_of_seed
from companion.lab.staging import stage_table
from companion.lab.yardstick import PRODUCTS, decoded, peak_mb, product
from companion.pipeline import layout_of, read_picture
from engine import Start, load
from hardware.camera import Frame, Picture, shrink
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS
from vision.gate import CALM_FRAMES
from vision.network import NETWORKS, Families, Models

T = TypeVar("T")

FULL_PX = (4608, 2592)
"""A picture of a Camera Module 3."""
DECODING_PI4_S = 0.33
"""Assumed for decoding such a JPEG on one core of a Pi 4: 40 megapixels a second."""
PRODUCT_PI4_S = 0.041
"""Assumed for a product on one core. A pass of YOLO11n is 44 products of numbers with all digits on our servers (0.112
s), and is published to take 0.3 to 0.6 s on the four cores of a Pi 4, so 0.45 s. Of bytes it is taken to be no quicker
there, though on servers it is more than three times as quick: a Pi 4 has no instruction for that, unlike a Pi 5."""
NETWORK_CORES = 4
"""On how many of its cores a Pi 4 works out a network while it follows a game."""
LATENCY_S, IDLE, MEMORY_MB = 2.0, 0.1, 500.0
"""What is promised on a Pi 4 with 2 GB: from the hand leaving to the table read; of one core while nothing moves."""
CAPTURE_S = 0.35
"""At ten frames a second: half a frame until one begins, one to expose it, one until it is there, and one for the look
whether a hand has come meanwhile."""
ROUNDS = 5
"""How often each frame is read; the quickest counts, since other work only ever delays."""
STEPS = 20
"""Previews of a table at rest that are timed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one core on this machine, and the most memory that was used."""

    decoding_s: float
    product_s: float
    preview_s: float
    networks_s: float
    """What reading a table takes in networks."""
    rest_s: float
    """What it takes besides."""
    writing_s: float
    """What it takes to make the picture a file, for the log."""
    memory_mb: float

    @property
    def reading_s(self) -> float:
        """All of it, on this machine."""
        return self.networks_s + self.rest_s

    @property
    def preview_pi4_s(self) -> float:
        """What one preview takes on a Pi 4."""
        return self.preview_s / self.decoding_s * DECODING_PI4_S

    def reading_pi4_s(self, cores: int = NETWORK_CORES) -> float:
        """What reading takes on a Pi 4 that spreads networks over so many cores."""
        networks = self.networks_s / self.product_s * PRODUCT_PI4_S / cores
        return networks + self.rest_s / self.decoding_s * DECODING_PI4_S

    def latency_pi4_s(self, cores: int = NETWORK_CORES) -> float:
        """From the hand leaving to the table read."""
        still = (CALM_FRAMES + 1) * (PACE_S + self.preview_pi4_s)
        return still + CAPTURE_S + self.reading_pi4_s(cores)

    @property
    def idle_pi4(self) -> float:
        """The share of one core of a Pi 4 that looking at previews takes while nothing moves."""
        return self.preview_pi4_s / (PACE_S * CALM_PACES)

    @property
    def is_kept(self) -> bool:
        """Whether the budget is kept."""
        return self.latency_pi4_s() <= LATENCY_S and self.idle_pi4 <= IDLE and self.memory_mb <= MEMORY_MB


def measure(frames: Iterable[bytes], networks: Families, slug: str = "azul", rounds: int = ROUNDS) -> Cost:
    """Read each frame some times, each time after the yardsticks."""
    cv2.setNumThreads(1)
    multiply, clock = product(), NetworkClock()
    timed = clock.on(networks)
    costs: list[tuple[float, ...]] = []
    for frame in (frame for frame in frames for _ in range(rounds)):
        picture, decoding = _timed(partial(decoded, frame))
        _, multiplying = _timed(multiply)
        clock.spent_s = 0.0
        _, reading = _timed(partial(read_picture, picture, timed, slug))
        _, writing = _timed(partial(jpeg, picture))
        preview = _preview_s(picture, networks, slug)
        costs.append((decoding, multiplying / PRODUCTS, preview, clock.spent_s, reading - clock.spent_s, writing))
    decoding, multiplying, preview, spent, rest, writing = map(min, zip(*costs, strict=True))
    return Cost(decoding, multiplying, preview, spent, rest, writing, peak_mb())


class NetworkClock:
    """Adds up what networks take."""

    def __init__(self) -> None:
        self.spent_s = 0.0

    def on(self, networks: Families) -> Families:
        """The same networks, timed."""
        return networks.changed(self._timed)

    def _timed(self, models: Models) -> Models:
        wrapped: dict[str, Any] = {name: self._timing(getattr(models, name)) for name in NETWORKS}
        return replace(models, **wrapped)

    def _timing(self, network: Callable[..., T]) -> Callable[..., T]:
        def run(*inputs: Any) -> T:
            outputs, took = _timed(partial(network, *inputs))
            self.spent_s += took
            return outputs

        return run


class _AtRest:
    """A camera over a table on which nothing happens."""

    def __init__(self, picture: Picture) -> None:
        self._full, self._small = Frame(picture, 1, 0.0), Frame(shrink(picture), 1, 0.0)

    def preview(self) -> Frame:
        return self._small

    def capture(self) -> Frame:
        return self._full

    def close(self) -> None:
        pass


def _preview_s(picture: Picture, networks: Families, slug: str) -> float:
    """What one preview of a game that is followed takes; the few that call for a look do not count."""
    edition = load(slug)
    with TemporaryDirectory() as folder, GameLog(Path(folder)) as log:
        game = log.create(Start(edition, edition.setup(edition.sides[0], edition.players[0], 1), ()))
        session = Session(_AtRest(picture), game, networks)
        return median(_timed(session.step)[1] for _ in range(STEPS))


def full_frame(picture: Picture) -> bytes:
    """A picture as the JPEG of a full frame."""
    full = cv2.resize(picture, FULL_PX, interpolation=cv2.INTER_CUBIC)
    return jpeg(np.asarray(full, np.uint8))


def jpeg(picture: Picture) -> bytes:
    """A picture as it is kept."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def rendered_frames(count: int, edition: str) -> list[bytes]:
    """Full frames of full simulated tables, made by another process, whose memory is not ours."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return list(pool.map(_rendered, _full_tables(count, edition), [edition] * count))


def _full_tables(count: int, slug: str) -> list[int]:
    """Seeds of positions with as many players as there can be."""
    edition = load(slug)
    seeds = (seed for seed in itertools.count(UNSEEN_SEEDS) if players_of_seed(edition, seed) == max(edition.players))
    return list(itertools.islice(seeds, count))


def _rendered(seed: int, slug: str) -> bytes:
    edition, layout = load(slug), layout_of(slug)
    stage = stage_table(position_of_seed(edition, seed), layout)
    return photograph(stage, layout, load_art(layout), replace(TIERS["rig"], size_px=FULL_PX), seed).jpeg


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    """What comes of it, and the seconds of one core that it took, whatever else the machine does."""
    started = process_time()
    done = act()
    return done, process_time() - started
