"""Photos that nobody vouches for, decoded by a program of its own that may fail without harm."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from datetime import datetime
from typing import IO, Any

import numpy as np

from companion import decoder
from engine.text import parse_words, say
from vision.errors import PhotoError
from vision.photo import MOST_BYTES, DecodedPhoto, shown_name

TIMEOUT_S = 30.0
"""A photo that takes longer than this is no photo."""
MOST_ANSWERS = 200
"""After so many photos the program is started anew, so that what it may have lost track of is gone."""


class Decoder:
    """The program that decodes, started when it is needed."""

    def __init__(self) -> None:
        self.turn = threading.RLock()
        """Held while the program is at work."""
        self._program: subprocess.Popen[bytes] | None = None
        self._answers = 0

    def decode(self, data: bytes, name: str) -> DecodedPhoto:
        """The picture in a file's bytes."""
        told, pixels = self.ask({"as": decoder.RAW}, data, name)
        picture = np.frombuffer(pixels, np.uint8).reshape(told["height"], told["width"], 3)
        taken_at = datetime.fromisoformat(told["taken_at"]) if told["taken_at"] else None
        return DecodedPhoto(picture, told["focal_35mm"], taken_at)

    def close(self) -> None:
        """End the program."""
        with self.turn:
            self._end()

    def ask(self, request: dict[str, Any], data: bytes, name: str) -> tuple[dict[str, Any], bytes]:
        """What is told of a photo, and the picture as the request wants it."""
        if len(data) > MOST_BYTES:
            most = MOST_BYTES // 2**20
            raise PhotoError(
                say("{name} has more than {most} MB: send a smaller one", name=shown_name(name), most=most)
            )
        with self.turn:
            program = self._running()
            try:
                told, answer = _talk(program, request | {"name": name, "bytes": len(data)}, data)
            except (OSError, EOFError, ValueError) as error:
                self._end()
                told_why = say("{name} could not be decoded within bounds: send another photo", name=shown_name(name))
                raise PhotoError(told_why) from error
            self._answers += 1
        if "error" in told:
            raise PhotoError(parse_words(told["error"]))
        return told, answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._answers >= MOST_ANSWERS:
            self._end()
        if self._program is None:
            command = [sys.executable, "-m", "companion.decoder"]
            # Our own program, by our own interpreter; what it is sent is only ever data.
            self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
            self._answers = 0
        return self._program

    def _end(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program.communicate()
            self._program = None


def _talk(program: subprocess.Popen[bytes], request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Send a request and wait for its answer, but not for ever."""
    if program.stdin is None or program.stdout is None:
        raise EOFError
    program.stdin.write(json.dumps(request).encode() + b"\n" + data)
    program.stdin.flush()
    lines = _Reader(program.stdout, time.monotonic() + TIMEOUT_S)
    told = json.loads(lines.line())
    return told, lines.exactly(told["bytes"])


class _Reader:
    """Reads from a pipe until a moment in time."""

    def __init__(self, pipe: IO[bytes], until: float) -> None:
        self._handle, self._until = pipe.fileno(), until
        self._read = bytearray()

    def line(self) -> bytes:
        """Up to the next end of a line."""
        while b"\n" not in self._read:
            self._more()
        line, _, rest = bytes(self._read).partition(b"\n")
        self._read = bytearray(rest)
        return line

    def exactly(self, count: int) -> bytes:
        """So many bytes."""
        while len(self._read) < count:
            self._more()
        return bytes(self._read)

    def _more(self) -> None:
        left = self._until - time.monotonic()
        if left <= 0 or not select.select([self._handle], [], [], left)[0]:
            raise TimeoutError("the decoder does not answer")
        part = os.read(self._handle, 1 << 20)
        if not part:
            raise EOFError("the decoder ended")
        self._read += part
