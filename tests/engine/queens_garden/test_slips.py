"""What hands do wrong in Queen's Garden: each slip changes what it says, and neither tiles nor cards are lost."""

import pytest

from engine import ImpossibleMoveError
from engine.editions.queens_garden.garden import INDEX
from engine.editions.queens_garden.state import cards_out

RING = "X0=LB1@0,X0.1=LB2,X0.2=LB3,X0.3=LB4,X0.4=LB5"
FULL_RING = {"garden": RING, "tiles": "LB6.J.J.J.J.J"}
OPENING = {"phase": "fill+", "round": 1, "top": "", "left": 0, "supply": 16 + 5}
CELL = INDEX["X0.5"]


def tiles(garden, state):
    return sorted(tile for heap in garden.heaps(state).values() for tile in heap)


SLIPS = [
    ("1:LB1@0!unmoved", {"top": "LB1.DP4"}, lambda s: (s.top, s.stack, s.display, s.phase) == (("DP4",), 3, (), "act")),
    ("1:LB1@0!discarded=J", {"top": "LB1.DP4"}, lambda s: s.boards[0].jokers == 2),
    ("1:LB1@0!discarded=DP2", {"top": "LB1.DP4", "tiles": "DP2"}, lambda s: s.tower == ("DP2",)),
    ("1:LB1@0!discarded=xDP2", {"top": "LB1.DP4", "cards": "DP2"}, lambda s: s.boards[0].cards == ()),
    ("1:YE2@1!face-down=LG1@1", {"display": "YE2"}, lambda s: s.boards[0].cards == ("LG1",) and not s.display),
    ("1:LB1>F0!display@0", {"top": "LB1.DP4"}, lambda s: s.top == ("DP4",) and s.boards[0].garden[0] == "LB1"),
    ("1:LB1>F0!display@1", {"display": "LB1"}, lambda s: s.display == (("", ()),)),
    ("1:xLB1>X0@2!display@1", {"display": "+LB1"}, lambda s: s.display == () and s.boards[0].slots[0] == 2),
    (
        "1:LB2>F0=LB3!borrowed=LB3@2",
        {"tiles": "LB2", "seats": {2: {"tiles": "LB3"}}},
        lambda s: (s.tower, s.boards[1].tiles) == (("LB3",), ()),
    ),
    ("1:LB6>X0.5=J.J.J.J.J!jokers@1", FULL_RING, lambda s: s.boards[0].jokers == 1),
    ("1:J>F0", {}, lambda s: (s.boards[0].garden[0], s.boards[0].jokers) == ("J", 2)),
    ("1:LB1>fountain", {"tiles": "LB1"}, lambda s: s.boards[0].garden[INDEX["fountain"]] == "LB1"),
    ("1:LB1>X2.3", {"tiles": "LB1"}, lambda s: s.boards[0].garden[INDEX["X2.3"]] == "LB1"),
    ("1:xLB1>X0@2!laid-down", {"cards": "LB1"}, lambda s: s.boards[0].slots[0] == 6),
    ("1:buy>X0!price@4", {}, lambda s: s.boards[0].score == 11),
    ("1:buy>X0!laid-up=LB1@2", {}, lambda s: s.boards[0].garden[8] == "LB1" and "LB1" not in s.unseen),
    ("1:pass!unpaid", {}, lambda s: (s.boards[0].score, s.marker) == (15, 1)),
    ("1:pass!marker@2", {}, lambda s: (s.boards[0].score, s.marker) == (14, 2)),
    ("1:pass!marker@0", {}, lambda s: s.marker == 0),
    ("1:pass=LB6!uncharged", {"tiles": "LB6"}, lambda s: (s.boards[0].score, s.tower) == (14, ("LB6",))),
    (f"1:pass!moved@{CELL}>0", {"garden": RING + ",X0.5=LB6"}, lambda s: s.boards[0].garden[0] == "LB6"),
    ("1:pass!removed@0", {"garden": "F0=LB6"}, lambda s: (s.boards[0].garden[0], s.tower) == (".", ("LB6",))),
    (
        "1:pass!rotated@0>2",
        {"garden": RING},
        lambda s: [s.boards[0].garden[i] for i in (7, 8, 9)] == [".", "LB1", "LB2"],
    ),
    ("stack:LB1.LB2.LB3.LB4!size@6", OPENING, lambda s: (s.stack, s.supply) == (6, 20)),
    (
        "stack:+LB1!unturned@1",
        {"phase": "fill2", "display": "_/_"},
        lambda s: [c.hex for c in s.display] == ["", "LB1"],
    ),
    ("stack:", {"phase": "fill2", "display": "_"}, lambda s: s.display == (("", ()),) and s.phase == "act"),
    ("stack:!turned=LB2@1", {"phase": "fill2", "display": "YE2"}, lambda s: s.display == (("LB2", ("YE2",)),)),
    ("count!miscounted@2>7", {"phase": "count"}, lambda s: s.scores == (15, 22)),
]


@pytest.mark.parametrize(("move", "table", "look"), SLIPS, ids=[case[0] for case in SLIPS])
def test_slip(garden, lay, move, table, look):
    state, made = lay(garden, **table), garden.parse_move(move)
    assert garden.violations(state, made)
    after = garden.enact(state, made)
    assert look(after)
    assert tiles(garden, after) == tiles(garden, state)
    assert sum(cards_out(after).values()) == sum(cards_out(state).values())
    assert garden.parse_event(state, garden.format_event(made)) == made
    assert garden.parse_state(garden.format_state(after)) == after


@pytest.mark.parametrize(
    ("move", "table"),
    [
        ("1:LB1@1!unmoved", {"display": "LB1.LB2"}),
        ("1:YE2@1!face-down=LG1@1", {"display": "YE2.DP3"}),
        ("1:YE2@1!face-down=LG1@4", {"display": "YE2"}),
        ("1:LB1>F0!display@0", {"top": "DP4"}),
        ("1:LB1>F0!display@3", {}),
        ("1:LB2>F0=LB3!borrowed=LB3@1", {"tiles": "LB2.LB3"}),
        ("1:LB2>F0=LB3!borrowed=LB3@2", {"tiles": "LB2"}),
        ("1:LB1>F0!jokers@0", {"tiles": "LB1"}),
        ("1:LB1>F0", {"tiles": "LB1", "garden": "F0=LB2"}),
        ("1:buy>X0!price@6", {}),
        ("1:buy>X0!laid-up=LB1@2", {"cards": "LB1"}),
        ("1:pass!moved@0>1", {"garden": "F0=LB1,F1=LB2"}),
        ("1:pass!removed@0", {}),
        ("1:pass!removed@6", {"garden": "X0=LB1@0"}),
        ("1:pass!rotated@0>0", {"garden": "X0=LB1@0"}),
        ("1:pass!rotated@0>1", {"garden": "X0=down"}),
        ("1:pass!marker@1", {}),
        ("1:pass!unmoved", {}),
        ("stack:LB1.LB2.LB3.LB4!size@5", OPENING),
        ("stack:!unturned@1", {"phase": "fill2", "display": "YE2"}),
        ("stack:!turned=LB2@1", {"phase": "fill2", "display": "+LB2"}),
        ("1:xLB1>X0@0", {"cards": "LB1", "garden": "X0.0=LB2"}),
    ],
)
def test_what_cannot_have_happened(garden, lay, move, table):
    state, made = lay(garden, **table), garden.parse_move(move)
    assert garden.violations(state, made)
    with pytest.raises(ImpossibleMoveError):
        garden.enact(state, made)


def test_all_that_hands_can_do_keeps_the_cards(garden, lay):
    table = {"garden": f"{RING},F0=DP4,X3=down", "tiles": "LB6.LB2.YE3.J.J", "cards": "DP5", "display": "LB1.YE1/+DG2"}
    for state in (lay(garden, **table), lay(garden, marker=2, passed="2", **table)):
        count = sum(cards_out(state).values())
        moves = list(garden.pseudo_moves(state))
        assert len(moves) < 5000
        for move in moves:
            assert sum(cards_out(garden.enact(state, move)).values()) == count, move
