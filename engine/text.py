"""Sentences that are translated when they are shown, not when they are made.

A log is read on many devices, each in its own language, so a value keeps the English sentence as its key together with
the words to fill in, and any `gettext` catalogue can render it later.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from typing import Protocol


class Translations(Protocol):
    """What is needed of a gettext catalogue."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...


ENGLISH = gettext.NullTranslations()


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence with its values, still in no language."""

    template: str
    values: tuple[tuple[str, object], ...] = ()
    plural: str = ""
    count: int = 1

    def render(self, translations: Translations) -> str:
        """The sentence in the language of a catalogue."""
        if self.plural:
            template = translations.ngettext(self.template, self.plural, self.count)
        else:
            template = translations.gettext(self.template)
        return template.format_map({name: _shown(value, translations) for name, value in self.values})

    def __str__(self) -> str:
        return self.render(ENGLISH)


def say(template: str, **values: object) -> Text:
    """A sentence; the template is what translators see."""
    return Text(template, tuple(values.items()))


def say_n(template: str, plural: str, count: int, **values: object) -> Text:
    """A sentence that depends on a number, which it may show as `{count}`."""
    return Text(template, (("count", count), *values.items()), plural, count)


def _shown(value: object, translations: Translations) -> object:
    if isinstance(value, Text):
        return value.render(translations)
    if isinstance(value, tuple):
        return ", ".join(str(_shown(part, translations)) for part in value)
    return value
