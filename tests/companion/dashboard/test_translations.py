"""Every sentence of the dashboard and of all rules, in every language, with its own words to fill in."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask.testing import FlaskClient
from flask_babel import force_locale

import companion.dashboard
from companion.dashboard.text.language import LANGUAGES
from companion.dashboard.text.words import ngettext

ROOT = Path(__file__).parents[3]
FOLDER = Path(companion.dashboard.__file__).parent / "translations"
METHODS = [
    ("engine/**.py", "python"),
    ("vision/**.py", "python"),
    ("hardware/**.py", "python"),
    ("companion/**.py", "python"),
    ("companion/dashboard/templates/**.html", "jinja2"),
]
OPTIONS = {"companion/dashboard/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "say": None, "say_n": (1, 2)}
TRANSLATED = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def sentences() -> set[str | tuple[str, ...]]:
    """What is said in the sources."""
    found = extract_from_dir(str(ROOT), METHODS, OPTIONS, KEYWORDS)
    return {message[2] for message in found if message[2]}


def catalogue(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or "")


def blanks(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)s|{\w+}", text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str, sentences: set[str | tuple[str, ...]]) -> None:
    known = {message.id for message in catalogue(language) if message.id and all(forms(message))}
    wanted = {sentence if isinstance(sentence, str) else tuple(sentence) for sentence in sentences}
    assert sorted(map(str, wanted - known)) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_fill_in_the_same_words(language: str) -> None:
    for message in catalogue(language):
        wanted = blanks(message.id if isinstance(message.id, str) else message.id[1])
        for form in forms(message) if message.id else []:
            assert blanks(form) == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    kept = (FOLDER / language / "LC_MESSAGES" / "messages.mo").read_bytes()
    assert kept == compiled.getvalue(), "run make translations"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 point", "2 points", "5 points", "21 points"]),
        ("ru", ["1 очко", "2 очка", "5 очков", "21 очко"]),
        ("uk", ["1 очко", "2 очки", "5 очок", "21 очко"]),
    ],
)
def test_plurals_are_right(language: str, said: list[str], client: FlaskClient) -> None:
    with client.application.test_request_context(), force_locale(language):
        assert [ngettext("%(num)s point", "%(num)s points", count) for count in (1, 2, 5, 21)] == said
