"""Sentences that are translated when they are shown, not when they are made.

A log is read on many devices, each in its own language, so a value keeps the English sentence as its key together with
the words to fill in, and any `gettext` catalogue can render it later.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, Protocol


class Translations(Protocol):
    """What is needed of a gettext catalogue."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...


ENGLISH = gettext.NullTranslations()


@dataclass(frozen=True, slots=True)
class Names:
    """What players and editions are called where a sentence is shown."""

    players: Sequence[str] = ()
    """In the order of the seats; empty where only the seats are known."""
    edition: Callable[[str], str] = str
    """The name of an edition by its slug."""


UNNAMED = Names()


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a sentence: shown by name where the names are known, by the number of the seat elsewhere."""

    number: int


@dataclass(frozen=True, slots=True)
class EditionName:
    """An edition in a sentence: shown by name on pages, by its slug in a terminal, where commands take that."""

    slug: str


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence with its values, still in no language."""

    template: str
    values: tuple[tuple[str, object], ...] = ()
    plural: str = ""
    count: int = 1

    def render(self, translations: Translations, names: Names = UNNAMED) -> str:
        """The sentence in the language of a catalogue, with the names of players and editions."""
        if self.plural:
            template = translations.ngettext(self.template, self.plural, self.count)
        else:
            template = translations.gettext(self.template)
        return template.format_map({name: _shown(value, translations, names) for name, value in self.values})

    def __str__(self) -> str:
        return self.render(ENGLISH)


Words = str | Text
"""What people read: a sentence of the program, which is translated, or a text that somebody typed, which is not."""


class SpokenError(Exception):
    """An error that people are told of; `words` can be shown in any language, and `str()` is English."""

    def __init__(self, words: Words) -> None:
        super().__init__(str(words))
        self.words = words


def say(template: str, **values: object) -> Text:
    """A sentence; the template is what translators see."""
    return Text(template, tuple(values.items()))


def say_n(template: str, plural: str, count: int, **values: object) -> Text:
    """A sentence that depends on a number, which it may show as `{count}`."""
    return Text(template, (("count", count), *values.items()), plural, count)


def joined(texts: Iterable[Text]) -> Text:
    """Several sentences, or parts of one, in a row with commas."""
    return Text("{parts}", (("parts", tuple(texts)),))


def either(choices: Sequence[object]) -> object:
    """Several values of a sentence with `or` between them."""
    *before, last = choices
    return say("{first} or {second}", first=tuple(before), second=last) if before else last


def render(words: Words, translations: Translations, names: Names = UNNAMED) -> str:
    """A sentence in the language of a catalogue; what somebody typed stays as it is."""
    return words.render(translations, names) if isinstance(words, Text) else words


def format_text(text: Text) -> dict[str, Any]:
    """A sentence as JSON: the English key and its values."""
    written: dict[str, Any] = {"say": text.template}
    if text.values:
        written["values"] = {name: _format_value(value) for name, value in text.values}
    if text.plural:
        written |= {"plural": text.plural, "count": text.count}
    return written


def parse_text(written: object) -> Text:
    """A sentence that was written as JSON; what cannot be rendered later raises `ValueError`."""
    if not isinstance(written, Mapping):
        raise ValueError(f"a sentence is an object with the field say, not {written!r:.60}")
    values, plural, count = written.get("values", {}), written.get("plural", ""), written.get("count", 1)
    if not isinstance(values, Mapping) or type(count) is not int:
        raise ValueError("a sentence has its values in an object, and its count is a whole number")
    for template in (written.get("say"), plural):
        _check_template(template, values)
    return Text(written["say"], tuple((name, _parse_value(value)) for name, value in values.items()), plural, count)


def format_words(words: Words) -> str | dict[str, Any]:
    """Words as JSON: what somebody typed is a text."""
    return format_text(words) if isinstance(words, Text) else words


def parse_words(written: object) -> Words:
    """Words that were written as JSON."""
    return written if isinstance(written, str) else parse_text(written)


def _check_template(template: object, values: Mapping[str, object]) -> None:
    """Refuse a template that asks for more than its own values: files of strangers hold templates, too."""
    if not isinstance(template, str):
        raise ValueError(f"a sentence is a text, not {template!r:.60}")
    for _, name, how, conversion in Formatter().parse(template):
        if name is not None and (name not in values or how or conversion):
            raise ValueError(f"the sentence {template[:60]!r} has no value {name!r} that is shown as it is")


def _format_value(value: object) -> object:
    if isinstance(value, Text):
        return format_text(value)
    if isinstance(value, Seat):
        return {"seat": value.number}
    if isinstance(value, EditionName):
        return {"edition": value.slug}
    if isinstance(value, tuple):
        return [_format_value(part) for part in value]
    return value if isinstance(value, int | float) else str(value)


def _parse_value(value: object) -> object:
    if isinstance(value, list):
        return tuple(_parse_value(part) for part in value)
    if isinstance(value, Mapping):
        seat, edition = value.get("seat"), value.get("edition")
        if isinstance(edition, str):
            return EditionName(edition)
        return Seat(seat) if type(seat) is int else parse_text(value)
    if not isinstance(value, str | int | float):
        raise ValueError(f"a value of a sentence is a text or a number, not {value!r:.60}")
    return value


def _shown(value: object, translations: Translations, names: Names) -> object:
    if isinstance(value, Text):
        return value.render(translations, names)
    if isinstance(value, Seat):
        if 0 < value.number <= len(names.players):
            return names.players[value.number - 1]
        return say("seat {seat}", seat=value.number).render(translations)
    if isinstance(value, EditionName):
        return names.edition(value.slug)
    if isinstance(value, tuple):
        return ", ".join(str(_shown(part, translations, names)) for part in value)
    return value
