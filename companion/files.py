"""The data folder; files that are whole and on the disk, or not there at all, and readable by their owner alone."""

from __future__ import annotations

import fcntl
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile

import platformdirs

OTHERS, GROUP_AND_OTHERS = 0o007, 0o077
DAMAGED_ZIP = (
    BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    OverflowError,
)
"""The errors of reading a zip that is damaged, encrypted or packed in an unusual way."""


def data_dir(named: Path | None = None) -> Path:
    """The folder of the game log and all else that is kept: the one named, or AZUL_DATA, or the user's."""
    told = named or os.environ.get("AZUL_DATA")
    return Path(told) if told else platformdirs.user_data_path("azul-companion")


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in place of the one of that name; where that fails, the old one is left as it was."""
    make_folder(path.parent)
    draft = path.with_name(f"{path.name}.new")
    try:
        write_through(draft, data)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


def keep_private(path: Path, rights: int) -> bool:
    """Take these rights to a file or folder of one's own from others; whether they had any."""
    found = path.stat()
    had = stat.S_IMODE(found.st_mode) & rights
    if had and found.st_uid == os.geteuid():
        path.chmod(stat.S_IMODE(found.st_mode) & ~rights)
    return bool(had)


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Hold a file as long as this lasts, if no other program does; whether it is held."""
    make_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that a power cut cannot lose them."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(0o700, exist_ok=True)
        sync(folder.parent)


def write_through(path: Path, data: bytes) -> None:
    """Write a file and see it onto the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """See what is in a file, or the names in a folder, onto the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
