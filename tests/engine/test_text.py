"""Sentences that are shown later: their values, their JSON, and what files of strangers may not do with them."""

from __future__ import annotations

import json
import pickle

import pytest

from engine import slugs
from engine.text import (
    ENGLISH,
    EditionName,
    Names,
    Seat,
    SpokenError,
    Text,
    either,
    format_text,
    format_words,
    joined,
    parse_text,
    parse_words,
    render,
    say,
    say_n,
)

SENTENCES = [
    say("there is none"),
    say("{player} takes {colour}", player=Seat(2), colour=say("red")),
    say("{sought} or nothing", sought=either([EditionName(slug) for slug in slugs()])),
    say_n("{count} tile", "{count} tiles", 3),
    joined([say("one"), say_n("{count} tile", "{count} tiles", 1)]),
    say("{low} to {high}", low=1, high=2.5),
]


@pytest.mark.parametrize("text", SENTENCES, ids=str)
def test_a_sentence_survives_json(text: Text) -> None:
    assert parse_text(json.loads(json.dumps(format_text(text)))) == text


def test_what_somebody_typed_is_no_sentence() -> None:
    assert format_words("{not a sentence}") == "{not a sentence}"
    assert parse_words("{not a sentence}") == "{not a sentence}"
    assert render("{not a sentence}", ENGLISH) == "{not a sentence}"


def test_players_and_editions_are_named_where_their_names_are_known() -> None:
    text = say("{player} plays {edition}", player=Seat(2), edition=EditionName("azul-mini"))
    assert str(text) == "seat 2 plays azul-mini"
    assert text.render(ENGLISH, Names(("Ann", "Ben"), str.upper)) == "Ben plays AZUL-MINI"
    assert text.render(ENGLISH, Names(("Ann",))) == "seat 2 plays azul-mini"


def test_the_word_seat_in_a_name_is_left_alone() -> None:
    text = say("{player} says: {words}", player=Seat(1), words="seat 2 cheats")
    assert text.render(ENGLISH, Names(("Ann", "Ben"))) == "Ann says: seat 2 cheats"


@pytest.mark.parametrize(
    "written",
    [
        {"say": "{a.__class__}", "values": {"a": 1}},
        {"say": "{a[0]}", "values": {"a": "x"}},
        {"say": "{a:>9999999999}", "values": {"a": 1}},
        {"say": "{a!r}", "values": {"a": 1}},
        {"say": "{b}", "values": {"a": 1}},
        {"say": "{}", "values": {"a": 1}},
        {"say": "{a", "values": {"a": 1}},
        {"say": 7},
        {"say": "x", "values": []},
        {"say": "x", "values": {"a": None}},
        {"say": "x", "plural": "{b}", "count": 2},
        {"say": "x", "plural": "y", "count": "2"},
        [],
    ],
    ids=str,
)
def test_a_sentence_that_cannot_be_shown_or_asks_for_more_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match=r"sentence|expected"):
        parse_text(written)


def test_an_error_keeps_its_sentence_on_the_way_between_programs() -> None:
    error = pickle.loads(pickle.dumps(SpokenError(SENTENCES[1])))  # noqa: S301 - our own bytes
    assert error.words == SENTENCES[1]
    assert str(error) == "seat 2 takes red"
