"""What a seat's points of a bridge come from, in words: pieces that came to its board, and what nobody saw."""

from __future__ import annotations

from typing import Any

from companion.reconcile.live.bridge import moment_of
from companion.reconcile.photolog.gaps import Match, stretches_of, weighed_stretches
from engine import Edition
from engine.stretch import Reasons


def reasons_of_gap(edition: Edition[Any, Any], before: Any, after: Any, seat: int) -> Reasons | None:
    """Why a seat's score changed from one state to another; None where no play leads from one board to the other."""
    if edition.stretches is None:
        return None
    match, rules = Match(edition, edition.layout, before.setup), stretches_of(edition)
    then, now = (moment_of(edition.table(state), match, rules.scored_in(state)) for state in (before, after))
    old, new = then.boards[seat], now.boards[seat]
    possible = [
        (stretch, weight)
        for stretch, weight in weighed_stretches(then, now, seat, edition, match.setup)
        if rules.gains(old, new, stretch, match.setup)
    ]
    if not possible:
        return None
    rounds = None if None in (old.scored, new.scored) else (new.scored or 0) - (old.scored or 0)
    stretch = max(possible, key=lambda way: (way[0].rounds == rounds, way[1]))[0]
    return rules.reasons(old, new, stretch, match.setup, after.round)
