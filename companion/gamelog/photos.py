"""Photos as files named by what is in them: whole and on the disk before anything speaks of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

INCOMING = "incoming"
"""The folder in which photos are written before they get their names."""


@dataclass(frozen=True, slots=True)
class Photo:
    """The file of a photo, and what is known of it."""

    data: bytes
    taken_at: str | None = None
    """When it was taken, as ISO 8601."""
    source: str = ""
    """The camera or the file it came from."""


class PhotoFolder:
    """A folder of photos; only one program at a time may write to it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """Where the photo of that sha256 lies."""
        return self.root / name[:2] / name[2:4] / name

    def keep(self, data: bytes) -> str:
        """Write a photo, so that a power cut after this cannot lose it; its sha256."""
        name = digest(data)
        draft, path = self.root / INCOMING / name, self.path(name)
        for folder in (draft.parent, path.parent):
            make_folder(folder)
        try:
            write_through(draft, data)
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        # The folders above may be new as well, made by somebody who got no further.
        for folder in path.parents[:4]:
            sync(folder)
        return name

    def leftovers(self) -> list[Path]:
        """Photos that were being written when a program ended."""
        return sorted((self.root / INCOMING).glob("*"))

    def names(self) -> Iterator[str]:
        """Every photo that is there."""
        return (path.name for path in self.root.glob("??/??/*"))


def digest(data: bytes) -> str:
    """What a photo is called."""
    return sha256(data).hexdigest()


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that a power cut cannot lose them."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def write_through(path: Path, data: bytes) -> None:
    """Write a file and see it onto the disk."""
    with path.open("wb") as file:
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
