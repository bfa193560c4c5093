"""Between two looks at a seat: what its score can have gained, where nobody saw the moves.

Every edition that can be told from photos taken now and then has `stretches`. The cells of a look are wholly known:
where a photograph leaves one open, the caller asks about each board that it may be. A heap of which it is not known how
much lies there is missing; of a piece in it the kind may be unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.layout import Layout
from engine.score import Gain
from engine.state import Setup
from engine.table import ALL, EMPTY, MARKER, Part, Table
from engine.text import Text


@dataclass(frozen=True)
class View:
    """What is known of a seat at one moment: what belongs to it, what belongs to all, and how far the game was."""

    part: Part
    common: Part = field(default_factory=lambda: Part(ALL))
    left: int | None = None
    """How many pieces of the round still lie there to be taken; None where that is not known."""
    scored: int | None = None
    """How many rounds were scored on this board; None in editions where that is told by other looks only."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What is known of the time between two looks at one seat."""

    rounds: int
    """How many rounds were scored in between."""
    closed: bool = False
    """Whether at the first look everything of its round had been taken, but not yet scored."""
    fresh: bool = False
    """Whether at the second look a round has just been scored, and nothing of the next one was taken."""
    most_lost: int = 1_000
    """No more than so many pieces were charged for."""
    rich: bool = False
    """Whether the score was so high at the first look that no cost in between can have been forgiven."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a board may be scored if the round ends as it lies."""

    gain: Gain
    bonus: Gain
    """What the end of the game would bring after that."""
    over: bool
    """Whether this board then shows that the game is over."""
    countable: bool = True
    """Whether the bonus may have been counted when the board lay so."""
    settled: bool = True
    """Whether nobody has a choice any more that would bring something else."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a score is what it is after a stretch, or why it is open, in words."""

    came: Text
    """What came to the board, and what that brought."""
    seen: Text | None = None
    """What was seen besides, so that the score could be counted."""
    unseen: tuple[Text, ...] = ()
    """What was not seen, so that it could not."""
    photo: Text | None = None
    """The photo that would have shown that: `one taken ...`."""


Gains = Mapping[Gain, float]
"""What can have happened to a score, each with how usual it is compared to the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """What an edition knows of stretches of a game."""

    gains: Callable[[View, View, Stretch, Setup[Any]], Gains]
    """Every way in which the score can have changed from one look to the other; none where one cannot follow."""
    conflicts: Callable[[Part, Part], tuple[str, ...]]
    """The cells by which one board cannot follow from the other however long it took."""
    reasons: Callable[[View, View, Stretch, Setup[Any], int], Reasons]
    """What is said of the score after a stretch, with which so many rounds were scored in all."""

    views: Callable[[View, Setup[Any]], Iterable[tuple[View, float]]] = lambda view, _setup: ((view, 1.0),)
    """A look with how far the game was, in every way that is possible, each with how likely it is."""
    scored_in: Callable[[Any], int | None] = lambda _state: None
    """How many rounds were scored on every board in a state; None where views of it tell."""
    told_by_all: Callable[[Any, Table, int], float] = lambda _state, _table, _rounds: 1.0
    """How well so many rounds since a state agree with what lies on the table for all: 1 for well."""
    strange: Callable[[Part, Part], int] = lambda _before, _after: 0
    """How many rows look as if one board did not follow from the other, though it may; cells may be unseen."""
    fewest_rounds: Callable[[View, View], int]
    """How many rounds must have been scored in between at least."""
    most_rounds: Callable[[View, View], int | None] = lambda _before, _after: None
    """How many rounds can have been scored in between at most; None where nothing tells."""
    usual: Callable[[View, View, int], float] = lambda _before, _after, _rounds: 1.0
    """How well so many rounds agree with what came to a board, where pieces cannot be counted: 1 for well."""
    is_due: Callable[[View], bool]
    """Whether something lies there that is scored or charged when the round ends."""

    round_tiles: Callable[[Setup[Any]], int | None]
    """How many pieces are laid out to be taken in a round, at most; None where that is not fixed."""
    taken: Callable[[View, View, Setup[Any]], int | None]
    """How many pieces were taken in between, without those that were charged for and are gone; None where nothing
    tells."""
    charged: Callable[[View, int], int] = lambda _view, _rounds: 0
    """How many pieces beyond those that are gone may be charged for in so many rounds."""
    dearest: Callable[[Stretch, Setup[Any]], int]
    """The most points that can be lost in a stretch."""
    most: Callable[[View, Setup[Any]], int]
    """The highest score that a board can have come to."""

    endings: Callable[[View, Setup[Any]], frozenset[Ending]]
    """How a board may be scored if the round ends as it lies; itself where nothing is due."""
    last_choice: Text | None = None
    """What nobody saw where a board may be scored in several ways after the last look."""
    last_photo: Text | None = None
    """When a photo of the board would show that."""
    closing: Callable[[Iterable[View], Setup[Any]], str | None]
    """The phase of a game whose last looks show that it is over; None where people still have a choice."""


def pieces_left(common: Part, layout: Layout, players: int) -> int | None:
    """How many pieces lie there to be taken; None where more or fewer heaps are in view than there should be, or
    nothing says how many."""
    shared = [heap for heap in layout.heaps if not heap.each]
    names = {name for heap in shared for name in heap.names(players)}
    if not any(heap.counts for heap in shared) or names != common.heaps.keys():
        return None
    return sum(kind != MARKER for name in names for kind in common.heaps[name])


def changed_cells(before: Part, after: Part, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The cells whose names begin so and in which something else lies than before; what was empty may be filled."""
    return tuple(
        name
        for name, kind in before.cells.items()
        if kind not in (EMPTY, after.cells.get(name, EMPTY)) and name.startswith(prefixes)
    )


def forgiving(totals: Mapping[int, float], most_after: int, least: int) -> Gains:
    """Gains by these totals where a cost may have been forgiven, nobody knows when.

    Then the score is what the last forgiven cost left and what came after it, which is anything up to `most_after`.
    """
    found = {Gain(total, least): weight for total, weight in totals.items()}
    share = min(totals.values(), default=0.0)
    return found | {Gain(NEVER_REACHED, least + after): share for after in range(most_after + 1)}


NEVER_REACHED = -100_000
"""Points with which no score reaches the least one."""
