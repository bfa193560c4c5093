"""Cards in the slots of boards are told by what their places show."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine import load
from engine.layout import CARD, ORNAMENT, SLOT
from vision.cards import with_cards
from vision.cells import EMPTY, UNSEEN
from vision.sighting import Reads

LAYOUT = load("queens-garden").layout
SURE = 0.97


def sure_of(label: str) -> Reads:
    others = [other for other in (EMPTY, UNSEEN, CARD, ORNAMENT) if other != label]
    return dict.fromkeys(others, (1 - SURE) / len(others)) | {label: SURE}


def shown(slot: str, ring: Mapping[int, str], middle: str, usual: str) -> dict[str, Reads]:
    """The places of a slot, by their directions; other slots are empty."""
    slots = [cell.name for zone in LAYOUT.zones if zone.role == SLOT and not zone.heap for cell in zone.cells]
    read = {f"{name}.{k}": sure_of(EMPTY) for name in slots for k in (*range(6), "c")}
    read |= {f"{slot}.{k}": sure_of(ring.get(k, usual)) for k in range(6)}
    return read | {f"{slot}.c": sure_of(middle)}


def best(reads: Reads) -> str:
    return max(reads, key=reads.__getitem__)


@pytest.mark.parametrize("at", range(6))
def test_a_card_with_its_face_up_is_told_with_its_print_and_direction(at: int) -> None:
    told = with_cards(shown("X2", {at: "card:LB3", (at + 1) % 6: "YE5"}, ORNAMENT, CARD), LAYOUT)
    assert best(told["X2"]) == f"card:LB3@{at}"
    assert told["X2"][f"card:LB3@{at}"] > 0.99
    assert best(told[f"X2.{at}"]) == EMPTY
    assert best(told[f"X2.{(at + 1) % 6}"]) == "YE5"
    assert best(told["X1"]) == EMPTY


def test_a_card_face_down_may_carry_a_tile_in_its_middle() -> None:
    told = with_cards(shown("X0", {3: "DG1"}, "DP6", CARD), LAYOUT)
    assert best(told["X0"]) == CARD
    assert best(told["X0.c"]) == "DP6"
    assert told["X0.1"][EMPTY] > 0.95


def test_a_card_under_a_hand_is_unseen() -> None:
    told = with_cards(shown("X4", {}, UNSEEN, UNSEEN), LAYOUT)
    assert told["X4"][UNSEEN] > 0.8


def test_two_prints_on_one_card_leave_a_doubt() -> None:
    told = with_cards(shown("X5", {0: "card:LB3", 2: "card:YE1"}, ORNAMENT, CARD), LAYOUT)
    assert max(told["X5"].values()) < 0.9


def test_readings_stay_probabilities() -> None:
    for reads in with_cards(shown("X3", {1: "card:DG6"}, ORNAMENT, CARD), LAYOUT).values():
        assert sum(reads.values()) == pytest.approx(1.0)
