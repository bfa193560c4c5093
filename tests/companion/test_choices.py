"""What choices of a question about moves lead to, and what differs between them."""

import pytest

from companion.reconcile.live.choices import most_in_doubt, offer_of
from companion.reconcile.live.outcome import SEEN_OTHERWISE, choice, parse_choice
from engine import load
from engine.moves import Correct, Fill

AZUL = load("azul")
DISCS = ("BBKR", "KKWY", "RRRW", "BYYY", "KRWW")
STATE = AZUL.enact(AZUL.start(AZUL.setup("coloured", 2)), Fill(DISCS))


def told(choice):
    return [(str(guess.text), [*map(str, guess.breaks)], [*map(str, guess.instead)]) for guess in choice.guesses]


def test_choices_that_lead_to_the_same_are_one_which_says_all_that_may_be_wrong():
    reads = {"1:2K>1!hidden=K 2:3R>4": 0.4, "1:2K>1!kept=K 2:3R>4": 0.3, "1:2K>2 2:3R>4": 0.2}
    offer = offer_of(AZUL, STATE, reads)
    assert [(choice.value, round(choice.chance, 2)) for choice in offer.choices] == [
        ("1:2K>1!hidden=K 2:3R>4", 0.7),
        ("1:2K>2 2:3R>4", 0.2),
    ]
    ((_, (wrong,), (instead,)),) = told(offer.likely[0])
    assert "lid" in wrong
    assert "lid" not in instead
    assert [each.value for each in offer.choices[0].variants] == [*reads][:2]


def test_what_all_choices_have_in_common_is_said_once():
    offer = offer_of(AZUL, STATE, {"1:2K>3 2:3R>4": 0.5, "1:2K>2 2:3R>4": 0.5})
    assert [str(guess.text) for guess in offer.common] == ["seat 2 takes red from factory 3 to line 4"]
    assert [[str(guess.text)[-6:] for guess in choice.guesses] for choice in offer.likely] == [["line 3"], ["line 2"]]


def test_what_is_far_less_likely_than_another_is_not_offered_at_once():
    offer = offer_of(AZUL, STATE, {"1:2K>3": 0.99, "1:2K>2": 0.01, "1:2K>4": 0.0001})
    assert [choice.value for choice in offer.likely] == ["1:2K>3", "1:2K>2"]
    assert [choice.value for choice in offer.further] == ["1:2K>4"]
    assert not {spot for spot in offer.spots if spot[1].startswith("line.4")}, "nor is it looked at"


@pytest.mark.parametrize(
    ("reads", "spots"),
    [
        (["1:2K>3", "1:2K>2"], {(1, "line.2.1"), (1, "line.2.2"), (1, "line.3.2"), (1, "line.3.3")}),
        (["1:2W>1", "1:3W>1"], {(0, "factory.2"), (0, "factory.3"), (0, "centre")}),
        (["1:2K>3 2:3W>1", "1:2K>3 2:3W>2"], {(2, "line.1.1"), (2, "line.2.2")}),
    ],
)
def test_it_is_known_where_choices_differ(reads, spots):
    assert set(offer_of(AZUL, STATE, dict.fromkeys(reads, 0.5)).spots) == spots


def test_where_only_one_thing_is_likely_the_move_in_doubt_is_shown_and_not_the_last_one():
    offer = offer_of(AZUL, STATE, {"1:2K>1!hidden=K 2:3R>4": 0.5, "1:2K>1!kept=K 2:3R>4": 0.5})
    assert most_in_doubt(offer.spots) == (1, "")
    assert (1, "line.1.1") in offer.spots
    assert not [spot for spot in offer.spots if spot[0] == 2]


def test_choices_with_the_same_sentences_say_what_would_lie_where():
    moves = [
        AZUL.format_move(move)
        for move in AZUL.pseudo_moves(STATE)
        if str(AZUL.describe(move)) == "seat 1 takes black from factory 2 to line 3"
    ]
    offer = offer_of(AZUL, STATE, dict.fromkeys(moves, 1 / len(moves)))
    said = [(told(choice), choice.apart) for choice in offer.likely]
    assert len(said) == 4
    assert all(said.count(each) == 1 for each in said)


def test_what_cannot_be_played_any_more_is_still_what_was_asked():
    (choice,) = offer_of(AZUL, STATE, {"1:5B>2": 1.0}).choices
    assert choice.lying is None
    assert not choice.is_legal
    assert "blue from factory 5" in str(choice.guesses[0].text)


def test_a_heap_of_pieces_with_long_names_is_one_choice() -> None:
    garden = load("queens-garden")
    moves = (Correct(0, (("stack", "LB1 LB3 LG3 YE5"),), SEEN_OTHERWISE), garden.parse_move("1:LB1@0.LB3@0"))
    assert parse_choice(garden, choice(garden, moves)) == moves
