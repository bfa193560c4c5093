"""Photos as files named by what is in them: whole and on the disk before anything speaks of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from companion.files import make_folder, sync, write_through

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
        self._fresh: list[Path] = []
        """What was written since the last transaction began, and was not there before."""

    def path(self, name: str) -> Path:
        """Where the photo of that sha256 lies."""
        return self.root / name[:2] / name[2:4] / name

    def keep(self, data: bytes) -> str:
        """Write a photo, so that a power cut after this cannot lose it; its sha256."""
        name = digest(data)
        draft, path = self.root / INCOMING / name, self.path(name)
        for folder in (draft.parent, path.parent):
            make_folder(folder)
        if not path.exists():
            self._fresh.append(path)
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

    def begin(self) -> None:
        """Remember from here on what is new."""
        self._fresh = []

    def take_back(self) -> None:
        """Delete what is new: the transaction that was to speak of it has failed."""
        for path in self._fresh:
            path.unlink(missing_ok=True)

    def leftovers(self) -> list[Path]:
        """Photos that were being written when a program ended."""
        return sorted((self.root / INCOMING).glob("*"))

    def names(self) -> Iterator[str]:
        """Every photo that is there."""
        return (path.name for path in self.root.glob("??/??/*"))


def digest(data: bytes) -> str:
    """What a photo is called."""
    return sha256(data).hexdigest()
