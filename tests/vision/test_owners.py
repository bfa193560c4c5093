"""Whose marks stand on a shared track: by print on the seats' boards, no two seats having the same."""

import pytest

from vision.owners import marks_of_seats, owned

KINDS = ("black", "white", "grey")


def test_clear_print_tells_whose_marks_are_whose():
    shares = owned({1: {"grey": 0.98, "white": 0.02}, 2: {"black": 0.99, "?": 0.01}}, KINDS)
    assert shares[1]["grey"] > 0.97
    assert shares[2]["black"] > 0.98


def test_print_that_is_not_seen_is_told_by_what_is_left():
    shares = owned({1: {"grey": 1.0}, 2: {"black": 1.0}, 3: {"?": 1.0}}, KINDS)
    assert shares[3]["white"] == pytest.approx(1.0, abs=1e-4)


def test_of_two_seats_with_the_same_print_neither_is_sure():
    shares = owned({1: {"grey": 1.0}, 2: {"grey": 1.0}}, KINDS)
    assert max(shares[1].values()) < 0.6


def test_marks_stand_where_those_of_their_kind_do():
    tracks = {("score", "black"): {"5": 0.9, "6": 0.1, "?": 0.0}, ("score", "white"): {"5": 0.0, "6": 1.0, "?": 0.0}}
    told = dict(marks_of_seats({1: {"white": 0.99, "black": 0.01}}, tracks))
    assert told[1, "score"]["6"] == pytest.approx(0.99 + 0.001, abs=1e-3)
    assert sum(told[1, "score"].values()) == pytest.approx(1.0)


def test_a_seat_at_the_table_has_its_mark_somewhere():
    tracks = {("score", "black"): {"5": 0.5, "?": 0.5}, ("score", "white"): {"5": 0.0, "?": 1.0}}
    told = dict(marks_of_seats({1: {"black": 1.0}, 2: {"white": 1.0}}, tracks))
    assert told[1, "score"]["5"] > 0.9
    assert told[2, "score"]["?"] > 0.99


def test_more_seats_than_marks_tell_nothing():
    assert not dict(marks_of_seats({1: {"?": 1.0}, 2: {"?": 1.0}}, {("score", "black"): {"5": 1.0}}))


def test_hardly_anything_hides_a_mark_where_all_else_on_its_board_is_seen():
    tracks = {("score", "black"): {"5": 0.1, "?": 0.9}}
    (_, hidden), (_, plain) = (next(marks_of_seats({1: {"black": 1.0}}, tracks, in_view)) for in_view in (False, True))
    assert hidden["5"] == pytest.approx(0.1 / 0.19)
    assert plain["5"] == pytest.approx(0.1 / 0.118)
