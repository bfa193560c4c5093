"""What the path of a frame costs, in units of a yardstick measured in the same run, and what that means on a Pi 4."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from time import process_time
from typing import TypeVar

import cv2
import numpy as np

from companion.exam import UNSEEN_SEEDS
from companion.pipeline import layout_of, read_picture
from companion.simulate import position_of_seed
from companion.staging import stage_table
from companion.watching import PACE_S
from engine import load
from hardware.camera import Picture, shrink
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS
from vision.gate import CALM_FRAMES, Gate
from vision.network import Models

T = TypeVar("T")

FULL_PX = (4608, 2592)
"""A picture of a Camera Module 3: the yardstick is decoding a JPEG of it with OpenCV on one core."""
JPEG_QUALITY = 92
DECODING_PI4_S = 0.33
"""Assumed for one core of a Pi 4 at 1.8 GHz: four times the 0.082 s that a core of our servers takes."""
LATENCY_S, IDLE, MEMORY_MB = 2.0, 0.1, 500.0
"""What is promised on a Pi 4 with 2 GB: from the hand leaving to the table read; of one core while nothing moves."""
STILL_S = (CALM_FRAMES + 1) * PACE_S
CAPTURE_S = 0.2
"""How long it takes, besides computing, to see that the table is still, and to expose and copy a full picture."""
WATCHED = 20
"""Previews that are timed together, since a single one is too short."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one core on this machine, and the most memory that was used."""

    decoding_s: float
    preview_s: float
    reading_s: float
    memory_mb: float

    @property
    def reading(self) -> float:
        """How many yardsticks it takes to read a table."""
        return self.reading_s / self.decoding_s

    @property
    def latency_pi4_s(self) -> float:
        """From the hand leaving to the table read, on a Pi 4."""
        return STILL_S + CAPTURE_S + self.reading * DECODING_PI4_S

    @property
    def idle_pi4(self) -> float:
        """The share of one core of a Pi 4 that looking at previews takes while nothing moves."""
        return self.preview_s / self.decoding_s * DECODING_PI4_S / PACE_S

    @property
    def is_kept(self) -> bool:
        """Whether the budget is kept."""
        return self.latency_pi4_s <= LATENCY_S and self.idle_pi4 <= IDLE and self.memory_mb <= MEMORY_MB


def measure(frames: Iterable[bytes], networks: Models, edition: str | None = None) -> Cost:
    """Read each frame twice, each time after the yardstick; the quickest counts, since other work only ever delays."""
    cv2.setNumThreads(1)
    decodings: list[float] = []
    previews: list[float] = []
    readings: list[float] = []
    for frame in (frame for frame in frames for _ in range(2)):
        picture, decoding = _timed(partial(_decoded, frame))
        _, preview = _timed(partial(_watch, Gate(), shrink(picture)))
        _, reading = _timed(partial(read_picture, picture, networks, edition))
        decodings.append(decoding)
        previews.append(preview / WATCHED)
        readings.append(reading)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Cost(min(decodings), min(previews), min(readings), memory_mb)


def full_frame(picture: Picture) -> bytes:
    """A picture as the JPEG of a full frame."""
    full = cv2.resize(picture, FULL_PX, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", full, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def rendered_frames(count: int, edition: str) -> list[bytes]:
    """Full frames of simulated tables, made by another process, whose memory is not ours."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return list(pool.map(_rendered, range(count), [edition] * count))


def _rendered(number: int, slug: str) -> bytes:
    edition, seed = load(slug), UNSEEN_SEEDS + number
    layout = layout_of(slug)
    stage = stage_table(position_of_seed(edition, seed), layout)
    return photograph(stage, layout, load_art(layout), replace(TIERS["rig"], size_px=FULL_PX), seed).jpeg


def _watch(gate: Gate, small: Picture) -> None:
    for _ in range(WATCHED):
        gate.watch(small)


def _decoded(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    """What comes of it, and the seconds of one core that it took, whatever else the machine does."""
    started = process_time()
    done = act()
    return done, process_time() - started
