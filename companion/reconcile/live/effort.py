"""How much one look may cost: steps are counted, not seconds, so that a game is told alike on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

MOST_STEPS = 12_000
"""No more steps than this are tried to explain one look; what they do not explain is bridged or asked about."""


class Effort:
    """The steps that may still be tried to explain a look."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def on(self, steps: Iterable[T]) -> Iterator[T]:
        """These steps one by one, as long as any may be tried."""
        for step in steps:
            if self.left <= 0:
                return
            self.left -= 1
            yield step
