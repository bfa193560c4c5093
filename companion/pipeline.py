"""The path of a frame: decode, locate, rectify, read, reconcile. Every entrance takes it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import models
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.outcome import Outcome
from companion.reconcile.photo import to_table
from companion.telemetry import disable_telemetry
from engine import Layout, Text, load
from vision.errors import UnreadableEditionError
from vision.look import look
from vision.network import Models, editions_of, load_manifest, load_models, unreadable
from vision.photo import decode_photo
from vision.pose import Array
from vision.rectify import Picture
from vision.sighting import ALL, Sighting

MODELS_DIR = Path(models.__file__).parent
PHOTO_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
"""The endings of photo files that folders are searched for."""
MOST_CORES = 4
"""Such small networks gain nothing from more."""


@dataclass(frozen=True)
class Reading:
    """A picture, what was seen in it, and what that means."""

    picture: Picture
    sighting: Sighting
    table: dict[str, Any]
    taken_at: datetime | None = None
    """When the photo was taken, if its file says so."""


def read_photo(
    data: bytes, name: str, networks: Models, edition: str | None = None, corners_px: Sequence[Array] = ()
) -> Reading:
    """Read the file of a photo; the edition may be told, and so may where boards are."""
    start = time.perf_counter()
    photo = decode_photo(data, name)
    spent = {"decode": 1000 * (time.perf_counter() - start)}
    reading = read_picture(photo.picture, networks, edition, corners_px, photo.focal_px)
    timing = spent | reading.table["timing_ms"]
    timing["total"] = 1000 * (time.perf_counter() - start)
    rounded = {stage: round(value, 1) for stage, value in timing.items()}
    table = {"photo": name, **reading.table, "timing_ms": rounded}
    return Reading(reading.picture, reading.sighting, table, photo.taken_at)


def read_picture(
    picture: Picture,
    networks: Models,
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
) -> Reading:
    """Read a picture."""
    sighting = see_picture(picture, networks, edition, corners_px, focal_px)
    start = time.perf_counter()
    table = to_table(sighting, load(sighting.edition))
    reconcile = 1000 * (time.perf_counter() - start)
    table["timing_ms"] = {**sighting.spent_ms, "reconcile": reconcile}
    return Reading(picture, sighting, table)


def see_picture(
    picture: Picture,
    networks: Models,
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
) -> Sighting:
    """What vision sees in a picture, with no more boards than a game has players."""
    return _seated(look(picture, networks, layout_of, edition, corners_px, focal_px))


def follow_picture(
    picture: Picture, networks: Models, follower: Follower, again: bool = False, focal_px: float | None = None
) -> tuple[Sighting, Outcome]:
    """Read a picture of a game that is followed; `again` says that it shows the same moment as the one before."""
    sighting = see_picture(picture, networks, follower.edition.slug, focal_px=focal_px)
    return sighting, follower.see(sighting, again)


def _seated(sighting: Sighting) -> Sighting:
    """The sighting with no more boards than a game has players, the surest: others are something else."""
    most = max(load(sighting.edition).players)
    if len(sighting.boards) <= most:
        return sighting
    surest = sorted(range(len(sighting.boards)), key=lambda i: -sighting.boards[i].located.sure)[:most]
    seats = {sighting.boards[i].seat: seat for seat, i in enumerate(sorted(surest), 1)} | {ALL: ALL}
    boards, others = (
        tuple(replace(seen, seat=seats[seen.seat]) for seen in group if seen.seat in seats)
        for group in (sighting.boards, sighting.others)
    )
    return replace(sighting, boards=boards, others=others)


@lru_cache
def layout_of(slug: str) -> Layout:
    """An edition's layout, read once."""
    return load(slug).layout


@lru_cache
def networks_name() -> str:
    """What the networks that come with the companion are called: it changes whenever one of them does."""
    return sha256((MODELS_DIR / "manifest.toml").read_bytes()).hexdigest()[:8]


@lru_cache
def readable_editions() -> tuple[str, ...]:
    """The editions that cameras and photos can be used with: those whose boards the networks know, by the manifest."""
    return editions_of(load_manifest(MODELS_DIR)["kinds"])


def why_unreadable(edition: str) -> Text | None:
    """Why no camera can follow games of an edition, and what to do instead; None where one can."""
    return unreadable(edition, readable_editions())


def refuse_unreadable(edition: str) -> None:
    """Raise an error for an edition that no camera can follow yet."""
    if why := why_unreadable(edition):
        raise UnreadableEditionError(why)


def load_networks(cores: int = 1) -> Models:
    """The networks that come with the companion; whoever waits for a single table lends them more cores."""
    disable_telemetry()
    return load_models(MODELS_DIR, cores)


def load_live_networks() -> Models:
    """The same for following a game: people wait, and between looks nothing is done."""
    return load_networks(min(MOST_CORES, os.cpu_count() or 1))
