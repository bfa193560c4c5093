"""The choices of a question about moves: where each leads, and what differs between them on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.reconcile.live.outcome import parse_choice
from companion.reconcile.live.story import enact
from engine import Edition, Table, Text
from engine.errors import EngineError
from engine.moves import Correct
from engine.table import ALL, EMPTY
from engine.text import say

Spot = tuple[int, str]
"""A seat and one of its cells, or 0 and a heap of the table's middle."""
Lying = Mapping[Spot, str]
"""What lies at each spot."""
MOST_AT_ONCE = 4
"""No more choices are offered at once."""
FAR_LESS = 0.005
"""What is less likely than this share of the likeliest choice is not offered at once."""


@dataclass(frozen=True)
class Guess:
    """A move that may have been played, and the rules that it would break."""

    text: Text
    breaks: tuple[Text, ...] = ()
    instead: tuple[Text, ...] = ()
    """Other rules that it may have broken in place of those, which leads to the same."""


@dataclass(frozen=True)
class Choice:
    """One answer to a question about moves."""

    value: str
    """In one-line notation."""
    chance: float
    guesses: tuple[Guess, ...]
    """Its moves, without those that all choices have in common."""
    lying: Lying | None
    """What lies on the table afterwards; None where the game has changed so that it cannot be played any more."""
    apart: tuple[tuple[Spot, str], ...] = ()
    """What lies where afterwards, for choices whose sentences are the same otherwise."""
    state: Any = None
    """Where the game stands afterwards."""
    suspect: tuple[Spot, ...] = ()
    """Where its moves that break a rule change the table."""

    variants: tuple[Choice, ...] = ()
    """The choices that it stands for, where it stands for several."""
    is_legal: bool = False
    """Whether it can be played and breaks no rule."""


@dataclass(frozen=True)
class Offer:
    """The choices of a question, each leading elsewhere."""

    choices: tuple[Choice, ...]
    """All of them, the likeliest first."""
    likely: tuple[Choice, ...]
    """Those that are offered at once, without the moves that these have in common."""
    common: tuple[Guess, ...]
    """The moves that the likely choices have in common."""
    spots: tuple[Spot, ...]
    """Where the table differs between the likely choices."""

    @property
    def further(self) -> tuple[Choice, ...]:
        """What each likely choice stands for that stands for several, and the choices that are left."""
        variants = (each for choice in self.likely for each in choice.variants)
        return (*variants, *self.choices[len(self.likely) :])


def offer_of(edition: Edition[Any, Any], state: Any, reads: Mapping[str, float]) -> Offer:
    """The choices of a question that was asked in a state; those that lead to the same are one choice."""
    choices = _merged([_choice(edition, state, *read) for read in sorted(reads.items(), key=lambda read: -read[1])])
    likely = [each for each in choices[:MOST_AT_ONCE] if each.chance >= FAR_LESS * choices[0].chance]
    common = _common(likely)
    told = _told_apart([replace(each, guesses=_without(each.guesses, common)) for each in likely])
    return Offer(tuple(choices), tuple(told), common, _in_doubt(edition, state, likely))


def _in_doubt(edition: Edition[Any, Any], state: Any, choices: Sequence[Choice]) -> tuple[Spot, ...]:
    """Where to look: where choices differ, or where the only one breaks a rule, or else what it changes."""
    tables = [each.lying for each in choices if each.lying is not None]
    suspect = tuple({spot: None for each in choices for spot in each.suspect})
    return _differing(tables) or suspect or _differing([lying(edition, state), *tables])


def most_in_doubt(spots: Sequence[Spot]) -> Spot:
    """The board on which most cells differ, as its seat and no cell; without any the first heap, or the middle."""
    seats = [seat for seat, _ in spots if seat]
    if seats:
        return max(seats, key=seats.count), ""
    return spots[0] if spots else (ALL, "")


def played(edition: Edition[Any, Any], state: Any, move: Any) -> tuple[Guess, Any, Any]:
    """A move as a sentence, the state after it, and the same with all that the rules do by themselves."""
    breaks = () if isinstance(move, Correct) else edition.violations(state, move)
    after = enact(edition, state, move)
    guess = Guess(described(edition, move), tuple(violation.text for violation in breaks))
    return guess, after, edition.settle(after)


def described(edition: Edition[Any, Any], move: Any) -> Text:
    """A move of a choice as a sentence; a choice may also be that a heap holds other tiles."""
    if isinstance(move, Correct):
        held = "; ".join(f"{cell} {value}" for cell, value in move.cells)
        return say("other tiles lie there than were seen before: {held}", held=held)
    return edition.describe(move)


def lying(edition: Edition[Any, Any], state: Any) -> Lying:
    """What lies at every spot of the table in a state; tiles on top of others, where no cell is, cannot be told."""
    return dict(_lying(edition, edition.table(state)))


def changed_by(edition: Edition[Any, Any], state: Any, move: Any) -> tuple[Spot, ...]:
    """Where a move changes what lies on the table."""
    return _differing([lying(edition, state), lying(edition, enact(edition, state, move))])


def _lying(edition: Edition[Any, Any], table: Table) -> Iterator[tuple[Spot, str]]:
    for part in table.parts:
        yield from (((part.seat, cell), kind) for cell, kind in part.cells.items())
        heaps = ((name, kinds) for name, kinds in part.heaps.items() if edition.layout.has_heap(name))
        yield from (((part.seat, name), edition.written(kinds)) for name, kinds in heaps)


def _choice(edition: Edition[Any, Any], state: Any, value: str, chance: float) -> Choice:
    moves, guesses, after = parse_choice(edition, value), [], state
    suspect: dict[Spot, None] = {}
    for i, move in enumerate(moves):
        before = state
        try:
            guess, after, state = played(edition, state, move)
        except EngineError:
            # Something before the question was undone since; it is still what was asked.
            guesses += [Guess(described(edition, each)) for each in moves[i:]]
            return Choice(value, chance, tuple(guesses), None)
        guesses.append(guess)
        if guess.breaks:
            suspect |= dict.fromkeys(_differing([lying(edition, before), lying(edition, after)]))
    is_legal = not any(guess.breaks for guess in guesses)
    # Walls that the rules tile by themselves would differ everywhere: it is the last move that tells choices apart.
    return Choice(
        value, chance, tuple(guesses), lying(edition, after), state=state, suspect=tuple(suspect), is_legal=is_legal
    )


def _merged(choices: Sequence[Choice]) -> list[Choice]:
    """Choices that lead to the same state, or are the same moves and look the same, as one; the legal one, if any."""
    kept: list[Choice] = []
    for each in choices:
        index = next((i for i, other in enumerate(kept) if _is_same(each, other)), None)
        if index is None:
            kept.append(each)
            continue
        kept[index] = _one_of(kept[index], each)
    return sorted(kept, key=lambda each: -each.chance)


def _one_of(known: Choice, other: Choice) -> Choice:
    """Two choices that lead to the same, as one that says both; a legal one alone, since nobody is accused lightly."""
    told = replace(
        other if other.is_legal and not known.is_legal else known,
        chance=min(known.chance + other.chance, 1.0),
        variants=(*(known.variants or (known,)), other),
    )
    if told.is_legal or [each.text for each in known.guesses] != [each.text for each in other.guesses]:
        return told
    pairs = zip(known.guesses, other.guesses, strict=True)
    return replace(told, guesses=tuple(_either(one, another) for one, another in pairs))


def _either(one: Guess, other: Guess) -> Guess:
    new = tuple(text for text in other.breaks if text not in (*one.breaks, *one.instead))
    return replace(one, instead=(*one.instead, *new))


def _is_same(one: Choice, other: Choice) -> bool:
    if one.lying is None or other.lying is None:
        return False
    moves, others = ([guess.text for guess in choice.guesses] for choice in (one, other))
    looks_same = one.lying == other.lying and one.state.seat == other.state.seat
    return one.state == other.state or (looks_same and moves == others)


def _common(choices: Sequence[Choice]) -> tuple[Guess, ...]:
    if len(choices) < 2:
        return ()
    first, *others = choices
    return tuple(guess for guess in first.guesses if all(guess in other.guesses for other in others))


def _without(guesses: tuple[Guess, ...], common: tuple[Guess, ...]) -> tuple[Guess, ...]:
    return tuple(guess for guess in guesses if guess not in common)


def _differing(tables: Sequence[Lying]) -> tuple[Spot, ...]:
    if not tables:
        return ()
    spots = {spot: None for table in tables for spot in table}
    return tuple(spot for spot in spots if len({table.get(spot) for table in tables}) > 1)


def _told_apart(choices: Sequence[Choice]) -> Iterator[Choice]:
    """The choices, those with the same sentences with what would lie where."""
    for each in choices:
        alike = [other for other in choices if other.guesses == each.guesses and other.lying is not None]
        if each.lying is None or len(alike) < 2:
            yield each
            continue
        spots = _differing([other.lying for other in alike if other.lying is not None])
        yield replace(each, apart=tuple((spot, each.lying.get(spot, EMPTY)) for spot in spots))
