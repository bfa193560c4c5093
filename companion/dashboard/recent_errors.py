"""What went wrong last, remembered for the health page."""

from __future__ import annotations

import logging
from collections import deque

MOST = 30

_remembered: deque[str] = deque(maxlen=MOST)


class Memory(logging.Handler):
    """Remembers warnings and errors."""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember one."""
        _remembered.append(self.format(record))


def remember() -> None:
    """Begin to remember what is logged."""
    memory = Memory(logging.WARNING)
    memory.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    root = logging.getLogger()
    if not any(isinstance(handler, Memory) for handler in root.handlers):
        root.addHandler(memory)
        root.addHandler(logging.StreamHandler())


def troubles() -> list[str]:
    """What is remembered, the latest first."""
    return list(reversed(_remembered))
