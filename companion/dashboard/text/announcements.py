"""What happened last, in a sentence: for those who listen, by a screen reader or the announcer's voice."""

from __future__ import annotations

from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.language import player, told, told_bridge, told_move
from companion.dashboard.text.scoring import won
from companion.dashboard.text.words import gettext as _
from companion.dashboard.text.words import ngettext
from companion.gamelog import Answer, BridgeEvent, Doubt, Record, Redo, Undo
from engine import OVER
from engine.score import total


def tidings(snapshot: Snapshot) -> str:
    """The last event that is worth a word; what people put right or answered is not told once more."""
    for n, event in reversed(list(snapshot.folded.events.items())):
        if isinstance(event, Undo):
            # A question that is asked otherwise now is taken back without a word.
            return "" if isinstance(snapshot.folded.events.get(event.n), Doubt) else _("Taken back.")
        if isinstance(event, Redo):
            return _("Restored.")
        if isinstance(event, Answer):
            return _("A question was answered.")
        if n in snapshot.folded.undone:
            continue
        if isinstance(event, Doubt) and n in snapshot.folded.doubts:
            return _("There is a question about what was seen.")
        if isinstance(event, BridgeEvent):
            return told_bridge(event.missed)
        if isinstance(event, Record) and n not in snapshot.folded.bridge_of:
            return _of_step(snapshot, n)
    return ""


def _of_step(snapshot: Snapshot, n: int) -> str:
    step = snapshot.step(n)
    if step is None:
        return ""
    if step.correction:
        return _("A correction was made.")
    said = [told_move(snapshot.start, snapshot.folded.edition.describe(move)) for move in step.moves[:1]]
    said += [told(violation.text) for violation in snapshot.folded.broken(n)]
    for seat in snapshot.folded.setup.seats:
        points = total(line for line in step.lines if line.seat == seat)
        if any(line.seat == seat for line in step.lines):
            count = ngettext("%(num)s point", "%(num)s points", points)
            said.append(f"{player(snapshot.start, seat)}: {count}")
    if step.state.phase == OVER:
        said.append(_("The game is over.") + " " + won(snapshot.start, snapshot.ledger.at(n)))
    return ". ".join(said)
