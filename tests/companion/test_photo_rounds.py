"""Several photos of one round: they count as one round, whatever they show of it, and every claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gamelog import GameLog, Note
from companion.lab.confusions import Confusions, load_confusions
from companion.lab.photoexam import Shot, account_of, imagined_shots, judge
from companion.lab.photogames import PhotoGame, Taken, photo_game
from companion.photolog.reading import Done, Work
from companion.photolog.scribe import log_photos
from companion.reconcile.photolog.rounds import DONE, DUE, TAKING, Tick, agree
from engine import Start, load

CONFUSIONS = Path(__file__).parents[2] / "fixtures" / "benchmarks" / "confusions.json"
SEED = 970_002
GAME = 4
"""Azul, coloured, three players, five rounds, and none of the photos missing."""
SEATS = (1, 2, 3)
CALM = settings(deadline=None, derandomize=True, max_examples=8)


@pytest.fixture(scope="module")
def tiled() -> PhotoGame:
    return photo_game(GAME, SEED, "after")


@pytest.fixture(scope="module")
def drafted() -> PhotoGame:
    return photo_game(GAME, SEED, "before")


def shots_of(game: PhotoGame, middle: bool = True) -> list[Shot]:
    """The photos, clearly seen; the middle perhaps not."""
    shots = imagined_shots(game, Random(1), Confusions())
    hidden = () if middle else ("factories", "centre")
    return [replace(s, reading={k: v for k, v in s.reading.items() if k not in hidden}) for s in shots]


def assert_told(game: PhotoGame, shots: Sequence[Shot], open_: int = 0) -> None:
    """All rounds are counted right and all scores hold, exactly but for so many."""
    judged = judge(game, shots)
    assert judged["wrong"] == []
    assert judged["clock"] == judged["photos"] == len(game.photos)
    assert judged["rounds"]["claims"] - judged["rounds"]["exact"] == open_


def alone(photos: Sequence[Taken], *seats: int) -> list[Taken]:
    """A photo of each of these boards instead of one of the table."""
    return [replace(photo, seats=(seat,)) for photo in photos for seat in seats]


@pytest.mark.parametrize("middle", [True, False])
def test_a_photo_from_every_seat_is_one_round(tiled: PhotoGame, middle: bool) -> None:
    photos = tuple(replace(photo, turn=turn) for photo in tiled.photos for turn in range(3))
    game = replace(tiled, photos=photos)
    shots = shots_of(game, middle)
    # Whether cubes show the bonuses of the end already is told by counting tiles alone.
    assert_told(game, shots, open_=0 if middle else 9)
    same = [told.same_as for told in account_of(game, shots).photos]
    assert same == [None if n % 3 == 0 else f"photo{n}.jpg" for n in range(len(photos))]


@pytest.mark.parametrize("seats", [SEATS, (1, 1, 2, 2, 3), (3, 1, 3, 2, 2, 1)])
def test_boards_one_at_a_time_are_one_round(tiled: PhotoGame, seats: tuple[int, ...]) -> None:
    game = replace(tiled, photos=tuple(alone(tiled.photos, *seats)))
    assert_told(game, shots_of(game), open_=len(seats))


@pytest.mark.parametrize("middle", [True, False])
def test_a_round_before_and_after_its_walls_are_tiled(drafted: PhotoGame, tiled: PhotoGame, middle: bool) -> None:
    pairs = zip(drafted.photos, tiled.photos, strict=True)
    game = replace(tiled, photos=tuple(photo for pair in pairs for photo in (*pair, pair[1])))
    assert_told(game, shots_of(game, middle))


@pytest.mark.parametrize("quick", [(1,), (2, 3)])
def test_who_tiles_sooner_is_not_a_round_ahead(drafted: PhotoGame, tiled: PhotoGame, quick: tuple[int, ...]) -> None:
    photos = []
    for early, late in zip(drafted.photos, tiled.photos, strict=True):
        parts = (late.table.part(part.seat) if part.seat in quick else part for part in early.table.parts)
        between = replace(late, table=replace(early.table, parts=tuple(parts)))
        photos += [early, between, *alone([between], quick[0]), late]
    game = replace(tiled, photos=tuple(photos))
    assert_told(game, shots_of(game))


def test_boards_not_tiled_yet_are_scored_once_another_has_ended_the_game(drafted: PhotoGame, tiled: PhotoGame) -> None:
    *before, last = tiled.photos
    walls = {
        part.seat: [[part.cells[f"wall.{r}.{c}"] for c in range(1, 6)] for r in range(1, 6)]
        for part in last.table.boards
    }
    ending = next(seat for seat, wall in walls.items() if any("." not in row for row in wall))
    others = [seat for seat in SEATS if seat != ending]
    photos = (*before, *alone([last], ending), *alone(drafted.photos[-1:], *others))
    game = replace(tiled, photos=photos)
    account = account_of(game, shots_of(game))
    assert account.over
    assert {seat: account.final[seat].best for seat in others} == {seat: tiled.final[seat] for seat in others}
    assert judge(game, shots_of(game))["wrong"] == []


@CALM
@given(number=st.integers(0, 23), seed=st.integers(971_000, 979_000))
def test_every_claim_about_a_game_photographed_often_holds(number: int, seed: int) -> None:
    game = photo_game(number, seed, often=True)
    judged = judge(game, imagined_shots(game, Random(seed), Confusions()))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0
    assert judged["miskept"] == 0


@pytest.mark.parametrize("number", [20, 38, 41])
def test_photos_at_any_moment_become_a_log(number: int, tmp_path: Path) -> None:
    """Four players: for a while, between two positions, the table would hold more tiles of a colour than there are."""
    game, rng = photo_game(number, 960_000, often=True, edition="azul"), Random(number)
    shots = imagined_shots(game, Random(f"confusions {number}"), load_confusions(CONFUSIONS))
    done = []
    for shot in (shot for shot in shots if rng.random() < 0.6):
        work = Work(f"{shot.number}.jpg", b"photo %d" % shot.number)
        done.append(Done(work, {**shot.reading, "photo": work.name}, f"2026-01-01T00:{shot.number:02}:00"))
    with GameLog(tmp_path) as log:
        logged = log.create(Start(load("azul"), game.setup))
        account = log_photos(logged, done)
        assert len(account.photos) == len(done)
        assert not [entry for entry in logged.entries() if isinstance(entry.event, Note)]
        table = load("azul").table(logged.refresh().state)
        for seat, board in account.photos[-1].boards.items():
            assert {cell: table.part(seat).cells[cell] for cell in board.letters} == board.letters


def test_seats_agree_on_the_round() -> None:
    sure, unsure = {1: 1.0}, {0: 0.6, 1: 0.4}
    first = [Tick(1, sure, DONE), Tick(2, unsure, DONE)]
    assert agree([first]) == ({1: 1, 2: 1},)
    assert agree([[first[0]], [first[1]]]) == ({1: 1}, {2: 1})
    assert agree([[Tick(1, sure, DUE), Tick(2, {0: 0.9, 1: 0.1}, DUE)]]) == ({1: 1, 2: 0},)
    assert agree([[Tick(1, sure, TAKING), Tick(2, {0: 0.9, 1: 0.1}, TAKING)]]) == ({1: 1, 2: 1},)
    assert agree([[], first]) == ({}, {1: 1, 2: 1})


def test_a_round_that_only_another_board_tells_of_is_counted_for_all() -> None:
    """Much fell to the floor: by the tiles alone, and by the first board, one round less would do."""
    game = photo_game(3, 960_000)
    judged = judge(game, shots_of(game))
    assert not judged["wrong"]
    assert judged["clock"] == judged["photos"]
