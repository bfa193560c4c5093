"""What a game log holds: the kinds of events, and their JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from companion.gamelog.errors import GameLogError
from engine import RecordError
from engine.record import Fields
from engine.text import Text, Words, format_text, parse_text

MAX_BODY = 1_000_000
"""Letters of one event's JSON: the reading of a table has some ten thousand."""
MAX_WORD = 80
"""Letters of a name, an id, a time."""
MAX_EVENTS = 1_000_000
MAX_SCORE = 1000
NOBODY_KNOWS = "?"
"""The answer of a person who does not know: it settles a question and tells nothing."""


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in the game, or a person's correction: an event of the Record format."""

    kind: ClassVar[str] = "record"
    event: Mapping[str, Any]
    said: Text | None = None
    """The reason of a correction where the program gave it: `why` in the event is the same in English."""


@dataclass(frozen=True, slots=True)
class PhotoRead:
    """A photo came; the Table that was read in it, if one was, and by which networks."""

    kind: ClassVar[str] = "photo"
    reading: Mapping[str, Any] | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class Doubt:
    """What has to be asked: a cell by what may lie there, or no cell and moves by their one-line notation."""

    kind: ClassVar[str] = "doubt"
    id: str
    reads: Mapping[str, float]
    cell: str = ""
    seat: int = 0
    box: tuple[float, float, float, float] | None = None
    """Where to look in the photo: left, top, width, height in pixels."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says to a doubt or a proposal; `?` where nobody knows."""

    kind: ClassVar[str] = "answer"
    id: str
    value: str


@dataclass(frozen=True, slots=True)
class Allow:
    """The people at the table let event n stand although it broke a rule."""

    kind: ClassVar[str] = "allow"
    n: int
    rule: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Event n does not count."""

    kind: ClassVar[str] = "undo"
    n: int


@dataclass(frozen=True, slots=True)
class Redo:
    """Event n counts again."""

    kind: ClassVar[str] = "redo"
    n: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """The photo of event n, read anew, tells something else; it waits for an answer and changes nothing."""

    kind: ClassVar[str] = "proposal"
    id: str
    n: int
    reading: Mapping[str, Any]
    model: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Anything a person wants to remember, or a score marker that does not fit what was earned."""

    kind: ClassVar[str] = "note"
    text: Words
    seat: int = 0
    shown: int | None = None
    """What the score marker of the seat shows in the photo, where that is not its score."""


@dataclass(frozen=True, slots=True)
class Title:
    """What people call the game; the last one counts."""

    kind: ClassVar[str] = "title"
    name: str


@dataclass(frozen=True, slots=True)
class BridgeEvent:
    """Moves were missed: the corrections that follow, made of the same photo, set the game to what lay there."""

    kind: ClassVar[str] = "bridge"
    missed: int
    """How many moves were missed, about."""
    broken: tuple[tuple[str, int, str], ...] = ()
    """The rules that boards visibly break since: rule, seat and cell."""


Event = BridgeEvent | Record | PhotoRead | Doubt | Answer | Allow | Undo | Redo | Proposal | Note | Title


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it stands in the log."""

    n: int
    event: Event
    at: str
    """When it was logged, as ISO 8601."""
    who: str = ""
    """A person, a device or a program."""
    photo: str | None = None
    """The sha256 of the photo it belongs to."""


def now() -> str:
    """This moment as logs write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def correction(cells: Mapping[str, Any], seat: int, why: Words = "") -> Record:
    """The event that corrects cells of a seat, or of the table (0), and why."""
    event: dict[str, Any] = {"event": "correct", "seat": seat, "cells": dict(cells)}
    return Record(event | ({"why": str(why)} if why else {}), why if isinstance(why, Text) else None)


def format_body(event: Event) -> dict[str, Any]:
    """An event's JSON, without its kind; what is usual is left out. A sentence is written in English and as `said`."""
    if isinstance(event, Record):
        return dict(event.event) | _said(event.said)
    if isinstance(event, Note):
        written = {"text": str(event.text), "seat": event.seat or None, "shown": event.shown} | _said(event.text)
        return {name: value for name, value in written.items() if value is not None}
    values = ((field, getattr(event, field.name)) for field in dataclasses.fields(event))
    return {field.name: value for field, value in values if value != field.default}


def parse_body(kind: str, body: Mapping[str, Any]) -> Event:
    """The event of a kind, checked."""
    if kind == Record.kind:
        return _record(body)
    if kind not in _PARSERS:
        raise GameLogError(f"a log holds events of the kinds {Record.kind}, {', '.join(_PARSERS)}, not {kind!r}")
    fields = Fields(body)
    try:
        event = _PARSERS[kind](fields)
        fields.done()
    except RecordError as error:
        raise GameLogError(f"an event of the kind {kind} cannot be read: {error}") from error
    return event


def _said(words: Words | None) -> dict[str, Any]:
    return {"said": format_text(words)} if isinstance(words, Text) else {}


def _parse_said(written: object) -> Text | None:
    """The sentence of an event, if it has one."""
    try:
        return None if written is None else parse_text(written)
    except ValueError as error:
        raise RecordError(f"said cannot be read: {error}") from error


def dump_json(value: object) -> str:
    """JSON on one line; what cannot be written down and read back is refused."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise GameLogError(f"this cannot be logged, since it cannot be written as JSON: {error}") from error
    if len(text) > MAX_BODY:
        raise GameLogError(f"this cannot be logged: its JSON has {len(text)} letters, and {MAX_BODY} are the most")
    return text


def load_json(text: str) -> dict[str, Any]:
    """A JSON object that was written on one line."""
    try:
        value = json.loads(text)
        if "\\u" in text:
            # JSON can spell half a surrogate pair, which can be written nowhere.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise GameLogError(f"a log holds JSON objects, not {text[:60]!r}")
    return value


def format_entry(entry: Entry) -> dict[str, Any]:
    """An entry as a line of `log.jsonl`."""
    written: dict[str, Any] = {"n": entry.n, "kind": entry.event.kind, "at": entry.at}
    if entry.who:
        written["who"] = entry.who
    if entry.photo is not None:
        written["photo"] = entry.photo
    return written | {"body": format_body(entry.event)}


def parse_entry(written: Mapping[str, Any]) -> Entry:
    """An entry of `log.jsonl`, checked."""
    fields = Fields(written)
    try:
        n, kind, at = fields.number("n", range(1, MAX_EVENTS)), fields.text("kind"), fields.text("at")
        who, photo, body = fields.text("who", default=""), fields.text("photo", default=""), _object(fields, "body")
        fields.done()
    except RecordError as error:
        raise GameLogError(f"an entry of the log cannot be read: {error}") from error
    return check_entry(Entry(n, parse_body(kind, body), at, who, photo or None))


def check_entry(entry: Entry) -> Entry:
    """The entry as it will be read back, if it can be written."""
    if len(entry.who) > MAX_WORD:
        raise GameLogError(f"who logs an event is told in at most {MAX_WORD} letters, not {len(entry.who)}")
    check_time(entry.at)
    body = load_json(dump_json(format_body(entry.event)))
    return dataclasses.replace(entry, event=parse_body(entry.event.kind, body))


def check_time(at: str) -> None:
    """Refuse what is no moment."""
    try:
        datetime.fromisoformat(at if len(at) <= MAX_WORD else "")
    except ValueError:
        raise GameLogError(f"a time is written like {now()}, not {at[:MAX_WORD]!r}") from None


def _record(body: Mapping[str, Any]) -> Record:
    if not isinstance(body.get("event"), str) or body["event"] == "start":
        raise GameLogError("a record event is a line of a record after its start, with the field event")
    try:
        said = _parse_said(body.get("said"))
    except RecordError as error:
        raise GameLogError(f"an event of the kind {Record.kind} cannot be read: {error}") from error
    return Record({name: value for name, value in body.items() if name != "said"} if said else body, said)


def _doubt(fields: Fields) -> Doubt:
    reads = _object(fields, "reads")
    if not all(type(chance) in (int, float) and 0 <= chance <= 1 for chance in reads.values()):
        raise RecordError("reads must say how likely each is, from 0 to 1")
    return Doubt(
        _word(fields, "id"), reads, fields.text("cell", default=""), fields.number("seat", range(10), 0), _box(fields)
    )


def _box(fields: Fields) -> tuple[float, float, float, float] | None:
    value = fields.left.pop("box", None)
    if value is None:
        return None
    if not isinstance(value, list) or [type(part) in (int, float) for part in value] != [True] * 4:
        raise RecordError("box must be four numbers: left, top, width, height")
    return (value[0], value[1], value[2], value[3])


def _proposal(fields: Fields) -> Proposal:
    reading = _object(fields, "reading")
    return Proposal(_word(fields, "id"), _number(fields), reading, fields.text("model", default=""))


def _photo_read(fields: Fields) -> PhotoRead:
    reading = _object(fields, "reading") if "reading" in fields.left else None
    return PhotoRead(reading, fields.text("model", default=""))


def _object(fields: Fields, name: str) -> dict[str, Any]:
    value = fields.left.pop(name, None)
    if not isinstance(value, dict):
        raise RecordError(f"{name} must be an object")
    return value


def _shown(fields: Fields) -> int | None:
    return fields.number("shown", range(-MAX_SCORE, MAX_SCORE + 1)) if "shown" in fields.left else None


def _words(fields: Fields) -> Words:
    text = fields.text("text")
    return _parse_said(fields.left.pop("said", None)) or text


def _word(fields: Fields, name: str) -> str:
    value = fields.text(name)
    if not 0 < len(value) <= MAX_WORD:
        raise RecordError(f"{name} must have 1 to {MAX_WORD} letters")
    return value


def _number(fields: Fields) -> int:
    return fields.number("n", range(1, MAX_EVENTS))


def _bridge(fields: Fields) -> BridgeEvent:
    missed, broken = fields.number("missed", range(MAX_EVENTS)), fields.left.pop("broken", [])
    if not isinstance(broken, list) or not all(_is_breach(each) for each in broken):
        raise RecordError("broken must list rules, each with its seat and its cell")
    return BridgeEvent(missed, tuple((rule, seat, cell) for rule, seat, cell in broken))


def _is_breach(value: object) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [str, int, str]


_PARSERS: dict[str, Callable[[Fields], Event]] = {
    BridgeEvent.kind: _bridge,
    PhotoRead.kind: _photo_read,
    Doubt.kind: _doubt,
    Answer.kind: lambda fields: Answer(_word(fields, "id"), fields.text("value")),
    Allow.kind: lambda fields: Allow(_number(fields), _word(fields, "rule")),
    Undo.kind: lambda fields: Undo(_number(fields)),
    Redo.kind: lambda fields: Redo(_number(fields)),
    Proposal.kind: _proposal,
    Title.kind: lambda fields: Title(_word(fields, "name")),
    Note.kind: lambda fields: Note(_words(fields), fields.number("seat", range(10), 0), _shown(fields)),
}
