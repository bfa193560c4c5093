"""What can be said of one position: rules visibly broken, and what every board would score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.reconcile.doubtful import sure_violations
from companion.scores import SCORE, Score, seen_score
from companion.tables import edition_of
from companion.terminal import told_outlook, told_violation
from engine import Edition, Outlook, Part, Table, Violation
from engine.record import line_json, violation_json
from engine.table import ALL, Frozen


@dataclass(frozen=True)
class Verdict:
    """A position, judged."""

    edition: Edition[Any, Any]
    table: Table
    violations: tuple[Violation, ...]
    outlooks: tuple[Outlook, ...]
    scores: Mapping[int, Score | None]
    """By seat the score that its board shows, open where it is in doubt."""


def judge(table: dict[str, Any], named: str | None = None) -> Verdict:
    """A Table judged by its edition, or by the one that somebody names for it; what is in doubt breaks no rule."""
    edition = edition_of(table, named)
    read = edition.parse_table(table)
    broken = sure_violations(edition, table)
    scores = {board.get("seat", 1): seen_score(board) for board in table["boards"]}
    shown = replace(read, parts=tuple(_shown(part, scores.get(part.seat)) for part in read.parts))
    return Verdict(edition, shown, broken, tuple(edition.outlook(shown)), scores)


def _shown(part: Part, score: Score | None) -> Part:
    """A board as it is drawn and scored: a score in doubt is none."""
    is_known = part.seat == ALL or (score is not None and score.exact)
    return part if is_known else replace(part, tracks=Frozen({**part.tracks, SCORE: None}))


def told_position(verdict: Verdict) -> str:
    """What lies there, drawn with letters."""
    return verdict.edition.show(verdict.table).rstrip()


def told_verdict(verdict: Verdict) -> Iterator[str]:
    """What is broken and what every board would bring, in lines."""
    yield from told_violations(verdict)
    for outlook in verdict.outlooks:
        yield from told_outlook(outlook, verdict.scores[outlook.seat])


def told_violations(verdict: Verdict) -> Iterator[str]:
    """What is broken, in lines."""
    return (f"! {told_violation(violation)}" for violation in verdict.violations)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Violations and boards, as docs/formats.md has them."""
    boards = [_outlook_json(outlook, verdict.scores[outlook.seat]) for outlook in verdict.outlooks]
    return {"violations": [violation_json(violation) for violation in verdict.violations], "boards": boards}


def _outlook_json(outlook: Outlook, score: Score | None) -> dict[str, Any]:
    bounds = {} if score is None or score.exact else {"low": score.low, "high": score.high}
    return {
        "seat": outlook.seat,
        "score": outlook.score,
        **bounds,
        "round": {
            "points": outlook.round_points,
            "low": outlook.round_low,
            "lines": [line_json(line) for line in outlook.round_lines],
        },
        "bonus": {"points": outlook.bonus_points, "lines": [line_json(line) for line in outlook.bonus_lines]},
        "unseen": list(outlook.unseen),
    }
