"""Games told by photos now and then: the truth lies within every claim, alone where it is determined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.lab.confusions import Confusions, load_confusions
from companion.lab.imagine import imagine
from companion.lab.photoexam import Shot, holds, imagined_shots, judge, summary
from companion.lab.photogames import PhotoGame, photo_game
from companion.pipeline import layout_of
from companion.reconcile.photo import to_table
from companion.reconcile.photolog.claims import BY_CUBE, COUNTED
from companion.reconcile.photolog.gaps import Match, Moment, start_moment, stretches_of, weighed_stretches
from companion.reconcile.photolog.looks import PhotoReading, candidates, snapshot, with_reads
from companion.reconcile.photolog.order import in_order, seat_boards
from companion.reconcile.photolog.reconstruct import Account, reconstruct
from engine import EditionError, Table, View, load, slugs
from vision.cells import EMPTY, UNSEEN

AZUL = load("azul")
CONFUSIONS = Path(__file__).parents[2] / "fixtures" / "benchmarks" / "confusions.json"
CALM = settings(deadline=None, derandomize=True, max_examples=8)
SEED = 970_002
GAME = 4
"""Azul, coloured, three players, five rounds, and none of the photos missing."""


GAMES = (0, 1, 2, 3, 5, 7)
"""Of every edition: each side with every number of players."""


def reading_of(table: Table) -> dict[str, Any]:
    """A Table as vision reads it when it sees all of it clearly."""
    sighting = imagine(table)
    return with_reads(to_table(sighting, load(table.edition)), sighting, layout_of(table.edition))


def snapshots(game: PhotoGame, readings: Sequence[dict[str, Any]] | None = None) -> list[PhotoReading]:
    told = readings or [reading_of(photo.shown) for photo in game.photos]
    return [
        snapshot(
            {**reading, "photo": f"{number}.jpg"},
            game.setup.players,
            sha256=str(number),
            taken_at=f"2026-01-0{number + 1}",
        )
        for number, reading in enumerate(told)
    ]


def account_of(game: PhotoGame, shots: Sequence[PhotoReading]) -> Account:
    return reconstruct(shots, Match(load(game.edition), layout_of(game.edition), game.setup))


def scores(account: Account) -> list[list[int | None]]:
    return [[c.best if c.exact else None for _, c in sorted(told.claims.items())] for told in account.photos]


def truths(game: PhotoGame) -> list[list[int]]:
    return [[*photo.scores.values()] for photo in game.photos]


@pytest.fixture(scope="module")
def game() -> PhotoGame:
    return photo_game(GAME, SEED, "after")


@CALM
@given(number=st.integers(0, 23), seed=st.integers(971_000, 979_000), single=st.booleans())
def test_every_claim_about_a_game_holds(number: int, seed: int, single: bool) -> None:
    told = photo_game(number, seed, single=single)
    judged = judge(told, imagined_shots(told, Random(seed), Confusions()))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0
    assert judged["miskept"] == 0


@CALM
@given(number=st.integers(0, 23), seed=st.integers(971_000, 979_000))
def test_every_claim_holds_where_no_cube_can_be_read(number: int, seed: int) -> None:
    told = photo_game(number, seed)
    shots = []
    for shot in imagined_shots(told, Random(seed), Confusions()):
        blind = [board | {"reads": board["reads"] | {"score": {UNSEEN: 1.0}}} for board in shot.reading["boards"]]
        shots.append(Shot(shot.number, {**shot.reading, "boards": blind}, shot.whose))
    assert judge(told, shots)["wrong"] == []


@pytest.mark.parametrize("number", GAMES, ids=lambda number: f"game{number}")
@pytest.mark.parametrize("slug", slugs())
def test_every_claim_holds_in_every_edition(slug: str, number: int) -> None:
    """Six games: each side with two, three and four players, one photo a round, a tenth missing, read as measured."""
    told = photo_game(number, SEED, edition=slug)
    judged = judge(told, imagined_shots(told, Random(number), load_confusions(CONFUSIONS)))
    assert judged["wrong"] == []
    assert judged["rounds"]["claims"] > 0


def test_the_games_of_every_edition_are_of_all_sides_and_numbers_of_players() -> None:
    played = [photo_game(number, SEED, edition="azul").setup for number in GAMES]
    assert {(setup.side, setup.players) for setup in played} == {*product(AZUL.sides, AZUL.players)}


def test_a_photo_that_shows_more_tiles_than_there_are_is_left_out(game: PhotoGame) -> None:
    shots = snapshots(game)
    full = {cell: {"B": 1.0} for cell in shots[2].boards[0].cells}
    shots[2] = replace(shots[2], boards=(replace(shots[2].boards[0], cells=full), *shots[2].boards[1:]))
    account = account_of(game, shots)
    assert [left_out.snapshot.name for left_out in account.left_out] == ["2.jpg"]
    assert "more than 20 tiles of a kind (blue)" in str(account.left_out[0].why)
    assert len(account.photos) == len(shots) - 1
    assert {seat: claim.best for seat, claim in account.final.items()} == game.final


def test_scores_after_tiling_are_told_by_the_cube(game: PhotoGame) -> None:
    account = account_of(game, snapshots(game))
    assert scores(account) == truths(game)
    assert {claim.basis for told in account.photos for claim in told.claims.values()} <= {BY_CUBE, COUNTED}
    assert [told.rounds for told in account.photos] == [photo.round for photo in game.photos]
    assert account.over
    assert {seat: claim.best for seat, claim in account.final.items()} == game.final


def test_scores_before_tiling_are_counted_without_any_cube() -> None:
    game = photo_game(GAME, SEED, "before")
    shots = [replace(s, boards=tuple(replace(b, scores={}) for b in s.boards)) for s in snapshots(game)]
    account = account_of(game, shots)
    assert scores(account) == truths(game)
    assert all(claim.basis == COUNTED for told in account.photos for claim in told.claims.values())
    assert {seat: claim.best for seat, claim in account.final.items()} == game.final


def test_a_photo_from_another_side_of_the_table_turns_the_seats(game: PhotoGame) -> None:
    readings = [reading_of(photo.shown) for photo in game.photos]
    turned = [board | {"seat": board["seat"] % 3 + 1} for board in readings[3]["boards"]]
    readings[3] = readings[3] | {"boards": sorted(turned, key=lambda board: board["seat"])}
    assert scores(account_of(game, snapshots(game, readings))) == truths(game)


def test_a_board_that_was_missed_does_not_shift_the_others(game: PhotoGame) -> None:
    readings = [reading_of(photo.shown) for photo in game.photos]
    left = [board for board in readings[2]["boards"] if board["seat"] != 2]
    readings[2] = readings[2] | {"boards": [board | {"seat": i} for i, board in enumerate(left, 1)]}
    account = account_of(game, snapshots(game, readings))
    assert sorted(account.photos[2].claims) == [1, 3]
    assert account.photos[2].claims[3].best == game.photos[2].scores[3]
    assert {seat: claim.best for seat, claim in account.final.items()} == game.final


def wall_cell(game: PhotoGame, photo: int) -> str:
    """A wall cell of seat 1 that was filled before a photo."""
    old = game.photos[photo - 1].table.part(1).cells
    return next(cell for cell, kind in old.items() if cell.startswith("wall") and kind != EMPTY)


def with_look(shot: PhotoReading, cell: str, reads: dict[str, float]) -> PhotoReading:
    first = replace(shot.boards[0], cells={**shot.boards[0].cells, cell: reads})
    return replace(shot, boards=(first, *shot.boards[1:]))


@pytest.mark.parametrize("reads", [{EMPTY: 1.0}, {UNSEEN: 1.0}, {EMPTY: 0.6, UNSEEN: 0.4}])
def test_other_photos_tell_what_one_misreads(game: PhotoGame, reads: dict[str, float]) -> None:
    shots, cell = snapshots(game), wall_cell(game, 2)
    shots[2] = with_look(shots[2], cell, reads)
    account = account_of(game, shots)
    assert scores(account) == truths(game)
    assert account.photos[2].boards[1].letters[cell] != EMPTY
    assert account.photos[2].doubts == ()


def test_a_wall_that_was_changed_is_said_and_the_game_goes_on(game: PhotoGame) -> None:
    shots = snapshots(game)
    other = snapshots(photo_game(GAME, SEED + 500, "after"))
    shots[2] = replace(shots[2], boards=(other[-1].boards[0], *shots[2].boards[1:]))
    account = account_of(game, shots)
    assert any("cannot have come from" in str(told.claims[1].why) for told in account.photos if 1 in told.claims)
    assert account.photos[-1].claims[2].best == game.photos[-1].scores[2]


@pytest.mark.parametrize(("seat", "cell", "unfitting"), [(1, "wall.1.1", 5), (2, "wall.4.4", 4), (3, "wall.2.1", 0)])
def test_a_tile_that_every_photo_overlooks_does_not_outvote_the_cube_where_the_score_is_open(
    game: PhotoGame, seat: int, cell: str, unfitting: int
) -> None:
    shots = []
    for shot in snapshots(game):
        boards = [replace(b, cells={**b.cells, cell: {EMPTY: 1.0}}) if b.seat == seat else b for b in shot.boards]
        shots.append(replace(shot, boards=tuple(boards)))
    claims = [told.claims[seat] for told in account_of(game, shots).photos]
    assert all(holds(claim, photo.scores[seat]) for claim, photo in zip(claims, game.photos, strict=True))
    assert all(claim.high - claim.low < 20 and not claim.miskept for claim in claims)
    assert sum("which these pieces do not bring" in str(claim.why) for claim in claims) == unfitting


def test_walls_tell_the_order_where_clocks_do_not(game: PhotoGame) -> None:
    shots = snapshots(game)
    assert in_order(shots[::-1]) == (shots, "time")
    assert in_order([replace(shot, taken_at=None) for shot in shots[::-1]])[1] == "walls"
    wrong = [replace(shot, taken_at=f"2026-02-0{9 - i}") for i, shot in enumerate(shots)]
    ordered, by = in_order(wrong)
    assert (by, [shot.name for shot in ordered]) == ("walls", [shot.name for shot in shots])


def test_a_hint_says_whose_board_it_is(game: PhotoGame) -> None:
    one = replace(snapshots(game)[0], boards=snapshots(game)[0].boards[:1])
    assert seat_boards([one], 3, {"0": 2})[0].seats == (2,)
    assert seat_boards([one], 3)[0].seats == (1,)


def test_tiles_say_how_many_rounds_passed_and_how_much_fell(game: PhotoGame) -> None:
    match = Match(AZUL, layout_of("azul"), game.setup)
    boards = [{part.seat: View(part) for part in photo.table.boards} for photo in game.photos]
    moments = [start_moment(AZUL, game.setup), *(Moment(found, 0) for found in boards)]
    for first, last in [(0, 1), (1, 2), (1, 3), (0, 4)]:
        found = weighed_stretches(moments[first], moments[last], 1, match.edition, game.setup)
        stretch, weight = max(found, key=lambda entry: entry[1])
        assert (stretch.rounds, stretch.fresh) == (last - first, True)
        assert weight > 0.99
        assert stretch.most_lost < 28 * stretch.rounds
    blind = weighed_stretches(replace(moments[1], left=None), moments[2], 1, AZUL, game.setup)
    assert {stretch.rounds for stretch, _ in blind} >= {1, 2}


def test_boards_are_tried_from_the_likeliest_on(game: PhotoGame) -> None:
    shot = snapshots(game)[1]
    look = replace(shot.boards[0], cells={**shot.boards[0].cells, "floor.1": {"B": 0.7, "1": 0.2, EMPTY: 0.1}})
    tried = candidates(look, AZUL, "coloured")
    assert [found.letters["floor.1"] for found in tried] == ["B", "1", EMPTY]
    assert [round(found.chance, 3) for found in tried] == [0.7, 0.2, 0.1]


def test_words_of_people_outweigh_what_was_read(game: PhotoGame) -> None:
    shots = snapshots(game)
    match = Match(AZUL, layout_of("azul"), game.setup)
    shots[-1] = replace(shots[-1], boards=tuple(replace(b, scores={}) for b in shots[-1].boards))
    truth = game.photos[-1].scores[1]
    told = reconstruct(shots, match, words={(shots[-1].sha256, 1): {"score": str(truth)}})
    assert told.photos[-1].claims[1].reads.keys() == {truth}
    assert not reconstruct(shots, match).photos[-1].claims[1].exact


def test_an_edition_that_cannot_be_told_from_photos_says_so() -> None:
    with pytest.raises(EditionError, match="log them live"):
        stretches_of(replace(load("queens-garden"), stretches=None))


def test_the_benchmark_goes_on_where_it_stopped_and_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, work = tmp_path / "kept.json", tmp_path / "work"
    call = ["bench", "photolog", "--sightings", "1", "--kept", str(kept), "--work", str(work)]
    call += ["--confusions", str(CONFUSIONS)]
    first = CliRunner().invoke(main, [*call, "--keep"])
    assert first.exit_code == 0, first.output
    assert json.loads(kept.read_text())["summary"]["games"] == 1
    monkeypatch.setattr("companion.cli.commands.bench_photolog.imagined_shots", None)
    again = CliRunner().invoke(main, call)
    assert again.exit_code == 0, again.output
    assert "1 games, " in again.stdout
    assert "kept results in brackets" in again.stdout


def test_results_add_up(game: PhotoGame) -> None:
    judged = judge(game, imagined_shots(game, Random(1), Confusions()))
    whole = summary([judged, judged])
    assert whole["games"] == 2
    assert whole["rounds"]["held"] == whole["rounds"]["claims"] == 2 * judged["rounds"]["claims"]
    assert whole["final"]["exact"] == 2 * judged["final"]["exact"]
    assert holds(account_of(game, snapshots(game)).final[1], game.final[1])
