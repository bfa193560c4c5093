"""All that is kept in the data folder, in one file, and back again."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from companion.capture.startup import RUNNING
from companion.errors import CompanionError
from companion.files import DAMAGED_ZIP, make_folder, sync
from companion.gamelog import GameLog
from companion.gamelog.chain import FILE as ANCHORS
from companion.gamelog.errors import telling
from companion.gamelog.photos import INCOMING
from companion.gamelog.store import DATABASE, PHOTOS

MANIFEST = "backup.json"
FORMAT = 1
SERVER_LOCK = "dashboard/server.lock"
CHUNK = 1 << 20
MOST_GROWTH = 40
"""A database shrinks to a tenth, photos not at all; a bomb to a thousandth."""
HARMLESS = 256 * 2**20
"""Bytes that any zip may grow to, such as a database from which much was deleted."""
MOST_MANIFEST = 16 * 2**20


class BackupError(CompanionError):
    """A backup that cannot be made or put back."""


class Kept(NamedTuple):
    """How many files a backup holds, and how many photos had been lost before it was made."""

    files: int
    lost: int


def back_up(folder: Path, path: Path, watch: Callable[[Sequence[Path]], Iterable[Path]] = iter) -> Kept:
    """Write a data folder into one zip, while games may go on in it; `watch` sees each file as it is written."""
    if not (folder / DATABASE).exists():
        raise BackupError(f"there is no game log in {folder}; name its folder with --data")
    if path.resolve().is_relative_to(folder.resolve()):
        raise BackupError(f"{path} would lie in {folder}, which it is a backup of; write it elsewhere")
    draft = path.with_name(f"{path.name}.part")
    try:
        # It holds keys, so it is its owner's alone. The copy of the database lies beside it: there is room there.
        with (
            os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file,
            tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as scratch,
            ZipFile(file, "w", ZIP_DEFLATED) as archive,
        ):
            # First the anchors, then the database, then the photos: each holds all that those before it speak of.
            copy = Path(scratch) / DATABASE
            sums = {}
            if (folder / ANCHORS).exists():
                sums[ANCHORS] = _store(archive, folder / ANCHORS, ANCHORS)
            _copy_database(folder / DATABASE, copy)
            sums[DATABASE] = _store(archive, copy, DATABASE)
            for kept in watch(list(_files(folder))):
                name = kept.relative_to(folder).as_posix()
                # What is gone by now is what a page was about to throw away, or a photo that a host has just deleted.
                with suppress(FileNotFoundError):
                    sums[name] = _store(archive, kept, name)
            lost = _lost_photos(copy, sums)
            made_at = datetime.now(UTC).isoformat(timespec="seconds")
            manifest = {"format": FORMAT, "made_at": made_at, "sha256": sums, "lost": lost}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    return Kept(len(sums), len(lost))


def restore(path: Path, folder: Path, watch: Callable[[Sequence[str]], Iterable[str]] = iter) -> Kept:
    """Put a backup into a folder that has no games yet; all of it, checked, or nothing; `watch` sees each file."""
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty; move what is in it away first, or name another with --data")
    make_folder(folder)
    # In the folder itself: a service may own that, but not the one above.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as scratch, _opened(path) as archive:
        fresh = Path(scratch)
        sums, lost = _manifest(archive, path)
        for name in watch(list(sums)):
            _take(archive, name, sums[name], fresh / _safe(name), path)
        with GameLog(fresh) as log:
            found = log.check(thorough=False)
            if found.database or {*found.missing, *found.damaged} - lost:
                raise BackupError(f"{path} lacks things that its games speak of; take another backup")
        # The database comes last: without it there are no games yet.
        for entry in sorted(fresh.iterdir(), key=lambda entry: entry.name == DATABASE):
            entry.replace(folder / entry.name)
        sync(folder)
    return Kept(len(sums), len(lost))


def _copy_database(source: Path, target: Path) -> None:
    """With SQLite's own means, which see one moment of a database that is written to meanwhile."""
    with (
        telling(f"copying {source}"),
        closing(sqlite3.connect(source)) as reading,
        closing(sqlite3.connect(target)) as writing,
    ):
        reading.backup(writing)


def _lost_photos(database: Path, sums: Mapping[str, str]) -> list[str]:
    """Photos that games speak of and a worn card has lost; they are named by their sums."""
    with closing(sqlite3.connect(database)) as reading:
        wanted = {name for (name,) in reading.execute("SELECT sha256 FROM photos")}
    return sorted(wanted - {digest for name, digest in sums.items() if name.startswith(f"{PHOTOS}/")})


def _files(folder: Path) -> Iterator[Path]:
    """All but the database and its anchors, which are copied otherwise, and what is half-written."""
    skipped = {SERVER_LOCK, ANCHORS, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", RUNNING}
    for file in sorted(folder.rglob("*")):
        place = file.relative_to(folder)
        if file.is_file() and place.as_posix() not in skipped and place.parts[:2] != (PHOTOS, INCOMING):
            yield file


def _store(archive: ZipFile, file: Path, name: str) -> str:
    info = ZipInfo.from_file(file, name)
    # Photos are compressed already.
    info.compress_type = ZIP_STORED if name.startswith(f"{PHOTOS}/") else ZIP_DEFLATED
    digest = sha256()
    with file.open("rb") as source, archive.open(info, "w") as target:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            target.write(chunk)
    return digest.hexdigest()


def _take(archive: ZipFile, name: str, digest: str, target: Path, path: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    found = sha256()
    try:
        with archive.open(name) as source, target.open("wb") as file:
            while chunk := source.read(CHUNK):
                found.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
    except (KeyError, *DAMAGED_ZIP) as error:
        raise BackupError(f"{name} in {path} cannot be read: {error}; take another backup") from error
    if found.hexdigest() != digest:
        raise BackupError(f"{name} in {path} is damaged; take another backup")
    info = archive.getinfo(name)
    # Keys stay readable by their owner alone.
    target.chmod((info.external_attr >> 16) & 0o700 or 0o600)


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    try:
        archive = ZipFile(path)
    except DAMAGED_ZIP as error:
        raise BackupError(f"{path} is not a backup: {error}") from error
    with archive:
        yield archive


def _manifest(archive: ZipFile, path: Path) -> tuple[dict[str, str], set[str]]:
    """The sums of all files, and the photos that were lost before."""
    _check_growth(archive, path)
    try:
        if archive.getinfo(MANIFEST).file_size > MOST_MANIFEST:
            raise ValueError("too long")
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise BackupError(f"{path} was written by a newer companion (format {manifest['format']}); update this one")
        return dict(manifest["sha256"]), set(manifest.get("lost", ()))
    except (KeyError, TypeError, AttributeError, *DAMAGED_ZIP) as error:
        raise BackupError(f"{path} is not a backup: it holds no usable {MANIFEST}") from error


def _check_growth(archive: ZipFile, path: Path) -> None:
    """Refuse a zip that would grow far more than photos and a database do: no file grows beyond what is said here."""
    grown = sum(info.file_size for info in archive.infolist())
    if grown > max(MOST_GROWTH * path.stat().st_size, HARMLESS):
        raise BackupError(f"{path} would grow to {grown} bytes, far more than a backup does: it is not unpacked")


def _safe(name: str) -> PurePosixPath:
    """A name in a zip, which anybody may have written, as a path that stays in its folder."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in name or not name.isprintable():
        raise BackupError(f"the backup holds {name!r}, which would be written elsewhere; it is not used")
    return path
