"""Games, positions and scores as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.scores import Score, Standing, exact_standing
from engine import Outlook, ScoreLine, Start, Step, Violation
from engine.score import total
from engine.text import ENGLISH, UNNAMED, Names, Words, render


def narrate(start: Start, steps: Iterable[Step]) -> Iterator[str]:
    """A game told event by event, every point with its reason."""
    edition, setup = start.edition, start.setup
    yield f"{edition.name}, {setup.side} side, {setup.players} players; seat {setup.first} begins."
    if start.names:
        yield ", ".join(f"{name} in seat {seat}" for seat, name in enumerate(start.names, 1))
    last: Step | None = None
    for step in steps:
        if last is not None and step.state.round > last.state.round:
            yield f"\nRound {step.state.round}"
        yield from told_step(start, step, exact_standing(edition, step.state))
        last = step
    if last is not None:
        yield "\n" + edition.show(edition.table(last.state)).rstrip()
        yield from told_final(start, last.state)


def told_step(start: Start, step: Step, now: Standing) -> Iterator[str]:
    """A move or a correction with what it breaks and what it brings."""
    for move in step.moves[:1]:
        yield f"{step.n:4}  {named(start, start.edition.describe(move))}"
    if step.correction:
        cells = ", ".join(f"{cell} is {value}" for cell, value in step.correction.cells)
        yield f"{step.n:4}  corrected: {cells}. {step.correction.why}".rstrip()
    yield from (f"      ! {told_violation(violation, start)}" for violation in step.violations)
    yield from (f"      (advice) {told_violation(advice, start)}" for advice in step.advisories)
    yield from (f"      {told_line(line, start)}" for line in step.lines)
    if step.lines:
        yield told_scores(now)


def told_scores(now: Standing) -> str:
    """The scores of all seats in one line."""
    return f"      scores: {' - '.join(map(str, now.track))}"


def told_violation(violation: Violation, start: Start | None = None) -> str:
    """A violation in one line."""
    who = player(start, violation.seat) if violation.seat else ""
    where = " ".join(part for part in (who, violation.cell) if part)
    return f"{violation.rule}{f' ({where})' if where else ''}: {named(start, violation.text)}"


def told_line(line: ScoreLine, start: Start | None = None) -> str:
    """Points and their reason in one line."""
    return f"{player(start, line.seat)} {line.points:+d}  {named(start, line.text)}  [{line.rule}]"


def told_final(start: Start, state: Any, standing: Standing | None = None) -> Iterator[str]:
    """The end of a game, if it has come; a logged game brings its standing, since its scores may be open."""
    now = standing or exact_standing(start.edition, state)
    if not now.over:
        yield "\nThe game is not over."
        return
    yield "\nThe game is over."
    bonuses = start.edition.bonuses(state)
    for seat, (track, score) in enumerate(zip(now.track, now.scores, strict=True), 1):
        lines = [line for line in bonuses if line.seat == seat]
        yield from (f"      {told_line(line, start)}" for line in lines)
        yield f"  {player(start, seat)}: {track} + {total(lines)} = {score}"
    yield f"  {told_winners(start, now)}"


def told_winners(start: Start, standing: Standing) -> str:
    """Who has won, or who may have."""
    if not standing.winners:
        return f"The winner is not known yet: {' or '.join(player(start, seat) for seat in standing.contenders)}."
    names = " and ".join(player(start, seat) for seat in standing.winners)
    return f"{names} {'wins' if len(standing.winners) == 1 else 'share the victory'}."


def told_outlook(outlook: Outlook, seen: Score | None) -> Iterator[str]:
    """What one board would bring, in a few lines, with the score that can be seen on it."""
    score = "?" if seen is None else seen
    points = _raised(outlook.score, outlook.round_points)
    if outlook.round_low != outlook.round_points:
        points = f"{outlook.round_low:+d} to {points}, by what is chosen"
    bonus = _raised(outlook.score, outlook.bonus_points)
    yield f"seat {outlook.seat}: score {score}; if the round ended now {points}; if the game ended as it stands {bonus}"
    for line in (*outlook.round_lines, *outlook.bonus_lines):
        yield f"      {line.points:+d}  {line.text}  [{line.rule}]"
    if outlook.unseen:
        yield f"      not seen, counted as empty: {', '.join(outlook.unseen)}"


def _raised(score: int | None, points: int) -> str:
    return f"{points:+d}" if score is None else f"{points:+d} = {score + points}"


def told_doubts(table: Mapping[str, Any]) -> Iterator[str]:
    """What a reading is not certain of, a line each."""
    for board in table["boards"]:
        yield from (f"? seat {board['seat']} {_told_doubt(doubt)}" for doubt in board.get("doubts", []))
    yield from (f"? {_told_doubt(doubt)}" for doubt in table.get("doubts", []))
    for left in table.get("left_out", []):
        x, y = (sum(place) / len(left["corners_px"]) for place in zip(*left["corners_px"], strict=True))
        yield f"? around {x:.0f},{y:.0f} nothing is read: {left['why']}"


def _told_doubt(doubt: Mapping[str, Any]) -> str:
    """A doubt about a cell, or about a heap, where `seen` says what seems to lie there."""
    words = {".": "empty", "?": "cannot be seen"}
    reads = [f"{words.get(letter, letter)} {100 * chance:.0f} %" for letter, chance in doubt["reads"].items()]
    if "seen" not in doubt:
        return f"{doubt['cell']}: {' or '.join(reads)}"
    unsure = f"not sure of {', '.join(reads)}" if reads else "part of it is out of the picture"
    return f"{doubt['cell']}: {doubt['seen'] or 'empty'}, {unsure}"


def player(start: Start | None, seat: int) -> str:
    """A player's name, or the seat."""
    return start.names[seat - 1] if start and start.names else f"seat {seat}"


def named(start: Start | None, words: Words) -> str:
    """A sentence in English, with the players' names for their seats."""
    return render(words, ENGLISH, Names(start.names) if start else UNNAMED)


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of words set in columns, the last one as long as it likes."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    for row in rows:
        yield "  ".join([*(word.ljust(width) for word, width in zip(row, widths, strict=False)), row[-1]])
