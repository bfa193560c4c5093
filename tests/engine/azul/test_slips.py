"""What hands did wrong: a slip bends one step of its move, loses no tile, and is refused where it changes nothing."""

from collections import Counter

import pytest

from engine import EngineError, ImpossibleMoveError

DISC = {"factories": "RRKY"}

SLIPS = {
    # Drafting: what lies where afterwards.
    "1:1R>2!left=R": (DISC, {"line.2": ".R", "factory.1": "", "centre": "KRY"}),
    "1:1R>0!extra=K@1": (DISC, {"floor": "RRK", "factory.1": "", "centre": "Y"}),
    "1:1R>3!extra=R@2": ({"factories": "RRKY/RKWW"}, {"line.3": "RRR", "factory.2": "KWW", "centre": "KY"}),
    "1:1R>2!unpushed": (DISC, {"line.2": "RR", "factory.1": "KY", "centre": ""}),
    "1:0R>1!marker": ({"centre": "RK"}, {"line.1": "R", "floor": "", "marker": 0, "centre": "K"}),
    "1:1R>2!marker": (DISC, {"line.2": "RR", "floor": "1", "marker": 1}),
    "1:0R>1!marker-cell@3": ({"centre": "RK", "floor": "B"}, {"line.1": "R", "floor": "B.1", "marker": 1}),
    "1:0R>1!marker-cell@7": ({"centre": "RK"}, {"line.1": "R", "floor": "......1", "marker": 1}),
    "1:1R>3!split=R@2": (DISC, {"line.3": "..R", "line.2": ".R", "floor": ""}),
    "1:1R>2!stacked=R": ({"factories": "RRRY"}, {"line.2": "RRR", "floor": ""}),
    "1:1R>3!gap": (DISC, {"line.3": "RR."}),
    "1:1R>0!floor-gap@2": (DISC, {"floor": ".RR", "lid": ""}),
    "1:1R>0!floor-gap@7": (DISC, {"floor": "......R", "lid": "R"}),
    "1:1R>2!kept=R": (DISC, {"line.2": ".R", "floor": "", "lid": "R"}),
    "1:1R>2!returned=R": ({"factories": "RRRY"}, {"line.2": "RR", "floor": "", "centre": "RY"}),
    "1:1R>1!hidden=R": (DISC, {"line.1": "R", "floor": "", "lid": "R"}),
    "1:1R>2!shifted=B@4>5": (DISC | {"lines": {4: "BB"}}, {"line.2": "RR", "line.4": "...B", "line.5": "....B"}),
    "1:1R>1!shifted=B@4": (DISC | {"lines": {4: "BB"}}, {"line.4": "...B", "floor": "BR"}),
    # Tiling.
    "1:3#3!rest=BB": ({"lines": {3: "BBB"}}, {"line.3": ".BB", "wall.3": "..B..", "lid": "", "score": 1}),
    "1:2#3!other-row@1": ({"lines": {2: "RR"}}, {"line.2": "..", "wall.1": "..R..", "lid": "R", "score": 1}),
    "1:sweep!uncleared": ({"floor": "BK", "score": 9}, {"floor": "BK", "lid": "", "score": 7}),
    "1:sweep!marker-lid": ({"floor": "1", "marker": 1, "score": 9}, {"floor": "", "marker": 0, "lid": "", "score": 8}),
    "1:sweep!cleared@3": ({"lines": {3: "BB"}}, {"line.3": "...", "lid": "BB"}),
    "1:sweep!removed@1>2": ({"wall": {1: ".Y..."}}, {"wall.1": ".....", "lid": "Y"}),
}


def laid(edition, lay, move, table):
    """The table of a move: while drafting for a take, after it for the others."""
    return lay(edition, **({} if ">" in move.partition("!")[0] else {"phase": "tile"}) | table)


def read(state, part):
    """A part of a state: of the table's middle, or of the board of seat 1."""
    board = state.boards[0]
    match part.split("."):
        case ["line", row]:
            return board.lines[int(row) - 1]
        case ["wall", row]:
            return board.wall[int(row) - 1]
        case ["factory", disc]:
            return state.factories[int(disc) - 1]
        case ["floor" | "score" as name]:
            return getattr(board, name)
    return getattr(state, part)


@pytest.mark.parametrize(("move", "table", "expected"), [(m, *rest) for m, rest in SLIPS.items()], ids=SLIPS)
def test_slip(edition, lay, move, table, expected):
    after = edition.enact(laid(edition, lay, move, table), edition.parse_move(move))
    assert {part: read(after, part) for part in expected} == expected
    assert Counter("".join(edition.heaps(after).values())) == Counter("BYRKW" * 20)


# Of the gaps that tiles can leave on the floor line only the smallest is tried.
SIGHTED = {move: rest[0] for move, rest in SLIPS.items() if move != "1:1R>0!floor-gap@7"}


@pytest.mark.parametrize(("move", "table"), SIGHTED.items(), ids=SIGHTED)
def test_slips_that_a_camera_can_meet_are_among_the_pseudo_moves(edition, lay, move, table):
    assert edition.parse_move(move) in list(edition.pseudo_moves(laid(edition, lay, move, table)))


IMPOSSIBLE = {
    "1:1R>2!nonsense": DISC,
    "1:1R>2!rest=R": DISC,
    "1:1R>2!uncleared": DISC,
    "1:1R>2!left=K": DISC,
    "1:1R>2!left=RR": DISC,
    "1:1R>2!left": DISC,
    "1:1R>2!extra=W@1": DISC,
    "1:1R>2!extra=R@9": DISC,
    "1:1R>4!unpushed": {"factories": "RRRR"},
    "1:0R>1!unpushed": {"centre": "RK"},
    "1:0R>1!marker": {"centre": "RK", "marker": 2},
    "1:1R>2!marker": DISC | {"marker": 2},
    "1:1R>2!marker-cell@3": DISC,
    "1:0R>1!marker-cell@2": {"centre": "RK", "floor": "B"},
    "1:0R>1!marker-cell@8": {"centre": "RK"},
    "1:1R>2!split=R@2": DISC,
    "1:1R>2!split=R": DISC,
    "1:1R>2!split=R@9": DISC,
    "1:1R>5!split=R@2!split=R@3": {"factories": "RRRY"},
    "1:1R>2!stacked=R": DISC,
    "1:1R>0!stacked=R": DISC,
    "1:1R>2!gap": DISC,
    "1:1R>0!gap": DISC,
    "1:1R>2!floor-gap@3": DISC,
    "1:1R>0!floor-gap@1": DISC,
    "1:1R>0!floor-gap@8": DISC,
    "1:1R>2!kept=RRR": DISC,
    "1:1R>2!returned=K": DISC,
    "1:1R>1!hidden=R": DISC | {"floor": "WWWWWWW"},
    "1:1R>2!shifted=B@4>5": DISC,
    "1:1R>2!shifted=B@4>4": DISC | {"lines": {4: "BB"}},
    "1:1R>2!shifted=B@4>1": DISC | {"lines": {1: "B", 4: "BB"}},
    "1:3#3!nonsense": {"lines": {3: "BBB"}},
    "1:3#3!left=B": {"lines": {3: "BBB"}},
    "1:3#3!rest=BBB": {"lines": {3: "BBB"}},
    "1:3#3!other-row@3": {"lines": {3: "BBB"}},
    "1:3#3!other-row@6": {"lines": {3: "BBB"}},
    "1:3#3!other-row@1": {"lines": {3: "BBB"}, "wall": {1: "..R.."}},
    "1:sweep!nonsense": {},
    "1:sweep!uncleared": {},
    "1:sweep!marker-lid": {"marker": 2},
    "1:sweep!cleared@3": {},
    "1:sweep!cleared@6": {},
    "1:sweep!removed@1>2": {},
    "1:sweep!removed@1>6": {"wall": {1: ".Y..."}},
    "1:sweep!removed@1": {"wall": {1: "....W"}},
}


@pytest.mark.parametrize(("move", "table"), IMPOSSIBLE.items(), ids=IMPOSSIBLE)
def test_slips_that_change_nothing_are_impossible(edition, lay, move, table):
    state = laid(edition, lay, move, table)
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, edition.parse_move(move))
    with pytest.raises(EngineError):
        edition.apply(state, edition.parse_move(move))


SHOWS = {
    "1:1R>2!unpushed": ({"factories": "RRKY", "centre": "B"}, "AZ-DR-04"),
    "1:1R>2!stacked=R": ({"factories": "RRRY"}, "AZ-PL-02"),
    "1:1R>1!stacked=RR": (DISC | {"lines": {1: "R"}}, "AZ-PL-02"),
    "1:1R>3": (DISC | {"lines": {3: "B"}}, "AZ-PL-03"),
    "1:1R>2": (DISC | {"wall": {2: "...R."}}, "AZ-PL-04"),
    "1:1R>3!gap": (DISC, "AZ-PL-05"),
    "1:1R>0!floor-gap@3": (DISC, "AZ-PL-07"),
    "1:2#3": ({"lines": {2: "RR"}}, "AZ-WT-03"),
    "1:3#2": ({"side": "grey", "lines": {3: "BBB"}, "wall": {3: "B...."}}, "AZ-VA-01"),
    "1:3#1": ({"side": "grey", "lines": {3: "BBB"}, "wall": {5: "B...."}}, "AZ-VA-02"),
}


@pytest.mark.parametrize(("move", "table", "rule"), [(m, *rest) for m, rest in SHOWS.items()], ids=SHOWS)
def test_what_was_done_wrong_still_lies_there(edition, lay, move, table, rule):
    state = laid(edition, lay, move, table)
    made = edition.parse_move(move)
    after = edition.enact(state, made)
    assert [violation.rule for violation in edition.violations(state, made)] == [rule]
    assert [violation.rule for violation in edition.table_violations(edition.table(after), after)] == [rule]


def test_the_first_disc_of_a_game_with_its_rest_left_on_it(edition, lay):
    # Nothing lies in the centre yet, as before the first take; but the line shows that there was one.
    state = lay(edition, round=1, factories="RRKY/BBBB/YYYY/KKKK/WWWW")
    after = edition.enact(state, edition.parse_move("1:1R>2!unpushed"))
    assert [violation.rule for violation in edition.table_violations(edition.table(after), after)] == ["AZ-DR-04"]


def test_a_tile_moved_off_a_heaped_line_leaves_no_hole(edition, lay):
    state = lay(edition, factories="RRKY", lines={2: "BBB"})
    after = edition.enact(state, edition.parse_move("1:1R>1!shifted=B@2"))
    assert (after.boards[0].lines[1], after.boards[0].floor) == ("BB", "BR")
    seen = edition.table(after)
    assert edition.parse_table(edition.format_table(seen)) == seen


def test_a_line_with_a_gap_on_the_right_may_be_tiled_by_hand(edition, lay):
    state = lay(edition, phase="tile", lines={3: "B.."})
    move = edition.parse_move("1:3#3")
    assert [violation.rule for violation in edition.violations(state, move)] == ["AZ-WT-01"]
    assert [line.points for line in edition.score(state, move)] == [1]
    after = edition.enact(state, move).boards[0]
    assert (after.lines[2], after.wall[2], after.score) == ("...", "..B..", 1)


@pytest.mark.parametrize(
    "move", ["1:2R>1", "1:7R>1", "1:0R>1", "3:1R>1", "3:1#1", "3:sweep", "3:pass"], ids=lambda move: move
)
def test_moves_that_no_hand_can_make(edition, lay, move):
    state = lay(edition, **DISC)
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, edition.parse_move(move))
    with pytest.raises(EngineError):
        edition.apply(state, edition.parse_move(move))


@pytest.mark.parametrize("row", ["Y....", "..R.."])
def test_a_wrong_tile_in_a_coloured_row_leaves_one_legal_way(edition, lay, row):
    # Row 2 has its yellow tile elsewhere, or another tile lies in yellow's cell: the line can only be dropped.
    state = lay(edition, phase="tile", lines={2: "YY"}, wall={2: row})
    legal = [edition.format_move(move) for move in edition.legal_moves(state) if move.seat == 1]
    allowed = [text for text in ("1:2#0", "1:2#3") if not edition.violations(state, edition.parse_move(text))]
    assert allowed == legal == ["1:2#0"]
    assert edition.settle(state).boards[0].wall[1] == row
