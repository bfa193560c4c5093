"""Work that is the same on every machine: what others are measured by."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Picture

SIDE = 512
TIMES, WHOLE = 4, 5
"""One product is too short to be timed. Of each such many are of bytes, and one of numbers with all digits: so much of
their time our networks spend on either."""
PRODUCTS = TIMES * (WHOLE + 1)


def decoded(jpeg: bytes) -> Picture:
    """A JPEG decoded with OpenCV, which knows one core only."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def product() -> Callable[[], None]:
    """What multiplies matrices as networks do: by the same library, on one core, `PRODUCTS` times."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    exact, whole = (
        onnxruntime.InferenceSession(_network(*kind), options, providers=["CPUExecutionProvider"])
        for kind in (EXACT, BYTES)
    )
    matrix = np.linspace(-1, 1, SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)
    steps = np.rint(127 * matrix).astype(np.int8)

    def multiply() -> None:
        for _ in range(TIMES):
            exact.run(None, {"a": matrix, "b": matrix})
            for _ in range(WHOLE):
                whole.run(None, {"a": steps.view(np.uint8), "b": steps})

    return multiply


EXACT, BYTES = (b"MatMul", 1, 1, 1), (b"MatMulInteger", 2, 3, 6)
"""Operations, and of what type their matrices are, as ONNX numbers them."""


def _network(operation: bytes, *types: int) -> bytes:
    """A network that is nothing but one product, in ONNX's own bytes: what writes such files is only there to train."""
    a, b, c = (
        _part(1, name) + _part(2, _part(1, _part(1, kind)))
        for name, kind in zip((b"a", b"b", b"c"), types, strict=True)
    )
    node = _part(1, b"a") + _part(1, b"b") + _part(2, b"c") + _part(4, operation)
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
