"""Notices that the light has become another one than that in which exposure and focus were measured."""

from __future__ import annotations

import time
from collections.abc import Callable

from hardware.camera import Picture

DARK, WHITE = 20.0, 235.0
"""Mean brightness beyond which nothing can be told apart: the lamp was switched off, or on."""
LASTING_S = 3.0
"""How long it must last: a hand before the lens is no change of light."""
STRIDE = 8


class LightWatch:
    """Compares the light with what it was when it was measured: dark, fine or white all over."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._measured: str | None = None
        self._since_s: float | None = None

    def has_changed(self, picture: Picture) -> bool:
        """Whether to measure anew; then the next picture is what later ones are compared with."""
        light = _light(picture)
        if self._measured is None:
            self._measured = light
        if light == self._measured:
            self._since_s = None
            return False
        now_s = self._now()
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s < LASTING_S:
            return False
        self._measured = self._since_s = None
        return True


def _light(picture: Picture) -> str:
    brightness = float(picture[::STRIDE, ::STRIDE].mean())
    return "dark" if brightness < DARK else "white" if brightness > WHITE else "fine"
