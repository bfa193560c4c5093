"""Records: whole games, one JSON object per line, and how they are replayed.

The event that breaks a rule is named and played all the same, so that what follows can be judged too; only what cannot
be read or cannot have happened ends a replay.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.edition import Edition, load
from engine.errors import EditionError, EngineError, ImpossibleMoveError, RecordError
from engine.moves import Correct, Slip
from engine.score import ScoreLine, total
from engine.state import OVER, Setup
from engine.text import ENGLISH, Translations, say
from engine.violations import RECORD, Violation

MAX_NAME = 80


@dataclass(frozen=True, slots=True)
class Start:
    """The first line of a record."""

    edition: Edition[Any, Any]
    setup: Setup[Any]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a replay: what it did, what it broke, and the state after it."""

    n: int
    state: Any
    moves: tuple[Any, ...] = ()
    """The event's own move, then those it implies."""
    violations: tuple[Violation, ...] = ()
    lines: tuple[ScoreLine, ...] = ()
    correction: Correct | None = None
    advisories: tuple[Violation, ...] = ()
    """What is allowed here but not by every printing of the rules, or that play does not end by itself any more."""
    ends: bool = False
    """Whether the replay cannot go on."""

    @property
    def ok(self) -> bool:
        """Whether no rule was broken."""
        return not self.violations


class Fields:
    """The fields of a JSON object, taken one by one, each checked; what is left over is an error."""

    def __init__(self, event: Mapping[str, Any]) -> None:
        self.left = {name: value for name, value in event.items() if name != "event"}

    def number(self, name: str, allowed: range, default: int | None = None) -> int:
        """A whole number in a range."""
        value = self._pop(name, default)
        if type(value) is not int or value not in allowed:
            raise RecordError(f"{name} must be a number from {allowed[0]} to {allowed[-1]}, not {_brief(value)}")
        return value

    def letter(self, name: str, letters: str) -> str:
        """One letter."""
        value = self.text(name, letters)
        if len(value) != 1:
            raise RecordError(f"{name} must be one of {letters}, not {_brief(value)}")
        return value

    def text(self, name: str, letters: str = "", default: str | None = None) -> str:
        """A text, of certain letters if any are given."""
        value = self._pop(name, default)
        if not isinstance(value, str) or (letters and set(value) - set(letters)):
            of = f" of the letters {letters}" if letters else ""
            raise RecordError(f"{name} must be a text{of}, not {_brief(value)}")
        return value

    def strings(self, name: str, letters: str, most: int) -> tuple[str, ...]:
        """A list of texts of certain letters."""
        value = self._pop(name, None)
        if not isinstance(value, list) or len(value) > most:
            raise RecordError(f"{name} must be a list of at most {most} texts, not {_brief(value)}")
        for part in value:
            if not isinstance(part, str) or set(part) - set(letters):
                raise RecordError(f"{name} must be texts of the letters {letters}, not {_brief(part)}")
        return tuple(value)

    def slips(self, letters: str) -> tuple[Slip, ...]:
        """What hands did wrong in a move, mostly nothing."""
        value = self._pop("slips", [])
        if not isinstance(value, list) or not all(isinstance(slip, dict) for slip in value):
            raise RecordError(f"slips must be a list of objects, not {_brief(value)}")
        slips = []
        for fields in map(Fields, value):
            tiles = fields.text("tiles", letters, default="")
            at, to = (fields.number(name, range(100), default=0) for name in ("at", "to"))
            slips.append(Slip(fields.text("slip"), tiles, at, to))
            fields.done()
        return tuple(slips)

    def done(self) -> None:
        """Refuse what nobody asked for."""
        if self.left:
            raise RecordError(f"unknown fields: {', '.join(map(_brief, self.left))}")

    def _pop(self, name: str, default: object) -> Any:
        value = self.left.pop(name, default)
        if value is None:
            raise RecordError(f"the field {name} is missing")
        return value


def parse_lines(data: bytes) -> list[str]:
    """The lines of a record file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError("a record is a UTF-8 text, one JSON object a line; this is no text") from None
    return text.rstrip().split("\n")


def parse_start(text: str) -> Start:
    """The start of a game, which makes a file a record."""
    event = _parse_object(text)
    if event.get("event") != "start":
        raise RecordError('the first line of a record is an object with "event": "start"')
    fields = Fields(event)
    edition = load(fields.text("edition"))
    side = fields.text("side")
    players, names = _parse_players(fields.left.pop("players", None), edition)
    first = fields.number("first", range(1, players + 1))
    options = fields.left.pop("options", {})
    fields.done()
    if not isinstance(options, dict):
        raise RecordError(f"options must be an object, not {_brief(options)}")
    return Start(edition, edition.setup(side, players, first, options), names)


def format_start(start: Start) -> dict[str, Any]:
    """The first event of a record."""
    setup = start.setup
    event: dict[str, Any] = {
        "event": "start",
        "edition": setup.edition,
        "side": setup.side,
        "players": list(start.names) if start.names else setup.players,
        "first": setup.first,
    }
    if options := start.edition.format_options(setup):
        event["options"] = options
    return event


def dump_event(event: Mapping[str, Any]) -> str:
    """An event as a line of a record."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def replay(lines: Sequence[str]) -> Iterator[Step]:
    """Play a record event by event; the first line must be a start."""
    start = parse_start(lines[0])
    edition, state = start.edition, start.edition.start(start.setup)
    yield Step(1, state)
    for n, line in enumerate(lines[1:], 2):
        step = _step(edition, state, n, line)
        yield step
        if step.ends:
            return
        state = step.state


def play_event(edition: Edition[Any, Any], state: Any, n: int, event: Mapping[str, Any]) -> Step:
    """One event of a record, played from a state."""
    try:
        if event.get("event") == "correct":
            return _corrected(edition, state, n, event)
        move = edition.parse_event(state, event)
    except EngineError as error:
        return _unreadable(state, n, error)
    violations = edition.violations(state, move)
    try:
        after = edition.enact(state, move)
    except ImpossibleMoveError as error:
        if not any(violation.rule == RECORD for violation in violations):
            violations.append(Violation(RECORD, error.text, move.seat))
        return Step(n, state, (move,), tuple(violations), ends=True)
    implied, lines, after = _settled(edition, after)
    lines = [*edition.score(state, move), *lines]
    advice = (*edition.advisories(state, move), *_standstill(edition, state, after))
    return Step(n, after, (move, *implied), tuple(violations), tuple(lines), advisories=advice)


def final(edition: Edition[Any, Any], state: Any) -> dict[int, tuple[int, list[ScoreLine]]] | None:
    """For each seat the total and the bonuses of the end, once the game is over."""
    if state.phase != OVER:
        return None
    bonuses = edition.bonuses(state)
    result = {}
    for seat, score in zip(state.setup.seats, state.scores, strict=True):
        lines = [line for line in bonuses if line.seat == seat]
        result[seat] = (score + total(lines), lines)
    return result


def step_json(step: Step, translations: Translations = ENGLISH) -> dict[str, Any]:
    """A step as `azul verify` prints it."""
    written: dict[str, Any] = {"n": step.n, "ok": step.ok}
    if step.violations:
        written["violations"] = [violation_json(violation, translations) for violation in step.violations]
    if step.advisories:
        written["advisories"] = [violation_json(advice, translations) for advice in step.advisories]
    if not step.ends:
        written["scores"] = list(step.state.scores)
    if step.lines:
        written["lines"] = [line_json(line, translations) for line in step.lines]
    return written


def final_json(edition: Edition[Any, Any], state: Any, translations: Translations = ENGLISH) -> dict[str, Any] | None:
    """The end of a game as `azul verify` prints it."""
    result = final(edition, state)
    if result is None:
        return None
    breakdown = [
        {
            "seat": seat,
            "score": state.scores[seat - 1],
            "total": points,
            "lines": [line_json(line, translations) for line in lines],
        }
        for seat, (points, lines) in result.items()
    ]
    return {
        "final": [points for points, _ in result.values()],
        "winners": list(edition.winners(state)),
        "breakdown": breakdown,
    }


def violation_json(violation: Violation, translations: Translations = ENGLISH) -> dict[str, Any]:
    """A violation as it stands in tables and replays."""
    written: dict[str, Any] = {"rule": violation.rule}
    if violation.seat:
        written["seat"] = violation.seat
    if violation.cell:
        written["cell"] = violation.cell
    return written | {"text": violation.text.render(translations)}


def line_json(line: ScoreLine, translations: Translations = ENGLISH) -> dict[str, Any]:
    """A score line as it stands in replays."""
    return {
        "seat": line.seat,
        "points": line.points,
        "rule": line.rule,
        "cells": list(line.cells),
        "text": line.text.render(translations),
    }


def slips_json(slips: tuple[Slip, ...]) -> dict[str, Any]:
    """The field of an event that `Fields.slips` reads."""

    def written(slip: Slip) -> dict[str, Any]:
        values = {"slip": slip.kind, "tiles": slip.tiles, "at": slip.at, "to": slip.to}
        return {name: value for name, value in values.items() if value}

    return {"slips": [written(slip) for slip in slips]} if slips else {}


def _step(edition: Edition[Any, Any], state: Any, n: int, line: str) -> Step:
    try:
        event = _parse_object(line)
    except EngineError as error:
        return _unreadable(state, n, error)
    return play_event(edition, state, n, event)


def _unreadable(state: Any, n: int, error: EngineError) -> Step:
    return Step(n, state, violations=(Violation(RECORD, say("{problem}", problem=str(error))),), ends=True)


def _settled(edition: Edition[Any, Any], state: Any) -> tuple[list[Any], list[ScoreLine], Any]:
    """The moves that a record leaves unsaid here, what they score, and the state after them."""
    moves: list[Any] = []
    lines: list[ScoreLine] = []
    while (move := edition.implied(state)) is not None:
        moves.append(move)
        lines += edition.score(state, move)
        state = edition.enact(state, move)
    return moves, lines, state


def _corrected(edition: Edition[Any, Any], state: Any, n: int, event: Mapping[str, Any]) -> Step:
    fields = Fields(event)
    seat = fields.number("seat", range(state.setup.players + 1), default=0)
    cells = fields.left.pop("cells", None)
    why = fields.text("why", default="")
    fields.done()
    if not isinstance(cells, dict) or not cells:
        raise RecordError(f"cells must be an object of cells and what lies there, not {_brief(cells)}")
    moves, lines, after = _settled(edition, edition.correct(state, cells, seat))
    correction = Correct(seat, tuple(cells.items()), why)
    return Step(n, after, tuple(moves), (), tuple(lines), correction, _standstill(edition, state, after))


def _standstill(edition: Edition[Any, Any], before: Any, after: Any) -> tuple[Violation, ...]:
    """That play does not end by itself any more, told where that begins."""
    advice = edition.standstill(after)
    return (advice,) if advice and not edition.standstill(before) else ()


def _parse_players(value: object, edition: Edition[Any, Any]) -> tuple[int, tuple[str, ...]]:
    names: tuple[str, ...] = ()
    if isinstance(value, list):
        if not all(isinstance(name, str) and 0 < len(name) <= MAX_NAME and _is_writable(name) for name in value):
            raise RecordError(f"players must be a number or a list of names, not {_brief(value)}")
        names, value = tuple(value), len(value)
    if type(value) is not int or value not in edition.players:
        raise EditionError(
            f"{edition.slug} is for {edition.players[0]} to {edition.players[-1]} players, not {_brief(value)}"
        )
    return value, names


def _is_writable(text: str) -> bool:
    """Whether a text can be written as UTF-8: JSON can spell half a surrogate pair."""
    return text.encode("utf-8", "ignore").decode() == text


def _parse_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_no_constants)
    except (ValueError, RecursionError):
        raise RecordError(f"not a JSON object: {_brief(text)}") from None
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        raise RecordError(f"an event is a JSON object with the field event, not {_brief(value)}")
    return value


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError
    return dict(pairs)


def _no_constants(_: str) -> None:
    raise ValueError


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
