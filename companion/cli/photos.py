"""Photos that a command reads one after the other, and pictures that it writes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cv2

from companion.cli.inputs import progress
from companion.decoding import Decoder
from companion.pipeline import Reading, read_photo
from vision.errors import VisionError
from vision.network import Families
from vision.pose import Array
from vision.rectify import Picture

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
"""The endings by which a picture's format is chosen when it is written."""


def read_photos(
    paths: Sequence[Path], networks: Families, edition: str | None = None, corners_px: Sequence[Array] = ()
) -> Iterator[tuple[Path, Reading | str]]:
    """Each photo's reading, or why there is none; such a photo gets a line, and the others are still read."""
    decoder = Decoder()
    for path in progress("reading")(paths) if len(paths) > 1 and not sys.stdout.isatty() else paths:
        try:
            data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
            read: Reading | str = read_photo(data, path.name, networks, edition, corners_px, decoder.decode)
        except VisionError as error:
            read = str(error)
        except OSError as error:
            read = f"cannot be opened: {error.strerror or error}"
        if isinstance(read, str):
            click.echo(f"azul: {path}: {read}", err=True)
        yield path, read
    decoder.close()


def save_picture(picture: Picture, path: Path) -> None:
    """Write a picture in the format that its file's ending names."""
    _, data = cv2.imencode(path.suffix.lower(), picture)
    path.write_bytes(data.tobytes())
