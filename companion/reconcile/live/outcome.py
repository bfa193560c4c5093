"""What a sighting comes to: moves, broken rules, a question, or nothing new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.reconcile.live.places import Seen
from engine import Edition, Layout, ScoreLine, Violation
from engine.layout import is_within
from engine.moves import Correct
from engine.text import say

Box = tuple[float, float, float, float]

LEGAL_SHOWN = 6
"""No more than so many legal moves are told instead of an illegal one."""
ROOM = 0.35
"""How much of its own size a crop shows around what it is about."""
SMALLEST_PX = 60.0
LOOSE_REACH = 0.18
"""How far around its middle a disc is cut out, as a share of a board's diagonal."""
NOTHING = "-"
"""The choice that nothing happened."""
AND = " "
"""Between the moves of one choice."""
ALSO = ","
"""Between the pieces of a heap in one, where their names have several letters."""
SEEN_OTHERWISE = say("seen otherwise since")
LOOKS_AGREE = say("later looks show it otherwise")
"""Why a cell is corrected that nobody has vouched for."""


@dataclass(frozen=True)
class Finding:
    """A rule seen to be broken: where to look in the photo, and what would have been right."""

    violation: Violation
    box: Box | None = None
    legal: tuple[str, ...] = ()
    """Moves that the rules would have allowed instead, in one-line notation."""
    since: int = 0
    """For a score that was kept wrongly: the round since which it is."""
    because: tuple[ScoreLine, ...] = ()
    """The points that make the right score."""


@dataclass(frozen=True)
class Question:
    """What cannot be told by looking: what may have happened, by how likely it is."""

    choices: Mapping[str, float]
    """Moves in one-line notation, several of one choice after each other; for a cell what may lie there."""
    seat: int = 0
    box: Box | None = None
    cell: str = ""
    """The cell that it is about, if it is about one."""


@dataclass(frozen=True)
class Bridge:
    """The game set to what lies on the table, since moves were missed: what is written down, and what stays open."""

    moves: tuple[Correct, ...]
    """Corrections after which the game stands as the table shows it."""
    state: Any
    missed: int
    """How many moves were missed, about."""
    scores: Mapping[int, Mapping[int, float]]
    """By seat the scores that are possible and how likely each is, where there are several."""
    others: tuple[tuple[Correct, float], ...] = ()
    """Other ways in which the game may stand, each as a correction with the logarithm of its weight."""


@dataclass(frozen=True)
class Outcome:
    """What happened, as far as a sighting tells."""

    undone: int = 0
    """How many of the last events were taken back on the table."""
    moves: tuple[Any, ...] = ()
    findings: tuple[Finding, ...] = ()
    question: Question | None = None
    look_again: bool = False
    """Another picture of the same moment may make it clear."""
    chance: float = 1.0
    """How likely it is that this is what happened."""
    scores: tuple[Finding, ...] = field(default=())
    """Scores on the table that are not what was earned."""
    settled: Mapping[int, int] = field(default_factory=dict)
    """By seat scores that were open, and that the score track tells now."""
    opened: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    """By seat the scores that are possible and how likely each is, where cells were set right that had scored."""
    bridge: Bridge | None = None
    """What stays open where moves were missed and the game was set to what lies on the table."""
    disputed: frozenset[tuple[int, str]] = frozenset()
    """Cells, with their seats, that people were asked about and that are still seen otherwise than the game says."""

    @property
    def is_news(self) -> bool:
        """Whether anything is to be written down."""
        return bool(self.moves or self.undone or self.settled)


def choice(edition: Edition[Any, Any], moves: tuple[Any, ...]) -> str:
    """Moves, and heaps that turned out to hold other pieces (`heap=pieces`), as one choice of a question."""
    return AND.join(_word(edition, move) for move in moves) or NOTHING


def parse_choice(edition: Edition[Any, Any], text: str) -> tuple[Any, ...]:
    """The moves of a choice; what is none raises."""
    return () if text.strip() == NOTHING else tuple(_move(edition, word) for word in text.split())


def event_of(edition: Edition[Any, Any], move: Any) -> dict[str, Any]:
    """The event of a record that a move is, or a correction."""
    if isinstance(move, Correct):
        return {"event": "correct", "seat": move.seat, "cells": dict(move.cells), "why": str(move.why)}
    return edition.format_event(move)


def _word(edition: Edition[Any, Any], move: Any) -> str:
    if isinstance(move, Correct):
        return AND.join(f"{cell}={str(held).replace(AND, ALSO)}" for cell, held in move.cells)
    return edition.format_move(move)


def _move(edition: Edition[Any, Any], word: str) -> Any:
    name, equals, value = word.partition("=")
    if equals and ":" not in name:
        told = value.replace(ALSO, AND) if edition.layout.has_heap(name) or not value.isdecimal() else int(value)
        return Correct(0, ((name, told),), SEEN_OTHERWISE)
    return edition.parse_move(word)


def findings_of(edition: Edition[Any, Any], state: Any, move: Any, seen: Seen) -> tuple[Finding, ...]:
    """The rules that a move breaks, with where to look and what would have been legal."""
    broken = edition.violations(state, move)
    legal = tuple(map(edition.format_move, legal_instead(edition, state, move))) if broken else ()
    layout = edition.layout
    return tuple(
        Finding(violation, box_of(seen, layout, violation.seat, violation.cell), legal) for violation in broken
    )


def legal_instead(edition: Edition[Any, Any], state: Any, move: Any) -> list[Any]:
    """The legal moves most like an illegal one: those that agree with it in most respects."""
    wanted = _respects(move)
    by_likeness = sorted(
        edition.legal_moves(state),
        key=lambda other: -sum(a == b for a, b in zip(_respects(other), wanted, strict=False)),
    )
    return by_likeness[:LEGAL_SHOWN]


def _respects(move: Any) -> list[Any]:
    return [type(move), *(getattr(move, name) for name in getattr(move, "__match_args__", ()))]


def box_of(seen: Seen, layout: Layout, seat: int, cell: str) -> Box | None:
    """Where in the picture to look: a cell or zone of a board, a disc, or the board; None for what is out of view."""
    heap, _, number = cell.partition(".")
    if layout.numbered_heap and heap == layout.numbered_heap.name and number.isdigit():
        return _around_disc(seen, int(number))
    if layout.free_heap and heap == layout.free_heap.name:
        return _around([disc.centre_px for disc in seen.discs.values()]) if seen.discs else None
    board = seen.boards.get(seat)
    if board is None:
        return None
    named = [each for each in layout if is_within(each.name, cell)] if cell else []
    if not named:
        return _around([(float(x), float(y)) for x, y in board.located.corners_px], 0.0)
    half = max(each.size_mm for each in named) / 2
    spots = [(each.x_mm + dx, each.y_mm + dy) for each in named for dx in (-half, half) for dy in (-half, half)]
    return _around([(float(x), float(y)) for x, y in board.pose.project(np.array(spots))])


def _around_disc(seen: Seen, number: int) -> Box | None:
    disc = seen.discs.get(number)
    if disc is None or not seen.boards:
        return None
    corners = next(iter(seen.boards.values())).located.corners_px
    reach = LOOSE_REACH * float(np.linalg.norm(corners[2] - corners[0]))
    x, y = disc.centre_px
    return _around([(x - reach, y - reach), (x + reach, y + reach)], 0.0)


def _around(spots: list[tuple[float, float]], room: float = ROOM) -> Box:
    low, high = np.min(spots, axis=0), np.max(spots, axis=0)
    size = np.maximum((high - low) * (1 + 2 * room), SMALLEST_PX)
    left, top = (low + high - size) / 2
    return round(float(left), 1), round(float(top), 1), round(float(size[0]), 1), round(float(size[1]), 1)
