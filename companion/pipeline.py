"""The path of a frame: decode, locate, rectify, read, reconcile. Every entrance takes it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Sequence
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
from vision.network import MANIFEST, Families, editions_of, family_folders, load_manifest, unreadable
from vision.photo import DecodedPhoto, decode_photo
from vision.pose import Array
from vision.rectify import Picture
from vision.scene import KnownTable
from vision.sighting import ALL, SeenSurface, Sighting

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
    data: bytes,
    name: str,
    networks: Families,
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    decode: Callable[[bytes, str], DecodedPhoto] = decode_photo,
) -> Reading:
    """Read the file of a photo; the edition may be told, and so may where boards are.

    A file that nobody vouches for is decoded by `companion.decoding`.
    """
    start = time.perf_counter()
    photo = decode(data, name)
    spent = {"decode": 1000 * (time.perf_counter() - start)}
    reading = read_picture(photo.picture, networks, edition, corners_px, photo.focal_px)
    timing = spent | reading.table["timing_ms"]
    timing["total"] = 1000 * (time.perf_counter() - start)
    rounded = {stage: round(value, 1) for stage, value in timing.items()}
    table = {"photo": name, **reading.table, "timing_ms": rounded}
    return Reading(reading.picture, reading.sighting, table, photo.taken_at)


def read_picture(
    picture: Picture,
    networks: Families,
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
    networks: Families,
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
    known: KnownTable | None = None,
) -> Sighting:
    """What vision sees in a picture, with no more boards than a game has players.

    `known` is what a look at the same table knew: what looks as it did then is not read again.
    """
    return _seated(look(picture, networks, layout_of, edition, corners_px, focal_px, known))


def follow_picture(
    picture: Picture,
    networks: Families,
    follower: Follower,
    again: bool = False,
    focal_px: float | None = None,
    known: KnownTable | None = None,
) -> tuple[Sighting, Outcome]:
    """Read a picture of a game that is followed; `again` says that it shows the same moment as the one before.

    What the look before knew is rested on only where nothing speaks against the game: another look is to tell of that.
    Boards with cards are found too unsteadily yet for that.
    """
    disc = follower.edition.layout.disc
    if again or not follower.is_settled or (disc is not None and disc.prints):
        known = None
    sighting = see_picture(picture, networks, follower.edition.slug, focal_px=focal_px, known=known)
    return sighting, follower.see(sighting, again)


def _seated(sighting: Sighting) -> Sighting:
    """The sighting with no more boards than a game has players, the surest: others are something else."""
    most = max(load(sighting.edition).players)
    if len(sighting.boards) <= most:
        return sighting
    surest = sorted(range(len(sighting.boards)), key=lambda i: -sighting.boards[i].located.sure)[:most]
    seats = {sighting.boards[i].seat: seat for seat, i in enumerate(sorted(surest), 1)} | {ALL: ALL}
    boards, others = (
        tuple(_kept_marks(seen, seats).seated(seats) for seen in group if seen.seat in seats)
        for group in (sighting.boards, sighting.others)
    )
    heaps = tuple(replace(heap, seat=seats[heap.seat]) for heap in sighting.heaps if heap.seat in seats)
    return replace(sighting, boards=boards, others=others, heaps=heaps)


def _kept_marks(seen: SeenSurface, seats: Collection[int]) -> SeenSurface:
    """A surface without the marks of seats that there are not."""
    return replace(seen, tracks={mark: reads for mark, reads in seen.tracks.items() if mark[0] in seats})


@lru_cache
def layout_of(slug: str) -> Layout:
    """An edition's layout, read once."""
    return load(slug).layout


@lru_cache
def networks_name() -> str:
    """What the networks that come with the companion are called: it changes whenever one of them does."""
    manifests = (folder / MANIFEST for folder in family_folders(MODELS_DIR))
    return sha256(b"".join(path.read_bytes() for path in manifests)).hexdigest()[:8]


@lru_cache
def readable_editions() -> tuple[str, ...]:
    """The editions that cameras and photos can be used with: the networks know their boards, as manifests say."""
    return editions_of(kind for folder in family_folders(MODELS_DIR) for kind in load_manifest(folder)["kinds"])


def why_unreadable(edition: str) -> Text | None:
    """Why no camera can follow games of an edition, and what to do instead; None where one can."""
    return unreadable(edition, readable_editions())


def refuse_unreadable(edition: str) -> None:
    """Raise an error for an edition that no camera can follow yet."""
    if why := why_unreadable(edition):
        raise UnreadableEditionError(why)


def load_networks(cores: int = 1) -> Families:
    """The networks that come with the companion; whoever waits for a single table lends them more cores."""
    disable_telemetry()
    return Families(MODELS_DIR, cores)


def load_live_networks() -> Families:
    """The same for following a game: people wait, and between looks nothing is done."""
    return load_networks(min(MOST_CORES, os.cpu_count() or 1))
