"""How well positions explain sightings."""

from dataclasses import replace
from itertools import islice
from math import log
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lab.imagine import imagine_json
from companion.lab.play import play_game, play_randomly
from companion.pipeline import layout_of
from companion.reconcile.live.heap import OVERLOOKED, HeapEvidence
from companion.reconcile.live.likelihood import MISREAD, Evidence
from companion.reconcile.live.nearby import with_neighbours
from companion.reconcile.live.places import carried, places_of, seat_again, seat_all
from engine import load
from engine.moves import Slip
from vision.pose import transform
from vision.sighting import LooseTile

EDITIONS = [load("azul"), load("azul-mini")]
AZUL = EDITIONS[0]
FLOOR = dict(zip([f"floor.{i}" for i in range(1, 8)], "KKK....", strict=True))


def state_after(edition, moves, seed=0, players=2, side="coloured"):
    state = edition.start(edition.setup(side, players))
    for move in islice(play_game(edition, state.setup, play_randomly, Random(seed)), moves):
        state = edition.settle(edition.apply(state, move))
    return state


def table_of(edition, state):
    return edition.format_table(edition.table(state))


def seated(sighting, players, discs):
    seen = seat_all(sighting, players, discs)
    assert seen
    return with_neighbours(seen, AZUL.layout, places_of(seen))


def evidence_of(table):
    seen = seated(imagine_json(table), len(table["boards"]), len(table["factories"]))
    return Evidence(seen, layout_of(table["edition"]))


def loose(sure=0.999, **reads):
    left = 1 - sum(reads.values())
    rest = [kind for kind in "BYRKW1" if kind not in reads]
    return LooseTile((0, 0), (0, 0), sure, reads | dict.fromkeys(rest, left / len(rest)))


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.slug)
@settings(max_examples=25, deadline=None)
@given(moves=st.integers(1, 40), players=st.integers(2, 4), side=st.sampled_from(["coloured", "grey"]))
def test_what_lies_there_explains_a_clear_sighting_best(edition, moves, players, side):
    state = state_after(edition, moves, moves, players, side)
    evidence = evidence_of(table_of(edition, state))
    assert evidence.table(edition.table(state)) == pytest.approx(0, abs=0.01)
    for other in islice(edition.legal_moves(state), 40):
        assert evidence.table(edition.table(edition.apply(state, other))) < -4


def test_one_unclear_cell_weighs_as_much_as_it_is_clear():
    table = table_of(AZUL, state_after(AZUL, 12))
    sighting = imagine_json(table)
    reads = dict.fromkeys(".?BYRKW1", 0.0) | {".": 0.8, "K": 0.2}
    board = replace(sighting.boards[0], cells={**sighting.boards[0].cells, "line.5.1": reads})
    evidence = Evidence(seated(replace(sighting, boards=(board, sighting.boards[1])), 2, 5), AZUL.layout)
    assert evidence.cells(1, {"line.5.1": "K"}) == pytest.approx(log(0.25))
    assert evidence.cell(1, "line.5.1", "R") == pytest.approx(log(MISREAD))


def test_what_cannot_be_seen_speaks_for_nothing():
    table = table_of(AZUL, state_after(AZUL, 12))
    hidden = {**table, "boards": [board | {"floor": "???????"} for board in table["boards"]]}
    evidence = evidence_of(hidden)
    assert evidence.cells(1, FLOOR) == pytest.approx(0, abs=0.01)
    assert evidence.cells(3, FLOOR) == 0.0


def test_muted_cells_say_nothing():
    table = table_of(AZUL, state_after(AZUL, 12))
    evidence = Evidence(seated(imagine_json(table), 2, 5), AZUL.layout, [(1, "wall.1.1")])
    assert evidence.cell(1, "wall.1.1", "W") == 0.0


def test_scores_are_told_by_tracks_and_by_sliders():
    for edition in EDITIONS:
        state = state_after(edition, 2)
        boards = tuple(board._replace(score=score) for board, score in zip(state.boards, (7, 104), strict=True))
        evidence = evidence_of(table_of(edition, state._replace(boards=boards)))
        assert evidence.score(1, 7) == pytest.approx(0, abs=0.01)
        assert evidence.score(2, 104) == pytest.approx(0, abs=0.01)
        assert evidence.score(1, 8) < -5
        assert evidence.shown_score(2)[0] == 4


def test_a_heap_is_weighed_in_any_order_with_tiles_overlooked_and_invented():
    heap = HeapEvidence([loose(B=0.99), loose(R=0.99), loose(B=0.6, W=0.4)])
    assert heap.likelihood(tuple("BBR")) == 0.0
    assert heap.likelihood(tuple("BRW")) == pytest.approx(log(0.4 / 0.6))
    assert heap.likelihood(tuple("BBRY")) == pytest.approx(OVERLOOKED)
    assert heap.likelihood(tuple("BB")) < -4
    assert -3 < HeapEvidence([loose(sure=0.5, K=0.99)]).likelihood(tuple("")) < 0
    assert HeapEvidence([]).likelihood(tuple("BB")) == 2 * OVERLOOKED
    assert HeapEvidence([], in_part=True).likelihood(tuple("B")) > -1


def test_a_heap_guesses_what_lies_on_a_full_disc():
    heap = HeapEvidence([loose(B=0.99), loose(R=0.99), loose(B=0.6, W=0.4), loose(K=0.99), loose(sure=0.2, Y=0.99)])
    guesses = heap.guesses(4, 3, "BYRKW")
    assert guesses[0][0] == tuple("BBKR")
    assert dict(guesses)[tuple("BKRW")] - guesses[0][1] == pytest.approx(log(0.4 / 0.6))


@given(st.lists(st.sampled_from("BYRKW1"), max_size=12), st.text("BYRKW1", max_size=12))
def test_a_heap_that_was_read_clearly_is_explained_by_itself_alone(lying, other):
    heap = HeapEvidence([loose(**{kind: 0.9999}) for kind in lying])
    truth = "".join(sorted(lying))
    assert heap.likelihood(tuple(truth)) == pytest.approx(0, abs=0.01)
    other = "".join(sorted(other))
    assert (heap.likelihood(tuple(other)) < -4) is (other != truth)


def test_boards_and_discs_keep_their_names_when_they_are_nudged_or_out_of_view():
    table = table_of(AZUL, state_after(AZUL, 10, players=3))
    sighting = imagine_json(table)
    places = places_of(seated(sighting, 3, 7))
    moved = replace(sighting.boards[2].located, corners_px=sighting.boards[2].located.corners_px + 25.0)
    board = replace(sighting.boards[2], seat=1, located=moved)
    discs = tuple(reversed(sighting.discs[2:]))
    seen = seat_again(replace(sighting, boards=(board,), discs=discs), places, 7)
    assert list(seen.boards) == [3]
    assert sorted(seen.discs) == [3, 4, 5, 6, 7]
    assert seen.discs[7].centre_px == sighting.discs[6].centre_px
    after = places_of(seen, places)
    assert after.boards[3] != places.boards[3]
    assert after.boards[1] == places.boards[1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_boards_and_discs_keep_their_names_when_the_camera_moves(players):
    table = table_of(AZUL, state_after(AZUL, 10, players=players))
    sighting = imagine_json(table)
    count = len(table["factories"])
    places = places_of(seated(sighting, players, count))
    view = np.array([[0.8, -0.5, 700.0], [0.4, 0.9, -250.0], [4e-5, -3e-5, 1.0]])

    def moved(board):
        return replace(board, located=replace(board.located, corners_px=transform(view, board.located.corners_px)))

    discs = tuple(
        replace(disc, centre_px=tuple(transform(view, np.array([disc.centre_px]))[0])) for disc in sighting.discs
    )
    elsewhere = replace(sighting, boards=tuple(map(moved, sighting.boards[::-1])), discs=discs[::-1])
    seen = seat_again(elsewhere, carried(elsewhere, places), count)
    assert {seat: board.seat for seat, board in seen.boards.items()} == {s: s for s in range(1, players + 1)}
    assert {n: disc.centre_px for n, disc in seen.discs.items()} == {n: discs[n - 1].centre_px for n in seen.discs}
    assert len(seen.discs) == count
    part = replace(elsewhere, boards=elsewhere.boards[1:])
    assert carried(part, places) is places


def test_nobody_is_seated_before_all_boards_are_there():
    table = table_of(AZUL, state_after(AZUL, 10, players=3))
    sighting = imagine_json(table)
    assert seat_all(replace(sighting, boards=sighting.boards[:2]), 3, 7) is None


def pushed_onto_a_disc():
    """A full table; disc 1 emptied and its rest pushed to the middle; the same with its rest left on it."""
    state = state_after(AZUL, 1)
    take = next(move for move in AZUL.legal_moves(state) if move.source == 1 and move.line == 5)
    pushed = table_of(AZUL, AZUL.apply(state, take))
    unpushed = table_of(AZUL, AZUL.enact(state, replace(take, slips=(Slip("unpushed"),))))
    return table_of(AZUL, state), pushed, unpushed


def test_a_tile_of_the_middle_may_lie_on_an_emptied_disc():
    full, pushed, unpushed = pushed_onto_a_disc()
    places = places_of(seated(imagine_json(full), 2, 5))
    seen = seat_again(imagine_json(unpushed), places, 5)
    evidence = Evidence(with_neighbours(seen, AZUL.layout, places), AZUL.layout)
    assert evidence.table(AZUL.parse_table(pushed)) > -3
    assert evidence.table(AZUL.parse_table(unpushed)) == pytest.approx(0, abs=0.01)
    assert evidence.table(AZUL.parse_table(full)) < -4


def test_a_tile_that_has_not_moved_is_still_its_discs():
    full, pushed, unpushed = pushed_onto_a_disc()
    places = places_of(seated(imagine_json(full), 2, 5))
    unmoved = replace(places, tiles={1: (places.discs[1],) * 4})
    seen = seat_again(imagine_json(unpushed), places, 5)
    evidence = Evidence(with_neighbours(seen, AZUL.layout, unmoved), AZUL.layout)
    assert evidence.table(AZUL.parse_table(pushed)) < -9
    assert evidence.table(AZUL.parse_table(unpushed)) == pytest.approx(0, abs=0.01)


def test_a_disc_that_was_not_found_is_where_its_tiles_lie():
    table = table_of(AZUL, state_after(AZUL, 1))
    sighting = imagine_json(table)
    places = places_of(seated(sighting, 2, 5))
    lost, *others = sighting.discs
    assert sighting.centre is not None
    unfound = replace(sighting, discs=tuple(others), centre=(*sighting.centre, *lost.tiles))
    seen = with_neighbours(seat_again(unfound, places, 5), AZUL.layout, places)
    assert sorted(seen.discs) == [1, 2, 3, 4, 5]
    assert Evidence(seen, AZUL.layout).table(AZUL.parse_table(table)) == pytest.approx(0, abs=0.01)
    covered = with_neighbours(seat_again(replace(sighting, discs=tuple(others)), places, 5), AZUL.layout, places)
    assert sorted(covered.discs) == [2, 3, 4, 5]
