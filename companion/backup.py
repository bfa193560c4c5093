"""All that is kept in the data folder, in one file, and back again."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from companion.errors import CompanionError
from companion.gamelog import GameLog
from companion.gamelog.photos import INCOMING, make_folder, sync
from companion.gamelog.store import DATABASE, PHOTOS
from companion.startup import RUNNING

MANIFEST = "backup.json"
FORMAT = 1
CHUNK = 1 << 20


class BackupError(CompanionError):
    """A backup that cannot be made or put back."""


def back_up(folder: Path, path: Path) -> int:
    """Write a data folder into one zip, while games may go on in it; how many files it holds."""
    if not (folder / DATABASE).exists():
        raise BackupError(f"there is no game log in {folder}; name its folder with --data")
    draft = path.with_name(f"{path.name}.part")
    try:
        with tempfile.TemporaryDirectory() as scratch, ZipFile(draft, "w", ZIP_DEFLATED) as archive:
            # First the database, then the photos: every photo that an event in it speaks of is then there.
            copy = Path(scratch) / DATABASE
            _copy_database(folder / DATABASE, copy)
            sums = {DATABASE: _store(archive, copy, DATABASE)}
            for file in _files(folder):
                name = file.relative_to(folder).as_posix()
                sums[name] = _store(archive, file, name)
            manifest = {"format": FORMAT, "made_at": datetime.now(UTC).isoformat(timespec="seconds"), "sha256": sums}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return len(sums)


def restore(path: Path, folder: Path) -> int:
    """Put a backup into a folder that has no games yet; all of it, checked, or nothing."""
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty; move what is in it away first, or name another with --data")
    make_folder(folder)
    # In the folder itself: a service may own that, but not the one above.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as scratch, _opened(path) as archive:
        fresh = Path(scratch)
        sums = _manifest(archive, path)
        for name, digest in sums.items():
            _take(archive, name, digest, fresh / _safe(name), path)
        with GameLog(fresh) as log:
            if log.check(thorough=False).lost:
                raise BackupError(f"{path} lacks things that its games speak of; take another backup")
        # The database comes last: without it there are no games yet.
        for entry in sorted(fresh.iterdir(), key=lambda entry: entry.name == DATABASE):
            entry.replace(folder / entry.name)
        sync(folder)
    return len(sums)


def _copy_database(source: Path, target: Path) -> None:
    """With SQLite's own means, which see one moment of a database that is written to meanwhile."""
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)


def _files(folder: Path) -> Iterator[Path]:
    """All but the database, which is copied otherwise, and what is half-written."""
    skipped = {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", RUNNING}
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
    except (KeyError, BadZipFile, zlib.error, EOFError) as error:
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
    except BadZipFile as error:
        raise BackupError(f"{path} is not a backup: {error}") from error
    with archive:
        yield archive


def _manifest(archive: ZipFile, path: Path) -> dict[str, str]:
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise BackupError(f"{path} was written by a newer companion (format {manifest['format']}); update this one")
        return dict(manifest["sha256"])
    except (KeyError, ValueError, TypeError, BadZipFile) as error:
        raise BackupError(f"{path} is not a backup: it holds no usable {MANIFEST}") from error


def _safe(name: str) -> PurePosixPath:
    """A name in a zip, which anybody may have written, as a path that stays in its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise BackupError(f"the backup holds {name!r}, which would be written elsewhere; it is not used")
    return path
