"""The scores of a log at any moment: exact, or open; with the bonuses and the winner at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.gamelog import Answer, Doubt, Game, GameLog, Note, Photo, PhotoRead, Record
from companion.lab.play import play_greedily
from companion.lab.simulate import simulate
from companion.ledger import end_json, ledger, standing
from companion.scores import Marker, Score, standing_json
from engine import Start, load
from engine.record import final

AZUL = load("azul")


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with GameLog(tmp_path) as log:
        yield log.create(Start(AZUL, AZUL.setup("coloured", 2), ("Ada", "Bo")))


def photo(game: Game, content: bytes) -> str:
    return game.append(PhotoRead(), "azul log", Photo(content)).photo or ""


def correct(game: Game, seat: int, photo_: str | None = None, **cells: object) -> int:
    event = {"event": "correct", "cells": cells} | ({"seat": seat} if seat else {})
    return game.append(Record(event), "azul log", photo_).n


def ask(game: Game, seat: int, photo_: str, *scores: int) -> str:
    id_ = f"{photo_[:12]}-{seat}-score"
    game.append(Doubt(id_, {str(score): 1 / len(scores) for score in scores}, "score", seat), "azul log", photo_)
    return id_


def test_a_doubt_opens_the_score_from_the_first_event_of_its_photo(game: Game) -> None:
    first = photo(game, b"1")
    set_ = correct(game, 1, first, score=5)
    ask(game, 1, first, 0, 5, 11)
    scores = ledger(game.refresh())
    assert scores.at(set_).scores == (Score(0, 11), Score(0, 0))
    assert str(scores.last.scores[0]) == "0–11"
    assert scores.last.values == [None, 0]
    assert standing_json(scores.last) == {"scores": [None, 0], "intervals": {"1": [0, 11]}}


def test_a_score_is_open_from_its_own_board_on_not_from_that_of_another(game: Game) -> None:
    first = photo(game, b"1")
    table, other = correct(game, 0, first, round=1), correct(game, 2, first, score=3)
    own = correct(game, 1, first, score=5)
    ask(game, 1, first, 0, 11)
    scores = ledger(game.refresh())
    assert [scores.at(n).intervals for n in (table, other, own)] == [{}, {}, {1: (0, 11)}]


def test_what_is_asked_after_the_last_event_counts_for_its_moment(game: Game) -> None:
    first = photo(game, b"1")
    n = correct(game, 2, first, score=3)
    ask(game, 1, first, 0, 11)
    (moment,) = ledger(game.refresh()).until([n])
    assert moment.intervals == {1: (0, 11)}


def test_a_later_photo_or_a_person_settles_it(game: Game) -> None:
    first, second = photo(game, b"1"), photo(game, b"2")
    correct(game, 1, first, score=5)
    ask(game, 1, first, 0, 11)
    correct(game, 1, second, score=14)
    assert standing(game.refresh()).scores[0] == Score(14, 14)
    ask(game, 1, second, 12, 14)
    assert standing(game.refresh()).scores[0] == Score(12, 14)
    correct(game, 1, None, score=13)
    assert standing(game.refresh()).scores[0] == Score(13, 13)


def test_an_answer_holds_from_the_photo_on(game: Game) -> None:
    first = photo(game, b"1")
    n = correct(game, 1, first, score=5)
    game.append(Answer(ask(game, 1, first, 0, 5, 11), "11"), "Ada")
    assert ledger(game.refresh()).at(n).scores[0] == Score(11, 11)


def test_a_marker_that_does_not_fit_is_told_until_one_fits(game: Game) -> None:
    first, second = photo(game, b"1"), photo(game, b"2")
    correct(game, 1, first, score=9)
    ask(game, 1, first, 9, 11)
    game.append(Note("the cube says 14", 1, 14), "azul log", first)
    assert standing(game.refresh()).track[0] == Score(9, 11, Marker(14, 9, 11))
    assert standing_json(standing(game.folded))["markers"] == {"1": 14}
    correct(game, 1, second, score=15)
    assert standing(game.refresh()).track[0] == Score(15, 15)


def test_an_open_score_is_played_on_from_both_ends(game: Game) -> None:
    """Nobody loses points that are not there: the ends need not move alike."""
    first = photo(game, b"1")
    correct(game, 0, first, round=1)
    correct(game, 1, first, score=1, floor="KKK")
    ask(game, 1, first, 1, 9)
    correct(game, 0, None, phase="tile")
    state = game.refresh().state
    assert state.scores[0] == 0
    assert standing(game.folded).track[0] == Score(0, 5)


def play_to_the_end(game: Game) -> None:
    for played in simulate(AZUL, game.start.setup, Random(5), policy=play_greedily):
        game.append(Record(AZUL.format_event(played.move)), "azul")


def test_the_end_counts_the_bonuses_and_names_the_winner(game: Game) -> None:
    play_to_the_end(game)
    folded = game.refresh()
    result = final(AZUL, folded.state)
    assert result
    now = standing(folded)
    assert now.over
    assert now.values == [points for points, _ in result.values()]
    assert now.winners == now.contenders == AZUL.winners(folded.state)
    assert any(score != track for score, track in zip(now.scores, now.track, strict=True))


def test_an_end_that_is_open_names_nobody_unless_one_wins_in_any_case(game: Game) -> None:
    play_to_the_end(game)
    last = photo(game, b"end")
    totals = standing(game.refresh()).values
    lead = max(filter(None, totals))
    winner = totals.index(lead) + 1
    other = 3 - winner
    track = standing(game.folded).track[other - 1].low
    correct(game, other, last, score=track)
    id_ = ask(game, other, last, track, track + 100)
    now = standing(game.refresh())
    assert now.winners == ()
    assert now.contenders == (1, 2)
    ended = end_json(game.folded, now)
    assert ended
    assert ended["final"][other - 1] is None
    assert ended["breakdown"][other - 1]["total"] is None
    assert ended["intervals"] == {str(other): [totals[other - 1], (totals[other - 1] or 0) + 100]}
    game.append(Answer(id_, str(track)), "Ada")
    assert standing(game.refresh()).winners == (winner,)
