"""Cards that lie out are told by their ornament and their print, and by the tiles on them."""

from __future__ import annotations

import pytest

from engine import load
from engine.layout import CARD, ORNAMENT
from vision.carried import _heap_on, faces_among
from vision.find import Disc
from vision.sighting import LooseTile

LAYOUT = load("queens-garden").layout
AWAY_MM = 3**0.5 * LAYOUT.disc.size_mm if LAYOUT.disc else 0.0


def seen(x: float, y: float, kind: str, sure: float = 0.9) -> LooseTile:
    return LooseTile((x, y), (x, y), sure, {kind: 0.995, CARD: 0.005})


def test_an_ornament_and_the_print_beside_it_are_one_card() -> None:
    assert LAYOUT.disc is not None
    shown = [
        seen(0, 0, ORNAMENT),
        seen(AWAY_MM + 1, 0, "card:LB3"),
        seen(100, 0, ORNAMENT),
        seen(100, AWAY_MM, "card:YE6"),
    ]
    faces = faces_among(shown, LAYOUT.disc)
    assert sorted(max(face.reads, key=face.reads.__getitem__) for face in faces) == ["card:LB3", "card:YE6"]
    assert all(face.sure == pytest.approx(0.99) for face in faces)


def test_an_ornament_without_a_print_is_a_card_of_which_nothing_else_is_told() -> None:
    assert LAYOUT.disc is not None
    (face,) = faces_among([seen(0, 0, ORNAMENT)], LAYOUT.disc)
    assert face.sure == 0.9
    assert max(face.reads.values()) < 0.1
    assert sum(face.reads.values()) == pytest.approx(1.0)


def test_a_print_far_from_an_ornament_is_another_card() -> None:
    assert LAYOUT.disc is not None
    faces = faces_among([seen(0, 0, ORNAMENT), seen(3 * AWAY_MM, 0, "card:LB3")], LAYOUT.disc)
    assert len(faces) == 2


@pytest.mark.parametrize(
    ("face", "tile", "shown"), [(0.95, 0.4, "card:LB3"), (0.7, 0.99, CARD), (0.97, 0.8, "card:LB3")]
)
def test_nothing_lies_on_a_card_that_shows_its_face(face: float, tile: float, shown: str) -> None:
    assert LAYOUT.disc is not None
    pieces = [seen(AWAY_MM, 0, "card:LB3", face), seen(0, AWAY_MM, "LP6", tile)]
    heap = _heap_on(Disc((0, 0), 40.0, 0.9), pieces, LAYOUT.disc)
    told = [max(each.reads, key=each.reads.__getitem__) for each in heap.tiles if each.sure >= 0.5]
    assert told == ([shown, "LP6"] if shown == CARD else [shown])


def test_what_may_be_a_tile_or_print_is_told_as_a_tile_but_less_surely() -> None:
    assert LAYOUT.disc is not None
    unclear = LooseTile((0, AWAY_MM), (0, AWAY_MM), 0.9, {"LP6": 0.6, "card:LP6": 0.4})
    heap = _heap_on(Disc((0, 0), 40.0, 0.9), [unclear], LAYOUT.disc)
    (tile,) = [each for each in heap.tiles if "LP6" in each.reads]
    assert tile.reads == {"LP6": 1.0}
    assert tile.sure == pytest.approx(0.54)
