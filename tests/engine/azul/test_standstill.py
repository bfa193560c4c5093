"""Where no row of any wall can be completed any more: it is proved, told as advice, and people may end the game."""

import json
import random
from itertools import permutations

import pytest

from engine import IllegalMoveError, ImpossibleMoveError
from engine.record import Start, replay

COLOURS = "BYRKW"
LOCKED = {1: "....B", 2: "YRKW.", 3: "WYRK.", 4: "KWYR.", 5: "RKWY."}
"""A grey wall: yellow has no column left in row 1, and the last column has its blue tile, which all other rows need."""
HOARDED = {2: "B", 3: "BB", 4: "BBB", 5: "BBBB"}
"""Lines that hold ten tiles of one colour, each one tile short; on two boards that is all there are."""


def locked(**others):
    return {"side": "grey", "phase": "fill", "wall": LOCKED, "seats": {2: {"wall": LOCKED}}, **others}


def hoarded(side, **others):
    return {"side": side, "phase": "fill", "lines": HOARDED, "seats": {2: {"lines": HOARDED}}, **others}


def is_still(edition, state):
    advice = edition.standstill(state)
    assert (edition.ending(state) is not None) is (advice is not None and state.phase == "fill")
    assert advice is None or advice.rule == "AZ-EN-01"
    return advice is not None


def test_walls_on_which_no_row_can_be_completed(edition, lay):
    assert is_still(edition, lay(edition, **locked()))
    assert is_still(edition, lay(edition, **locked(players=3, seats={2: {"wall": LOCKED}, 3: {"wall": LOCKED}})))


@pytest.mark.parametrize(
    "wall",
    [
        {**LOCKED, 1: "....."},
        {**LOCKED, 2: ".RKW."},
        {**LOCKED, 3: "W.RK."},
        {**LOCKED, 5: "RKW.."},
        {},
        {**LOCKED, 1: "WYRKB"},
    ],
)
def test_one_row_that_can_be_completed_is_enough(edition, lay, wall):
    assert not is_still(edition, lay(edition, **locked(seats={2: {"wall": wall}})))


@pytest.mark.parametrize("side", ["coloured", "grey"])
def test_a_colour_of_which_all_tiles_are_held_on_unfinished_lines(edition, lay, side):
    assert is_still(edition, lay(edition, **hoarded(side)))
    # With a single tile of it any of these lines can be completed, and its tiles come back for the next one.
    for freed in ({**HOARDED, 5: "BBB"}, {**HOARDED, 2: ""}):
        assert not is_still(edition, lay(edition, **hoarded(side, seats={2: {"lines": freed}})))
    complete = {**HOARDED, 2: "BB"}
    others = {"seats": {2: {"lines": {**HOARDED, 5: "BBB"}}}, "phase": "tile"}
    assert not is_still(edition, lay(edition, **hoarded(side, lines=complete, **others)))


def test_other_colours_of_a_row_do_not_help_it(edition, lay):
    wall = {1: ".YRKW"}
    assert is_still(edition, lay(edition, **hoarded("coloured", wall=wall)))
    # Here the wall has the colour in row 1 already, so this row needs only others.
    lines = {**HOARDED, 5: "BBB"}
    assert not is_still(edition, lay(edition, **hoarded("coloured", wall={1: "B...."}, lines=lines)))


def test_people_end_such_a_game_after_a_round(edition, lay):
    state = lay(edition, **locked(score=30))
    end = edition.ending(state)
    after = edition.apply(state, end)
    assert after == state._replace(phase="over")
    assert not is_still(edition, after)
    assert edition.score(state, end) == []
    assert edition.winners(after) == (1,)
    assert edition.legal_moves(state) == []
    assert edition.parse_move(edition.format_move(end)) == end
    assert edition.parse_event(state, edition.format_event(end)) == end
    assert str(edition.describe(end))


def test_another_game_ended_so_breaks_the_rule_on_the_end(edition, lay):
    end = edition.parse_move("end")
    state = lay(edition, side="grey", phase="fill")
    assert [broken.rule for broken in edition.violations(state, end)] == ["AZ-EN-01"]
    with pytest.raises(IllegalMoveError):
        edition.apply(state, end)
    assert edition.enact(state, end).phase == "over"
    for phase in ("draft1", "tile", "over"):
        state = lay(edition, **locked(phase=phase, factories="BBBB"))
        assert [broken.rule for broken in edition.violations(state, end)] == ["RECORD"]
        with pytest.raises(ImpossibleMoveError):
            edition.enact(state, end)


def test_a_record_tells_it_once_where_it_begins():
    cells = {f"wall.{row}.{column}": tile for row, tiles in LOCKED.items() for column, tile in enumerate(tiles, 1)}
    lines = [
        '{"event":"start","edition":"azul","side":"grey","players":2,"first":1}',
        *(json.dumps({"event": "correct", "seat": seat, "cells": cells}) for seat in (1, 2)),
        '{"event":"correct","cells":{"round":7}}',
        '{"event":"end"}',
    ]
    steps = list(replay(lines))
    assert [[advice.rule for advice in step.advisories] for step in steps] == [[], [], ["AZ-EN-01"], [], []]
    assert [step.ok for step in steps] == [True] * 5
    assert steps[-1].state.phase == "over"


@pytest.mark.parametrize("table", [locked(), hoarded("coloured"), hoarded("grey")], ids=["walls", "coloured", "grey"])
def test_play_from_there_never_completes_a_row(edition, lay, table):
    for seed in range(4):
        state, rng = lay(edition, **table), random.Random(seed)
        while state.round < 9:
            move = (
                edition.deal(state, rng.sample) if edition.awaits_chance(state) else rng.choice(edition.choices(state))
            )
            state = edition.settle(edition.apply(state, move))
            assert state.phase != "over"
            assert is_still(edition, state)


def test_where_nothing_is_told_a_row_can_be_completed(edition, game):
    """With tiles enough, a row for which a naive look at the wall finds colours is completed by legal moves."""
    checked = 0
    for seed in range(6):
        for turn in game(Start(edition, edition.setup("grey", 2)), random.Random(seed)):
            state = turn.settled
            if state.phase != "fill" or len(state.bag + state.lid) < 60:
                continue
            found = next(completions(state), None)
            assert (found is None) is is_still(edition, state)
            if found:
                complete(edition, state, *found)
                checked += 1
    assert checked > 10


def completions(state):
    """Every way to fill up a row of a wall, by the rules of the grey side alone."""
    for seat, board in enumerate(state.boards, 1):
        columns = ["".join(cells) for cells in zip(*board.wall, strict=True)]
        for row, cells in enumerate(board.wall, 1):
            free = [column for column in range(5) if cells[column] == "."]
            for colours in permutations(set(COLOURS) - set(cells), len(free)):
                if not any(colour in columns[column] for column, colour in zip(free, colours, strict=True)):
                    yield seat, row, [(column + 1, colour) for column, colour in zip(free, colours, strict=True)]


def complete(edition, state, seat, row, tiles):
    other = {f"line.{each}": "." * each for each in range(1, 6)}
    for column, colour in tiles:
        state = edition.correct(state, {**other, f"line.{row}": colour * row}, seat)
        state = edition.correct(state, {"phase": "tile"}, 0)
        for each in (1, 2):
            state = edition.correct(state, other, each) if each != seat else state
        state = edition.apply(state, edition.parse_move(f"{seat}:{row}#{column}"))
    assert "." not in state.boards[seat - 1].wall[row - 1]
