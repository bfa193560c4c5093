"""What hands did wrong: a slip bends one step of its move, loses no tile, and is refused where it changes nothing."""

import json
import random
from collections import Counter

import pytest

from engine import OVER, EngineError, ImpossibleMoveError

DISC = {"factories": "PRRY"}
STAR = {"reserve": "OOOR", "stars": {"O": "12", "R": "5"}}
"""Cell 3 of the orange star can be paid, and brings three points."""

SLIPS = {
    # Drafting: what lies where afterwards.
    "1:1R!left=R": (DISC, {"reserve": "PR", "factory.1": "", "centre": "RY", "score": 5}),
    "1:1R!extra=Y": (DISC, {"reserve": "PRRY", "centre": ""}),
    "1:1R!joker-left": (DISC, {"reserve": "RR", "centre": "PY"}),
    "1:1R!jokers=P": ({"factories": "PPRR"}, {"reserve": "PPRR", "centre": ""}),
    "1:1P!jokers=PP": ({"factories": "PPPP"}, {"reserve": "PPP", "centre": "P"}),
    "1:1R!unpushed": (DISC, {"reserve": "PRR", "factory.1": "Y", "centre": ""}),
    "1:1R!token": (DISC, {"reserve": "PRR", "marker": 1, "score": 5}),
    "1:0R!token": ({"centre": "RRY"}, {"reserve": "RR", "marker": 0, "score": 3}),
    "1:0R!uncharged": ({"centre": "RRY"}, {"reserve": "RR", "marker": 1, "score": 5}),
    "1:0R!charged": ({"centre": "RRY", "marker": 2}, {"reserve": "RR", "marker": 2, "score": 3}),
    "1:1R!charged": (DISC, {"reserve": "PRR", "marker": 0, "score": 2}),
    # Placing.
    "1:O3O+0!off-cell@1": (STAR, {"star.O": "OO....", "reserve": "R", "tower": "OOO", "score": 5}),
    "1:O3O+0!second=R@1>1": (STAR, {"star.O": "OOO...", "star.R": "R...R.", "reserve": "", "score": 8}),
    "1:O3O+0!from-supply": (STAR, {"star.O": "OOO...", "reserve": "OR", "tower": "OO", "supply": "PG.YBRPGOY"}),
    "1:O3O+0!short=O": (STAR, {"star.O": "OOO...", "reserve": "OR", "tower": "O", "score": 8}),
    "1:O3O+0!overpaid=R": (STAR, {"star.O": "OOO...", "reserve": "", "tower": "OOR", "score": 8}),
    "1:O3O+0!other-payer=R": (STAR, {"star.O": "OOO...", "reserve": "O", "tower": "OR", "score": 8}),
    "1:O3O+0!undiscarded=O": (STAR, {"star.O": "OOO...", "reserve": "OR", "tower": "O", "score": 8}),
    "1:O3O+0!moved@1>5": (STAR, {"star.O": "OOO...", "star.R": ".....R", "reserve": "R", "score": 8}),
    "1:O3O+0!old-joker=P": (
        STAR | {"reserve": "OOOP", "round": 2},
        {"star.O": "OOO...", "reserve": "O", "tower": "OP", "score": 8},
    ),
    # Passing.
    "1:pass=GG!beside=RR": ({"reserve": "GGRR"}, {"corners": "GG..", "reserve": "RR", "tower": "", "score": 3}),
    "1:pass=GG!uncharged": ({"reserve": "GGRR"}, {"corners": "GG..", "reserve": "", "tower": "RR", "score": 5}),
}


def read(state, part):
    """A part of a state: of the table's middle, or of the board of seat 1."""
    board = state.boards[0]
    match part.split("."):
        case ["star", star]:
            return board.stars["ORBYGPC".index(star)]
        case ["factory", disc]:
            return state.factories[int(disc) - 1]
        case ["reserve" | "corners" | "score" as name]:
            return getattr(board, name)
    return getattr(state, part)


@pytest.mark.parametrize(("move", "table", "expected"), [(m, *rest) for m, rest in SLIPS.items()], ids=SLIPS)
def test_slip(edition, lay, move, table, expected):
    state, made = lay(edition, **table), edition.parse_move(move)
    after = edition.enact(state, made)
    assert {part: read(after, part) for part in expected} == expected
    assert Counter("".join(edition.heaps(after).values())) == Counter("PGOYBR" * 22)
    assert sum(line.points for line in edition.score(state, made)) == after.scores[0] - 5


@pytest.mark.parametrize(("move", "table"), [(m, rest[0]) for m, rest in SLIPS.items()], ids=SLIPS)
def test_slips_that_a_camera_can_meet_are_among_the_pseudo_moves(edition, lay, move, table):
    assert edition.parse_move(move) in list(edition.pseudo_moves(lay(edition, **table)))


IMPOSSIBLE = {
    # Kinds that do not exist, or not for this move.
    "1:1R!nonsense": DISC,
    "1:1R!short=R": DISC,
    "1:O3O+0!nonsense": STAR,
    "1:O3O+0!left=O": STAR,
    "1:pass=!nonsense": STAR,
    "1:pass=!token": STAR,
    # Tiles that are not there.
    "1:1R!left=Y": DISC,
    "1:1R!left=RR": DISC,
    "1:1R!left": DISC,
    "1:1R!extra=B": DISC,
    "1:1R!extra=P": DISC,
    "1:1R!extra": DISC,
    "1:1R!extra=Y!extra=Y": DISC,
    "1:1R!joker-left": {"factories": "RRYY"},
    "1:1P!joker-left": {"factories": "PPPP"},
    "1:1R!jokers=P": DISC,
    "1:1R!jokers=Y": DISC,
    "1:1R!unpushed": {"factories": "RRRR"},
    "1:0R!unpushed": {"centre": "RRY"},
    "1:0R!token": {"centre": "RRY", "marker": 2},
    "1:1R!token": DISC | {"marker": 2},
    "1:0R!charged": {"centre": "RRY"},
    "1:1R!uncharged": DISC,
    "1:O3O+0!off-cell@18": STAR,
    "1:O3O+0!second=G@1>1": STAR,
    "1:O3O+0!second=R@1>5": STAR,
    "1:O3O+0!second=R@0>3": STAR,
    "1:O3O+0!second=R@7>1": STAR,
    "1:O3O+0!second=R@1": STAR,
    "1:O3O+0!second@1>1": STAR,
    "1:O3O+0!from-supply": STAR | {"supply": "PGPYBRPGBY"},
    "1:O3O+0!short=OOO": STAR,
    "1:O3O+0!short": STAR,
    "1:O3O+0!overpaid=G": STAR,
    "1:O3O+0!overpaid": STAR,
    "1:O3O+0!other-payer=G": STAR,
    "1:O3O+0!other-payer": STAR,
    "1:O3O+0!undiscarded=R": STAR,
    "1:O3O+0!undiscarded=OOO": STAR,
    "1:O3O+0!moved@1>4": STAR,
    "1:O3O+0!moved@7>1": STAR,
    "1:pass=!beside=B": STAR,
    "1:pass=OOOR!beside=R": STAR,
    "1:pass=OOOR!uncharged": STAR,
    # What the rules allow: a joker or the tile's own colour may pay. And what was never a joker is no old one.
    "1:O3O+0!other-payer=P": STAR | {"reserve": "OOOP"},
    "1:O3O+1!other-payer=O": STAR | {"reserve": "OOOP"},
    "1:O3O+0!old-joker=R": STAR | {"round": 2},
    "1:O3O+0!old-joker=P": STAR | {"reserve": "OOOP", "round": 1},
    # Tiles that are not what the slip calls them, or where it calls for none.
    "1:O3O+0!short=R": STAR,
    "1:O3O+0!other-payer=P ": STAR | {"reserve": "OOOP", "round": 2},
    "1:P3P+0!old-joker=P": STAR | {"reserve": "PPPP", "round": 2},
    "1:1R!unpushed=R": DISC,
    # Slips that undo each other.
    "1:1R!joker-left!jokers=P": DISC,
    "1:1R!left=R!extra=R": DISC,
}


@pytest.mark.parametrize(("move", "table"), IMPOSSIBLE.items(), ids=IMPOSSIBLE)
def test_slips_that_change_nothing_are_impossible(edition, lay, move, table):
    state, made = lay(edition, **table), edition.parse_move(move.strip())
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, made)
    with pytest.raises(EngineError):
        edition.apply(state, made)
    assert "RECORD" in {violation.rule for violation in edition.violations(state, made)}


@pytest.mark.parametrize("move", ["1:0R!uncharged", "1:0R!charged", "1:pass=!uncharged"])
def test_at_the_floor_there_is_nothing_to_lose(edition, lay, move):
    floor = {"summer-pavilion": 1, "summer-pavilion-mini": 0}[edition.slug]
    middle = {} if "pass" in move else {"centre": "RRY", "marker": 2 if "!charged" in move else 0}
    state, made = lay(edition, score=floor, reserve="GG", **middle), edition.parse_move(move)
    assert made not in list(edition.pseudo_moves(state))
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, made)


SHOWS = {
    "1:1R!unpushed": ({"factories": "RRGY", "centre": "B"}, "SP-DR-06"),
    "1:O1R+0": ({"reserve": "R"}, "SP-PL-03"),
    "1:C1R+0": ({"reserve": "R", "stars": {"C": "...R.."}}, "SP-PL-04"),
    "1:O3R+0": ({"side": "beige", "reserve": "R", "stars": {"O": "BB...."}}, "SP-VA-01"),
    "1:pass=GG!beside=RR": ({"reserve": "GGRR"}, "SP-PA-02"),
}


@pytest.mark.parametrize(("move", "table", "rule"), [(m, *rest) for m, rest in SHOWS.items()], ids=SHOWS)
def test_what_was_done_wrong_still_lies_there(edition, lay, move, table, rule):
    state, made = lay(edition, **table), edition.parse_move(move)
    after = edition.enact(state, made)
    assert [violation.rule for violation in edition.violations(state, made)] == [rule]
    assert [violation.rule for violation in edition.table_violations(edition.table(after), after)] == [rule]


NO_HAND = {
    "1:2R": DISC,
    "1:7R": DISC,
    "1:0R": DISC,
    "3:1R": DISC,
    "1:O1O+0": {"reserve": "R"},
    "1:O2O+0": {"reserve": "O"},
    "1:O2O+1": {"reserve": "OG"},
    "1:O3O+2": {"reserve": "OPP", "stars": {"O": "3"}},
    "3:O1O+0": {"reserve": "O"},
    "1:bonus=RRR": {"phase": "bonus1", "owed": 3},
    "3:bonus=R": {"phase": "bonus1", "owed": 1},
    "1:pass=G": {"reserve": "R"},
    "1:pass=RRRRR": {"reserve": "RRRRR"},
    "3:pass=": {},
    "supply:R": {},
    "supply:RR": {"phase": "fill1", "supply": ".GOYBRPGOY"},
    "supply:R ": {"phase": "fill1", "supply": ".GOYBRPGOY", "bag": "G"},
    "supply:": {"phase": "fill1", "supply": ".GOYBRPGOY"},
    "fill:PGOY/BRPG/OYBR/PGOY/BRPG": DISC,
    "fill:PPPP/PPPP/PPPP/PPPP/PPPP": {"round": 1, "phase": "fill", "reserve": "P"},
}


@pytest.mark.parametrize(("move", "table"), NO_HAND.items(), ids=NO_HAND)
def test_moves_that_no_hand_can_make(edition, lay, move, table):
    state, made = lay(edition, **table), edition.parse_move(move.strip())
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, made)
    with pytest.raises(EngineError):
        edition.apply(state, made)


@pytest.mark.parametrize("seed", range(8))
def test_rough_games(edition, seed):
    """Games in which every fifth move breaks a rule: what then lies there can be told, scored and written down."""
    rng = random.Random(seed)
    state = edition.start(edition.setup(edition.sides[seed % 2], 2 + seed % 3))
    broken = 0
    while state.phase != OVER:
        legal = edition.legal_moves(state)
        if edition.awaits_chance(state):
            move = edition.deal(state, rng.sample)
        elif rng.random() < 0.2:
            move = rng.choice(sorted(set(edition.pseudo_moves(state)) - set(legal), key=edition.format_move))
            broken += 1
        else:
            move = rng.choice([move for move in legal if not hasattr(move, "keep")] or legal)
        told = f"{edition.format_move(move)} in {edition.format_state(state)}"
        after = edition.enact(state, move)
        assert Counter("".join(edition.heaps(after).values())) == Counter("PGOYBR" * 22), told
        for seat, (now, then) in enumerate(zip(after.scores, state.scores, strict=True), 1):
            assert sum(line.points for line in edition.score(state, move) if line.seat == seat) == now - then, told
        assert edition.parse_state(edition.format_state(after)) == after
        position = edition.table(after)
        assert edition.parse_table(json.loads(json.dumps(edition.format_table(position)))) == position
        found = edition.table_violations(position, after) + edition.table_violations(position, None)
        assert {violation.rule for violation in found} <= set(edition.rulebook), told
        state = after
    assert broken > 10
    assert edition.winners(state)
