"""Every event of a log as a sentence in the language of the device."""

from __future__ import annotations

from dataclasses import replace

from companion.dashboard.drawing.helpers import cell_name, value_name
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player, told_bridge, told_move
from companion.dashboard.text.scoring import misfit
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import ngettext
from companion.gamelog import (
    ACCEPTED,
    NOBODY_KNOWS,
    Allow,
    Answer,
    BridgeEvent,
    Doubt,
    Entry,
    Note,
    PhotoRead,
    Proposal,
    Record,
    Redo,
    Title,
    Undo,
)
from companion.photolog.memory import NO, YES
from companion.reconcile.live.choices import described
from companion.reconcile.live.outcome import parse_choice
from companion.scores import SCORE, Marker
from engine import Correct
from engine.errors import EngineError
from engine.record import play_event

LISTED = 8
"""A correction of more places than these is told by their number."""


def sentence(snapshot: Snapshot, entry: Entry) -> str:
    """What an entry of the log says."""
    event = entry.event
    match event:
        case Record():
            return _of_record(snapshot, entry.n, event)
        case BridgeEvent(missed=missed):
            return told_bridge(missed)
        case PhotoRead():
            return _("A photo was read")
        case Doubt(cell=cell, seat=seat):
            name = cell_name(snapshot.folded.edition, cell)
            where = f"{player(snapshot.start, seat)}, {name}" if cell and seat else name
            return _("A question: %(where)s", where=where) if cell else _("A question: what was played?")
        case Answer():
            return _("An answer: %(value)s", value=_answer(snapshot, event))
        case Allow(n=n, rule=rule) if rule == ACCEPTED:
            return _("What lies on the table after the missed moves of event %(n)s was accepted", n=n)
        case Allow(n=n, rule=rule):
            return _("Event %(n)s was allowed to stand, although it broke %(rule)s", n=n, rule=rule)
        case Undo(n=n):
            return _("Event %(n)s was undone", n=n)
        case Redo(n=n):
            return _("Event %(n)s was redone", n=n)
        case Title(name=name):
            return _("The game was named %(name)s", name=name)
        case Proposal():
            return _("A photo was read anew and tells something else")
        case Note(seat=seat) if event.shown is not None and seat:
            now = snapshot.ledger.at(entry.n).track[seat - 1]
            score = replace(now, marker=Marker(event.shown, now.low, now.high))
            return f"{player(snapshot.start, seat)}: {misfit(score)}"
        case Note(text=text):
            return _("A note: %(text)s", text=told_move(snapshot.start, text))


def correction(snapshot: Snapshot, n: int, change: Correct) -> str:
    """The correction of event n in words; a score that its photo leaves open is told as open."""
    edition, track = snapshot.folded.edition, snapshot.ledger.at(n).track
    held = dict(change.cells)
    if change.seat and SCORE in held and snapshot.step(n):
        held[SCORE] = str(track[change.seat - 1])
    said = [f"{cell_name(edition, cell)}: {value_name(edition, cell, str(value))}" for cell, value in held.items()]
    count = ngettext("%(num)s place", "%(num)s places", len(said))
    cells = ", ".join(said) if len(said) <= LISTED else count
    whose = player(snapshot.start, change.seat) if change.seat else _("The table")
    event = snapshot.folded.events.get(n)
    why = event.said if isinstance(event, Record) and event.said else change.why
    return f"{whose}: {cells}" + (f" ({told_move(snapshot.start, why)})" if why else "")


def _of_record(snapshot: Snapshot, n: int, event: Record) -> str:
    step = snapshot.step(n)
    # What is undone or stranded was not played: it is read in the state that it would have met.
    step = step or play_event(snapshot.folded.edition, snapshot.before(n), n, event.event)
    if step.correction:
        return _("Corrected. %(what)s", what=correction(snapshot, n, step.correction))
    if step.moves:
        return told_move(snapshot.start, snapshot.folded.edition.describe(step.moves[0]))
    return str(event.event.get("event"))


def _changed(snapshot: Snapshot, name: str) -> str:
    """A difference between two readings, by where it is."""
    seat, _colon, cell = name.partition(":")
    where = cell_name(snapshot.folded.edition, cell)
    return f"{player(snapshot.start, int(seat))}, {where}" if int(seat) else where


def _answer(snapshot: Snapshot, answer: Answer) -> str:
    edition, value = snapshot.folded.edition, answer.value
    asked = (event for event in snapshot.folded.events.values() if isinstance(event, Doubt) and event.id == answer.id)
    cell = next((doubt.cell for doubt in asked), "")
    if value == NOBODY_KNOWS:
        return _("nobody knows")
    if cell:
        return value_name(edition, cell, value)
    if value in (YES, NO):
        return _("accepted") if value == YES else _("refused")
    if all(":" in part and part.partition(":")[0].isdigit() for part in value.split()):
        return _("accepted") + ": " + ", ".join(_changed(snapshot, part) for part in value.split())
    try:
        moves = parse_choice(edition, value)
    except EngineError:
        return value
    said = [told_move(snapshot.start, described(edition, move)) for move in moves]
    return "; ".join(said) or _("nothing happened")
