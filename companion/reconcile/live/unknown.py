"""How a game goes on where nobody knows what happened: nobody is accused, and no move is made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.reconcile.live.choices import Choice, Spot, lying, offer_of
from companion.reconcile.live.outcome import parse_choice
from companion.reconcile.live.story import enact
from engine import Edition
from engine.errors import EngineError
from engine.moves import Correct
from engine.table import MARKER
from engine.text import Text, say

NOT_MADE_UP = 0.05
"""What is less likely than this is not taken for what happened, although nobody knows better."""
SURE = 0.985
"""So likely must it be that the table looks like this; as likely as a move must be to be written down."""
TAKEN_FOR_TRUE = say("nobody knows what happened; the likeliest that breaks no rule is taken for true")
AS_IT_LIES = say("as it lies on the table; nobody knows how that came about")
WAITING = say("nobody knows what happened; the next looks may tell")


def without_an_answer(
    edition: Edition[Any, Any], state: Any, reads: Mapping[str, float]
) -> tuple[tuple[Any, ...], Text]:
    """What is logged where nobody can answer a question about moves, and why.

    That is the likeliest explanation without a broken rule. Where every likely one breaks some rule but all leave the
    table alike, it is corrected to that, so that the game goes on and nobody is accused. Else it is nothing.
    """
    choices = offer_of(edition, state, reads).choices
    legal = next((each for each in choices if each.is_legal and each.chance >= NOT_MADE_UP), None)
    if legal is not None:
        return parse_choice(edition, legal.value), TAKEN_FOR_TRUE
    best = choices[0] if choices else None
    if best is None or best.lying is None or best.chance < SURE * sum(each.chance for each in choices):
        return (), WAITING
    return _corrections(edition, state, best), AS_IT_LIES


def _corrections(edition: Edition[Any, Any], state: Any, choice: Choice) -> tuple[Correct, ...]:
    """Corrections after which the table lies as after a choice; none where they do not come to the same."""
    found = tuple(_differences(edition, state, choice.state))
    after = state
    try:
        for correct in found:
            after = enact(edition, after, correct)
    except EngineError:
        return ()
    alike = lying(edition, after) == lying(edition, choice.state) and _counts(edition, after) == _counts(
        edition, choice.state
    )
    return found if alike and tuple(after.scores) == tuple(choice.state.scores) else ()


def _differences(edition: Edition[Any, Any], state: Any, other: Any) -> Iterator[Correct]:
    """What has to be set where a state becomes another: each player's board, then the middle of the table."""
    before, after = lying(edition, state), lying(edition, other)
    for seat in state.setup.seats:
        cells: dict[str, str | int] = {
            name: after[spot] for spot, name in _names(before, seat) if after[spot] != before[spot]
        }
        if state.scores[seat - 1] != other.scores[seat - 1]:
            cells["score"] = other.scores[seat - 1]
        if cells:
            yield Correct(seat, tuple(cells.items()), AS_IT_LIES)
    old, new = _counts(edition, state), _counts(edition, other)
    heaps = {name: _tiles(edition, after[spot]) for spot, name in _names(before, 0) if after[spot] != before[spot]}
    changed = heaps | {name: value for name, value in new.items() if value != old[name]}
    if changed:
        yield Correct(0, tuple(changed.items()), AS_IT_LIES)


def _names(table: Mapping[Spot, str], seat: int) -> list[tuple[Spot, str]]:
    return [(spot, spot[1]) for spot in table if spot[0] == seat]


def _tiles(edition: Edition[Any, Any], heap: str) -> str:
    """The tiles of a heap, without the marker that may lie among them."""
    kinds = tuple(heap) if all(len(letter) == 1 for letter in edition.letters) else heap.split()
    return edition.written(kind for kind in kinds if kind != MARKER)


def _counts(edition: Edition[Any, Any], state: Any) -> dict[str, Any]:
    """What else a correction may set."""
    return {"turn": state.seat, "marker": edition.holder(state), "round": state.round, "phase": state.phase}
