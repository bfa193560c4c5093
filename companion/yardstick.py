"""Work that is the same on every machine: what others are measured by."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Picture

SIDE = 512
TIMES = 10
"""One product is too short to be timed."""


def decoded(jpeg: bytes) -> Picture:
    """A JPEG decoded with OpenCV, which knows one core only."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def product() -> Callable[[], None]:
    """What multiplies matrices as networks do: by the same library, on one core, `TIMES` times."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(_network(), options, providers=["CPUExecutionProvider"])
    matrix = np.linspace(-1, 1, SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)

    def multiply() -> None:
        for _ in range(TIMES):
            session.run(None, {"a": matrix, "b": matrix})

    return multiply


def _network() -> bytes:
    """A network that is nothing but one product, in ONNX's own bytes: what writes such files is only there to train."""
    floats = _part(2, _part(1, _part(1, 1)))
    a, b, c = (_part(1, name) + floats for name in (b"a", b"b", b"c"))
    node = _part(1, b"a") + _part(1, b"b") + _part(2, b"c") + _part(4, b"MatMul")
    graph = _part(1, node) + _part(2, b"product") + _part(11, a) + _part(11, b) + _part(12, c)
    return _part(1, 8) + _part(8, _part(2, 13)) + _part(7, graph)


def _part(number: int, value: bytes | int) -> bytes:
    """A field of a protocol buffer; all of ours are short."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    return bytes([number << 3 | 2, len(value)]) + value


def peak_mb() -> float:
    """The most memory that this program has used.

    Linux's own count is asked first: the usual one begins with what the program that started this one had.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = next((line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:")), "")
        if peak:
            return int(peak.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
