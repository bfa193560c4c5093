"""What can go wrong when the engine is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.text import SpokenError, Text, Words

if TYPE_CHECKING:
    from engine.violations import Violation


class EngineError(SpokenError, ValueError):
    """The engine was called with something it cannot use."""


class EditionError(EngineError):
    """An edition, a side, a number of players or an option that does not exist."""


class NotationError(EngineError):
    """A text that is not the notation of a state or a move."""


class TableError(EngineError):
    """A JSON value that is not a Table."""


class RecordError(EngineError):
    """A line of a record that cannot be read."""


class ImpossibleMoveError(EngineError):
    """A move that no hand could make in this state."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class IllegalMoveError(EngineError):
    """A move that the rules forbid in this state."""

    def __init__(self, words: Words, violations: Sequence[Violation] = ()) -> None:
        super().__init__(words)
        self.violations = tuple(violations)
