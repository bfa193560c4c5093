"""A folder of photos as a camera, in the order of their names; watched, it also shows those that come later."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from engine.text import say
from hardware.camera import CameraError, Frame, NoMorePhotosError, Picture
from hardware.cameras.reel import Reel

ENDINGS = {".jpg", ".jpeg", ".png", ".webp"}


class FolderCamera:
    """Shows each photo of a folder once."""

    def __init__(self, folder: Path, watch: bool = False) -> None:
        if not folder.is_dir():
            raise CameraError(say("there is no folder {folder}; name one with photos in it, or make it", folder=folder))
        self._folder, self._watch = folder, watch
        self._seen: set[tuple[Path, int]] = set()
        self._reel = Reel(self._draw, say("no photo is in {folder} yet; put one there", folder=folder))

    def preview(self) -> Frame:
        """A small picture of the photo that is shown now; after some of them comes the next photo."""
        return self._reel.preview()

    def capture(self) -> Frame:
        """The photo of the last preview."""
        return self._reel.capture()

    def close(self) -> None:
        """Nothing is held."""

    def _draw(self) -> Picture | None:
        for look in self._looks():
            path = look[0]
            if look in self._seen:
                continue
            self._seen.add(look)
            try:
                return read_picture(path)
            except CameraError:
                if not self._watch:
                    raise
        if self._watch:
            return None
        raise NoMorePhotosError(
            say("all {count} photos in {folder} were shown", count=len(self._seen), folder=self._folder)
        )

    def _looks(self) -> list[tuple[Path, int]]:
        """Photos by name, with their sizes: one that is still being written is tried again once it has grown."""
        try:
            paths = sorted(path for path in self._folder.iterdir() if path.suffix.lower() in ENDINGS)
        except OSError as error:
            told = say(
                "{folder} cannot be read: {error}; is its disk still there?", folder=self._folder, error=error.strerror
            )
            raise CameraError(told) from error
        looks = []
        for path in paths:
            # Whoever puts photos there may also take them away, or rename them, just now.
            with suppress(FileNotFoundError):
                looks.append((path, path.stat().st_size))
        return looks


def read_picture(path: Path) -> Picture:
    """A whole picture, turned as its camera was held. Pillow, unlike OpenCV, refuses half a file."""
    try:
        with Image.open(io.BytesIO(path.read_bytes())) as photo:
            upright = ImageOps.exif_transpose(photo).convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise CameraError(
            say("{file} is not a whole picture: {error}; take it away", file=path, error=error)
        ) from error
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])
