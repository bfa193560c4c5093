"""The program that decodes photos nobody vouches for, apart from everything else: `python -m companion.decoder`.

It takes no more memory than a limit, opens no file, and answers one request after the other: a line of JSON and the
file's bytes in, a line of JSON and bytes out. Whoever asks ends it when it takes too long.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Mapping
from typing import Any

# One thread: each more would reserve memory that counts against the limit.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import cv2
import numpy as np

from engine.text import format_words, say
from vision.errors import PhotoError
from vision.photo import decode_photo
from vision.rectify import Picture

MOST_MEMORY = 840 * 2**20
"""Addresses, of which a third is code that is never touched: the program stays below 600 MB."""
MOST_FILES = 64
QUALITY = 85
RAW = "raw"
BEYOND = (128, 128, 128)
"""The colour of what lies beyond a picture."""


def main() -> None:
    """Answer until there is nothing more to read."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cv2.setNumThreads(1)
    wanted, given = sys.stdin.buffer, sys.stdout.buffer
    while line := wanted.readline():
        request = json.loads(line)
        answer, data = _answer(request, wanted.read(request["bytes"]))
        given.write(json.dumps(answer | {"bytes": len(data)}).encode() + b"\n")
        given.write(data)
        given.flush()


def _answer(request: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes | memoryview]:
    try:
        return _decoded(request, data)
    except PhotoError as error:
        return {"error": format_words(error.words)}, b""


def _decoded(request: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes | memoryview]:
    photo = decode_photo(data, request["name"])
    height, width = photo.picture.shape[:2]
    told = {"width": width, "height": height, "focal_35mm": photo.focal_35mm}
    told |= {"taken_at": photo.taken_at.isoformat() if photo.taken_at else None}
    if request["as"] == RAW:
        return told, photo.picture.data.cast("B")
    box, width = request.get("box"), request["width"]
    if box is not None and request.get("turn"):
        return told, _jpeg(_turned(photo.picture, box, width, request["turn"]))
    return told, _jpeg(_part(photo.picture, box, width))


def _part(picture: Picture, box: list[float] | None, width: int) -> Picture:
    """A part of a picture, or all of it, no wider than asked for."""
    if box is not None:
        left, top, across, down = (round(value) for value in box)
        picture = picture[max(top, 0) : max(top + down, 1), max(left, 0) : max(left + across, 1)]
    if not picture.size:
        raise PhotoError(say("this part is out of the picture"))
    scale = width / picture.shape[1]
    if scale >= 1 and box is None:
        return picture
    size = (width, max(1, round(picture.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)


def _turned(picture: Picture, box: list[float], width: int, turn: float) -> Picture:
    """A part of a picture, turned back about its middle by so many degrees; what lies beyond the picture is grey."""
    left, top, across, down = box
    scale = across / width
    cos, sin = scale * np.cos(np.radians(turn)), scale * np.sin(np.radians(turn))
    size = (width, max(1, round(down / scale)))
    from_here = np.array([[cos, -sin], [sin, cos]])
    shift = np.array([left + across / 2, top + down / 2]) - from_here @ (np.array(size) / 2)
    how = cv2.WARP_INVERSE_MAP | (cv2.INTER_AREA if scale > 1 else cv2.INTER_CUBIC)
    placed = np.column_stack([from_here, shift])
    return np.asarray(cv2.warpAffine(picture, placed, size, flags=how, borderValue=BEYOND), np.uint8)


def _jpeg(picture: Picture) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()


if __name__ == "__main__":
    main()
