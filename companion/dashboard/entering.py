"""Moves told by tapping: the moves that are possible, narrowed down by what was touched; no game is known here.

What a person has tapped so far is a path: `a:` and what is done, `t:` and what is touched (seat, place, kind), `d` when
that is all. Every step of it leaves fewer moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Edition, Text, Violation
from engine.entry import Act, Draw, Touch
from engine.errors import EngineError

FEWER = "-"
"""Stands in place of a piece: the heap got no more."""
LISTED = 12
"""So many moves are listed as sentences, beside what can be tapped."""
MOST_BREACHES = 60
"""So many moves that break a rule are listed."""


@dataclass(frozen=True)
class OfferedMove:
    """A move as it is offered: the move, how it is written, and the rules that it breaks."""

    move: Any
    written: str
    text: Text
    broken: tuple[Violation, ...] = ()


@dataclass(frozen=True)
class Entering:
    """How far a move is told."""

    path: tuple[str, ...]
    moves: tuple[tuple[Any, tuple[Act, ...]], ...]
    """The moves that are left, with what is touched in them."""
    at: int
    """The act that is asked for."""
    does: Text | None
    """What is done in it; None where that is the question, or nothing is left to ask."""
    chosen: tuple[Touch, ...]
    """What was touched in it."""

    @property
    def acts(self) -> list[Act]:
        """The acts that are possible now."""
        return [acts[self.at] for _, acts in self.moves if len(acts) > self.at]

    @property
    def verbs(self) -> list[Text]:
        """What can be done, where that is the question."""
        return [] if self.does else list(dict.fromkeys(act.does for act in self.acts))

    @property
    def touches(self) -> list[Touch]:
        """What can be touched next."""
        if self.does is None:
            return []
        before = Counter(self.chosen)
        return list(dict.fromkeys(touch for act in self.acts for touch in Counter(act.touches) - before))

    @property
    def may_end(self) -> bool:
        """Whether what was touched may be all of this act."""
        before = Counter(self.chosen)
        return self.does is not None and any(Counter(act.touches) == before for act in self.acts)

    @property
    def is_told(self) -> bool:
        """Whether nothing is left to ask."""
        return not self.acts

    def then(self, step: str) -> tuple[str, ...]:
        """The path with one step more."""
        return (*self.path, step)


def enter(edition: Edition[Any, Any], state: Any, moves: Iterable[Any], path: Sequence[str]) -> Entering:
    """The moves that are left after a path; none where it leads nowhere."""
    told = tuple((move, edition.acts(state, move)) for move in moves)
    now = _advanced(Entering((), told, 0, None, ()))
    for step in path:
        now = _advanced(_after(now, step))
    return now


def written(touch: Touch) -> str:
    """A touch as a step of a path."""
    return f"t:{touch.seat}:{touch.place}:{touch.kind}"


def _after(now: Entering, step: str) -> Entering:
    kind, _, value = step.partition(":")
    path, at, before = now.then(step), now.at, Counter(now.chosen)
    live = [(move, acts) for move, acts in now.moves if len(acts) > at]
    if kind == "a":
        left = [(move, acts) for move, acts in live if acts[at].does.template == value]
        return Entering(path, tuple(left), at, left[0][1][at].does if left else None, ())
    if kind == "t":
        touch = _touch(value)
        left = [(move, acts) for move, acts in live if not (before + Counter([touch])) - Counter(acts[at].touches)]
        return Entering(path, tuple(left), at, now.does, (*now.chosen, touch))
    left = [(move, acts) for move, acts in live if Counter(acts[at].touches) == before]
    return Entering(path, tuple(left), at + 1, None, ())


def _touch(value: str) -> Touch:
    seat, _, rest = value.partition(":")
    place, _, kind = rest.partition(":")
    return Touch(int(seat) if seat.isdigit() else -1, place, kind)


def _advanced(now: Entering) -> Entering:
    """On to the next thing that is a question: what all moves have in common is none."""
    while acts := now.acts:
        does = now.does or (acts[0].does if len({act.does for act in acts}) == 1 else None)
        if does is None:
            return now
        if any(Counter(act.touches) != Counter(now.chosen) for act in acts) or len(acts) < len(now.moves):
            return Entering(now.path, now.moves, now.at, does, now.chosen)
        now = Entering(now.path, now.moves, now.at + 1, None, ())
    return now


def offered(edition: Edition[Any, Any], state: Any, now: Entering, judged: bool) -> list[OfferedMove]:
    """The moves that are left as sentences; judged, each with the rules that it breaks."""
    found = []
    for move, _ in now.moves[: MOST_BREACHES if judged else None]:
        broken = tuple(edition.violations(state, move)) if judged else ()
        if _is_possible(edition, state, move):
            found.append(OfferedMove(move, edition.format_move(move), edition.describe(move), broken))
    return found


def _is_possible(edition: Edition[Any, Any], state: Any, move: Any) -> bool:
    try:
        edition.enact(state, move)
    except EngineError:
        return False
    return True


def breaches(edition: Edition[Any, Any], state: Any) -> list[Any]:
    """What hands can do against the rules."""
    legal = set(edition.legal_moves(state))
    return [move for move in edition.pseudo_moves(state) if move not in legal]


@dataclass(frozen=True)
class ChanceEntry:
    """What chance brought, as far as it was told."""

    draws: tuple[Draw, ...]
    kinds: tuple[str, ...]
    """In the order in which they were told."""

    @property
    def heaps(self) -> list[tuple[str, ...]]:
        """What was told, heap by heap."""
        return [tuple(kind for kind in heap if kind != FEWER) for heap in self._told]

    @property
    def _told(self) -> list[list[str]]:
        """What was told of each heap: so many pieces, or fewer and a mark that these are all."""
        found, rest = [], list(self.kinds)
        for draw in self.draws:
            count = min(draw.count, rest.index(FEWER) + 1 if FEWER in rest else draw.count)
            found.append(rest[:count])
            del rest[:count]
        return found

    @property
    def at(self) -> int | None:
        """The heap that is filled next; None when all are done."""
        pairs = enumerate(zip(self.draws, self._told, strict=True))
        return next((i for i, (draw, told) in pairs if len(told) < draw.count and FEWER not in told), None)

    @property
    def left(self) -> dict[str, int]:
        """What can be drawn next, and how much of each."""
        if self.at is None:
            return {}
        pool = self.draws[self.at].pool
        pairs = zip(self.draws, self.heaps, strict=True)
        told = Counter(kind for draw, heap in pairs if draw.pool == pool for kind in heap)
        counts = Counter(pool)
        return {kind: max(0, count - told[kind]) for kind, count in counts.items()}
