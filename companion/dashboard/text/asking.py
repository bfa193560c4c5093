"""What a question asks: for that in which its likely answers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.dashboard.drawing.helpers import cell_name, kind_name
from companion.dashboard.live.alerts import OpenQuestion
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import ngettext
from companion.reconcile.live.choices import Choice, Lying, Offer, Spot
from companion.reconcile.live.outcome import NOTHING, parse_choice
from companion.scores import SCORE
from engine.errors import EngineError
from engine.table import EMPTY


def asked(snapshot: Snapshot, question: OpenQuestion) -> str:
    """What a question asks, in one short sentence."""
    doubt = question.doubt
    if doubt.cell == SCORE:
        return _("What is the score of %(name)s?", name=player(snapshot.start, doubt.seat))
    if doubt.cell:
        return _("What is here?")
    return _asked_of_moves(snapshot, question.offer) if question.offer else _("What was played?")


def _asked_of_moves(snapshot: Snapshot, offer: Offer) -> str:
    played = [choice for choice in offer.likely if choice.value != NOTHING]
    seats = {seat for choice in played for seat in _seats(snapshot, choice)}
    if len(played) < 2:
        return _("Was this played?") if played else _("Was anything played?")
    if seats == {0}:
        return _("What was drawn?")
    if len(seats) > 1:
        return _("Who played, and what?")
    name = player(snapshot.start, *seats) if seats else ""
    own = [spot for spot in offer.spots if spot[0] in seats]
    tables = [choice.lying for choice in played if choice.lying is not None]
    if not own or len(own) < len(offer.spots) or len(tables) < len(played):
        return _("What did %(name)s play?", name=name) if name else _("What was played?")
    return _asked_of_board(snapshot, name, own, tables)


def _asked_of_board(snapshot: Snapshot, name: str, spots: Sequence[Spot], tables: Sequence[Lying]) -> str:
    """The answers differ on the board of one player alone: where the same tiles went, or what lies in one cell."""
    edition = snapshot.folded.edition
    held = [Counter(kind for spot in spots if (kind := table.get(spot, EMPTY)) not in (EMPTY, "")) for table in tables]
    if len(held[0]) == 1 and all(each == held[0] for each in held):
        ((kind, count),) = held[0].items()
        told = {"kind": kind_name(edition, kind), "name": name}
        if count == 1:
            return _("Where did the %(kind)s tile of %(name)s go?", **told)
        return ngettext(
            "Where did the %(num)s %(kind)s tile of %(name)s go?",
            "Where did the %(num)s %(kind)s tiles of %(name)s go?",
            count,
            **told,
        )
    if len(spots) == 1:
        return _("What lies in %(cell)s of %(name)s?", cell=cell_name(edition, spots[0][1]), name=name)
    return _("What did %(name)s lay?", name=name)


def _seats(snapshot: Snapshot, choice: Choice) -> set[int]:
    """Who would have played a choice; 0 for chance."""
    try:
        moves: tuple[Any, ...] = parse_choice(snapshot.folded.edition, choice.value)
    except EngineError:
        return set()
    return {getattr(move, "seat", 0) for move in moves}
