"""What happens in a logged game as text for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from companion.gamelog import NOBODY_KNOWS, Answer, BridgeEvent, Doubt, Entry, Folded, PhotoRead, Record, Undo
from companion.ledger import ledger
from companion.reconcile.live.bridge import told_missed
from companion.reconcile.live.choices import Choice, Guess, described, offer_of
from companion.reconcile.live.outcome import NOTHING, parse_choice
from companion.scores import SCORE, score_of
from companion.terminal import named, player, told_scores, told_step, told_violation
from engine import Start
from engine.errors import EngineError
from engine.table import MARKER
from vision.cells import EMPTY


def narrate_entry(start: Start, folded: Folded, entry: Entry) -> Iterator[str]:
    """What was just logged of a game that is under way."""
    event = entry.event
    if isinstance(event, BridgeEvent):
        yield f"{entry.n:4}  {told_missed(event.missed)}; the game goes on from what lies on the table"
        yield from (f"      ! {told_violation(violation, start)}" for violation in folded.broken(entry.n))
        for bridged in folded.bridges:
            if bridged.n == entry.n:
                yield told_scores(ledger(folded).at(bridged.last))
    elif isinstance(event, Record) and entry.n not in folded.bridge_of:
        now = ledger(folded).at(entry.n)
        for step in folded.steps:
            if step.n == entry.n:
                yield from told_step(start, replace(step, violations=folded.broken(entry.n)), now)
    elif isinstance(event, Doubt) and event.cell == SCORE:
        yield f"{entry.n:4}  ? what is the score of {player(start, event.seat)}? {score_of(event.reads)}"
    elif isinstance(event, Doubt):
        yield from _told_question(start, folded, entry.n, event)
    elif isinstance(event, Answer):
        yield f"{entry.n:4}  {entry.who or 'somebody'} answers: {_told_answer(start, folded, event)}"
    elif isinstance(event, Undo):
        asked = isinstance(folded.events.get(event.n), Doubt)
        yield f"{entry.n:4}  {'the question' if asked else 'event'} {event.n} is taken back"


def _told_question(start: Start, folded: Folded, n: int, doubt: Doubt) -> Iterator[str]:
    """A question with its choices, a line each with how likely it is."""
    if doubt.cell:
        whose = f"{player(start, doubt.seat)}'s " if doubt.seat else ""
        yield f"{n:4}  ? What lies in {whose}{told_cell(doubt.cell)}?"
        likely = sorted(doubt.reads.items(), key=lambda read: -read[1])
        yield from (f"      {_percent(chance)}  {told_kind(start, kind)}" for kind, chance in likely)
        return
    earlier = [step.state for step in folded.steps if step.n < n]
    offer = offer_of(start.edition, earlier[-1] if earlier else folded.start, doubt.reads)
    common = "; ".join(_told_guess(start, guess) for guess in offer.common)
    yield f"{n:4}  ? What was played?{f' In any case: {common}. And then?' if common else ''}"
    yield from (f"      {_percent(each.chance)}  {_told_choice(start, each)}" for each in offer.likely)


def _told_choice(start: Start, choice: Choice) -> str:
    none = "nothing" if choice.value == NOTHING else "nothing else"
    moves = "; ".join(_told_guess(start, guess) for guess in choice.guesses) or none
    lying = ", ".join(
        f"{told_cell(cell)}: {' '.join(told_kind(start, kind) for kind in kinds) or 'nothing'}"
        for (_, cell), kinds in choice.apart
    )
    return f"{moves}: {lying}" if lying else moves


def _told_guess(start: Start, guess: Guess) -> str:
    wrong = ", or ".join(["; ".join(map(str, guess.breaks)), *map(str, guess.instead)])
    return f"{named(start, guess.text)}{f' ({wrong})' if wrong else ''}"


def _told_answer(start: Start, folded: Folded, answer: Answer) -> str:
    """What somebody answered, in words."""
    if answer.value == NOBODY_KNOWS:
        return "nobody knows"
    asked = (event for event in folded.events.values() if isinstance(event, Doubt) and event.id == answer.id)
    if any(doubt.cell for doubt in asked):
        return told_kind(start, answer.value)
    try:
        moves = parse_choice(start.edition, answer.value)
    except EngineError:
        return answer.value
    return "; ".join(named(start, described(start.edition, move)) for move in moves) or "nothing was played"


def narrate_scores(start: Start, entry: Entry, before: Collection[str] = ()) -> list[str]:
    """The scores that a photo shows to be kept wrongly, a line each, without those that were told before."""
    reading = entry.event.reading if isinstance(entry.event, PhotoRead) else None
    wrong = (found for found in (reading or {}).get("violations", ()) if found.get("since"))
    lines = (f"! {player(start, each['seat'])}: {each['text']} (since round {each['since']})" for each in wrong)
    return [line for line in lines if line not in before]


def told_cell(cell: str) -> str:
    """A cell in words: `line.3.2` is line 3, cell 2."""
    zone, *numbers = cell.split(".")
    return f"{zone} {', cell '.join(numbers)}".rstrip()


def told_kind(start: Start, kind: str) -> str:
    """What lies in a cell, in words."""
    text = start.edition.letters.get(kind)
    return str(text) if text else {EMPTY: "nothing", MARKER: "the first-player marker"}.get(kind, kind)


def _percent(chance: float) -> str:
    return f"{100 * chance:3.0f} %"
