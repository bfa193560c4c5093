"""Between two looks at a board: what its score can have gained, where nobody saw the moves.

An edition that can tell has `stretches`. Boards are parts of Tables, wholly known: where a photograph leaves a cell
open, the caller asks about each board that it may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.score import Gain, ScoreLine
from engine.state import Setup
from engine.table import Part


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is known of the time between two looks at one board."""

    rounds: int
    """How many rounds were scored in between."""
    drafted: bool = False
    """Whether at the first look everything of its round had been taken, but not yet scored."""
    fresh: bool = False
    """Whether at the second look a round has just been scored, and nothing of the next one was taken."""
    most_floor: int = 1_000
    """No more than so many cells of floor lines were charged."""
    rich: bool = False
    """Whether the score was so high at the first look that no cost in between can have been forgiven."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a board may be scored if a round ends as it lies."""

    gain: Gain
    bonus: int
    """What the end of the game would bring."""
    over: bool
    """Whether this board ends the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """What an edition knows of stretches of a game."""

    gains: Callable[[Part, Part, Stretch, Setup[Any]], frozenset[Gain]]
    """Every way in which the score can have changed from one board to the other; none where one cannot follow."""
    conflicts: Callable[[Part, Part], tuple[str, ...]]
    """The cells by which one board cannot follow from the other however long it took."""
    fewest_rounds: Callable[[Part, Part], int]
    """How many rounds must have been scored in between at least."""
    taken: Callable[[Part, Part], int]
    """How many tiles went onto the board's lines in between."""
    charged: Callable[[Part], int]
    """How many things lie there that cost points when the round ends."""
    is_due: Callable[[Part], bool]
    """Whether something lies there that is scored when the round ends."""
    endings: Callable[[Part, Setup[Any]], frozenset[Ending]]
    """How the board may be scored if the round ends as it lies; itself where nothing is due."""
    explain: Callable[[Part, Part], list[ScoreLine]]
    """The points of new wall tiles, as if all had come in one round."""
    round_tiles: Callable[[Setup[Any]], int]
    """How many tiles are laid out for a round, at most."""
